import { InputError } from '../../core/problem.js';

/** Numbers of 32 and 64 bits side by side: thresholds of tools that compare 32-bit floats become thresholds for doubles that
 *  send every double where the tool, which rounds it first, would send it. */

const double = new Float64Array(1);
const doubleBits = new BigInt64Array(double.buffer);
const single = new Float32Array(1); // fits: rounds, which is what it is for
const singleBits = new Int32Array(single.buffer); // fits: a view of the bits of a float; they step by one between finite floats

/** The largest 32-bit float. */
export const LARGEST_FLOAT32 = 3.4028234663852886e38;

/** The next larger 32-bit float. */
export function nextFloat32(x: number): number {
  if (x === Infinity) return x;
  single[0] = x === 0 ? 0 : x;
  singleBits[0] += singleBits[0] >= 0 ? 1 : -1;
  return single[0];
}

/** The next smaller 32-bit float. */
export function previousFloat32(x: number): number {
  return -nextFloat32(-x);
}

/** The next smaller double. */
export function previousDouble(x: number): number {
  if (x === -Infinity) return x;
  if (x === 0) return -Number.MIN_VALUE;
  double[0] = x;
  doubleBits[0] += x > 0 ? -1n : 1n;
  return double[0];
}

/** The largest 32-bit float that is not above x. */
export function floorFloat32(x: number): number {
  const rounded = Math.fround(x);
  return rounded > x ? previousFloat32(rounded) : rounded;
}

/** The largest double that becomes the 32-bit float `limit` or a smaller one when it is rounded: half way to the next one, or
 *  just below where that tie is rounded up. */
export function largestRoundedTo(limit: number): number {
  if (!Number.isFinite(limit)) return limit;
  const next = nextFloat32(limit);
  // beyond the largest float, rounding goes on as if there were a next one
  const middle = next === Infinity ? limit + 2 ** 103 : limit / 2 + next / 2;
  return Math.fround(middle) > limit ? previousDouble(middle) : middle;
}

/** The value as a 32-bit float, refused if there is none of that size. */
export function asFloat32(x: number, what: string, format: string): number {
  const rounded = Math.fround(x);
  if (Number.isFinite(rounded)) return rounded;
  throw new InputError(`${what} is ${x}, and ${format} has 32-bit floats, of which none is so large`);
}

/** The value, refused if it is not finite: where a sum of numbers that are finite has become too large to be one. */
export function asFinite(x: number, what: string): number {
  if (Number.isFinite(x)) return x;
  throw new InputError(`${what} becomes ${x}, which is too large to be written`);
}

/** The shortest decimal that reads back as the same 32-bit float. */
export function float32Text(x: number): string {
  if (Object.is(x, -0)) return '-0';
  for (let digits = 1; digits < 9; digits++) {
    const text = x.toPrecision(digits);
    if (Math.fround(Number(text)) === x) return String(Number(text));
  }
  return String(Number(x.toPrecision(9)));
}

/** The next larger double. */
export function nextDouble(x: number): number {
  return -previousDouble(-x);
}
