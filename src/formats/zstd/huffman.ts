/** Huffman-coded literals (RFC 8878, 4.2). */
import { damaged } from './damage.js';
import { readDistribution, StateTable } from './fse.js';

/** The reference decoder takes codes of twelve bits, although the standard stops at eleven. */
const LONGEST_CODE = 12;
const MOST_SYMBOLS = 256;
const LARGEST_WEIGHT_LOG = 6;
const END_OF_STREAM_MISSED = 'literals whose bits are not used up exactly';

/** The first bit behind a stream that is read backwards: below the highest set bit of its last byte. Counted from the start of
 *  all bytes. */
export function lastBitOf(bytes: Uint8Array, start: number, end: number): number {
  if (end <= start) damaged('a stream of bits without a byte');
  const last = bytes[end - 1];
  if (last === 0) damaged('a stream of bits without its end mark');
  return end * 8 - 8 + (31 - Math.clz32(last));
}

/** The codes of a block, which later blocks may use again. */
export class HuffmanTable {
  /** For each beginning of `log` bits: the symbol times 16, and the length of its code. */
  private readonly entries: Uint16Array = new Uint16Array(1 << LONGEST_CODE); // fits: a symbol below 256 times 16, plus a length up to 11
  // fits: four bits where they are written, and states of a table with symbols below 256 otherwise; larger than 11 is refused
  private readonly weights: Uint8Array = new Uint8Array(MOST_SYMBOLS);
  private readonly states: StateTable = new StateTable();
  private log = 0;
  isFilled = false;

  /** Reads the description of a tree from bytes[start..end), and returns where it ends. */
  read(bytes: Uint8Array, view: DataView, start: number, end: number): number {
    if (start >= end) damaged('a Huffman table without a byte');
    const first = bytes[start];
    let at = start + 1;
    let numWeights: number;
    if (first >= 128) {
      numWeights = first - 127;
      const length = (numWeights + 1) >> 1;
      if (at + length > end) damaged('a Huffman table that ends too early');
      for (let i = 0; i < numWeights; i++) this.weights[i] = (i & 1) === 0 ? bytes[at + (i >> 1)] >> 4 : bytes[at + (i >> 1)] & 15;
      at += length;
    } else {
      if (at + first > end) damaged('a Huffman table that ends too early');
      numWeights = this.readWeights(bytes, view, at, at + first);
      at += first;
    }
    this.fill(numWeights);
    this.isFilled = true;
    return at;
  }

  /** Weights that are compressed themselves, by two states in turn; the stream ends where one of them lacks bits. */
  private readWeights(bytes: Uint8Array, view: DataView, start: number, end: number): number {
    const { weights, states } = this;
    const distribution = readDistribution(bytes, start, end, MOST_SYMBOLS, LARGEST_WEIGHT_LOG);
    states.fill(distribution.counts, distribution.numSymbols, distribution.log);
    const firstBit = distribution.end * 8;
    let bit = lastBitOf(bytes, distribution.end, end);
    const take = (width: number): number => {
      bit -= width;
      return (view.getUint32(bit >> 3, true) >>> (bit & 7)) & ((1 << width) - 1);
    };
    let state = take(states.log);
    let other = take(states.log);
    if (bit < firstBit) damaged('Huffman weights without bits for their first states');
    let numWeights = 0;
    for (;;) {
      // the last weight of all is not written, so there are at most 255
      if (numWeights > MOST_SYMBOLS - 3) damaged('a Huffman table with too many weights');
      weights[numWeights++] = states.symbols[state];
      const width = states.widths[state];
      if (bit - width < firstBit) {
        weights[numWeights++] = states.symbols[other];
        return numWeights;
      }
      const next = states.bases[state] + take(width);
      state = other;
      other = next;
    }
  }

  private fill(numWeights: number): void {
    const { weights, entries } = this;
    const numOf = new Uint16Array(LONGEST_CODE + 2); // fits: at most 256 symbols
    let total = 0;
    for (let i = 0; i < numWeights; i++) {
      const weight = weights[i];
      if (weight > LONGEST_CODE) damaged('a Huffman code that is too long');
      numOf[weight]++;
      total += (1 << weight) >> 1;
    }
    if (total === 0) damaged('a Huffman table without symbols');
    const log = 32 - Math.clz32(total);
    if (log > LONGEST_CODE) damaged('a Huffman code that is too long');
    const rest = (1 << log) - total;
    if ((rest & (rest - 1)) !== 0) damaged('Huffman codes that do not fill their tree');
    const lastWeight = 32 - Math.clz32(rest);
    weights[numWeights] = lastWeight;
    numOf[lastWeight]++;
    if (numOf[1] < 2 || (numOf[1] & 1) !== 0) damaged('Huffman codes that do not fill their tree');
    // the longest codes come first
    const placeOf = new Uint16Array(LONGEST_CODE + 2); // fits: places in a table of 2,048 entries
    let place = 0;
    for (let weight = 1; weight <= log; weight++) {
      placeOf[weight] = place;
      place += numOf[weight] << (weight - 1);
    }
    for (let symbol = 0; symbol <= numWeights; symbol++) {
      const weight = weights[symbol];
      if (weight === 0) continue;
      const from = placeOf[weight];
      const to = from + (1 << (weight - 1));
      entries.fill((symbol << 4) | (log + 1 - weight), from, to);
      placeOf[weight] = to; // at most 2 ** 12
    }
    this.log = log;
  }

