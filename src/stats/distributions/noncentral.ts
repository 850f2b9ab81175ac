import { requirePositive } from '../checks.js';
import { chiStep, expectOverChi } from './chi-mixture.js';
import { requireNumber } from './distributions.js';
import { incompleteBeta, logGamma, normalUpperTail } from './special-functions.js';

/** P(T > t) for a non-central t: (Z + noncentrality)/√(χ²/df). Power of a t test, and intervals of standardised differences. */
export function noncentralTUpperTail(t: number, df: number, noncentrality: number): number {
  requireNumber(t);
  requireNumber(noncentrality);
  requirePositive('degrees of freedom', df);
  return Math.min(
    1,
    expectOverChi(df, noncentralStep(df, noncentrality), (s) => normalUpperTail(t * s - noncentrality)),
  );
}

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
  const heaviest = Math.exp(-mean + mode * Math.log(mean) - logGamma(mode + 1));
  let sum = 0;
  let weight = heaviest;
  for (let j = mode; ; j++) {
    const term = weight * tail(j);
    sum += term;
    if (weight < sum * 1e-17) break;
    weight *= mean / (j + 1);
  }
  weight = heaviest;
  for (let j = mode; j > 0; j--) {
    weight *= j / mean;
    const term = weight * tail(j - 1);
    sum += term;
    if (term < sum * 1e-17) break;
  }
  return Math.min(1, sum);
}
