import { InputError } from '../../core/problem.js';
import { requireFraction, requirePositive, requireWhole } from '../../stats/checks.js';
import { fDistribution, tDistribution } from '../../stats/distributions/distributions.js';
import { noncentralFUpperTail } from '../../stats/distributions/noncentral.js';
import { logGamma } from '../../stats/distributions/special-functions.js';
import { meanOf, squaresAround } from '../../stats/moments.js';
import { powerOf, topicsNeeded } from '../../stats/power.js';
import { smallestWhole } from './smallest.js';

/** The spread of scores in pilot data. */
export interface PilotVariance {
  readonly variance: number;
  readonly degreesOfFreedom: number;
}

/** The variance of one system's scores around its mean, from the scores of several systems. */
export function scoreVariance(systems: readonly ArrayLike<number>[]): PilotVariance {
  const degreesOfFreedom = systems.reduce((sum, scores) => sum + scores.length - 1, 0);
  if (degreesOfFreedom < 1) {
    throw new InputError({ message: 'pilot scores of one topic tell nothing of the spread', wayOut: 'give scores of at least 2 topics' });
  }
  const squares = systems.reduce((sum, scores) => sum + squaresAround(scores, meanOf(scores)), 0);
  return { variance: squares / degreesOfFreedom, degreesOfFreedom };
}

/** The variance of several collections, weighted by their degrees of freedom. */
export function pooledVariance(parts: readonly PilotVariance[]): PilotVariance {
  const degreesOfFreedom = parts.reduce((sum, part) => sum + part.degreesOfFreedom, 0);
  const squares = parts.reduce((sum, part) => sum + part.variance * part.degreesOfFreedom, 0);
  return { variance: squares / degreesOfFreedom, degreesOfFreedom };
}

/** The mean variance of the differences between two systems, over all pairs. */
export function differenceVariance(systems: readonly ArrayLike<number>[]): PilotVariance {
  const numTopics = systems[0]?.length ?? 0;
  const numPairs = (systems.length * (systems.length - 1)) / 2;
  if (numPairs === 0) throw new InputError({ message: 'one system has no differences', wayOut: 'give scores of at least 2 systems' });
  // one array for all pairs: of hundreds of systems there are a hundred thousand
  const differences = new Float64Array(numTopics);
  let sum = 0;
  for (let i = 0; i < systems.length; i++) {
    for (let j = i + 1; j < systems.length; j++) {
      for (let t = 0; t < numTopics; t++) differences[t] = systems[i][t] - systems[j][t];
      sum += scoreVariance([differences]).variance;
    }
  }
  // the pairs share their systems, so that topics and not pairs make the degrees of freedom
  return { variance: sum / numPairs, degreesOfFreedom: numTopics - 1 };
}

/** How many topics an experiment needs, and what it then reaches. */
export interface TopicSetSize {
  readonly topics: number;
  /** Power of the test, or expected width of the interval. */
  readonly reached: number;
}

/** Topics for a paired t test of two systems (Sakai, doi:10.1007/s10791-015-9273-z).
 *  @param effect The smallest difference of interest, in standard deviations of the differences. */
export function topicsForTTest(alpha: number, power: number, effect: number): TopicSetSize {
  const plan = { standardDeviation: 1, alpha, difference: effect };
  const { topics } = topicsNeeded({ ...plan, power });
  return { topics, reached: powerOf({ ...plan, topics }).power };
}

/** Topics for a one-way analysis of variance.
 *  @param range The smallest difference between the best and the worst system of interest, in standard deviations of scores. */
export function topicsForAnova(alpha: number, power: number, numSystems: number, range: number): TopicSetSize {
  requireFraction('alpha', alpha);
  requireFraction('power', power);
  requireWhole('number of systems', numSystems, 2);
  requirePositive('range', range);
  const reached = (topics: number): number => anovaPower(alpha, numSystems, range, topics);
  const topics = smallestWhole(2, (n) => reached(n) >= power, `a range of ${range} standard deviations`);
  return { topics, reached: reached(topics) };
}

/** The power of a one-way analysis of variance, all systems but the best and the worst half way between. */
export function anovaPower(alpha: number, numSystems: number, range: number, topics: number): number {
  const [df1, df2] = [numSystems - 1, numSystems * (topics - 1)];
  return Math.min(1, noncentralFUpperTail(fDistribution(df1, df2).upperQuantile(alpha), df1, df2, (topics * range * range) / 2));
}

/** The expected width of the interval of a mean difference. */
export function expectedWidth(alpha: number, standardDeviation: number, topics: number): number {
  // the sample standard deviation is on average this much smaller than the true one
  const shrinkage = Math.sqrt(2 / (topics - 1)) * Math.exp(logGamma(topics / 2) - logGamma((topics - 1) / 2));
  return (2 * tDistribution(topics - 1).upperQuantile(alpha / 2) * shrinkage * standardDeviation) / Math.sqrt(topics);
}

/** Topics for an interval of the mean difference that is expected to be at most this wide. */
export function topicsForInterval(alpha: number, width: number, differenceVariance: number): TopicSetSize {
  requireFraction('alpha', alpha);
  requirePositive('width', width);
  requirePositive('variance of the difference', differenceVariance);
  const deviation = Math.sqrt(differenceVariance);
  const topics = smallestWhole(2, (n) => expectedWidth(alpha, deviation, n) <= width, `an interval of width ${width}`);
  return { topics, reached: expectedWidth(alpha, deviation, topics) };
}
