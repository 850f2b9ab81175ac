import type { TopicView } from '../core/judging/judge.js';
import type { ParamSpec } from '../core/params.js';
import { InputError } from '../core/problem.js';
import { linear, ofHits } from './define.js';
import { leastWhole } from './families/average-precision.js';
import { bindCwl, cwlParams } from './families/cwl.js';
import { fValue } from './families/sets.js';
import type { MeasureDef } from './measure.js';
import { betaParam, choiceParam, cutoffParam, depthOf, depthParam, numberParam, relParam } from './measure.js';
import { expectedAtFirst, forEachTie, isCut } from './tied.js';

/** What a ranking is worth that is shorter than the cutoff. */
export const shortParam: ParamSpec = choiceParam('as-is', 'zero');

const atCutoff = { cutoff: cutoffParam, rel: relParam };
const upToCutoff = { cutoff: depthParam, rel: relParam };

/** P: the relevant share of the first k places; places that a short ranking leaves empty count as not relevant. */
export const precision: MeasureDef = ofHits(
  'P',
  { ...atCutoff, divisor: choiceParam('cutoff', 'retrieved'), short: shortParam, ...cwlParams },
  (relevance, cutoff, params, passes) => {
    if (params.cwl !== undefined) {
      return bindCwl(params, passes.gains({ gain: 'binary', level: relevance.level }), () => (rank) => (rank < cutoff ? 1 : 0));
    }
    return ({ numRetrieved }) => {
      const depth = Math.min(cutoff, numRetrieved);
      if (depth === 0 || (depth < cutoff && params.short === 'zero')) return 0;
      return relevance.hits[depth] / (params.divisor === 'cutoff' ? cutoff : depth);
    };
  },
  { aliases: ['Precision'] },
);

/** R: the share of the relevant documents that is among the first k. */
export const recall: MeasureDef = ofHits(
  'R',
  atCutoff,
  (relevance, cutoff) => (topic) => {
    const { numRelevant } = relevance;
    return numRelevant === 0 ? 0 : relevance.hits[Math.min(cutoff, topic.numRetrieved)] / numRelevant;
  },
  { aliases: ['Recall'] },
);

/** AverageRecall: recall averaged over the ranks, the area under its curve. */
export const averageRecall: MeasureDef = ofHits('AverageRecall', upToCutoff, (relevance, cutoff) => ({ numRetrieved }) => {
  const { hits, numRelevant } = relevance;
  const depth = Math.min(cutoff, numRetrieved);
  if (depth === 0 || numRelevant === 0) return 0;
  let sum = 0;
  for (let k = 1; k <= depth; k++) sum += hits[k];
  return sum / depth / numRelevant;
});

/** F: precision and recall at a cutoff in one number, weighted by beta. */
export const fMeasure: MeasureDef = ofHits('F', { beta: betaParam, ...atCutoff }, (relevance, cutoff, params) => {
  const weight = numberParam(params, 'beta') ** 2;
  return ({ numRetrieved }) => fValue(relevance.hits[Math.min(cutoff, numRetrieved)], cutoff, relevance.numRelevant, weight);
});

/** RelP: precision relative to the best that was possible, which matters where a topic has fewer relevant documents than
 *  places. */
export const relativePrecision: MeasureDef = ofHits('RelP', atCutoff, (relevance, cutoff) => ({ numRetrieved }) => {
  const { numRelevant } = relevance;
  return numRelevant === 0 ? 0 : relevance.hits[Math.min(cutoff, numRetrieved)] / Math.min(cutoff, numRelevant);
});

/** Success: whether there is any relevant document among the first k. */
export const success: MeasureDef = ofHits(
  'Success',
  upToCutoff,
  (relevance, cutoff) =>
    ({ numRetrieved }) =>
      relevance.hits[Math.min(cutoff, numRetrieved)] > 0 ? 1 : 0,
  {
    aliases: ['Hit'],
    expected: (params) => (topic) => expectedAtFirst(topic, numberParam(params, 'rel'), depthOf(params), () => 1, 0),
  },
);

/** Unjudged: the share of the first k places that nobody judged; a warning that other values may be too low. */
export const unjudged: MeasureDef = linear(
  'Unjudged',
  { cutoff: cutoffParam },
  (params, passes) => {
    const cutoff = depthOf(params);
    const pass = passes.unjudged(cutoff);
    return ({ numRetrieved }) => pass.counts[Math.min(cutoff, numRetrieved)] / cutoff;
  },
  { direction: 'lower' },
);

