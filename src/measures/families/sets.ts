import { ofHits } from '../define.js';
import type { MeasureDef, Params } from '../measure.js';
import { betaParam, choiceParam, depthParam, numberParam, relParam } from '../measure.js';
import type { Passes, RelevancePass } from '../passes.js';

const rel = { rel: relParam } as const;

/** SetP: the relevant share of everything that was retrieved. */
export const setPrecision: MeasureDef = ofHits(
  'SetP',
  rel,
  (relevance) =>
    ({ numRetrieved }) =>
      ratio(relevance.numRelevantRetrieved, numRetrieved),
);

/** SetR: the share of the relevant documents that was retrieved at all. */
export const setRecall: MeasureDef = ofHits('SetR', rel, (relevance) => () => ratio(relevance.numRelevantRetrieved, relevance.numRelevant));

/** SetRelP: SetP relative to the best that a set of this size could have. */
export const setRelativePrecision: MeasureDef = ofHits(
  'SetRelP',
  rel,
  (relevance) =>
    ({ numRetrieved }) =>
      ratio(relevance.numRelevantRetrieved, Math.min(numRetrieved, relevance.numRelevant)),
);

/** A share of nothing is 0. */
function ratio(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0;
}

/** SetAP: average precision where the retrieved documents have no order. */
export const setAveragePrecision: MeasureDef = ofHits(
  'SetAP',
  rel,
  (relevance) =>
    ({ numRetrieved }) => {
      const { numRelevant, numRelevantRetrieved } = relevance;
      return ratio(numRelevantRetrieved * numRelevantRetrieved, numRetrieved * numRelevant);
    },
  { expected: 'set' },
);

/** The F measure; linear in the number of hits, although it does not look it. */
export function fValue(hits: number, seen: number, numRelevant: number, weight: number): number {
  if (hits === 0) return 0;
  const precision = hits / seen;
  const recall = hits / numRelevant;
  return ((weight + 1) * precision * recall) / (weight * precision + recall);
}

/** SetF: precision and recall of the retrieved set in one number, weighted by beta. */
export const setF: MeasureDef = ofHits(
  'SetF',
  { beta: betaParam, weight: { type: 'number', default: undefined }, weighting: choiceParam('squared', 'plain'), rel: relParam },
  (relevance, _, params) => {
    const weight = (params.weight as number | undefined) ?? numberParam(params, 'beta') ** (params.weighting === 'plain' ? 1 : 2);
    return ({ numRetrieved }) => fValue(relevance.numRelevantRetrieved, numRetrieved, relevance.numRelevant, weight);
  },
);

/** A measure of all documents; without the size of the collection only judged ones count, and the judgements are the collection. */
function ofCollection(
  name: string,
  value: (relevance: RelevancePass, retrieved: number, size: number) => number,
  direction: MeasureDef['direction'],
): MeasureDef {
  const prepare = (relevance: RelevancePass, _: number, params: Params, passes: Passes): ReturnType<Required<MeasureDef>['bind']> => {
    const collection = numberParam(params, 'collection');
    const unjudged = passes.unjudged();
    return ({ numRetrieved, numJudged }) =>
      collection > 0
        ? value(relevance, numRetrieved, collection)
        : value(relevance, numRetrieved - unjudged.counts[numRetrieved], numJudged);
  };
  return ofHits(name, { collection: { type: 'integer', default: 0, min: 0 }, rel: relParam }, prepare, { direction });
}

/** SetAccuracy: the share of documents that were rightly retrieved or rightly left out. */
export const setAccuracy: MeasureDef = ofCollection(
  'SetAccuracy',
  ({ numRelevant, numRelevantRetrieved }, retrieved, size) => ratio(2 * numRelevantRetrieved + size - retrieved - numRelevant, size),
  'higher',
);

/** Fallout: the share of the non-relevant documents that was retrieved; lower is better. */
export const fallout: MeasureDef = ofCollection(
  'Fallout',
  ({ numRelevant, numRelevantRetrieved }, retrieved, size) => ratio(retrieved - numRelevantRetrieved, size - numRelevant),
  'lower',
);

const shown = { cutoff: depthParam, rel: relParam };

/** Satisfaction: the relevant share of what the reader is shown. */
export const satisfaction: MeasureDef = ofHits('Satisfaction', shown, (relevance, cutoff) => ({ numRetrieved }) => {
  const seen = Math.min(cutoff, numRetrieved);
  return ratio(relevance.hits[seen], seen);
});

/** Frustration: the share of what the reader is shown that is not relevant; lower is better. */
export const frustration: MeasureDef = ofHits(
  'Frustration',
  shown,
  (relevance, cutoff) =>
    ({ numRetrieved }) => {
      const seen = Math.min(cutoff, numRetrieved);
      return ratio(seen - relevance.hits[seen], seen);
    },
  { direction: 'lower' },
);

/** Utility: what hits, false alarms and misses are worth to the reader, by coefficients of one's own. */
export const utility: MeasureDef = ofHits(
  'Utility',
  { coefficients: { type: 'numbers', default: [1, -1, 0, 0], length: 4 }, collection: { type: 'integer', default: 0 }, rel: relParam },
  (relevance, _, params) => {
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
  { range: [-Infinity, Infinity] },
);
