// The gradients of the pairs of a query, and the orders of its documents that they need.
// fits: all that is stored in 32 bits are documents and ranks of this memory.

/** Added and taken away again, it leaves the nearest whole number. */
export const ROUND: f64 = 6755399441055744;

/** Sorts the documents of one query by score, descending, equal ones ascending by number. `order` holds an order of 0 … count-1,
 *  best the one before; afterwards it and `keys` (the scores in that order) are sorted. */
export function sortByScore(scores: usize, order: usize, keys: usize, spareOrder: usize, spareKeys: usize, count: u32): void {
  for (let i: u32 = 0; i < count; i++) store<f64>(keys + (i << 3), load<f64>(scores + (load<u32>(order + (i << 2)) << 3)));
  for (let start: u32 = 0; start < count; start += RUN) {
    const end = min(start + RUN, count);
    for (let i = start + 1; i < end; i++) {
      const key = load<f64>(keys + (i << 3));
      const doc = load<u32>(order + (i << 2));
      let hole = i;
      while (hole > start && comesBefore(key, doc, load<f64>(keys + ((hole - 1) << 3)), load<u32>(order + ((hole - 1) << 2)))) {
        store<f64>(keys + (hole << 3), load<f64>(keys + ((hole - 1) << 3)));
        store<u32>(order + (hole << 2), load<u32>(order + ((hole - 1) << 2)));
        hole--;
      }
      store<f64>(keys + (hole << 3), key);
      store<u32>(order + (hole << 2), doc);
    }
  }
  for (let width: u32 = RUN; width < count; width <<= 1) {
    for (let start: u32 = 0; start + width < count; start += width << 1) {
      mergeRuns(order, keys, spareOrder, spareKeys, start, start + width, min(start + (width << 1), count));
    }
  }
}

const RUN: u32 = 8;

@inline
function comesBefore(key: f64, doc: u32, otherKey: f64, otherDoc: u32): bool {
  return key > otherKey || (key == otherKey && doc < otherDoc);
}

/** Merges two sorted stretches in place: only the first is put aside. */
function mergeRuns(order: usize, keys: usize, spareOrder: usize, spareKeys: usize, start: u32, middle: u32, end: u32): void {
  const lastKey = load<f64>(keys + ((middle - 1) << 3));
  const lastDoc = load<u32>(order + ((middle - 1) << 2));
  if (comesBefore(lastKey, lastDoc, load<f64>(keys + (middle << 3)), load<u32>(order + (middle << 2)))) return;
  const length = middle - start;
  memory.copy(spareOrder, order + (start << 2), length << 2);
  memory.copy(spareKeys, keys + (start << 3), length << 3);
  let a: u32 = 0;
  let b = middle;
  let to = start;
  while (a < length) {
    const keyA = load<f64>(spareKeys + (a << 3));
    const docA = load<u32>(spareOrder + (a << 2));
    if (b < end && comesBefore(load<f64>(keys + (b << 3)), load<u32>(order + (b << 2)), keyA, docA)) {
      store<f64>(keys + (to << 3), load<f64>(keys + (b << 3)));
      store<u32>(order + (to << 2), load<u32>(order + (b << 2)));
      b++;
    } else {
      store<f64>(keys + (to << 3), keyA);
      store<u32>(order + (to << 2), docA);
      a++;
    }
    to++;
  }
}

/** Gives every document of a query a place for `addPairGradients`: those at the first `level` ranks by rank, the others by gain, descending,
 *  so that documents of equal gain, which do not count against each other, stand side by side.
 *
 *  order    documents by rank
 *  byGain   documents by gain, descending
 *  ranks    room for the rank of each document
 *  places   u32 per place, set to the document there
 *  placed   u32 per place, set to the rank of that document */
export function arrangeByGain(order: usize, byGain: usize, count: u32, level: u32, ranks: usize, places: usize, placed: usize): void {
  for (let rank: u32 = 0; rank < count; rank++) {
    const doc = load<u32>(order + (rank << 2));
    store<u32>(ranks + (doc << 2), rank);
    store<u32>(places + (rank << 2), doc);
    store<u32>(placed + (rank << 2), rank);
  }
  let place = level;
  for (let i: u32 = 0; i < count; i++) {
    const doc = load<u32>(byGain + (i << 2));
    const rank = load<u32>(ranks + (doc << 2));
    if (rank < level) continue;
    store<u32>(places + (place << 2), doc);
    store<u32>(placed + (place << 2), rank);
    place++;
  }
}

