import { readLatin1 } from '../core/text.js';

const ZERO = 48;
const POINT = 46;
const PLUS = 43;
const MINUS = 45;

/** Powers of ten that a double holds exactly. */
const exactPowers = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/** The double nearest to the plain decimal number in bytes[start..end): optional sign, digits with or without a point,
 *  optional exponent, nothing else. NaN if it is not one. Equal to `Number()` of the text in every bit. */
export function parseDecimal(bytes: Uint8Array, start: number, end: number): number {
  let i = start;
  const first = i < end ? bytes[i] : 0;
  if (first === MINUS || first === PLUS) i++;
  const digitsStart = i;
  let mantissa = 0;
  for (; i < end; i++) {
    const digit = bytes[i] - ZERO;
    if (digit < 0 || digit > 9) break;
    mantissa = mantissa * 10 + digit;
  }
  let numDigits = i - digitsStart;
  let exponent = 0;
  if (i < end && bytes[i] === POINT) {
    const fractionStart = ++i;
    for (; i < end; i++) {
      const digit = bytes[i] - ZERO;
      if (digit < 0 || digit > 9) break;
      mantissa = mantissa * 10 + digit;
    }
    exponent = fractionStart - i;
    numDigits -= exponent;
  }
  if (numDigits === 0) return Number.NaN;
  if (i < end) {
    const written = parseExponent(bytes, i, end);
    if (Number.isNaN(written)) return Number.NaN;
    exponent += written;
  }
  // Clinger's fast path (doi:10.1145/93542.93557): both operands are exact, so the one operation rounds correctly
  if (mantissa < 2 ** 53 && exponent >= -22 && exponent <= 22) {
    const magnitude = exponent < 0 ? mantissa / exactPowers[-exponent] : mantissa * exactPowers[exponent];
    return first === MINUS ? -magnitude : magnitude;
  }
  return Number(readLatin1(bytes, start, end));
}

/** The exponent with its letter in bytes[start..end), NaN if it is not one. Far beyond the range of doubles only the sign
 *  is right, which is enough to tell that the fast path does not apply. */
function parseExponent(bytes: Uint8Array, start: number, end: number): number {
  let i = start;
  if ((bytes[i++] | 32) !== 101 || i === end) return Number.NaN;
  const sign = bytes[i];
  if (sign === MINUS || sign === PLUS) i++;
  if (i === end) return Number.NaN;
  let exponent = 0;
  for (; i < end; i++) {
    const digit = bytes[i] - ZERO;
    if (digit < 0 || digit > 9) return Number.NaN;
    exponent = exponent * 10 + digit;
  }
  return sign === MINUS ? -exponent : exponent;
}
