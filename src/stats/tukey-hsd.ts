import { oneWayAnova, twoWayAnova } from './anova.js';
import { quantileSorted } from './bootstrap.js';
import { requireFraction, requireOneOf, requireResamples, requireSeed, requireSystems, requireWhole, type Values } from './checks.js';
import { studentizedRangeDistribution } from './distributions/studentized-range.js';
import { meanOf } from './moments.js';
import { createResampler } from './resampling.js';

/** The systems to be compared, all pairs together. */
export interface TukeyHsdOptions {
  /** One array of per-topic values per system, all over the same topics in the same order. */
  readonly systems: readonly Values[];
  /** Where the error comes from. *two-way* (the default) takes out the topics' difficulty, as paired scores require; *one-way*
   *  treats the topics of each system as unrelated. */
  readonly design?: 'two-way' | 'one-way';
  /** Joint level of all intervals, 0.95 by default. */
  readonly level?: number;
}

/** Which pairs of systems differ, at one level for all pairs together. */
export interface TukeyHsdResult {
  readonly test: 'Tukey HSD';
  readonly method: 'studentised range after two-way analysis of variance' | 'studentised range after one-way analysis of variance';
  readonly topics: number;
  readonly systemMeans: Float64Array;
  readonly meanSquareError: number;
  readonly degreesOfFreedom: number;
  /** Mean differences and p-values of the pairs (0,1), (0,2), …; see `pairNumber`. The p-values need no further correction. */
  readonly meanDifferences: Float64Array;
  readonly pValues: Float64Array;
  /** Every interval is its mean difference plus and minus this; a larger difference is significant at 1 − level. */
  readonly halfWidth: number;
  readonly level: number;
}

/** Tukey's honestly significant difference: all pairs of systems at once, with the chance of any false claim held at 1 − level. */
export function tukeyHsd(options: TukeyHsdOptions): TukeyHsdResult {
  const { systems, design = 'two-way', level = 0.95 } = options;
  requireOneOf('design', design, ['two-way', 'one-way']);
  requireFraction('level', level);
  const analysis = design === 'two-way' ? twoWayAnova({ systems }) : oneWayAnova({ systems });
  const { systemMeans, error } = analysis;
  const topics = systems[0].length;
  const standardError = Math.sqrt(error.meanSquare / topics);
  const distribution = studentizedRangeDistribution(systems.length, error.degreesOfFreedom);
  const meanDifferences = pairDifferences(systemMeans);
  const pValues = meanDifferences.map((difference) =>
    difference === 0 ? 1 : standardError === 0 ? 0 : distribution.upperTail(Math.abs(difference) / standardError),
  );
  return {
    test: 'Tukey HSD',
    method: `studentised range after ${design} analysis of variance`,
    topics,
    systemMeans,
    meanSquareError: error.meanSquare,
    degreesOfFreedom: error.degreesOfFreedom,
    meanDifferences,
    pValues,
    halfWidth: standardError === 0 ? 0 : standardError * distribution.upperQuantile(1 - level),
    level,
  };
}

/** Mean i − mean j for every pair i < j. */
export function pairDifferences(means: Float64Array): Float64Array {
  const out = new Float64Array((means.length * (means.length - 1)) / 2);
  let pair = 0;
  for (let i = 0; i < means.length; i++) for (let j = i + 1; j < means.length; j++) out[pair++] = means[i] - means[j];
  return out;
}

/** The systems to be compared, all pairs together, by permutations within topics. */
export interface RandomizedTukeyHsdOptions {
  readonly systems: readonly Values[];
  readonly seed: number;
  /** 10,000 by default. */
  readonly resamples?: number;
  /** Joint level of the critical difference, 0.95 by default. */
  readonly level?: number;
  /** The ranges of `createResampler(systems).permutedRanges(seed, 0, resamples)`, if they have been computed already, perhaps by
   *  several threads. */
  readonly ranges?: Float64Array;
}

/** Which pairs of systems differ, at one level for all pairs together, without assuming a distribution. */
export interface RandomizedTukeyHsdResult {
  readonly test: 'randomised Tukey HSD';
  readonly method: 'range of system means under permutation within topics';
  readonly topics: number;
  readonly resamples: number;
  readonly seed: number;
  readonly systemMeans: Float64Array;
  /** Mean differences and p-values of the pairs (0,1), (0,2), …; see `pairNumber`. The p-values need no further correction. */
  readonly meanDifferences: Float64Array;
  readonly pValues: Float64Array;
  /** The difference that a pair must exceed to be significant at 1 − level. */
  readonly criticalDifference: number;
  readonly level: number;
}

/** Tukey's test without its assumptions: the scores of each topic are dealt out at random among the systems, and a pair's p-value
 *  is the share of deals, the observed one included, whose largest difference of means reaches the pair's difference
 *  (Carterette, doi:10.1145/2094072.2094076). */
export function randomizedTukeyHsd(options: RandomizedTukeyHsdOptions): RandomizedTukeyHsdResult {
  const { systems, seed, resamples = 10_000, level = 0.95 } = options;
  requireSystems(systems, 2, 2);
  requireSeed(seed);
  requireResamples(resamples);
  requireFraction('level', level);
  const ranges = (options.ranges ?? createResampler(systems).permutedRanges(seed, 0, resamples)).slice().sort();
  requireWhole('number of ranges', ranges.length, resamples, resamples);
  const systemMeans = Float64Array.from(systems, (values) => meanOf(values));
  const meanDifferences = pairDifferences(systemMeans);
  // sums in another order differ by rounding; such a range reaches the difference
  const rounding = 1e-13 * largestSize(systems);
  const pValues = meanDifferences.map(
    (difference) => (1 + ranges.length - firstAtLeast(ranges, Math.abs(difference) - rounding)) / (ranges.length + 1),
  );
  return {
    test: 'randomised Tukey HSD',
    method: 'range of system means under permutation within topics',
    topics: systems[0].length,
    resamples,
    seed,
    systemMeans,
    meanDifferences,
    pValues,
    criticalDifference: quantileSorted(ranges, level),
    level,
  };
}

function largestSize(systems: readonly Values[]): number {
  let largest = 0;
  for (const values of systems) for (let t = 0; t < values.length; t++) largest = Math.max(largest, Math.abs(values[t]));
  return largest;
}

/** The position of the first of the ascending values that is at least `value`. */
function firstAtLeast(ascending: Float64Array, value: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