/** The first place from `from` to `to`, where gains descend, whose gain is below this one, or not above it. */
@inline
function firstBelow(gains: usize, from: u32, to: u32, gain: f64, orEqual: bool): u32 {
  while (from < to) {
    const middle = (from + to) >> 1;
    const there = load<f64>(gains + (middle << 3));
    if (there > gain || (!orEqual && there == gain)) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** The gradients of all pairs of a query with one document at the first `level` ranks, for measures that are sums of gain times weight; tells
 *  the sum of its sizes. Documents are known by the places of `arrangeByGain`, and there is room for one more than there are.
 *
 *  keys        scores
 *  gains       gain of each document
 *  weights     weight of its rank
 *  gradients   f64 per document, set to the derivative of the loss by its score
 *  curvatures  f64 per document, set to the second derivative
 *  factors     f64 per rank: weight of the pairs whose upper document is there */
export function addPairGradients(
  count: u32,
  level: u32,
  keys: usize,
  gains: usize,
  weights: usize,
  gradients: usize,
  curvatures: usize,
  factors: usize,
  scale: f64,
  sigma: f64,
  nearness: f64,
  slope: f64,
): f64 {
  memory.fill(gradients, 0, (count + 1) << 3);
  memory.fill(curvatures, 0, (count + 1) << 3);
  // the document behind the last one fills the second lane where the number of pairs is odd
  store<f64>(keys + (count << 3), load<f64>(keys + ((count - 1) << 3)));
  store<f64>(weights + (count << 3), 0);
  const zero = f64x2.splat(0);
  const one = f64x2.splat(1);
  const steepness = f64x2.splat(-sigma);
  const sigmas = f64x2.splat(sigma);
  const lowest = f64x2.splat(-700);
  const near = f64x2.splat(nearness);
  const slopes = f64x2.splat(slope);
  let size = zero;
  for (let upper: u32 = 0; upper < level; upper++) {
    const score = v128.load64_splat(keys + (upper << 3));
    const gain = v128.load64_splat(gains + (upper << 3));
    const weight = v128.load64_splat(weights + (upper << 3));
    const factor = f64x2.splat(scale * load<f64>(factors + (upper << 3)) * sigma);
    // no gain lost and none won: nothing comes of the document behind the last one
    const ownGain = load<f64>(gains + (upper << 3));
    store<f64>(gains + (count << 3), ownGain);
    const equals = firstBelow(gains, level, count, ownGain, true);
    const others = firstBelow(gains, equals, count, ownGain, false);
    let ownGradient = zero;
    let curvature = zero;
    // where the number of pairs before the equals is odd, the first of them fills the second lane, and nothing comes of it either
    for (let lower: u32 = upper + 1; lower < count; lower += 2) {
      if (lower >= equals && lower < others) {
        lower = others;
        if (lower >= count) break;
      }
      const at: usize = lower << 3;
      const distance = f64x2.sub(score, v128.load(keys + at));
      const loss = f64x2.mul(f64x2.sub(gain, v128.load(gains + at)), f64x2.sub(weight, v128.load(weights + at)));
      const odds = exponential(f64x2.max(f64x2.mul(steepness, distance), lowest));
      const whole = f64x2.add(one, odds);
      const share = f64x2.div(
        f64x2.mul(f64x2.abs(loss), factor),
        f64x2.mul(f64x2.add(near, f64x2.mul(slopes, distance)), f64x2.mul(whole, whole)),
      );
      const bend = f64x2.mul(f64x2.mul(share, odds), sigmas);
      const strong = f64x2.mul(share, whole);
      const force = v128.bitselect(f64x2.mul(strong, odds), f64x2.neg(strong), f64x2.gt(loss, zero));
      ownGradient = f64x2.sub(ownGradient, force);
      curvature = f64x2.add(curvature, bend);
      size = f64x2.add(size, f64x2.abs(force));
      v128.store(gradients + at, f64x2.add(v128.load(gradients + at), force));
      v128.store(curvatures + at, f64x2.add(v128.load(curvatures + at), bend));
    }
    const place: usize = upper << 3;
    store<f64>(gradients + place, load<f64>(gradients + place) + (f64x2.extract_lane(ownGradient, 0) + f64x2.extract_lane(ownGradient, 1)));
    store<f64>(
      curvatures + place,
      load<f64>(curvatures + place) + (f64x2.extract_lane(curvature, 0) + f64x2.extract_lane(curvature, 1)),
    );
  }
  return f64x2.extract_lane(size, 0) + f64x2.extract_lane(size, 1);
}

/** e^x for -700 <= x <= 0 to about 12 digits: x = k ln 2 + rest, and a polynomial for the rest. */
@inline
function exponential(x: v128): v128 {
  const shifted = f64x2.add(f64x2.mul(x, f64x2.splat(1.4426950408889634)), f64x2.splat(ROUND));
  const k = f64x2.sub(shifted, f64x2.splat(ROUND));
  const rest = f64x2.sub(
    f64x2.sub(x, f64x2.mul(k, f64x2.splat(0.6931471803691238))),
    f64x2.mul(k, f64x2.splat(1.9082149292705877e-10)),
  );
  let sum = f64x2.splat(2.755731922398589e-7);
  sum = f64x2.add(f64x2.mul(sum, rest), f64x2.splat(0.0000027557319223985893));
  sum = f64x2.add(f64x2.mul(sum, rest), f64x2.splat(0.0000248015873015873));
  sum = f64x2.add(f64x2.mul(sum, rest), f64x2.splat(0.0001984126984126984));
  sum = f64x2.add(f64x2.mul(sum, rest), f64x2.splat(0.001388888888888889));
  sum = f64x2.add(f64x2.mul(sum, rest), f64x2.splat(0.008333333333333333));
  sum = f64x2.add(f64x2.mul(sum, rest), f64x2.splat(0.041666666666666664));
  sum = f64x2.add(f64x2.mul(sum, rest), f64x2.splat(0.16666666666666666));
  sum = f64x2.add(f64x2.mul(sum, rest), f64x2.splat(0.5));
  sum = f64x2.add(f64x2.mul(sum, rest), f64x2.splat(1));
  sum = f64x2.add(f64x2.mul(sum, rest), f64x2.splat(1));
  return i64x2.add(sum, i64x2.shl(shifted, 52));
}

/** Gives documents in the order of the rows what was found in ranked order, times a factor. */
export function spreadByOrder(order: usize, count: u32, ranked: usize, factor: f64, target: usize): void {
  for (const end = ranked + (count << 3); ranked < end; ranked += 8, order += 4) {
    store<f64>(target + (load<u32>(order) << 3), load<f64>(ranked) * factor);
  }
}

/** Puts values of documents into ranked order. */
export function gatherByOrder(order: usize, count: u32, values: usize, target: usize): void {
  for (const end = target + (count << 3); target < end; target += 8, order += 4) {
    store<f64>(target, load<f64>(values + (load<u32>(order) << 3)));
  }
}
