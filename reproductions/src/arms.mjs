// What is trained for the registered claims: learners with their settings, the rules or objectives they are trained by, and what is
// measured on the test part of each fold. Settings are those of reproductions/claims.json; what it leaves open takes the published default
// of the tool whose algorithm is followed (LightGBM: trees; RankLib: AdaRank, Coordinate Ascent, RankBoost), else that of Gradus.
import { lettersOf } from './verdicts.mjs';

/** The rules by which study 001 trains and tests. */
export const rules = { RankLib: 'ranklib', Yahoo: 'yahoo', LETOR: 'letor4' };

const grid = (first, second) =>
  Object.values(first)[0].flatMap((a) =>
    Object.values(second)[0].map((b) => ({ [Object.keys(first)[0]]: a, [Object.keys(second)[0]]: b })),
  );

/** Learners of study 001. `little` takes the place of both in trials. */
const learnersOfRules = {
  AdaRank: {
    name: 'adarank',
    fixed: { reweighting: 'product', settled: 'all', rounds: 500 },
    grid: grid({ tolerance: [0.002, 0.02, 1] }, { maxRepeats: [1, 5] }),
    little: { rounds: 30 },
  },
  LambdaMART: {
    name: 'lambdamart',
    fixed: { leaves: 10, rate: 0.1, trees: 1000, patience: 100, defaults: 'lightgbm', growth: 'lightgbm' },
    grid: [{}],
    little: { trees: 10 },
  },
  'Coordinate Ascent': {
    name: 'coordinate-ascent',
    fixed: { restarts: 30, iterations: 100, tolerance: 0.001, slack: 0 },
    grid: [{}],
    little: { restarts: 1, iterations: 3 },
  },
  RankNet: {
    name: 'ranknet',
    fixed: { epochs: 100, patience: 20, optimiser: 'adam', rate: 0.001 },
    grid: grid({ layers: [1, 2, 3] }, { units: [10, 100] }),
    little: { epochs: 3 },
  },
  RankBoost: { name: 'rankboost', fixed: { rounds: 300 }, grid: [{ thresholds: 10 }, { thresholds: -1 }], little: { rounds: 20 } },
  RankSVM: {
    name: 'ranksvm',
    fixed: { tolerance: 0.001, c: [1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1, 1, 10, 100, 1000, 10000] },
    grid: [{}],
    little: { c: [0.01, 1] },
  },
};

/** Learners of study 004. */
const learnersOfObjectives = {
  SoftRank: {
    name: 'softrank',
    fixed: { layers: 0, epochs: 100, patience: 20 },
    grid: grid({ sigma: [0.1, 0.3, 1] }, { rate: [0.001, 0.01] }),
    little: { epochs: 3 },
  },
  LambdaRank: {
    name: 'lambdarank',
    fixed: { units: 10, epochs: 100, patience: 20 },
    grid: grid({ layers: [0, 1] }, { rate: [0.0003, 0.001, 0.003] }),
    little: { epochs: 3 },
  },
};

export const learners = { ...learnersOfRules, ...learnersOfObjectives };

/** What study 004 trains for. At the ends of the sweep all users agree, and GAP is AP. */
export const objectives = {
  nDCG: "nDCG(gain='exp')",
  GAP: 'GAP(g=[0.5,0.5])',
  AP: 'AP',
  'GAP 0': 'AP(rel=2)',
  'GAP 0.25': 'GAP(g=[0.25,0.75])',
  'GAP 0.75': 'GAP(g=[0.75,0.25])',
  'nDCG linear': 'nDCG',
};

/** The collections that are trained on, with the names of their files. M is MQ2008 once more, for what study 004 trains for: letters are
 *  drawn for each by itself. L has labels up to 4, and its queries in files of their own. */
export const collections = {
  R: { title: 'MQ2008', fileOf: (k) => `mq2008/S${k}.txt.xz`, madeUp: [21, 12] },
  O: { title: 'OHSUMED', fileOf: (k) => `ohsumed/Fold${k}.test.txt.xz`, madeUp: [12, 8] },
  M: { title: 'MQ2008', fileOf: (k) => `mq2008/S${k}.txt.xz`, madeUp: [21, 12] },
  L: { title: 'LightGBM example set', folder: 'lightgbm-lambdarank', madeUp: [23, 8] },
};

