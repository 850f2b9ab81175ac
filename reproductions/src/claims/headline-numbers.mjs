// A study of our own (N1 to N5): what headline nDCG@10 numbers mean when tools count queries without relevant documents as 1, 0 or not at
// all, and short lists as 0.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { featureValue } from '../../../dist/core/feature-matrix.js';
import { seededRandom, shuffleInPlace } from '../../../dist/core/numbers/random.js';
import { parseLetor } from '../../../dist/formats/letor/reader.js';
import { evaluator } from '../../../dist/measures/evaluate.js';
import { parseMeasure } from '../../../dist/measures/index.js';
import { betaDistribution } from '../../../dist/stats/distributions/distributions.js';
import { drawMarks } from '../intervals.mjs';
import { byTool, factsOf } from '../measured.mjs';
import { readRuns, runCollections } from '../runs.mjs';
import { randomFolds } from '../study.mjs';
import { trainingCollections, UNIT } from '../trainer.mjs';
import { groupedMatrix, meanOf, quantile, resampled } from './comparing.mjs';
import { ordersText, ordersUnderRules } from './rule-orders.mjs';

const six = ['AdaRank', 'LambdaMART', 'Coordinate Ascent', 'RankNet', 'RankBoost', 'RankSVM'];
const sixArms = six.map((learner) => `${learner} by RankLib`);
const LIGHTGBM = 'LightGBM example set';

/** The four headlines of one ranking, from the values of its queries: an identity in f, the share of empty queries. */
function headlines(values, empty) {
  const f = empty.filter(Boolean).length / empty.length;
  const others = values.filter((_, q) => !empty[q]);
  const mean = meanOf(others);
  const counted = (worth) => meanOf(values.map((value, q) => (empty[q] ? worth : value)));
  const asStated = { 0: (1 - f) * mean, 0.5: (1 - f) * mean + f * 0.5, 1: (1 - f) * mean + f };
  const deviation = Math.max(...Object.entries(asStated).map(([worth, stated]) => Math.abs(stated - counted(Number(worth)))));
  return { queries: values.length, f, emptyAs0: counted(0), emptyAsHalf: counted(0.5), emptyAs1: counted(1), leftOut: mean, deviation };
}

/** A data set for learning to rank, ranked by that of its features which ranks best by RankLib's rule. */
function ofMatrix(matrix) {
  const facts = factsOf(matrix);
  const empty = facts.map(({ relevant }) => relevant === 0);
  let best;
  for (let f = 0; f < matrix.features.numFeatures; f++) {
    const scores = Float64Array.from({ length: matrix.numRows }, (_, row) => featureValue(matrix.features, row, f));
    const table = byTool(scores, matrix, 'ranklib', { at: [10] });
    const byId = new Map(table.topics.map((topic, t) => [topic, table.column(0)[t]]));
    const values = facts.map(({ id }) => byId.get(id) ?? 0);
    if (best === undefined || meanOf(values) > meanOf(best.values)) best = { values, scores };
  }
  const short = byTool(best.scores, matrix, 'letor4', { at: [10] });
  return { ...headlines(best.values, empty), shortZeroed: meanOf([...short.column(0)]) };
}

/** Runs with judgements: the run that is best by nDCG@10, and topics that have no document from a grade up. */
function ofRuns(collection, args) {
  const { qrels, runs } = readRuns(collection, args);
  const evaluating = evaluator(qrels, [parseMeasure("nDCG(gain='exp')@10"), parseMeasure('NumRel'), parseMeasure('NumRel(rel=2)')], {
    missingTopics: 'empty',
  });
  const tables = runs.map((run) => evaluating.evaluate(run));
  const best = tables.reduce((a, b) => (meanOf([...a.column(0)]) >= meanOf([...b.column(0)]) ? a : b));
  const from = (column) => Array.from(best.column(column), (count) => count === 0);
  return { ...headlines([...best.column(0)], from(1)), fFromGrade2: from(2).filter(Boolean).length / from(2).length };
}

function dataSets(args) {
  const collectionOf = trainingCollections(args);
  const found = {
    MQ2008: ofMatrix(collectionOf('R').matrixOf(collectionOf('R').ids)),
    OHSUMED: ofMatrix(collectionOf('O').matrixOf(collectionOf('O').ids)),
  };
  if (!args.small) {
    found[LIGHTGBM] = ofMatrix(groupedMatrix(join(args.data, 'lightgbm-lambdarank')));
    found['TREC news'] = ofMatrix(newsMatrix(join(args.data, 'trec-news')));
  }
  for (const collection of runCollections) found[collection] = ofRuns(collection, args);
  return found;
}

