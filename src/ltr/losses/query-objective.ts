import type { Random } from '../../core/numbers/random.js';

/** The documents of one query, as an objective of a program sees them. */
export interface QueryDocuments {
  /** Which query of the training data it is, from 0. */
  readonly query: number;
  /** One label for each document, in the order of the data. */
  readonly labels: Float64Array;
  /** Which tree is being made, from 1. */
  readonly iteration: number;
  /** Random numbers of this query in this iteration: the same for a seed, whatever else is trained. */
  readonly random: Random;
}

/** What is to be made smaller, at the scores of one query. */
export interface QueryGradients {
  /** The derivative of the loss by the score of each document: a positive number pushes the score down. */
  readonly gradient: ArrayLike<number>;
  /** The second derivative, or a positive number in its place; leaves take the step -gradient / hessian. */
  readonly hessian: ArrayLike<number>;
  /** The loss itself, where it is known. */
  readonly loss?: number | undefined;
}

/** An objective of learners that follow gradients: one of `rankingLoss`, or a program's own.
 *
 *      const squares: QueryObjective = {
 *        name: 'squared error',
 *        gradients: (scores, { labels }) => ({
 *          gradient: scores.map((score, i) => score - labels[i]),
 *          hessian: new Float64Array(scores.length).fill(1),
 *        }),
 *      };
 *      await trainRanker({ learner: await loadLearner('lambdamart'), train, objective: parseMeasure('nDCG@10'), gradients: squares });
 */
export interface QueryObjective {
  /** What the model says it was trained for. */
  readonly name: string;
  /** Scores are in the order of the data, and must not be changed. */
  gradients(scores: Float64Array, query: QueryDocuments): QueryGradients;
  /** Whether a query with these labels says anything; every query by default. */
  teaches?(labels: Float64Array): boolean;
  /** Called when all queries of an iteration have been asked, for objectives that learn something of their own. */
  endIteration?(iteration: number): void;
}

/** Whether labels differ: otherwise no order is better than another. */
export function haveDifferentLabels(labels: Float64Array): boolean {
  return labels.some((label) => label !== labels[0]);
}

/** The documents in descending order of their scores; equal ones as they stand. */
export function orderByScore(scores: ArrayLike<number>): Uint32Array {
  const order = Uint32Array.from({ length: scores.length }, (_, i) => i); // fits: entries
  return order.sort((a, b) => scores[b] - scores[a] || a - b);
}

/** The rank of each document from 1. */
export function ranksOf(order: Uint32Array): Uint32Array {
  const ranks = new Uint32Array(order.length); // fits: entries
  for (let place = 0; place < order.length; place++) ranks[order[place]] = place + 1;
  return ranks;
}

/** 2^label - 1. */
export function gainsOf(labels: Float64Array): Float64Array {
  return labels.map((label) => 2 ** label - 1);
}

/** What a gain of 1 is worth at a rank from 1. */
export function discountAt(rank: number): number {
  return 1 / Math.log2(1 + rank);
}

/** The best discounted sum of gains at so many first ranks. */
export function idealSum(gains: Float64Array, cutoff: number = Number.POSITIVE_INFINITY): number {
  const best = gains.slice().sort().reverse();
  let sum = 0;
  for (let i = 0; i < Math.min(best.length, cutoff); i++) sum += best[i] * discountAt(i + 1);
  return sum;
}

/** 1 / (1 + e^-x) without overflow. */
export function logistic(x: number): number {
  if (x >= 0) return 1 / (1 + Math.exp(-x));
  const odds = Math.exp(x);
  return odds / (1 + odds);
}

/** ln(1 + e^x) without overflow. */
export function softPlus(x: number): number {
  return x > 0 ? x + Math.log1p(Math.exp(-x)) : Math.log1p(Math.exp(x));
}
