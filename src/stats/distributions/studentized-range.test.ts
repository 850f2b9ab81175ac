import { describe, expect, test } from 'vitest';
import { expectRelative, statsGolden } from '../../../test/helpers/stats-golden.js';
import { tDistribution } from './distributions.js';
import { studentizedRangeDistribution } from './studentized-range.js';

interface Golden {
  points: { groups: number; df: number | 'Infinity'; q: number; side: 'cdf' | 'upperTail'; value: string }[];
}

const TOLERANCE = 1e-12;

describe('studentizedRangeDistribution', () => {
  const { points } = statsGolden<Golden>('studentized-range.json');

  test(`agrees with ${points.length} references by ball arithmetic, df 1 to 6272, tails to 1e-12`, () => {
    for (const { groups, df, q, side, value } of points) {
      const distribution = studentizedRangeDistribution(groups, Number(df));
      expectRelative(distribution[side](q), Number(value), TOLERANCE, `${distribution.name}.${side}(${q})`);
    }
  });

  test('quantiles are undone by the tails, from 0.9 to 1e-12', () => {
    for (const [groups, df] of [
      [2, 1],
      [3, 10],
      [10, 49],
      [101, 4900],
      [7, Number.POSITIVE_INFINITY],
    ]) {
      const distribution = studentizedRangeDistribution(groups, df);
      for (const p of [0.9, 0.5, 0.05, 1e-4, 1e-8, 1e-12]) {
        expectRelative(distribution.upperTail(distribution.upperQuantile(p)), p, 1e-10, `${distribution.name}, upper ${p}`);
        expectRelative(distribution.cdf(distribution.quantile(p)), p, 1e-10, `${distribution.name}, lower ${p}`);
      }
    }
  });

  test('of two groups is √2·|t|', () => {
    for (const df of [1, 2, 5, 30, 500, 4900]) {
      for (const t of [0.01, 0.7, 2, 6]) {
        const found = studentizedRangeDistribution(2, df).upperTail(Math.SQRT2 * t);
        expectRelative(found, 2 * tDistribution(df).upperTail(t), TOLERANCE, `df ${df}, t ${t}`);
      }
    }
  });

  test('has both tails adding to 1, also for a thousand groups', () => {
    for (const [groups, df, q] of [
      [4, 3, 4],
      [129, 6272, 5.5],
      [1000, 100, 7.4],
      [1000, Number.POSITIVE_INFINITY, 6.5],
    ]) {
      const distribution = studentizedRangeDistribution(groups, df);
      expect(distribution.cdf(q) + distribution.upperTail(q)).toBeCloseTo(1, 11);
    }
    expect(studentizedRangeDistribution(3, 10).upperTail(0)).toBe(1);
    expect(studentizedRangeDistribution(3, 10).cdf(-1)).toBe(0);
  });

  test('refuses fewer than two groups', () => {
    expect(() => studentizedRangeDistribution(1, 10)).toThrow('number of groups: expected a whole number from 2, found 1');
    expect(() => studentizedRangeDistribution(3, -1)).toThrow('degrees of freedom: expected');
  });
});

test('of two groups is that of the difference of two normals, down to the narrowest', () => {
  // P(|Z1 − Z2| ≤ q) = 2Φ(q/√2) − 1, by the power series of the normal integral
  const expected = (q: number): number => {
    const x = q / Math.SQRT2;
    let sum = 0;
    let power = x;
    for (let k = 0; k < 60; k++) {
      sum += power / (2 * k + 1);
      power *= -(x * x) / (2 * (k + 1));
    }
    return sum * Math.sqrt(2 / Math.PI);
  };
  const { cdf } = studentizedRangeDistribution(2, Number.POSITIVE_INFINITY);
  for (const q of [1e-6, 0.001, 0.0138, 0.02, 0.03, 0.038, 0.045, 0.06, 0.08, 0.2, 0.5, 0.99, 1, 1.5, 3]) {
    expectRelative(cdf(q), expected(q), 5e-14, `range of 2 at ${q}`);
  }
});
