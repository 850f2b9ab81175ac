// asc: --maximumMemory 65536
// The inner loops of boosted trees in AssemblyScript; `kernel-js.ts` says the same in TypeScript, bit for bit, and is what this
// must equal. All addresses are given by `layout.ts`. Orders and gradients are in a file of their own. The first line of this
// file is for scripts/build-kernels.mjs.
// fits: all that is stored in 32 bits are rows, documents and ranks of this memory; a bin is below 256, as MAX_BINS says.

import { ROUND } from './parts/pair-gradients.as';

/** Bytes from the histogram of one feature to that of the next: 256 bins of 16 bytes, and a line of the cache, so that equal bins of
 *  neighbours are not a multiple of 4096 bytes apart, which processors take for the same place for a moment. */
const SPACING: usize = 4160;

/** Adds the gradients of some rows to the histograms of eight features.
 *
 *  bins        the first of eight bytes of row 0: its bin in each of the features
 *  stride      bytes from row to row
 *  rows        the numbers of the rows, u32
 *  sums        for each of these rows 16 bytes: gradient as i64, and hessian and count in one i64 (see `packGradients`)
 *  histograms  of the features, SPACING apart, 16 bytes per bin in the same form */
export function addToHistograms(bins: usize, stride: u32, rows: usize, sums: usize, count: u32, histograms: usize): void {
  for (const end = rows + (count << 2); rows < end; rows += 4, sums += 16) {
    const cells = bins + load<u32>(rows) * stride;
    const front = load<u32>(cells);
    const back = load<u32>(cells, 4);
    const sum = v128.load(sums);
    const a = histograms + ((front << 4) & 0xff0);
    const b = histograms + ((front >> 4) & 0xff0);
    const c = histograms + ((front >> 12) & 0xff0);
    const d = histograms + ((front >> 20) & 0xff0);
    v128.store(a, i64x2.add(v128.load(a), sum));
    v128.store(b, i64x2.add(v128.load(b, SPACING), sum), SPACING);
    v128.store(c, i64x2.add(v128.load(c, 2 * SPACING), sum), 2 * SPACING);
    v128.store(d, i64x2.add(v128.load(d, 3 * SPACING), sum), 3 * SPACING);
    const e = histograms + ((back << 4) & 0xff0);
    const f = histograms + ((back >> 4) & 0xff0);
    const g = histograms + ((back >> 12) & 0xff0);
    const h = histograms + ((back >> 20) & 0xff0);
    v128.store(e, i64x2.add(v128.load(e, 4 * SPACING), sum), 4 * SPACING);
    v128.store(f, i64x2.add(v128.load(f, 5 * SPACING), sum), 5 * SPACING);
    v128.store(g, i64x2.add(v128.load(g, 6 * SPACING), sum), 6 * SPACING);
    v128.store(h, i64x2.add(v128.load(h, 7 * SPACING), sum), 7 * SPACING);
  }
}

/** What is left of the parent's histogram without one child's: the other child's. */
export function subtractHistogram(parent: usize, child: usize, bytes: u32): void {
  for (const end = parent + bytes; parent < end; parent += 16, child += 16) {
    v128.store(parent, i64x2.sub(v128.load(parent), v128.load(child)));
  }
}

/** Adds up the sums of some rows, 16 bytes at `total`. */
export function addSums(sums: usize, count: u32, total: usize): void {
  let all = i64x2.splat(0);
  for (const end = sums + (count << 4); sums < end; sums += 16) all = i64x2.add(all, v128.load(sums));
  v128.store(total, all);
}

/** Gradients and hessians of rows in fixed point: the gradient in one i64, in the other the hessian, shifted, and a count of 1. */
export function packGradients(
  rows: usize,
  count: u32,
  gradients: usize,
  hessians: usize,
  sums: usize,
  gradientScale: f64,
  hessianScale: f64,
  countBits: u32,
): void {
  for (const end = rows + (count << 2); rows < end; rows += 4, sums += 16) {
    const row = load<u32>(rows) << 3;
    store<i64>(sums, <i64>(load<f64>(gradients + row) * gradientScale + ROUND - ROUND), 0);
    store<i64>(sums, (<i64>(load<f64>(hessians + row) * hessianScale + ROUND - ROUND) << (<i64>countBits)) + 1, 8);
  }
}

