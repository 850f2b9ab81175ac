import type { MeasureDef } from './measure.js';
import { cutoffParam, depthParam, numberParam, optionalNumber, relParam } from './measure.js';

const counted = { aggregate: 'sum', range: [0, Infinity] } as const;

export const numQ: MeasureDef = {
  name: 'NumQ',
  params: {},
  ...counted,
  direction: 'neither',
  bind: () => () => 1,
  expected: 'linear',
};

export const numRet: MeasureDef = {
  name: 'NumRet',
  params: {},
  ...counted,
  direction: 'neither',
  bind: () => (topic) => topic.numRetrieved,
  expected: 'linear',
};

export const numRel: MeasureDef = {
  name: 'NumRel',
  params: { rel: relParam },
  ...counted,
  direction: 'neither',
  bind(params, passes) {
    const relevance = passes.relevance(numberParam(params, 'rel'));
    return () => relevance.numRelevant;
  },
  expected: 'linear',
};

export const numRelRet: MeasureDef = {
  name: 'NumRelRet',
  params: { cutoff: depthParam, rel: relParam },
  at: 'cutoff',
  ...counted,
  direction: 'higher',
  bind(params, passes) {
    const relevance = passes.relevance(numberParam(params, 'rel'));
    const cutoff = optionalNumber(params, 'cutoff');
    if (cutoff === undefined) return () => relevance.numRelevantRetrieved;
    return ({ numRetrieved }) => relevance.hits[Math.min(cutoff, numRetrieved)];
  },
  expected: 'linear',
};

export const numNonRelJudgedRet: MeasureDef = {
  name: 'NumNonRelJudgedRet',
  params: { rel: relParam },
  ...counted,
  direction: 'lower',
  bind(params, passes) {
    const relevance = passes.relevance(numberParam(params, 'rel'));
    const unjudged = passes.unjudged();
    return ({ numRetrieved }) => numRetrieved - unjudged.counts[numRetrieved] - relevance.numRelevantRetrieved;
  },
  expected: 'linear',
};

/** What `Grade` says of a rank below the end of the ranking. */
export const NO_DOCUMENT: number = -3;

export const gradeAt: MeasureDef = {
  name: 'Grade',
  params: { rank: cutoffParam },
  at: 'rank',
  aggregate: 'mean',
  range: [NO_DOCUMENT, Infinity],
  direction: 'neither',
  bind(params) {
    const rank = numberParam(params, 'rank');
    return ({ codes, start, numRetrieved }) => (rank <= numRetrieved ? codes[start + rank - 1] : NO_DOCUMENT);
  },
};

export const best: MeasureDef = {
  name: 'Best',
  aliases: ['BEST'],
  params: { cutoff: depthParam },
  at: 'cutoff',
  aggregate: 'mean',
  range: [0, Infinity],
  direction: 'higher',
  bind(params) {
    const cutoff = optionalNumber(params, 'cutoff') ?? Infinity;
    return ({ codes, start, numRetrieved }) => {
      let highest = 0;
      for (let i = start; i < start + Math.min(cutoff, numRetrieved); i++) if (codes[i] > highest) highest = codes[i];
      return highest;
    };
  },
};
