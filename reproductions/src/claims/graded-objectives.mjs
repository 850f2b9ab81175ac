// Registered claims about what one trains for (G11 to G13): graded average precision against nDCG and AP.

import { parseMeasure } from '../../../dist/measures/index.js';
import { informativeness } from '../../../dist/meta/index.js';
import { spearmanCorrelation } from '../../../dist/stats/index.js';
import { readRuns, runCollections } from '../runs.mjs';
import { UNIT } from '../trainer.mjs';
import { compared, holmFamily } from '../verdicts.mjs';
import { differences, meanOf, resampledT } from './comparing.mjs';

const learners = ['SoftRank', 'LambdaRank'];
const margins = { 'nDCG@10': 0.004, AP: 0.0015, 'P@10': 0.004 };
const trainedFor = (learner, objective) => `${learner} for ${objective}`;

/** The numbers of the paper's table 2, on an edition of the collection with other features. */
const published = {
  SoftRank: { nDCG: [0.4665, 0.4452, 0.4986], GAP: [0.4747, 0.4478, 0.5001], AP: [0.4601, 0.4448, 0.49] },
  LambdaRank: { nDCG: [0.4585, 0.4397, 0.5005], GAP: [0.4665, 0.4432, 0.5042], AP: [0.4528, 0.4408, 0.4881] },
};

/** Validation rises after the first epoch in nine of ten fits, or nothing was learnt. */
const learns = ({ fits }) => fits.filter(({ rises }) => rises).length >= 0.9 * fits.length;

function judgeObjectives({ arm, tests }) {
  const cells = learners.flatMap((learner) =>
    ['nDCG', 'AP'].flatMap((rival) =>
      Object.entries(margins).map(([column, margin]) => {
        const [gap, other] = [arm(trainedFor(learner, 'GAP')), arm(trainedFor(learner, rival))];
        return {
          part: `${learner}, GAP - ${rival}, ${column}`,
          margin,
          ...compared(differences(gap, other, column), tests),
          check: learns(gap) && learns(other),
          robust: resampledT(gap, other, column).p,
          partitionsAhead: gap.folds.filter((fold, p) => sum(fold[column]) > sum(other.folds[p][column])).length,
          partitions: gap.folds.length,
        };
      }),
    ),
  );
  const family = holmFamily(cells);
  const means = Object.fromEntries(
    learners.map((learner) => [
      learner,
      Object.fromEntries(
        ['nDCG', 'GAP', 'AP'].map((objective) => [
          `trained for ${objective}`,
          {
            ...Object.fromEntries(
              Object.keys(margins).map((column) => [column, meanOf(arm(trainedFor(learner, objective)).values[column])]),
            ),
            inThePaper: published[learner][objective],
          },
        ]),
      ),
    ]),
  );
  const ahead = Object.fromEntries(
    family.map(({ part, partitionsAhead, partitions }) => [part, `${partitionsAhead} of ${partitions} partitions ahead`]),
  );
  return { numbers: { cells: family }, facts: { ...means, ...ahead } };
}

/** The other data that stand in for the paper's Web queries. */
const surrogates = ['MQ2008', 'LightGBM example set'];

function judgeSurrogates({ arm, tests }) {
  const cells = surrogates.flatMap((set) =>
    learners.flatMap((learner) =>
      ['nDCG', 'AP'].flatMap((rival) =>
        ['nDCG@10', 'AP'].map((column) => {
          const [gap, other] = ['GAP', rival].map((objective) => arm(`${trainedFor(learner, objective)} on ${set}`));
          return {
            part: `${set}: ${learner}, GAP - ${rival}, ${column}`,
            margin: margins[column],
            ...compared(differences(gap, other, column), tests),
            check: learns(gap) && learns(other),
            robust: resampledT(gap, other, column).p,
          };
        }),
      ),
    ),
  );
  return { numbers: { parts: holmFamily(cells) } };
}

const sum = (list) => list.reduce((total, value) => total + value, 0) / UNIT;

/** Errors of GAP with a quarter and with three quarters of the users at grade 1, which the sweep of the measures does not have. */
async function errorsAtQuarters(args, steps) {
  const measures = ['GAP(g=[0.25,0.75])', 'GAP(g=[0.75,0.25])'].map((text) => parseMeasure(text));
  const found = {};
  for (const collection of runCollections) {
    const { qrels, runs, hash } = readRuns(collection, args);
    const depth = args.small ? 30 : 1000;
    const used = args.quick ? runs.slice(0, 4) : runs;
    const told = await steps(`${hash} ${depth} quarters`).all(
      used.map((run) => ({
        key: `quarters ${collection} ${run.name}`,
        compute: () =>
          informativeness(qrels, [run], measures, { depth }).perList.map(({ topic, measure, error }) => ({ topic, measure, error })),
      })),
    );
    const lists = told.flat();
    const topics = [...new Set(lists.map(({ topic }) => topic))];
    found[collection] = measures.map(({ text }) =>
      meanOf(
        topics.map((topic) =>
          meanOf(lists.filter((list) => list.topic === topic && list.measure === text).map(({ error }) => (error.any + error.highest) / 2)),
        ),
      ),
    );
  }
  return found;
}

