import { requireOneOf, requirePaired, type Values } from '../checks.js';
import { type CorrelationOptions, requireSpread } from './correlation.js';

/** Two scorings of the same things, and what becomes of tied pairs. */
export interface KendallTauOptions extends CorrelationOptions {
  /** *b* (the default) divides by the pairs that are not tied, so that rankings with the same ties reach 1; *a* divides by all
   *  pairs; *c* is Stuart's, for values on scales of different length: it divides by what the shorter scale allows. */
  readonly variant?: 'a' | 'b' | 'c';
}

/** How far two orders agree, and the counts of pairs behind it. */
export interface KendallTauResult {
  readonly method: 'Kendall tau-a' | 'Kendall tau-b' | 'Kendall tau-c';
  readonly tau: number;
  readonly concordant: number;
  readonly discordant: number;
  /** Pairs tied in the first, in the second, and in both; pairs of the last kind are in the other two as well. */
  readonly tiedFirst: number;
  readonly tiedSecond: number;
  readonly tiedBoth: number;
  readonly pairs: number;
}

/** Kendall's tau in n log n steps: sorted by the first value, every exchange that a merge sort by the second makes is a
 *  discordant pair (Knight, doi:10.1080/01621459.1966.10480879). */
export function kendallTau(options: KendallTauOptions): KendallTauResult {
  const { first, second, variant = 'b' } = options;
  requirePaired(first, second, 2);
  requireOneOf('variant of tau', variant, ['a', 'b', 'c']);
  if (variant !== 'a') requireSpread(first, second, `tau-${variant}`);
  const n = first.length;
  const order = new Uint32Array(n); // fits: entries
  for (let i = 0; i < n; i++) order[i] = i;
  order.sort((a, b) => first[a] - first[b] || second[a] - second[b]);

  // pairs tied in the first, and those of them tied in the second too
  let tiedFirst = 0;
  let tiedBoth = 0;
  for (let start = 0; start < n; ) {
    let end = start + 1;
    let runStart = start;
    for (; end < n && first[order[end]] === first[order[start]]; end++) {
      if (second[order[end]] !== second[order[runStart]]) {
        tiedBoth += pairsAmong(end - runStart);
        runStart = end;
      }
    }
    tiedBoth += pairsAmong(end - runStart);
    tiedFirst += pairsAmong(end - start);
    start = end;
  }

  const sorted = Float64Array.from(order, (i) => second[i]);
  const discordant = sortCountingExchanges(sorted);
  let tiedSecond = 0;
  for (let start = 0; start < n; ) {
    let end = start + 1;
    while (end < n && sorted[end] === sorted[start]) end++;
    tiedSecond += pairsAmong(end - start);
    start = end;
  }

  const pairs = pairsAmong(n);
  const concordant = pairs - tiedFirst - tiedSecond + tiedBoth - discordant;
  const divisor = {
    a: () => pairs,
    b: () => Math.sqrt(pairs - tiedFirst) * Math.sqrt(pairs - tiedSecond),
    c: () => stuartDivisor(n, Math.min(numDistinct(first), numDistinct(second))),
  }[variant]();
  const tau = Math.max(-1, Math.min(1, (concordant - discordant) / divisor));
  return { method: `Kendall tau-${variant}`, tau, concordant, discordant, tiedFirst, tiedSecond, tiedBoth, pairs };
}

/** The largest difference of concordant and discordant pairs that a scale of so many values allows. */
function stuartDivisor(n: number, levels: number): number {
  return (n * n * (levels - 1)) / (2 * levels);
}

function numDistinct(values: Values): number {
  const seen = new Set<number>();
  for (let i = 0; i < values.length; i++) seen.add(values[i]);
  return seen.size;
}

function pairsAmong(n: number): number {
  return (n * (n - 1)) / 2;
}

/** Sorts in place by merging from the bottom up, and returns how many pairs stood in the wrong order. */
function sortCountingExchanges(values: Float64Array): number {
  const n = values.length;
  let from = values;
  let to: Float64Array = new Float64Array(n);
  let exchanges = 0;
  for (let width = 1; width < n; width *= 2) {
    for (let start = 0; start < n; start += 2 * width) {
      const middle = Math.min(start + width, n);
      const end = Math.min(start + 2 * width, n);
      let left = start;
      let right = middle;
      for (let k = start; k < end; k++) {
        if (left < middle && (right >= end || from[left] <= from[right])) to[k] = from[left++];
        else {
          // this value passes all that are left of the left half
          exchanges += middle - left;
          to[k] = from[right++];
        }
      }
    }
    const swap = from;
    from = to;
    to = swap;
  }
  if (from !== values) values.set(from);
  return exchanges;
}
