import type { RankingScratch } from '../order.js';

/** Stretches of at most this many documents are sorted by insertion, which keeps equal scores as they are. */
const BY_INSERTION = 15;

/** Ranks the rows `0 … n-1` by `scores[start + row]`, best first, as numba's `np.argsort` of the negated scores does, on which
 *  ranx is built: a quicksort around the median of the first, the middle and the last, so that equal scores of longer lists come out
 *  in an order of its own. Each further sort starts from the order that the one before left. True if the rows stand in order
 *  already; otherwise `scratch.order` holds them. */
export function quicksortOrder(scratch: RankingScratch, scores: Float64Array, start: number, n: number, sorts: number): boolean {
  let descending = 1;
  while (descending < n && scores[start + descending - 1] > scores[start + descending]) descending++;
  if (descending >= n) return true;
  scratch.reserve(n);
  const { order } = scratch;
  for (let row = 0; row < n; row++) order[row] = row;
  for (let sort = 0; sort < sorts; sort++) quicksort(order, n, (a, b) => comesFirst(scores[start + a], scores[start + b]));
  return false;
}

/** What is not a number comes last. */
function comesFirst(a: number, b: number): boolean {
  return a > b || (Number.isNaN(b) && !Number.isNaN(a));
}

function quicksort(order: Uint32Array, n: number, before: (rowA: number, rowB: number) => boolean): void {
  const waiting: [low: number, high: number][] = [[0, n - 1]];
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    let [low, high] = part;
    while (high - low >= BY_INSERTION) {
      const at = partition(order, low, high, before);
      // the larger part waits
      if (high - at > at - low) {
        waiting.push([at + 1, high]);
        high = at - 1;
      } else {
        waiting.push([low, at - 1]);
        low = at + 1;
      }
    }
    insertionSort(order, low, high, before);
  }
}

function insertionSort(order: Uint32Array, low: number, high: number, before: (rowA: number, rowB: number) => boolean): void {
  for (let i = low + 1; i <= high; i++) {
    const row = order[i];
    let hole = i;
    while (hole > low && before(row, order[hole - 1])) {
      order[hole] = order[hole - 1];
      hole--;
    }
    order[hole] = row;
  }
}

function partition(order: Uint32Array, low: number, high: number, before: (rowA: number, rowB: number) => boolean): number {
  const middle = (low + high) >> 1;
  if (before(order[middle], order[low])) swap(order, low, middle);
  if (before(order[high], order[middle])) swap(order, high, middle);
  if (before(order[middle], order[low])) swap(order, low, middle);
  const pivot = order[middle];
  swap(order, high, middle);
  let i = low;
  let j = high - 1;
  for (;;) {
    // neither runs out: the pivot is last, and the first does not come after it
    while (before(order[i], pivot)) i++;
    while (before(pivot, order[j])) j--;
    if (i >= j) break;
    swap(order, i++, j--);
  }
  swap(order, i, high);
  return i;
}

function swap(order: Uint32Array, i: number, j: number): void {
  const row = order[i];
  order[i] = order[j];
  order[j] = row;
}