/** The largest absolute value. */
export function largestOf(values: usize, count: u32): f64 {
  let largest = f64x2.splat(0);
  const end = values + (count << 3);
  for (; values + 16 <= end; values += 16) largest = f64x2.max(largest, f64x2.abs(v128.load(values)));
  let result = max(f64x2.extract_lane(largest, 0), f64x2.extract_lane(largest, 1));
  if (values < end) result = max(result, abs(load<f64>(values)));
  return result;
}

/** Looks for the best split of one leaf by one feature: bin 0 holds the rows without a value, the others ascend.
 *
 *  best   56 bytes: gain (the sum of both children's scores, which must exceed `least`), gradient, hessian of the left side as
 *         whole numbers in f64, its count as f64, the last bin of the left side as f64, whether missing values go left as f64; at
 *         byte 48 whether a split was found as f64 */
export function findSplit(
  histogram: usize,
  numBins: u32,
  countBits: u32,
  gradientUnit: f64,
  hessianUnit: f64,
  totalGradient: f64,
  totalHessian: f64,
  totalCount: f64,
  minCount: f64,
  minHessian: f64,
  l2: f64,
  least: f64,
  best: usize,
): void {
  store<f64>(best, 0, 48);
  seekSplit(
    histogram,
    numBins,
    countBits,
    gradientUnit,
    hessianUnit,
    totalGradient,
    totalHessian,
    totalCount,
    minCount,
    minHessian,
    l2,
    least,
    best,
  );
}

/** The same, but a split that is not better leaves what is there; tells the gain of the best one, or what was to be exceeded. */
function seekSplit(
  histogram: usize,
  numBins: u32,
  countBits: u32,
  gradientUnit: f64,
  hessianUnit: f64,
  totalGradient: f64,
  totalHessian: f64,
  totalCount: f64,
  minCount: f64,
  minHessian: f64,
  l2: f64,
  least: f64,
  best: usize,
): f64 {
  const countMask: i64 = ((<i64>1) << (<i64>countBits)) - 1;
  const last = histogram + (numBins << 4);
  const missing = <f64>(load<i64>(histogram, 8) & countMask);
  const units = f64x2(hessianUnit, hessianUnit);
  const gradientUnits = f64x2.splat(gradientUnit);
  const penalty = f64x2.splat(l2);
  const gradients = f64x2(0, totalGradient);
  const hessians = f64x2(0, totalHessian);
  const signs = f64x2(1, -1);
  let bestGain = least;
  // first with missing values on the right; then, if there are any, with them on the left
  for (let missingLeft = 0; missingLeft < (missing > 0 ? 2 : 1); missingLeft++) {
    let gradient: i64 = missingLeft ? load<i64>(histogram) : 0;
    let packed: i64 = missingLeft ? load<i64>(histogram, 8) : 0;
    for (let bin = histogram + 16; bin < last; bin += 16) {
      const here = load<i64>(bin, 8);
      if (here == 0) continue;
      gradient += load<i64>(bin);
      packed += here;
      const count = <f64>(packed & countMask);
      if (count < minCount) continue;
      if (totalCount - count < minCount) break;
      const leftGradient = <f64>gradient;
      const leftHessian = <f64>(packed >> (<i64>countBits));
      // both sides at once: what is on the left, and the total without it
      const both = f64x2.mul(f64x2.add(hessians, f64x2.mul(signs, f64x2.splat(leftHessian))), units);
      if (f64x2.extract_lane(both, 0) < minHessian) continue;
      if (f64x2.extract_lane(both, 1) < minHessian) break;
      const sums = f64x2.mul(f64x2.add(gradients, f64x2.mul(signs, f64x2.splat(leftGradient))), gradientUnits);
      const scores = f64x2.div(f64x2.mul(sums, sums), f64x2.add(both, penalty));
      const gain = f64x2.extract_lane(scores, 0) + f64x2.extract_lane(scores, 1);
      if (gain > bestGain) {
        bestGain = gain;
        store<f64>(best, gain, 0);
        store<f64>(best, leftGradient, 8);
        store<f64>(best, leftHessian, 16);
        store<f64>(best, count, 24);
        store<f64>(best, <f64>((bin - histogram) >> 4), 32);
        store<f64>(best, <f64>missingLeft, 40);
        store<f64>(best, 1, 48);
      }
    }
  }
  return bestGain;
}

