// Numbers of a batch of lines, from text to doubles, correctly rounded.
// fits: all that is stored in 32 bits are places in this memory, and counts of what is in it.

import {
  NUM_ODD, INTEGERS, NUMBERS, ODD, ODD_START, ODD_END, NUMBER_START, NUMBER_END, PENDING, CONSTANTS, MASKS,
  POWERS_OF_TEN, SIGN_LENGTHS, SIGNS, POWERS_OF_FIVE, MIN_POWER, MAX_POWER, POWER_ZERO, TEXT, constant,
} from './line-scanner-memory.as';

/** Four numbers of four digits each from 16 digits. */
@inline
function joinFours(digits: v128, lowBytes: v128, ten: v128, hundredAndOne: v128): v128 {
  const pairs = i16x8.add(i16x8.mul(v128.and(digits, lowBytes), ten), i16x8.shr_u(digits, 8));
  return i32x4.dot_i16x8_s(pairs, hundredAndOne);
}

/** Reads the numbers of up to 15 characters with a point and no exponent, which most scores are: all digits at once,
 *  those before the point moved one place to the right, over the point. Returns the end of the list of those left. */
export function narrowNumbers(batchStart: u32, count: u32): usize {
  const point = constant(4);
  const zero = constant(5);
  const nine = constant(6);
  const lowBytes = v128.load16_splat(CONSTANTS + 8);
  const ten = v128.load16_splat(CONSTANTS + 10);
  const hundredAndOne = v128.load32_splat(CONSTANTS + 12);
  const tenThousandAndOne = v128.load32_splat(CONSTANTS + 16);
  const numbers = <usize>load<u32>(NUMBERS) + (<usize>batchStart << 3);
  const cellEnd = <usize>count << 2;
  let pendingEnd = PENDING;
  for (let cell: usize = 0; cell < cellEnd; cell += 4) {
    const start = load<u32>(cell, NUMBER_START);
    const end = load<u32>(cell, NUMBER_END);
    const first = <u32>load<u8>(start, TEXT);
    const length = end - start - <u32>load<u8>(first, SIGN_LENGTHS);
    if (length - 2 < 14) {
      const bytes = v128.load(end, TEXT - 16);
      const points = <u32>i8x16.bitmask(i8x16.eq(bytes, point)) >> (16 - length);
      if (points != 0) {
        const fraction = length - 1 - ctz(points);
        const joined = v128.bitselect(bytes, v128.load(end, TEXT - 17), v128.load(fraction, MASKS + 16));
        const digits = v128.and(i8x16.sub(joined, zero), v128.load(length, MASKS + 15));
        if (!v128.any_true(i8x16.sub_sat_u(digits, nine))) {
          const fours = joinFours(digits, lowBytes, ten, hundredAndOne);
          const eights = <u64>i64x2.extract_lane(i32x4.dot_i16x8_s(i16x8.narrow_i32x4_u(fours, fours), tenThousandAndOne), 0);
          const mantissa = (eights & 0xffffffff) * 100000000 + (eights >> 32);
          // Clinger's fast path, doi:10.1145/93542.93557: both operands are exact, so one division rounds correctly
          const magnitude = <f64>(<i64>mantissa) / load<f64>(fraction << 3, POWERS_OF_TEN);
          store<f64>(numbers + (cell << 1), magnitude * load<f64>(first << 3, SIGNS));
          continue;
        }
      }
    }
    store<u32>(pendingEnd, <u32>cell);
    pendingEnd += 4;
  }
  return pendingEnd;
}

/** Reads those pending numbers that have up to 32 characters, of these up to 19 significant digits, a point and no
 *  exponent. Returns the end of the list of those left. */
