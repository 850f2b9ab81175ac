/** Training on sparse data against LightGBM: npm run build && node benchmarks/ltr-sparse.bench.mjs [--rounds 3] [--min-docs 20,5,2]
 *  [--print-only]
 *
 *  PYTHON names an interpreter with the packages of rivals/ltr/requirements.txt. Every training runs in a fresh process with one
 *  thread, from the text to the predictions; start-up counts. */

import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { seededRandom } from '../dist/core/numbers/random.js';
import { parseLetor } from '../dist/formats/index.js';
import { objectiveOf } from '../dist/ltr/objectives/index.js';
import { Rankings } from '../dist/ltr/training/rankings.js';
import { parseMeasure } from '../dist/measures/index.js';
import { complaintIn, measure, measureInRounds, median } from './src/cost.mjs';
import { benchFolder } from './src/ltr-set.mjs';
import { circumstances, megabytes, ratio, seconds, table, writeSection } from './src/report.mjs';

const DOCUMENTS = 4000;
const PER_QUERY = 40;
const FEATURES = 200_000;
/** Features that many documents have; of the others each has a few. */
const COMMON = 20;
const RARE_PER_DOCUMENT = 14;
const TREES = 10;
const LIMIT_SECONDS = 600;
/** By how much the two may differ in nDCG@10 of the data they were trained on; they choose bins and splits of their own. */
const TOLERANCE = 0.02;

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    'min-docs': { type: 'string', default: '20,5,2' },
    'print-only': { type: 'boolean', default: false },
  },
});
const path = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));
const text = sparseText();
const { matrix } = parseLetor(readFileSync(text), { source: text });
const rankings = new Rankings(objectiveOf(parseMeasure("nDCG(gain='exp')@10")), matrix.labels, matrix.queryOffsets);
const predictions = join(benchFolder(), 'sparse.predictions');

/** @type {string[][]} */
const rows = [];
for (const minDocs of options['min-docs'].split(',')) {
  const words = [text, minDocs, String(TREES), predictions];
  const contenders = [
    { name: 'Gradus', command: [process.execPath, path('src/sparse-train.mjs'), ...words] },
    { name: 'LightGBM', command: [process.env.PYTHON ?? 'python3', path('rivals/ltr/sparse.py'), ...words] },
  ];
  /** @type {Map<string, number>} */
  const values = new Map();
  const costs = measureInRounds(
    contenders,
    ({ name, command }) => {
      const cost = measure(command, { limitSeconds: LIMIT_SECONDS });
      if (cost.status !== 0) throw new Error(`${name}: ${complaintIn(cost.words)}`);
      values.set(name, rankings.mean(Float64Array.from(readFileSync(predictions, 'utf8').trim().split('\n'), Number)));
      return cost;
    },
    { rounds: Number(options.rounds), slowSeconds: 60 },
  );
  const middle = contenders.map((contender) => {
    const all = costs.get(contender) ?? [];
    return { cpu: median(all.map(({ cpu }) => cpu)), peak: median(all.map(({ peakBytes }) => peakBytes)) };
  });
  contenders.forEach(({ name }, c) => {
    const { cpu, peak } = middle[c];
    const value = values.get(name) ?? Number.NaN;
    rows.push([
      `${name}, at least ${minDocs} documents in a leaf`,
      seconds(cpu),
      ratio(cpu / middle[1].cpu),
      megabytes(peak),
      ratio(peak / middle[1].peak),
      value.toFixed(4),
    ]);
  });
  const difference = Math.abs((values.get('Gradus') ?? Number.NaN) - (values.get('LightGBM') ?? Number.NaN));
  if (!(difference <= TOLERANCE)) throw new Error(`nDCG@10 differs by ${difference} with at least ${minDocs} documents in a leaf`);
}
const header = ['', 'processor', '÷ LightGBM', 'peak memory', '÷ LightGBM ', 'nDCG@10 in training'];
const section = [
  `## Sparse data: ${DOCUMENTS.toLocaleString('en')} documents, ${FEATURES.toLocaleString('en')} features, ${matrix.features?.numGiven.toLocaleString('en')} values\n`,
  table(header, rows),
  `${TREES} trees of 31 leaves, one thread, from the text to the predictions, start-up of the interpreters included. Features that fewer`,
  'documents have than a leaf must hold cannot split, and are left out by both.',
  `\n${circumstances([`Node ${process.versions.node}`])} \`node benchmarks/ltr-sparse.bench.mjs\`, ${options.rounds} rounds.`,
].join('\n');
process.stdout.write(`${section}\n`);
if (!options['print-only']) writeSection('ltr-sparse', `${section}\n`);

/** The data as text, made if it is not there; tells the name of the file. */
function sparseText() {
  const file = join(benchFolder(), 'sparse.txt');
  if (existsSync(file)) return file;
  const random = seededRandom(200_000);
  const lines = Array.from({ length: DOCUMENTS }, (_, d) => {
    const label = Math.max(0, random.below(5) - 2);
    /** @type {Map<number, number>} */
    const cells = new Map();
    for (let f = 1; f <= COMMON; f++) if (random.float() < 0.3 + 0.1 * label) cells.set(f, random.float() * (1 + label * (f % 3)));
    for (let i = 0; i < RARE_PER_DOCUMENT; i++) cells.set(COMMON + 1 + random.below(FEATURES - COMMON), random.float());
    if (d === 0) cells.set(FEATURES, 1);
    const written = [...cells].sort(([a], [b]) => a - b).map(([f, value]) => `${f}:${value.toFixed(4)}`);
    return `${label} qid:${1 + Math.floor(d / PER_QUERY)} ${written.join(' ')}\n`;
  });
  writeFileSync(`${file}.part`, lines.join(''));
  renameSync(`${file}.part`, file);
  return file;
}
