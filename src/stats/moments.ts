import type { Values } from './checks.js';

/** What the subtraction of two numbers may leave of the rounding of each, as a part of their size. */
const ROUNDING = 2 ** -50;

/** The differences first − second, topic by topic. Where all of them are equal but for rounding, as 0.3 − 0.2 and 0.4 − 0.3 are,
 *  they are made equal: a spread of some 1e-17 is none, and must not be taken for one. */
export function differencesOf(first: Values, second: Values): Float64Array {
  const out = new Float64Array(first.length);
  differencesInto(out, first, second);
  return out;
}

/** The differences of paired values; if they are equal but for rounding, they are made equal, so that no test sees a spread
 *  that is not there. */
export function differencesInto(out: Float64Array, first: Values, second: Values): void {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  let size = 0;
  for (let i = 0; i < out.length; i++) {
    const difference = first[i] - second[i];
    out[i] = difference;
    if (difference < least) least = difference;
    if (difference > most) most = difference;
    const larger = Math.max(Math.abs(first[i]), Math.abs(second[i]));
    if (larger > size) size = larger;
  }
  if (most !== least && most - least <= ROUNDING * size) out.fill(out[0]);
}

/** The mean as score tables have it: the plain sum in the order of the topics, divided by their number. */
export function plainMean(values: Values): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i];
  return sum / values.length;
}

/** The mean, exact to nearly the last bit. */
export function meanOf(values: Values): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i];
  // a second pass takes out most of the rounding of the first
  const rough = sum / values.length;
  let rest = 0;
  for (let i = 0; i < values.length; i++) rest += values[i] - rough;
  return rough + rest / values.length;
}

/** Sum of squared deviations from `mean`. */
export function squaresAround(values: Values, mean: number): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) {
    const deviation = values[i] - mean;
    sum += deviation * deviation;
  }
  return sum;
}

/** The sample standard deviation, with n − 1. It is exactly 0 when all values are equal, whatever their mean rounds to. */
export function standardDeviationOf(values: Values, mean: number = meanOf(values)): number {
  return allEqual(values) ? 0 : Math.sqrt(squaresAround(values, mean) / (values.length - 1));
}

/** Whether values do not vary, so that tests which divide by their spread do not apply. */
export function allEqual(values: Values): boolean {
  for (let i = 1; i < values.length; i++) if (values[i] !== values[0]) return false;
  return true;
}

/** An interval and the level at which it was made. */
export interface Interval {
  readonly low: number;
  readonly high: number;
  /** The share of such intervals that hold the true value, 0.95 for instance. */
  readonly level: number;
}
