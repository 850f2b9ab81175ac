// The registered claims about training by the rules of different tools (A10, A10n, A11 and A12A of reproductions/claims.json), by
// protocol R: 20 random partitions of MQ2008, settings chosen on the validation part of each fold, verdicts by src/verdicts.mjs.
//
//   npm run build && node reproductions/registered-claims.mjs DATA [--only A12A] [--quick]
//
// DATA holds mq2008/S1.txt.xz to S5.txt.xz. Every finished fit is kept in reproductions/parts/registered-claims with the value of each test query,
// compressed, so that an interrupted run goes on where it was and the tests can be redone without training. --quick takes one partition
// and small settings: minutes, and no verdict.
import { applyConvention, findConvention, judgingRulesOf } from '../dist/conventions/index.js';
import { evaluateModel, loadLearner, summariseModel, trainRanker } from '../dist/ltr/index.js';
import { parseMeasure } from '../dist/measures/index.js';
import { experimentArguments, fixed, pText, queriesOf, randomFolds, Steps, table, writePage } from './src/study.mjs';
import { compared, decide, holmFamily, lettersOf, registry, rulesHash } from './src/verdicts.mjs';

const args = experimentArguments('registered-claims', 'DATA', { isKept: true });
const isLittle = args.small || args.quick;
const { ids, hash, matrixOf } = queriesOf(args, [21, 12], (k) => `mq2008/S${k}.txt.xz`);
const partitions = isLittle ? [7001] : Array.from({ length: 20 }, (_, i) => 7001 + i);
const rules = { RankLib: 'ranklib', Yahoo: 'yahoo', LETOR: 'letor4' };

/** The registered settings: what is fixed, and the grid that validation chooses from. */
const learners = {
  AdaRank: {
    name: 'adarank',
    fixed: { reweighting: 'product', settled: 'all', rounds: isLittle ? 30 : 500 },
    grid: isLittle
      ? [{ tolerance: 0.002, maxRepeats: 5 }]
      : [0.002, 0.02, 1].flatMap((tolerance) => [1, 5].map((maxRepeats) => ({ tolerance, maxRepeats }))),
  },
  LambdaMART: {
    name: 'lambdamart',
    fixed: isLittle ? { leaves: 10, rate: 0.1, trees: 10 } : { leaves: 10, rate: 0.1, trees: 1000, patience: 100 },
    grid: [{}],
  },
  'Coordinate Ascent': {
    name: 'coordinate-ascent',
    fixed: isLittle ? { restarts: 1, iterations: 3 } : { restarts: 30, iterations: 100, tolerance: 0.001 },
    grid: [{}],
  },
  RankNet: {
    name: 'ranknet',
    fixed: { optimiser: 'adam', rate: 0.001, ...(isLittle ? { epochs: 3 } : { epochs: 100, patience: 20 }) },
    grid: isLittle ? [{ layers: 1, units: 10 }] : [1, 2, 3].flatMap((layers) => [10, 100].map((units) => ({ layers, units }))),
  },
};

/** The claims, with the arms whose difference is looked at: the claim predicts a value above 0. */
const claims = {
  A10: {
    pairs: ['AdaRank', 'LambdaMART', 'Coordinate Ascent'].map((learner) => ({ part: learner, learner, first: 'LETOR', second: 'RankLib' })),
  },
  A10n: { pairs: ['LETOR', 'Yahoo'].map((first) => ({ part: first, learner: 'RankNet', first, second: 'RankLib' })) },
  A11: {
    pairs: ['AdaRank', 'LambdaMART', 'Coordinate Ascent'].map((learner) => ({ part: learner, learner, first: 'RankLib', second: 'LETOR' })),
  },
  A12A: { pairs: [{ part: 'AdaRank', learner: 'AdaRank', first: 'Yahoo', second: 'RankLib' }] },
};
const wanted = args.only ?? Object.keys(claims);
for (const id of wanted) {
  if (Object.hasOwn(claims, id)) continue;
  const known = registry.claims.some((claim) => claim.id === id);
  process.stderr.write(
    `${id} is ${known ? 'registered, but not run by this script' : 'not in the registry'}; there are ${Object.keys(claims).join(', ')}\n`,
  );
  process.exit(2);
}

const arms = [
  ...new Set(
    wanted.flatMap((id) => claims[id].pairs.flatMap(({ learner, first, second }) => [`${learner} by ${first}`, `${learner} by ${second}`])),
  ),
].sort();
const letters = lettersOf(Object.keys(learners).flatMap((learner) => Object.keys(rules).map((rule) => `${learner} by ${rule}`)));
const steps = new Steps(args, `${hash} ${JSON.stringify([learners, partitions])}`);
const cells = arms.flatMap((arm) => partitions.flatMap((seed) => randomFolds(ids, seed).map((fold, k) => ({ arm, seed, fold, k }))));
const results = await steps.all(
  cells.map((cell) => ({ key: `${letters.get(cell.arm)} ${cell.seed} fold ${cell.k + 1}`, compute: () => trainAndTest(cell) })),
);

