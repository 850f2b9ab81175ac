import { lostInProduct } from '../../core/numbers/exact-product.js';
import { parseDecimal } from './decimal.js';

/** The longest power of ten that is the exact sum of two doubles. */
const MAX_POWER = 45;
const powerHigh = new Float64Array(MAX_POWER + 1);
const powerLow = new Float64Array(MAX_POWER + 1);
for (let k = 0; k <= MAX_POWER; k++) {
  const power = 10n ** BigInt(k);
  powerHigh[k] = Number(power);
  powerLow[k] = Number(power - BigInt(powerHigh[k]));
}

/** `parseDecimal` for numbers with more digits than a double holds, such as 0.03703703703703703, without making a string
 *  of most of them: equal to `Number()` of the text in every bit, NaN if it is not a plain decimal number. */
export function parseLongDecimal(bytes: Uint8Array, start: number, end: number): number {
  let i = start;
  const negative = bytes[i] === 45;
  if (negative) i++;
  // up to ten leading digits and up to nine further ones, each part a whole number that a double holds
  let leading = 0;
  let further = 0;
  let numDigits = 0;
  let numFurther = 0;
  let pointAt = -1;
  for (; i < end; i++) {
    const digit = bytes[i] ^ 48;
    if (digit < 10) {
      if (numDigits < 10) leading = leading * 10 + digit;
      else {
        further = further * 10 + digit;
        numFurther++;
      }
      if (leading > 0) numDigits++;
    } else if (digit === 30 && pointAt < 0) pointAt = i;
    else break;
  }
  if (numDigits === 0 || numDigits > 19) return parseDecimal(bytes, start, end);
  let exponent = pointAt < 0 ? 0 : pointAt + 1 - i;
  if (i < end) {
    const written = smallNegativeExponent(bytes, i, end);
    if (written === 0) return parseDecimal(bytes, start, end);
    exponent += written;
  }
  if (exponent > 0 || exponent < -MAX_POWER) return parseDecimal(bytes, start, end);

  const scale = powerHigh[numFurther];
  if (numDigits <= 15 && exponent >= -22) {
    // digits and power are both exact, so that one division rounds correctly (Clinger 1990, doi:10.1145/93542.93557)
    const magnitude = (leading * scale + further) / powerHigh[-exponent];
    return negative ? -magnitude : magnitude;
  }
  // the digits as an exact sum of two doubles
  const scaled = leading * scale;
  const scaledLow = lostInProduct(leading, scale, scaled);
  const whole = scaled + further;
  const wholeLow = scaled - whole + further + scaledLow;
  // divided by the power of ten: a first quotient, and a correction from what it leaves over
  const divisor = powerHigh[-exponent];
  const quotient = whole / divisor;
  const back = quotient * divisor;
  const left = whole - back - lostInProduct(quotient, divisor, back) - quotient * powerLow[-exponent] + wholeLow;
  const correction = left / divisor;
  // the correction is good to 2^-48 of the quotient's last place; where that leaves two answers, the long way decides
  const doubt = quotient * 2 ** -100;
  const lower = quotient + (correction - doubt);
  if (lower !== quotient + (correction + doubt)) return parseDecimal(bytes, start, end);
  return negative ? -lower : lower;
}

/** An exponent from `e-1` to `e-99` that fills bytes[start..end), 0 if something else does. */
function smallNegativeExponent(bytes: Uint8Array, start: number, end: number): number {
  if (end - start < 3 || end - start > 4 || (bytes[start] | 32) !== 101 || bytes[start + 1] !== 45) return 0;
  let exponent = 0;
  for (let i = start + 2; i < end; i++) {
    const digit = bytes[i] ^ 48;
    if (digit > 9) return 0;
    exponent = exponent * 10 + digit;
  }
  return -exponent;
}
