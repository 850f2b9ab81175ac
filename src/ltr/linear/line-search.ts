import type { Rankings } from '../training/rankings.js';
import { linearScores, type TrainingCells } from '../training/training-cells.js';

/** The smallest step along a weight, and how long it may be against the weight itself. */
const FIRST_STEP = 0.001;
const LONGEST_FIRST_STEP = 0.5;
const SHORTER_FIRST_STEP = 0.05;
/** How far inside the computed bounds a weight has to be for its order to be taken as known, against rounding. */
const SAFE = 1 - 1e-9;
/** Values are sums of many; what is less than this above another is the same but for rounding. */
export const ROUNDING = 1e-12;

/** Finds the best weight of one feature while the others stay. A query is not ranked again while the weight is in a stretch
 *  in which none of its documents overtakes another. Where such a stretch ends follows from neighbours in the list alone; it
 *  is worked out where a stretch is likely to be long: around the start, and where a step moved no document. */
export class LineSearch {
  private readonly queryOffsets: Uint32Array;
  private readonly rankings: Rankings;
  private readonly numSteps: number;
  /** Scores at the weights of `start`. */
  private readonly scores: Float64Array;
  /** The part of the scores that the feature has no share in, and the scores at the weight that is tried. */
  private readonly others: Float64Array;
  private readonly tried: Float64Array;
  /** Value of each teaching query at the weight last tried, and from where to where it holds. */
  private readonly values: Float64Array;
  private readonly from: Float64Array;
  private readonly to: Float64Array;
  private readonly startOrders: Uint32Array;
  private readonly startValues: Float64Array;
  private readonly startFrom: Float64Array;
  private readonly startTo: Float64Array;

  constructor(queryOffsets: Uint32Array, rankings: Rankings, numSteps: number) {
    const numRows = queryOffsets[queryOffsets.length - 1];
    const numTeaching = rankings.teaching.length;
    this.queryOffsets = queryOffsets;
    this.rankings = rankings;
    this.numSteps = numSteps;
    this.scores = new Float64Array(numRows);
    this.others = new Float64Array(numRows);
    this.tried = new Float64Array(numRows);
    this.values = new Float64Array(numTeaching);
    this.from = new Float64Array(numTeaching);
    this.to = new Float64Array(numTeaching);
    this.startOrders = new Uint32Array(numRows); // fits: entries
    this.startValues = new Float64Array(numTeaching);
    this.startFrom = new Float64Array(numTeaching);
    this.startTo = new Float64Array(numTeaching);
  }

  /** Begins at these weights and tells their value. */
  start(data: TrainingCells, weights: Float64Array): number {
    linearScores(data, weights, this.scores);
    const { rankings, startValues } = this;
    const { teaching, settledSum, numCounted } = rankings;
    let sum = settledSum;
    for (let t = 0; t < teaching.length; t++) {
      startValues[t] = rankings.rank(teaching[t], this.scores);
      sum += startValues[t];
    }
    rankings.save(this.startOrders);
    return sum / numCounted;
  }

  /** The best weight upwards for the feature of this column, whose weight is `weight` now; if none beats `bestSoFar`, the best
   *  downwards, and after that 0. The weights of `start` stay as they are. */
  along(
    column: Float64Array,
    weight: number,
    bestSoFar: number,
    penalty: (weight: number) => number,
  ): { readonly weight: number; readonly value: number } {
    const { scores, others } = this;
    for (let row = 0; row < scores.length; row++) others[row] = scores[row] - weight * column[row];
    this.findStartBounds(column, weight);
    let best = weight;
    let bestValue = bestSoFar;
    const tryWeight = (candidate: number): void => {
      const value = this.valueAt(candidate, column) - penalty(candidate);
      if (value > bestValue + ROUNDING) {
        bestValue = value;
        best = candidate;
      }
    };
    for (const direction of [1, -1]) {
      // a way up has been found; looking for the best of all ways fits the training data more than it helps
      if (bestValue > bestSoFar) break;
      this.backToStart();
      let step = FIRST_STEP;
      if (weight !== 0 && step > LONGEST_FIRST_STEP * Math.abs(weight)) step = SHORTER_FIRST_STEP * Math.abs(weight);
      let total = 0;
      for (let i = 0; i < this.numSteps; i++, step *= 2) {
        total += step;
        tryWeight(weight + direction * total);
        // each step is longer than all before it together, so that an order which holds from here on is the last one
        if (this.holdsForGood(direction)) break;
      }
    }
    if (weight !== 0 && bestValue === bestSoFar) {
      this.backToStart();
      tryWeight(0);
    }
    this.rankings.restore(this.startOrders);
    return { weight: best, value: bestValue };
  }

  private findStartBounds(column: Float64Array, weight: number): void {
    const { rankings, queryOffsets, scores, startFrom, startTo, from, to } = this;
    const { teaching, orders } = rankings;
    for (let t = 0; t < teaching.length; t++) {
      this.findBounds(t, weight, queryOffsets[teaching[t]], orders[teaching[t]], scores, column);
    }
    startFrom.set(from);
    startTo.set(to);
  }

  private backToStart(): void {
    this.values.set(this.startValues);
    this.from.set(this.startFrom);
    this.to.set(this.startTo);
    this.rankings.restore(this.startOrders);
  }

  private holdsForGood(direction: number): boolean {
    const bounds = direction > 0 ? this.to : this.from;
    for (const bound of bounds) if (bound !== direction * Number.POSITIVE_INFINITY) return false;
    return true;
  }

  private valueAt(weight: number, column: Float64Array): number {
    const { rankings, queryOffsets, others, tried, values, from, to } = this;
    const { teaching } = rankings;
    let sum = rankings.settledSum;
    for (let t = 0; t < teaching.length; t++) {
      if (!(weight > from[t] && weight < to[t])) {
        const q = teaching[t];
        const start = queryOffsets[q];
        const end = queryOffsets[q + 1];
        for (let row = start; row < end; row++) tried[row] = others[row] + weight * column[row];
        if (rankings.sort(q, tried)) {
          from[t] = Number.POSITIVE_INFINITY;
          to[t] = Number.NEGATIVE_INFINITY;
          values[t] = rankings.prepared.value(q, rankings.orders[q]);
        } else this.findBounds(t, weight, start, rankings.orders[q], tried, column);
      }
      sum += values[t];
    }
    return sum / rankings.numCounted;
  }

  /** How far the weight can move either way before two neighbours change places, or a document comes up from below the
   *  depth to which the list is sorted. */
  private findBounds(t: number, weight: number, start: number, order: Uint32Array, scores: Float64Array, column: Float64Array): void {
    const { depth } = this.rankings;
    let down = Number.POSITIVE_INFINITY;
    let up = Number.POSITIVE_INFINITY;
    let above = start + order[0];
    for (let rank = 1; rank < order.length; rank++) {
      const below = start + order[rank];
      const slope = column[above] - column[below];
      if (slope !== 0) {
        const gap = scores[above] - scores[below];
        // the gap closes as the weight falls, or as it rises
        if (slope > 0) {
          if (gap < down * slope) down = gap / slope;
        } else if (gap < -up * slope) up = -gap / slope;
      }
      if (rank < depth) above = below;
    }
    this.from[t] = weight - down * SAFE;
    this.to[t] = weight + up * SAFE;
  }
}
