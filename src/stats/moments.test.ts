import { describe, expect, test } from 'vitest';
import { allEqual, differencesInto, differencesOf, meanOf, squaresAround, standardDeviationOf } from './moments.js';

describe('differencesOf', () => {
  test('are first − second', () => {
    expect(Array.from(differencesOf([3, 1, 2.5], [1, 4, 0.5]))).toEqual([2, -3, 2]);
  });

  test('that are equal but for rounding become equal', () => {
    // 0.3 − 0.2 is 0.09999999999999998, 0.4 − 0.3 is 0.10000000000000003
    expect(new Set(differencesOf([0.3, 0.4, 0.8], [0.2, 0.3, 0.7]))).toEqual(new Set([0.3 - 0.2]));
    // the sizes of the second count as well as those of the first, and negative ones as well as positive ones
    expect(new Set(differencesOf([0.2, 0.3], [0.3, 0.4])).size).toBe(1);
    expect(new Set(differencesOf([-0.3, -0.4], [-0.2, -0.3])).size).toBe(1);
    expect(new Set(differencesOf([-0.2, -0.3], [-0.3, -0.4])).size).toBe(1);
  });

  test('that differ by more than rounding stay as they are', () => {
    // what is too much is a part of the largest number on either side: 2^-50 of 1
    const differences = (last: number) => new Set(differencesOf([1, 1, last], [0, 0, 0])).size;
    expect(differences(1 - 2 ** -50)).toBe(1);
    expect(differences(1 - 2 ** -49)).toBe(2);
    expect(new Set(differencesOf([2 ** -60, 0], [0, 0])).size).toBe(2);
    expect(new Set(differencesOf([1 + 2 ** -50, 8], [1, 8])).size).toBe(1);
    expect(new Set(differencesOf([8, 1 + 2 ** -50], [8, 1])).size).toBe(1);
    expect(new Set(differencesOf([8, 8 + 2 ** -46], [8, 8])).size).toBe(2);
    const into = new Float64Array(2);
    differencesInto(into, [5, 7, 9], [1, 1, 1]);
    expect(Array.from(into)).toEqual([4, 6]);
  });
});

describe('meanOf', () => {
  test('has less rounding than a plain sum', () => {
    // ten times 0.1 add up to 0.9999999999999999
    expect(meanOf(Array.from({ length: 10 }, () => 0.1))).toBe(0.1);
    expect(meanOf([1, 2, 6])).toBe(3);
    expect(meanOf([])).toBeNaN();
  });
});

describe('standardDeviationOf', () => {
  test('divides by n − 1, around the mean or what is given for it', () => {
    // 2, 4, 4, 4, 5, 5, 7, 9: squares around 5 add up to 32
    const values = [2, 4, 4, 4, 5, 5, 7, 9];
    expect(squaresAround(values, 5)).toBe(32);
    expect(standardDeviationOf(values)).toBeCloseTo(Math.sqrt(32 / 7), 15);
    expect(standardDeviationOf(values, 4)).toBeCloseTo(Math.sqrt(40 / 7), 15);
  });

  test('is exactly 0 for equal values, whatever their mean rounds to', () => {
    expect(standardDeviationOf([0.1, 0.1, 0.1], 0.2)).toBe(0);
    expect(allEqual([1, 1, 1])).toBe(true);
    expect(allEqual([1, 1, 2])).toBe(false);
    expect(allEqual([1, 2, 1])).toBe(false);
    expect(allEqual([])).toBe(true);
  });
});
