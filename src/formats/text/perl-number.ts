import { isWhite } from '../../core/text.js';
import { strtod } from './strtod.js';

/** Reads a number as Perl does when a string is used as one: the longest numeric beginning of bytes[start..end) counts,
 *  white space before it is skipped, what begins with no number is 0, and so is a negative zero. `inf` and `nan` are
 *  known in any case, also as Windows spells them (`1.#INF`); hexadecimal is not. */
export function perlNumber(bytes: Uint8Array, start: number, end: number): number {
  let i = start;
  while (i < end && isWhite(bytes[i])) i++;
  const negative = bytes[i] === 45;
  if (negative || bytes[i] === 43) i++;
  if (bytes[i] === 48 && i + 1 < end && (bytes[i + 1] | 32) === 120) return 0; // 0x, where C would go on
  if (bytes[i] === 49) {
    const sign = bytes[i + 1] === 46 ? i + 2 : i + 1;
    if (sign < end && bytes[sign] === 35) return windowsWord(bytes, sign + 1, end, negative ? -1 : 1);
  }
  return strtod(bytes, start, end) + 0;
}

/** What follows `1.#`; anything but a known word leaves the 1. */
function windowsWord(bytes: Uint8Array, start: number, end: number, one: number): number {
  let word = '';
  for (let i = start; i < Math.min(end, start + 4); i++) word += String.fromCharCode(bytes[i]).toLowerCase();
  if (word.startsWith('inf')) return one * Number.POSITIVE_INFINITY;
  return word.startsWith('ind') || word.startsWith('nan') || word === 'qnan' || word === 'snan' ? Number.NaN : one;
}
