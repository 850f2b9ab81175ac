// Evaluates a run of 100 million rows with DuckDB under a limit of memory, and on a Spark cluster of two workers, one of which
// is killed in the middle of the work; then compares the two, topic by topic. Everything is made here: the data from a seed, the
// cluster from PyPI. Needs Java 17, Python 3 and about 20 GB of disk.
//
//   node scripts/prove-spark.mjs                       the whole proof
//   node scripts/prove-spark.mjs --small               a hundredth of it
//   --topics N --depth N --files N    other sizes      --folder DIR   where everything goes (.cache/prove-spark)
//   --memory-limit 2GB                for DuckDB       --keep         leave the data and Spark where they are
//   --resume                          take the data and DuckDB's result that an interrupted proof left
import { spawn } from 'node:child_process';
import { createReadStream, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import { installSpark, peakMemory, startCluster } from './spark-cluster.mjs';

const repository = fileURLToPath(new URL('..', import.meta.url));
const { values: options } = parseArgs({
  options: {
    small: { type: 'boolean', default: false },
    topics: { type: 'string' },
    depth: { type: 'string', default: '1000' },
    files: { type: 'string', default: '64' },
    folder: { type: 'string', default: join(repository, '.cache', 'prove-spark') },
    'memory-limit': { type: 'string', default: '2GB' },
    measures: { type: 'string', default: 'nDCG@10 AP RR P@10 R@100 Judged@10 Bpref ERR RBP' },
    keep: { type: 'boolean', default: false },
    resume: { type: 'boolean', default: false },
  },
});
const numTopics = Number(options.topics ?? (options.small ? 1000 : 100_000));
const depth = Number(options.depth);
const numFiles = Number(options.files);
const folder = resolve(options.folder);
const TOLERANCE = 1e-12;
/** A stage that moves more bytes than this works on all rows of the run. */
const LARGE_SHUFFLE = numTopics * depth * 2;

const say = (text) => process.stdout.write(`${text}\n`);

/** A number below 2^32 from a row and a seed, by whole-number arithmetic that every version of DuckDB does alike. */
const mixed = (row, seed) => {
  const first = `((${row} + ${seed * 1_000_003}) * 2654435761 % 4294967291)`;
  return `((xor(${first}, ${first} // 32768) * 2246822519) % 4294967291)`;
};

/** Writes the run, its rows spread over all files, so that no file has a whole topic; and the judgements. */
async function makeData() {
  const run = join(folder, 'run');
  mkdirSync(run, { recursive: true });
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '4GB', temp_directory: join(folder, 'spilled'), threads: '2' });
  const connection = await instance.connect();
  const row = `CAST(t * ${depth} + i AS UBIGINT)`;
  const doc = `'d' || ((${mixed(row, 1)} % 1000000) * ${depth} + i)`;
  const score = `(${mixed(row, 2)} % 5000) / 256.0`;
  for (let file = 0; file < numFiles; file++) {
    const rows = `SELECT 'q' || t AS query_id, ${doc} AS doc_id, CAST(${score} AS DOUBLE) AS score FROM range(${numTopics}) a(t), range(${file}, ${depth}, ${numFiles}) b(i)`;
    await connection.run(`COPY (${rows}) TO '${join(run, `part-${String(file).padStart(3, '0')}.parquet`)}' (FORMAT parquet)`);
  }
  const grade = `CAST(${mixed(row, 3)} % 5 AS DOUBLE)`;
  // of each topic about one document in fifty, and three that nobody retrieved
  const judged = `SELECT 'q' || t AS query_id, ${doc} AS doc_id, ${grade} AS relevance FROM range(${numTopics}) a(t), range(${depth}) b(i) WHERE ${mixed(row, 4)} % 50 = 0`;
  const unseen = `SELECT 'q' || t, 'unseen' || i, CAST(1 + i AS DOUBLE) FROM range(${numTopics}) a(t), range(3) b(i)`;
  await connection.run(`COPY (${judged} UNION ALL ${unseen}) TO '${join(folder, 'qrels.parquet')}' (FORMAT parquet)`);
  connection.closeSync();
  instance.closeSync();
  return dataOf(folder);
}

function dataOf(place) {
  const run = join(place, 'run');
  const bytes = readdirSync(run).reduce((sum, name) => sum + statSync(join(run, name)).size, 0);
  return { run: join(run, '*.parquet'), qrels: join(place, 'qrels.parquet'), megabytes: Math.round(bytes / 1e6) };
}

/** Runs the program as anybody would, and watches its memory. */
async function gradus(args, environment = process.env, watch = () => {}) {
  const started = performance.now();
  const child = spawn(process.execPath, [join(repository, 'bin', 'gradus.js'), ...args], {
    env: environment,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, peakMemory(child.pid));
    watch();
  }, 200);
  const status = await new Promise((done) => child.on('close', done));
  clearInterval(timer);
  if (status !== 0) throw new Error(`gradus ${args[0]} ended with status ${status}`);
  return { seconds: (performance.now() - started) / 1000, peak };
}

