import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../core/numbers/random.js';
import { resampleStrengths } from './preference-resampling.js';
import type { Preference } from './preferences.js';

const vote = (first: string, second: string, outcome: Preference['outcome'], topic?: string): Preference => ({
  first,
  second,
  outcome,
  topic,
});

describe('strengths over samples', () => {
  test('of two systems are logarithms of odds, whose percentiles are known', () => {
    // 30 wins of a to 10: the strength of a is half the logarithm of its odds, and wins of samples are binomial (40, 0.75)
    const votes = Array.from({ length: 40 }, (_, i) => vote('a', 'b', i < 30 ? 'first' : 'second'));
    const { unit, units, intervals, probabilityBest, undefinedSamples } = resampleStrengths(votes, ['a', 'b'], { resamples: 4000 });
    expect([unit, units, undefinedSamples]).toEqual(['comparisons', 40, 0]);
    // binomial percentiles by summing: P(wins ≤ 24) = 0.0544 … 2.5% at 24, 97.5% at 35
    const half = (wins: number): number => Math.log(wins / (40 - wins)) / 2;
    expect(intervals?.[0].low).toBeGreaterThanOrEqual(half(23) - 1e-9);
    expect(intervals?.[0].low).toBeLessThanOrEqual(half(25) + 1e-9);
    expect(intervals?.[0].high).toBeGreaterThanOrEqual(half(34) - 1e-9);
    expect(intervals?.[0].high).toBeLessThanOrEqual(half(36) + 1e-9);
    expect(probabilityBest[0]).toBeGreaterThan(0.99);
    expect(probabilityBest[0] + probabilityBest[1]).toBeCloseTo(1, 12);
  });

  test('draw topics where all comparisons have one: four alike make intervals twice as wide', () => {
    const alike = (votesPerTopic: number) =>
      Array.from({ length: 20 }, (_, t) =>
        Array.from({ length: votesPerTopic }, () => vote('a', 'b', t % 4 === 0 ? 'second' : 'first', `t${t}`)),
      ).flat();
    const wide = resampleStrengths(alike(4), ['a', 'b'], { resamples: 2000 });
    expect([wide.unit, wide.units]).toEqual(['topics', 20]);
    const single = resampleStrengths(alike(1), ['a', 'b'], { resamples: 2000 });
    const independent = resampleStrengths(
      alike(4).map((one) => ({ ...one, topic: undefined })),
      ['a', 'b'],
      { resamples: 2000 },
    );
    const widthOf = ({ intervals }: typeof wide): number => (intervals?.[0].high ?? 0) - (intervals?.[0].low ?? 0);
    expect(widthOf(wide)).toBeCloseTo(widthOf(single), 12);
    expect(widthOf(wide) / widthOf(independent)).toBeGreaterThan(1.6);
  });

  test('leave out samples without strengths, and have no intervals where most are', () => {
    const close = [vote('a', 'b', 'first'), vote('a', 'b', 'second')];
    // one of two samples of two draws the same comparison twice
    const { undefinedSamples, resamples } = resampleStrengths(close, ['a', 'b'], { resamples: 1000 });
    expect(Math.abs(undefinedSamples / resamples - 0.5)).toBeLessThan(0.08);
    const unbeaten = resampleStrengths([vote('a', 'b', 'first')], ['a', 'b'], { resamples: 50 });
    expect([unbeaten.undefinedSamples, unbeaten.intervals]).toEqual([50, undefined]);
    expect(resampleStrengths([vote('a', 'b', 'first')], ['a', 'b'], { resamples: 50, prior: 0.1 }).undefinedSamples).toBe(0);
  });

  test('cover the true strength about as often as they say', () => {
    // b beats a with odds of 2: the strength of b is half of log 2
    let covered = 0;
    for (let repetition = 0; repetition < 300; repetition++) {
      const random = seededRandom(repetition, 5);
      const votes = Array.from({ length: 120 }, () => vote('a', 'b', random.float() < 1 / 3 ? 'first' : 'second'));
      const { intervals } = resampleStrengths(votes, ['a', 'b'], { resamples: 200, seed: repetition });
      const { low, high } = intervals?.[1] ?? { low: 1, high: -1 };
      if (low <= Math.log(2) / 2 && Math.log(2) / 2 <= high) covered++;
    }
    expect(covered / 300).toBeGreaterThan(0.91);
    expect(covered / 300).toBeLessThanOrEqual(0.985);
  });
});