export function wideNumbers(batchStart: u32, pendingEnd: usize): usize {
  const point = constant(4);
  const zero = constant(5);
  const nine = constant(6);
  const lowBytes = v128.load16_splat(CONSTANTS + 8);
  const ten = v128.load16_splat(CONSTANTS + 10);
  const hundredAndOne = v128.load32_splat(CONSTANTS + 12);
  const tenThousandAndOne = v128.load32_splat(CONSTANTS + 16);
  const numbers = <usize>load<u32>(NUMBERS) + (<usize>batchStart << 3);
  let leftEnd = PENDING;
  for (let pending = PENDING; pending < pendingEnd; pending += 4) {
    const cell = load<u32>(pending);
    const start = load<u32>(cell, NUMBER_START);
    const end = load<u32>(cell, NUMBER_END);
    const first = <u32>load<u8>(start, TEXT);
    const length = end - start - <u32>load<u8>(first, SIGN_LENGTHS);
    if (length - 2 < 31) {
      const high = v128.load(end, TEXT - 32);
      const low = v128.load(end, TEXT - 16);
      const points = (<u32>i8x16.bitmask(i8x16.eq(high, point)) | (<u32>i8x16.bitmask(i8x16.eq(low, point)) << 16)) >> (32 - length);
      if (points != 0) {
        const fraction = length - 1 - ctz(points);
        const highJoined = v128.bitselect(high, v128.load(end, TEXT - 33), v128.load(fraction, MASKS));
        const lowJoined = v128.bitselect(low, v128.load(end, TEXT - 17), v128.load(fraction, MASKS + 16));
        const highDigits = v128.and(i8x16.sub(highJoined, zero), v128.load(length, MASKS - 1));
        const lowDigits = v128.and(i8x16.sub(lowJoined, zero), v128.load(length, MASKS + 15));
        if (!v128.any_true(i8x16.sub_sat_u(v128.or(highDigits, lowDigits), nine))) {
          const fours = i16x8.narrow_i32x4_u(joinFours(highDigits, lowBytes, ten, hundredAndOne), joinFours(lowDigits, lowBytes, ten, hundredAndOne));
          const eights = i32x4.dot_i16x8_s(fours, tenThousandAndOne);
          const highest = rotl<u64>(i64x2.extract_lane(eights, 0), 32);
          if (highest <= 999) {
            const lowest = <u64>i64x2.extract_lane(eights, 1);
            const mantissa = highest * 10000000000000000 + (lowest & 0xffffffff) * 100000000 + (lowest >> 32);
            if (mantissa != 0) {
              // `scale` for the usual case; the rest waits for it
              const leading = <u32>clz(mantissa);
              const product = highProduct(mantissa << leading, load<u64>(fraction << 5, POWER_ZERO));
              if (((product + 1) & 511) > 1) {
                const upper = <u32>(product >> 63);
                const rounded = product >> (upper + 9);
                const exponent = load<u32>(fraction << 5, POWER_ZERO + 16) + upper - leading;
                const magnitude = reinterpret<f64>(((rounded + (rounded & 1)) >> 1) + (<u64>exponent << 52));
                store<f64>(numbers + (cell << 1), magnitude * load<f64>(first << 3, SIGNS));
                continue;
              }
            }
          }
        }
      }
    }
    store<u32>(leftEnd, <u32>cell);
    leftEnd += 4;
  }
  return leftEnd;
}

/** Reads the pending numbers one by one and lists the odd ones. */
export function otherNumbers(batchStart: u32, pendingEnd: usize): void {
  const numbers = <usize>load<u32>(NUMBERS) + (<usize>batchStart << 3);
  const integers = load<u32>(INTEGERS);
  for (let pending = PENDING; pending < pendingEnd; pending += 4) {
    const cell = load<u32>(pending);
    const start = load<u32>(cell, NUMBER_START);
    const end = load<u32>(cell, NUMBER_END);
    const first = <u32>load<u8>(start, TEXT);
    const digitsStart = start + <u32>load<u8>(first, SIGN_LENGTHS);
    const magnitude = integers ? shortInteger(digitsStart, end) : anyDecimal(digitsStart, end);
    // a C integer has no negative zero
    const value = magnitude * load<f64>(first << 3, SIGNS) + (integers ? 0.0 : -0.0);
    store<f64>(numbers + (cell << 1), value);
    if (value != value) {
      const odd = load<u32>(NUM_ODD);
      store<u32>(NUM_ODD, odd + 1);
      const column = <usize>odd << 2;
      store<u32>(<usize>load<u32>(ODD) + column, batchStart + (cell >> 2));
      store<u32>(<usize>load<u32>(ODD_START) + column, start);
      store<u32>(<usize>load<u32>(ODD_END) + column, end);
    }
  }
}

@inline
function shortInteger(start: u32, end: u32): f64 {
  if (end - start - 1 >= 15) return NaN;
  let value: u64 = 0;
  let at = start;
  do {
    const digit = <u32>load<u8>(at, TEXT) - 48;
    if (digit > 9) return NaN;
    value = value * 10 + digit;
  } while (++at < end);
  return <f64>(<i64>value);
}

