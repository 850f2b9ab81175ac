import { scratchFor } from '../../core/growing-arrays.js';
import { RankingScratch } from '../../core/order.js';
import type { Measure } from '../../measures/measure.js';
import type { Objective, PreparedObjective } from '../objectives/objective.js';

/** How rankings are to be like those of an evaluation. */
export interface RankingManner {
  /** Equal scores are in this order (see `tiePlaces`), or by default in that of the rows. */
  readonly places?: Uint32Array | undefined;
  /** The order in which the values of the queries are added up; that of the data by default. */
  readonly queries?: Uint32Array | undefined;
}

/** The order of each query's documents by score, best first, and what a measure says of it. Orders are kept from one call to the next: scores change little from step to step, and a list that is nearly
 *  sorted is sorted by few moves. For a measure with a cutoff only the documents above it are sorted. */
export class Rankings {
  readonly prepared: PreparedObjective;
  readonly numQueries: number;
  /** One order per query, all in one buffer. */
  readonly orders: readonly Uint32Array[];
  /** How many documents from the top are in order; which come after them is known, but not how. */
  readonly depth: number;
  /** The queries whose value depends on the order. */
  readonly teaching: Uint32Array;
  /** How many queries the mean is over. */
  readonly numCounted: number;
  /** Sum of the values of all queries that no order changes. */
  readonly settledSum: number;
  /** The value of each query that no order changes; NaN for the others. */
  private readonly settledValues: Float64Array;
  private readonly manner: RankingManner;
  private readonly queryOffsets: Uint32Array;
  private readonly buffer: Uint32Array;
  private readonly sorter = new OrderSorter();

  constructor(objective: Objective, labels: Float64Array, queryOffsets: Uint32Array, manner: RankingManner = {}) {
    this.prepared = objective.prepare(labels, queryOffsets);
    this.depth = depthOf(objective.measure);
    this.queryOffsets = queryOffsets;
    this.numQueries = queryOffsets.length - 1;
    this.manner = manner;
    this.buffer = new Uint32Array(labels.length); // fits: entries
    this.settledValues = new Float64Array(this.numQueries).fill(Number.NaN);
    const orders: Uint32Array[] = [];
    const teaching: number[] = [];
    const { teaches, counted } = this.prepared;
    let numCounted = 0;
    let settledSum = 0;
    for (let q = 0; q < this.numQueries; q++) {
      const order = this.buffer.subarray(queryOffsets[q], queryOffsets[q + 1]);
      for (let i = 0; i < order.length; i++) order[i] = i;
      orders.push(order);
      numCounted += counted[q];
      if (teaches[q] === 1) teaching.push(q);
      else if (counted[q] === 1) {
        this.settledValues[q] = this.prepared.value(q, order);
        settledSum += this.settledValues[q];
      }
    }
    this.orders = orders;
    this.teaching = Uint32Array.from(teaching); // fits: entries
    this.numCounted = numCounted;
    this.settledSum = settledSum;
  }

  /** Sorts the documents of one query and tells its value. */
  rank(q: number, scores: Float64Array): number {
    this.sort(q, scores);
    return this.prepared.value(q, this.orders[q]);
  }

  /** Sorts the documents of one query down to the depth; false if they stood in that order already. */
  sort(q: number, scores: Float64Array): boolean {
    return this.sorter.sort(this.orders[q], scores, this.queryOffsets[q], this.depth, this.manner.places);
  }

  /** The mean over queries when documents are ranked by these scores. */
  mean(scores: Float64Array): number {
    const { settledValues } = this;
    const { teaches, counted } = this.prepared;
    let sum = 0;
    for (let i = 0; i < this.numQueries; i++) {
      const q = this.manner.queries?.[i] ?? i;
      if (teaches[q] === 1) sum += this.rank(q, scores);
      else if (counted[q] === 1) sum += settledValues[q];
    }
    return this.numCounted === 0 ? 0 : sum / this.numCounted;
  }

  /** All orders as they are now, to come back to. */
  save(into: Uint32Array): void {
    into.set(this.buffer);
  }

  restore(from: Uint32Array): void {
    this.buffer.set(from);
  }
}

/** The ranks on which a measure depends: those down to its cutoff, or all. A cutoff that passes over unjudged documents
 *  lies anywhere. */
function depthOf({ def, params }: Measure): number {
  return def.at === 'cutoff' && params.judged_only !== true && typeof params.cutoff === 'number' ? params.cutoff : Number.POSITIVE_INFINITY;
}

const noDocs = (): number => 0;

/** Whether document a of a query comes after document b if they have the same score. Not a closure: it is asked in the innermost loop. */
function isAfter(a: number, b: number, start: number, places: Uint32Array | undefined): boolean {
  return places === undefined ? a > b : places[start + a] > places[start + b];
}

/** Sorts positions by score, starting from the order they have. */
export class OrderSorter {
  private keys: Float64Array = new Float64Array(256);
  private readonly scratch = new RankingScratch();

  /** `order` holds each of 0 … n-1 once; afterwards the first `depth` of them are by scores[start + position], descending,
   *  equal scores ascending by places[start + position], or by position without places, and the others follow in any order. Scores must not be NaN. The answer is false
   *  if the first `depth` stood like that already. */
  sort(order: Uint32Array, scores: Float64Array, start: number, depth: number = Number.POSITIVE_INFINITY, places?: Uint32Array): boolean {
    const n = order.length;
    const top = Math.min(n, depth);
    this.keys = scratchFor(this.keys, top);
    const { keys } = this;
    // beyond this many moves a merge sort from scratch is quicker
    const enough = 4 * n + 16;
    let moves = 0;
    for (let i = 0; i < n; i++) {
      const doc = order[i];
      const key = scores[start + doc];
      let hole = i;
      if (i >= top) {
        // a document from below the top pushes out the last one there, or stays where it is
        const last = top - 1;
        if (key < keys[last] || (key === keys[last] && isAfter(doc, order[last], start, places))) continue;
        order[i] = order[last];
        hole = last;
        moves++;
      }
      while (hole > 0 && (keys[hole - 1] < key || (keys[hole - 1] === key && isAfter(order[hole - 1], doc, start, places)))) {
        keys[hole] = keys[hole - 1];
        order[hole] = order[hole - 1];
        hole--;
        moves++;
      }
      keys[hole] = key;
      order[hole] = doc;
      if (moves > enough) {
        this.sortAfresh(order, scores, start, places);
        return true;
      }
    }
    return moves > 0;
  }

  private sortAfresh(order: Uint32Array, scores: Float64Array, start: number, places: Uint32Array | undefined): void {
    const n = order.length;
    const inPlace =
      places === undefined
        ? this.scratch.rank(scores, start, n, 'file', noDocs)
        : this.scratch.rank(scores, start, n, 'docno-ascending', (a, b) => places[start + a] - places[start + b]);
    for (let i = 0; i < n; i++) order[i] = inPlace ? i : this.scratch.order[i];
  }
}
