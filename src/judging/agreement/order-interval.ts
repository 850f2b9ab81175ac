import { seededRandom } from '../../core/numbers/random.js';
import { requireFraction, requireResamples, requireSeed } from '../../stats/checks.js';
import { kendallTau } from '../../stats/correlation/kendall-tau.js';
import type { Interval } from '../../stats/moments.js';
import type { TwoScorings } from './conclusions.js';

/** How topics are drawn again. */
export interface OrderIntervalOptions {
  /** 1,000 by default. */
  readonly resamples?: number | undefined;
  readonly seed?: number | undefined;
  readonly level?: number | undefined;
}

/** The middle of tau-b between two orders of systems over samples of topics; the same topics are drawn for both. Samples in which all systems
 *  are level are left out; null where most are, and with one topic. */
export function tauInterval({ first, second }: TwoScorings, options: OrderIntervalOptions = {}): Interval | null {
  const { resamples = 1000, seed = 1, level = 0.95 } = options;
  requireResamples(resamples, 20);
  requireSeed(seed);
  requireFraction('level', level);
  const numTopics = first[0]?.length ?? 0;
  // one topic can be drawn in one way only
  if (numTopics < 2) return null;
  const random = seededRandom(seed);
  const times = new Uint32Array(numTopics); // fits: entries
  const sums = [first, second].map((scores) => new Float64Array(scores.length));
  const taus: number[] = [];
  for (let sample = 0; sample < resamples; sample++) {
    times.fill(0);
    for (let t = 0; t < numTopics; t++) times[random.below(numTopics)]++;
    for (const [side, scores] of [first, second].entries()) {
      for (const [s, own] of scores.entries()) {
        let sum = 0;
        for (let t = 0; t < numTopics; t++) sum += times[t] * own[t];
        sums[side][s] = sum;
      }
    }
    if (sums.some((own) => own.every((sum) => sum === own[0]))) continue;
    taus.push(kendallTau({ first: sums[0], second: sums[1] }).tau);
  }
  if (taus.length < resamples / 2) return null;
  const sorted = Float64Array.from(taus).sort();
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))];
  const tail = (1 - level) / 2;
  return { low: at(tail), high: at(1 - tail), level };
}
