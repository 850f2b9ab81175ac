/** The functions under the distributions: both tails are always computed as positive sums, so that a probability of
 *  1e-12 has as many right digits as one of 0.5. */

const HALF_LOG_TWO_PI = 0.9189385332046727;
/** The divisor of the normal density, rounded once instead of at each use. */
export const SQRT_TWO_PI = 2.5066282746310002;

/** The two tails of a distribution at one point. The smaller is computed directly, the larger as its complement. */
export interface Tails {
  readonly lower: number;
  readonly upper: number;
}

/** Chebyshev coefficients, in y = 2t − 1, of Q(x)·exp(x²/2)/t with t = 4/(4 + x) and Q the normal upper tail, x ≥ 0.
 *  Made with mpmath at 50 digits (`scripts/golden/stats_mpmath.py mills`); the first one left out is below 1e-17. */
const SCALED_NORMAL_TAIL: readonly number[] = [
  0.24261280114151915, 0.18792720420989265, 0.05554838891881276, 0.012129438315111521, 0.0017314801240606202, 8.014961859953749e-5,
  -2.5136847908026697e-5, -4.725842254926741e-6, 2.5258922136865774e-7, 1.536333687349456e-7, -8.452550300172939e-10, -5.171627015435708e-9,
  -2.8206509081173767e-11, 1.9435038070971737e-10, -2.485356047851177e-12, -7.936207374645758e-12, 4.606201711176235e-13,
  3.2821541166777413e-13, -4.353840663163703e-14, -1.2268185079261061e-14, 3.232846081541394e-15, 3.0451658804315853e-16,
  -2.0130368431552333e-16, 7.151235360654053e-18, 1.0142661060838386e-17,
];

/** Clenshaw's sum of a Chebyshev series at y in [−1, 1]. */
export function chebyshevSum(coefficients: ArrayLike<number>, from: number, to: number, y: number): number {
  let next = 0;
  let afterNext = 0;
  const twice = 2 * y;
  for (let k = to - 1; k > from; k--) {
    const here = coefficients[k] + twice * next - afterNext;
    afterNext = next;
    next = here;
  }
  return coefficients[from] + y * next - afterNext;
}

/** exp(−x²/2) without the rounding of x² being blown up by the exponential: x is split so that the larger square is exact. */
export function gaussian(x: number): number {
  const coarse = Math.round(x * 256) / 256;
  return Math.exp(-0.5 * coarse * coarse) * Math.exp(-0.5 * (x - coarse) * (x + coarse));
}

/** Normal upper tail divided by exp(−x²/2), for x ≥ 0: a slowly falling function that never underflows. */
export function scaledNormalTail(x: number): number {
  const t = 4 / (4 + x);
  return t * chebyshevSum(SCALED_NORMAL_TAIL, 0, SCALED_NORMAL_TAIL.length, 2 * t - 1);
}

/** P(Z > x) for a standard normal Z. */
export function normalUpperTail(x: number): number {
  if (x < 0) return 1 - normalUpperTail(-x);
  return x > 40 ? 0 : gaussian(x) * scaledNormalTail(x);
}

/** P(0 < Z < x) by its power series, which keeps the relative accuracy near 0 that a difference of tails would lose. */
export function normalCentralArea(x: number): number {
  let term = x;
  let sum = x;
  for (let odd = 3; Math.abs(term) > Math.abs(sum) * 1e-17; odd += 2) {
    term *= (x * x) / odd;
    sum += term;
  }
  return (sum * gaussian(x)) / SQRT_TWO_PI;
}

/** ln(1 + u) − u for 1 + u = value/centre, without the cancellation near 1 (where ln(1 + u) = 2·artanh(u/(2 + u)) serves)
 *  and without the rounding of u to −1 for a tiny value. */
export function logRatioDeviance(value: number, centre: number): number {
  const u = (value - centre) / centre;
  if (u < -0.4 || u > 0.6) return Math.log(value / centre) - u;
  const r = u / (2 + u);
  const square = r * r;
  let power = square;
  let sum = 0;
  for (let odd = 3; power > 1e-18; odd += 2) {
    sum += power / odd;
    power *= square;
  }
  return r * (2 * sum - u);
}

