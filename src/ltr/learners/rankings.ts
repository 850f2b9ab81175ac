import { RankingScratch } from '../../core/order.js';
import type { Measure } from '../../measures/measure.js';
import type { Objective, PreparedObjective } from '../objectives/objective.js';

/** The order of each query's documents by score, best first, equal scores in the order of the rows, and what a measure says
 *  of it. Orders are kept from one call to the next: scores change little from step to step, and a list that is nearly
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
  private readonly queryOffsets: Uint32Array;
  private readonly buffer: Uint32Array;
  private readonly sorter = new OrderSorter();

  constructor(objective: Objective, labels: Float64Array, queryOffsets: Uint32Array) {
    this.prepared = objective.prepare(labels, queryOffsets);
    this.depth = depthOf(objective.measure);
    this.queryOffsets = queryOffsets;
    this.numQueries = queryOffsets.length - 1;
    this.buffer = new Uint32Array(labels.length);
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
      else if (counted[q] === 1) settledSum += this.prepared.value(q, order);
    }
    this.orders = orders;
    this.teaching = Uint32Array.from(teaching);
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
    return this.sorter.sort(this.orders[q], scores, this.queryOffsets[q], this.depth);
  }

  /** The mean over queries when documents are ranked by these scores. */
  mean(scores: Float64Array): number {
    let sum = this.settledSum;
    for (const q of this.teaching) sum += this.rank(q, scores);
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

/** Sorts positions by score, starting from the order they have. */
export class OrderSorter {
  private keys: Float64Array = new Float64Array(256);
  private readonly scratch = new RankingScratch();

  /** `order` holds each of 0 … n-1 once; afterwards the first `depth` of them are by scores[start + position], descending,
   *  equal scores ascending by position, and the others follow in any order. Scores must not be NaN. The answer is false
   *  if the first `depth` stood like that already. */
  sort(order: Uint32Array, scores: Float64Array, start: number, depth: number = Number.POSITIVE_INFINITY): boolean {
    const n = order.length;
    const top = Math.min(n, depth);
    if (this.keys.length < top) this.keys = new Float64Array(2 * top);
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
        if (key < keys[last] || (key === keys[last] && doc > order[last])) continue;
        order[i] = order[last];
        hole = last;
        moves++;
      }
      while (hole > 0 && (keys[hole - 1] < key || (keys[hole - 1] === key && order[hole - 1] > doc))) {
        keys[hole] = keys[hole - 1];
        order[hole] = order[hole - 1];
        hole--;
        moves++;
      }
      keys[hole] = key;
      order[hole] = doc;
      if (moves > enough) {
        this.sortAfresh(order, scores, start);
        return true;
      }
    }
    return moves > 0;
  }

  private sortAfresh(order: Uint32Array, scores: Float64Array, start: number): void {
    const n = order.length;
    const inPlace = this.scratch.rank(scores, start, n, 'file', noDocs);
    for (let i = 0; i < n; i++) order[i] = inPlace ? i : this.scratch.order[i];
  }
}
