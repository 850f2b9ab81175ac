/** RankSVM against dlib's and liblinear's: npm run build && node benchmarks/ltr-ranksvm.bench.mjs DATA
 *
 *  DATA holds mq2008/S1 … S5.txt and ohsumed/Fold1 … Fold5.test.txt (or the same with .xz). PYTHON names an interpreter with the packages
 *  of rivals/ltr/ranksvm-requirements.txt. --rounds 3; --limit 60 (seconds per training); --c 1e-4,1e-2,1; --only speed or quality; --sets mq2008,ohsumed,mslr;
 *  --svm-rank FOLDER with svm_rank's scores of the test parts of MQ2008 (Fold1.score.xz …, one number per line); --print-only leaves the page
 *  alone.
 *
 *  Every training is a fresh process on the same arrays. Speed is compared at equal objective: everyone gets the loosest tolerance of its
 *  own at which it comes within 1e-3 of the least objective anyone found, and the objective is worked out here, pair by pair. Quality: c
 *  is chosen by the validation part. Status 2 if someone's objective is off. */

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { parseLetor } from '../dist/formats/index.js';
import { complaintIn, median } from './src/cost.mjs';
import { FOLDS, foldTexts } from './src/ltr-folds.mjs';
import { loadSet, NUM_FEATURES } from './src/ltr-set.mjs';
import { countPairs, linearScores, meanNdcg, objectiveAt, readNumbers, standardised, writeArrays } from './src/ranksvm-arrays.mjs';
import { circumstances, ratio, seconds, table, writeSection } from './src/report.mjs';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '3' },
    limit: { type: 'string', default: '60' },
    c: { type: 'string', default: '1e-4,1e-2,1' },
    only: { type: 'string' },
    sets: { type: 'string', default: 'mq2008,ohsumed,mslr' },
    'svm-rank': { type: 'string' },
    'print-only': { type: 'boolean', default: false },
  },
});
const [data] = positionals;
if (data === undefined) throw new Error('name the folder with mq2008 and ohsumed');
const python = process.env.PYTHON ?? 'python3';
const limit = Number(flags.limit);
const path = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'gradus-bench-'));
const weightsFile = join(folder, 'weights.f64');

/** @typedef {import('./src/ranksvm-arrays.mjs').Arrays} Arrays */
/** @typedef {{ name: string, base: string, columns: number, arrays: Arrays }} Task */
/** @typedef {{ cpu: number, wall: number, weights: Float64Array } | undefined} Outcome undefined if it took too long */
/** @typedef {{ name: string, losses: string[], tolerances: string[], command: (loss: string) => string[] }} Contender */

const rival = (/** @type {string} */ library) => (/** @type {string} */ loss) => [python, path('rivals/ltr/ranksvm.py'), library, loss];
const gradus = /** @type {Contender} */ ({
  name: 'Gradus',
  losses: ['hinge', 'squared-hinge'],
  tolerances: ['1e-2', '3e-3', '1e-3', '3e-4'],
  command: (loss) => [process.execPath, path('src/ranksvm-once.mjs'), loss],
});
/** Cutting planes, as svm_rank. */
const dlib = /** @type {Contender} */ ({
  name: 'dlib',
  losses: ['hinge'],
  tolerances: ['1e-2', '3e-3', '1e-3', '3e-4', '1e-4'],
  command: rival('dlib'),
});
/** @type {Contender[]} */
const rivals = [
  dlib,
  {
    name: 'liblinear',
    losses: ['hinge', 'squared-hinge'],
    tolerances: ['1', '3e-1', '1e-1', '3e-2', '1e-2', '3e-3', '1e-3', '1e-4'],
    command: rival('liblinear'),
  },
];
const EQUAL = 1e-3;
const GRID = ['1e-6', '1e-5', '1e-4', '1e-3', '1e-2', '1e-1', '1', '10', '100', '1e3', '1e4'];
let complaints = 0;

try {
  const parts = [];
  if (flags.only !== 'quality') parts.push(speed());
  if (flags.only !== 'speed') parts.push(quality());
  const text = [
    '## RankSVM: the same problem, the same objective\n',
    ...parts,
    `\n${circumstances([`Node ${process.versions.node}`, ...versions()])} \`node benchmarks/ltr-ranksvm.bench.mjs\`.`,
  ].join('\n');
  process.stdout.write(`${text}\n`);
  if (!flags['print-only']) writeSection('ltr-ranksvm', text);
} finally {
  rmSync(folder, { recursive: true });
}
process.exitCode = complaints > 0 ? 2 : 0;

