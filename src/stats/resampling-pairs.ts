import type { Values } from './checks.js';
import { allEqual, differencesInto, meanOf, squaresAround } from './moments.js';

/** What the bootstrap of all pairs compares the samples with. With n topics, sample mean m and sample sum of squares Q of the
 *  shifted differences, |t*| ≥ |t| is n(n − 1)m²/(Q − nm²) ≥ t², that is m²·ratio ≥ Q with ratio = n(n − 1)/t² + n: no
 *  division, no root and no cancellation in the loop over samples. */
export interface ObservedPairs {
  /** Mean difference i − j of each pair i < j. */
  readonly means: Float64Array;
  readonly ratios: Float64Array;
  /** t value of each pair; infinite where all differences are equal and not 0. */
  readonly statistics: Float64Array;
}

/** Sums that are equal but for rounding count as equally extreme. */
export const EQUAL_UP_TO_ROUNDING = 1e-11;

/** The mean difference and t value of every pair of systems, with the ratio that a sample has to exceed to be as extreme. */
export function observePairs(systems: readonly Values[]): ObservedPairs {
  const numPairs = (systems.length * (systems.length - 1)) / 2;
  const topics = systems[0].length;
  const means = new Float64Array(numPairs);
  const ratios = new Float64Array(numPairs);
  const statistics = new Float64Array(numPairs);
  const differences = new Float64Array(topics);
  let pair = 0;
  for (let i = 0; i < systems.length; i++) {
    for (let j = i + 1; j < systems.length; j++) {
      differencesInto(differences, systems[i], systems[j]);
      const mean = meanOf(differences);
      const squares = allEqual(differences) ? 0 : squaresAround(differences, mean);
      const tSquared = mean === 0 ? 0 : (topics * (topics - 1) * mean * mean) / squares;
      means[pair] = mean;
      statistics[pair] = Math.sign(mean) * Math.sqrt(tSquared);
      ratios[pair] = ((topics * (topics - 1)) / tSquared + topics) * (1 + EQUAL_UP_TO_ROUNDING);
      pair++;
    }
  }
  return { means, ratios, statistics };
}

/** Pairs whose counts need no sampling: with no mean difference every sample is as extreme, and with a constant
 *  difference none is. */
export function settleDegeneratePairs(pairs: ObservedPairs, counts: Int32Array, resamples: number): void {
  for (let pair = 0; pair < counts.length; pair++) {
    if (isDegenerate(pairs, pair)) counts[pair] = pairs.statistics[pair] === 0 ? resamples : 0;
  }
}

/** Whether a pair differs nowhere or by the same amount everywhere, so that there is nothing to resample. */
export function isDegenerate({ statistics }: ObservedPairs, pair: number): boolean {
  return statistics[pair] === 0 || !Number.isFinite(statistics[pair]);
}