  /** Decodes one stream, view[start..end), into target[from..to). */
  decode(bytes: Uint8Array, view: DataView, start: number, end: number, target: Uint8Array, from: number, to: number): void {
    const firstBit = start * 8;
    if (this.finishStream(view, firstBit, lastBitOf(bytes, start, end), target, from, to) !== firstBit) damaged(END_OF_STREAM_MISSED);
  }

  private finishStream(view: DataView, firstBit: number, lastBit: number, target: Uint8Array, from: number, to: number): number {
    const { entries, log } = this;
    const mask = (1 << log) - 1;
    let bit = lastBit;
    // what lies below the first bit only matters to codes that reach there, and these end in front of it
    for (let i = from; i < to && bit >= firstBit; i++) {
      const at = bit - log;
      const entry = entries[(view.getInt32(at >> 3, true) >>> (at & 7)) & mask];
      target[i] = entry >> 4;
      bit -= entry & 15;
    }
    return bit;
  }

  /** Decodes four streams with a table of their lengths in front, each a quarter of target[0..length). They do not depend on each
   *  other, so the processor can work on all of them at the same time. */
  decodeFour(bytes: Uint8Array, view: DataView, start: number, end: number, target: Uint8Array, length: number): void {
    if (end - start < 10) damaged('four streams of literals in less than ten bytes');
    const startB = start + 6 + view.getUint16(start, true);
    const startC = startB + view.getUint16(start + 2, true);
    const startD = startC + view.getUint16(start + 4, true);
    if (startD > end) damaged('streams of literals that are longer than their section');
    const { entries, log } = this;
    const mask = (1 << log) - 1;
    const quarter = (length + 3) >> 2;
    const firstA = (start + 6) * 8;
    let a = lastBitOf(bytes, start + 6, startB);
    let b = lastBitOf(bytes, startB, startC);
    let c = lastBitOf(bytes, startC, startD);
    let d = lastBitOf(bytes, startD, end);
    let i = 0;
    // two codes have at most 24 bits, and a word that begins at any bit of a byte has at least 25
    const numTogether = length - 3 * quarter - 1;
    const second = quarter * 2;
    const third = quarter * 3;
    const shift = 24 - log;
    const [fromA, fromB, fromC, fromD] = [firstA + 24, startB * 8 + 24, startC * 8 + 24, startD * 8 + 24];
    while (i < numTogether && a >= fromA && b >= fromB && c >= fromC && d >= fromD) {
      const wordA = view.getInt32((a - 24) >> 3, true) >>> (a & 7);
      const wordB = view.getInt32((b - 24) >> 3, true) >>> (b & 7);
      const wordC = view.getInt32((c - 24) >> 3, true) >>> (c & 7);
      const wordD = view.getInt32((d - 24) >> 3, true) >>> (d & 7);
      const entryA = entries[(wordA >>> shift) & mask];
      const entryB = entries[(wordB >>> shift) & mask];
      const entryC = entries[(wordC >>> shift) & mask];
      const entryD = entries[(wordD >>> shift) & mask];
      const laterA = entries[(wordA >>> (shift - (entryA & 15))) & mask];
      const laterB = entries[(wordB >>> (shift - (entryB & 15))) & mask];
      const laterC = entries[(wordC >>> (shift - (entryC & 15))) & mask];
      const laterD = entries[(wordD >>> (shift - (entryD & 15))) & mask];
      target[i] = entryA >> 4;
      target[i + 1] = laterA >> 4;
      target[quarter + i] = entryB >> 4;
      target[quarter + i + 1] = laterB >> 4;
      target[second + i] = entryC >> 4;
      target[second + i + 1] = laterC >> 4;
      target[third + i] = entryD >> 4;
      target[third + i + 1] = laterD >> 4;
      a -= (entryA & 15) + (laterA & 15);
      b -= (entryB & 15) + (laterB & 15);
      c -= (entryC & 15) + (laterC & 15);
      d -= (entryD & 15) + (laterD & 15);
      i += 2;
    }
    const isExact =
      this.finishStream(view, firstA, a, target, i, quarter) === firstA &&
      this.finishStream(view, startB * 8, b, target, quarter + i, second) === startB * 8 &&
      this.finishStream(view, startC * 8, c, target, second + i, third) === startC * 8 &&
      this.finishStream(view, startD * 8, d, target, third + i, length) === startD * 8;
    if (!isExact) damaged(END_OF_STREAM_MISSED);
  }
}
