// Scoring with ensembles of trees against LightGBM: npm run build && node benchmarks/ltr-scoring.bench.mjs [--rounds 5]
//
// 58,706 documents × 136 features of a seeded generator in memory, ensembles of 50 and 500 trees with 31 leaves each. The trees are
// grown on the documents' own values (the largest leaf is divided at a random value of a random feature) and written as a LightGBM
// file, so both sides score the same model; the scores must be equal in every bit. PYTHON names an interpreter with lightgbm.
// Gradus and LightGBM take turns; medians of the processor time count, because it says more than the clock on a busy machine.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { IdTable } from '../dist/core/ids.js';
import { seededRandom } from '../dist/core/numbers/random.js';
import { modelToLightGbm } from '../dist/ltr/models/lightgbm.js';
import { TreeBuilder } from '../dist/ltr/models/tree-builder.js';
import { scoreMatrix } from '../dist/ltr/scoring/score.js';
import { scoreTrees } from '../dist/ltr/scoring/trees.js';
import { circumstances, table, writeSection } from './src/report.mjs';

const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '5' }, 'print-only': { type: 'boolean' } } });
const rounds = Number(options.rounds);
const python = process.env.PYTHON ?? 'python3';
const ROWS = 58_706;
const COLUMNS = 136;
const LEAVES = 31;

const random = seededRandom(20240808);
const values = generate();
/** @type {import('../dist/core/feature-matrix.js').FeatureMatrix} */
const matrix = {
  numRows: ROWS,
  numRecords: ROWS,
  queryOffsets: Uint32Array.of(0, ROWS),
  queries: IdTable.of(['1']),
  queryOf: Uint32Array.of(0),
  labels: new Float64Array(ROWS),
  lines: new Uint32Array(ROWS),
  records: undefined,
  comments: undefined,
  features: { layout: 'dense', numFeatures: COLUMNS, firstFeature: 1, numGiven: values.length, values },
};
const folder = mkdtempSync(join(tmpdir(), 'gradus-bench-'));
let complaints = 0;
let version = '';
try {
  const dataFile = join(folder, 'data.bin');
  writeFileSync(dataFile, Buffer.from(values.buffer));
  const rows = [];
  for (const numTrees of [50, 500]) {
    const model = ensemble(numTrees);
    const modelFile = join(folder, `model-${numTrees}.txt`);
    writeFileSync(modelFile, modelToLightGbm(model).content);
    /** @type {Record<'gradus' | 'typescript' | 'one', number[]>} */
    const times = { gradus: [], typescript: [], one: [] };
    let ours = scoreMatrix(model, matrix); // compiled before it is timed
    for (let round = 0; round < rounds; round++) {
      times.gradus.push(seconds(() => (ours = scoreMatrix(model, matrix))));
      times.one.push(lightgbm(modelFile, dataFile, 1));
    }
    const theirs = new Float64Array(readFileSync(join(folder, 'scores.bin')).buffer.slice(0));
    if (theirs.length !== ROWS || !ours.every((score, row) => score === theirs[row])) complaints++;
    const inTypeScript = new Float64Array(ROWS);
    times.typescript.push(
      seconds(() => {
        for (let start = 0; start < ROWS; start += 120) {
          const end = Math.min(ROWS, start + 120);
          scoreTrees(
            model.scorer,
            values.subarray(start * COLUMNS, end * COLUMNS),
            end - start,
            COLUMNS,
            inTypeScript.subarray(start, end),
          );
        }
      }),
    );
    if (!ours.every((score, row) => score === inTypeScript[row])) complaints++;
    const own = median(times.gradus);
    const cells = (/** @type {string} */ name, /** @type {number} */ seconds) => [
      `${numTrees} trees, ${name}`,
      (seconds * 1000).toFixed(0),
      (ROWS / seconds / 1e6).toFixed(2),
      (seconds / own).toFixed(2),
    ];
    rows.push(cells('Gradus', own), cells('LightGBM, one thread', median(times.one)));
    rows.push(cells('Gradus without WebAssembly', median(times.typescript)));
  }
  const text = [
    '## Scoring with ensembles of trees',
    '',
    '`node benchmarks/ltr-scoring.bench.mjs`: 58,706 documents × 136 features in memory, trees of 31 leaves; the scores of all are equal in every bit. Milliseconds of processor time, one thread each.',
    '',
    table(['', 'ms', 'million documents/s', 'time / Gradus'], rows),
    '',
    circumstances([`Node ${process.versions.node}`, `LightGBM ${version}`, `${rounds} rounds`]),
  ].join('\n');
  process.stdout.write(`${text}\n${complaints > 0 ? 'DIFFERS: the scores are not equal\n' : ''}`);
  if (complaints === 0 && !options['print-only']) writeSection('ltr-scoring', text);
} finally {
  rmSync(folder, { recursive: true });
}
process.exitCode = complaints > 0 ? 1 : 0;

