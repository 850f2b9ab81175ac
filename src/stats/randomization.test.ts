import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allSignedSums } from '../../test/helpers/brute-force-stats.js';
import { statsGolden } from '../../test/helpers/stats-golden.js';
import { randomizationTest } from './randomization.js';

interface Golden {
  samples: { differences: number[]; 'two-sided': number; greater: number; less: number; total: number }[];
}

const zeros = (values: readonly number[]): Float64Array => new Float64Array(values.length);

describe('randomizationTest', () => {
  test('counts the exchanges that full enumeration counts', () => {
    for (const sample of statsGolden<Golden>('randomization.json').samples) {
      const nonZero = sample.differences.filter((difference) => difference !== 0).length;
      for (const alternative of ['two-sided', 'greater', 'less'] as const) {
        const found = randomizationTest({ first: sample.differences, second: zeros(sample.differences), alternative, seed: 0 });
        expect(found).toMatchObject({ test: 'randomisation', method: 'exact', considered: 2 ** nonZero, standardError: 0 });
        // the recorded count runs over all topics, ours over those that differ
        expect(found.asExtreme * 2 ** (sample.differences.length - nonZero)).toBe(sample[alternative]);
        expect(found.pValue).toBe(sample[alternative] / sample.total);
      }
    }
  });

  test('agrees with the list of all sums for up to 12 whole-numbered differences', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 1, maxLength: 12 }), (differences) => {
        const observed = differences.reduce((sum, difference) => sum + difference, 0);
        const sums = allSignedSums(differences);
        const share = (extreme: (sum: number) => boolean): number => sums.filter(extreme).length / sums.length;
        const run = (alternative: 'two-sided' | 'greater' | 'less'): number =>
          randomizationTest({ first: differences, second: zeros(differences), alternative, seed: 1 }).pValue;
        expect(run('two-sided')).toBe(share((sum) => Math.abs(sum) >= Math.abs(observed)));
        expect(run('greater')).toBe(share((sum) => sum >= observed));
        expect(run('less')).toBe(share((sum) => sum <= observed));
      }),
      { numRuns: 200, seed: 3 },
    );
  });

  test('is exact for 40 differing topics: 40 wins are as extreme as 40 losses only', () => {
    const first = Float64Array.from({ length: 40 }, (_, i) => (i === 0 ? 1 : 2));
    const found = randomizationTest({ first, second: new Float64Array(40), seed: 0 });
    expect(found).toMatchObject({ method: 'exact', asExtreme: 2, considered: 2 ** 40 });
  });

  test('sampled p-values lie within their standard error of the exact one, and the same seed gives the same count', () => {
    const first = Float64Array.from({ length: 30 }, (_, i) => Math.sin(7 * i) + 0.25);
    const second = new Float64Array(30);
    const exact = randomizationTest({ first, second, seed: 0, method: 'exact' });
    const sampled = randomizationTest({ first, second, seed: 11, method: 'sampled', resamples: 200_000 });
    expect(sampled.method).toBe('sampled');
    expect(sampled.considered).toBe(200_001);
    expect(Math.abs(sampled.pValue - exact.pValue)).toBeLessThan(4 * sampled.standardError);
    expect(randomizationTest({ first, second, seed: 11, method: 'sampled', resamples: 200_000 })).toEqual(sampled);
    expect(randomizationTest({ first, second, seed: 12, method: 'sampled', resamples: 200_000 }).asExtreme).not.toBe(sampled.asExtreme);
    for (const alternative of ['greater', 'less'] as const) {
      const sharp = randomizationTest({ first, second, seed: 0, alternative });
      const rough = randomizationTest({ first, second, seed: 5, alternative, method: 'sampled', resamples: 200_000 });
      expect(Math.abs(rough.pValue - sharp.pValue)).toBeLessThan(4 * rough.standardError);
    }
  });

  test('does not depend on the order of the topics, nor on topics without a difference', () => {
    const first = [0.31, 0.42, 0.11, 0.9, 0.3, 0.77];
    const second = [0.21, 0.52, 0.01, 0.5, 0.25, 0.6];
    const { pValue } = randomizationTest({ first, second, seed: 0 });
    expect(randomizationTest({ first: [...first].reverse(), second: [...second].reverse(), seed: 0 }).pValue).toBe(pValue);
    expect(randomizationTest({ first: [...first, 0.4], second: [...second, 0.4], seed: 0 }).pValue).toBe(pValue);
    expect(randomizationTest({ first: [0.4], second: [0.4], seed: 0 }).pValue).toBe(1);
  });

  test('requires a seed and refuses an exact count of too many topics', () => {
    expect(() => randomizationTest({ first: [1], second: [0], seed: 0.5 })).toThrow(
      'seed: expected a whole number from 0 to 9007199254740991, found 0.5',
    );
    const first = Float64Array.from({ length: 45 }, (_, i) => i + 1);
    expect(() => randomizationTest({ first, second: new Float64Array(45), seed: 0, method: 'exact' })).toThrow(
      'an exact randomisation test over 45 differing topics is too large, expected at most 44; use the sampled method',
    );
  });
});
