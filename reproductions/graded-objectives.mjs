// Graded average precision as the objective of learning: SoftRank and LambdaRank trained for nDCG, GAP and AP.
//
//   npm run build && node reproductions/graded-objectives.mjs DATA
//
// DATA holds ohsumed/Fold1.test.txt.xz to Fold5.test.txt.xz. An interrupted run goes on where it was; --fresh begins anew.
import { evaluateModel, loadLearner, trainRanker } from '../dist/ltr/index.js';
import { parseMeasure } from '../dist/measures/index.js';
import { experimentArguments, fiveFolds, fixed, overFolds, paired, picture, pText, put, Steps, table, writePage } from './src/study.mjs';

const args = experimentArguments('graded-objectives', 'DATA');
const { small, out } = args;
// fold k tests on part k, validates on the part before, and trains on the other three
const places = { test: [0], validation: [4], train: [1, 2, 3] };
const { folds, hash } = fiveFolds(args, [12, 8], (k) => `ohsumed/Fold${k}.test.txt.xz`, places);
const objectives = { nDCG: 'nDCG', 'GAP(0.5, 0.5)': 'GAP(g=[0.5,0.5])', AP: 'AP' };
const tests = ['nDCG@10', 'AP', 'P@10'];
const cutoffs = Array.from({ length: 10 }, (_, k) => k + 1);
/** What is asked of each model: the measures of the table, and those of the curves. */
const measured = [...tests, ...cutoffs.map((k) => `nDCG@${k}`)];
const learners = {
  SoftRank: { name: 'softrank', options: small ? { epochs: 3 } : {} },
  LambdaRank: { name: 'lambdarank', options: small ? { epochs: 3 } : {} },
};
/** The numbers of the paper's table 2, on an edition of the collection with other features. */
const published = {
  SoftRank: { nDCG: [0.4665, 0.4452, 0.4986], 'GAP(0.5, 0.5)': [0.4747, 0.4478, 0.5001], AP: [0.4601, 0.4448, 0.49] },
  LambdaRank: { nDCG: [0.4585, 0.4397, 0.5005], 'GAP(0.5, 0.5)': [0.4665, 0.4432, 0.5042], AP: [0.4528, 0.4408, 0.4881] },
};

const steps = new Steps(args, `${hash} ${JSON.stringify(learners)} ${measured.join(' ')}`);
const cells = Object.entries(learners).flatMap(([title, { name, options }]) =>
  Object.keys(objectives).flatMap((objective) => folds.map((fold, k) => ({ title, name, options, objective, fold, k }))),
);
const results = await steps.all(
  cells.map((cell) => ({ key: `${cell.name} ${cell.objective} fold ${cell.k + 1}`, compute: () => trainAndTest(cell) })),
);

/** values[learner][objective][measure][fold] are the values of the test queries. */
const values = {};
for (const [i, { title, objective, k }] of cells.entries()) {
  for (const [m, column] of results[i].entries()) put(values, [title, objective, m, k], column);
}

async function trainAndTest({ name, options, objective, fold: { train, validation, test } }) {
  const model = await trainRanker({
    learner: await loadLearner(name),
    train,
    validation,
    objective: parseMeasure(objectives[objective]),
    options,
    normalisation: 'query-zscore',
    seed: 1,
  });
  const result = evaluateModel(
    model,
    test,
    measured.map((text) => parseMeasure(text)),
  );
  return measured.map((_, m) => [...result.column(m)]);
}

const summary = Object.fromEntries(
  Object.entries(values).map(([title, byObjective]) => [
    title,
    Object.fromEntries(Object.entries(byObjective).map(([objective, columns]) => [objective, columns.map(overFolds)])),
  ]),
);
const differences = Object.keys(learners).flatMap((title) =>
  ['nDCG', 'AP'].flatMap((other) =>
    tests.map((test, m) => ({ learner: title, other, test, ...paired(values[title]['GAP(0.5, 0.5)'][m], values[title][other][m]) })),
  ),
);
const better = differences.filter(({ difference, p }) => difference > 0 && p < 0.05).length;
const worse = differences.filter(({ difference, p }) => difference < 0 && p < 0.05).length;
const higher = differences.filter(({ difference }) => difference > 0).length;
const verdict =
  better > 0 && worse === 0 && higher === differences.length
    ? 'confirmed'
    : worse > better || higher < differences.length / 2
      ? 'refuted'
      : 'undecided';

const pictures = Object.keys(learners).map((title) =>
  picture(out, `graded-objectives-${title.toLowerCase()}`, {
    title: `${title}, trained for three measures`,
    xLabel: 'cutoff',
    yLabel: 'nDCG',
    series: Object.entries(summary[title]).map(([objective, columns]) => {
      const curve = columns.slice(tests.length);
      return {
        name: objective,
        points: curve.map(({ mean }, c) => ({ x: cutoffs[c], y: mean })),
        errors: curve.map(({ error }) => error),
      };
    }),
    dots: true,
  }),
);

writePage(out, 'graded-objectives', {
  title: 'Graded average precision as an objective',
  command: args.command,
  hash,
  results: { hash, learners, summary, differences, verdict },
  paragraphs: [
    `SoftRank and LambdaRank on ${small ? 'made-up data' : 'OHSUMED (25 features; the paper had an edition with 45, so orders and differences can be compared, not values)'}, five folds, features scaled query by query, each trained for nDCG, for graded average precision with half of the users at each grade, and for average precision. The paper (Robertson, Kanoulas and Yilmaz, SIGIR 2010, [10.1145/1835449.1835550](https://doi.org/10.1145/1835449.1835550)) found GAP best by every test measure. Means over folds, standard errors of the folds combined in quadrature.`,
    `That training for GAP is better whatever is tested is **${verdict}** here: of ${differences.length} differences ${higher} are in favour of GAP, ${better} of them significantly, and ${differences.length - higher} are not, ${worse} of them significantly (paired t-tests over all test queries, two-sided, 0.05).`,
    table(
      ['learner', 'trained for', ...tests, ...tests.map((test) => `${test}, paper`)],
      Object.keys(learners).flatMap((title) =>
        Object.keys(objectives).map((objective) => [
          title,
          objective,
          ...summary[title][objective].slice(0, tests.length).map(({ mean, error }) => `${fixed(mean)} ± ${fixed(error)}`),
          ...published[title][objective].map((value) => fixed(value)),
        ]),
      ),
    ),
    pictures.join('\n'),
    '## GAP against the others',
    table(
      ['learner', 'against', 'tested by', 'difference', 'p'],
      differences.map(({ learner, other, test, difference, p }) => [learner, other, test, fixed(difference), pText(p)]),
    ),
  ],
});
