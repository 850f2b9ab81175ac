import { describe, expect, test } from 'vitest';
import {
  requireAlternative,
  requireFinite,
  requireFraction,
  requirePaired,
  requirePositive,
  requireResamples,
  requireSeed,
  requireSystems,
  requireWhole,
} from './checks.js';

const nan = Number.NaN;
const infinity = Number.POSITIVE_INFINITY;

describe('what statistics are given', () => {
  test('whole numbers, from one number to another or without an end', () => {
    for (const fits of [2, 3, 5]) expect(() => requireWhole('x', fits, 2, 5)).not.toThrow();
    for (const wrong of [1, 6, 2.5, nan, infinity]) {
      expect(() => requireWhole('x', wrong, 2, 5)).toThrow(`x: expected a whole number from 2 to 5, found ${wrong}`);
    }
    expect(() => requireWhole('x', 1e15, 2)).not.toThrow();
    expect(() => requireWhole('x', 1, 2)).toThrow('x: expected a whole number from 2, found 1');
    expect(() => requireSeed(0)).not.toThrow();
    expect(() => requireSeed(-1)).toThrow('seed: expected a whole number from 0 to 9007199254740991, found -1');
    expect(() => requireResamples(1)).not.toThrow();
    expect(() => requireResamples(0)).toThrow('number of resamples: expected a whole number from 1 to 100000000, found 0');
    expect(() => requireResamples(1, 2)).toThrow('number of resamples: expected a whole number from 2 to 100000000, found 1');
    expect(() => requireResamples(Number.MAX_SAFE_INTEGER)).toThrow('number of resamples: expected');
  });

  test('fractions without their ends, and positive numbers', () => {
    for (const wrong of [0, 1, -0.5, nan])
      expect(() => requireFraction('alpha', wrong)).toThrow(`alpha: expected a number between 0 and 1, both excluded, found ${wrong}`);
    expect(() => requireFraction('alpha', 0.5)).not.toThrow();
    for (const wrong of [0, -1, nan, infinity])
      expect(() => requirePositive('df', wrong)).toThrow(`df: expected a number above 0, found ${wrong}`);
    expect(() => requirePositive('df', 1e-300)).not.toThrow();
  });

  test('one of the alternatives', () => {
    for (const known of ['two-sided', 'greater', 'less']) expect(() => requireAlternative(known)).not.toThrow();
    expect(() => requireAlternative('other')).toThrow('alternative: expected one of two-sided, greater, less, found other');
  });

  test('values that are finite, and as many on both sides', () => {
    expect(() => requireFinite('the scores', [1, 2])).not.toThrow();
    for (const wrong of [nan, infinity, -infinity]) expect(() => requireFinite('the scores', [1, wrong])).toThrow('the scores');
    expect(() => requirePaired([1, 2], [3, 4], 2)).not.toThrow();
    expect(() => requirePaired([1], [3], 2)).toThrow('2');
    expect(() => requirePaired([1, 2], [3], 1)).toThrow();
    expect(() => requirePaired([1, nan], [3, 4], 1)).toThrow();
    expect(() => requirePaired([1, 2], [3, nan], 1)).toThrow();
  });

  test('as many systems and topics as it takes, all of the same length', () => {
    expect(() =>
      requireSystems(
        [
          [1, 2],
          [3, 4],
        ],
        2,
        2,
      ),
    ).not.toThrow();
    expect(() => requireSystems([[1, 2]], 2, 2)).toThrow('2');
    expect(() => requireSystems([[1], [2]], 2, 2)).toThrow('2');
    expect(() => requireSystems([[1, 2], [3]], 2, 1)).toThrow();
    expect(() =>
      requireSystems(
        [
          [1, 2],
          [3, nan],
        ],
        2,
        2,
      ),
    ).toThrow();
  });
});
