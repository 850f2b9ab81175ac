import { lostInProduct } from './exact-product.js';

/** Correctly rounded logarithms of whole numbers. `Math.log` is left to each JavaScript engine and is one unit low at 3
 *  in V8, which is enough to change printed digits of every discounted measure; these are the same everywhere. */

/** Which logarithm: natural or binary. */
export type LogBase = 'e' | 2;

let sharedLnTable: Float64Array = new Float64Array(0);
let sharedLog2Table: Float64Array = new Float64Array(0);

/** ln k, correctly rounded, for whole k from 1 to 2^53. */
export function lnOfInteger(k: number): number {
  return correctlyRounded(k, 'e');
}

/** log2 k, correctly rounded, for whole k from 1 to 2^53. */
export function log2OfInteger(k: number): number {
  return correctlyRounded(k, 2);
}

/** Logarithms of 0 … n, at the index of their argument (-Infinity at 0). The table is shared between callers and grows
 *  as asked: read it, never write to it. */
export function logTable(n: number, base: LogBase): Float64Array {
  let table = base === 2 ? sharedLog2Table : sharedLnTable;
  if (table.length <= n) {
    const grown = new Float64Array(Math.max(n + 1, 2 * table.length));
    grown.set(table);
    if (table.length === 0) grown[0] = -Infinity;
    for (let k = Math.max(1, table.length); k < grown.length; k++) grown[k] = correctlyRounded(k, base);
    table = grown;
    if (base === 2) sharedLog2Table = grown;
    else sharedLnTable = grown;
  }
  return table.subarray(0, n + 1);
}

/** Twice the working precision, as an unevaluated sum of two doubles, leaves an error below 2^-95 of the result; numbers
 *  that could round either way within 2^-90 of it go to whole-number arithmetic. */
const DOUBT = 2 ** -90;

function correctlyRounded(k: number, base: LogBase): number {
  twofoldLog(k, base);
  const high = twofold[0];
  const low = twofold[1];
  const doubt = high * DOUBT;
  const lower = high + (low - doubt);
  return lower === high + (low + doubt) ? lower : logByWholeNumbers(k, base);
}

/** A number of twice the precision, the sum of both parts, to which one operation after another is done in place. */
const twofold = new Float64Array(2);

/** The logarithm before its last rounding: the sum of both parts is off by less than 2^-95 of it. The array is the same each time. */
export function twofoldLog(k: number, base: LogBase): Float64Array {
  requireInRange(k);
  constants ??= computeConstants();
  twofoldLn(k, constants);
  if (base === 2) multiplyTwofold(constants.invLn2High, constants.invLn2Low);
  return twofold;
}

/** ln k = e ln 2 + ln c + 2 artanh((f - c) / (f + c)), where k = 2^e f and c is f rounded to a 128th. */
function twofoldLn(k: number, { lnHigh, lnLow, ln2High, ln2Low }: Constants): void {
  let e = 0;
  let f = k;
  while (f >= 0x10000) {
    f /= 0x10000;
    e += 16;
  }
  while (f > 1.41) {
    f /= 2;
    e++;
  }
  const step = Math.round(f * 128);
  const c = step / 128;
  // s = (f - c) / (f + c): the numerator is exact, the sum below it has a low part
  const numerator = f - c;
  const sum = f + c;
  const sumLow = f - (sum - (sum - f)) + (c - (sum - f));
  const sHigh = numerator / sum;
  const back = sHigh * sum;
  const sLow = (numerator - back - lostInProduct(sHigh, sum, back) - sHigh * sumLow) / sum;
  // 2 artanh s = 2s + 2s (s²/3 + s⁴/5 + …); as s² < 2^-17, only s²/3 needs both parts
  setTwofold(sHigh, sLow);
  multiplyTwofold(sHigh, sLow);
  const z = twofold[0];
  const tail = z * z * (1 / 5 + z * (1 / 7 + z * (1 / 9 + z * (1 / 11 + z * (1 / 13)))));
  multiplyTwofold(THIRD_HIGH, THIRD_LOW);
  addTwofold(tail, 0);
  multiplyTwofold(2 * sHigh, 2 * sLow);
  addTwofold(2 * sHigh, 2 * sLow);
  addTwofold(lnHigh[step], lnLow[step]);
  const fractionHigh = twofold[0];
  const fractionLow = twofold[1];
  setTwofold(ln2High, ln2Low);
  multiplyTwofold(e, 0);
  addTwofold(fractionHigh, fractionLow);
}

