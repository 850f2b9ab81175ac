import { roundedScaled } from './round-to-even.js';

/** Numbers printed as other languages print them, so that output can be compared byte for byte: C's `%f` and `%g`,
 *  Perl's plain numbers, Java's `Double.toString`, Python's `repr`. `toFixed` and `toPrecision` will not do: they round
 *  exact binary ties up where C rounds them to even (1/32 with four decimals is 0.0312), drop the sign of -0, and change
 *  to exponents at 1e21. */

/** How a result that is not a number is spelt. 0/0 on x86-64 sets the sign bit, so C programs there print `-nan`. */
export type NanSpelling = 'nan' | '-nan';

const MAX_TABLE_DECIMALS = 4;
/** 10^0 … 10^22, the powers of ten that are doubles without rounding. */
const POWERS_OF_TEN: Float64Array = Float64Array.from({ length: 23 }, (_, i) => Number(`1e${i}`));
/** `.0000` … `.9999` for each small number of decimals, made when first needed. */
const fractionTexts: string[][] = [];

/** Like C's `printf("%*.*f", width, decimals, x)`: the exact binary value rounded to so many decimals, exact ties to
 *  even, right-aligned in `width` columns. */
export function formatFixed(x: number, decimals: number, width = 0, nan: NanSpelling = 'nan'): string {
  const scaled = decimals <= 22 ? roundedScaled(Math.abs(x), POWERS_OF_TEN[decimals]) : -1;
  const text = scaled >= 0 ? scaledText(scaled, decimals, isNegative(x)) : formatFixedExactly(x, decimals, nan);
  return text.length < width ? text.padStart(width) : text;
}

/** `formatFixed` written as ASCII into `bytes` from `offset` on, without making a string; returns the offset after the
 *  last byte. The caller leaves room: `fixedLength` bytes are enough for any number of that size. */
export function formatFixedInto(
  bytes: Uint8Array,
  offset: number,
  x: number,
  decimals: number,
  width = 0,
  nan: NanSpelling = 'nan',
): number {
  const scaled = decimals <= 9 ? roundedScaled(Math.abs(x), POWERS_OF_TEN[decimals]) : -1;
  if (!(scaled >= 0 && scaled < 0x7fffffff)) {
    const text = formatFixed(x, decimals, width, nan);
    for (let i = 0; i < text.length; i++) bytes[offset + i] = text.charCodeAt(i);
    return offset + text.length;
  }
  // count the characters first, so that the digits can be written from the right
  const negative = isNegative(x);
  let digits = decimals + 1;
  while (scaled >= POWERS_OF_TEN[digits]) digits++;
  const length = digits + (decimals > 0 ? 1 : 0) + (negative ? 1 : 0);
  const end = offset + Math.max(length, width);
  let at = end - 1;
  // times 0.1, cut off, is a tenth of any whole number below 2^31, because the double 0.1 is a little more than one tenth
  let rest = scaled | 0;
  for (let i = 0; i < digits; i++) {
    if (i === decimals && decimals > 0) bytes[at--] = 46;
    const tenth = (rest * 0.1) | 0;
    bytes[at--] = 48 + rest - tenth * 10;
    rest = tenth;
  }
  if (negative) bytes[at--] = 45;
  while (at >= offset) bytes[at--] = 32;
  return end;
}

/** The most bytes `formatFixedInto` can write for any double. */
export function fixedLength(decimals: number, width = 0): number {
  return Math.max(width, 311 + decimals); // sign, 309 digits of the largest double, point
}

/** Like C's `printf("%.*g", digits, x)`; with 15 digits this is how awk and Perl show numbers. */
export function formatG(x: number, digits = 15): string {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? 'nan' : x < 0 ? '-inf' : 'inf';
  const sign = isNegative(x) ? '-' : '';
  if (x === 0) return `${sign}0`;
  const precision = Math.max(1, digits);
  const { significand, exponent } = roundedDigits(Math.abs(x), precision);
  const kept = significand.replace(/0+$/, '');
  if (exponent < -4 || exponent >= precision) return sign + exponentText(kept, exponent);
  return sign + positionalText(kept, exponent);
}

/** Like Perl's `print x` for a floating-point number (where C says `nan`, `inf` and `-0`, Perl says `NaN`, `Inf` and `0`). */
export function formatPerl(x: number): string {
  if (x === 0) return '0';
  if (Number.isFinite(x)) return formatG(x, 15);
  return Number.isNaN(x) ? 'NaN' : x < 0 ? '-Inf' : 'Inf';
}

/** Like Java's `Double.toString` since version 19: the fewest digits that name the number, but at least two, in
 *  positional form from 1e-3 up to below 1e7. Versions before 19 now and then print one digit too many. */
export function formatJava(x: number): string {
  if (!Number.isFinite(x)) return String(x);
  const sign = isNegative(x) ? '-' : '';
  if (x === 0) return `${sign}0.0`;
  const size = Math.abs(x);
  let { significand, exponent } = shortestDigits(size);
  // among two-digit decimals the nearest is wanted, which differs from d.0 only for the smallest subnormals
  if (significand.length === 1) ({ significand, exponent } = splitExponential(size.toExponential(1)));
  significand = significand.replace(/0+$/, '');
  if (size >= 1e-3 && size < 1e7) return sign + withPoint(positionalText(significand, exponent));
  return `${sign}${significand[0]}.${significand.slice(1) || '0'}E${exponent}`;
}

