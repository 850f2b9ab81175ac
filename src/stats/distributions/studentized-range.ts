import { requirePositive, requireWhole } from '../checks.js';
import { chiStep, expectOverChi } from './chi-mixture.js';
import { type Distribution, positiveDistribution } from './distributions.js';
import { chebyshevSum, gaussian, normalUpperTail, SQRT_TWO_PI } from './special-functions.js';

/** The range of `groups` independent normal means divided by their estimated standard error with `df` degrees of freedom
 *  (Infinity where the standard error is known): the distribution behind Tukey's HSD and Nemenyi's test.
 *
 *  The range of normals is integrated once per panel of widths and kept as a Chebyshev series of its logarithm, so the
 *  first call takes milliseconds and the thousands that an all-pairs comparison makes take microseconds each. */
export function studentizedRangeDistribution(groups: number, df: number): Distribution {
  requireWhole('number of groups', groups, 2);
  const name = `studentised range(${groups}, ${df})`;
  const range = cachedNormalRange(groups);
  if (df === Number.POSITIVE_INFINITY) {
    return positiveDistribution(name, (q) => ({ lower: range.lower(q), upper: range.upper(q) }), 2, Number.POSITIVE_INFINITY);
  }
  requirePositive('degrees of freedom', df);
  const step = chiStep(df, groups);
  // each tail is its own integral: lazily, because a caller wants one of them
  const tails = (q: number): { readonly lower: number; readonly upper: number } => ({
    get lower() {
      return Math.min(
        1,
        expectOverChi(df, step, (s) => range.lower(q * s)),
      );
    },
    get upper() {
      return Math.min(
        1,
        expectOverChi(df, step, (s) => range.upper(q * s)),
      );
    },
  });
  return positiveDistribution(name, tails, 2, Number.POSITIVE_INFINITY);
}

interface RangeTails {
  lower(width: number): number;
  upper(width: number): number;
}

/** Beyond this width the upper tail of the range is below 1e-290, less than any p-value that is ever asked for. */
const WIDEST = 52;
const PANELS_PER_UNIT = 1;
const PANEL_TERMS = 20;

/** The panels depend on nothing but the number of groups, and a comparison of several measures asks for the same again and again. */
const recentRanges = new Map<number, RangeTails>();
const MOST_RECENT = 8;

function cachedNormalRange(groups: number): RangeTails {
  let range = recentRanges.get(groups);
  if (range === undefined) {
    range = normalRange(groups);
    if (recentRanges.size >= MOST_RECENT) recentRanges.clear();
    recentRanges.set(groups, range);
  }
  return range;
}

/** Both tails of the range of `groups` standard normals, as cached panels. The logarithm of the lower tail is kept without
 *  its leading part (groups − 1)·ln width, which would be singular at 0. */
function normalRange(groups: number): RangeTails {
  const powers = groups - 1;
  const upperTail = rangeUpperTail(groups);
  const logUpper = panelled((width) => Math.log(upperTail(width)));
  const logLower = panelled((width) => logScaledRangeLower(groups, width));
  return {
    lower: (width) => (width >= WIDEST ? 1 : Math.exp(logLower(width) + powers * Math.log(width))),
    upper: (width) => (width >= WIDEST ? 0 : Math.exp(logUpper(width))),
  };
}

/** A smooth function on [0, WIDEST) as Chebyshev series on panels of one unit, each computed when first needed. */
function panelled(f: (width: number) => number): (width: number) => number {
  const panels: (Float64Array | undefined)[] = [];
  return (width) => {
    const at = width * PANELS_PER_UNIT;
    const panel = Math.floor(at);
    let series = panels[panel];
    if (series === undefined) {
      series = new Float64Array(PANEL_TERMS);
      for (let node = 0; node < PANEL_TERMS; node++) {
        const angle = (Math.PI * (node + 0.5)) / PANEL_TERMS;
        const value = f((panel + 0.5 * (Math.cos(angle) + 1)) / PANELS_PER_UNIT);
        for (let k = 0; k < PANEL_TERMS; k++) series[k] += ((k === 0 ? 1 : 2) / PANEL_TERMS) * value * Math.cos(k * angle);
      }
      panels[panel] = series;
    }
    return chebyshevSum(series, 0, PANEL_TERMS, 2 * (at - panel) - 1);
  };
}

/** P(range > width): the largest of the normals is at z, and not all others lie within `width` below it. Written as
 *  Φ(z)^(k−1) · (1 − (1 − Φ(z − width)/Φ(z))^(k−1)), in which nothing cancels. What does not depend on the width is tabled. */
function rangeUpperTail(groups: number): (width: number) => number {
  const powers = groups - 1;
  const step = innerStep(groups);
  const start = -9;
  const numNodes = Math.ceil((WIDEST / 2 + 9 - start) / step);
  const below = new Float64Array(numNodes);
  const weights = new Float64Array(numNodes);
  for (let node = 0; node < numNodes; node++) {
    const z = start + node * step;
    below[node] = normalUpperTail(-z);
    weights[node] = gaussian(z) * Math.exp(powers * Math.log(below[node]));
  }
  return (width) => {
    // far from the middle of the range nothing is left of the integrand
    const first = Math.max(0, Math.floor((width / 2 - 8 - start) / step));
    const end = Math.min(numNodes, Math.ceil((Math.max(width / 2 + 8, 10) - start) / step));
    let sum = 0;
    for (let node = first; node < end; node++) {
      const outside = normalUpperTail(width - (start + node * step));
      sum -= weights[node] * Math.expm1(powers * Math.log1p(-Math.min(1, outside / below[node])));
    }
    return (groups * sum * step) / SQRT_TWO_PI;
  };
}

/** ln of P(range ≤ width)/width^(groups − 1): the largest is at z and all others lie within `width` below it. */
function logScaledRangeLower(groups: number, width: number): number {
  const powers = groups - 1;
  const step = innerStep(groups);
  // relative to the largest area, which lies about 0: the power of a thousand groups would underflow
  const largest = Math.log(areaBelow(width / 2, width));
  let sum = 0;
  for (let z = -9; z < 10; z += step) {
    sum += gaussian(z) * Math.exp(powers * (Math.log(areaBelow(z, width)) - largest));
  }
  return powers * (largest - Math.log(width)) + Math.log((groups * sum * step) / SQRT_TWO_PI);
}

/** P(z − width < Z < z). */
function areaBelow(z: number, width: number): number {
  if (width < 0.05) {
    // Taylor's series of the area about the middle: the derivatives of the density are Hermite polynomials
    const middle = z - width / 2;
    const m = middle * middle;
    const w = width * width;
    const series =
      1 +
      (w / 24) * (m - 1) +
      ((w * w) / 1920) * (m * m - 6 * m + 3) +
      ((w * w * w) / 322_560) * (m * m * m - 15 * m * m + 45 * m - 15) +
      ((w * w * w * w) / 92_897_280) * (m * m * m * m - 28 * m * m * m + 210 * m * m - 420 * m + 105);
    return (width * gaussian(middle) * series) / SQRT_TWO_PI;
  }
  // take both tails on the side where they are small
  if (z - width > 0) return normalUpperTail(z - width) - normalUpperTail(z);
  if (z < 0) return normalUpperTail(-z) - normalUpperTail(width - z);
  return 1 - normalUpperTail(z) - normalUpperTail(width - z);
}

/** Step of the trapezoidal rule over z; the integrand of the lower tail is as narrow as 1/√groups. */
function innerStep(groups: number): number {
  return Math.min(0.2, 0.6 / Math.sqrt(groups));
}
