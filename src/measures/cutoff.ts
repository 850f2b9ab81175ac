import type { TopicView } from '../core/judge.js';
import { bindCwl, cwlParams } from './cwl.js';
import type { MeasureDef, ParamSpec } from './measure.js';
import { betaParam, choiceParam, cutoffParam, depthOf, depthParam, numberParam, relParam } from './measure.js';
import { expectedAtFirst, forEachTie, isCut } from './tied.js';

const share = { aggregate: 'mean', range: [0, 1] } as const;

/** What a ranking is worth that is shorter than the cutoff. */
export const shortParam: ParamSpec = choiceParam('as-is', 'zero');

export const precision: MeasureDef = {
  name: 'P',
  aliases: ['Precision'],
  params: { cutoff: cutoffParam, rel: relParam, divisor: choiceParam('cutoff', 'retrieved'), short: shortParam, ...cwlParams },
  at: 'cutoff',
  aggregate: 'mean',
  range: [0, 1],
  direction: 'higher',
  bind(params, passes) {
    const level = numberParam(params, 'rel');
    const cutoff = numberParam(params, 'cutoff');
    if (params.cwl !== undefined) {
      return bindCwl(params, passes.gains({ gain: 'binary', level }), () => (rank) => (rank < cutoff ? 1 : 0));
    }
    const relevance = passes.relevance(level);
    if (params.short === 'zero') {
      return ({ numRetrieved }) => (numRetrieved < cutoff ? 0 : relevance.hits[cutoff] / cutoff);
    }
    if (params.divisor === 'retrieved') {
      return ({ numRetrieved }) => {
        const depth = Math.min(cutoff, numRetrieved);
        return depth > 0 ? relevance.hits[depth] / depth : 0;
      };
    }
    return (topic) => relevance.hits[Math.min(cutoff, topic.numRetrieved)] / cutoff;
  },
  expected: 'linear',
};

export const recall: MeasureDef = {
  name: 'R',
  aliases: ['Recall'],
  params: { cutoff: cutoffParam, rel: relParam },
  at: 'cutoff',
  ...share,
  direction: 'higher',
  bind(params, passes) {
    const relevance = passes.relevance(numberParam(params, 'rel'));
    const cutoff = numberParam(params, 'cutoff');
    return (topic) => (relevance.numRelevant === 0 ? 0 : relevance.hits[Math.min(cutoff, topic.numRetrieved)] / relevance.numRelevant);
  },
  expected: 'linear',
};

export const averageRecall: MeasureDef = {
  name: 'AverageRecall',
  params: { cutoff: depthParam, rel: relParam },
  at: 'cutoff',
  ...share,
  direction: 'higher',
  bind(params, passes) {
    const relevance = passes.relevance(numberParam(params, 'rel'));
    const cutoff = depthOf(params);
    return ({ numRetrieved }) => {
      const { hits, numRelevant } = relevance;
      const depth = Math.min(cutoff, numRetrieved);
      if (depth === 0 || numRelevant === 0) return 0;
      let sum = 0;
      for (let k = 1; k <= depth; k++) sum += hits[k];
      return sum / depth / numRelevant;
    };
  },
  expected: 'linear',
};

export const fMeasure: MeasureDef = {
  name: 'F',
  params: { beta: betaParam, cutoff: cutoffParam, rel: relParam },
  at: 'cutoff',
  ...share,
  direction: 'higher',
  bind(params, passes) {
    const relevance = passes.relevance(numberParam(params, 'rel'));
    const cutoff = numberParam(params, 'cutoff');
    const weight = numberParam(params, 'beta') ** 2;
    return (topic) => {
      const hits = relevance.hits[Math.min(cutoff, topic.numRetrieved)];
      if (hits === 0) return 0;
      const precision = hits / cutoff;
      const recall = hits / relevance.numRelevant;
      return ((weight + 1) * precision * recall) / (weight * precision + recall);
    };
  },
  expected: 'linear',
};

export const relativePrecision: MeasureDef = {
  name: 'RelP',
  params: { cutoff: cutoffParam, rel: relParam },
  at: 'cutoff',
  ...share,
  direction: 'higher',
  bind(params, passes) {
    const relevance = passes.relevance(numberParam(params, 'rel'));
    const cutoff = numberParam(params, 'cutoff');
    return (topic) =>
      relevance.numRelevant === 0 ? 0 : relevance.hits[Math.min(cutoff, topic.numRetrieved)] / Math.min(cutoff, relevance.numRelevant);
  },
  expected: 'linear',
};

