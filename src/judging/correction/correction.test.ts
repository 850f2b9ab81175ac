import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../core/numbers/random.js';
import { labelsNeeded } from './labels-needed.js';
import { type CorrectionQuantile, predictionPoweredMean, tunedLambda } from './prediction-powered.js';
import { correctedShareInterval, plainShareInterval } from './share-interval.js';

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
    expect(predictionPoweredMean(sample).notes).toEqual(['with 4 items that people looked at, the interval is rough']);
  });

  test('count a degree of freedom for a tuned lambda, and none for a given one', () => {
    // lambda 5/18: rectified 13/18 -5/18·0 … = 13/18, 0, 13/18, -5/18 around 7/24; elsewhere 3/10 over 5
    const lambda = 5 / 18;
    const rectified = [1 - lambda, 0, 1 - lambda, -lambda];
    const mean = rectified.reduce((sum, value) => sum + value, 0) / 4;
    const squares = rectified.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    const elsewhere = (lambda * lambda * 0.3) / 5;
    const tuned = predictionPoweredMean({ ...sample, quantile: 'fitted' });
    expect(tuned.standardError).toBeCloseTo(Math.sqrt(elsewhere + squares / 2 / 4), 12);
    // Student's t with 2 degrees: 4.302652729696142
    expect(tuned.interval.high - tuned.estimate).toBeCloseTo(4.302652729696142 * tuned.standardError, 8);
    expect(predictionPoweredMean({ ...sample, lambda: 0.5, quantile: 'fitted' }).interval).toEqual(
      predictionPoweredMean({ ...sample, lambda: 0.5, quantile: 'student' }).interval,
    );
    const two = { human: [1, 0], judged: [1, 0.5], judgedElsewhere: [0.5, 0.25, 1] };
    expect(predictionPoweredMean(two).interval).toEqual(predictionPoweredMean({ ...two, quantile: 'student' }).interval);
  });
});

describe('coverage of prediction-powered intervals', () => {
  const random = { of: seededRandom(1) };
  /** A value by people and by the judge, from distributions whose true mean is known. */
  const worlds = {
    /** Scores by Beta(2, 3), which a judge sees with bias and noise. */
    scores: {
      mean: 0.4,
      draw: () => {
        const human = [0, 0, 0, 0].map(() => random.of.float()).sort((a, b) => a - b)[1];
        return [human, Math.min(1, Math.max(0, 0.7 * human + 0.2 + 0.1 * random.of.normal()))];
      },
    },
    /** Differences of two systems: normal, with a judge of correlation 0.8. */
    differences: {
      mean: 0,
      draw: () => {
        const human = random.of.normal();
        return [human, 0.8 * human + 0.6 * random.of.normal()];
      },
    },
    /** A judge that knows nothing. */
    useless: { mean: 0, draw: () => [random.of.normal(), random.of.normal()] },
  } as const;

  function coverage(world: keyof typeof worlds, n: number, others: number, quantile?: CorrectionQuantile): number {
    const { mean, draw } = worlds[world];
    random.of = seededRandom(n, others);
    let covered = 0;
    for (let repetition = 0; repetition < 5000; repetition++) {
      const both = Array.from({ length: n }, draw);
      const judgedElsewhere = Float64Array.from({ length: others }, () => draw()[1]);
      const { interval } = predictionPoweredMean({
        human: both.map(([human]) => human),
        judged: both.map(([, judged]) => judged),
        judgedElsewhere,
        quantile,
      });
      if (interval.low <= mean && mean <= interval.high) covered++;
    }
    return covered / 5000;
  }

  test.each([
    ['scores', 10, 100],
    ['scores', 20, 200],
    ['scores', 50, 200],
    ['differences', 10, 100],
    ['differences', 50, 200],
    ['useless', 10, 100],
  ] as const)('is 95 ± 1 % by default: %s, %d and %d items', (world, n, others) => {
    expect(Math.abs(coverage(world, n, others) - 0.95)).toBeLessThan(0.01);
  });

  test.each([
    // share of ones, how often the judge errs on ones and on zeros, items: none of them was used to choose how the interval is made
    [0.3, 0.15, 0.15, 20, 200],
    [0.25, 0.2, 0.12, 20, 150],
    [0.4, 0.12, 0.25, 20, 200],
    [0.08, 0.2, 0.2, 20, 300],
    [0.15, 0.25, 0.1, 25, 200],
    [0.75, 0.2, 0.2, 15, 150],
    [0.35, 0.2, 0.2, 50, 200],
  ])('is 95 % for shares of ones: %d, errors %d and %d, %d and %d items', (share, missed, falsely, n, others) => {
    const own = seededRandom(n, others);
    const draw = () => {
      const human = own.float() < share ? 1 : 0;
      const errs = own.float() < (human === 1 ? missed : falsely);
      return [human, errs ? 1 - human : human];
    };
    const repetitions = 1500;
    let covered = 0;
    for (let repetition = 0; repetition < repetitions; repetition++) {
      const both = Array.from({ length: n }, draw);
      const seen = {
        human: both.map(([human]) => human),
        judged: both.map(([, judged]) => judged),
        judgedElsewhere: Float64Array.from({ length: others }, () => draw()[1]),
      };
      const { low, high } = correctedShareInterval(seen, 0.95, { draws: 500, seed: repetition + 1 });
      if (low <= share && share <= high) covered++;
    }
    // 1,500 repetitions have a standard error of 0.6 %
    expect(Math.abs(covered / repetitions - 0.95)).toBeLessThan(0.02);
  });

  test('without the degree of freedom for lambda is what 20,000 repetitions of others gave: 0.941 and 0.936', () => {
    expect(Math.abs(coverage('scores', 20, 200, 'student') - 0.941)).toBeLessThan(0.01);
    expect(Math.abs(coverage('scores', 10, 100, 'student') - 0.936)).toBeLessThan(0.01);
  });

  test('is better by default than in the published form where people looked at ten items: 0.883', () => {
    const published = coverage('scores', 10, 100, 'normal');
    expect(Math.abs(published - 0.883)).toBeLessThan(0.01);
    expect(coverage('scores', 10, 100)).toBeGreaterThan(published + 0.04);
  });
});

