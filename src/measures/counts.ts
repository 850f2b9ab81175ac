import type { MeasureDef } from './measure.js';
import { cutoffParam, depthParam, numberParam, optionalNumber, relParam } from './measure.js';
import { isUnjudged } from './passes.js';

const countRange = [0, Infinity] as const;

export const numQ: MeasureDef = {
  name: 'NumQ',
  title: 'Number of topics',
  help: 'How many topics the other values are taken over. A topic counts 1, and the values of all topics are added up.',
  params: {},
  aggregate: 'sum',
  range: countRange,
  direction: 'neither',
  bind: () => () => 1,
};

export const numRet: MeasureDef = {
  name: 'NumRet',
  title: 'Number of documents retrieved',
  help: 'How many documents the ranking holds after depth and judged-only rules were applied. Topics are added up.',
  params: {},
  aggregate: 'sum',
  range: countRange,
  direction: 'neither',
  bind: () => (topic) => topic.numRetrieved,
};

export const numRel: MeasureDef = {
  name: 'NumRel',
  title: 'Number of relevant documents',
  help: 'How many documents of the topic were judged relevant, whether they were retrieved or not. Topics are added up.',
  params: { rel: relParam() },
  aggregate: 'sum',
  range: countRange,
  direction: 'neither',
  bind(params, passes) {
    const relevance = passes.relevance(numberParam(params, 'rel'));
    return () => relevance.numRelevant;
  },
};

export const numRelRet: MeasureDef = {
  name: 'NumRelRet',
  title: 'Number of relevant documents retrieved',
  help: 'How many relevant documents the ranking holds, or its first k documents. Topics are added up.',
  params: { cutoff: depthParam(), rel: relParam() },
  at: 'cutoff',
  aggregate: 'sum',
  range: countRange,
  direction: 'higher',
  bind(params, passes) {
    const relevance = passes.relevance(numberParam(params, 'rel'));
    const cutoff = optionalNumber(params, 'cutoff');
    if (cutoff === undefined) return () => relevance.numRelevantRetrieved;
    return ({ numRetrieved }) => relevance.hits[Math.min(cutoff, numRetrieved)];
  },
};

export const numNonRelJudgedRet: MeasureDef = {
  name: 'NumNonRelJudgedRet',
  title: 'Number of non-relevant documents retrieved',
  help: 'How many documents of the ranking were judged and found not relevant. Unjudged documents do not count. Topics are added up.',
  params: { rel: relParam() },
  aggregate: 'sum',
  range: countRange,
  direction: 'lower',
  bind(params, passes) {
    const relevance = passes.relevance(numberParam(params, 'rel'));
    return ({ codes, start, numRetrieved }) => {
      let numUnjudged = 0;
      for (let i = 0; i < numRetrieved; i++) if (isUnjudged(codes[start + i])) numUnjudged++;
      return numRetrieved - numUnjudged - relevance.numRelevantRetrieved;
    };
  },
};

/** What `Grade` says of a rank below the end of the ranking. */
export const NO_DOCUMENT: number = -3;

export const gradeAt: MeasureDef = {
  name: 'Grade',
  title: 'Grade at a rank',
  help: `The grade of the document at rank k: a look into the ranking rather than a judgement of it. -1 stands for a document outside the
    pool, -2 for one in the pool that nobody judged, -3 for a ranking that ends above.`,
  formula: 'grade(k)',
  params: { rank: { ...cutoffParam(), help: 'which document of the ranking' } },
  at: 'rank',
  aggregate: 'mean',
  range: [NO_DOCUMENT, Infinity],
  direction: 'neither',
  bind(params) {
    const rank = numberParam(params, 'rank');
    return ({ codes, start, numRetrieved }) => (rank <= numRetrieved ? codes[start + rank - 1] : NO_DOCUMENT);
  },
};