export const success: MeasureDef = {
  name: 'Success',
  aliases: ['Hit'],
  params: { cutoff: cutoffParam, rel: relParam },
  at: 'cutoff',
  ...share,
  direction: 'higher',
  bind(params, passes) {
    const relevance = passes.relevance(numberParam(params, 'rel'));
    const cutoff = numberParam(params, 'cutoff');
    return (topic) => (relevance.hits[Math.min(cutoff, topic.numRetrieved)] > 0 ? 1 : 0);
  },
  expected: (params) => {
    const level = numberParam(params, 'rel');
    const cutoff = numberParam(params, 'cutoff');
    return (topic) => expectedAtFirst(topic, level, cutoff, () => 1, 0);
  },
};

export const unjudged: MeasureDef = {
  name: 'Unjudged',
  params: { cutoff: cutoffParam },
  at: 'cutoff',
  ...share,
  direction: 'lower',
  bind(params, passes) {
    const cutoff = numberParam(params, 'cutoff');
    const pass = passes.unjudged();
    return ({ numRetrieved }) => pass.counts[Math.min(cutoff, numRetrieved)] / cutoff;
  },
  expected: 'linear',
};

export const judgedAt: MeasureDef = {
  name: 'Judged',
  params: { cutoff: depthParam },
  at: 'cutoff',
  ...share,
  direction: 'higher',
  bind(params, passes) {
    const cutoff = depthOf(params);
    const pass = passes.unjudged();
    return ({ numRetrieved }) => {
      const depth = Math.min(cutoff, numRetrieved);
      return depth === 0 ? 0 : (depth - pass.counts[depth]) / depth;
    };
  },
  expected: 'linear',
};

export const rPrecision: MeasureDef = {
  name: 'Rprec',
  aliases: ['RPrec', 'R-Precision', 'BreakEven', 'BEP'],
  params: { rel: relParam },
  ...share,
  direction: 'higher',
  bind(params, passes) {
    const relevance = passes.relevance(numberParam(params, 'rel'));
    return (topic) => {
      const depth = Math.min(topic.numRetrieved, relevance.numRelevant);
      return depth === 0 ? 0 : relevance.hits[depth] / relevance.numRelevant;
    };
  },
  expected: 'linear',
};

export const rPrecisionMultiple: MeasureDef = {
  name: 'RprecMult',
  params: { multiple: { type: 'real', default: undefined, required: true }, rel: relParam },
  at: 'multiple',
  ...share,
  direction: 'higher',
  bind(params, passes) {
    const relevance = passes.relevance(numberParam(params, 'rel'));
    const multiple = numberParam(params, 'multiple');
    return (topic) => {
      const { hits, numRelevant, numRelevantRetrieved } = relevance;
      const depth = Math.trunc(multiple * numRelevant + 0.9);
      if (!(depth >= 1)) return 0;
      if (depth > topic.numRetrieved) return numRelevantRetrieved / depth;
      // below level 0 there are more hits than relevant documents; those at the end of the ranking are taken off first
      return Math.max(0, numRelevantRetrieved - hits[topic.numRetrieved] + hits[depth]) / depth;
    };
  },
  expected: (params, passes) => (numberParam(params, 'rel') < 0 ? undefined : rPrecisionMultiple.bind?.(params, passes)),
};

export const accuracy: MeasureDef = {
  name: 'Accuracy',
  params: { cutoff: depthParam, rel: relParam },
  at: 'cutoff',
  ...share,
  direction: 'higher',
  undefinedValue: 0,
  bind(params, passes) {
    const relevance = passes.relevance(numberParam(params, 'rel'));
    const cutoff = depthOf(params);
    return ({ numRetrieved }) => {
      const { hits } = relevance;
      const depth = Math.min(cutoff, numRetrieved);
      const numHits = hits[depth];
      if (numHits === 0) return Number.NaN;
      const numOthers = depth - numHits;
      if (numOthers === 0) return 1;
      // a document that is not relevant comes after the relevant ones above it
      let inOrder = 0;
      for (let k = 1; k <= depth; k++) if (hits[k] === hits[k - 1]) inOrder += hits[k];
      return inOrder / (numHits * numOthers);
    };
  },
  expected: (params) => {
    const level = numberParam(params, 'rel');
    return params.cutoff === undefined ? (topic) => (isCut(topic) ? undefined : expectedAccuracy(topic, level)) : undefined;
  },
  isEmpty(params, passes) {
    const relevance = passes.relevance(numberParam(params, 'rel'));
    const cutoff = depthOf(params);
    return ({ numRetrieved }) => relevance.hits[Math.min(cutoff, numRetrieved)] === 0;
  },
};

/** Of two tied documents, either comes first in half of all orders. */
function expectedAccuracy(topic: TopicView, level: number): number {
  let numHits = 0;
  let inOrder = 0;
  forEachTie(topic, level, (_, size, hits) => {
    inOrder += (numHits + hits / 2) * (size - hits);
    numHits += hits;
    return false;
  });
  const numOthers = topic.numRetrieved - numHits;
  if (numHits === 0) return Number.NaN;
  return numOthers === 0 ? 1 : inOrder / (numHits * numOthers);
}