function newsMatrix(folder) {
  const text = ['train', 'test'].map((part) => readFileSync(join(folder, `trec_news_2018.${part}`), 'utf8')).join('\n');
  return parseLetor(Buffer.from(text), { features: 'dense' }).matrix;
}

/** The headline of a learner by each rule, from values of queries at the given places. */
function headlinesAt({ ranklib, letor4 }, empty, places) {
  let sum = 0;
  let letor = 0;
  let numEmpty = 0;
  for (const q of places) {
    sum += ranklib[q];
    letor += letor4[q];
    if (empty[q]) numEmpty++;
  }
  const n = places.length;
  return { 'empty as 0': sum / n, 'empty as 1': (sum + numEmpty) / n, 'left out': sum / (n - numEmpty), LETOR: letor / n };
}

const valuesOf = (arm, learner) => {
  const { values } = arm(`${learner} by RankLib`);
  return { ranklib: values['ranklib@10'], letor4: values['letor4@10'] };
};
const spread = (list) => Math.max(...list) - Math.min(...list);
const everywhere = (n) => Uint32Array.from({ length: n }, (_, q) => q);
const bounds = (drawn) => ({ low: quantile(drawn, 0.025), high: quantile(drawn, 0.975) });

/** How far rules move the headline of a learner, against how far learners lie apart by one rule. */
function ruleAgainstLearner(learners, empty, places) {
  const table = learners.map((values) => Object.values(headlinesAt(values, empty, places)));
  const overRules = meanOf(table.map(spread));
  const overLearners = meanOf(table[0].map((_, r) => spread(table.map((row) => row[r]))));
  return overRules / overLearners;
}

/** The ratio with its interval, for six learners on one collection. */
function ratioOf(part, learners, empty, isTrial) {
  const drawn = resampled(empty.length, isTrial ? 100 : 10_000, 7301, (places) => ruleAgainstLearner(learners, empty, places));
  return { part, ratio: ruleAgainstLearner(learners, empty, everywhere(empty.length)), ...bounds(drawn) };
}

function judgeRule({ arm, source, isTrial }) {
  const other = sixArms.map((id) => arm(`${id} on ${LIGHTGBM}`));
  const flags = source(`queries of ${LIGHTGBM}`);
  const parts = [
    ratioOf(
      'MQ2008',
      six.map((learner) => valuesOf(arm, learner)),
      source('queries').empty,
      isTrial,
    ),
    ...(flags === undefined || other.includes(undefined)
      ? []
      : [
          ratioOf(
            LIGHTGBM,
            other.map(({ values }) => ({ ranklib: values['ranklib@10'], letor4: values['letor4@10'] })),
            flags.empty,
            isTrial,
          ),
        ]),
  ];
  return { numbers: { parts } };
}

/** The spread of f between test sets of 157 queries, against the median gap between neighbouring learners. */
function judgeConstant({ arm, source, isTrial }) {
  const { empty } = source('queries');
  const learners = six.map((learner) => valuesOf(arm, learner).ranklib);
  const random = seededRandom(7304);
  const ratioAt = (places, numSets) => {
    const isEmpty = Uint8Array.from(places, (q) => (empty[q] ? 1 : 0));
    const shares = Float64Array.from({ length: numSets }, () => {
      let count = 0;
      for (let i = 0; i < TEST_SET; i++) count += isEmpty[random.below(isEmpty.length)];
      return count / TEST_SET;
    });
    const mean = meanOf(shares);
    const deviation = Math.sqrt(meanOf(shares.map((share) => (share - mean) ** 2)));
    const means = learners.map((values) => meanOf(Array.from(places, (q) => values[q]))).sort((a, b) => a - b);
    const gaps = means
      .slice(1)
      .map((value, i) => value - means[i])
      .sort((a, b) => a - b);
    return { ratio: deviation / gaps[Math.floor(gaps.length / 2)], deviation, gap: gaps[Math.floor(gaps.length / 2)] };
  };
  const { ratio, deviation, gap } = ratioAt(everywhere(empty.length), 500);
  const drawn = resampled(empty.length, isTrial ? 20 : 10_000, 7301, (places) => ratioAt(places, isTrial ? 50 : 500).ratio);
  return {
    numbers: { parts: [{ part: 'MQ2008', ratio, ...bounds(drawn) }] },
    facts: { deviationOfTheEmptyShare: deviation, medianGap: gap },
  };
}