const THIRD_HIGH = 1 / 3;
const THIRD_LOW = 2 ** -54 / 3; // 1/3 - THIRD_HIGH, whose 54 bits end in …0101 instead of …010101…

function setTwofold(high: number, low: number): void {
  twofold[0] = high;
  twofold[1] = low;
}

function multiplyTwofold(high: number, low: number): void {
  const product = twofold[0] * high;
  const rest = lostInProduct(twofold[0], high, product) + (twofold[0] * low + twofold[1] * high);
  twofold[0] = product + rest;
  twofold[1] = rest - (twofold[0] - product);
}

function addTwofold(high: number, low: number): void {
  const sum = twofold[0] + high;
  const rounded = sum - twofold[0];
  const rest = twofold[0] - (sum - rounded) + (high - rounded) + (twofold[1] + low);
  twofold[0] = sum + rest;
  twofold[1] = rest - (twofold[0] - sum);
}

interface Constants {
  /** ln(i / 128) at index i, for i from 90 to 180. */
  readonly lnHigh: Float64Array;
  readonly lnLow: Float64Array;
  readonly ln2High: number;
  readonly ln2Low: number;
  readonly invLn2High: number;
  readonly invLn2Low: number;
}

let constants: Constants | undefined;

function computeConstants(): Constants {
  const bits = 160;
  const unit = 1n << BigInt(bits);
  const ln2 = scaledLn(2n, bits);
  const lnHigh = new Float64Array(181);
  const lnLow = new Float64Array(181);
  let ln = scaledLn(90n, bits) - 7n * ln2;
  for (let i = 90; i <= 180; i++) {
    lnHigh[i] = unscaled(ln, bits);
    lnLow[i] = unscaledRest(ln, bits);
    ln += 2n * scaledArtanh(1n, BigInt(2 * i + 1), bits); // ln((i + 1) / i)
  }
  lnHigh[128] = lnLow[128] = 0; // ln 1 is exact
  const invLn2 = (unit * unit) / ln2;
  return {
    lnHigh,
    lnLow,
    ln2High: unscaled(ln2, bits),
    ln2Low: unscaledRest(ln2, bits),
    invLn2High: unscaled(invLn2, bits),
    invLn2Low: unscaledRest(invLn2, bits),
  };
}

/** The double nearest to scaled / 2^bits; `Number` of a big whole number is correctly rounded. */
function unscaled(scaled: bigint, bits: number): number {
  return Number(scaled) / 2 ** bits;
}

/** What `unscaled` left out. */
function unscaledRest(scaled: bigint, bits: number): number {
  return unscaled(scaled - BigInt(Number(scaled)), bits);
}

/** The same logarithms by whole-number arithmetic of any size: slow, obvious, and the judge of close cases. */
export function logByWholeNumbers(k: number, base: LogBase): number {
  requireInRange(k);
  if (k === 1) return 0;
  // binary logarithms of powers of two are exact, and would never be decided below
  const exponent = k.toString(2).length - 1;
  if (base === 2 && 2 ** exponent === k) return exponent;
  for (let bits = 128; ; bits *= 2) {
    const ln = scaledLn(BigInt(k), bits);
    const scaled = base === 2 ? (ln << BigInt(bits)) / scaledLn(2n, bits) : ln;
    // each of the few hundred divisions truncates by less than one unit
    const slack = 1n << 16n;
    const lower = unscaled(scaled - slack, bits);
    if (lower === unscaled(scaled + slack, bits)) return lower;
  }
}

/** ln k * 2^bits, from ln k = e ln 2 + 2 artanh((k - 2^e) / (k + 2^e)) and ln 2 = 2 artanh(1/3). */
function scaledLn(k: bigint, bits: number): bigint {
  let e = k.toString(2).length - 1;
  if (10n * k > 14n << BigInt(e)) e++; // 2^e the nearer one of the powers of two around k
  const power = 1n << BigInt(e);
  const ln2 = 2n * scaledArtanh(1n, 3n, bits);
  return BigInt(e) * ln2 + 2n * scaledArtanh(k - power, k + power, bits);
}

function scaledArtanh(numerator: bigint, denominator: bigint, bits: number): bigint {
  let term = (numerator << BigInt(bits)) / denominator;
  let sum = 0n;
  for (let n = 1n; term !== 0n; n += 2n) {
    sum += term / n;
    term = (term * numerator * numerator) / (denominator * denominator);
  }
  return sum;
}

function requireInRange(k: number): void {
  if (!(k >= 1 && k <= 2 ** 53 && Number.isInteger(k))) throw new RangeError(`logarithm of ${k}: expected a whole number from 1 to 2^53`);
}
