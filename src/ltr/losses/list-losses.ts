import { shuffleInPlace } from '../../core/numbers/random.js';
import { gainsOf, haveDifferentLabels, type QueryGradients, type QueryObjective } from './query-objective.js';

/** exp(score) / Σ exp(score), and the logarithm of that sum. */
function softmax(scores: Float64Array): { readonly chances: Float64Array; readonly logSum: number } {
  let greatest = Number.NEGATIVE_INFINITY;
  for (const score of scores) if (score > greatest) greatest = score;
  const chances = scores.map((score) => Math.exp(score - greatest));
  const sum = chances.reduce((total, chance) => total + chance, 0);
  return { chances: chances.map((chance) => chance / sum), logSum: greatest + Math.log(sum) };
}

/** The cross entropy between shares of gain and the softmax of the scores: ListNet's loss with gains in place of exponentials of labels
 *  (Bruch et al. 2019, doi:10.1145/3341981.3344221). */
export function softmaxLoss(): QueryObjective {
  return {
    name: 'softmax cross entropy',
    teaches: haveDifferentLabels,
    gradients: (scores, { labels }) => {
      const gains = gainsOf(labels);
      const total = gains.reduce((sum, gain) => sum + gain, 0);
      const { chances, logSum } = softmax(scores);
      const shares = gains.map((gain) => (total > 0 ? gain / total : 1 / gains.length));
      return {
        gradient: chances.map((chance, i) => chance - shares[i]),
        hessian: chances.map((chance) => chance * (1 - chance)),
        loss: shares.reduce((sum, share, i) => sum + share * (logSum - scores[i]), 0),
      };
    },
  };
}

/** How ListMLE orders documents with equal labels, and what places count. */
export interface ListMleOptions {
  /** *row*: as they stand in the data; *random*: drawn anew for each iteration. */
  readonly ties?: 'row' | 'random' | undefined;
  /** Places count 2^(n - k) - 1 for place k of n, in units of the first: p-ListMLE (Lan et al. 2014). */
  readonly positions?: boolean | undefined;
}

/** The negative logarithm of the chance that drawing documents one after the other, by the softmax of their scores, gives the order by
 *  labels (Xia et al. 2008, doi:10.1145/1390156.1390306). */
export function listMleLoss({ ties = 'random', positions = false }: ListMleOptions = {}): QueryObjective {
  return {
    name: positions ? 'p-ListMLE' : 'ListMLE',
    teaches: haveDifferentLabels,
    gradients: (scores, { labels, random }) => {
      const order = Uint32Array.from({ length: scores.length }, (_, i) => i); // fits: entries
      if (ties === 'random') shuffleInPlace(random, order);
      const places = new Uint32Array(order.length); // fits: entries
      order.forEach((doc, place) => {
        places[doc] = place;
      });
      order.sort((a, b) => labels[b] - labels[a] || places[a] - places[b]);
      return orderLikelihood(scores, order, positions ? placeWeights(order.length) : new Float64Array(order.length).fill(1));
    },
  };
}

/** (2^(n - k) - 1) / (2^(n - 1) - 1) for k = 1 … n, without numbers that overflow. */
function placeWeights(count: number): Float64Array {
  const last = 2 ** (1 - count);
  return Float64Array.from({ length: count }, (_, k) => (count > 1 ? (2 ** -k - last) / (1 - last) : 0));
}

function orderLikelihood(scores: Float64Array, order: Uint32Array, weights: Float64Array): QueryGradients {
  const count = order.length;
  let greatest = Number.NEGATIVE_INFINITY;
  for (const score of scores) if (score > greatest) greatest = score;
  const odds = scores.map((score) => Math.exp(score - greatest));
  // sums over all that are not drawn yet; the greatest score may be drawn first, so that rounding must not leave 0
  const rest = new Float64Array(count);
  for (let k = count - 1, sum = 0; k >= 0; k--) {
    sum += odds[order[k]];
    rest[k] = Math.max(sum, Number.MIN_VALUE);
  }
  const gradient = new Float64Array(count);
  const hessian = new Float64Array(count);
  let loss = 0;
  let inverse = 0;
  let square = 0;
  for (let k = 0; k < count; k++) {
    const doc = order[k];
    const weight = weights[k];
    inverse += weight / rest[k];
    square += weight / rest[k] / rest[k];
    loss += weight * (greatest + Math.log(rest[k]) - scores[doc]);
    gradient[doc] = odds[doc] * inverse - weight;
    hessian[doc] = Math.max(0, odds[doc] * inverse - odds[doc] * odds[doc] * square);
  }
  return { gradient, hessian, loss };
}

/** What XE-NDCG can be told. */
export interface XeNdcgOptions {
  /** The random numbers in [0, 1), one for each document, where they are not to be drawn. */
  readonly gamma?: ArrayLike<number> | undefined;
  /** *1*: the gradient of the cross entropy; *3*, as LightGBM has it: with two further terms of the step. */
  readonly order?: 1 | 3 | undefined;
}

/** LightGBM's rank_xendcg: the cross entropy with gains that are blurred by a random number for each document (Bruch 2021,
 *  doi:10.1145/3442381.3449794). */
export function xeNdcgLoss({ gamma, order = 3 }: XeNdcgOptions = {}): QueryObjective {
  return {
    name: 'XE-NDCG',
    teaches: haveDifferentLabels,
    gradients: (scores, { labels, random }) => {
      const count = scores.length;
      if (count < 2) return { gradient: new Float64Array(count), hessian: new Float64Array(count) };
      const blurred = labels.map((label, i) => 2 ** label - (gamma?.[i] ?? random.float()));
      const total = blurred.reduce((sum, value) => sum + value, 0);
      const { chances, logSum } = softmax(scores);
      const others = chances.map((chance) => Math.max(1 - chance, Number.EPSILON));
      const first = chances.map((chance, i) => chance - blurred[i] / total);
      const hessian = chances.map((chance, i) => chance * others[i]);
      const loss = blurred.reduce((sum, value, i) => sum + (value / total) * (logSum - scores[i]), 0);
      if (order === 1) return { gradient: first, hessian, loss };
      const second = nextOrder(first, chances, others);
      const third = nextOrder(second, chances, others);
      return { gradient: first.map((value, i) => value + second[i] + third[i]), hessian, loss };
    },
  };
}

function nextOrder(terms: Float64Array, chances: Float64Array, others: Float64Array): Float64Array {
  const scaled = terms.map((term, i) => term / others[i]);
  const sum = scaled.reduce((total, value) => total + value, 0);
  return scaled.map((value, i) => chances[i] * (sum - value));
}
