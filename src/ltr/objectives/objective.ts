import type { Measure } from '../../measures/measure.js';

/** A metric of a program, asked after each iteration. Scores and labels are in the order of the data; the documents of query q are those from
 *  queryOffsets[q] to queryOffsets[q + 1]. Higher is better. */
export interface RankingMetric {
  readonly name: string;
  value(scores: Float64Array, data: { readonly labels: Float64Array; readonly queryOffsets: Uint32Array }): number;
}

/** A measure as learners use it: its value for one query under any order of the documents, and what exchanging two of them
 *  would change. Conventions have been applied to the measure before, so that its parameters (`gain`, `discount`, `empty`,
 *  `short`, `ideal`, `rel`, …) say everything about empty and short queries. */
export interface Objective {
  readonly measure: Measure;
  /** Whether `swapDelta` can be asked. Any measure has values; only some have a quick answer to what a swap changes. */
  readonly canSwap: boolean;
  /** Whether it can be asked only in the thread that made it, because others could not make the same. */
  readonly ownThread?: boolean | undefined;
  /** What is watched on validation data in the place of the measure: a program's own metric, better where it is higher. */
  readonly watched?: RankingMetric | undefined;
  /** What does not change while the order does, computed once for these labels. */
  prepare(labels: Float64Array, queryOffsets: Uint32Array): PreparedObjective;
}

/** Queries are numbered as in the data; documents of a query from 0, in the order of its rows. Not to be shared by threads. */
export interface PreparedObjective {
  /** 1 for a query whose value depends on the order of its documents, 0 for one whose value is settled by a rule (nothing
   *  relevant, shorter than the cutoff) or by its labels. Only the former can teach anything. */
  readonly teaches: Uint8Array;
  /** 1 for a query that takes part in the mean, 0 for one that `empty='skip'` leaves out; its value is 0 here. */
  readonly counted: Uint8Array;
  /** The value of query q with its documents in this order: order[0] is the first document. Equal to what `evaluate` gives. */
  value(q: number, order: Uint32Array): number;
  /** Fixes an order, about which `swapDelta` is then asked. The array is read until the next call. */
  fixOrder(q: number, order: Uint32Array): void;
  /** What would be added to the value if the documents at ranks a and b (from 0, a < b) changed places. */
  swapDelta(a: number, b: number): number;
  /** Only where the value of a query is a sum over ranks of gain times weight, so that loops over many pairs need no calls. */
  readonly discounted?: DiscountedGains | undefined;
}

/** `swapDelta(a, b)` of query q is (gain at rank b - gain at rank a) * (weights[a] - weights[b]) / norms[q]. */
export interface DiscountedGains {
  /** The gain of each row of the data. */
  readonly gains: Float64Array;
  /** What a gain of 1 adds at each rank from 0 to the end of the longest list; 0 below the cutoff. */
  readonly weights: Float64Array;
  readonly norms: Float64Array;
}
