/** Loading LETOR text against LightGBM and XGBoost: npm run build && node benchmarks/ltr-loading.bench.mjs [--threads 1,2] [--rounds 5]
 *  [--print-only]
 *
 *  PYTHON names an interpreter with the packages of rivals/ltr/requirements.txt. Every reading runs in a fresh process, the contenders in
 *  turn, the file in the page cache; the median of the rounds counts. Starting a process and loading its modules does not count,
 *  starting threads does. LightGBM does not read query ids in such text, and gets a copy without them and a file of query sizes. */

import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median } from './src/cost.mjs';
import { loadSet, NUM_FEATURES, textOf, trainSet } from './src/ltr-set.mjs';
import { circumstances, megabytes, ratio, seconds, table, writeSection } from './src/report.mjs';

const { values: options } = parseArgs({
  options: {
    threads: { type: 'string', default: '1,2' },
    rounds: { type: 'string', default: '5' },
    'print-only': { type: 'boolean', default: false },
  },
});
const python = process.env.PYTHON ?? 'python3';
const path = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));
const text = textOf(trainSet);
const { numRows, queryOffsets } = loadSet(trainSet);

/** @typedef {{ seconds: number, cpuSeconds: number, peakBytes: number, rows: number }} Outcome */
/** @typedef {{ name: string, until: 'bins' | 'text', command: (threads: string) => string[] }} Contender */

const gradus = (/** @type {string} */ until) => (/** @type {string} */ threads) => [
  process.execPath,
  path('src/ltr-load.mjs'),
  text,
  threads,
  until,
];
const rival =
  (/** @type {string} */ library, /** @type {string} */ file, /** @type {string[]} */ ...more) =>
  (/** @type {string} */ threads) => [python, path('rivals/ltr/loading.py'), library, file, threads, ...more];

/** @type {Contender[]} */
const contenders = [{ name: 'Gradus', until: 'bins', command: gradus('bins') }];
if (has('lightgbm')) contenders.push({ name: 'LightGBM', until: 'bins', command: rival('lightgbm', withoutQueries()) });
contenders.push({ name: 'Gradus ', until: 'text', command: gradus('text') });
if (has('lightgbm')) {
  // a sample of one row makes every feature constant, so that there is nothing to put into bins
  contenders.push({ name: 'LightGBM ', until: 'text', command: rival('lightgbm', withoutQueries(), 'bin_construct_sample_cnt=1') });
}
if (has('xgboost')) contenders.push({ name: 'XGBoost ', until: 'text', command: rival('xgboost', text) });

/** @type {string[][]} */
const rows = [];
for (const threads of options.threads.split(',')) {
  const outcomes = new Map(contenders.map(({ name }) => [name, /** @type {Outcome[]} */ ([])]));
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const contender of round % 2 === 0 ? contenders : contenders.toReversed()) {
      const outcome = run(contender.command(threads));
      if (outcome.rows !== numRows) throw new Error(`${contender.name} read ${outcome.rows} rows, expected ${numRows}`);
      outcomes.get(contender.name)?.push(outcome);
      say(JSON.stringify({ name: contender.name, until: contender.until, threads, ...outcome }));
    }
  }
  const middle = (/** @type {string} */ name, /** @type {keyof Outcome} */ key) => median((outcomes.get(name) ?? []).map((o) => o[key]));
  for (const { name, until } of contenders) {
    const ours = until === 'bins' ? 'Gradus' : 'Gradus ';
    rows.push([
      `${name.trim()}, ${until === 'bins' ? 'into bins' : 'text alone'}`,
      threads,
      seconds(middle(name, 'seconds')),
      ratio(middle(ours, 'seconds') / middle(name, 'seconds')),
      seconds(middle(name, 'cpuSeconds')),
      ratio(middle(ours, 'cpuSeconds') / middle(name, 'cpuSeconds')),
      megabytes(middle(name, 'peakBytes')),
    ]);
  }
}
const header = ['', 'threads', 'wall', 'Gradus takes', 'processor', 'Gradus takes ', 'peak memory'];
const section = [
  `## Loading LETOR text: ${numRows.toLocaleString('en')} documents of ${(queryOffsets.length - 1).toLocaleString('en')} queries with ${NUM_FEATURES} features, ${megabytes(statSync(text).size)}\n`,
  table(header, rows),
  'From the text to a data set with 255 bins per feature, from which trees can be grown (`lightgbm.Dataset(path).construct()`), and the',
  'text alone: a matrix of all values in Gradus and XGBoost, and in LightGBM what remains when it is told to take a sample of one row,',
  'which leaves it no features to keep. LightGBM reads a copy without query ids. "Gradus takes" is Gradus\' time over the row\'s.',
  `\n${circumstances([`Node ${process.versions.node}`, ...versions()])} \`node benchmarks/ltr-loading.bench.mjs\`, ${options.rounds} rounds.`,
].join('\n');
say(section);
if (!options['print-only']) writeSection('ltr-loading', section);

/** The same text for LightGBM, with the sizes of queries beside it; tells the name of the file. */
function withoutQueries() {
  const copy = text.replace(/\.txt$/, '.without-queries.txt');
  if (existsSync(copy)) return copy;
  const sizes = Array.from({ length: queryOffsets.length - 1 }, (_, q) => queryOffsets[q + 1] - queryOffsets[q]);
  writeFileSync(`${copy}.query`, `${sizes.join('\n')}\n`);
  const bytes = readFileSync(text);
  const out = openSync(`${copy}.part`, 'w');
  for (let from = 0; from < bytes.length; ) {
    const to = bytes.indexOf(10, Math.min(from + (1 << 22), bytes.length - 1)) + 1;
    writeSync(out, bytes.toString('latin1', from, to).replace(/ qid:\S+/g, ''));
    from = to;
  }
  closeSync(out);
  renameSync(`${copy}.part`, copy);
  return copy;
}

/** @param {string[]} command @returns {Outcome} */
function run([program, ...args]) {
  const { stdout, stderr, status, error } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 26 });
  if (status !== 0) throw new Error(`${program} ${args[0]}: ${error?.message ?? stderr}`);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}

/** @param {string} library */
function has(library) {
  return spawnSync(python, ['-c', `import ${library}`]).status === 0;
}

function versions() {
  const code = 'import importlib.metadata as m\nfor p in ("lightgbm", "xgboost"):\n  try: print(p, m.version(p))\n  except Exception: pass';
  return spawnSync(python, ['-c', code], { encoding: 'utf8' }).stdout.trim().split('\n').filter(Boolean);
}

/** @param {string} words */
function say(words) {
  process.stdout.write(`${words}\n`);
}