describe('intervals of scores of 0 and 1', () => {
  test('by people alone are quantiles of a beta distribution, and reach the end where only one value was seen', () => {
    // 6 of 20: Beta(6.5, 14.5), quantiles by scipy 1.12: beta.ppf([.025, .975], 6.5, 14.5)
    const six = plainShareInterval([...Array(6).fill(1), ...Array(14).fill(0)], 0.95);
    expect([six.low, six.high]).toEqual([expect.closeTo(0.13611622658719, 9), expect.closeTo(0.517228248566972, 9)]);
    // none of 20: from 0 to beta.ppf(.975, 0.5, 20.5)
    const none = plainShareInterval(Array(20).fill(0), 0.95);
    expect([none.low, none.high]).toEqual([0, expect.closeTo(0.116638982904875, 9)]);
    expect(plainShareInterval(Array(20).fill(1), 0.95)).toMatchObject({ low: expect.closeTo(1 - 0.116638982904875, 9), high: 1 });
  });

  test('beside a judge add up the two kinds of items, as an independent calculation of their distribution has it', () => {
    // 20 items: the judge says 1 of 8, people agree on 6 of them and call 1 of the other 12 a 1; elsewhere 70 of 200 are ones.
    // numpy: quantiles of 2,000,000 draws of Beta(6.5, 2.5) q + Beta(1.5, 11.5) (1 - q), q from Beta(78.5, 142.5)
    const human = [...Array(6).fill(1), 0, 0, 1, ...Array(11).fill(0)];
    const judged = [...Array(8).fill(1), ...Array(12).fill(0)];
    const judgedElsewhere = [...Array(70).fill(1), ...Array(130).fill(0)];
    const { low, high } = correctedShareInterval({ human, judged, judgedElsewhere }, 0.95);
    expect(Math.abs(low - 0.1878)).toBeLessThan(0.005);
    expect(Math.abs(high - 0.49473)).toBeLessThan(0.005);
  });

  test('are what a mean has by default where all values are 0 or 1, and no others', () => {
    const human = [1, 0, 0, 1, 0, 0];
    const judged = [1, 0, 0, 1, 1, 0];
    const judgedElsewhere = [1, 0, 0, 1];
    const sample = { human, judged, judgedElsewhere };
    expect(predictionPoweredMean(sample)).toMatchObject({
      quantile: 'shares',
      interval: correctedShareInterval(sample, 0.95),
      hasFewValues: false,
    });
    expect(predictionPoweredMean({ ...sample, lambda: 0 }).interval).toEqual(plainShareInterval(human, 0.95));
    expect(predictionPoweredMean({ ...sample, quantile: 'fitted' }).quantile).toBe('fitted');
    expect(predictionPoweredMean({ ...sample, judgedElsewhere: [0.5, 1] }).quantile).toBe('fitted');
  });

  test('around a mean of nearly equal values may be too short, which is said', () => {
    const human = [0.5, ...Array(19).fill(0)];
    const judged = human.map((value, i) => value + i / 100);
    const { notes, hasFewValues } = predictionPoweredMean({ human, judged, judgedElsewhere: judged });
    expect(hasFewValues).toBe(true);
    expect(notes).toContain('only 1 of the 20 values by people differ from the most frequent one, so the interval may be too short');
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
