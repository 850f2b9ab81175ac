/** Sorting by digits takes a few passes over the scores however they are mixed; comparing them guesses wrong at every other step. */

const DIGIT_BITS = [11, 11, 10];
const DIGIT_VALUES = 2 ** 11;
/** Which 32 bits of a double, as the machine keeps it, hold its sign, exponent and leading digits. */
const HIGH_WORD = new Uint8Array(Float64Array.of(1).buffer)[7] === 0 ? 0 : 1; // fits: bytes

/** Scratch space for sorting up to so many scores. */
export class RadixSorter {
  private words: Uint32Array = new Uint32Array(0); // fits: 32 bits of a double
  private spareWords: Uint32Array = new Uint32Array(0); // fits: 32 bits of a double
  private order: Uint32Array = new Uint32Array(0); // fits: entries
  private spareOrder: Uint32Array = new Uint32Array(0); // fits: entries
  private readonly counts: Uint32Array = new Uint32Array(DIGIT_BITS.length * DIGIT_VALUES); // fits: entries

  private reserve(n: number): void {
    if (this.words.length >= n) return;
    this.words = new Uint32Array(n); // fits: 32 bits of a double
    this.spareWords = new Uint32Array(n); // fits: 32 bits of a double
    this.order = new Uint32Array(n); // fits: entries
    this.spareOrder = new Uint32Array(n); // fits: entries
  }

  /** The places 0 … n-1 of the scores, by the leading 32 bits of each, highest first, and words that are equal where these bits are;
   *  there the places are in ascending order. Scores must be numbers, and none -0, which is equal to 0 but does not look so. */
  leadingOrder(scores: Float64Array, n: number): { readonly order: Uint32Array; readonly words: Uint32Array } {
    this.reserve(n);
    const { counts } = this;
    let { words, spareWords, order, spareOrder } = this;
    const bits = new Uint32Array(scores.buffer, scores.byteOffset, 2 * n); // fits: 32 bits of a double
    counts.fill(0);
    for (let row = 0; row < n; row++) {
      const high = bits[2 * row + HIGH_WORD];
      // in descending order the sign of positive numbers comes first, and what follows it is turned round
      const word = (high >>> 31 === 0 ? ~high & 0x7fffffff : high) >>> 0;
      words[row] = word;
      order[row] = row;
      counts[word & 0x7ff]++;
      counts[DIGIT_VALUES + ((word >>> 11) & 0x7ff)]++;
      counts[2 * DIGIT_VALUES + (word >>> 22)]++;
    }
    let shift = 0;
    for (const [digit, numBits] of DIGIT_BITS.entries()) {
      const first = digit * DIGIT_VALUES;
      const mask = 2 ** numBits - 1;
      // where all have the same digit they are in its order already
      if (counts[first + ((words[0] >>> shift) & mask)] < n) {
        let total = 0;
        for (let at = first; at < first + DIGIT_VALUES; at++) {
          const count = counts[at];
          counts[at] = total;
          total += count;
        }
        for (let i = 0; i < n; i++) {
          const word = words[i];
          const to = counts[first + ((word >>> shift) & mask)]++;
          spareWords[to] = word;
          spareOrder[to] = order[i];
        }
        [words, spareWords] = [spareWords, words];
        [order, spareOrder] = [spareOrder, order];
      }
      shift += numBits;
    }
    return { order, words };
  }
}
