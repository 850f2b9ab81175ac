import { type Alternative, requireAlternative, requireFraction, requirePaired, type Values } from './checks.js';
import { type Distribution, tDistribution } from './distributions/distributions.js';
import { differencesOf, type Interval, meanOf, standardDeviationOf } from './moments.js';

/** Two systems over the same topics, and the level of the interval. */
export interface PairedTTestOptions {
  /** Per-topic values of the system under test. */
  readonly first: Values;
  /** Per-topic values of the system it is compared with, over the same topics in the same order. */
  readonly second: Values;
  readonly alternative?: Alternative;
  /** Level of the interval around the mean difference, 0.95 by default. */
  readonly level?: number;
}

/** Whether a mean difference is larger than its standard error explains. */
export interface PairedTTestResult {
  readonly test: 'paired t';
  readonly method: 'Student t distribution';
  readonly alternative: Alternative;
  readonly topics: number;
  /** Mean of first − second. */
  readonly meanDifference: number;
  readonly standardError: number;
  /** The t value; infinite when all differences are equal and not 0. */
  readonly statistic: number;
  readonly degreesOfFreedom: number;
  readonly pValue: number;
  /** Two-sided interval of the mean difference, whatever the alternative. */
  readonly interval: Interval;
}

/** Student's paired t test of the mean difference. When all differences are equal there is no spread to judge by: p is then 1
 *  if they are all 0, and 0 or 1 by the side they lie on otherwise. */
export function pairedTTest(options: PairedTTestOptions): PairedTTestResult {
  const { first, second, alternative = 'two-sided', level = 0.95 } = options;
  requirePaired(first, second, 2);
  requireAlternative(alternative);
  requireFraction('level', level);
  const differences = differencesOf(first, second);
  const topics = differences.length;
  const meanDifference = meanOf(differences);
  const standardError = standardDeviationOf(differences, meanDifference) / Math.sqrt(topics);
  const statistic = meanDifference === 0 ? 0 : meanDifference / standardError;
  const degreesOfFreedom = topics - 1;
  const distribution = tDistribution(degreesOfFreedom);
  const reach = standardError === 0 ? 0 : standardError * distribution.upperQuantile((1 - level) / 2);
  return {
    test: 'paired t',
    method: 'Student t distribution',
    alternative,
    topics,
    meanDifference,
    standardError,
    statistic,
    degreesOfFreedom,
    pValue: symmetricPValue(distribution, statistic, alternative),
    interval: { low: meanDifference - reach, high: meanDifference + reach, level },
  };
}

/** The p-value of a statistic whose null distribution is symmetric about 0. */
export function symmetricPValue(distribution: Distribution, statistic: number, alternative: Alternative): number {
  if (alternative === 'greater') return distribution.upperTail(statistic);
  if (alternative === 'less') return distribution.cdf(statistic);
  return Math.min(1, 2 * distribution.upperTail(Math.abs(statistic)));
}
