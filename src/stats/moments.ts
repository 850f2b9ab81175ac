import type { Values } from './checks.js';

/** The differences first − second, topic by topic. */
export function differencesOf(first: Values, second: Values): Float64Array {
  const out = new Float64Array(first.length);
  for (let i = 0; i < out.length; i++) out[i] = first[i] - second[i];
  return out;
}

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
