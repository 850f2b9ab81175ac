import { readLatin1 } from '../../core/text.js';

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
  // the digits are those of head × tailScale + tail, with up to 15 in the head and 7 in the tail
  let head = 0;
  let tail = 0;
  let tailScale = 1;
  let pointAt = -1;
  let numOther = 0;
  const digitsStart = i;
  for (; i < end; i++) {
    const digit = bytes[i] - ZERO;
    if (digit >= 0 && digit <= 9) {
      if (head < 1e14) head = head * 10 + digit;
      else {
        tail = tail * 10 + digit;
        tailScale *= 10;
      }
    } else if (digit === POINT - ZERO && pointAt < 0) {
      pointAt = i;
      numOther = 1;
    } else break;
  }
  if (i - digitsStart === numOther) return Number.NaN;
  let exponent = pointAt < 0 ? 0 : pointAt + 1 - i;
  if (i < end) {
    const written = parseExponent(bytes, i, end);
    if (Number.isNaN(written)) return Number.NaN;
    exponent += written;
  }
  if (exponent >= -22 && exponent <= 22 && tailScale <= 1e7) {
    // Clinger's fast path (doi:10.1145/93542.93557): both operands are exact, so the one operation rounds correctly
    let magnitude: number;
    if (tailScale === 1) magnitude = exponent < 0 ? head / exactPowers[-exponent] : head * exactPowers[exponent];
    else magnitude = exponent > 0 ? Number.NaN : quotient(head, tailScale, tail, exactPowers[-exponent]);
    if (!Number.isNaN(magnitude)) return first === MINUS ? -magnitude : magnitude;
  }
  return Number(readLatin1(bytes, start, end));
}

/** (head × tailScale + tail) / divisor, correctly rounded, or NaN if the double nearest to it is not certain. All four
 *  are whole and exact. The dividend is held as a sum of two doubles, and so is the quotient, with a relative error of
 *  2^-52 in its smaller part: where a margin of 2^-48 makes no difference to the sum, the sum is right. */
function quotient(head: number, tailScale: number, tail: number, divisor: number): number {
  const product = head * tailScale;
  const below = roundingError(head, tailScale, product) + tail;
  const high = product + below;
  const low = below - (high - product);
  const estimate = high / divisor;
  const multiple = estimate * divisor;
  const remainder = high - multiple - roundingError(estimate, divisor, multiple) + low;
  const correction = remainder / divisor;
  const nearest = estimate + correction * (1 - 2 ** -48);
  return nearest === estimate + correction * (1 + 2 ** -48) ? nearest : Number.NaN;
}

/** a × b - product, exactly, where product is the double nearest to a × b (Dekker, doi:10.1007/BF01397083). */
function roundingError(a: number, b: number, product: number): number {
  const aShifted = 134217729 * a;
  const aHigh = aShifted - (aShifted - a);
  const aLow = a - aHigh;
  const bShifted = 134217729 * b;
  const bHigh = bShifted - (bShifted - b);
  const bLow = b - bHigh;
  return aHigh * bHigh - product + aHigh * bLow + aLow * bHigh + aLow * bLow;
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