/** What Stirling's formula lacks: ln Γ(x) − [(x − ½) ln x − x + ½ ln 2π], for x > 0. */
export function stirlingRemainder(x: number): number {
  // the asymptotic series is exact to the last digit from 10 on; below, step up by Γ(x + 1) = xΓ(x)
  let steps = 0;
  let at = x;
  while (at < 10) {
    steps += (at + 0.5) * Math.log1p(1 / at) - 1;
    at += 1;
  }
  const inverse = 1 / at;
  const square = inverse * inverse;
  const series =
    inverse *
    (1 / 12 -
      square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square * (1 / 1188 - square * (691 / 360360 - square / 156))))));
  return series + steps;
}

/** ln Γ(x) for x > 0. */
export function logGamma(x: number): number {
  return (x - 0.5) * Math.log(x) - x + HALF_LOG_TWO_PI + stirlingRemainder(x);
}

/** Both regularised incomplete gamma functions, P(a, x) and Q(a, x), for 0 ≤ x < ∞. */
export function incompleteGamma(a: number, x: number): Tails {
  // x^a e^-x / Γ(a), with the large parts of Stirling's formula cancelled before the exponential (Loader's device)
  const density = Math.exp(a * logRatioDeviance(x, a) - stirlingRemainder(a)) * Math.sqrt(a / (2 * Math.PI));
  if (x < a + 1) {
    let term = 1 / a;
    let sum = term;
    for (let n = 1; term > sum * 1e-17; n++) {
      term *= x / (a + n);
      sum += term;
    }
    const lower = density * sum;
    return { lower, upper: 1 - lower };
  }
  const upper = density * gammaFraction(a, x);
  return { lower: 1 - upper, upper };
}

/** Legendre's continued fraction of Γ(a, x) e^x / x^a, by the modified Lentz method. */
function gammaFraction(a: number, x: number): number {
  let b = x + 1 - a;
  let c = 1 / TINY;
  let d = 1 / b;
  let value = d;
  for (let i = 1; i < 100_000; i++) {
    const numerator = -i * (i - a);
    b += 2;
    d = 1 / nonZero(numerator * d + b);
    c = nonZero(b + numerator / c);
    const factor = c * d;
    value *= factor;
    if (Math.abs(factor - 1) < 1e-16) break;
  }
  return value;
}

/** Both regularised incomplete beta functions: lower = I_x(a, b), upper = I_y(b, a). The caller gives x and y = 1 − x each
 *  with full accuracy, because one of them cannot be got back from the other near 0. */
export function incompleteBeta(a: number, b: number, x: number, y: number): Tails {
  const sum = a + b;
  const logDensity =
    a * logRatioDeviance(x * sum, a) +
    b * logRatioDeviance(y * sum, b) +
    stirlingRemainder(sum) -
    stirlingRemainder(a) -
    stirlingRemainder(b);
  const density = Math.exp(logDensity) * Math.sqrt(((a / sum) * b) / (2 * Math.PI));
  if (x < (a + 1) / (sum + 2)) {
    const lower = (density * betaFraction(a, b, x)) / a;
    return { lower, upper: 1 - lower };
  }
  const upper = (density * betaFraction(b, a, y)) / b;
  return { lower: 1 - upper, upper };
}

/** The continued fraction of I_x(a, b)·a·B(a, b)/(x^a (1 − x)^b), by the modified Lentz method (Abramowitz and Stegun 26.5.8). */
function betaFraction(a: number, b: number, x: number): number {
  let c = 1;
  let d = 1 / nonZero(1 - ((a + b) * x) / (a + 1));
  let value = d;
  for (let m = 1; m < 100_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / nonZero(1 + even * d);
    c = nonZero(1 + even / c);
    value *= c * d;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / nonZero(1 + odd * d);
    c = nonZero(1 + odd / c);
    const factor = c * d;
    value *= factor;
    if (Math.abs(factor - 1) < 1e-16) break;
  }
  return value;
}

const TINY = 1e-300;

/** Lentz's method divides by every partial result; a zero is nudged so that the fraction goes on. */
function nonZero(value: number): number {
  return Math.abs(value) < TINY ? TINY : value;
}
