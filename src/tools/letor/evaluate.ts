import type { LetorScript } from '../../conventions/letor-scripts.js';
import { logTable } from '../../core/logarithm.js';
import type { RankedTestSet } from './test-set.js';

/** The values of one query. Lists may be shorter than the cutoff, where the script omits positions. */
export interface QueryValues {
  readonly numDocuments: number;
  readonly precision: Float64Array;
  readonly averagePrecision: number;
  readonly ndcg: Float64Array;
  /** The mean of NDCG over all positions of the list, not only those up to the cutoff. */
  readonly meanNdcg: number;
}

/** Sums and divides in the order of the scripts, so that all fifteen printed digits agree. */
export function evaluateQueries(script: LetorScript, { offsets, labels }: RankedTestSet): QueryValues[] {
  // one more entry stands for every label the script does not know
  const gains = Float64Array.of(...script.gains, 0);
  // fits: flags
  const isRelevant = Uint8Array.from(gains, (_, label) => (label >= script.relevantFrom && label < script.gains.length ? 1 : 0));
  let longest = script.cutoff;
  for (let q = 0; q + 1 < offsets.length; q++) longest = Math.max(longest, offsets[q + 1] - offsets[q]);
  const logs = logTable(longest, 'e');
  const counts = new Uint32Array(gains.length); // fits: entries
  const dcg = new Float64Array(longest);
  const values: QueryValues[] = [];
  for (let q = 0; q + 1 < offsets.length; q++) {
    const list = labels.subarray(offsets[q], offsets[q + 1]);
    values.push(evaluateQuery(script, list, { gains, isRelevant, logs, counts, dcg }));
  }
  return values;
}

interface Workspace {
  readonly gains: Float64Array;
  readonly isRelevant: Uint8Array;
  readonly logs: Float64Array;
  readonly counts: Uint32Array;
  readonly dcg: Float64Array;
}

function evaluateQuery(script: LetorScript, list: Uint8Array, work: Workspace): QueryValues {
  const { cutoff, term, shortPrecision, shortNdcg } = script;
  const { gains, isRelevant, logs, counts, dcg } = work;
  const { length } = list;

  const precision = new Float64Array(shortPrecision === 'omit' ? Math.min(cutoff, length) : cutoff);
  let hits = 0;
  let precisionSum = 0;
  for (let i = 0; i < Math.max(length, precision.length); i++) {
    if (i < length && isRelevant[list[i]] === 1) {
      hits++;
      precisionSum += hits / (i + 1);
    }
    if (i < precision.length) precision[i] = hits / (i + 1);
  }

  counts.fill(0);
  let soFar = 0;
  for (let i = 0; i < length; i++) {
    counts[list[i]]++;
    soFar += discounted(gains[list[i]], i, logs, term);
    dcg[i] = soFar;
  }

  // the ideal ranking: labels in descending order of their gains, which ascend with the labels
  const numPositions = shortNdcg === 'omit' ? Math.min(cutoff, length) : cutoff;
  const ndcg = new Float64Array(numPositions);
  const unknown = gains.length - 1;
  let ideal = 0;
  let ndcgSum = 0;
  let label = unknown - 1;
  for (let i = 0; i < Math.max(length, numPositions); i++) {
    while (label > 0 && counts[label] === 0) label--;
    if (i < length && label > 0) {
      counts[label]--;
      ideal += discounted(gains[label], i, logs, term);
    }
    if (i >= length && (shortNdcg === 'zero' || length === 0)) break;
    const value = ideal === 0 ? 0 : dcg[Math.min(i, length - 1)] / ideal;
    if (i < length) ndcgSum += value;
    if (i < numPositions) ndcg[i] = value;
  }
  return {
    numDocuments: length,
    precision,
    averagePrecision: hits === 0 ? 0 : precisionSum / hits,
    ndcg,
    meanNdcg: length === 0 ? 0 : ndcgSum / length,
  };
}

/** No discount at ranks 1 and 2, a binary logarithm from there on. */
function discounted(gain: number, i: number, logs: Float64Array, term: LetorScript['term']): number {
  if (i < 2) return gain;
  return term === 'product' ? (gain * logs[2]) / logs[i + 1] : gain / (logs[i + 1] / logs[2]);
}