/** Queries in a test set of MQ2008. */
const TEST_SET = 157;

/** The share of pairs that comparing across rules misorders, less that which chance misorders between halves under one rule. */
function judgeMisordering({ arm, source, isTrial }) {
  const { empty } = source('queries');
  const learners = six.map((learner) => valuesOf(arm, learner));
  const random = seededRandom(7305);
  const statistic = (places) => {
    const whole = learners.map((values) => Object.values(headlinesAt(values, empty, places)));
    // halves of the queries, not of what was drawn: a query that was drawn twice is in one half only
    const order = everywhere(empty.length);
    shuffleInPlace(random, order);
    const isLeft = new Uint8Array(empty.length);
    for (const q of order.subarray(0, Math.floor(order.length / 2))) isLeft[q] = 1;
    const [left, right] = [1, 0].map((side) => {
      const own = places.filter((q) => isLeft[q] === side);
      return learners.map((values) => Object.values(headlinesAt(values, empty, own)));
    });
    let across = 0;
    let numAcross = 0;
    let within = 0;
    let numWithin = 0;
    for (let a = 0; a < six.length; a++) {
      for (let b = 0; b < six.length; b++) {
        if (a === b) continue;
        const isAhead = whole[a][0] > whole[b][0];
        for (let r = 0; r < 4; r++) {
          for (let s = 0; s < 4; s++) {
            if (r === s) {
              numWithin++;
              if (left[a][r] > right[b][r] !== isAhead) within++;
            } else {
              numAcross++;
              if (whole[a][r] > whole[b][s] !== isAhead) across++;
            }
          }
        }
      }
    }
    return across / numAcross - within / numWithin;
  };
  const drawn = resampled(empty.length, isTrial ? 50 : 2000, 7301, statistic);
  return { numbers: { parts: [{ part: 'MQ2008', difference: meanOf([...drawn]), ...bounds(drawn) }] } };
}

/** Whether the rule behind a number can be told: each fit's headlines go to the rule whose mean over the other learners is nearest. */
function judgeTelling({ arm, source }) {
  const { empty } = source('queries');
  const fits = six.map((learner) => {
    const { seeds, folds } = arm(`${learner} by RankLib`);
    return seeds.flatMap((seed, p) =>
      randomFolds(
        empty.map((_, q) => q),
        Number(seed),
      ).map(({ test }, k) => {
        const sum = folds[p]['ranklib@10'][k] / UNIT;
        const numEmpty = test.filter((q) => empty[q]).length;
        return [
          sum / test.length,
          (sum + numEmpty) / test.length,
          sum / (test.length - numEmpty),
          folds[p]['letor4@10'][k] / UNIT / test.length,
        ];
      }),
    );
  });
  const byLearner = fits.map((own, l) => {
    const others = fits.filter((_, other) => other !== l).flat();
    const centres = [0, 1, 2, 3].map((r) => meanOf(others.map((row) => row[r])));
    const nearest = (value) =>
      centres.reduce((best, centre, r) => (Math.abs(value - centre) < Math.abs(value - centres[best]) ? r : best), 0);
    return own.filter((row) => row.every((value, r) => nearest(value) === r)).length;
  });
  const n = fits.flat().length;
  const hits = byLearner.reduce((sum, count) => sum + count, 0);
  return {
    numbers: {
      parts: [
        {
          part: 'MQ2008',
          rate: hits / n,
          low: hits === 0 ? 0 : betaDistribution(hits, n - hits + 1).quantile(0.025),
          high: hits === n ? 1 : betaDistribution(hits + 1, n - hits).quantile(0.975),
        },
      ],
    },
    facts: Object.fromEntries(six.map((learner, l) => [learner, `${byLearner[l]} of ${fits[l].length} fits`])),
  };
}

function judgeIdentity({ source }) {
  const sets = source('data sets');
  const deviations = Object.values(sets).filter(({ deviation }) => deviation > 1e-12).length;
  // LETOR 4.0 zeroes short lists, and gives nothing for labels above 2
  const shown = Object.entries(sets).map(([part, { deviation, shortZeroed, fFromGrade2, ...rest }]) => ({
    part,
    ...rest,
    letor4: shortZeroed,
    emptyFromGrade2: fFromGrade2,
    deviation,
  }));
  return { numbers: { deviations }, shown };
}

