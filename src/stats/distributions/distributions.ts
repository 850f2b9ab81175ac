import { requireParam } from '../../core/params.js';
import { requirePositive, requireWhole } from '../checks.js';
import { positiveQuantile } from './root-finding.js';
import {
  gaussian,
  incompleteBeta,
  incompleteGamma,
  normalCentralArea,
  normalUpperTail,
  SQRT_TWO_PI,
  scaledNormalTail,
  type Tails,
} from './special-functions.js';

/** A probability distribution. Both tails are offered because `1 - cdf(x)` has no right digit left where a p-value is
 *  small: use `upperTail` for large x and `upperQuantile` for small probabilities of exceeding. */
export interface Distribution {
  readonly name: string;
  /** P(X ≤ x). */
  cdf(x: number): number;
  /** P(X > x); for the continuous distributions also P(X ≥ x). */
  upperTail(x: number): number;
  /** The x below which lies the share p. */
  quantile(p: number): number;
  /** The x above which lies the share p. */
  upperQuantile(p: number): number;
}

/** Refuses a probability outside [0, 1]. */
export function requireProbability(p: number): number {
  if (!(p >= 0 && p <= 1)) requireParam('probability', { type: 'number', min: 0, max: 1 }, p);
  return p;
}

/** Refuses NaN, which would come out of every distribution as a plausible number. */
export function requireNumber(x: number): number {
  if (Number.isNaN(x)) requireParam('value', { type: 'number' }, x);
  return x;
}

/** The standard normal distribution. */
export const normalDistribution: Distribution = {
  name: 'normal',
  cdf(x) {
    requireNumber(x);
    return normalUpperTail(-x);
  },
  upperTail(x) {
    requireNumber(x);
    return normalUpperTail(x);
  },
  quantile(p) {
    return -normalDistribution.upperQuantile(p);
  },
  upperQuantile(p) {
    requireProbability(p);
    if (p > 0.5) return p === 1 ? Number.NEGATIVE_INFINITY : -normalUpperQuantile(1 - p, p - 0.5);
    return p === 0 ? Number.POSITIVE_INFINITY : normalUpperQuantile(p, 0.5 - p);
  },
};

/** The x > 0 with upper tail p and central area `area` = ½ − p; near the middle only the area still has digits. */
function normalUpperQuantile(p: number, area: number): number {
  if (area < 0.1) {
    let x = area * SQRT_TWO_PI;
    for (let round = 0; round < 20; round++) {
      const step = ((normalCentralArea(x) - area) * SQRT_TWO_PI) / gaussian(x);
      x -= step;
      if (Math.abs(step) <= 1e-16 * x) break;
    }
    return x;
  }
  // ln of the tail is concave, so Newton's method comes down on the root from the right and cannot miss it
  const logP = Math.log(p);
  let x = Math.sqrt(-2 * logP);
  for (let round = 0; round < 50; round++) {
    const scaled = scaledNormalTail(x);
    const step = (Math.log(scaled) - 0.5 * x * x - logP) * scaled * SQRT_TWO_PI;
    x += step;
    if (Math.abs(step) <= 1e-16 * x) break;
  }
  return x;
}

/** Student's t with `df` degrees of freedom (any positive number; Infinity gives the normal). */
export function tDistribution(df: number): Distribution {
  if (df === Number.POSITIVE_INFINITY) return normalDistribution;
  requirePositive('degrees of freedom', df);
  // both tails of x², from I_{df/(df+x²)}(df/2, 1/2), with the fraction written so that x² cannot overflow
  const squareTails = (x: number): Tails => {
    const squared = (x / df) * x;
    if (squared === Number.POSITIVE_INFINITY) return { lower: 0, upper: 1 };
    return incompleteBeta(df / 2, 0.5, 1 / (1 + squared), squared / (1 + squared));
  };
  const tailAbove = (x: number): number => 0.5 * squareTails(x).lower;
  const areaFromZero = (x: number): number => 0.5 * squareTails(x).upper;
  const upperTail = (x: number): number => {
    requireNumber(x);
    return x < 0 ? 1 - tailAbove(-x) : tailAbove(x);
  };
  const upperQuantile = (p: number): number => {
    requireProbability(p);
    if (p === 0) return Number.POSITIVE_INFINITY;
    if (p > 0.5) return -upperQuantile(1 - p);
    // near the middle only the area between 0 and x still has digits
    if (p > 0.25) return positiveQuantile(areaFromZero, 0.5 - p, 1, 1);
    return positiveQuantile(tailAbove, p, -1, normalUpperQuantile(p, 0.5 - p));
  };
  return {
    name: `t(${df})`,
    cdf: (x) => upperTail(-x),
    upperTail,
    quantile: (p) => -upperQuantile(p),
    upperQuantile,
  };
}

