import type { MeasureDef } from './measure.js';
import { betaParam, depthOf, depthParam, numberParam, relParam } from './measure.js';

const share = { aggregate: 'mean', range: [0, 1] } as const;

export const setPrecision: MeasureDef = {
  name: 'SetP',
  params: { rel: relParam },
  ...share,
  direction: 'higher',
  bind(params, passes) {
    const relevance = passes.relevance(numberParam(params, 'rel'));
    return ({ numRetrieved }) => (numRetrieved > 0 ? relevance.numRelevantRetrieved / numRetrieved : 0);
  },
  expected: 'linear',
};

export const setRecall: MeasureDef = {
  name: 'SetR',
  params: { rel: relParam },
  ...share,
  direction: 'higher',
  bind(params, passes) {
    const relevance = passes.relevance(numberParam(params, 'rel'));
    return () => (relevance.numRelevant > 0 ? relevance.numRelevantRetrieved / relevance.numRelevant : 0);
  },
  expected: 'linear',
};

export const setRelativePrecision: MeasureDef = {
  name: 'SetRelP',
  params: { rel: relParam },
  ...share,
  direction: 'higher',
  bind(params, passes) {
    const relevance = passes.relevance(numberParam(params, 'rel'));
    return ({ numRetrieved }) => {
      const possible = Math.min(numRetrieved, relevance.numRelevant);
      return possible > 0 ? relevance.numRelevantRetrieved / possible : 0;
    };
  },
  expected: 'linear',
};

export const setAveragePrecision: MeasureDef = {
  name: 'SetAP',
  params: { rel: relParam },
  ...share,
  direction: 'higher',
  bind(params, passes) {
    const relevance = passes.relevance(numberParam(params, 'rel'));
    return ({ numRetrieved }) => {
      const { numRelevant, numRelevantRetrieved } = relevance;
      if (numRetrieved === 0 || numRelevant === 0) return 0;
      return (numRelevantRetrieved * numRelevantRetrieved) / (numRetrieved * numRelevant);
    };
  },
  expected: 'set',
};

export const setF: MeasureDef = {
  name: 'SetF',
  params: { beta: betaParam, weight: { type: 'real', default: undefined }, rel: relParam },
  ...share,
  direction: 'higher',
  bind(params, passes) {
    const relevance = passes.relevance(numberParam(params, 'rel'));
    const beta = numberParam(params, 'beta');
    const weight = (params.weight as number | undefined) ?? beta * beta;
    return ({ numRetrieved }) => {
      const { numRelevant, numRelevantRetrieved } = relevance;
      if (numRelevantRetrieved === 0) return 0;
      const precision = numRelevantRetrieved / numRetrieved;
      const recall = numRelevantRetrieved / numRelevant;
      return ((weight + 1) * precision * recall) / (weight * precision + recall);
    };
  },
  expected: 'linear',
};

/** Without the size of the collection only judged documents count, and the judgements are the collection. */
const collectionParam = { type: 'integer', default: 0, min: 0 } as const;

export const setAccuracy: MeasureDef = {
  name: 'SetAccuracy',
  params: { collection: collectionParam, rel: relParam },
  ...share,
  direction: 'higher',
  bind(params, passes) {
    const relevance = passes.relevance(numberParam(params, 'rel'));
    const unjudged = passes.unjudged();
    const collection = numberParam(params, 'collection');
    return ({ numRetrieved, numJudged }) => {
      const { numRelevant, numRelevantRetrieved } = relevance;
      const size = collection || numJudged;
      const retrieved = collection > 0 ? numRetrieved : numRetrieved - unjudged.counts[numRetrieved];
      return size > 0 ? (numRelevantRetrieved + size - retrieved - numRelevant + numRelevantRetrieved) / size : 0;
    };
  },
  expected: 'linear',
};

export const fallout: MeasureDef = {
  name: 'Fallout',
  params: { collection: collectionParam, rel: relParam },
  ...share,
  direction: 'lower',
  bind(params, passes) {
    const relevance = passes.relevance(numberParam(params, 'rel'));
    const unjudged = passes.unjudged();
    const collection = numberParam(params, 'collection');
    return ({ numRetrieved, numJudged }) => {
      const { numRelevant, numRelevantRetrieved } = relevance;
      const nonRelevant = (collection || numJudged) - numRelevant;
      const retrieved = collection > 0 ? numRetrieved : numRetrieved - unjudged.counts[numRetrieved];
      return nonRelevant > 0 ? (retrieved - numRelevantRetrieved) / nonRelevant : 0;
    };
  },
  expected: 'linear',
};

export const satisfaction: MeasureDef = {
  name: 'Satisfaction',
  params: { cutoff: depthParam, rel: relParam },
  at: 'cutoff',
  ...share,
  direction: 'higher',
  bind(params, passes) {
    const relevance = passes.relevance(numberParam(params, 'rel'));
    const cutoff = depthOf(params);
    return ({ numRetrieved }) => {
      const seen = Math.min(cutoff, numRetrieved);
      return seen > 0 ? relevance.hits[seen] / seen : 0;
    };
  },
  expected: 'linear',
};

export const frustration: MeasureDef = {
  name: 'Frustration',
  params: { cutoff: depthParam, rel: relParam },
  at: 'cutoff',
  ...share,
  direction: 'lower',
  bind(params, passes) {
    const relevance = passes.relevance(numberParam(params, 'rel'));
    const cutoff = depthOf(params);
    return ({ numRetrieved }) => {
      const seen = Math.min(cutoff, numRetrieved);
      return seen > 0 ? (seen - relevance.hits[seen]) / seen : 0;
    };
  },
  expected: 'linear',
};

export const utility: MeasureDef = {
  name: 'Utility',
  params: {
    coefficients: { type: 'reals', default: [1, -1, 0, 0] },
    collection: { type: 'integer', default: 0 },
    rel: relParam,
  },
  aggregate: 'mean',
  range: [-Infinity, Infinity],
  direction: 'higher',
  bind(params, passes) {
    const relevance = passes.relevance(numberParam(params, 'rel'));
    const [a, b, c, d] = params.coefficients as readonly number[];
    const collection = numberParam(params, 'collection');
    return ({ numRetrieved }) => {
      const { numRelevant, numRelevantRetrieved } = relevance;
      return (
        a * numRelevantRetrieved +
        b * (numRetrieved - numRelevantRetrieved) +
        c * (numRelevant - numRelevantRetrieved) +
        d * (collection + numRelevantRetrieved - numRetrieved - numRelevant)
      );
    };
  },
  expected: 'linear',
};
