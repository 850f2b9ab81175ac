/** LambdaMART against LightGBM and XGBoost: npm run build && node benchmarks/ltr-trees.bench.mjs [--trees 100] [--leaves 31] [--threads 1,2]
 *  [--rounds 3] [--print-only] [--text]
 *
 *  PYTHON names an interpreter with the packages of rivals/ltr/requirements.txt. Every training runs in a fresh process on the same seeded
 *  arrays (see src/ltr-set.mjs), the contenders in turn; binning counts, reading the arrays does not. The median of the rounds counts.
 *  Processor time is given too, because it says more on a busy machine. --text also writes the sets as LETOR text, for other programs. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median } from './src/cost.mjs';
import { benchFolder, filesOf, loadSet, NUM_FEATURES, testSet, textOf, trainSet } from './src/ltr-set.mjs';
import { circumstances, megabytes, ratio, seconds, table, writeSection } from './src/report.mjs';

const { values: options } = parseArgs({
  options: {
    trees: { type: 'string', default: '100' },
    leaves: { type: 'string', default: '31' },
    threads: { type: 'string', default: '1,2' },
    rounds: { type: 'string', default: '3' },
    'print-only': { type: 'boolean', default: false },
    text: { type: 'boolean', default: false },
  },
});
const { trees, leaves } = options;
const python = process.env.PYTHON ?? 'python3';
const folder = mkdtempSync(join(tmpdir(), 'gradus-bench-'));
const predictions = join(folder, 'predictions.f64');
const path = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));
const OBJECTIVE = "nDCG(gain='exp')";

/** @typedef {{ seconds: number, cpuSeconds: number, peakBytes: number, ndcg: number }} Outcome */

const rival = (/** @type {string} */ library) => (/** @type {string} */ threads) => [
  python,
  path('rivals/ltr/trees.py'),
  library,
  benchFolder(),
  threads,
  trees,
  leaves,
  predictions,
];
/** @type {{ name: string, command: (threads: string) => string[] }[]} */
const contenders = [
  {
    name: 'Gradus',
    command: (threads) => [process.execPath, path('src/ltr-train.mjs'), threads, trees, leaves, predictions, OBJECTIVE],
  },
];
for (const [name, library] of [
  ['LightGBM', 'lightgbm'],
  ['XGBoost', 'xgboost'],
]) {
  if (spawnSync(python, ['-c', `import ${library}`]).status === 0) contenders.push({ name, command: rival(library) });
}

filesOf(trainSet);
filesOf(testSet);
if (options.text) for (const spec of [trainSet, testSet]) say(textOf(spec));
const test = loadSet(testSet);

try {
  /** @type {string[][]} */
  const rows = [];
  for (const threads of options.threads.split(',')) {
    const outcomes = new Map(contenders.map(({ name }) => [name, /** @type {Outcome[]} */ ([])]));
    for (let round = 0; round < Number(options.rounds); round++) {
      for (const contender of round % 2 === 0 ? contenders : contenders.toReversed()) {
        const outcome = run(contender.command(threads));
        outcomes.get(contender.name)?.push(outcome);
        say(JSON.stringify({ name: contender.name, threads, ...outcome }));
      }
    }
    const middle = (/** @type {string} */ name, /** @type {keyof Outcome} */ key) => median((outcomes.get(name) ?? []).map((o) => o[key]));
    for (const { name } of contenders) {
      rows.push([
        name,
        threads,
        seconds(middle(name, 'seconds')),
        ratio(middle('Gradus', 'seconds') / middle(name, 'seconds')),
        seconds(middle(name, 'cpuSeconds')),
        ratio(middle('Gradus', 'cpuSeconds') / middle(name, 'cpuSeconds')),
        megabytes(middle(name, 'peakBytes')),
        middle(name, 'ndcg').toFixed(4),
      ]);
    }
  }
  const header = ['', 'threads', 'wall', 'Gradus takes', 'processor', 'Gradus takes ', 'peak memory', 'nDCG@10'];
  const { numRows, queryOffsets } = loadSet(trainSet);
  const text = [
    `## LambdaMART: ${numRows.toLocaleString('en')} documents of ${(queryOffsets.length - 1).toLocaleString('en')} queries with ${NUM_FEATURES} features, ${trees} trees of ${leaves} leaves\n`,
    table(header, rows),
    `A seeded set of the shape of MSLR-WEB30K; the same arrays for all; binning included, reading not. Rate 0.1, 255 bins (XGBoost 256), pairs`,
    `with one document among the first 30; nDCG@10 (gain 2^label - 1) of 500 other queries. "Gradus takes" is Gradus' time over the row's.`,
    `\n${circumstances([`Node ${process.versions.node}`, ...versions()])} \`node benchmarks/ltr-trees.bench.mjs\`, ${options.rounds} rounds.`,
  ].join('\n');
  say(text);
  if (!options['print-only']) writeSection('ltr-trees', text);
} finally {
  rmSync(folder, { recursive: true });
}

/** @param {string[]} command @returns {Outcome} */
function run([program, ...args]) {
  const { stdout, stderr, status, error } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 26 });
  if (status !== 0) throw new Error(`${program} ${args[0]}: ${error?.message ?? stderr}`);
  const { seconds: wall, cpuSeconds, peakBytes } = /** @type {Outcome} */ (JSON.parse(stdout.trim().split('\n').at(-1) ?? ''));
  return { seconds: wall, cpuSeconds, peakBytes, ndcg: meanNdcg() };
}

/** Of the predictions just written, from the definition. */
function meanNdcg() {
  const bytes = readFileSync(predictions);
  const scores = new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  const { labels, queryOffsets } = test;
  let sum = 0;
  for (let q = 0; q + 1 < queryOffsets.length; q++) {
    const docs = Array.from({ length: queryOffsets[q + 1] - queryOffsets[q] }, (_, i) => queryOffsets[q] + i);
    const dcg = (/** @type {number[]} */ order) =>
      order.slice(0, 10).reduce((total, row, rank) => total + (2 ** labels[row] - 1) / Math.log2(rank + 2), 0);
    const ideal = dcg(docs.toSorted((a, b) => labels[b] - labels[a]));
    if (ideal > 0) sum += dcg(docs.toSorted((a, b) => scores[b] - scores[a] || a - b)) / ideal;
  }
  return sum / (queryOffsets.length - 1);
}

function versions() {
  const code = 'import importlib.metadata as m\nfor p in ("lightgbm", "xgboost"):\n  try: print(p, m.version(p))\n  except Exception: pass';
  return spawnSync(python, ['-c', code], { encoding: 'utf8' }).stdout.trim().split('\n').filter(Boolean);
}

/** @param {string} text */
function say(text) {
  process.stdout.write(`${text}\n`);
}