/** Like Python's `repr` of a float: the fewest digits that name the number, nearest to it among those. */
export function formatShortest(x: number): string {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? 'nan' : x < 0 ? '-inf' : 'inf';
  const sign = isNegative(x) ? '-' : '';
  if (x === 0) return `${sign}0.0`;
  const { significand, exponent } = shortestDigits(Math.abs(x));
  if (exponent < -4 || exponent >= 16) return sign + exponentText(significand, exponent);
  return sign + withPoint(positionalText(significand, exponent));
}

function isNegative(x: number): boolean {
  return x < 0 || (x === 0 && 1 / x < 0);
}

function scaledText(scaled: number, decimals: number, negative: boolean): string {
  const sign = negative ? '-' : '';
  if (decimals === 0) return sign + scaled;
  if (decimals > MAX_TABLE_DECIMALS) {
    const digits = String(scaled).padStart(decimals + 1, '0');
    const point = digits.length - decimals;
    return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
  }
  const power = POWERS_OF_TEN[decimals];
  const whole = Math.floor(scaled / power);
  fractionTexts[decimals] ??= Array.from({ length: power }, (_, i) => `.${String(i).padStart(decimals, '0')}`);
  return sign + whole + fractionTexts[decimals][scaled - whole * power];
}

/** The same by whole-number arithmetic of any size: the plain form, and the way out for numbers the fast one declines. */
function formatFixedExactly(x: number, decimals: number, nan: NanSpelling): string {
  if (Number.isNaN(x)) return nan;
  const sign = isNegative(x) ? '-' : '';
  if (!Number.isFinite(x)) return `${sign}inf`;
  const { mantissa, exponent } = binaryParts(Math.abs(x));
  const scaled = dividedToEven(mantissa * 10n ** BigInt(decimals), exponent);
  if (decimals === 0) return sign + scaled;
  const digits = String(scaled).padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** `number * 2^exponent` rounded to a whole number, ties to even. */
function dividedToEven(number: bigint, exponent: number): bigint {
  if (exponent >= 0) return number << BigInt(exponent);
  const shift = BigInt(-exponent);
  const whole = number >> shift;
  const remainder = number - (whole << shift);
  const half = 1n << (shift - 1n);
  return remainder > half || (remainder === half && (whole & 1n) === 1n) ? whole + 1n : whole;
}

/** `size` as mantissa * 2^exponent with a whole mantissa. */
function binaryParts(size: number): { mantissa: bigint; exponent: number } {
  const bits = new BigUint64Array(Float64Array.of(size).buffer)[0];
  const biased = Number(bits >> 52n);
  const fraction = bits & 0xfffffffffffffn;
  return biased === 0 ? { mantissa: fraction, exponent: -1074 } : { mantissa: fraction | (1n << 52n), exponent: biased - 1075 };
}

/** A positive number as `d.ddd * 10^exponent`: the digits without the point. */
interface DecimalParts {
  readonly significand: string;
  readonly exponent: number;
}

/** Rounded to so many significant digits, exact ties to even. */
function roundedDigits(size: number, digits: number): DecimalParts {
  if (digits <= 100) {
    // one digit more says which way to round, unless it is a 5: only then must the exact value be looked at
    const { significand, exponent } = splitExponential(size.toExponential(digits));
    const nextDigit = significand.charCodeAt(digits) - 48;
    if (nextDigit < 5) return { significand: significand.slice(0, digits), exponent };
    if (nextDigit > 5) return splitExponential(size.toExponential(digits - 1));
  }
  // scale so that the quotient has the wanted number of digits; rounding up 99…9 gives one digit more
  const exponent = Number(size.toExponential(20).split('e')[1]);
  for (let power = exponent - 1; ; power++) {
    const rounded = scaledToEven(size, digits - 1 - power);
    if (rounded.length <= digits) return { significand: rounded, exponent: power };
  }
}

/** The digits of `size * 10^places` rounded to a whole number, ties to even. */
function scaledToEven(size: number, places: number): string {
  const { mantissa, exponent } = binaryParts(size);
  if (places >= 0) return String(dividedToEven(mantissa * 10n ** BigInt(places), exponent));
  const divisor = 10n ** BigInt(-places) * (exponent < 0 ? 1n << BigInt(-exponent) : 1n);
  const dividend = exponent < 0 ? mantissa : mantissa << BigInt(exponent);
  const whole = dividend / divisor;
  const twiceRemainder = 2n * (dividend - whole * divisor);
  return String(twiceRemainder > divisor || (twiceRemainder === divisor && (whole & 1n) === 1n) ? whole + 1n : whole);
}

function shortestDigits(size: number): DecimalParts {
  return splitExponential(size.toExponential());
}

function splitExponential(text: string): DecimalParts {
  const e = text.indexOf('e');
  return { significand: text[0] + text.slice(2, e), exponent: Number(text.slice(e + 1)) };
}

function positionalText(significand: string, exponent: number): string {
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${significand}`;
  if (significand.length <= exponent + 1) return significand.padEnd(exponent + 1, '0');
  return `${significand.slice(0, exponent + 1)}.${significand.slice(exponent + 1)}`;
}

function exponentText(significand: string, exponent: number): string {
  const digits = significand.length === 1 ? significand : `${significand[0]}.${significand.slice(1)}`;
  return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

function withPoint(text: string): string {
  return text.includes('.') ? text : `${text}.0`;
}