function speed() {
  const tasks = flags.sets.split(',').map((set) => {
    if (set !== 'mslr') return taskOf(`${set}, fold 1`, foldOf(set, 1, true)[0]);
    const { features: cells, labels, queryOffsets } = loadSet({ name: 'mslr-small', queries: 200, stream: 3 });
    return taskOf('MSLR-shaped', standardised([{ cells, labels, queryOffsets }], NUM_FEATURES)[0]);
  });
  const rows = [];
  for (const task of tasks) {
    for (const loss of gradus.losses) {
      for (const c of flags.c.split(',')) rows.push(...race(task, loss, c));
    }
  }
  const sizes = tasks.map(({ name, arrays }) => {
    const [documents, pairs] = [arrays.labels.length, countPairs(arrays)].map((n) => n.toLocaleString('en'));
    return `${name}: ${documents} documents, ${pairs} pairs`;
  });
  return [
    table(['data, loss, c', '', 'processor', 'Gradus takes', 'wall', 'above the least'], rows),
    `½ |w|² + c · (sum of the loss over pairs), one value of c, standardised features. ${sizes.join('; ')}. dlib is its svm_rank_trainer`,
    '(cutting planes, hinge only); liblinear is scikit-learn’s LinearSVC on the differences of pairs, which take part of its time. Everyone',
    'works with the loosest tolerance at which its objective, summed pair by pair, is within 0.001 of the least one found ("above the least":',
    `by how much it was). Times begin with the arrays in memory; median of ${flags.rounds} rounds, fresh processes, at most ${limit} s each. "Gradus takes"`,
    'is Gradus’ processor time over the row’s.\n',
  ].join('\n');
}

/** @param {Task} task @param {string} loss @param {string} c */
function race(task, loss, c) {
  const least = { value: objectiveOf(train(gradus, task, loss, c, '1e-5', 10 * limit)) };
  /** @param {Outcome} outcome */
  function objectiveOf(outcome) {
    return outcome === undefined ? Number.NaN : objectiveAt(task.arrays, outcome.weights, loss, Number(c));
  }
  const ready = [gradus, ...rivals]
    .filter(({ losses }) => losses.includes(loss))
    .map((contender) => {
      for (const tolerance of contender.tolerances) {
        const outcome = train(contender, task, loss, c, tolerance);
        const objective = objectiveOf(outcome);
        if (outcome === undefined || objective <= (1 + EQUAL) * least.value)
          return { contender, tolerance, objective, outcomes: [outcome] };
      }
      complaints++;
      return { contender, tolerance: '', objective: Number.NaN, outcomes: [undefined] };
    });
  for (const { objective } of ready) if (objective < least.value) least.value = objective;
  for (let round = 1; round < Number(flags.rounds); round++) {
    for (const { contender, tolerance, outcomes } of round % 2 === 0 ? ready : ready.toReversed()) {
      if (outcomes[0] !== undefined) outcomes.push(train(contender, task, loss, c, tolerance));
    }
  }
  const middle = (/** @type {Outcome[]} */ outcomes, /** @type {'cpu' | 'wall'} */ key) =>
    median(outcomes.map((outcome) => outcome?.[key] ?? Number.NaN));
  const own = middle(ready[0].outcomes, 'cpu');
  return ready.map(({ contender, tolerance, objective, outcomes }) => {
    const cpu = middle(outcomes, 'cpu');
    const late = Number.isNaN(cpu);
    const row = [
      `${task.name}, ${loss}, ${c}`,
      contender.name,
      late ? `over ${limit} s` : seconds(cpu),
      late ? `under ${ratio(own / limit)}` : ratio(own / cpu),
      late ? '' : seconds(middle(outcomes, 'wall')),
      late ? '' : (objective / least.value - 1).toExponential(0),
    ];
    process.stderr.write(`${row.join('  ')}  tolerance ${tolerance}\n`);
    return row;
  });
}

