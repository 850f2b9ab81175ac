import type { EstimatedMeans } from './rank-sets.js';
import { TIED_MEANS } from './ranks.js';

/** Unordered pairs of systems: how far apart they are, and how surely. */
export interface Pairs {
  readonly first: Uint32Array;
  readonly second: Uint32Array;
  /** Difference of means, first less second, divided by its standard error. */
  readonly statistic: Float64Array;
  /** One divided by the standard error; 0 where that is 0. */
  readonly precision: Float64Array;
  /** For pairs whose difference never varies: 1 if the first is better, -1 if the second is, 0 if they are equal or it varies. */
  readonly certain: Int8Array;
}

/** Compares every two systems, the first with all others first. */
export function comparePairs({ means, factor, columns }: EstimatedMeans): Pairs {
  const p = means.length;
  const count = (p * (p - 1)) / 2;
  const first = new Uint32Array(count); // fits: entries
  const second = new Uint32Array(count); // fits: entries
  const statistic = new Float64Array(count);
  const precision = new Float64Array(count);
  const certain = new Int8Array(count); // fits: signs, from -1 to 1
  let at = 0;
  for (let j = 0; j < p; j++) {
    for (let k = j + 1; k < p; k++, at++) {
      let variance = 0;
      for (let c = 0; c < columns; c++) variance += (factor[j * columns + c] - factor[k * columns + c]) ** 2;
      const difference = means[j] - means[k];
      first[at] = j;
      second[at] = k;
      const error = Math.sqrt(variance);
      // errors of rounding are no spread
      if (error > 1e-14 * Math.max(1, Math.abs(means[j]), Math.abs(means[k]))) {
        precision[at] = 1 / error;
        statistic[at] = difference / error;
      } else certain[at] = Math.abs(difference) <= TIED_MEANS ? 0 : Math.sign(difference);
    }
  }
  return { first, second, statistic, precision, certain };
}

/** Where a pair stands in the order of `comparePairs`. */
export function pairAt(p: number, a: number, b: number): number {
  return a * p - (a * (a + 1)) / 2 + (b - a - 1);
}
