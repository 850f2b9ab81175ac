import { expect, test } from 'vitest';
import { randomizationTest } from './randomization.js';

test.each([1e-9, 0.1, 123456.7, 9.87654321e11])('sums that are equal but for rounding count as equal, in units of %d', (unit) => {
  // of ±1 ±2 ±3 ±7 ten of the sixteen sums are at least 7 or at most −7, and 1 + 2 − 3 + 7 is 7
  const first = [1 * unit, 2 * unit, 0, 7 * unit];
  const second = [0, 0, 3 * unit, 0];
  expect(randomizationTest({ first, second, seed: 1 }).pValue).toBe(10 / 16);
});