/** Seven objectives: how much their values tell, and how well they train. */
function judgePremise({ arm, source, from }) {
  const quarters = source('errors at quarters');
  const errorOf = (text) =>
    meanOf(
      runCollections.map((collection) => {
        const { errors } = from('judging-measures', `errors ${collection}`);
        return (meanOf(errors[text].any) + meanOf(errors[text].highest)) / 2;
      }),
    );
  const quarter = (i) => meanOf(runCollections.map((collection) => quarters[collection][i]));
  const objectives = {
    'GAP 0': errorOf('AP(rel=2)'),
    'GAP 0.25': quarter(0),
    GAP: errorOf('GAP(g=[0.5,0.5])'),
    'GAP 0.75': quarter(1),
    AP: errorOf('AP'),
    nDCG: errorOf("nDCG(gain='exp')"),
    'nDCG linear': errorOf('nDCG'),
  };
  const errors = Object.values(objectives);
  const parts = ['AP', 'nDCG@10'].map((column) => {
    const trained = Object.keys(objectives).map((objective) =>
      meanOf(learners.map((learner) => meanOf(arm(trainedFor(learner, objective)).values[column]))),
    );
    const rho = spearmanCorrelation({ first: errors, second: trained });
    const all = permutations(trained).map((order) => spearmanCorrelation({ first: errors, second: order }));
    return { part: column, rho, p: all.filter((other) => Math.abs(other) >= Math.abs(rho) - 1e-12).length / all.length };
  });
  const family = holmFamily(parts);
  const best = family.reduce((a, b) => (a.pHolm <= b.pHolm ? a : b));
  return { numbers: { rho: best.rho, pHolm: best.pHolm }, shown: family, facts: { errors: objectives } };
}

function permutations(list) {
  return list.length < 2 ? [list] : list.flatMap((one, i) => permutations(list.toSpliced(i, 1)).map((rest) => [one, ...rest]));
}

export const study = {
  name: 'graded-objectives',
  title: 'Graded average precision as an objective',
  question:
    'Robertson, Kanoulas and Yilmaz (SIGIR 2010) trained SoftRank and LambdaRank for GAP, for nDCG and for AP, and found GAP best whatever was tested. Does training for GAP beat the others, and does what informs better train better?',
  data: 'OHSUMED (LETOR 2.0): 106 queries, 16,140 documents, 25 features, labels 0 to 2; the paper had an edition with 45 features, so that orders and differences can be compared, not values. Its 5,000 Web queries are not public; MQ2008 (784 queries, labels 0 to 2) and the LightGBM example set (251 queries, labels 0 to 4) stand in for them, as other data and not as a substitute.',
  method:
    'Protocol O: 20 random partitions into five parts (seeds 7001 to 7020). Features are scaled query by query; settings are the registered ones, and grids and stopping go by the objective itself on the validation part. The 20 values of each query are averaged, and arms are compared query by query.',
  papers: ['robertson2010gap', 'nadeau2003inference'],
  sources: { 'errors at quarters': errorsAtQuarters },
  claims: {
    G11: {
      arms: learners.flatMap((learner) => ['nDCG', 'GAP', 'AP'].map((objective) => trainedFor(learner, objective))),
      judge: judgeObjectives,
    },
    G12: { judge: () => ({ numbers: {}, facts: { why: 'the 5,000 Web queries are commercial data' } }) },
    G12s: {
      arms: surrogates.flatMap((set) =>
        learners.flatMap((learner) => ['nDCG', 'GAP', 'AP'].map((objective) => `${trainedFor(learner, objective)} on ${set}`)),
      ),
      judge: judgeSurrogates,
    },
    G13: {
      sources: ['errors at quarters'],
      arms: learners.flatMap((learner) =>
        ['nDCG', 'GAP', 'AP', 'GAP 0', 'GAP 0.25', 'GAP 0.75', 'nDCG linear'].map((objective) => trainedFor(learner, objective)),
      ),
      others: runCollections.map((collection) => ['judging-measures', `errors ${collection}`]),
      judge: judgePremise,
    },
  },
  notRun: ['the sensitivity analyses of claims about learners, and the halves of the query split behind *replicated*'],
};