/** Any unsigned decimal number; NaN if it is none, or too long, too large or too small to be settled here. */
export function anyDecimal(start: u32, end: u32): f64 {
  if (end - start > 1000) return NaN;
  let mantissa: u64 = 0;
  let power: i32 = 0;
  let numDigits: u32 = 0;
  let numSignificant: u32 = 0;
  let pointsSeen: i32 = 0;
  let dropped: bool = false;
  let at = start;
  for (; at < end; at++) {
    const byte = <u32>load<u8>(at, TEXT);
    const digit = byte - 48;
    if (digit <= 9) {
      numDigits++;
      if (numSignificant < 19) {
        mantissa = mantissa * 10 + digit;
        if (mantissa != 0) numSignificant++;
        power -= pointsSeen;
      } else {
        dropped = dropped || digit != 0;
        power += 1 - pointsSeen;
      }
    } else if (byte == 46 && pointsSeen == 0) pointsSeen = 1;
    else break;
  }
  if (numDigits == 0) return NaN;
  if (at < end) {
    if ((<u32>load<u8>(at++, TEXT) | 32) != 101 || at == end) return NaN;
    const sign = load<u8>(at, TEXT);
    if (sign == 43 || sign == 45) at++;
    if (at == end) return NaN;
    let exponent: i32 = 0;
    for (; at < end; at++) {
      const digit = <u32>load<u8>(at, TEXT) - 48;
      if (digit > 9) return NaN;
      if (exponent < 100000000) exponent = exponent * 10 + digit;
    }
    power += sign == 45 ? -exponent : exponent;
  }
  if (mantissa == 0) return 0;
  if (power < MIN_POWER || power > MAX_POWER) return NaN;
  const value = scale(mantissa, power);
  // digits were left out: the number lies between this mantissa and the next, which must round alike
  return dropped && value != scale(mantissa + 1, power) ? NaN : value;
}

/** mantissa × 10^power, correctly rounded; mantissa is not 0 and MIN_POWER ≤ power ≤ MAX_POWER, so that the result is
 *  neither subnormal nor infinite. Lemire, "Number parsing at a gigabyte per second", doi:10.1002/spe.2984; that it
 *  needs no fallback: Mushtak and Lemire, doi:10.1002/spe.3198. */
export function scale(mantissa: u64, power: i32): f64 {
  const leading = <u32>clz(mantissa);
  const entry = POWERS_OF_FIVE + (<usize>(MAX_POWER - power) << 5);
  const shifted = mantissa << leading;
  const factor = load<u64>(entry);
  let low = shifted * factor;
  let high = highProduct(shifted, factor);
  if ((high & 511) == 511) {
    // a carry from the lower half of the power may still change the bits that count
    const carry = highProduct(shifted, load<u64>(entry, 8));
    low += carry;
    if (low < carry) high++;
  }
  const upper = <u32>(high >> 63);
  let rounded = high >> (upper + 9);
  // exactly half way between two doubles: to the even one
  if (low <= 1 && power >= -4 && power <= 23 && (rounded & 3) == 1 && rounded << (upper + 9) == high) rounded &= ~1;
  // the leading bit of the fraction adds the 1 that the exponent lacks, and so does a carry out of it
  const exponent = load<u32>(entry, 16) + upper - leading;
  return reinterpret<f64>(((rounded + (rounded & 1)) >> 1) + (<u64>exponent << 52));
}

/** The upper 64 of the 128 bits of a product. */
@inline
function highProduct(a: u64, b: u64): u64 {
  const aLow = a & 0xffffffff;
  const aHigh = a >> 32;
  const bLow = b & 0xffffffff;
  const bHigh = b >> 32;
  const middle = aHigh * bLow + ((aLow * bLow) >> 32);
  return aHigh * bHigh + (middle >> 32) + ((aLow * bHigh + (middle & 0xffffffff)) >> 32);
}

function allPending(count: u32): usize {
  const cellEnd = <usize>count << 2;
  for (let cell: usize = 0; cell < cellEnd; cell += 4) store<u32>(cell, <u32>cell, PENDING);
  return PENDING + cellEnd;
}

export function readNumbers(batchStart: u32, count: u32): void {
  let pendingEnd: usize;
  if (load<u32>(INTEGERS)) pendingEnd = allPending(count);
  else {
    // the numbers of a file are alike: if the first is wide, trying the narrow way for all does not pay
    const isWide = load<u32>(NUMBER_END) - load<u32>(NUMBER_START) > 16;
    pendingEnd = isWide ? allPending(count) : narrowNumbers(batchStart, count);
    if (pendingEnd > PENDING) pendingEnd = wideNumbers(batchStart, pendingEnd);
  }
  if (pendingEnd > PENDING) otherNumbers(batchStart, pendingEnd);
}
