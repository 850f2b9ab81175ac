import type { Random } from '../../core/numbers/random.js';
import { pairLoss, type WeightedPair } from './pair-losses.js';
import {
  discountAt,
  gainsOf,
  haveDifferentLabels,
  idealSum,
  orderByScore,
  type QueryGradients,
  type QueryObjective,
} from './query-objective.js';

/** How YetiRank makes and weighs pairs. */
export interface YetiRankOptions {
  /** Orders that are drawn for each query and iteration. */
  readonly permutations?: number | undefined;
  /** *classic*: neighbours count by the difference of their labels, each place less than the one before by `decay`; *ndcg*: pairs at most
   *  `neighbours` places apart, by what their exchange changes in nDCG. */
  readonly mode?: 'classic' | 'ndcg' | undefined;
  readonly decay?: number | undefined;
  readonly neighbours?: number | undefined;
}

/** The first place of YetiRank's classic weights counts so much. */
const FIRST_PLACE = 0.15;

/** The pairs that one order of the documents gives, the better document first. */
export function yetiRankPairs(
  order: ArrayLike<number>,
  labels: Float64Array,
  { mode = 'classic', decay = 0.85, neighbours = 1 }: YetiRankOptions = {},
): WeightedPair[] {
  const count = order.length;
  const gains = gainsOf(labels);
  const ideal = mode === 'ndcg' ? idealSum(gains) : 1;
  const pairs: WeightedPair[] = [];
  const reach = mode === 'classic' ? 1 : neighbours < 0 ? count : neighbours;
  for (let k = 0; k + 1 < count; k++) {
    for (let m = k + 1; m < count && m <= k + reach; m++) {
      const [upper, lower] = labels[order[k]] >= labels[order[m]] ? [order[k], order[m]] : [order[m], order[k]];
      if (labels[upper] === labels[lower]) continue;
      const weight =
        mode === 'classic'
          ? FIRST_PLACE * decay ** k * (labels[upper] - labels[lower])
          : ((gains[upper] - gains[lower]) * (discountAt(k + 1) - discountAt(m + 1))) / ideal;
      pairs.push({ upper, lower, weight });
    }
  }
  return pairs;
}

/** CatBoost's YetiRank: RankNet's loss of the pairs that noisy orders put side by side (Gulin, Kuralenok and Pavlov 2011). */
export function yetiRankLoss(options: YetiRankOptions = {}): QueryObjective {
  const { permutations = 10 } = options;
  return {
    name: 'YetiRank',
    teaches: haveDifferentLabels,
    gradients: (scores, { labels, random }) => {
      const orders = Array.from({ length: permutations }, () => {
        const noisy = scores.map((score) => {
          const uniform = random.float();
          // as CatBoost has it; a uniform number of 0 would be a score of minus infinity
          return score + Math.log(Math.max(uniform, Number.MIN_VALUE) / (1.000001 - uniform));
        });
        return orderByScore(noisy);
      });
      return yetiRankLossOf(orders, scores, labels, options);
    },
  };
}

/** RankNet's loss of the pairs of some orders, per order. */
export function yetiRankLossOf(
  orders: readonly ArrayLike<number>[],
  scores: Float64Array,
  labels: Float64Array,
  options: YetiRankOptions = {},
): QueryGradients {
  const pairs = orders.flatMap((order) => yetiRankPairs(order, labels, options));
  return pairLoss(
    pairs.map(({ upper, lower, weight }) => ({ upper, lower, weight: weight / orders.length })),
    scores,
  );
}

/** An estimate of nDCG's mean over normal noise in the scores. */
export interface SmoothedNdcg {
  readonly value: number;
  /** Derivatives of that mean by the scores, without bias. */
  readonly gradient: Float64Array;
  /** Of each of them; NaN for one sample. */
  readonly standardErrors: Float64Array;
}

/** Samples noise. Given the noisy scores of all others, the chance of a document to be above each of them has an exact derivative by its own
 *  score: the density there. */
