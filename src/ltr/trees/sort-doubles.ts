/** Bits of the upper word of a number that are looked at in one pass. */
const DIGIT_BITS = 11;
const BUCKETS = 1 << DIGIT_BITS;
const MASK = BUCKETS - 1;
const SHIFTS = [0, DIGIT_BITS, 2 * DIGIT_BITS];
const MAGNITUDE = 0x7fffffff;
/** So few numbers are sorted faster by comparing them. */
const FEW = 1024;
/** So many are not put in order one by one. */
const MANY = 24;

/** Sorts numbers without NaN as `Float64Array.sort` does, -0 before 0, several times as fast: by the digits of their upper halves
 *  from the lowest on, and by comparing where these are the same. */
export class DoubleSorter {
  private spare: Float64Array = new Float64Array(0);
  private readonly counts: Uint32Array = new Uint32Array(SHIFTS.length * BUCKETS); // fits: entries

  sort(values: Float64Array): void {
    if (values.length < FEW) {
      values.sort();
      return;
    }
    if (this.spare.length !== values.length) this.spare = new Float64Array(values.length);
    this.sortByUpperHalves(values);
    sortWithinUpperHalves(values);
  }

  private sortByUpperHalves(values: Float64Array): void {
    const { counts } = this;
    const count = values.length;
    let from = values;
    let to = this.spare;
    let words = wordsOf(from);
    let numNegative = 0;
    counts.fill(0);
    for (let i = 1; i < 2 * count; i += 2) {
      const high = words[i];
      numNegative += high >>> 31;
      counts[high & MASK]++;
      counts[BUCKETS + ((high >>> DIGIT_BITS) & MASK)]++;
      counts[2 * BUCKETS + ((high & MAGNITUDE) >>> (2 * DIGIT_BITS))]++;
    }
    for (let pass = 0; pass < SHIFTS.length; pass++) {
      const shift = SHIFTS[pass];
      const starts = counts.subarray(pass * BUCKETS, (pass + 1) * BUCKETS);
      if (starts[((words[1] & MAGNITUDE) >>> shift) & MASK] === count) continue; // all the same here
      for (let digit = 0, start = 0; digit < BUCKETS; digit++) {
        const inBucket = starts[digit];
        starts[digit] = start;
        start += inBucket;
      }
      for (let i = 0; i < count; i++) to[starts[((words[2 * i + 1] & MAGNITUDE) >>> shift) & MASK]++] = from[i];
      const sorted = to;
      to = from;
      from = sorted;
      words = wordsOf(from);
    }
    if (numNegative > 0) {
      // by magnitude so far: the negative ones come first, and the other way round
      let negative = numNegative;
      let positive = numNegative;
      for (let i = 0; i < count; i++) {
        if (words[2 * i + 1] >>> 31 === 1) to[--negative] = from[i];
        else to[positive++] = from[i];
      }
      from = to;
    }
    if (from !== values) values.set(from);
  }
}

/** Puts neighbours with the same upper half in order. */
function sortWithinUpperHalves(values: Float64Array): void {
  const words = wordsOf(values);
  const count = values.length;
  for (let start = 0; start < count; ) {
    const high = words[2 * start + 1];
    let end = start + 1;
    let ascending = true;
    for (; end < count && words[2 * end + 1] === high; end++) if (values[end] < values[end - 1]) ascending = false;
    if (!ascending) {
      if (end - start > MANY) values.subarray(start, end).sort();
      else insert(values, start, end);
    }
    start = end;
  }
}

function insert(values: Float64Array, start: number, end: number): void {
  for (let i = start + 1; i < end; i++) {
    const value = values[i];
    let hole = i;
    for (; hole > start && values[hole - 1] > value; hole--) values[hole] = values[hole - 1];
    values[hole] = value;
  }
}

function wordsOf(values: Float64Array): Uint32Array {
  // fits: a view of the halves of doubles, which are copied whole
  return new Uint32Array(values.buffer, values.byteOffset, values.length * 2);
}
