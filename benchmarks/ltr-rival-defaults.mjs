/** LambdaMART with no options at all against the defaults of LightGBM, XGBoost and CatBoost:
 *  npm run build && PYTHON=python3 node benchmarks/ltr-rival-defaults.mjs DATA [--sets mq2008,ohsumed,g5k,g30k]
 *
 *  DATA is as for ltr-learners.bench.mjs. Everybody trains on the training parts, without validation data and without options (seeds are
 *  those of the tools), and is judged by nDCG@10 (exponential gain, equal scores in the order of the file) on the test parts, which nothing
 *  was chosen by: the defaults of Gradus come from inner folds and other generated sets (ltr-defaults.mjs). Generated sets are made here,
 *  seeded: lists of 100 documents, 60 features of which ten say something, some of it jointly, labels 0 to 4.
 *  Differences are paired over queries with Student's interval; the mean over sets weighs sets alike. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { seededRandom } from '../dist/core/numbers/random.js';
import { parseLetor } from '../dist/formats/index.js';
import { evaluateScores, loadLearner, scoreMatrix, trainRanker } from '../dist/ltr/index.js';
import { parseMeasure } from '../dist/measures/index.js';
import { FOLDS, foldTexts } from './src/ltr-folds.mjs';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { sets: { type: 'string', default: 'mq2008,ohsumed,g5k,g30k' } },
});
const [dataFolder] = positionals;
if (dataFolder === undefined) throw new Error('name the folder with mq2008 and ohsumed');
const rival = fileURLToPath(new URL('./rivals/ltr/defaults.py', import.meta.url));
const measure = parseMeasure("nDCG(gain='exp')@10");
const rivals = ['lightgbm', 'xgboost', 'catboost'];
const folder = mkdtempSync(join(tmpdir(), 'gradus-defaults-'));

/** Documents of a seeded set, in lists of 100.
 *  @param {number} seed @param {number} queries */
function generated(seed, queries) {
  const random = seededRandom(seed);
  const lines = [];
  for (let q = 1; q <= queries; q++) {
    const taste = 0.5 + random.float();
    for (let d = 0; d < 100; d++) {
      const x = Array.from({ length: 60 }, () => random.normal());
      const merit =
        taste * (x[0] + 0.8 * x[1] + Math.max(x[2], x[3]) + (x[4] > 0 ? x[5] : -x[6])) +
        0.5 * x[7] * x[8] +
        Math.abs(x[9]) +
        1.5 * random.normal();
      const label = merit > 5.5 ? 4 : merit > 4 ? 3 : merit > 2.8 ? 2 : merit > 1.2 ? 1 : 0;
      lines.push(`${label} qid:${q} ${x.map((value, c) => `${c + 1}:${value.toFixed(4)}`).join(' ')}\n`);
    }
  }
  return lines.join('');
}

/** @param {string} set */
function foldsOf(set) {
  if (set === 'g5k') return [{ train: generated(11, 50), test: generated(12, 200) }];
  if (set === 'g30k') return [{ train: generated(21, 300), test: generated(22, 200) }];
  return FOLDS.map((k) => {
    const { train, test } = foldTexts(dataFolder, set, k);
    return { train: train.join(''), test };
  });
}

/** @param {number[]} values */
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
/** @param {number[]} values */
const errorOf = (values) =>
  Math.sqrt(values.reduce((sum, value) => sum + (value - mean(values)) ** 2, 0) / (values.length - 1) / values.length);

const learner = await loadLearner('lambdamart');
/** Differences of each rival from Gradus, by set. @type {Record<string, { difference: number, error: number }[]>} */
const differences = Object.fromEntries(rivals.map((name) => [name, []]));
/** @type {Record<string, number[]>} */
const means = Object.fromEntries(['gradus', ...rivals].map((name) => [name, []]));
try {
  process.stdout.write(`set  queries  gradus  ${rivals.map((name) => `${name}  gradus - ${name} [95% interval]`).join('  ')}\n`);
  for (const set of flags.sets.split(',')) {
    /** @type {Record<string, number[]>} */
    const values = Object.fromEntries(['gradus', ...rivals].map((name) => [name, []]));
    for (const [f, { train, test }] of foldsOf(set).entries()) {
      const [trainFile, testFile] = ['train', 'test'].map((part) => join(folder, `${set}-${f}-${part}.txt`));
      writeFileSync(trainFile, train);
      writeFileSync(testFile, test);
      const judged = parseLetor(test, { comments: false }).matrix;
      const value = (/** @type {Float64Array} */ scores) => evaluateScores(scores, judged, [measure], { ties: 'file' }).column(0);
      const model = await trainRanker({ learner, train: parseLetor(train, { comments: false }).matrix, objective: measure });
      values.gradus.push(...value(scoreMatrix(model, judged)));
      for (const name of rivals) {
        const out = join(folder, 'scores.txt');
        const { status, stderr } = spawnSync(process.env.PYTHON ?? 'python3', [rival, name, trainFile, testFile, out], {
          encoding: 'utf8',
        });
        if (status !== 0) throw new Error(`${name} ended with status ${status}: ${stderr}`);
        // evaluation has the rows of each query together, as the file has
        values[name].push(...value(Float64Array.from(readFileSync(out, 'utf8').trim().split('\n'), Number)));
      }
    }
    const columns = rivals.map((name) => {
      const apart = values.gradus.map((own, q) => own - values[name][q]);
      const [difference, error] = [mean(apart), errorOf(apart)];
      differences[name].push({ difference, error });
      return `${mean(values[name]).toFixed(4)}  ${intervalText(difference, error)}`;
    });
    for (const [name, own] of Object.entries(values)) means[name].push(mean(own));
    process.stdout.write(`${set}  ${values.gradus.length}  ${mean(values.gradus).toFixed(4)}  ${columns.join('  ')}\n`);
  }
  const columns = rivals.map((name) => {
    const all = differences[name];
    const error = Math.sqrt(all.reduce((sum, { error: own }) => sum + own * own, 0)) / all.length;
    return `${mean(means[name]).toFixed(4)}  ${intervalText(mean(all.map(({ difference }) => difference)), error)}`;
  });
  process.stdout.write(`mean of sets    ${mean(means.gradus).toFixed(4)}  ${columns.join('  ')}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @param {number} difference @param {number} error */
function intervalText(difference, error) {
  return `${difference.toFixed(4)} [${(difference - 1.97 * error).toFixed(4)}, ${(difference + 1.97 * error).toFixed(4)}]`;
}
