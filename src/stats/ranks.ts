import type { Values } from './checks.js';

/** The positions of `values` from the smallest to the largest; equal values keep their order. */
export function ascendingOrder(values: Values): Uint32Array {
  const order = new Uint32Array(values.length); // fits: entries
  for (let i = 0; i < order.length; i++) order[i] = i;
  return order.sort((a, b) => values[a] - values[b] || a - b);
}

/** The ranks of values, and what corrections for ties need to know about them. */
export interface Ranks {
  /** From 1 for the smallest, with the average rank for equal values. */
  readonly ranks: Float64Array;
  /** Σ(t³ − t) over the groups of equal values, which every correction for ties needs. */
  readonly tieSum: number;
}

/** Values whose neighbours in size are no further apart than `tolerance` count as equal. */
export function averageRanks(values: Values, tolerance = 0): Ranks {
  const order = ascendingOrder(values);
  const ranks = new Float64Array(order.length);
  let tieSum = 0;
  for (let start = 0; start < order.length; ) {
    let end = start + 1;
    while (end < order.length && values[order[end]] - values[order[end - 1]] <= tolerance) end++;
    const size = end - start;
    // ranks start+1 … end have this mean
    for (let i = start; i < end; i++) ranks[order[i]] = (start + 1 + end) / 2;
    tieSum += size * size * size - size;
    start = end;
  }
  return { ranks, tieSum };
}
