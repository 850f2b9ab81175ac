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
      expect(() => requireWhole('x', wrong, 2, 5)).toThrow(`invalid x: ${wrong}, expected a whole number from 2 to 5`);
    }
    expect(() => requireWhole('x', 1e15, 2)).not.toThrow();
    expect(() => requireWhole('x', 1, 2)).toThrow('invalid x: 1, expected a whole number of at least 2');
    expect(() => requireSeed(0)).not.toThrow();
    expect(() => requireSeed(-1)).toThrow('invalid seed: -1');
    expect(() => requireResamples(1)).not.toThrow();
    expect(() => requireResamples(0)).toThrow('invalid number of resamples: 0');
    expect(() => requireResamples(1, 2)).toThrow('invalid number of resamples: 1');
    expect(() => requireResamples(Number.MAX_SAFE_INTEGER)).toThrow('invalid number of resamples');
  });

  test('fractions without their ends, and positive numbers', () => {
    for (const wrong of [0, 1, -0.5, nan]) expect(() => requireFraction('alpha', wrong)).toThrow(`invalid alpha: ${wrong}`);
    expect(() => requireFraction('alpha', 0.5)).not.toThrow();
    for (const wrong of [0, -1, nan, infinity]) expect(() => requirePositive('df', wrong)).toThrow(`invalid df: ${wrong}`);
    expect(() => requirePositive('df', 1e-300)).not.toThrow();
  });

  test('one of the alternatives', () => {
    for (const known of ['two-sided', 'greater', 'less']) expect(() => requireAlternative(known)).not.toThrow();
    expect(() => requireAlternative('other')).toThrow('unknown alternative: other; choose one of');
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
