import { type Alternative, requireAlternative, requireNotNegative, requirePaired, type Values } from './checks.js';
import { binomialDistribution } from './distributions/distributions.js';

/** Two systems over the same topics, and which differences are too small to count. */
export interface WinTieLossOptions {
  readonly first: Values;
  readonly second: Values;
  /** Differences of at most this size count as ties; 0 by default. */
  readonly deadBand?: number;
}

/** On how many topics the first system is better, equal or worse. */
export interface WinTieLoss {
  /** Topics on which the first is better by more than the dead band. */
  readonly wins: number;
  readonly ties: number;
  readonly losses: number;
}

/** On how many topics the first system is better, equal, worse. */
export function winTieLoss(options: WinTieLossOptions): WinTieLoss {
  const { first, second, deadBand = 0 } = options;
  requirePaired(first, second, 1);
  requireNotNegative('dead band', deadBand);
  let wins = 0;
  let losses = 0;
  // scores with a few decimals differ by 0.01 only up to rounding; such a difference still lies on the edge of a band of 0.01
  const edge = deadBand * (1 + 1e-9);
  for (let i = 0; i < first.length; i++) {
    const difference = first[i] - second[i];
    if (difference > edge) wins++;
    else if (difference < -edge) losses++;
  }
  return { wins, ties: first.length - wins - losses, losses };
}

/** What the sign test needs beyond the counts. */
export interface SignTestOptions extends WinTieLossOptions {
  readonly alternative?: Alternative;
}

/** Whether one system wins on more topics than chance explains. */
export interface SignTestResult extends WinTieLoss {
  readonly test: 'sign';
  readonly method: 'exact binomial';
  readonly alternative: Alternative;
  readonly deadBand: number;
  readonly topics: number;
  readonly pValue: number;
}

/** The sign test: are wins and losses equally likely? Topics within the dead band do not count. */
export function signTest(options: SignTestOptions): SignTestResult {
  const { first, deadBand = 0, alternative = 'two-sided' } = options;
  requireAlternative(alternative);
  const counts = winTieLoss(options);
  const { wins, losses } = counts;
  const distribution = binomialDistribution(wins + losses, 0.5);
  let pValue: number;
  if (alternative === 'greater') pValue = distribution.cdf(losses);
  else if (alternative === 'less') pValue = distribution.cdf(wins);
  else pValue = Math.min(1, 2 * distribution.cdf(Math.min(wins, losses)));
  return { test: 'sign', method: 'exact binomial', alternative, deadBand, topics: first.length, ...counts, pValue };
}