/** The values of each topic, from a file of JSON lines. */
async function valuesIn(path) {
  const values = new Map();
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const { topic, scores } = JSON.parse(line);
    if (topic !== undefined) values.set(topic, scores);
  }
  return values;
}

function compare(a, b) {
  let worst = 0;
  let unequal = 0;
  for (const [topic, scores] of a) {
    const others = b.get(topic);
    if (others === undefined) throw new Error(`topic ${topic} is missing`);
    for (const [measure, value] of Object.entries(scores)) {
      const difference = Math.abs(value - others[measure]);
      if (!(difference <= worst)) worst = difference;
      if (measure === 'nDCG@10' && !Object.is(value, others[measure])) unequal++;
    }
  }
  return { worst, unequal };
}

/** Waits until a stage with many tasks is in the middle of its work, and kills a worker then. */
async function killInMidStage(cluster) {
  for (;;) {
    await sleep(200);
    try {
      const applications = await (await fetch('http://127.0.0.1:4040/api/v1/applications')).json();
      const stages = await (await fetch(`http://127.0.0.1:4040/api/v1/applications/${applications[0].id}/stages?status=active`)).json();
      const stage = stages.find(
        ({ numTasks, numCompleteTasks, shuffleReadBytes, shuffleWriteBytes }) =>
          numTasks >= 8 && numCompleteTasks >= numTasks / 4 && shuffleReadBytes + shuffleWriteBytes > LARGE_SHUFFLE,
      );
      if (stage === undefined) continue;
      const memory = cluster.executorPeaks();
      cluster.kill(1);
      return { stage: stage.stageId, done: stage.numCompleteTasks, tasks: stage.numTasks, memory };
    } catch {
      // the driver has no page yet
    }
  }
}

async function main() {
  const duckdbOut = join(folder, 'duckdb.jsonl');
  const isResumed = options.resume && existsSync(duckdbOut);
  mkdirSync(folder, { recursive: true });
  say(`data: ${numTopics} topics of ${depth} documents in ${numFiles} Parquet files`);
  if (!isResumed) rmSync(join(folder, 'run'), { recursive: true, force: true });
  const { run, qrels, megabytes } = isResumed ? dataOf(folder) : await makeData();
  say(`data: ${numTopics * depth} rows, ${megabytes} MB`);
  const common = ['eval', qrels, run, '-m', options.measures, '-q', '-f', 'jsonl'];

  const byDuckdb = isResumed
    ? undefined
    : await gradus([
        ...common,
        '--engine',
        'duckdb',
        '--threads',
        '2',
        '--memory-limit',
        options['memory-limit'],
        '--trust-unique',
        '-o',
        duckdbOut,
      ]);
  if (byDuckdb === undefined) say('duckdb: the result of an earlier run');
  else say(`duckdb: ${byDuckdb.seconds.toFixed(1)} s, limit ${options['memory-limit']}, peak of the process ${byDuckdb.peak} MB`);
  const expected = await valuesIn(duckdbOut);

  const home = installSpark(join(folder, 'venv'));
  const cluster = await startCluster({ home, folder: join(folder, 'cluster') });
  let killed;
  let peaks = [];
  const sparkOut = join(folder, 'spark.jsonl');
  try {
    const killing = killInMidStage(cluster).then((found) => {
      killed = found;
      say(`spark: worker 2 killed in stage ${found.stage}, ${found.done} of ${found.tasks} tasks done`);
    });
    const settings = [
      'spark.executor.memory=2g',
      'spark.executor.cores=1',
      'spark.driver.memory=2g',
      'spark.driver.host=127.0.0.1',
      'spark.ui.port=4040',
      'spark.sql.shuffle.partitions=64',
      'spark.sql.files.maxPartitionBytes=16m',
    ];
    const bySpark = await gradus(
      [
        ...common,
        '--engine',
        'spark',
        '--master',
        cluster.url,
        ...settings.flatMap((setting) => ['--conf', setting]),
        '--trust-unique',
        '-o',
        sparkOut,
      ],
      cluster.environment,
      () => (peaks = [...peaks, ...cluster.executorPeaks()].sort((a, b) => b - a).slice(0, 2)),
    );
    if (killed === undefined) throw new Error('the job ended before a worker could be killed');
    await killing;
    const alive = (await cluster.status())?.aliveworkers;
    say(
      `spark: ${bySpark.seconds.toFixed(1)} s with ${alive} of 2 workers left, executors of 2 GB, largest resident memory of an executor ${peaks[0]} MB`,
    );
  } finally {
    cluster.stop();
  }
  const found = await valuesIn(sparkOut);
  const { worst, unequal } = compare(expected, found);
  say(`topics: ${expected.size} by duckdb, ${found.size} by spark`);
  say(`largest difference: ${worst}; nDCG@10 unequal in some bit on ${unequal} topics`);
  const isProven = expected.size === numTopics && found.size === numTopics && worst <= TOLERANCE;
  if (!options.keep) rmSync(folder, { recursive: true, force: true });
  say(isProven ? 'proven' : 'NOT proven');
  process.exitCode = isProven ? 0 : 1;
}

await main();
