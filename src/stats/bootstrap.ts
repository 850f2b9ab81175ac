import {
  type Alternative,
  requireAlternative,
  requireFinite,
  requireFraction,
  requireOneOf,
  requirePaired,
  requireResamples,
  requireSeed,
  requireWhole,
  type Values,
} from './checks.js';
import { normalDistribution } from './distributions/distributions.js';
import { allEqual, differencesOf, type Interval, meanOf, standardDeviationOf } from './moments.js';
import { drawTopics } from './resampler.js';
import { createResampler } from './resampling.js';
import { EQUAL_UP_TO_ROUNDING, observePairs } from './resampling-pairs.js';

/** What interval is wanted: of one system's mean, or of a mean difference. */
export interface BootstrapIntervalOptions {
  readonly first: Values;
  /** Leave it out for the interval of one system's mean instead of a mean difference. */
  readonly second?: Values;
  readonly seed: number;
  /** *bca* (the default) corrects the percentiles for bias and skewness; *percentile* takes them as they are. */
  readonly method?: 'bca' | 'percentile';
  /** 0.95 by default. */
  readonly level?: number;
  /** Samples of the topics, 10,000 by default. */
  readonly resamples?: number;
}

/** A mean with the interval in which resampled topics put it. */
export interface BootstrapIntervalResult {
  readonly method: 'bootstrap, BCa' | 'bootstrap, percentile';
  readonly topics: number;
  readonly mean: number;
  readonly interval: Interval;
  /** Standard deviation of the resampled means. */
  readonly standardError: number;
  readonly resamples: number;
  readonly seed: number;
}

/** A bootstrap interval of a mean or a mean difference over topics. B. Efron, doi:10.1080/01621459.1987.10478410. */
export function bootstrapInterval(options: BootstrapIntervalOptions): BootstrapIntervalResult {
  const { first, second, seed, method = 'bca', level = 0.95, resamples = 10_000 } = options;
  if (second === undefined) requireFinite('the system', first);
  requirePaired(first, second ?? first, 2);
  requireSeed(seed);
  requireOneOf('method', method, ['bca', 'percentile']);
  requireFraction('level', level);
  requireResamples(resamples, 10);
  const values = second === undefined ? Float64Array.from(first) : differencesOf(first, second);
  const mean = meanOf(values);
  const means = resampledMeans(values, seed, resamples);
  const standardError = standardDeviationOf(means);
  const limits = method === 'bca' ? bcaLimits(means.sort(), values, level) : percentileLimits(means.sort(), level);
  return {
    method: method === 'bca' ? 'bootstrap, BCa' : 'bootstrap, percentile',
    topics: values.length,
    mean,
    interval: { ...limits, level },
    standardError,
    resamples,
    seed,
  };
}

/** The mean of every bootstrap sample; sample number r is drawn from its own stream. */
function resampledMeans(values: Float64Array, seed: number, resamples: number): Float64Array {
  const means = new Float64Array(resamples);
  const topics = values.length;
  const sample = new Uint32Array(topics); // fits: entries
  for (let resample = 0; resample < resamples; resample++) {
    drawTopics(seed, resample, sample);
    let sum = 0;
    for (let draw = 0; draw < topics; draw++) sum += values[sample[draw]];
    means[resample] = sum / topics;
  }
  return means;
}

interface Limits {
  readonly low: number;
  readonly high: number;
}

/** The limits that leave out the same share of resampled means at either end. */
export function percentileLimits(sortedMeans: Float64Array, level: number): Limits {
  const outside = (1 - level) / 2;
  return { low: quantileSorted(sortedMeans, outside), high: quantileSorted(sortedMeans, 1 - outside) };
}

/** Bias-corrected and accelerated limits of a mean. The acceleration is the jackknife's, which for a mean is the skewness of the
 *  values. */
export function bcaLimits(sortedMeans: Float64Array, values: Values, level: number): Limits {
  if (allEqual(values)) return { low: sortedMeans[0], high: sortedMeans[0] };
  const mean = meanOf(values);
  let below = 0;
  for (const sampled of sortedMeans) below += sampled < mean ? 1 : sampled === mean ? 0.5 : 0;
  // a mean outside all samples would correct by infinity
  const share = Math.min(Math.max(below, 0.5), sortedMeans.length - 0.5) / sortedMeans.length;
  const bias = normalDistribution.quantile(share);
  let squares = 0;
  let cubes = 0;
  for (let i = 0; i < values.length; i++) {
    const deviation = values[i] - mean;
    squares += deviation * deviation;
    cubes += deviation * deviation * deviation;
  }
  const acceleration = cubes / (6 * squares ** 1.5);
  const corrected = (p: number): number => {
    const shifted = bias + normalDistribution.quantile(p);
    return normalDistribution.cdf(bias + shifted / (1 - acceleration * shifted));
  };
  const outside = (1 - level) / 2;
  return { low: quantileSorted(sortedMeans, corrected(outside)), high: quantileSorted(sortedMeans, corrected(1 - outside)) };
}