/** One ranking of each data set, by every rule for queries without relevant documents and for short lists. */
function drawn({ source }, folder) {
  const sets = source('data sets');
  if (sets === undefined) return {};
  const names = ['empty as 0', 'empty as ½', 'empty as 1', 'left out', 'LETOR 4.0'];
  return {
    pictures: [
      drawMarks(folder, 'headline-numbers-rules', {
        title: 'One ranking, five headlines: nDCG@10 by what an empty query or a short list counts',
        subtitle: 'The best single feature or run of each data set; f: the share of queries without relevant documents',
        xLabel: 'nDCG@10',
        names,
        rows: Object.entries(sets).map(([set, { f, emptyAs0, emptyAsHalf, emptyAs1, leftOut, shortZeroed }]) => ({
          label: `${set}, f = ${f.toFixed(3)}`,
          values: Object.fromEntries([emptyAs0, emptyAsHalf, emptyAs1, leftOut, shortZeroed].map((value, i) => [names[i], value])),
        })),
      }),
    ],
  };
}

function queryFlags(args, protocol) {
  const { ids, facts } = trainingCollections(args)(protocol);
  return { empty: ids.map((id) => facts.get(id).relevant === 0) };
}

/** A published kind of number, and what it would be under the other rules: arithmetic on a published share of empty queries. */
const published = [{ set: 'MSLR-WEB30K, fold 1, test', queries: 6306, empty: 189, value: 0.524 }];

export const study = {
  name: 'headline-numbers',
  title: "What today's headline nDCG@10 numbers mean",
  question:
    'Published nDCG@10 values come from tools that count a query without relevant documents as 1, as 0, or not at all, and some zero lists that are shorter than the cutoff. How far does a headline number depend on that, and on nothing else?',
  data: 'All data sets at hand: MQ2008 (784 queries), OHSUMED (106), the LightGBM example set (251), TREC news (50), TREC-COVID round 1 (30 topics), DL-HARD (50). Rankings: six learners on MQ2008 by protocol R; elsewhere the single feature, or the run, that is best.',
  method:
    'With f the share of empty queries and m the mean over the others, the headline is (1 - f) m plus f times what the rule gives an empty query; left out, it is m. Rules are RankLib (empty as 0), Yahoo (as 1), left out, and LETOR 4.0, which zeroes short lists too.',
  papers: ['busafekete2012apple'],
  drawn,
  sources: {
    'data sets': dataSets,
    queries: (args) => queryFlags(args, 'R'),
    [`queries of ${LIGHTGBM}`]: (args) => queryFlags(args, 'L'),
    'orders under rules': ordersUnderRules,
  },
  /** What is worked out beside the claims. */
  extra: ['orders under rules'],
  /** What the claims take if it is there: the part of N2 on other data. */
  alsoTrained: { N2: { sources: [`queries of ${LIGHTGBM}`], arms: sixArms.map((id) => `${id} on ${LIGHTGBM}`) } },
  claims: {
    N1: { sources: ['data sets'], judge: judgeIdentity },
    N2: { sources: ['queries'], arms: sixArms, judge: judgeRule },
    N3: { sources: ['queries'], arms: sixArms, judge: judgeConstant },
    N4: { sources: ['queries'], arms: sixArms, judge: judgeMisordering },
    N5: { sources: ['queries'], arms: sixArms, judge: judgeTelling },
  },
  notRun: ['the part of N2 on the LightGBM example set unless it stands below, and the sensitivity analyses of N2 to N5'],
  /** Arithmetic about published numbers: no claim, no verdict. */
  exploratory: ({ source }) => [
    ...(source('orders under rules') === undefined ? [] : ordersText(source('orders under rules'))),
    '## What to write in a paper',
    `*Exploratory: no claim of the registry.* On ${published[0].set}, ${published[0].empty} of ${published[0].queries} queries have no relevant document. A value of ${published[0].value} under the rule that gives them 1 is ${(published[0].value - published[0].empty / published[0].queries).toFixed(3)} under the rule that gives them 0, and ${((published[0].value - published[0].empty / published[0].queries) / (1 - published[0].empty / published[0].queries)).toFixed(3)} when they are left out. Two systems that lie closer together than that cannot be ordered unless the rule of both is known.`,
    'So a paper states, beside each nDCG@10: the program and its version; what it gives to queries without relevant documents and how many there are; whether lists shorter than the cutoff count as they are; gain and discount; how ties are broken. `gradus evaluate --convention` computes all of these from one set of scores, and `gradus explain` tells two of them apart.',
  ],
};
