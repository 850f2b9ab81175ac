import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../core/numbers/random.js';
import { labelsNeeded } from './labels-needed.js';
import { predictionPoweredMean, tunedLambda } from './prediction-powered.js';

describe('prediction-powered means', () => {
  // people 1 0 1 0, the judge 1 0 1 1 beside them and 1 1 0 0 1 elsewhere
  const sample = { human: [1, 0, 1, 0], judged: [1, 0, 1, 1], judgedElsewhere: [1, 1, 0, 0, 1] };

  test('follow the judge as far as lambda says', () => {
    // lambda 1: mean elsewhere 3/5 plus mean of 0 0 0 -1 = -1/4; variances 6/25 over 5 and 3/16 over 4
    const full = predictionPoweredMean({ ...sample, lambda: 1, quantile: 'normal' });
    expect(full.estimate).toBeCloseTo(0.35, 14);
    expect(full.standardError).toBeCloseTo(Math.sqrt(6 / 25 / 5 + 3 / 16 / 4), 14);
    expect(full.interval.high - full.estimate).toBeCloseTo(1.959963984540054 * full.standardError, 12);
    // covariance 1/8 with divisor 4; variance of the nine judge values (six ones) 6·3/(9·8) = 1/4: 1/8 / ((1 + 4/5)/4) = 5/18
    expect(tunedLambda(sample.human, sample.judged, sample.judgedElsewhere)).toBeCloseTo(5 / 18, 14);
  });

  test('without the judge are the plain mean with Student interval', () => {
    const { estimate, standardError, lambda } = predictionPoweredMean({ ...sample, lambda: 0 });
    expect([estimate, lambda]).toEqual([0.5, 0]);
    expect(standardError).toBeCloseTo(Math.sqrt(1 / 3 / 4), 14);
    const useless = predictionPoweredMean({ ...sample, judged: [1, 1, 1, 1], judgedElsewhere: [1, 1] });
    expect(useless).toMatchObject({ estimate: 0.5, standardError, lambda: 0 });
  });

  test('say what they cannot do', () => {
    expect(() => predictionPoweredMean({ human: [1], judged: [1], judgedElsewhere: [1, 0] })).toThrow('at least 2 items, found 1');
    expect(predictionPoweredMean({ ...sample, judgedElsewhere: [] }).notes[0]).toContain('no further items');
    expect(predictionPoweredMean(sample).notes).toEqual(['with 4 items that people looked at, the interval covers less than it says']);
  });

  /** Share of intervals that hold the true mean 0.4 of scores by Beta(2, 3), which a judge sees with bias and noise. */
  function coverage(n: number, others: number, quantile: 'student' | 'normal', repetitions: number, seed: number): number {
    const random = seededRandom(seed);
    const draw = (size: number) => {
      const human = Float64Array.from({ length: size }, () => [0, 0, 0, 0].map(() => random.float()).sort((a, b) => a - b)[1]);
      const judged = human.map((y) => Math.min(1, Math.max(0, 0.7 * y + 0.2 + 0.1 * random.normal())));
      return { human, judged };
    };
    let covered = 0;
    for (let repetition = 0; repetition < repetitions; repetition++) {
      const { interval } = predictionPoweredMean({ ...draw(n), judgedElsewhere: draw(others).judged, quantile });
      if (interval.low <= 0.4 && 0.4 <= interval.high) covered++;
    }
    return covered / repetitions;
  }

  test('cover as often as they say: 20,000 repetitions of others gave 0.941 and 0.936', () => {
    expect(Math.abs(coverage(20, 200, 'student', 5000, 1) - 0.941)).toBeLessThan(0.01);
    expect(Math.abs(coverage(10, 100, 'student', 5000, 2) - 0.936)).toBeLessThan(0.01);
  });

  test('cover better by default than in the published form where people looked at ten items', () => {
    expect(coverage(10, 100, 'student', 2000, 3)).toBeGreaterThan(coverage(10, 100, 'normal', 2000, 3) + 0.02);
  });
});

describe('labels needed', () => {
  test.each([
    [0, 2000, 99],
    [0.8, 2000, 39],
    [0.5, 200, 82],
    [0.8, 200, 50],
    [0.95, 200, 20],
  ])('with correlation %d and %d further items are %d', (correlation, judgeItems, expected) => {
    const found = labelsNeeded({ standardDeviation: 0.25, correlation, judgeItems }, 0.05);
    expect(found.humanItems).toBe(expected);
    expect(found.withoutJudge).toBe(99);
  });

  test('refuse what has no meaning', () => {
    expect(() => labelsNeeded({ standardDeviation: 0.25, correlation: 2, judgeItems: 10 }, 0.05)).toThrow('a correlation of 2');
    expect(() => labelsNeeded({ standardDeviation: 1, correlation: 0, judgeItems: 0 }, 1e-6)).toThrow('needs more than');
  });
});
