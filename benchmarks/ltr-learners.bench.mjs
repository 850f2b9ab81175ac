/** The learners that are not trees against RankLib's, over five folds: npm run build && node benchmarks/ltr-learners.bench.mjs DATA
 *
 *  DATA holds mq2008/S1 … S5.txt and ohsumed/Fold1 … Fold5.test.txt (or the same with .xz). RANKLIB_JAR is a class path with RankLib
 *  2.10.1 and commons-math3. RankLib takes minutes per learner, so that --rivals FILE keeps its results, one JSON object per line,
 *  and runs only what is missing there. --only LEARNER,… --sets SET,… restrict what runs; --print-only leaves the page alone.
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
const { RANKLIB_JAR: rankLib } = process.env;
const LIMIT_SECONDS = 3600;
const trainOnce = fileURLToPath(new URL('./src/train-once.mjs', import.meta.url));

/** @typedef {{ set: string, fold: number, ranker: number, norm: string, seconds: number, cpu: number, ndcg: number }} RivalResult */

/** Which part trains, validates and tests in fold k, parts counted from 1.
 *  @type {Record<string, { file: (part: number) => string, train: (k: number) => number[], validation: (k: number) => number, test: (k: number) => number }>} */
const sets = {
  mq2008: {
    file: (part) => `mq2008/S${part}.txt`,
    train: (k) => [k, k + 1, k + 2],
    validation: (k) => k + 3,
    test: (k) => k + 4,
  },
  ohsumed: {
    file: (part) => `ohsumed/Fold${part}.test.txt`,
    train: (k) => [k + 1, k + 2, k + 3],
    validation: (k) => k - 1,
    test: (k) => k,
  },
};
/** RankLib's number of each learner, and how its features are normalised: OHSUMED's are raw, which its nets cannot use.
 *  @type {{ name: string, ranker?: number, norm?: Record<string, string> }[]} */
const learners = [
  { name: 'adarank', ranker: 3 },
  { name: 'rankboost', ranker: 2 },
  { name: 'coordinate-ascent', ranker: 4 },
  { name: 'ranknet', ranker: 1, norm: { ohsumed: 'zscore' } },
  { name: 'lambdarank', ranker: 5, norm: { ohsumed: 'zscore' } },
  { name: 'listnet', ranker: 7, norm: { ohsumed: 'zscore' } },
  { name: 'linear-regression', ranker: 9 },
  { name: 'ranksvm' },
  { name: 'softrank' },
];
const FOLDS = [1, 2, 3, 4, 5];

const folder = mkdtempSync(join(tmpdir(), 'gradus-bench-'));
const known = flags.rivals !== undefined && existsSync(flags.rivals) ? readRivals(flags.rivals) : [];
try {
  const rows = [];
  for (const set of flags.sets.split(',')) {
    const folds = FOLDS.map((k) => foldFiles(set, k));
    for (const { name, ranker, norm } of learners) {
      if (flags.only !== undefined && !flags.only.split(',').includes(name)) continue;
      const own = folds.map((files) => {
        const cost = measure([process.execPath, trainOnce, name, ...files], { limitSeconds: LIMIT_SECONDS });
        if (cost.status !== 0) throw new Error(`${name} on ${set} ended with status ${cost.status}: ${cost.words}`);
        return { ndcg: Number(cost.output), cpu: cost.cpu };
      });
      const theirs = ranker === undefined ? [] : FOLDS.flatMap((k) => rival(set, k, ranker, norm?.[set] ?? 'none', folds[k - 1]));
      const complete = theirs.length === FOLDS.length;
      const row = [
        `${set}, ${name}`,
        mean(own, 'ndcg').toFixed(4),
        complete ? mean(theirs, 'ndcg').toFixed(4) : '',
        complete ? signed(mean(own, 'ndcg') - mean(theirs, 'ndcg')) : '',
        mean(own, 'cpu').toFixed(2),
        complete ? mean(theirs, 'cpu').toFixed(1) : '',
        complete ? (mean(theirs, 'cpu') / mean(own, 'cpu')).toFixed(1) : '',
      ];
      process.stderr.write(`${row.join('  ')}\n`);
      rows.push(row);
    }
  }
  const header = ['data, learner', 'nDCG@10', 'RankLib', 'difference', 'cpu s', 'RankLib cpu s', 'times Gradus'];
  const text = [
    '## Learning to rank without trees: five folds of MQ2008 and OHSUMED\n',
    table(header, rows),
    'Means over five folds of nDCG@10 on the test part (gains 2^label - 1, discounts log2(rank + 1), 0 for queries without relevant',
    'documents), and of the processor seconds of one training, from the text files to the value. Defaults of both, trained for nDCG@10',
    'with the validation part; RankLib normalises OHSUMED for its nets (`-norm zscore`), Gradus standardises features by itself. RankLib',
    'has no RankSVM and no SoftRank, and draws random numbers without a seed, which moves its nets by about 0.01 from run to run.',
    `\n${circumstances([`Node ${process.versions.node}`, 'RankLib 2.10.1'])} \`node benchmarks/ltr-learners.bench.mjs\`.`,
  ].join('\n');
  process.stdout.write(`${text}\n`);
  if (!flags['print-only']) writeSection('ltr-learners', text);
} finally {
  rmSync(folder, { recursive: true });
}

/** The three files of a fold.
 *  @param {string} set @param {number} k */
function foldFiles(set, k) {
  const { file, train, validation, test } = sets[set];
  const own = join(folder, set, String(k));
  mkdirSync(own, { recursive: true });
  const write = (/** @type {string} */ role, /** @type {number[]} */ parts) => {
    const path = join(own, `${role}.txt`);
    writeFileSync(path, parts.map((part) => partText(file(((part + 4) % 5) + 1))).join(''));
    return path;
  };
  return [write('train', train(k)), write('validation', [validation(k)]), write('test', [test(k)])];
}

/** @param {string} name */
function partText(name) {
  const path = join(dataFolder, name);
  const text = existsSync(path)
    ? readFileSync(path, 'utf8')
    : spawnSync('xz', ['-dc', `${path}.xz`], { encoding: 'utf8', maxBuffer: 1 << 28 }).stdout;
  if (!text) throw new Error(`there is neither ${path} nor ${path}.xz`);
  return `${text.replaceAll('\r', '').trimEnd()}\n`;
}

/** What RankLib made of a fold: from the file of results, or by running it; nothing if neither is possible.
 *  @param {string} set @param {number} fold @param {number} ranker @param {string} norm @param {string[]} files @returns {RivalResult[]} */
function rival(set, fold, ranker, norm, [train, validation, test]) {
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

/** @template {'ndcg' | 'cpu'} K @param {readonly Record<K, number>[]} results @param {K} key */
function mean(results, key) {
  return results.reduce((sum, result) => sum + result[key], 0) / results.length;
}

/** @param {number} difference */
function signed(difference) {
  return `${difference < 0 ? '' : '+'}${difference.toFixed(4)}`;
}
