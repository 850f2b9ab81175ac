import { seededRandom } from '../core/numbers/random.js';

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
  for (let i = 0; i < 16; i++) out[at + i] = random.uint32() | 0;
}

/** The topics of bootstrap sample number `resample`, as many as `out` is long: 16 random bits each, scaled by multiplication and
 *  drawn again in the incomplete stretch, so that every topic is equally likely. All bootstrap methods draw through here and so
 *  see the same samples for the same seed. */
export function drawTopics(seed: number, resample: number, out: Uint32Array): void {
  const topics = out.length;
  const random = seededRandom(seed, resample);
  if (topics > 65536) {
    for (let draw = 0; draw < topics; draw++) out[draw] = random.below(topics);
    return;
  }
  const limit = 65536 % topics;
  for (let draw = 0; draw < topics; ) {
    const word = random.uint32();
    const low = Math.imul(word & 0xffff, topics);
    if ((low & 0xffff) >= limit) out[draw++] = low >>> 16;
    const high = Math.imul(word >>> 16, topics);
    if (draw < topics && (high & 0xffff) >= limit) out[draw++] = high >>> 16;
  }
}
