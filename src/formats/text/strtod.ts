import { isWhite } from '../../core/text.js';
import { parseDecimal } from './decimal.js';

const ZERO = 48;
const POINT = 46;
const PLUS = 43;
const MINUS = 45;

/** Reads a number as C's `strtod` and `atof` do in the C locale: the longest valid beginning of bytes[start..end) counts
 *  and the rest is ignored. Decimal and hexadecimal numbers are correctly rounded; `inf`, `infinity`, `nan` and
 *  `nan(...)` are known in any case; what begins with no number is 0. */
export function strtod(bytes: Uint8Array, start: number, end: number): number {
  const plain = parseDecimal(bytes, start, end);
  if (!Number.isNaN(plain)) return plain;
  let i = skipWhite(bytes, start, end);
  const negative = byteAt(bytes, i, end) === MINUS;
  if (negative || byteAt(bytes, i, end) === PLUS) i++;
  let magnitude: number;
  if (startsWith(bytes, i, end, 'inf')) magnitude = Number.POSITIVE_INFINITY;
  else if (startsWith(bytes, i, end, 'nan')) magnitude = Number.NaN;
  else if (startsWith(bytes, i, end, '0x') && hexDigitsFollow(bytes, i + 2, end)) magnitude = hexPrefix(bytes, i + 2, end);
  else {
    const prefixEnd = decimalPrefixEnd(bytes, i, end);
    if (prefixEnd === i) return 0; // no number, hence no sign either
    magnitude = parseDecimal(bytes, i, prefixEnd);
  }
  return negative ? -magnitude : magnitude;
}

/** Reads an integer as C's `atol` does where a long has 64 bits: optional sign and leading digits, the rest is ignored;
 *  0 if there are none; beyond the range the nearest long. Beyond 2^53 the result is rounded to a double. */
export function atol(bytes: Uint8Array, start: number, end: number): number {
  let i = skipWhite(bytes, start, end);
  const negative = byteAt(bytes, i, end) === MINUS;
  if (negative || byteAt(bytes, i, end) === PLUS) i++;
  const digitsStart = i;
  while (isDigit(byteAt(bytes, i, end))) i++;
  if (i === digitsStart) return 0;
  const magnitude = Math.min(parseDecimal(bytes, digitsStart, i), 2 ** 63);
  return negative ? 0 - magnitude : magnitude;
}

/** A byte, or -1 past the end, which no character equals. */
function byteAt(bytes: Uint8Array, at: number, end: number): number {
  return at < end ? bytes[at] : -1;
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= 57;
}

function skipWhite(bytes: Uint8Array, start: number, end: number): number {
  let i = start;
  while (i < end && isWhite(bytes[i])) i++;
  return i;
}

/** Whether this word, given in lower case, stands here in any case. */
function startsWith(bytes: Uint8Array, start: number, end: number, word: string): boolean {
  if (end - start < word.length) return false;
  for (let k = 0; k < word.length; k++) {
    const byte = bytes[start + k];
    const lower = byte >= 65 && byte <= 90 ? byte + 32 : byte;
    if (lower !== word.charCodeAt(k)) return false;
  }
  return true;
}

/** Where the longest decimal number starting here ends; `start` itself if there is none. */
function decimalPrefixEnd(bytes: Uint8Array, start: number, end: number): number {
  let i = start;
  while (isDigit(byteAt(bytes, i, end))) i++;
  let numDigits = i - start;
  if (byteAt(bytes, i, end) === POINT) {
    const fractionStart = i + 1;
    let j = fractionStart;
    while (isDigit(byteAt(bytes, j, end))) j++;
    numDigits += j - fractionStart;
    if (numDigits > 0) i = j;
  }
  if (numDigits === 0) return start;
  return exponentEnd(bytes, i, end, 101);
}

/** Where an exponent introduced by this lower-case letter ends; `start` if none stands there. */
function exponentEnd(bytes: Uint8Array, start: number, end: number, letter: number): number {
  if ((byteAt(bytes, start, end) | 32) !== letter) return start;
  let i = start + 1;
  const sign = byteAt(bytes, i, end);
  if (sign === MINUS || sign === PLUS) i++;
  const digitsStart = i;
  while (isDigit(byteAt(bytes, i, end))) i++;
  return i === digitsStart ? start : i;
}

/** The value of a hexadecimal digit, or -1. */
function hexDigit(byte: number): number {
  if (isDigit(byte)) return byte - ZERO;
  const lower = byte | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}

function hexDigitsFollow(bytes: Uint8Array, start: number, end: number): boolean {
  const first = byteAt(bytes, start, end);
  return hexDigit(first === POINT ? byteAt(bytes, start + 1, end) : first) >= 0;
}

/** The hexadecimal number that starts here, after its `0x`. */
function hexPrefix(bytes: Uint8Array, start: number, end: number): number {
  let mantissa = 0n;
  let dropped = false;
  let exponent = 0;
  let pointSeen = false;
  let i = start;
  for (; ; i++) {
    const byte = byteAt(bytes, i, end);
    if (byte === POINT && !pointSeen) {
      pointSeen = true;
      continue;
    }
    const digit = hexDigit(byte);
    if (digit < 0) break;
    if (pointSeen) exponent -= 4;
    // 68 bits are more than any rounding looks at; of the rest it only matters whether something is there
    if (mantissa >> 64n === 0n) mantissa = (mantissa << 4n) | BigInt(digit);
    else {
      exponent += 4;
      dropped ||= digit !== 0;
    }
  }
  const written = exponentEnd(bytes, i, end, 112);
  if (written > i) exponent += parseDecimal(bytes, i + 1, written);
  return scaled((mantissa << 1n) | (dropped ? 1n : 0n), exponent - 1);
}

/** mantissa × 2^exponent, rounded once, to the nearest double and to even on a tie. */
function scaled(mantissa: bigint, exponent: number): number {
  if (mantissa === 0n) return 0;
  const width = mantissa.toString(2).length;
  const top = width + exponent; // the value lies in [2^(top-1), 2^top)
  if (top > 1024) return Number.POSITIVE_INFINITY;
  if (top < -1074) return 0;
  // doubles have 53 bits, but none below 2^-1074
  const keep = Math.min(53, top + 1074);
  const drop = width - keep;
  if (drop <= 0) return timesPowerOfTwo(Number(mantissa), exponent);
  const half = 1n << BigInt(drop - 1);
  let kept = mantissa >> BigInt(drop);
  const rest = mantissa & (half * 2n - 1n);
  if (rest > half || (rest === half && (kept & 1n) === 1n)) kept++;
  return timesPowerOfTwo(Number(kept), exponent + drop);
}

/** Exact, in two steps because 2^exponent itself may be out of range. */
function timesPowerOfTwo(value: number, exponent: number): number {
  const half = Math.trunc(exponent / 2);
  return value * 2 ** half * 2 ** (exponent - half);
}
