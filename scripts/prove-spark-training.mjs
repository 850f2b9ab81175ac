// Trains LambdaMART on a Spark cluster of two workers, one of which is killed while trees are grown, and again without any harm; then
// compares the two models, which must be equal in every byte, and the scores of Gradus with those of XGBoost itself, which must be equal in
// every bit. Everything is made here: the data from a seed, the cluster from PyPI. Needs Java 17 and Python 3.
//
//   node scripts/prove-spark-training.mjs
//   --queries N --trees N    other sizes                 --folder DIR   where everything goes (.cache/prove-spark-training)
//   --python PROGRAM         one that has all packages   --keep         leave the data and Spark where they are
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import { startCluster } from './spark-cluster.mjs';

const repository = fileURLToPath(new URL('..', import.meta.url));
const { values: options } = parseArgs({
  options: {
    queries: { type: 'string', default: '2000' },
    trees: { type: 'string', default: '50' },
    folder: { type: 'string', default: join(repository, '.cache', 'prove-spark-training') },
    python: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
});
const folder = resolve(options.folder);
const FEATURES = 10;
const DEPTH = 50;
const say = (text) => process.stdout.write(`${text}\n`);

/** Installs what trains into a virtual environment, unless somebody has it already. */
function pythonWithPackages() {
  if (options.python !== undefined) return resolve(options.python);
  const python = join(folder, 'venv', 'bin', 'python');
  if (!existsSync(python)) execFileSync('python3', ['-m', 'venv', join(folder, 'venv')], { stdio: 'inherit' });
  execFileSync(python, ['-m', 'pip', 'install', '-q', 'pyspark', 'xgboost', 'pandas', 'pyarrow', 'scikit-learn'], { stdio: 'inherit' });
  return python;
}

/** A number from 0 to 1 from a row and a seed, by whole-number arithmetic that every version of DuckDB does alike. */
const drawn = (seed) => {
  const first = `((row + ${seed * 1_000_003}) * 2654435761 % 4294967291)`;
  return `(((xor(${first}, ${first} // 32768) * 2246822519) % 4294967291) / 4294967291.0)`;
};

/** Writes documents with a label that the first features decide, their rows spread over all files, and some for a test. */
async function makeData() {
  rmSync(join(folder, 'train'), { recursive: true, force: true });
  mkdirSync(join(folder, 'train'), { recursive: true });
  const instance = await DuckDBInstance.create(':memory:', { threads: '2' });
  const connection = await instance.connect();
  const rows = (from, to) => `SELECT *, CAST(t * ${DEPTH} + i AS UBIGINT) AS row FROM range(${from}, ${to}) a(t), range(${DEPTH}) b(i)`;
  const features = Array.from({ length: FEATURES }, (_, f) => {
    // one value of twenty is not known
    return `CASE WHEN ${drawn(100 + f)} < 0.05 THEN NULL ELSE CAST(${drawn(f)} AS FLOAT) END AS x${f}`;
  });
  const merit = `(${drawn(0)} + ${drawn(1)} * ${drawn(2)} + 0.7 * ${drawn(50)})`;
  const label = `CASE WHEN ${merit} > 1.8 THEN 3 WHEN ${merit} > 1.5 THEN 2 WHEN ${merit} > 1.2 THEN 1 ELSE 0 END AS label`;
  const table = (from, to) => `SELECT 'q' || t AS query_id, 'd' || i AS doc_id, ${label}, ${features.join(', ')} FROM (${rows(from, to)})`;
  const queries = Number(options.queries);
  for (let file = 0; file < 8; file++) {
    const part = `SELECT * FROM (${table(0, queries)}) WHERE CAST(substr(doc_id, 2) AS INT) % 8 = ${file}`;
    await connection.run(`COPY (${part}) TO '${join(folder, 'train', `part-${file}.parquet`)}' (FORMAT parquet)`);
  }
  await connection.run(`COPY (${table(queries, queries + 100)}) TO '${join(folder, 'test.parquet')}' (FORMAT parquet)`);
  connection.closeSync();
  instance.closeSync();
}

/** Runs the program as anybody would. */
async function gradus(args, environment = process.env) {
  const begun = performance.now();
  const child = spawn(process.execPath, [join(repository, 'bin', 'gradus.js'), ...args], {
    env: environment,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const status = await new Promise((done) => child.on('close', done));
  if (status !== 0) throw new Error(`gradus ${args[0]} ended with status ${status}`);
  return (performance.now() - begun) / 1000;
}

/** Waits until trees have been saved and more are being grown, and kills a worker then. */
async function killInMidTraining(cluster, checkpoint) {
  for (;;) {
    await sleep(200);
    if (!existsSync(checkpoint)) continue;
    try {
      const applications = await (await fetch('http://127.0.0.1:4040/api/v1/applications')).json();
      const stages = await (await fetch(`http://127.0.0.1:4040/api/v1/applications/${applications[0].id}/stages?status=active`)).json();
      const stage = stages.find(({ numActiveTasks }) => numActiveTasks === 2);
      if (stage === undefined) continue;
      const saved = JSON.parse(readFileSync(checkpoint, 'utf8')).learner.gradient_booster.model.trees.length;
      cluster.kill(1);
      return { stage: stage.stageId, saved };
    } catch {
      // the driver has no page yet, or the file is just being replaced
    }
  }
}

/** Trains on a cluster of its own. */
async function train(python, name, isHarmed) {
  const home = execFileSync(python, ['-c', 'import os, pyspark; print(os.path.dirname(pyspark.__file__))'], { encoding: 'utf8' }).trim();
  const place = join(folder, name);
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  // two cores each, so that one worker has room for what both did
  const cluster = await startCluster({ home, folder: join(place, 'cluster'), cores: 2 });
  const [model, checkpoint] = ['model.json', 'checkpoint.json'].map((file) => join(place, file));
  let killed;
  try {
    const killing = isHarmed ? killInMidTraining(cluster, checkpoint).then((found) => (killed = found)) : undefined;
    const settings = ['spark.executor.memory=1g', 'spark.driver.memory=1g', 'spark.driver.host=127.0.0.1', 'spark.ui.port=4040'];
    const seconds = await gradus(
      [
        ...['train', 'lambdamart', '--engine', 'spark', '--master', cluster.url, '--python', python, '--workers', '2'],
        ...settings.flatMap((setting) => ['--conf', setting]),
        ...['--train', join(folder, 'train'), '--test', join(folder, 'test.parquet'), '--trees', options.trees],
        ...['--checkpoint', checkpoint, '--model', model],
      ],
      cluster.environment,
    );
    if (isHarmed) {
      if (killed === undefined) throw new Error('the job ended before a worker could be killed');
      await killing;
      say(`${name}: worker 2 killed in stage ${killed.stage}, when ${killed.saved} of ${options.trees} trees were saved`);
    }
    say(`${name}: ${seconds.toFixed(1)} s, ${(await cluster.status())?.aliveworkers} of 2 workers left`);
  } finally {
    cluster.stop();
  }
  return { model, checkpoint };
}

/** The scores of the test documents by XGBoost itself, and by Gradus, in the order of the file. */
async function scoresOf(python, { model, checkpoint }) {
  const test = join(folder, 'test.parquet');
  const program = [
    'import sys, pandas, xgboost',
    'table = pandas.read_parquet(sys.argv[1])',
    `cells = table[[f"x{f}" for f in range(${FEATURES})]].astype("float32").to_numpy()`,
    'booster = xgboost.Booster(model_file=sys.argv[2])',
    'print("\\n".join(repr(float(score)) for score in booster.predict(xgboost.DMatrix(cells), output_margin=True, validate_features=False)))',
  ];
  const theirs = execFileSync(python, ['-c', program.join('\n'), test, checkpoint], { encoding: 'utf8', maxBuffer: 2 ** 28 });
  const file = join(folder, 'scores.txt');
  await gradus(['score', model, test, '--format', 'letor', '-o', file, '--quiet']);
  const numbers = (text) => text.trim().split('\n').map(Number);
  return [numbers(theirs), numbers(readFileSync(file, 'utf8'))];
}

mkdirSync(folder, { recursive: true });
const python = pythonWithPackages();
await makeData();
say(`data: ${Number(options.queries) * DEPTH} documents of ${options.queries} queries in 8 Parquet files`);
const harmed = await train(python, 'harmed', true);
const unharmed = await train(python, 'unharmed', false);
const isSame = readFileSync(harmed.model).equals(readFileSync(unharmed.model));
say(`models: ${isSame ? 'equal in every byte' : 'NOT equal'}`);
const [theirs, ours] = await scoresOf(python, harmed);
const unequal = ours.filter((score, row) => score !== theirs[row]).length;
say(`scores: ${unequal} of ${theirs.length} differ from those of XGBoost in some bit`);
const isProven = isSame && unequal === 0 && ours.length === theirs.length;
if (!options.keep) rmSync(folder, { recursive: true, force: true });
say(isProven ? 'proven' : 'NOT proven');
process.exitCode = isProven ? 0 : 1;
