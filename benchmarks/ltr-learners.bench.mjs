/** Every learner against the same learner of RankLib, and LambdaMART against LightGBM too, over five folds:
 *  npm run build && node benchmarks/ltr-learners.bench.mjs DATA
 *
 *  DATA holds mq2008/S1 … S5.txt and ohsumed/Fold1 … Fold5.test.txt (or the same with .xz). RANKLIB_JAR is a class path with RankLib
 *  2.10.1 and commons-math3, PYTHON an interpreter with the packages of rivals/ltr/requirements.txt. RankLib takes minutes per learner, so
 *  that --rivals FILE keeps its results, one JSON object per line, and runs only what is missing there. --only LEARNER,… --sets SET,…
 *  restrict what runs; --print-only leaves the page alone.
 *
 *  Every training is a fresh process, from the text files to the value on the test file. Processor time is compared: on a busy machine
 *  wall time says more about the neighbours. */

import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measure } from './src/cost.mjs';
import { FOLDS, foldTexts } from './src/ltr-folds.mjs';
import { circumstances, table, writeSection } from './src/report.mjs';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rivals: { type: 'string' },
    only: { type: 'string' },
    sets: { type: 'string', default: 'mq2008,ohsumed' },
    'print-only': { type: 'boolean', default: false },
  },
});
const [dataFolder] = positionals;
if (dataFolder === undefined) throw new Error('name the folder with mq2008 and ohsumed');
const { RANKLIB_JAR: rankLib, PYTHON: python = 'python3' } = process.env;
const LIMIT_SECONDS = 3600;
const path = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));

/** @typedef {{ ndcg: number, cpu: number }} Result */
/** @typedef {Result & { set: string, fold: number, ranker: number, norm: string, seconds: number }} RivalResult */
/** @typedef {{ name: string, title?: string, options?: Record<string, number | string>, ranker?: number, norm?: Record<string, string>, lightgbm?: boolean }} Entry */

/** LightGBM's defaults, which are Gradus' too. */
const likeLightGbm = { trees: 100, leaves: 31, rate: 0.1, minDocs: 20, bins: 255, truncation: 30, patience: 100 };
/** RankLib's number of each learner, and how its features are normalised: OHSUMED's are raw, which its nets cannot use.
 *  @type {Entry[]} */
const learners = [
  { name: 'adarank', ranker: 3 },
  { name: 'rankboost', ranker: 2 },
  { name: 'coordinate-ascent', ranker: 4 },
  { name: 'ranknet', ranker: 1, norm: { ohsumed: 'zscore' } },
  { name: 'lambdarank', ranker: 5, norm: { mq2008: 'zscore', ohsumed: 'zscore' } },
  { name: 'listnet', ranker: 7, norm: { ohsumed: 'zscore' } },
  { name: 'linear-regression', ranker: 9 },
  { name: 'ranksvm' },
  { name: 'softrank' },
  { name: 'lambdamart', title: 'lambdamart, 10 leaves', options: { trees: 1000, leaves: 10, minDocs: 1, splitBy: 'documents' }, ranker: 6 },
  { name: 'lambdamart', title: 'lambdamart, 31 leaves', options: likeLightGbm, lightgbm: true },
  { name: 'mart', title: 'mart, 10 leaves', options: { trees: 1000, leaves: 10 }, ranker: 0 },
  { name: 'random-forest', ranker: 8 },
];
const hasLightGbm = spawnSync(python, ['-c', 'import lightgbm']).status === 0;
let lightGbmVersion = '';

