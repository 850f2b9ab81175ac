import { InputError } from '../../core/problem.js';
import { tDistribution } from '../distributions/distributions.js';

/** One logged answer to a query, for documents that were shown. */
export interface LoggedQuery {
  /** The rank from 1 at which each document was shown. */
  readonly shown: ArrayLike<number>;
  /** Whether it was clicked, or how often. */
  readonly clicks: ArrayLike<number>;
  /** The rank from 1 that the new ranker gives it; 0 if it does not return it. */
  readonly ranks: ArrayLike<number>;
  /** What a model expects of each document if it is looked at; for the doubly robust estimate. */
  readonly expected?: ArrayLike<number> | undefined;
}

/** How logs are evaluated. */
export interface CounterfactualOptions {
  /** The chance that a shown rank is looked at: for ranks 1, 2, …; the last number is for all ranks below. */
  readonly propensities: ArrayLike<number>;
  /** What a click is worth at a new rank from 1; 1 / log2(rank + 1), as in DCG, by default. */
  readonly rankWeight?: ((rank: number) => number) | undefined;
  /** Chances below this count as this. */
  readonly clip?: number | undefined;
  /** Of the intervals; 0.95 by default. */
  readonly level?: number | undefined;
}

/** A number with its standard error and interval over queries. */
export interface CounterfactualEstimate {
  readonly value: number;
  readonly standardError: number;
  readonly low: number;
  readonly high: number;
}

/** What a new ranker would be worth, by the logs of an old one. */
export interface CounterfactualResult {
  /** Clicks weighted by the inverse of the chance that they could happen (Joachims, Swaminathan and Schnabel 2017,
   *  doi:10.1145/3018661.3018699). */
  readonly ips: CounterfactualEstimate;
  /** The same per weighted click: less spread, a small bias. */
  readonly snips: CounterfactualEstimate;
  /** What a model expects, corrected by what the clicks say beyond it; null without expectations. */
  readonly doublyRobust: CounterfactualEstimate | null;
  /** (Σ w)² / Σ w² over queries, w being the sum of the weights of the clicks of one. */
  readonly effectiveSampleSize: number;
  /** Share of the clicks whose chance was raised to `clip`. */
  readonly clipped: number;
  readonly queries: number;
  /** The part of each query in IPS, for paired comparisons of two rankers on the same logs. */
  readonly perQuery: Float64Array;
}

/** Effective sample sizes below this are too small to trust an interval. */
export const FEW_EFFECTIVE_QUERIES = 30;

/** Evaluates a ranker by the clicks that another one got. */
export function counterfactual(logs: readonly LoggedQuery[], options: CounterfactualOptions): CounterfactualResult {
  const { propensities, rankWeight = (rank) => 1 / Math.log2(rank + 1), clip = 0, level = 0.95 } = options;
  if (logs.length < 2) throw new InputError(`found ${logs.length} logged queries, expected two or more`);
  if (propensities.length === 0 || Array.from(propensities).some((p) => !(p > 0 && p <= 1))) {
    throw new InputError('chances of being looked at must be numbers above 0 and up to 1');
  }
  const perQuery = new Float64Array(logs.length);
  const weights = new Float64Array(logs.length);
  const robust = new Float64Array(logs.length);
  let clicked = 0;
  let clipped = 0;
  for (const [q, { shown, clicks, ranks, expected }] of logs.entries()) {
    for (let i = 0; i < clicks.length; i++) {
      const chance = propensities[Math.min(shown[i], propensities.length) - 1];
      const weight = 1 / Math.max(chance, clip);
      const worth = ranks[i] > 0 ? rankWeight(ranks[i]) : 0;
      if (clicks[i] > 0) {
        clicked++;
        if (chance < clip) clipped++;
      }
      perQuery[q] += clicks[i] * weight * worth;
      weights[q] += clicks[i] * weight;
      const guess = expected?.[i] ?? 0;
      robust[q] += worth * (guess + (clicks[i] - chance * guess) * weight);
    }
  }
  const interval = (value: number, standardError: number): CounterfactualEstimate => {
    const reach = tDistribution(logs.length - 1).upperQuantile((1 - level) / 2) * standardError;
    return { value, standardError, low: value - reach, high: value + reach };
  };
  const mean = (values: Float64Array): CounterfactualEstimate => interval(meanOf(values), errorOf(values));
  const meanWeight = meanOf(weights);
  const ratio = meanWeight > 0 ? meanOf(perQuery) / meanWeight : 0;
  const residuals = perQuery.map((value, q) => (meanWeight > 0 ? (value - ratio * weights[q]) / meanWeight : 0));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const squares = weights.reduce((sum, weight) => sum + weight * weight, 0);
  return {
    ips: mean(perQuery),
    snips: interval(ratio, errorOf(residuals)),
    doublyRobust: logs.every(({ expected }) => expected !== undefined) ? mean(robust) : null,
    effectiveSampleSize: squares > 0 ? (total * total) / squares : 0,
    clipped: clicked > 0 ? clipped / clicked : 0,
    queries: logs.length,
    perQuery,
  };
}

function meanOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The standard error of the mean. */
function errorOf(values: Float64Array): number {
  const mean = meanOf(values);
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1) / values.length);
}
