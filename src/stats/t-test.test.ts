import { describe, expect, test } from 'vitest';
import { expectRelative, statsGolden } from '../../test/helpers/stats-golden.js';
import type { Alternative } from './checks.js';
import { pairedTTest } from './t-test.js';

interface Golden {
  samples: {
    first: number[];
    second: number[];
    t: { alternative: Alternative; statistic: number; pValue: number }[];
    interval95: [number, number];
  }[];
}

describe('pairedTTest', () => {
  test('has the statistic, p-value and interval of scipy.stats.ttest_rel', () => {
    for (const { first, second, t, interval95 } of statsGolden<Golden>('paired-tests.json').samples) {
      for (const { alternative, statistic, pValue } of t) {
        const found = pairedTTest({ first, second, alternative });
        expectRelative(found.statistic, statistic, 1e-11, `t of ${first.length} topics`);
        expectRelative(found.pValue, pValue, 1e-11, `p of ${first.length} topics, ${alternative}`);
        expect(found.interval.low).toBeCloseTo(interval95[0], 12);
        expect(found.interval.high).toBeCloseTo(interval95[1], 12);
      }
    }
  });

  test('of a worked example: differences 1, 2, 3 have t = 2√3', () => {
    const found = pairedTTest({ first: [2, 4, 6], second: [1, 2, 3] });
    expectRelative(found.statistic, 2 * Math.sqrt(3), 1e-14, 't');
    expect(found).toMatchObject({ test: 'paired t', method: 'Student t distribution', topics: 3, degreesOfFreedom: 2, meanDifference: 2 });
    // with two degrees of freedom the distribution has a closed form: p = 1 − t/√(2 + t²)
    expectRelative(found.pValue, 1 - Math.sqrt(12 / 14), 1e-13, 'p');
  });

  test('of equal differences is certain, one way or the other', () => {
    expect(pairedTTest({ first: [1, 2, 3], second: [1, 2, 3] })).toMatchObject({ statistic: 0, pValue: 1, interval: { low: 0, high: 0 } });
    const better = { first: [2, 3, 4], second: [1, 2, 3] };
    expect(pairedTTest(better)).toMatchObject({ statistic: Number.POSITIVE_INFINITY, pValue: 0, interval: { low: 1, high: 1 } });
    expect(pairedTTest({ ...better, alternative: 'less' }).pValue).toBe(1);
    expect(pairedTTest({ ...better, alternative: 'greater' }).pValue).toBe(0);
  });

  test('refuses what cannot be tested, in words', () => {
    expect(() => pairedTTest({ first: [1, 2], second: [1] })).toThrow(
      'the first system has 2 values and the second 1, expected one each per topic; align both by topic id before comparing',
    );
    expect(() => pairedTTest({ first: [1], second: [1] })).toThrow('found 1 topic, expected at least 2');
    expect(() => pairedTTest({ first: [1, Number.NaN], second: [1, 2] })).toThrow(
      'the first system has NaN at position 2, expected a finite number; leave the topic out of every system or give it a value',
    );
    expect(() => pairedTTest({ first: [1, 2], second: [Number.POSITIVE_INFINITY, 2] })).toThrow(
      'the second system has Infinity at position 1',
    );
    expect(() => pairedTTest({ first: [1, 2], second: [0, 2], level: 95 })).toThrow(
      'level: expected a number between 0 and 1, both excluded, found 95',
    );
    expect(() => pairedTTest({ first: [1, 2], second: [0, 2], alternative: 'both' as 'less' })).toThrow(
      'alternative: expected one of two-sided, greater, less, found both',
    );
  });

  test('takes differences that are equal but for rounding for equal', () => {
    // 0.3 − 0.2 is 0.09999999999999998 and 0.4 − 0.3 is 0.10000000000000003; without care t would be some 1e15, or p anything
    const second = [0.2, 0.3, 0.7, 0.55, 0.1];
    const first = second.map((value) => value + 0.1);
    const { statistic, pValue, interval, standardError } = pairedTTest({ first, second });
    expect(statistic).toBe(Number.POSITIVE_INFINITY);
    expect(pValue).toBe(0);
    expect(standardError).toBe(0);
    expect(interval.low).toBeCloseTo(0.1, 12);
    // a spread that scores with fifteen digits could show is one
    const spread = pairedTTest({ first: first.map((value, i) => value + (i === 0 ? 1e-14 : 0)), second });
    expect(spread.statistic).toBeLessThan(Number.POSITIVE_INFINITY);
  });
});