const folder = mkdtempSync(join(tmpdir(), 'gradus-bench-'));
const known = flags.rivals !== undefined && existsSync(flags.rivals) ? readRivals(flags.rivals) : [];
try {
  const rows = [];
  for (const set of flags.sets.split(',')) {
    const folds = FOLDS.map((k) => foldFiles(set, k));
    for (const entry of learners) {
      const { name, title = name, options = {} } = entry;
      if (flags.only !== undefined && !flags.only.split(',').includes(name)) continue;
      const own = folds.map((files) => {
        const command = [process.execPath, path('./src/train-once.mjs'), name, ...files, JSON.stringify(options)];
        const cost = measure(command, { limitSeconds: LIMIT_SECONDS });
        if (cost.status !== 0) throw new Error(`${name} on ${set} ended with status ${cost.status}: ${cost.words}`);
        return { ndcg: Number(cost.output), cpu: cost.cpu };
      });
      const { rival, results } = rivalOf(entry, set, folds);
      const complete = results.length === FOLDS.length;
      const row = [
        `${set}, ${title}`,
        mean(own, 'ndcg').toFixed(4),
        complete ? rival : '',
        complete ? mean(results, 'ndcg').toFixed(4) : '',
        complete ? signed(mean(own, 'ndcg') - mean(results, 'ndcg')) : '',
        mean(own, 'cpu').toFixed(2),
        complete ? mean(results, 'cpu').toFixed(1) : '',
        complete ? (mean(results, 'cpu') / mean(own, 'cpu')).toFixed(1) : '',
      ];
      process.stderr.write(`${row.join('  ')}\n`);
      rows.push(row);
    }
  }
  const header = ['data, learner', 'nDCG@10', 'rival', 'its nDCG@10', 'difference', 'cpu s', 'its cpu s', 'times Gradus'];
  const text = [
    '## Learning to rank: every learner on five folds of MQ2008 and OHSUMED\n',
    table(header, rows),
    'Means over five folds of nDCG@10 on the test part (gains 2^label - 1, discounts log2(rank + 1), 0 for queries without relevant',
    'documents), and of the processor seconds of one training, from the text files to the value; of LightGBM without reading the files.',
    'All are trained for nDCG@10 with the validation part, with the defaults of each tool but for boosted trees: against RankLib they have',
    'its 1000 trees of 10 leaves, LambdaMART also its leaves of one document and its way of judging splits (`splitBy=documents`); with',
    'LightGBM all options are the same. RankLib normalises OHSUMED for its nets, and MQ2008 for LambdaRank (`-norm zscore`); Gradus',
    'standardises features by itself. RankLib has no RankSVM and no SoftRank, and draws random numbers without a seed, which moves its nets',
    'by about 0.01 from run to run. The trees of both move as much on OHSUMED when five candidate thresholds more or fewer are allowed. The',
    'defaults of coordinate ascent, RankBoost and the nets were chosen on validation parts (`benchmarks/ltr-defaults.mjs`).',
    `\n${circumstances([`Node ${process.versions.node}`, 'RankLib 2.10.1', ...(lightGbmVersion === '' ? [] : [`LightGBM ${lightGbmVersion}`])])} \`node benchmarks/ltr-learners.bench.mjs\`.`,
  ].join('\n');
  process.stdout.write(`${text}\n`);
  if (!flags['print-only']) writeSection('ltr-learners', text);
} finally {
  rmSync(folder, { recursive: true });
}

/** The three files of a fold.
 *  @param {string} set @param {number} k */
function foldFiles(set, k) {
  const own = join(folder, set, String(k));
  mkdirSync(own, { recursive: true });
  const { train, validation, test } = foldTexts(dataFolder, set, k);
  return Object.entries({ train: train.join(''), validation, test }).map(([role, text]) => {
    const file = join(own, `${role}.txt`);
    writeFileSync(file, text);
    return file;
  });
}

/** @param {Entry} entry @param {string} set @param {string[][]} folds @returns {{ rival: string, results: Result[] }} */
function rivalOf({ ranker, norm, lightgbm, options }, set, folds) {
  if (lightgbm === true) return { rival: 'LightGBM', results: hasLightGbm ? folds.map((files) => withLightGbm(files, options)) : [] };
  if (ranker === undefined) return { rival: '', results: [] };
  return { rival: 'RankLib', results: folds.flatMap((files, i) => withRankLib(set, FOLDS[i], ranker, norm?.[set] ?? 'none', files)) };
}

/** @param {string[]} files @param {Entry['options']} options @returns {Result} */
function withLightGbm(files, options) {
  const cost = measure([python, path('./rivals/ltr/lambdamart_fold.py'), ...files, JSON.stringify(options)], {
    limitSeconds: LIMIT_SECONDS,
  });
  if (cost.status !== 0) throw new Error(`LightGBM ended with status ${cost.status}: ${cost.words}`);
  const { ndcg, cpu, version } = JSON.parse(cost.output);
  lightGbmVersion = version;
  return { ndcg, cpu };
}

/** What RankLib made of a fold: from the file of results, or by running it; nothing if neither is possible.
 *  @param {string} set @param {number} fold @param {number} ranker @param {string} norm @param {string[]} files @returns {RivalResult[]} */
function withRankLib(set, fold, ranker, norm, [train, validation, test]) {
  const found = known.find((r) => r.set === set && r.fold === fold && r.ranker === ranker && r.norm === norm);
  if (found !== undefined) return [found];
  if (rankLib === undefined) return [];
  const command = ['java', '-cp', rankLib, 'ciir.umass.edu.eval.Evaluator', '-train', train, '-validate', validation, '-test', test];
  command.push('-ranker', String(ranker), '-metric2t', 'NDCG@10', ...(norm === 'none' ? [] : ['-norm', norm]));
  const cost = measure(command, { limitSeconds: LIMIT_SECONDS });
  const value = /on test data: ([\d.]+)/.exec(cost.output + cost.words)?.[1];
  if (value === undefined) throw new Error(`RankLib's ranker ${ranker} printed no value for fold ${fold} of ${set}`);
  const result = { set, fold, ranker, norm, seconds: cost.wall, cpu: cost.cpu, ndcg: Number(value) };
  if (flags.rivals !== undefined) appendFileSync(flags.rivals, `${JSON.stringify(result)}\n`);
  return [result];
}

/** @param {string} path @returns {RivalResult[]} */
function readRivals(path) {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** @param {readonly Result[]} results @param {keyof Result} key */
function mean(results, key) {
  return results.reduce((sum, result) => sum + result[key], 0) / results.length;
}

/** @param {number} difference */
function signed(difference) {
  return `${difference < 0 ? '' : '+'}${difference.toFixed(4)}`;
}