/** The p-quantile with linear interpolation between order statistics (R's type 7, numpy's default). */
export function quantileSorted(sorted: Values, p: number): number {
  const at = p * (sorted.length - 1);
  const below = Math.floor(at);
  if (below >= sorted.length - 1) return sorted[sorted.length - 1];
  return sorted[below] + (at - below) * (sorted[below + 1] - sorted[below]);
}

/** Two systems over the same topics, and how often to draw from them. */
export interface BootstrapTestOptions {
  readonly first: Values;
  readonly second: Values;
  readonly seed: number;
  readonly alternative?: Alternative;
  /** Samples of the topics, 1,000 by default. */
  readonly resamples?: number;
}

/** Whether a mean difference is larger than samples from topics without one would show. */
export interface BootstrapTestResult {
  readonly test: 'bootstrap';
  readonly method: 'shift method, studentised';
  readonly alternative: Alternative;
  readonly topics: number;
  readonly meanDifference: number;
  readonly statistic: number;
  readonly resamples: number;
  /** The achieved significance level: the share of samples at least as extreme. */
  readonly pValue: number;
  readonly seed: number;
}

/** The paired bootstrap hypothesis test: the differences are shifted to mean 0, topics are drawn with replacement, and the
 *  share of samples whose t is at least as extreme is the achieved significance level (Sakai, doi:10.1145/1148170.1148261).
 *  When all differences are equal it is 1 if they are 0, else 0. */
export function bootstrapTest(options: BootstrapTestOptions): BootstrapTestResult {
  const { first, second, seed, alternative = 'two-sided', resamples = 1000 } = options;
  requirePaired(first, second, 2);
  requireSeed(seed);
  requireAlternative(alternative);
  requireResamples(resamples);
  const pairs = observePairs([first, second]);
  const count =
    alternative === 'two-sided'
      ? createResampler([first, second]).bootstrapExceedances(seed, 0, resamples)[0]
      : oneSidedExceedances(differencesOf(first, second), alternative === 'less', pairs.statistics[0], seed, resamples);
  return {
    test: 'bootstrap',
    method: 'shift method, studentised',
    alternative,
    topics: first.length,
    meanDifference: pairs.means[0],
    statistic: pairs.statistics[0],
    resamples,
    pValue: count / resamples,
    seed,
  };
}

function oneSidedExceedances(differences: Float64Array, less: boolean, observed: number, seed: number, resamples: number): number {
  const topics = differences.length;
  const sign = less ? -1 : 1;
  const statistic = sign * observed;
  if (allEqual(differences)) return statistic > 0 ? 0 : resamples;
  const mean = meanOf(differences);
  const threshold = statistic - EQUAL_UP_TO_ROUNDING * Math.abs(statistic);
  const sample = new Uint32Array(topics); // fits: entries
  let count = 0;
  for (let resample = 0; resample < resamples; resample++) {
    drawTopics(seed, resample, sample);
    let sum = 0;
    let squares = 0;
    for (let draw = 0; draw < topics; draw++) {
      const shifted = differences[sample[draw]] - mean;
      sum += shifted;
      squares += shifted * shifted;
    }
    const around = Math.max(0, squares - (sum * sum) / topics);
    const t = sum === 0 ? 0 : (sign * sum) / Math.sqrt((around * topics) / (topics - 1));
    if (t >= threshold) count++;
  }
  return count;
}

/** Several systems over the same topics, to be compared pair by pair on shared samples. */
export interface BootstrapAllPairsOptions {
  /** One array of per-topic values per system, all over the same topics in the same order. */
  readonly systems: readonly Values[];
  readonly seed: number;
  /** Samples of the topics, the same for every pair; 1,000 by default. */
  readonly resamples?: number;
  /** What `createResampler(systems).bootstrapExceedances(seed, 0, resamples)` gives, if it has been computed already, perhaps by
   *  several threads. */
  readonly exceedances?: ArrayLike<number>;
}

/** The bootstrap test of every pair of systems, not yet corrected for the number of pairs. */
export interface BootstrapAllPairsResult {
  readonly test: 'bootstrap, all pairs';
  readonly method: 'shift method, studentised, shared samples';
  readonly topics: number;
  readonly resamples: number;
  readonly seed: number;
  /** Mean differences, t values and achieved significance levels of the pairs (0,1), (0,2), …; see `pairNumber`. */
  readonly meanDifferences: Float64Array;
  readonly statistics: Float64Array;
  readonly pValues: Float64Array;
}

/** `bootstrapTest` for every pair of systems with the same samples of the topics, as discriminative power needs it. */
export function bootstrapAllPairs(options: BootstrapAllPairsOptions): BootstrapAllPairsResult {
  const { systems, seed, resamples = 1000 } = options;
  requireResamples(resamples);
  requireSeed(seed);
  const resampler = createResampler(systems);
  const counts = options.exceedances ?? resampler.bootstrapExceedances(seed, 0, resamples);
  const pairs = resampler.observed();
  requireWhole('number of counts', counts.length, pairs.means.length, pairs.means.length);
  return {
    test: 'bootstrap, all pairs',
    method: 'shift method, studentised, shared samples',
    topics: systems[0].length,
    resamples,
    seed,
    meanDifferences: pairs.means,
    statistics: pairs.statistics,
    pValues: Float64Array.from(counts, (count) => count / resamples),
  };
}
