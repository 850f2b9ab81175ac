import { pairGradientsBySwaps } from '../trees/pair-gradients.js';
import {
  discountAt,
  gainsOf,
  haveDifferentLabels,
  idealSum,
  logistic,
  orderByScore,
  type QueryGradients,
  type QueryObjective,
  ranksOf,
  softPlus,
} from './query-objective.js';

/** A pair whose first document is to come first, and what it counts. */
export interface WeightedPair {
  readonly upper: number;
  readonly lower: number;
  readonly weight: number;
}

/** The sum over pairs of weight · ln(1 + e^(-sigma (upper - lower))), in units of 1 / `unit`. */
export function pairLoss(
  pairs: Iterable<WeightedPair>,
  scores: Float64Array,
  sigma = 1,
  unit = 1,
): QueryGradients & { readonly loss: number } {
  const gradient = new Float64Array(scores.length);
  const hessian = new Float64Array(scores.length);
  let loss = 0;
  for (const { upper, lower, weight } of pairs) {
    const margin = sigma * (scores[upper] - scores[lower]);
    const wrong = logistic(-margin);
    const share = (weight * sigma) / unit;
    loss += (weight * softPlus(-margin)) / unit;
    gradient[upper] -= share * wrong;
    gradient[lower] += share * wrong;
    const bend = share * sigma * wrong * (1 - wrong);
    hessian[upper] += bend;
    hessian[lower] += bend;
  }
  return { gradient, hessian, loss };
}

/** Every pair of documents with different labels, the better one first. */
function* labelledPairs(labels: Float64Array): Generator<{ readonly upper: number; readonly lower: number }> {
  for (let i = 0; i < labels.length; i++) {
    for (let j = 0; j < labels.length; j++) if (labels[i] > labels[j]) yield { upper: i, lower: j };
  }
}

/** RankNet's loss: all pairs alike (Burges et al. 2005, doi:10.1145/1102351.1102363). */
export function rankNetLoss(): QueryObjective {
  return {
    name: 'RankNet',
    teaches: haveDifferentLabels,
    gradients: (scores, { labels }) => {
      const pairs = [...labelledPairs(labels)].map((pair) => ({ ...pair, weight: 1 }));
      return pairLoss(pairs, scores);
    },
  };
}

/** How LambdaLoss weighs pairs. */
export type LambdaLossWeights = 'ndcg-loss1' | 'ndcg-loss2' | 'ndcg-loss2++' | 'lambdarank';

/** What each pair counts in LambdaLoss at these scores (Wang et al. 2018, doi:10.1145/3269206.3271784). Gains are shares of the ideal sum.
 *  @param mu  how much of NDCG-Loss2 is added to LambdaRank's weight in NDCG-Loss2++ */
export function lambdaLossPairs(scores: Float64Array, labels: Float64Array, weights: LambdaLossWeights, mu = 10): WeightedPair[] {
  const gains = gainsOf(labels);
  const ideal = idealSum(gains);
  const ranks = ranksOf(orderByScore(scores));
  const pairs: WeightedPair[] = [];
  if (!(ideal > 0)) return pairs;
  if (weights === 'ndcg-loss1') {
    for (let upper = 0; upper < scores.length; upper++) {
      const weight = (gains[upper] / ideal) * discountAt(ranks[upper]);
      for (let lower = 0; lower < scores.length; lower++) if (lower !== upper && weight > 0) pairs.push({ upper, lower, weight });
    }
    return pairs;
  }
  for (const { upper, lower } of labelledPairs(labels)) {
    const gain = Math.abs(gains[upper] - gains[lower]) / ideal;
    const byRanks = Math.abs(discountAt(ranks[upper]) - discountAt(ranks[lower]));
    const apart = Math.abs(ranks[upper] - ranks[lower]);
    const byDistance = discountAt(apart) - discountAt(apart + 1);
    const factor = weights === 'lambdarank' ? byRanks : weights === 'ndcg-loss2' ? byDistance : byRanks + mu * byDistance;
    pairs.push({ upper, lower, weight: gain * factor });
  }
  return pairs;
}

/** LambdaLoss: a bound of nDCG's loss by pairs whose weights are kept for one iteration. */
export function lambdaLoss({
  weights = 'ndcg-loss2++',
  mu = 10,
  sigma = 1,
}: {
  readonly weights?: LambdaLossWeights | undefined;
  readonly mu?: number | undefined;
  readonly sigma?: number | undefined;
} = {}): QueryObjective {
  return {
    name: `LambdaLoss (${weights})`,
    teaches: haveDifferentLabels,
    gradients: (scores, { labels }) => pairLoss(lambdaLossPairs(scores, labels, weights, mu), scores, sigma, Math.LN2),
  };
}

/** LambdaRank's gradients as LightGBM has them: pairs with one document at the first `truncation` ranks, by what their exchange changes in
 *  nDCG whose ideal sum ends there (Burges 2010; Ke et al. 2017). There is no loss that they are the derivatives of. */
export function lambdaRankGradients({
  sigma = 1,
  truncation = 30,
  normalise = true,
}: {
  readonly sigma?: number | undefined;
  readonly truncation?: number | undefined;
  readonly normalise?: boolean | undefined;
} = {}): QueryObjective {
  return {
    name: 'LambdaRank',
    teaches: haveDifferentLabels,
    gradients: (scores, { labels }) => {
      const count = scores.length;
      const gains = gainsOf(labels);
      const ideal = idealSum(gains, truncation);
      const order = orderByScore(scores);
      const keys = Float64Array.from(order, (doc) => scores[doc]);
      const byRank = new Float64Array(count);
      const bends = new Float64Array(count);
      const swaps = {
        fixOrder: () => undefined,
        swapDelta: (a: number, b: number) =>
          ideal > 0 ? ((gains[order[b]] - gains[order[a]]) * (discountAt(a + 1) - discountAt(b + 1))) / ideal : 0,
      };
      const ones = new Float64Array(count).fill(1);
      const rules = { sigma, truncation, normalise };
      const size = pairGradientsBySwaps(swaps, 0, order, keys, byRank, bends, ones, 1, rules);
      const factor = normalise && size > 0 ? Math.log2(1 + 2 * size) / (2 * size) : 1;
      const gradient = new Float64Array(count);
      const hessian = new Float64Array(count);
      order.forEach((doc, rank) => {
        gradient[doc] = factor * byRank[rank];
        hessian[doc] = factor * bends[rank];
      });
      return { gradient, hessian };
    },
  };
}
