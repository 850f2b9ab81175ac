import { InputError } from '../../core/problem.js';
import { requireOneOf, requirePaired, type Values } from '../checks.js';
import { ascendingOrder } from '../ranks.js';

/** Two scorings of the same systems, and what their ties mean. */
export interface ApCorrelationOptions {
  /** The true scores; larger is better. */
  readonly truth: Values;
  /** The scores whose ranking is judged, of the same things in the same order. */
  readonly estimate: Values;
  /** *none* (the default) is the coefficient of Yilmaz, Aslam and Robertson and refuses ties. *a* takes the true ranking as given
   *  and without ties, and averages over all orders of the estimate's ties. *b* measures the agreement of two rankings that may
   *  both have ties: it is symmetric, ties count as a loss of information, and no order is assumed. */
  readonly ties?: 'none' | 'a' | 'b';
}

/** How well an estimate orders systems, with most weight on the best of them. */
export interface ApCorrelationResult {
  readonly method: 'tau AP' | 'tau AP,a' | 'tau AP,b';
  readonly tau: number;
}

/** AP correlation: Kendall's tau with errors near the top weighing more (doi:10.1145/1390334.1390435), and its versions for ties
 *  by Urbano and Marrero (doi:10.1145/3121050.3121106). */
export function apCorrelation(options: ApCorrelationOptions): ApCorrelationResult {
  const { truth, estimate, ties = 'none' } = options;
  requirePaired(truth, estimate, 2);
  requireOneOf('treatment of ties', ties, ['none', 'a', 'b']);
  if (ties !== 'b') refuseTies('truth', truth, 'use ties b');
  if (ties === 'none') refuseTies('estimate', estimate, 'use ties a or b');
  if (ties === 'b') return { method: 'tau AP,b', tau: (oneWayB(truth, estimate) + oneWayB(estimate, truth)) / 2 };
  return { method: ties === 'a' ? 'tau AP,a' : 'tau AP', tau: accuracy(truth, estimate) };
}

/** Average over all orders of the tie groups of the estimate. In a group of t starting at rank p, every member stands equally often
 *  at each of the ranks p … p+t−1, is concordant with those above the group wherever it stands, and with half of those of its own
 *  group that happen to be above it. Without ties this is the coefficient itself. */
function accuracy(truth: Values, estimate: Values): number {
  const n = truth.length;
  let sum = 0;
  walkTieGroups(truth, estimate, (start, end, concordantAbove) => {
    const size = end - start;
    for (let rank = start; rank < end; rank++) {
      // `rank` things are above, of which rank − start are of the same group
      if (rank > 0) sum += (concordantAbove / size + (rank - start) / 2) / rank;
    }
  });
  return (2 * sum) / (n - 1) - 1;
}

/** The share of concordant things above each thing's tie group, averaged over all things below the first group. */
function oneWayB(other: Values, ranking: Values): number {
  let sum = 0;
  let below = 0;
  walkTieGroups(other, ranking, (start, end, concordantAbove) => {
    if (start === 0) return;
    sum += concordantAbove / start;
    below += end - start;
  });
  if (below === 0) {
    throw new InputError({
      message: `all ${ranking.length} values of one ranking are equal, so the AP correlation is not defined`,
      wayOut: 'compare values that differ',
    });
  }
  return (2 * sum) / below - 1;
}

/** Walks the tie groups of `ranking` from the best down: for each, the ranks [start, end) it fills (from 0) and how many
 *  concordant pairs its members form with the things above the group. A binary indexed tree over the other ranking's order makes
 *  that n log n. */
function walkTieGroups(other: Values, ranking: Values, visit: (start: number, end: number, concordantAbove: number) => void): void {
  const n = ranking.length;
  const order = ascendingOrder(ranking).reverse();
  const levels = denseLevels(other);
  const tree = new Uint32Array(n + 1); // fits: entries
  let above = 0;
  for (let start = 0; start < n; ) {
    let end = start + 1;
    while (end < n && ranking[order[end]] === ranking[order[start]]) end++;
    let concordant = 0;
    for (let i = start; i < end; i++) {
      // those above the group with a strictly larger value in the other ranking
      let notLarger = 0;
      for (let at = levels[order[i]]; at > 0; at -= at & -at) notLarger += tree[at];
      concordant += above - notLarger;
    }
    visit(start, end, concordant);
    for (let i = start; i < end; i++) {
      for (let at = levels[order[i]]; at <= n; at += at & -at) tree[at]++;
    }
    above += end - start;
    start = end;
  }
}

/** 1 for the smallest value, 2 for the next larger, equal values alike. */
function denseLevels(values: Values): Uint32Array {
  const order = ascendingOrder(values);
  const levels = new Uint32Array(order.length); // fits: entries
  let level = 0;
  for (let i = 0; i < order.length; i++) {
    if (i === 0 || values[order[i]] !== values[order[i - 1]]) level++;
    levels[order[i]] = level;
  }
  return levels;
}

function refuseTies(name: string, values: Values, wayOut: string): void {
  const order = ascendingOrder(values);
  for (let i = 1; i < order.length; i++) {
    if (values[order[i]] === values[order[i - 1]]) {
      throw new InputError({ message: `the ${name} has ${String(values[order[i]])} twice, expected no ties`, wayOut });
    }
  }
}