function quality() {
  const rows = [];
  for (const set of flags.sets.split(',').filter((name) => name !== 'mslr')) {
    /** @type {Map<string, { ndcg: number, c: string }[]>} */
    const values = new Map();
    const note = (/** @type {string} */ name, /** @type {{ ndcg: number, c: string }} */ value) =>
      values.set(name, [...(values.get(name) ?? []), value]);
    for (const k of FOLDS) {
      const { train: parts, validation: validationText, test: testText } = foldTexts(/** @type {string} */ (data), set, k);
      const files = [parts.join(''), validationText, testText].map((text, i) => {
        const file = join(folder, `part-${i}.txt`);
        writeFileSync(file, text);
        return file;
      });
      const own = spawnSync(process.execPath, [path('src/train-once.mjs'), 'ranksvm', ...files], { encoding: 'utf8' });
      if (own.status !== 0) throw new Error(own.stderr);
      note('Gradus, defaults', { ndcg: Number(own.stdout), c: '' });
      for (const [features, scaled] of /** @type {const} */ ([
        ['standardised', true],
        ['as they are', false],
      ])) {
        const [train1, validation, test] = foldOf(set, k, scaled);
        const task = taskOf(`${set}-${k}`, train1);
        note(`dlib, features ${features}`, chosen(dlib, task, validation, test));
      }
      if (set === 'mq2008' && flags['svm-rank'] !== undefined) {
        const packed = join(flags['svm-rank'], `Fold${k}.score.xz`);
        const scores = spawnSync('xz', ['-dc', packed], { encoding: 'utf8' }).stdout.trim().split(/\s+/).map(Number);
        note('svm_rank, published scores', { ndcg: meanNdcg(foldOf(set, k, false)[2], scores), c: '' });
      }
    }
    const mean = (/** @type {string} */ name) => (values.get(name) ?? []).reduce((sum, { ndcg }) => sum + ndcg / FOLDS.length, 0);
    for (const [name, folds] of values) {
      const difference = mean('Gradus, defaults') - mean(name);
      const row = [
        `${set}, ${name}`,
        mean(name).toFixed(4),
        name === 'Gradus, defaults' ? '' : `${difference < 0 ? '' : '+'}${difference.toFixed(4)}`,
        folds.map(({ ndcg, c }) => `${ndcg.toFixed(4)}${c && ` (${c})`}`).join(' '),
      ];
      process.stderr.write(`${row.join('  ')}\n`);
      rows.push(row);
    }
  }
  return [
    table(['data, solver', 'nDCG@10', 'Gradus above', 'results'], rows),
    'nDCG@10 of the test part (gains 2^label - 1, discounts log2(rank + 1), 0 for queries without relevant documents), mean of five folds, then',
    `each fold, with the c that was best on its validation part, from 1e-6 to 1e4 by tens. dlib minimises the same hinge loss of pairs as svm_rank, to\n0.001; its search ends at the first c for which it needs`,
    `more than ${limit} s. svm_rank’s scores on MQ2008 are those published with LETOR 4.0.`,
  ].join('\n');
}

/** The test value of a rival at the c that is best on the validation part, the smaller one of equals.
 *  @param {Contender} contender @param {Task} task @param {Arrays} validation @param {Arrays} test */
function chosen(contender, task, validation, test) {
  let best = { validation: -1, ndcg: 0, c: '' };
  for (const c of GRID) {
    const outcome = train(contender, task, 'hinge', c, '1e-3');
    if (outcome === undefined) break;
    const value = meanNdcg(validation, linearScores(validation, outcome.weights));
    if (value > best.validation) best = { validation: value, ndcg: meanNdcg(test, linearScores(test, outcome.weights)), c };
  }
  return best;
}

/** One training. @param {Contender} contender @param {Task} task @param {string} loss @param {string} c @param {string} tolerance @param {number} [most] seconds
 *  @returns {Outcome} */
function train({ command }, { base, columns }, loss, c, tolerance, most = limit) {
  const [program, ...words] = command(loss);
  const run = spawnSync(program, [...words, base, String(columns), c, tolerance, weightsFile], {
    encoding: 'utf8',
    timeout: 1000 * (most + 5),
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', OMP_NUM_THREADS: '1', OPENBLAS_NUM_THREADS: '1' },
  });
  if (run.signal !== null) return undefined;
  if (run.status !== 0) throw new Error(`${words.join(' ')}: ${complaintIn(run.stderr)}`);
  const { seconds: wall, cpuSeconds: cpu } = JSON.parse(run.stdout.trim().split('\n').at(-1) ?? '');
  return { cpu, wall, weights: readNumbers(weightsFile) };
}

/** Training, validation and test part of a fold. @param {string} set @param {number} k @param {boolean} scaled @returns {Arrays[]} */
function foldOf(set, k, scaled) {
  const { train: texts, validation, test } = foldTexts(/** @type {string} */ (data), set, k);
  const parts = [texts.join(''), validation, test].map((text) => {
    const { features, labels, queryOffsets } = parseLetor(text, { comments: false }).matrix;
    if (features?.layout !== 'dense') throw new Error(`expected every feature on every line of ${set}`);
    return { cells: Float64Array.from(features.values), labels, queryOffsets };
  });
  const [first, ...others] = parts;
  return scaled ? standardised([first, ...others], first.cells.length / first.labels.length) : parts;
}

/** @param {string} name @param {Arrays} arrays @returns {Task} */
function taskOf(name, arrays) {
  const base = join(folder, 'arrays', name.replaceAll(/\W/g, '-'));
  mkdirSync(join(folder, 'arrays'), { recursive: true });
  writeArrays(base, arrays);
  return { name, base, columns: arrays.cells.length / arrays.labels.length, arrays };
}

function versions() {
  const code = 'import dlib, sklearn\nprint("dlib", dlib.__version__)\nprint("scikit-learn", sklearn.__version__)';
  return spawnSync(python, ['-c', code], { encoding: 'utf8' }).stdout.trim().split('\n').filter(Boolean);
}