/** Judged: the share of the documents among the first k that somebody judged. */
export const judgedAt: MeasureDef = linear('Judged', { cutoff: depthParam }, (params, passes) => {
  const cutoff = depthOf(params);
  const pass = passes.unjudged(cutoff);
  return ({ numRetrieved }) => {
    const depth = Math.min(cutoff, numRetrieved);
    return depth === 0 ? 0 : (depth - pass.counts[depth]) / depth;
  };
});

/** Rprec: precision at the rank where precision and recall are equal. */
export const rPrecision: MeasureDef = ofHits(
  'Rprec',
  { rel: relParam },
  (relevance) =>
    ({ numRetrieved }) => {
      const depth = Math.min(numRetrieved, relevance.numRelevant);
      return depth === 0 ? 0 : relevance.hits[depth] / relevance.numRelevant;
    },
  { aliases: ['RPrec', 'R-Precision', 'BreakEven', 'BEP'] },
);

/** RprecMult: R-precision with the cutoff moved to a multiple of the number of relevant documents. */
export const rPrecisionMultiple: MeasureDef = ofHits(
  'RprecMult',
  { multiple: { type: 'number', default: undefined, required: true }, rel: relParam, depth_rounding: choiceParam('exact', 'up') },
  (relevance, _, params) => {
    const multiple = numberParam(params, 'multiple');
    return (topic) => {
      const { hits, numRelevant, numRelevantRetrieved } = relevance;
      const exact = multiple * numRelevant;
      const depth = params.depth_rounding === 'up' ? Math.trunc(exact + 0.9) : leastWhole(exact);
      if (!(depth >= 1)) return 0;
      if (depth > topic.numRetrieved) return numRelevantRetrieved / depth;
      // below level 0 there are more hits than relevant documents; those at the end of the ranking are taken off first
      return Math.max(0, numRelevantRetrieved - hits[topic.numRetrieved] + hits[depth]) / depth;
    };
  },
  { at: 'multiple' },
);

/** Accuracy: the chance that of a relevant and another retrieved document the relevant one stands higher. */
export const accuracy: MeasureDef = ofHits(
  'Accuracy',
  { ...upToCutoff, no_pairs: choiceParam('one', 'error') },
  (relevance, cutoff, params) =>
    ({ numRetrieved }) => {
      const { hits } = relevance;
      const depth = Math.min(cutoff, numRetrieved);
      // a document that is not relevant comes after the relevant ones above it
      let inOrder = 0;
      for (let k = 1; k <= depth; k++) if (hits[k] === hits[k - 1]) inOrder += hits[k];
      return shareInOrder(inOrder, hits[depth], depth, params.no_pairs === 'error');
    },
  {
    undefinedValue: 0,
    expected: (params) =>
      params.cutoff === undefined ? (topic) => (isCut(topic) ? undefined : expectedAccuracy(topic, numberParam(params, 'rel'))) : undefined,
    isEmpty(params, passes) {
      const relevance = passes.relevance(numberParam(params, 'rel'));
      const cutoff = depthOf(params);
      return ({ numRetrieved }) => relevance.hits[Math.min(cutoff, numRetrieved)] === 0;
    },
  },
);

function shareInOrder(inOrder: number, numHits: number, depth: number, refusesNoPairs = false): number {
  if (numHits === 0) return Number.NaN;
  if (numHits === depth && refusesNoPairs) {
    throw new InputError({
      message: 'Accuracy has nothing to compare where every retrieved document is relevant; ir_measures fails on such a topic',
      wayOut: "count such topics as 1 with no_pairs='one'",
    });
  }
  return numHits === depth ? 1 : inOrder / (numHits * (depth - numHits));
}

/** Of two tied documents, either comes first in half of all orders. */
function expectedAccuracy(topic: TopicView, level: number): number {
  let numHits = 0;
  let inOrder = 0;
  forEachTie(topic, level, (_, size, hits) => {
    inOrder += (numHits + hits / 2) * (size - hits);
    numHits += hits;
  });
  return shareInOrder(inOrder, numHits, topic.numRetrieved);
}
