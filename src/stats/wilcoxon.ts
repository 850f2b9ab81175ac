import { InputError } from '../core/problem.js';
import { type Alternative, requireAlternative, requireNotNegative, requireOneOf, requirePaired, type Values } from './checks.js';
import { normalDistribution } from './distributions/distributions.js';
import { differencesOf } from './moments.js';
import { averageRanks } from './ranks.js';

/** Two systems over the same topics, and how equal topics and large samples are treated. */
export interface WilcoxonOptions {
  readonly first: Values;
  readonly second: Values;
  readonly alternative?: Alternative;
  /** What to do with topics on which both systems are equal. *wilcoxon* (the default) leaves them out before ranking; *pratt*
   *  ranks them and then leaves out their ranks, so that many equal topics weaken the evidence. */
  readonly zeros?: 'wilcoxon' | 'pratt';
  /** *exact* counts all 2^n signs of the ranks as they are, tied ones included; *asymptotic* uses the normal distribution with
   *  the variance corrected for ties; *auto* (the default) is exact up to 50 topics that differ. */
  readonly method?: 'auto' | 'exact' | 'asymptotic';
  /** Move the statistic half a rank towards its mean before the normal approximation; yes by default. */
  readonly continuity?: boolean;
  /** Differences whose sizes are no further apart than this are tied, and differences no larger than this are zeros. 0 by default,
   *  as in R and scipy, where 0.3 − 0.2 and 0.2 − 0.1 are not tied because their last bits differ; 1e-9 ties them. */
  readonly tieTolerance?: number;
}

/** Whether one system is better by the ranks of the differences. */
export interface WilcoxonResult {
  readonly test: 'Wilcoxon signed-rank';
  readonly method: 'exact' | 'asymptotic' | 'asymptotic with continuity correction';
  readonly zeros: 'wilcoxon' | 'pratt';
  readonly alternative: Alternative;
  readonly topics: number;
  /** Topics on which the systems differ. */
  readonly differing: number;
  /** Sum of the ranks of the topics on which the first is better. R calls it V; scipy's two-sided statistic is the smaller of
   *  this and `negativeRankSum`. */
  readonly positiveRankSum: number;
  readonly negativeRankSum: number;
  /** Standard normal score, for the asymptotic methods only. */
  readonly z: number | null;
  readonly pValue: number;
}

/** Up to here *auto* counts exactly; the count costs about n³/2 additions. */
const EXACT_UP_TO = 50;
/** Beyond this the table of rank sums would be larger than any use justifies. */
const EXACT_AT_MOST = 1000;

/** Wilcoxon's signed-rank test of a median difference of 0. */
export function wilcoxonSignedRank(options: WilcoxonOptions): WilcoxonResult {
  const { first, second, alternative = 'two-sided', zeros = 'wilcoxon', method = 'auto', continuity = true, tieTolerance = 0 } = options;
  requirePaired(first, second, 1);
  requireAlternative(alternative);
  requireOneOf('treatment of zeros', zeros, ['wilcoxon', 'pratt']);
  requireOneOf('method', method, ['auto', 'exact', 'asymptotic']);
  requireNotNegative('tie tolerance', tieTolerance);
  const all = differencesOf(first, second).map((difference) => (Math.abs(difference) <= tieTolerance ? 0 : difference));
  const differing = all.filter((difference) => difference !== 0).length;
  const exact = method === 'exact' || (method === 'auto' && differing <= EXACT_UP_TO);
  if (exact && differing > EXACT_AT_MOST) {
    throw new InputError({ message: `exact Wilcoxon over ${differing} topics is too large`, wayOut: 'use the asymptotic method' });
  }

  // rank the sizes of the differences; Pratt ranks the zeros too, and then they lose their ranks
  const ranked = zeros === 'wilcoxon' ? all.filter((difference) => difference !== 0) : all;
  const { ranks, tieSum } = averageRanks(ranked.map(Math.abs), tieTolerance);
  const signedRanks: number[] = [];
  let positiveRankSum = 0;
  let negativeRankSum = 0;
  ranked.forEach((difference, i) => {
    if (difference === 0) return;
    signedRanks.push(ranks[i]);
    if (difference > 0) positiveRankSum += ranks[i];
    else negativeRankSum += ranks[i];
  });

  let z: number | null = null;
  let pValue: number;
  if (exact) {
    pValue = exactPValue(signedRanks, positiveRankSum, negativeRankSum, alternative);
  } else {
    const numZeros = ranked.length - differing;
    const n = ranked.length;
    // the zeros of Pratt form a tie group of their own, whose ranks are taken out of mean and variance
    const mean = (n * (n + 1) - numZeros * (numZeros + 1)) / 4;
    const tiesOfOthers = tieSum - (numZeros * numZeros * numZeros - numZeros);
    const variance = (n * (n + 1) * (2 * n + 1) - numZeros * (numZeros + 1) * (2 * numZeros + 1) - tiesOfOthers / 2) / 24;
    z = zScore(positiveRankSum - mean, Math.sqrt(variance), continuity, alternative);
    pValue =
      alternative === 'two-sided'
        ? Math.min(1, 2 * normalDistribution.upperTail(Math.abs(z)))
        : normalDistribution.upperTail(alternative === 'greater' ? z : -z);
  }
  return {
    test: 'Wilcoxon signed-rank',
    method: exact ? 'exact' : continuity ? 'asymptotic with continuity correction' : 'asymptotic',
    zeros,
    alternative,
    topics: all.length,
    differing,
    positiveRankSum,
    negativeRankSum,
    z,
    pValue,
  };
}

function zScore(distance: number, spread: number, continuity: boolean, alternative: Alternative): number {
  if (spread === 0) return 0;
  if (!continuity) return distance / spread;
  const half = alternative === 'greater' ? 0.5 : alternative === 'less' ? -0.5 : 0.5 * Math.sign(distance);
  return (distance - half) / spread;
}

/** P(W ≥ w) over all signs, by adding one rank at a time to the distribution of the sum. Average ranks are halves, so the
 *  table is in half ranks. */
function exactPValue(ranks: readonly number[], positive: number, negative: number, alternative: Alternative): number {
  const total = Math.round(2 * (positive + negative));
  const probability = new Float64Array(total + 1);
  probability[0] = 1;
  let reach = 0;
  for (const rank of ranks) {
    const doubled = Math.round(2 * rank);
    for (let sum = reach; sum >= 0; sum--) {
      const half = probability[sum] / 2;
      probability[sum] = half;
      probability[sum + doubled] += half;
    }
    reach += doubled;
  }
  // the distribution is symmetric: the upper tail at `positive` is the lower tail at `negative`
  const lowerTail = (upTo: number): number => {
    let sum = 0;
    for (let i = 0; i <= Math.round(2 * upTo); i++) sum += probability[i];
    return Math.min(1, sum);
  };
  if (alternative === 'greater') return lowerTail(negative);
  if (alternative === 'less') return lowerTail(positive);
  return Math.min(1, 2 * lowerTail(Math.min(positive, negative)));
}