/** The histogram of one of the features that share a column: bins of its own are taken from there, and its usual bin, in which all rows are
 *  that the column says nothing else about, holds what they leave of the total. Tells how many rows are in bins of its own; if they are
 *  fewer than `atLeast`, nothing is written.
 *
 *  column  the histogram of the column
 *  member  four u32: the number of the feature, its first code in the column, its usual bin, how many bins it has; 65536 is added to the
 *          last where the first code is that of missing values, which have none otherwise
 *  room    for the histogram of the feature */
export function ownHistogram(
  column: usize,
  member: usize,
  countBits: u32,
  totalGradient: f64,
  totalHessian: f64,
  totalCount: f64,
  atLeast: f64,
  room: usize,
): f64 {
  const countMask: i64 = ((<i64>1) << (<i64>countBits)) - 1;
  const usual = load<u32>(member, 8);
  const about = load<u32>(member, 12);
  const hasMissing = about >> 16;
  const numBins = about & 0xffff;
  const first = column + (load<u32>(member, 4) << 4);
  const last = first + ((numBins - 2 + hasMissing) << 4);
  let others: i64 = 0;
  for (let code = first; code < last; code += 16) others += load<i64>(code, 8);
  const docs = <f64>(others & countMask);
  if (docs < atLeast) return docs;
  let rest = i64x2(<i64>totalGradient, ((<i64>totalHessian) << (<i64>countBits)) + <i64>totalCount);
  if (!hasMissing) v128.store(room, i64x2.splat(0));
  let bin: u32 = 1 - hasMissing;
  for (let code = first; code < last; code += 16, bin++) {
    if (bin == usual) bin++;
    const sum = v128.load(code);
    rest = i64x2.sub(rest, sum);
    v128.store(room + (bin << 4), sum);
  }
  v128.store(room + (usual << 4), rest);
  return docs;
}

/** Looks for the best split of one leaf by one of the features that share a column, the first of equals. Features with a 0 at `active` or
 *  at `allowed` are left out. `best` is as in `findSplit`, and at byte 64 the number of the feature as f64. */
export function findSharedSplit(
  column: usize,
  members: usize,
  numMembers: u32,
  active: usize,
  allowed: usize,
  room: usize,
  countBits: u32,
  gradientUnit: f64,
  hessianUnit: f64,
  totalGradient: f64,
  totalHessian: f64,
  totalCount: f64,
  minCount: f64,
  minHessian: f64,
  l2: f64,
  least: f64,
  best: usize,
): void {
  store<f64>(best, 0, 48);
  // one side of every split holds no row of the usual bin
  const atLeast = max(minCount, 1);
  for (const end = members + (numMembers << 4); members < end; members += 16) {
    const feature = load<u32>(members);
    if (!load<u8>(active + feature) || !load<u8>(allowed + feature)) continue;
    if (ownHistogram(column, members, countBits, totalGradient, totalHessian, totalCount, atLeast, room) < atLeast) continue;
    const gain = seekSplit(
      room,
      load<u32>(members, 12) & 0xffff,
      countBits,
      gradientUnit,
      hessianUnit,
      totalGradient,
      totalHessian,
      totalCount,
      minCount,
      minHessian,
      l2,
      least,
      best,
    );
    if (gain > least) store<f64>(best, <f64>feature, 64);
    least = gain;
  }
}

/** Moves the rows from `from` to `to` and their sums to where the children will have them, those that go left in front.
 *  `isLeft` has a byte for each bin: 1 where its rows go left. The next places are `left` and `right`. */