/** Trains one arm on one fold, by the settings that are best on its validation part. */
async function trainAndTest({ arm, fold }) {
  const [learnerName, rule] = arm.split(' by ');
  const { name, fixed: options, grid } = learners[learnerName];
  const learner = await loadLearner(name);
  const { rules: own } = findConvention(rules[rule]);
  const measure = applyConvention(parseMeasure("nDCG(gain='exp')@10"), own);
  const [train, validation, test] = [fold.train, fold.validation, fold.test].map(matrixOf);
  let best;
  for (const chosen of grid) {
    const model = await trainRanker({
      learner,
      train,
      validation,
      ...(learner.objectives === 'own' ? {} : { objective: measure }),
      metric: measure,
      options: { ...options, ...chosen },
      seed: fold.modelSeed,
      convention: rules[rule],
    });
    const value = evaluateModel(model, validation, [measure], judgingRulesOf(own)).aggregate(0);
    if (best === undefined || value > best.value) best = { value, model, chosen };
  }
  const { rules: testing } = findConvention('ranklib');
  const tested = evaluateModel(best.model, test, [applyConvention(parseMeasure("nDCG(gain='exp')@10"), testing)], judgingRulesOf(testing));
  return {
    chosen: best.chosen,
    features: summariseModel(best.model).features.used,
    values: Object.fromEntries(tested.topics.map((topic, t) => [topic, tested.column(0)[t]])),
  };
}

/** The mean over partitions of each query, by arm. */
const byArm = new Map(arms.map((arm) => [arm, { sums: new Map(), features: [] }]));
for (const [i, { arm }] of cells.entries()) {
  const { sums, features } = byArm.get(arm);
  features.push(results[i].features);
  for (const [query, value] of Object.entries(results[i].values)) sums.set(query, (sums.get(query) ?? 0) + value / partitions.length);
}

/** AdaRank that keeps fewer than three features in most fits is degenerate, and has no verdict. */
function passes(learner, arm) {
  const { features } = byArm.get(arm);
  return learner !== 'AdaRank' || features.filter((used) => used >= 3).length >= features.length / 2;
}

const found = wanted.map((id) => {
  const parts = holmFamily(
    claims[id].pairs.map(({ part, learner, first, second }) => {
      const [a, b] = [`${learner} by ${first}`, `${learner} by ${second}`];
      const differences = ids.map((query) => byArm.get(a).sums.get(query) - byArm.get(b).sums.get(query));
      return {
        part,
        arms: [letters.get(a), letters.get(b)],
        ...compared(differences, isLittle ? { flips: 2000, samples: 1000 } : {}),
        check: passes(learner, a) && passes(learner, b),
      };
    }),
  );
  return { ...decide(id, { parts }), numbers: parts };
});

const said = (verdict) => (args.quick && !args.small ? 'none: a quick run' : `**${verdict}**`);
const interval = ([low, high]) => `${fixed(low)} to ${fixed(high)}`;
writePage(args.out, 'registered-claims', {
  title: 'Training by the rules of different tools: registered claims',
  command: args.command,
  hash,
  deviations: [
    ...(args.small ? [{ what: 'the data is made up', why: 'this is a trial of the machinery; the verdicts mean nothing' }] : []),
    ...(isLittle ? [{ what: 'one partition and small settings', why: 'a quick run; it decides nothing' }] : []),
  ],
  results: {
    hash,
    rulesHash: rulesHash(),
    learners,
    partitions,
    letters: Object.fromEntries(arms.map((arm) => [letters.get(arm), arm])),
    claims: found,
  },
  paragraphs: [
    `Registry and the script that maps numbers to verdicts: SHA-256 \`${rulesHash()}\`. ${partitions.length === 1 ? 'One partition' : `${partitions.length} partitions`} of ${ids.length} queries; each query's values are averaged over partitions, and arms are compared query by query, tested by RankLib's rules.`,
    '## Verdicts',
    table(
      ['claim', 'proposition', 'registered rule', 'verdict'],
      found.map(({ id, proposition, rule, verdict }) => [id, proposition, rule, said(verdict)]),
    ),
    '## Numbers',
    table(
      ['claim', 'part', 'arms', 'difference', '95 % interval', '90 % interval', 'p', 'p (Holm)', 'p (randomisation)', 'check', 'verdict'],
      found.flatMap(({ id, numbers, parts }) =>
        numbers.map((one, i) => [
          id,
          one.part,
          one.arms.join(' − '),
          fixed(one.difference),
          interval(one.interval95),
          interval(one.interval90),
          pText(one.p),
          pText(one.pHolm),
          pText(one.pRandomisation),
          one.check ? 'passed' : 'failed',
          said(parts[i].verdict),
        ]),
      ),
    ),
    '## Arms',
    table(
      ['letter', 'arm'],
      arms.map((arm) => [letters.get(arm), arm]),
    ),
  ],
});
