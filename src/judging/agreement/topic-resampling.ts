import { seededRandom } from '../../core/numbers/random.js';
import { quantileSorted } from '../../stats/bootstrap.js';
import { requireFraction, requireResamples, requireSeed } from '../../stats/checks.js';
import type { Interval } from '../../stats/moments.js';

/** How topics are drawn. */
export interface TopicResamplingOptions {
  /** 10,000 by default. */
  readonly resamples?: number | undefined;
  /** 1 by default. */
  readonly seed?: number | undefined;
  /** Level of the intervals, 0.95 by default. */
  readonly level?: number | undefined;
}

/** What resampling of topics says about one number. */
export interface ResampledValue {
  /** Standard deviation of the draws; null if the number was defined in fewer than two, or there is one topic only. */
  readonly standardError: number | null;
  /** Percentiles of the draws. */
  readonly interval: Interval | null;
  /** Draws in which the number was not defined, which are left out. */
  readonly undefinedDraws: number;
}

/** Draws as many topics as there are, with replacement, and computes numbers from each draw.
 *  @param numValues How many numbers.
 *  @param compute Writes the numbers of a draw, given how often each topic was drawn; NaN for one that is not defined. */
export function resampleTopics(
  numTopics: number,
  numValues: number,
  compute: (times: Uint32Array, values: Float64Array) => void,
  options: TopicResamplingOptions = {},
): ResampledValue[] {
  const { resamples = 10_000, seed = 1, level = 0.95 } = options;
  requireResamples(resamples);
  requireSeed(seed);
  requireFraction('level', level);
  // one topic can be drawn in one way only, which says nothing of other topics
  if (numTopics < 2) return Array.from({ length: numValues }, () => ({ standardError: null, interval: null, undefinedDraws: 0 }));
  const times = new Uint32Array(numTopics); // fits: entries
  const values = new Float64Array(numValues);
  const draws = Array.from({ length: numValues }, () => new Float64Array(resamples));
  const random = seededRandom(seed);
  for (let draw = 0; draw < resamples; draw++) {
    times.fill(0);
    for (let t = 0; t < numTopics; t++) times[random.below(numTopics)]++;
    compute(times, values);
    for (let v = 0; v < numValues; v++) draws[v][draw] = values[v];
  }
  return draws.map((own) => summaryOf(own, level));
}

function summaryOf(draws: Float64Array, level: number): ResampledValue {
  const defined = draws.filter((value) => !Number.isNaN(value)).sort();
  const undefinedDraws = draws.length - defined.length;
  if (defined.length < 2) return { standardError: null, interval: null, undefinedDraws };
  let mean = 0;
  for (const value of defined) mean += value / defined.length;
  let squares = 0;
  for (const value of defined) squares += (value - mean) ** 2;
  const tail = (1 - level) / 2;
  return {
    standardError: Math.sqrt(squares / (defined.length - 1)),
    interval: { low: quantileSorted(defined, tail), high: quantileSorted(defined, 1 - tail), level },
    undefinedDraws,
  };
}