export function partitionForward(
  bins: usize,
  stride: u32,
  rows: usize,
  sums: usize,
  toRows: usize,
  toSums: usize,
  from: u32,
  to: u32,
  left: u32,
  right: u32,
  isLeft: usize,
): void {
  for (let i = from; i < to; i++) {
    const row = load<u32>(rows + (i << 2));
    const goesLeft: u32 = load<u8>(isLeft + load<u8>(bins + row * stride));
    const place = goesLeft ? left : right;
    store<u32>(toRows + (place << 2), row);
    v128.store(toSums + (place << 4), v128.load(sums + (i << 4)));
    left += goesLeft;
    right += 1 - goesLeft;
  }
}

/** The same from the last row to the first; `left` and `right` are the places behind the next ones. */
export function partitionBackward(
  bins: usize,
  stride: u32,
  rows: usize,
  sums: usize,
  toRows: usize,
  toSums: usize,
  from: u32,
  to: u32,
  left: u32,
  right: u32,
  isLeft: usize,
): void {
  for (let i = to; i > from; ) {
    i--;
    const row = load<u32>(rows + (i << 2));
    const goesLeft: u32 = load<u8>(isLeft + load<u8>(bins + row * stride));
    left -= goesLeft;
    right -= 1 - goesLeft;
    const place = goesLeft ? left : right;
    store<u32>(toRows + (place << 2), row);
    v128.store(toSums + (place << 4), v128.load(sums + (i << 4)));
  }
}

/** Adds a leaf's value to the scores of its rows. */
export function addToScores(rows: usize, count: u32, scores: usize, value: f64): void {
  for (const end = rows + (count << 2); rows < end; rows += 4) {
    const score = scores + (load<u32>(rows) << 3);
    store<f64>(score, load<f64>(score) + value);
  }
}

/** The bin of every value of a stretch of one column: 0 for NaN, otherwise 1 + the number of edges below it. Four searches go on side
 *  by side, because each waits for the memory at every step. Tells whether a value was infinite.
 *
 *  values  f64, and every `valueStride` bytes another
 *  edges   f64, ascending, `span` - 1 of them, where span is a power of two (the rest filled with infinity)
 *  bins    one byte, and every `stride` bytes another */
export function binValues(values: usize, valueStride: u32, count: u32, edges: usize, span: u32, bins: usize, stride: u32): u32 {
  const last = edges - 8;
  let odd: u32 = 0;
  let i: u32 = 0;
  for (; i + 4 <= count; i += 4) {
    const a = load<f64>(values);
    const b = load<f64>(values + valueStride);
    const c = load<f64>(values + 2 * valueStride);
    const d = load<f64>(values + 3 * valueStride);
    let belowA: u32 = 0;
    let belowB: u32 = 0;
    let belowC: u32 = 0;
    let belowD: u32 = 0;
    for (let step = span << 2; step >= 8; step >>= 1) {
      const at = last + step;
      belowA += -u32(load<f64>(at + belowA) < a) & step;
      belowB += -u32(load<f64>(at + belowB) < b) & step;
      belowC += -u32(load<f64>(at + belowC) < c) & step;
      belowD += -u32(load<f64>(at + belowD) < d) & step;
    }
    store<u8>(bins, binOf(a, belowA));
    store<u8>(bins + stride, binOf(b, belowB));
    store<u8>(bins + 2 * stride, binOf(c, belowC));
    store<u8>(bins + 3 * stride, binOf(d, belowD));
    odd |= u32(abs(a) == Infinity) | u32(abs(b) == Infinity) | u32(abs(c) == Infinity) | u32(abs(d) == Infinity);
    values += valueStride << 2;
    bins += stride << 2;
  }
  for (; i < count; i++, values += valueStride, bins += stride) {
    const value = load<f64>(values);
    let below: u32 = 0;
    for (let step = span << 2; step >= 8; step >>= 1) below += -u32(load<f64>(last + step + below) < value) & step;
    store<u8>(bins, binOf(value, below));
    odd |= u32(abs(value) == Infinity);
  }
  return odd;
}

/** The bin of a value that has so many bytes of edges below it. */
@inline
function binOf(value: f64, below: u32): u32 {
  return -u32(value == value) & (1 + (below >> 3));
}

export { sortByScore, arrangeByGain, addPairGradients, spreadByOrder, gatherByOrder } from './parts/pair-gradients.as';