/** Chi-squared with `df` degrees of freedom. */
export function chiSquaredDistribution(df: number): Distribution {
  requirePositive('degrees of freedom', df);
  return positiveDistribution(`chi-squared(${df})`, (x) => incompleteGamma(df / 2, x / 2), df, Number.POSITIVE_INFINITY);
}

/** Fisher and Snedecor's F with `df1` (numerator) and `df2` (denominator) degrees of freedom. */
export function fDistribution(df1: number, df2: number): Distribution {
  requirePositive('numerator degrees of freedom', df1);
  requirePositive('denominator degrees of freedom', df2);
  const tails = (x: number): Tails => {
    const ratio = (df1 / df2) * x;
    return incompleteBeta(df1 / 2, df2 / 2, 1 / (1 + 1 / ratio), 1 / (1 + ratio));
  };
  return positiveDistribution(`F(${df1}, ${df2})`, tails, 1, Number.POSITIVE_INFINITY);
}

/** The beta distribution on [0, 1]. */
export function betaDistribution(a: number, b: number): Distribution {
  requirePositive('first shape of beta', a);
  requirePositive('second shape of beta', b);
  return positiveDistribution(`beta(${a}, ${b})`, (x) => incompleteBeta(a, b, x, 1 - x), a / (a + b), 1);
}

/** A continuous distribution on (0, end) from a function that gives both its tails, and is asked between these ends only. */
export function positiveDistribution(name: string, tails: (x: number) => Tails, centre: number, end: number): Distribution {
  const lower = (x: number): number => (x <= 0 ? 0 : x >= end ? 1 : tails(x).lower);
  const upper = (x: number): number => (x <= 0 ? 1 : x >= end ? 0 : tails(x).upper);
  // solve for whichever tail is the smaller, where the relative accuracy is
  const solve = (below: number, above: number): number => {
    if (below === 0) return 0;
    if (above === 0) return end;
    const x = below < above ? positiveQuantile(lower, below, 1, centre) : positiveQuantile(upper, above, -1, centre);
    return Math.min(x, end);
  };
  return checked({ name, cdf: lower, upperTail: upper, quantile: (p) => solve(p, 1 - p), upperQuantile: (p) => solve(1 - p, p) });
}

/** The same distribution, which refuses what is no number and no probability. */
function checked({ name, cdf, upperTail, quantile, upperQuantile }: Distribution): Distribution {
  return {
    name,
    cdf: (x) => cdf(requireNumber(x)),
    upperTail: (x) => upperTail(requireNumber(x)),
    quantile: (p) => quantile(requireProbability(p)),
    upperQuantile: (p) => upperQuantile(requireProbability(p)),
  };
}

/** The number of successes in `trials` independent trials. `quantile(p)` is the smallest count whose cdf reaches p,
 *  `upperQuantile(p)` the smallest count whose upper tail does not exceed p. */
export function binomialDistribution(trials: number, probability: number): Distribution {
  requireWhole('number of trials', trials, 0);
  requireProbability(probability);
  const lower = (k: number): number => {
    const count = Math.floor(k);
    if (count < 0) return 0;
    if (count >= trials) return 1;
    return incompleteBeta(count + 1, trials - count, probability, 1 - probability).upper;
  };
  const upper = (k: number): number => {
    const count = Math.floor(k);
    if (count < 0) return 1;
    if (count >= trials) return 0;
    return incompleteBeta(count + 1, trials - count, probability, 1 - probability).lower;
  };
  const smallest = (reached: (k: number) => boolean): number => {
    let low = 0;
    let high = trials;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (reached(middle)) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  // rounding of a tail must not push the quantile of cdf(k) to k + 1
  const slack = 1e-13;
  return checked({
    name: `binomial(${trials}, ${probability})`,
    cdf: lower,
    upperTail: upper,
    quantile: (p) => smallest((k) => lower(k) >= p * (1 - slack)),
    upperQuantile: (p) => smallest((k) => upper(k) <= p * (1 + slack)),
  });
}
