import { requirePositive } from '../checks.js';
import { chiStep, expectOverChi } from './chi-mixture.js';
import { requireNumber } from './distributions.js';
import { gaussian, incompleteBeta, incompleteGamma, logRatioDeviance, normalUpperTail, stirlingRemainder } from './special-functions.js';

/** P(T > t) for a non-central t: (Z + noncentrality)/√(χ²/df). Power of a t test, and intervals of standardised differences. */
export function noncentralTUpperTail(t: number, df: number, noncentrality: number): number {
  requireNumber(t);
  requireNumber(noncentrality);
  requirePositive('degrees of freedom', df);
  const isFar = Math.abs(noncentrality) > FAR * Math.sqrt(2 * df) + 40;
  return Math.min(1, isFar ? farTUpperTail(t, df, noncentrality) : mixedTUpperTail(t, df, noncentrality));
}

/** From so many standard deviations of the denominator on, averaging over the numerator is less work and as exact. */
const FAR = 500;

/** The tail as a mixture over the denominator; the work grows with the noncentrality. */
export function mixedTUpperTail(t: number, df: number, noncentrality: number): number {
  return expectOverChi(df, noncentralStep(df, noncentrality), (s) => normalUpperTail(t * s - noncentrality));
}

/** The tail as a mixture over the numerator Z + noncentrality, which cannot change its sign here: the integrand is as smooth as the normal
 *  density, so that a few terms of the trapezoidal rule are exact. */
function farTUpperTail(t: number, df: number, noncentrality: number): number {
  if (t * noncentrality <= 0) return noncentrality > 0 ? 1 : 0;
  const side = noncentrality > 0 ? 'lower' : 'upper';
  let sum = 0;
  for (let z = -9; z <= 9; z += Z_STEP) {
    const ratio = (z + Math.abs(noncentrality)) / Math.abs(t);
    sum += gaussian(z) * incompleteGamma(df / 2, (df / 2) * ratio * ratio)[side];
  }
  return (sum * Z_STEP) / Math.sqrt(2 * Math.PI);
}

const Z_STEP = 0.25;

/** P(T ≤ t) for a non-central t. */
export function noncentralTCdf(t: number, df: number, noncentrality: number): number {
  return noncentralTUpperTail(-t, df, -noncentrality);
}

/** The normal tail in the mixture turns over within 1/|noncentrality| of ln s, which the step must resolve too. */
function noncentralStep(df: number, noncentrality: number): number {
  return Math.min(chiStep(df), 0.5 / (1 + Math.abs(noncentrality)));
}

/** P(F > x) for a non-central F: the power of an analysis of variance. A mixture of central tails with Poisson weights,
 *  summed outwards from the largest weight. */
export function noncentralFUpperTail(x: number, df1: number, df2: number, noncentrality: number): number {
  requireNumber(x);
  requirePositive('numerator degrees of freedom', df1);
  requirePositive('denominator degrees of freedom', df2);
  if (x <= 0) return 1;
  const ratio = (df1 / df2) * x;
  const tail = (j: number): number => incompleteBeta(df2 / 2, df1 / 2 + j, 1 / (1 + ratio), 1 / (1 + 1 / ratio)).lower;
  if (noncentrality === 0) return tail(0);
  requirePositive('noncentrality', noncentrality);
  const mean = noncentrality / 2;
  const mode = Math.floor(mean);
  // weights and tails change little from one term to the next where there are thousands of them: every so many-th stands for its neighbours
  const stride = df2 < mean ? Math.max(1, Math.floor(Math.sqrt(mean) / TERMS_PER_DEVIATION)) : 1;
  let sum = 0;
  for (let j = mode; ; j += stride) {
    const weight = poissonWeight(j, mean);
    sum += weight * tail(j);
    if (weight < sum * 1e-17) break;
  }
  for (let j = mode - stride; j >= 0; j -= stride) {
    const term = poissonWeight(j, mean) * tail(j);
    sum += term;
    if (term < sum * 1e-17) break;
  }
  sum *= stride;
  return Math.min(1, sum);
}

const TERMS_PER_DEVIATION = 100;

/** The chance of j events where `mean` are expected, without the difference of large logarithms. */
function poissonWeight(j: number, mean: number): number {
  if (j === 0) return Math.exp(-mean);
  return Math.exp(j * logRatioDeviance(mean, j) - stirlingRemainder(j)) / Math.sqrt(2 * Math.PI * j);
}
