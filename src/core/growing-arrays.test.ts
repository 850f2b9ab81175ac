import { describe, expect, test } from 'vitest';
import { growingFloats, growingInts, lengthened, scratchFor } from './growing-arrays.js';

describe('scratchFor', () => {
  test('gives the same array while it is long enough, and else an empty one of twice the length', () => {
    const scratch = Float64Array.of(1, 2, 3);
    expect(scratchFor(scratch, 3)).toBe(scratch);
    expect(scratchFor(scratch, 4)).toEqual(new Float64Array(8));
  });
});

describe('lengthened', () => {
  test('keeps what the array holds, and its kind', () => {
    expect(lengthened(Float32Array.of(0.5, 2), 4)).toEqual(Float32Array.of(0.5, 2, 0, 0));
    expect(lengthened(new Uint8Array(0), 2)).toEqual(Uint8Array.of(0, 0));
  });
});

describe('a growing array', () => {
  test('holds what was pushed beyond its first room', () => {
    const floats = growingFloats();
    for (let i = 0; i < 5000; i++) floats.push(i / 2);
    expect(floats.take(undefined)).toEqual(Float64Array.from({ length: 5000 }, (_, i) => i / 2));
    expect([floats.length, floats.at(4999)]).toEqual([5000, 2499.5]);
  });

  test('gives the values at some places in their order', () => {
    const ints = growingInts();
    for (const value of [30, 10, 20]) ints.push(value);
    expect(ints.take(Uint32Array.of(2, 0, 2))).toEqual(Uint32Array.of(20, 30, 20));
  });
});
