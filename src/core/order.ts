/** Ranking documents by score. Indices are sorted, never objects, in scratch space that the caller keeps. */

import { scratchFor } from './growing-arrays.js';
import { rowsByLeadingBits } from './numbers/radix-sort.js';

/** How equal scores are ordered. */
export type TieOrder =
  /** by document id, descending by bytes, so that a value does not depend on the order of the lines */
  | 'docno'
  /** by document id, ascending by bytes */
  | 'docno-ascending'
  /** as they stand in the input */
  | 'file';

/** Compares the documents at two rows of the topic: below 0 if the first one's id comes first in byte order. */
export type CompareDocs = (rowA: number, rowB: number) => number;

/** Scratch space for ranking topics, grown to the longest topic met. */
export class RankingScratch {
  order: Uint32Array = new Uint32Array(1024); // fits: entries
  private keys: Float64Array = new Float64Array(1024);
  private spareOrder: Uint32Array = new Uint32Array(1024); // fits: entries
  private spareKeys: Float64Array = new Float64Array(1024);
  private columns: Uint32Array = new Uint32Array(0); // fits: entries, and 32 bits of a double
  private spareColumns: Uint32Array = new Uint32Array(0); // fits: entries, and 32 bits of a double

  reserve(n: number): void {
    if (this.order.length >= n) return;
    const capacity = Math.max(n, this.order.length * 2);
    this.order = new Uint32Array(capacity); // fits: entries
    this.keys = new Float64Array(capacity);
    this.spareOrder = new Uint32Array(capacity); // fits: entries
    this.spareKeys = new Float64Array(capacity);
  }

  /** Ranks the rows `0 … n-1` by `scores[start + row]`, best first. Systems write their lists best first, so most topics
   *  need no sorting at all: then the answer is true, and nothing is written. Otherwise it is false, and `order[0 … n-1]`
   *  holds the rows in ranked order. */
  rank(scores: Float64Array, start: number, n: number, ties: TieOrder, compareDocs: CompareDocs): boolean {
    // a strictly descending list has no ties either; NaN fails the comparison too
    let descending = 1;
    while (descending < n && scores[start + descending - 1] > scores[start + descending]) descending++;
    if (descending >= n) return true;

    this.reserve(n);
    const { order, keys } = this;
    let sorted = true;
    let comparable = true;
    for (let row = 0; row < n; row++) {
      const score = scores[start + row];
      order[row] = row;
      // -0 is equal to 0
      keys[row] = score + 0;
      if (row > 0 && score > keys[row - 1]) sorted = false;
      if (Number.isNaN(score)) comparable = false;
    }
    if (!comparable) {
      this.rankWithNaN(n, ties, compareDocs);
      return false;
    }
    if (!sorted) this.sortDescending(n);
    if (ties !== 'file') this.orderTies(n, ties, compareDocs);
    return false;
  }

  /** Sorts keys, highest first, and the order with them; rows with equal keys stay in ascending order. */
  private sortDescending(n: number): void {
    const { keys, order, spareKeys, spareOrder } = this;
    if (n < RADIX_FROM) {
      mergeSortDescending(keys, order, spareKeys, spareOrder, n);
      return;
    }
    this.columns = scratchFor(this.columns, 2 * n);
    this.spareColumns = scratchFor(this.spareColumns, 2 * n);
    const leading = rowsByLeadingBits(keys, n, this.columns, this.spareColumns);
    let inOrder = true;
    for (let i = 0; i < n; i++) {
      order[i] = leading[i];
      spareKeys[i] = keys[order[i]];
      if (i > 0 && spareKeys[i] > spareKeys[i - 1]) inOrder = false;
    }
    keys.set(spareKeys.subarray(0, n));
    // numbers that differ in their last bits only are still to be compared, which goes fast where nearly all is in order
    if (!inOrder) mergeSortDescending(keys, order, spareKeys, spareOrder, n);
  }

  /** Orders each stretch of equal keys by document id. */
  private orderTies(n: number, ties: TieOrder, compareDocs: CompareDocs): void {
    const { order, keys } = this;
    const compare: CompareDocs = ties === 'docno' ? (a, b) => compareDocs(b, a) : compareDocs;
    for (let from = 0; from < n; ) {
      let to = from + 1;
      while (to < n && keys[to] === keys[from]) to++;
      if (to - from > 1) sortStretch(order, from, to, compare);
      from = to;
    }
  }