export function smoothedNdcg(
  scores: Float64Array,
  labels: Float64Array,
  {
    sigma = 1,
    samples = 1,
    cutoff = Number.POSITIVE_INFINITY,
    random,
  }: { readonly sigma?: number; readonly samples?: number; readonly cutoff?: number; readonly random: Random },
): SmoothedNdcg {
  const count = scores.length;
  const gains = gainsOf(labels);
  const ideal = idealSum(gains, cutoff);
  const discounts = Float64Array.from({ length: count + 1 }, (_, k) => (k < cutoff ? discountAt(k + 1) : 0));
  const sums = new Float64Array(count);
  const squares = new Float64Array(count);
  let value = 0;
  if (!(ideal > 0)) return { value: 0, gradient: sums, standardErrors: squares };
  const height = 1 / (sigma * Math.sqrt(2 * Math.PI));
  for (let drawn = 0; drawn < samples; drawn++) {
    const noisy = scores.map((score) => score + sigma * random.normal());
    const order = orderByScore(noisy);
    for (let k = 0; k < count; k++) value += (gains[order[k]] * discounts[k]) / ideal;
    for (let i = 0; i < count; i++) {
      let slope = 0;
      let place = 0;
      for (const other of order) {
        if (other === i) continue;
        // rising above this one takes the document from place + 1 to place, and the other one down
        const change = (gains[i] - gains[other]) * (discounts[place] - discounts[place + 1]);
        const distance = (noisy[other] - scores[i]) / sigma;
        if (change !== 0) slope += change * height * Math.exp(-0.5 * distance * distance);
        place++;
      }
      slope /= ideal;
      sums[i] += slope;
      squares[i] += slope * slope;
    }
  }
  const gradient = sums.map((sum) => sum / samples);
  const standardErrors = squares.map((square, i) => Math.sqrt((square / samples - gradient[i] ** 2) / (samples - 1)));
  return { value: value / samples, gradient, standardErrors };
}

/** How StochasticRank smooths. */
export interface StochasticRankOptions {
  /** Standard deviation of the noise. */
  readonly sigma?: number | undefined;
  readonly samples?: number | undefined;
  /** How much of the gradient along the scores is taken away, so that training cannot win by making all scores larger. */
  readonly scaleFree?: number | undefined;
  readonly cutoff?: number | undefined;
}

/** Keeps the direction of scores that are all 0 from dividing by 0. */
const SCALE_SOFTENING = 0.01;

/** StochasticRank: follows an estimate, without bias, of the gradient of nDCG smoothed by normal noise (Ustimenko and Prokhorenkova 2020,
 *  arXiv:2003.02122). The size of the gradient stands for the Hessian. */
export function stochasticRankLoss({ sigma = 1, samples = 1, scaleFree = 1, cutoff }: StochasticRankOptions = {}): QueryObjective {
  return {
    name: 'StochasticRank',
    teaches: haveDifferentLabels,
    gradients: (scores, { labels, random }) => {
      const count = scores.length;
      const { value, gradient } = smoothedNdcg(scores, labels, { sigma, samples, ...(cutoff === undefined ? {} : { cutoff }), random });
      const meanOf = (numbers: Float64Array): number => numbers.reduce((sum, number) => sum + number, 0) / count;
      const meanSlope = meanOf(gradient);
      const meanScore = meanOf(scores);
      const centred = scores.map((score) => score - meanScore);
      const slopes = gradient.map((slope) => slope - meanSlope);
      const along = slopes.reduce((sum, slope, i) => sum + slope * centred[i], 0);
      const length = Math.sqrt(centred.reduce((sum, score) => sum + score * score, 0)) + SCALE_SOFTENING;
      const loss = slopes.map((slope, i) => -(slope - (scaleFree * along * centred[i]) / (length * length)));
      return { gradient: loss, hessian: loss.map((slope) => Math.abs(slope) / sigma + 1e-6), loss: -value };
    },
  };
}
