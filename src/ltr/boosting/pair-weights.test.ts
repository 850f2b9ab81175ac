import { expect, test } from 'vitest';
import { PairWeights } from './pair-weights.js';

test('PairWeights of a query with more than 65,536 different labels count every pair once', () => {
  // all scores are 0, so that every pair weighs the same, and the loss per pair is exp(0)
  const count = 70_000;
  const labels = Float64Array.from({ length: count }, (_, row) => row);
  const { loss, values } = new PairWeights(labels, Uint32Array.of(0, count)).compute();
  expect(loss).toBeCloseTo(1, 9);
  // the row with label r is above r rows and below count - 1 - r, out of count (count - 1) / 2 pairs
  const numPairs = (count * (count - 1)) / 2;
  for (const row of [0, 4463, 65_535, 65_536, 69_999]) expect(values[row]).toBeCloseTo((2 * row - count + 1) / numPairs, 9);
});
