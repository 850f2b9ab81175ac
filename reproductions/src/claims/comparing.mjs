// What the claims about learners share: differences between arms, and bounds by resampling queries.
import { seededRandom } from '../../../dist/core/numbers/random.js';
import { parseLetor } from '../../../dist/formats/letor/reader.js';
import { tDistribution } from '../../../dist/stats/distributions/distributions.js';
import { groupedParts } from '../study.mjs';

export const meanOf = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;

/** Differences of two arms query by query, of those queries that `counts` accepts. */
export function differences(first, second, column, counts = () => true) {
  return first.values[column].flatMap((value, q) => (counts(q) ? [value - second.values[column][q]] : []));
}

/** The corrected resampled t test over the splits of two arms (Nadeau and Bengio), which takes into account that training sets overlap. */
export function resampledT(first, second, column, testOverTrain = 1 / 3) {
  const splits = first.folds.flatMap((fold, p) => fold[column].map((sum, k) => sum - second.folds[p][column][k]));
  const mean = meanOf(splits);
  const variance = splits.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (splits.length - 1);
  if (variance === 0) return { p: mean === 0 ? 1 : 0 };
  const t = mean / Math.sqrt((1 / splits.length + testOverTrain) * variance);
  return { p: Math.min(1, 2 * tDistribution(splits.length - 1).upperTail(Math.abs(t))) };
}

/** Labels of verdicts that say something: never a verdict of their own. */
export function robustLabel(verdict, { p }) {
  if (verdict !== 'supported' && verdict !== 'contradicted') return [];
  return [p < 0.05 ? 'robust' : 'for these queries'];
}

/** Welch's test of two independent lists. */
export function welch(first, second) {
  const [a, b] = [first, second].map((list) => {
    const mean = meanOf(list);
    return { mean, error: list.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (list.length - 1) / list.length, n: list.length };
  });
  const error = Math.sqrt(a.error + b.error);
  const df = (a.error + b.error) ** 2 / (a.error ** 2 / (a.n - 1) + b.error ** 2 / (b.n - 1));
  const difference = a.mean - b.mean;
  const spread = (level) => tDistribution(df).quantile(1 - (1 - level) / 2) * error;
  return {
    n: a.n + b.n,
    difference,
    p: Math.min(1, 2 * tDistribution(df).upperTail(Math.abs(difference) / error)),
    interval90: [difference - spread(0.9), difference + spread(0.9)],
    interval95: [difference - spread(0.95), difference + spread(0.95)],
  };
}

/** A number worked out anew from samples of the queries, in ascending order.
 *  @param statistic Takes places of queries, some of them several times. */
export function resampled(numQueries, numSamples, seed, statistic) {
  const random = seededRandom(seed);
  const places = new Uint32Array(numQueries);
  return Float64Array.from({ length: numSamples }, () => {
    for (let q = 0; q < numQueries; q++) places[q] = random.below(numQueries);
    return statistic(places);
  }).sort();
}

export const quantile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.max(0, Math.floor(share * sorted.length)))];

/** One-sided p of a mean above 0. */
export function pAbove(list) {
  const mean = meanOf(list);
  const error = Math.sqrt(list.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (list.length - 1) / list.length);
  if (error === 0) return mean > 0 ? 0 : 1;
  return tDistribution(list.length - 1).upperTail(mean / error);
}

/** The training and test queries of the LightGBM example as one matrix. */
export function groupedMatrix(folder) {
  return parseLetor(Buffer.concat(groupedParts(folder).parts), { features: 'dense' }).matrix;
}
