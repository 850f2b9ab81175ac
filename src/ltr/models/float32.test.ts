import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextDouble } from '../../../test/helpers/next-double.js';
import { float32Text, floorFloat32, largestRoundedTo, nextFloat32, previousDouble, previousFloat32 } from './float32.js';

const float = fc.float({ noNaN: true, noDefaultInfinity: true });

describe('neighbours', () => {
  test('of 1: one unit in the last place away', () => {
    expect(nextFloat32(1)).toBe(1 + 2 ** -23);
    expect(previousFloat32(1)).toBe(1 - 2 ** -24);
    expect(nextDouble(1)).toBe(1 + 2 ** -52);
    expect(previousDouble(1)).toBe(1 - 2 ** -53);
  });

  test('of 0 and -0: the smallest numbers', () => {
    for (const zero of [0, -0]) {
      expect(nextFloat32(zero)).toBe(2 ** -149);
      expect(previousFloat32(zero)).toBe(-(2 ** -149));
      expect(previousDouble(zero)).toBe(-5e-324);
      expect(nextDouble(zero)).toBe(5e-324);
    }
  });
});

describe('largestRoundedTo(limit)', () => {
  test('of 1: half way to the next float, because 1 is even and wins the tie', () => {
    expect(largestRoundedTo(1)).toBe(1 + 2 ** -24);
  });

  test('of the odd float after 1: just below half way', () => {
    expect(largestRoundedTo(1 + 2 ** -23)).toBe(previousDouble(1 + 3 * 2 ** -24));
  });

  test('rounds to the limit or below, and the next double does not', () => {
    fc.assert(
      fc.property(float, (limit) => {
        const edge = largestRoundedTo(limit);
        expect(Math.fround(edge)).toBeLessThanOrEqual(limit);
        expect(Math.fround(nextDouble(edge))).toBeGreaterThan(limit);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('floorFloat32(x)', () => {
  test('is the largest float that is not above x', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, min: -3e38, max: 3e38 }), (x) => {
        const floor = floorFloat32(x);
        expect(floor).toBe(Math.fround(floor));
        expect(floor).toBeLessThanOrEqual(x);
        expect(nextFloat32(floor)).toBeGreaterThan(x);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('float32Text(x)', () => {
  test('is short and reads back as the same float', () => {
    expect(float32Text(Math.fround(0.1))).toBe('0.1');
    expect(float32Text(16777216)).toBe('16777216');
    fc.assert(
      fc.property(float, (x) => {
        expect(Object.is(Math.fround(Number(float32Text(x))), x)).toBe(true);
        expect(float32Text(x).length).toBeLessThan(30);
      }),
      { numRuns: 2000 },
    );
  });
});
