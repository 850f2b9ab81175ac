import { seededRandom } from '../core/random.js';

/** Resampling of topics × systems. Resample number r is drawn from its own stream `seededRandom(seed, r)`, so that any
 *  division of the numbers among threads gives the same results. */
export interface Resampler {
  /** For resamples `from` ≤ r < `to`: the largest minus the smallest system mean after the scores of every topic have been
   *  dealt out at random among the systems. */
  permutedRanges(seed: number, from: number, to: number): Float64Array;
  /** For every pair i < j (in the order of `pairNumber`): how many of the resamples `from` ≤ r < `to` of the topics have a
   *  studentised mean difference, shifted to mean 0, at least as extreme as the observed one. */
  bootstrapExceedances(seed: number, from: number, to: number): Int32Array;
}

/** Sixteen words for the four generators of one permuted range, in the order in which the kernels keep their state. */
export function generatorState(seed: number, resample: number, out: Int32Array, at: number): void {
  const random = seededRandom(seed, resample);
  for (let i = 0; i < 16; i++) out[at + i] = random.uint32();
}

/** Adds to `times` how often each topic is drawn in bootstrap sample number `resample`: slot `lane` of every `lanes`. */
export function countDraws(seed: number, resample: number, topics: number, times: Float64Array, at: number, lanes: number): void {
  const random = seededRandom(seed, resample);
  for (let draw = 0; draw < topics; draw++) times[at + random.below(topics) * lanes]++;
}