  /** Comparing with NaN is not transitive, so the result depends on the algorithm. This one is glibc's `qsort` on a list
   *  that was sorted by document id before, which is what the C tools of the field do. */
  private rankWithNaN(n: number, ties: TieOrder, compareDocs: CompareDocs): void {
    const { order, keys } = this;
    if (ties !== 'file') sortStretch(order, 0, n, compareDocs);
    const score = keys.slice(0, n);
    const tie: CompareDocs = ties === 'docno' ? (a, b) => compareDocs(b, a) : ties === 'file' ? () => 0 : compareDocs;
    const ranked = mergeSort(Array.from(order.subarray(0, n)), (a, b) => (score[a] > score[b] ? -1 : score[a] < score[b] ? 1 : tie(a, b)));
    order.set(ranked);
  }
}

/** Top-down merge sort that halves n with the smaller half first and takes the left element when `compare` is not
 *  positive: glibc's `qsort`, step for step. Use it where a comparison is not a proper order and the outcome must still
 *  be that of the C tools. */
export function mergeSort<T>(items: readonly T[], compare: (a: T, b: T) => number): T[] {
  if (items.length < 2) return items.slice();
  const half = items.length >> 1;
  const left = mergeSort(items.slice(0, half), compare);
  const right = mergeSort(items.slice(half), compare);
  const merged: T[] = [];
  let i = 0;
  let j = 0;
  while (i < left.length && j < right.length) merged.push(compare(left[i], right[j]) <= 0 ? left[i++] : right[j++]);
  while (i < left.length) merged.push(left[i++]);
  while (j < right.length) merged.push(right[j++]);
  return merged;
}

function sortStretch(order: Uint32Array, from: number, to: number, compare: CompareDocs): void {
  if (to - from > 24) {
    order.subarray(from, to).sort(compare);
    return;
  }
  for (let i = from + 1; i < to; i++) {
    const row = order[i];
    let hole = i;
    while (hole > from && compare(order[hole - 1], row) > 0) {
      order[hole] = order[hole - 1];
      hole--;
    }
    order[hole] = row;
  }
}

const INSERTION_RUN = 12;
/** Fewer scores than this are compared. */
const RADIX_FROM = 96;

/** Stable bottom-up merge sort of keys, descending, carrying the order along. */
function mergeSortDescending(keys: Float64Array, order: Uint32Array, spareKeys: Float64Array, spareOrder: Uint32Array, n: number): void {
  // short stretches by insertion
  for (let from = 0; from < n; from += INSERTION_RUN) {
    const to = Math.min(from + INSERTION_RUN, n);
    for (let i = from + 1; i < to; i++) {
      const key = keys[i];
      const row = order[i];
      let hole = i;
      while (hole > from && keys[hole - 1] < key) {
        keys[hole] = keys[hole - 1];
        order[hole] = order[hole - 1];
        hole--;
      }
      keys[hole] = key;
      order[hole] = row;
    }
  }
  // then merge neighbours, to and fro between the two pairs of arrays
  let fromKeys = keys;
  let fromOrder = order;
  let toKeys = spareKeys;
  let toOrder = spareOrder;
  for (let width = INSERTION_RUN; width < n; width *= 2) {
    for (let left = 0; left < n; left += 2 * width) {
      const middle = Math.min(left + width, n);
      const right = Math.min(left + 2 * width, n);
      let a = left;
      let b = middle;
      let out = left;
      while (a < middle && b < right) {
        if (fromKeys[a] >= fromKeys[b]) {
          toKeys[out] = fromKeys[a];
          toOrder[out++] = fromOrder[a++];
        } else {
          toKeys[out] = fromKeys[b];
          toOrder[out++] = fromOrder[b++];
        }
      }
      while (a < middle) {
        toKeys[out] = fromKeys[a];
        toOrder[out++] = fromOrder[a++];
      }
      while (b < right) {
        toKeys[out] = fromKeys[b];
        toOrder[out++] = fromOrder[b++];
      }
    }
    [fromKeys, toKeys] = [toKeys, fromKeys];
    [fromOrder, toOrder] = [toOrder, fromOrder];
  }
  if (fromKeys !== keys) {
    for (let i = 0; i < n; i++) {
      keys[i] = fromKeys[i];
      order[i] = fromOrder[i];
    }
  }
}

/** Sorts numbers in place, largest first. Grades are mostly small whole numbers, which are counted instead of compared. */
export function sortDescendingInPlace(values: Float64Array, start: number, end: number, counts: Uint32Array): void {
  const levels = counts.length;
  counts.fill(0);
  let countable = true;
  for (let i = start; i < end && countable; i++) {
    const value = values[i];
    if (value >= 0 && value < levels && Math.trunc(value) === value) counts[value]++;
    else countable = false;
  }
  if (!countable) {
    values.subarray(start, end).sort().reverse();
    return;
  }
  let at = start;
  for (let level = levels - 1; level >= 0; level--) {
    for (let i = counts[level]; i > 0; i--) values[at++] = level;
  }
}
