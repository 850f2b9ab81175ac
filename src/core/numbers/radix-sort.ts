/** Sorting by digits takes three passes over the scores however they are mixed; comparing them guesses wrong at every other step. */

const DIGIT_VALUES = 2048;
/** Which 32 bits of a double, as the machine keeps it, hold its sign, exponent and leading digits. */
const HIGH_WORD = new Uint8Array(Float64Array.of(1).buffer)[7] === 0 ? 0 : 1; // fits: bytes
const counts = new Uint32Array(DIGIT_VALUES); // fits: entries

/** The rows 0 … n-1 by the leading 32 bits of their scores, highest first; where these are equal, in ascending order. Scores must be
 *  numbers, and none -0, which is equal to 0 but does not look so. The answer is the beginning of one of the two arrays of scratch space,
 *  which have room for 2 n numbers: rows, and behind them what they are sorted by. */
export function rowsByLeadingBits(scores: Float64Array, n: number, scratch: Uint32Array, spareScratch: Uint32Array): Uint32Array {
  let columns = scratch;
  let spare = spareScratch;
  const bits = new Uint32Array(scores.buffer, scores.byteOffset, 2 * n); // fits: 32 bits of a double
  for (let row = 0; row < n; row++) {
    const high = bits[2 * row + HIGH_WORD];
    columns[row] = row;
    // in descending order positive numbers come first, and what follows their sign is turned round
    columns[n + row] = high >>> 31 === 0 ? ~high & 0x7fffffff : high;
  }
  for (let shift = 0; shift < 32; shift += 11) {
    counts.fill(0);
    for (let i = n; i < 2 * n; i++) counts[(columns[i] >>> shift) & (DIGIT_VALUES - 1)]++;
    let total = 0;
    for (let digit = 0; digit < DIGIT_VALUES; digit++) {
      total += counts[digit];
      counts[digit] = total - counts[digit];
    }
    for (let i = 0; i < n; i++) {
      const word = columns[n + i];
      const to = counts[(word >>> shift) & (DIGIT_VALUES - 1)]++;
      spare[to] = columns[i];
      spare[n + to] = word;
    }
    [columns, spare] = [spare, columns];
  }
  return columns;
}
