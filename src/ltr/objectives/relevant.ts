import { depthOf, type Measure, numberParam } from '../../measures/measure.js';
import { Passes } from '../../measures/passes.js';
import type { PreparedObjective } from './objective.js';
import { codesOf, preparedWith, settleQueries, varies } from './settled.js';

function relevanceOf(measure: Measure, codes: Float64Array): Uint8Array {
  const level = numberParam(measure.params, 'rel');
  return Uint8Array.from(codes, (code) => (code >= level ? 1 : 0)); // fits: flags
}

/** P@k: only a swap across the cutoff changes it. */
export function preparePrecision(measure: Measure, labels: Float64Array, queryOffsets: Uint32Array): PreparedObjective {
  const { params } = measure;
  const cutoff = depthOf(params);
  const codes = codesOf(labels);
  const relevant = relevanceOf(measure, codes);
  const divisorOf = (depth: number): number => (params.divisor === 'cutoff' ? cutoff : depth);
  const settled = settleQueries(measure, codes, queryOffsets, new Passes(), (q, { numRetrieved }) => {
    const from = queryOffsets[q];
    const depth = Math.min(cutoff, numRetrieved);
    if (depth === 0 || (depth < cutoff && params.short === 'zero')) return 0;
    if (depth < numRetrieved && varies(relevant, from, from + numRetrieved)) return 'ordered';
    let hits = 0;
    for (let i = 0; i < depth; i++) hits += relevant[from + i];
    return hits / divisorOf(depth);
  });
  let fixed: Uint32Array = new Uint32Array(0);
  let fixedFrom = 0;
  return preparedWith(settled, {
    value(q, order) {
      const from = queryOffsets[q];
      let hits = 0;
      for (let i = 0; i < cutoff; i++) hits += relevant[from + order[i]];
      return hits / cutoff;
    },
    fixOrder(q, order) {
      fixed = order;
      fixedFrom = queryOffsets[q];
    },
    swapDelta(a, b) {
      if (a >= cutoff || b < cutoff) return 0;
      return (relevant[fixedFrom + fixed[b]] - relevant[fixedFrom + fixed[a]]) / cutoff;
    },
  });
}

/** RR: the first two relevant documents say what any swap does. */
export function prepareReciprocalRank(measure: Measure, labels: Float64Array, queryOffsets: Uint32Array): PreparedObjective {
  const cutoff = depthOf(measure.params);
  const rounded = measure.params.precision === 'float32';
  const codes = codesOf(labels);
  const relevant = relevanceOf(measure, codes);
  const valueAt = (i: number): number => (i >= cutoff ? 0 : rounded ? Math.fround(1 / (i + 1)) : 1 / (i + 1));
  const settled = settleQueries(measure, codes, queryOffsets, new Passes(), (q, { numRetrieved }) => {
    const from = queryOffsets[q];
    if (varies(relevant, from, from + numRetrieved)) return 'ordered';
    return relevant[from] === 1 ? valueAt(0) : 0;
  });
  let fixed: Uint32Array = new Uint32Array(0);
  let fixedFrom = 0;
  let first = 0;
  let second = 0;
  const nextRelevant = (from: number, length: number, order: Uint32Array, start: number): number => {
    for (let i = start; i < length; i++) if (relevant[from + order[i]] === 1) return i;
    return Infinity;
  };
  return preparedWith(settled, {
    value: (q, order) => valueAt(nextRelevant(queryOffsets[q], queryOffsets[q + 1] - queryOffsets[q], order, 0)),
    fixOrder(q, order) {
      fixed = order;
      fixedFrom = queryOffsets[q];
      const length = queryOffsets[q + 1] - fixedFrom;
      first = nextRelevant(fixedFrom, length, order, 0);
      second = nextRelevant(fixedFrom, length, order, first + 1);
    },
    swapDelta(a, b) {
      const upper = relevant[fixedFrom + fixed[a]];
      if (upper === relevant[fixedFrom + fixed[b]]) return 0;
      if (upper === 0) return a < first ? valueAt(a) - valueAt(first) : 0;
      return a === first ? valueAt(Math.min(second, b)) - valueAt(first) : 0;
    },
  });
}
