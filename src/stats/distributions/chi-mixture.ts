import { stirlingRemainder } from './special-functions.js';

/** The expectation of f(S) where S = √(χ²/df), the ratio of an estimated to a true standard deviation. Both the studentised
 *  range and the non-central t are such mixtures.
 *
 *  In u = ln s the integrand is analytic and falls off exponentially to the left and faster to the right, so that the plain
 *  trapezoidal rule converges geometrically (Trefethen and Weideman, doi:10.1137/130932132). All terms are positive:
 *  a small expectation keeps its relative accuracy. `step` must resolve f as well as the density; `f` may underflow to 0. */
export function expectOverChi(df: number, step: number, f: (s: number) => number): number {
  const shape = df / 2;
  const scale = 2 * Math.sqrt(shape / (2 * Math.PI)) * Math.exp(-stirlingRemainder(shape));
  const term = (u: number): number => {
    const weight = Math.exp(-shape * (Math.expm1(2 * u) - 2 * u));
    return weight === 0 ? 0 : weight * f(Math.exp(u));
  };
  // beyond these the density alone underflows
  const lowest = -750 / df - 1;
  const highest = 0.5 * Math.log(1 + 1500 / df) + 4 / Math.sqrt(df);
  let sum = 0;
  for (let u = 0; u > lowest; u -= step) {
    const value = term(u);
    sum += value;
    if (sum > 0 && value < sum * 1e-18) break;
  }
  for (let u = step; u < highest; u += step) {
    const value = term(u);
    sum += value;
    if (sum > 0 && value < sum * 1e-18) break;
  }
  return sum * step * scale;
}

/** A step that resolves the density of ln S, or any Gaussian-like product of it with precision `extra` more. */
export function chiStep(df: number, extra = 0): number {
  return Math.min(0.1, 0.5 / Math.sqrt(2 * (df + extra)));
}
