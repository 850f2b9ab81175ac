import { expect, test } from 'vitest';
import { printedValue } from './printed-value.js';

test.each([
  [1 / 3, '0.3334'],
  [2.5 / 3, '0.8334'],
  [0.5, '0.5'],
  // 0.30000000000000004 is 0.3 in decimal numbers
  [0.1 + 0.2, '0.3'],
  [0, '0'],
])('printedValue rounds %s up to four decimals, but not what has no more', (value, printed) => {
  expect(printedValue(value, { decimals: 4, halves: 'all-up' })).toBe(printed);
});
