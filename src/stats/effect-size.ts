import { requireFraction, requirePaired, type Values } from './checks.js';
import { chiSquaredDistribution } from './distributions/distributions.js';
import { noncentralTCdf, noncentralTUpperTail } from './distributions/noncentral.js';
import { rootBetween } from './distributions/root-finding.js';
import { logGamma } from './distributions/special-functions.js';
import { differencesOf, type Interval, plainMean, standardDeviationOf } from './moments.js';
import { pairedTTest } from './t-test.js';

/** Two systems over the same topics, and which intervals are wanted. */
export interface EffectSizeOptions {
  readonly first: Values;
  /** The baseline, whose spread Glass's Δ measures by. */
  readonly second: Values;
  /** Level of the intervals, 0.95 by default. */
  readonly level?: number;
  /** Whether standardised differences get intervals, which take nearly all of the time; true by default. */
  readonly standardizedIntervals?: boolean;
}

/** A standardised difference; null where the spread to measure it by is 0. The interval is null also where none was asked for. */
export interface StandardizedDifference {
  readonly value: number | null;
  readonly interval: Interval | null;
}

/** How large a difference is, in the measure's own unit and relative to how scores vary. */
export interface EffectSizes {
  readonly topics: number;
  /** Mean of first − second, in the measure's own unit, with Student's interval. */
  readonly meanDifference: { readonly value: number; readonly interval: Interval };
  /** Mean difference over the standard deviation of the differences: what a paired test sees. */
  readonly cohenDz: StandardizedDifference;
  /** Mean difference over the pooled standard deviation of the two systems, corrected for small-sample bias. */
  readonly hedgesG: StandardizedDifference;
  /** Mean difference over the standard deviation of the second system. */
  readonly glassDelta: StandardizedDifference;
  readonly intervalMethod: 'Student t for the mean difference, non-central t for the standardised ones';
}

/** Sizes of the difference between two systems over the same topics. The interval of d_z inverts the non-central t distribution
 *  and is exact for normal differences; those of g and Δ rescale it by the ratio of the two standard deviations, after Algina and
 *  Keselman (doi:10.1177/0013164403256358). */
export function effectSizes(options: EffectSizeOptions): EffectSizes {
  const { first, second, level = 0.95, standardizedIntervals = true } = options;
  requirePaired(first, second, 2);
  requireFraction('level', level);
  const test = pairedTTest({ first, second, level });
  const topics = first.length;
  const mean = test.meanDifference;
  const found = standardDeviationOf(differencesOf(first, second));
  // differences that are all 0.1 still differ in their last bits; that is no spread to measure by
  const spread = found <= ROUNDING * Math.abs(mean) ? 0 : found;
  const spreadFirst = standardDeviationOf(first);
  const spreadSecond = standardDeviationOf(second);
  const pooled = Math.sqrt((spreadFirst * spreadFirst + spreadSecond * spreadSecond) / 2);
  const dz = spread === 0 || !standardizedIntervals ? null : noncentralInterval(test.statistic, topics, level);
  const standardized = (unit: number, factor: number): StandardizedDifference => ({
    value: unit === 0 ? null : (factor * mean) / unit,
    interval: unit === 0 || dz === null ? null : scaled(dz, (factor * spread) / unit),
  });
  return {
    topics,
    meanDifference: { value: mean, interval: test.interval },
    cohenDz: standardized(spread, 1),
    hedgesG: standardized(pooled, hedgesCorrection(2 * (topics - 1))),
    glassDelta: standardized(spreadSecond, 1),
    intervalMethod: 'Student t for the mean difference, non-central t for the standardised ones',
  };
}

/** The factor that makes a standardised difference with `df` degrees of freedom unbiased (Hedges, doi:10.3102/10769986006002107). */
export function hedgesCorrection(df: number): number {
  return Math.exp(logGamma(df / 2) - logGamma((df - 1) / 2)) / Math.sqrt(df / 2);
}

/** A spread of this share of the mean is the rounding of equal differences. */
const ROUNDING = 1e-12;
/** Beyond this t the normal part of a non-central t moves the limits by less than a hundred thousandth of themselves for a hundred
 *  topics, and the integral over it would take as many steps as t is large. */
const LARGE_T = 1000;

/** All values of d_z that a two-sided test of the observed t would not reject. */
function noncentralInterval(t: number, topics: number, level: number): Interval {
  const df = topics - 1;
  const outside = (1 - level) / 2;
  const root = Math.sqrt(topics);
  if (Math.abs(t) > LARGE_T) {
    const chiSquared = chiSquaredDistribution(df);
    const ends = [chiSquared.quantile(outside), chiSquared.upperQuantile(outside)].map((end) => (t / root) * Math.sqrt(end / df));
    return { low: Math.min(...ends), high: Math.max(...ends), level };
  }
  const low = growingRoot((delta) => noncentralTUpperTail(t, df, delta) - outside, t);
  const high = growingRoot((delta) => outside - noncentralTCdf(t, df, delta), t);
  return { low: low / root, high: high / root, level };
}

/** The root of a growing function, looked for around `centre` in ever wider brackets. */
function growingRoot(f: (x: number) => number, centre: number): number {
  let reach = 2 + Math.abs(centre);
  while (f(centre - reach) > 0 || f(centre + reach) < 0) reach *= 2;
  return rootBetween(f, centre - reach, centre + reach);
}

function scaled(interval: Interval, factor: number): Interval {
  return { low: interval.low * factor, high: interval.high * factor, level: interval.level };
}

/** The values of one system, and the level of the interval around their mean. */
export interface MeanIntervalOptions {
  readonly values: Values;
  /** 0.95 by default. */
  readonly level?: number;
}

/** One system's mean over topics with Student's interval. */
export function meanInterval(options: MeanIntervalOptions): { readonly mean: number; readonly interval: Interval } {
  const { values, level = 0.95 } = options;
  const { interval } = pairedTTest({ first: values, second: new Float64Array(values.length), level });
  // the mean that every table shows, to the last bit
  return { mean: plainMean(values), interval };
}