/** Objectives where there are four grades above 0 that users may take as relevant. */
const objectivesOfL = { ...objectives, GAP: 'GAP(g=[0.25,0.25,0.25,0.25])' };

/** The text of what an arm is trained for. */
export const objectiveOf = ({ protocol, objective }) => (protocol === 'L' ? objectivesOfL : objectives)[objective];

/** Learners whose models do not depend on what a query is worth that no order changes: what they learn by Yahoo's rules is what they learn
 *  by RankLib's. Their models are compared (claim A12L), on one partition where training takes long. */
export const indifferent = ['LambdaMART', 'Coordinate Ascent', 'RankNet'];

const first = Array.from({ length: 20 }, (_, i) => 7001 + i);
const again = Array.from({ length: 20 }, (_, i) => 7101 + i);

/** Every arm. `keeps` says how much is measured: all that the claims about rankings need, curves, or one number of each query. */
export const arms = [
  ...Object.keys(learnersOfRules).map((learner) => ({ learner, rule: 'RankLib', keeps: 'all' })),
  ...['AdaRank', ...indifferent].flatMap((learner) => [
    { learner, rule: 'LETOR', keeps: 'curves' },
    {
      learner,
      rule: 'Yahoo',
      keeps: 'curves',
      ...(['Coordinate Ascent', 'RankNet'].includes(learner) ? { partitions: first.slice(0, 1) } : {}),
    },
  ]),
  ...['AdaRank', 'LambdaMART', 'Coordinate Ascent'].flatMap((learner) =>
    ['without short', 'without as many'].map((without) => ({ learner, rule: 'RankLib', without, keeps: 'one' })),
  ),
  ...Object.keys(learnersOfRules).map((learner) => ({ learner, rule: 'RankLib', without: 'without empty', keeps: 'one' })),
  ...Object.keys(learnersOfRules).map((learner) => ({ learner, rule: 'RankLib', isAgain: true, keeps: 'one' })),
  ...Object.keys(learnersOfObjectives).flatMap((learner) =>
    Object.keys(objectives).map((objective) => ({ learner, objective, keeps: 'objectives' })),
  ),
  ...Object.keys(learnersOfObjectives).map((learner) => ({ learner, objective: 'GAP', isAgain: true, keeps: 'objectives' })),
  ...['M', 'L'].flatMap((protocol) =>
    Object.keys(learnersOfObjectives).flatMap((learner) =>
      ['nDCG', 'GAP', 'AP'].map((objective) => ({ protocol, learner, objective, keeps: 'objectives' })),
    ),
  ),
  ...Object.keys(learnersOfRules).map((learner) => ({ protocol: 'L', learner, rule: 'RankLib', keeps: 'curves' })),
].map((arm) => ({
  ...arm,
  protocol: arm.protocol ?? (arm.objective === undefined ? 'R' : 'O'),
  partitions: arm.partitions ?? (arm.isAgain ? again : first),
  id: [
    arm.learner,
    arm.rule === undefined ? `for ${arm.objective}` : `by ${arm.rule}`,
    ...(arm.without === undefined ? [] : [arm.without]),
    ...(arm.isAgain ? ['again'] : []),
    ...(arm.protocol === undefined ? [] : [`on ${collections[arm.protocol].title}`]),
  ].join(' '),
}));

/** Letters under which arms are run and kept, drawn for each collection by itself. */
export const letters = new Map(
  [...new Set(arms.map(({ protocol }) => protocol))].flatMap((protocol) => [
    ...lettersOf(arms.flatMap((arm) => (arm.protocol === protocol ? [arm.id] : []))),
  ]),
);

export function armOf(id) {
  const arm = arms.find((one) => one.id === id);
  if (arm === undefined) throw new Error(`there is no arm ${id}`);
  return arm;
}
