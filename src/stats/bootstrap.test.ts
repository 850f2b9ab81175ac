import { describe, expect, test } from 'vitest';
import { statsGolden } from '../../test/helpers/stats-golden.js';
import { bcaLimits, bootstrapAllPairs, bootstrapInterval, bootstrapTest, percentileLimits, quantileSorted } from './bootstrap.js';
import { drawTopics } from './resampler.js';
import { pairNumber } from './resampling.js';

interface Golden {
  samples: Record<string, number[]>[];
}

const first = [0.31, 0.42, 0.11, 0.9, 0.3, 0.77, 0.52, 0.61, 0.05, 0.48];
const second = [0.21, 0.52, 0.01, 0.5, 0.25, 0.6, 0.55, 0.42, 0.07, 0.3];

describe('bootstrapInterval', () => {
  test('percentile and BCa limits equal scipy.stats.bootstrap on the same resampled means', () => {
    for (const sample of statsGolden<Golden>('bootstrap.json').samples) {
      const means = Float64Array.from(sample.resampledMeans).sort();
      for (const level of [0.9, 0.95]) {
        const percentile = percentileLimits(means, level);
        expect(percentile.low).toBeCloseTo(sample[`percentile ${level}`][0], 12);
        expect(percentile.high).toBeCloseTo(sample[`percentile ${level}`][1], 12);
        const bca = bcaLimits(means, sample.values, level);
        expect(bca.low).toBeCloseTo(sample[`bca ${level}`][0], 12);
        expect(bca.high).toBeCloseTo(sample[`bca ${level}`][1], 12);
      }
    }
  });

  test('is the same twice, differs by seed, holds the mean and names its method', () => {
    const options = { first, second, seed: 42, resamples: 2000 };
    const found = bootstrapInterval(options);
    expect(bootstrapInterval(options)).toEqual(found);
    expect(bootstrapInterval({ ...options, seed: 43 }).interval).not.toEqual(found.interval);
    expect(found.interval.low).toBeLessThan(found.mean);
    expect(found.interval.high).toBeGreaterThan(found.mean);
    expect(found).toMatchObject({ method: 'bootstrap, BCa', topics: 10, resamples: 2000, seed: 42 });
    expect(bootstrapInterval({ ...options, method: 'percentile' }).method).toBe('bootstrap, percentile');
  });

  test('without a second system is of one mean; its standard error is near s/√n', () => {
    const one = bootstrapInterval({ first, seed: 1, resamples: 20_000 });
    // population standard deviation of the ten values over √10, as the bootstrap sees it
    const mean = first.reduce((sum, value) => sum + value, 0) / 10;
    const spread = Math.sqrt(first.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 10);
    expect(one.mean).toBeCloseTo(mean, 15);
    expect(Math.abs(one.standardError / (spread / Math.sqrt(10)) - 1)).toBeLessThan(0.02);
  });

  test('of percentiles has those of the means of the samples', () => {
    const means = Array.from({ length: 101 }, (_, resample) => {
      const sample = new Uint32Array(first.length);
      drawTopics(2, resample, sample);
      return [...sample].reduce((sum, topic) => sum + first[topic], 0) / first.length;
    }).sort((a, b) => a - b);
    const { interval } = bootstrapInterval({ first, seed: 2, method: 'percentile', level: 0.9, resamples: 101 });
    // a twentieth of the way from the first of 101 to the last is the sixth
    expect(interval.low).toBeCloseTo(means[5], 14);
    expect(interval.high).toBeCloseTo(means[95], 14);
  });

  test('of equal values has no width', () => {
    for (const method of ['bca', 'percentile'] as const) {
      expect(bootstrapInterval({ first: [0.5, 0.5, 0.5], seed: 0, method }).interval).toEqual({ low: 0.5, high: 0.5, level: 0.95 });
    }
  });
});

test('quantileSorted(sorted, p) interpolates as R type 7', () => {
  expect(quantileSorted([1, 2, 3, 4], 0)).toBe(1);
  expect(quantileSorted([1, 2, 3, 4], 1)).toBe(4);
  expect(quantileSorted([1, 2, 3, 4], 0.5)).toBe(2.5);
  expect(quantileSorted([1, 2, 3, 4], 0.1)).toBeCloseTo(1.3, 15);
});

describe('bootstrapTest', () => {
  test('for a pair equals the all-pairs test of the same seed', () => {
    const third = first.map((value, i) => value * 0.9 + 0.01 * i);
    const all = bootstrapAllPairs({ systems: [first, second, third], seed: 9, resamples: 500 });
    const found = bootstrapTest({ first: second, second: third, seed: 9, resamples: 500 });
    expect(found.pValue).toBe(all.pValues[pairNumber(1, 2, 3)]);
    expect(found.statistic).toBe(all.statistics[pairNumber(1, 2, 3)]);
    expect(found).toMatchObject({ test: 'bootstrap', method: 'shift method, studentised', topics: 10, resamples: 500, seed: 9 });
  });

  test('one-sided levels add up to the two-sided one, and to 1 with the middle', () => {
    const options = { first, second, seed: 4, resamples: 4000 };
    const greater = bootstrapTest({ ...options, alternative: 'greater' }).pValue;
    const less = bootstrapTest({ ...options, alternative: 'less' }).pValue;
    expect(greater).toBeLessThan(0.1);
    expect(greater + less).toBeCloseTo(1, 2);
    // samples at least t or at most −t, counted from the other side
    const mirrored = bootstrapTest({ ...options, first: second, second: first, alternative: 'less' }).pValue;
    expect(mirrored).toBe(greater);
  });

  test.each(['greater', 'less', 'two-sided'] as const)('%s: counts the samples by the textbook', (alternative) => {
    const resamples = 300;
    const differences = first.map((value, i) => value - second[i]);
    const n = differences.length;
    const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / n;
    /** Mean over its standard error. */
    const studentised = (values: readonly number[]): number => {
      const mean = meanOf(values);
      return mean / Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1) / n);
    };
    const observed = studentised(differences);
    const shift = meanOf(differences);
    let count = 0;
    for (let resample = 0; resample < resamples; resample++) {
      const sample = new Uint32Array(n);
      drawTopics(6, resample, sample);
      const t = studentised([...sample].map((topic) => differences[topic] - shift));
      if (alternative === 'two-sided' ? Math.abs(t) >= Math.abs(observed) : alternative === 'less' ? t <= observed : t >= observed) count++;
    }
    expect(bootstrapTest({ first, second, seed: 6, resamples, alternative }).pValue).toBe(count / resamples);
  });

  test('of equal differences is 1 when they are 0 and 0 otherwise', () => {
    const same = { first: [0.1, 0.2, 0.3], second: [0.1, 0.2, 0.3], seed: 0 };
    expect(bootstrapTest(same).pValue).toBe(1);
    expect(bootstrapTest({ ...same, first: [1.25, 2.5, 3.75], second: [0.25, 1.5, 2.75] }).pValue).toBe(0);
    expect(bootstrapTest({ ...same, first: [1.25, 2.5, 3.75], second: [0.25, 1.5, 2.75], alternative: 'less' }).pValue).toBe(1);
  });
});