/** A quarter of the columns each: normal, skewed, whole numbers, mostly zero. */
function generate() {
  const cells = new Float64Array(ROWS * COLUMNS);
  for (let i = 0; i < cells.length; i++) {
    const kind = (i % COLUMNS) % 4;
    if (kind === 0) cells[i] = random.normal();
    else if (kind === 1) cells[i] = -100 * Math.log(1 - random.float());
    else if (kind === 2) cells[i] = random.below(30);
    else cells[i] = random.below(5) < 3 ? 0 : random.float();
  }
  return cells;
}

/** @typedef {{ rows: number[], feature: number, threshold: number, left: number, right: number, value: number }} Node */

/** Trees whose largest leaves were divided at random.
 *  @param {number} numTrees @returns {import('../dist/ltr/ranker.js').Model & { scorer: import('../dist/ltr/ranker.js').TreeScorer }} */
function ensemble(numTrees) {
  /** @type {(rows: number[]) => Node} */
  const leafOf = (rows) => ({ rows, feature: -1, threshold: 0, left: 0, right: 0, value: 0 });
  const builder = new TreeBuilder();
  for (let tree = 0; tree < numTrees; tree++) {
    const nodes = [leafOf(Array.from({ length: 2000 }, () => random.below(ROWS)))];
    for (let leaves = 1; leaves < LEAVES; leaves++) {
      const node = nodes.filter((candidate) => candidate.feature < 0).sort((a, b) => b.rows.length - a.rows.length)[
        random.below(3) % leaves
      ];
      node.feature = random.below(COLUMNS);
      const cellOf = (/** @type {number} */ row) => values[row * COLUMNS + node.feature];
      node.threshold = cellOf(node.rows[random.below(node.rows.length)]);
      const [low, high] = [
        node.rows.filter((row) => cellOf(row) <= node.threshold),
        node.rows.filter((row) => cellOf(row) > node.threshold),
      ];
      node.left = nodes.push(leafOf(low)) - 1;
      node.right = nodes.push(leafOf(high.length > 0 ? high : low.slice(0, 1))) - 1;
    }
    for (const node of nodes) node.value = 0.1 * random.normal();
    builder.add(0, 1, (n) => {
      const { feature, threshold, left, right, value } = nodes[n];
      return feature < 0 ? { value } : { feature, threshold, left, right, missingLeft: false };
    });
  }
  return { learner: 'lambdamart', firstFeature: 1, numFeatures: COLUMNS, missing: Number.NaN, scorer: builder.finish() };
}

/** Processor seconds of LightGBM.
 *  @param {string} modelFile @param {string} dataFile @param {number} threads */
function lightgbm(modelFile, dataFile, threads) {
  const script = fileURLToPath(new URL('rivals/ltr/score_lightgbm.py', import.meta.url));
  const command = [script, modelFile, dataFile, String(COLUMNS), join(folder, 'scores.bin'), String(threads), '1'];
  const { stdout, stderr, status } = spawnSync(python, command, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${python} ${script}: ${stderr}`);
  const told = JSON.parse(stdout);
  version = told.version;
  return told.seconds[0];
}

/** @param {() => void} work */
function seconds(work) {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

/** @param {number[]} times */
function median(times) {
  return times.toSorted((a, b) => a - b)[times.length >> 1];
}
