import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../core/numbers/random.js';
import { scoreMatrix } from '../leaderboard/ranks.js';
import { bayesianSignedRankTest, bayesianSignTest, bayesianTTest, sidesOf } from './bayesian.js';
import { decisionStudy, someSystems, strongerSystems, varianceComponents } from './generalisability.js';
import { differenceVariance, pooledVariance, scoreVariance, topicsForAnova, topicsForInterval, topicsForTTest } from './topic-set-size.js';

describe('topic set sizes', () => {
  test('are the smallest that scipy gives', () => {
    expect(topicsForTTest(0.05, 0.8, 0.5)).toEqual({ topics: 34, reached: expect.closeTo(0.80778, 5) });
    expect(topicsForTTest(0.05, 0.8, 1).topics).toBe(10);
    expect(topicsForTTest(0.05, 0.9, 0.2).topics).toBe(265);
    expect(topicsForAnova(0.05, 0.8, 10, 0.5).topics).toBe(127);
    expect(topicsForAnova(0.05, 0.8, 3, 0.5).topics).toBe(79);
    expect(topicsForAnova(0.05, 0.8, 2, 0.25)).toEqual({ topics: 253, reached: expect.closeTo(0.8013583525736203, 9) });
    expect(topicsForInterval(0.05, 0.1, 0.05).topics).toBe(79);
    expect(topicsForInterval(0.05, 0.2, 0.0477)).toEqual({ topics: 21, reached: expect.closeTo(0.19636306663968697, 9) });
  });

  test('variances are pooled by degrees of freedom', () => {
    // around 2: 1 + 0 + 1, around 5: 4 + 4; together 10 / 3
    expect(
      scoreVariance([
        [1, 2, 3],
        [3, 7],
      ]),
    ).toEqual({ variance: 10 / 3, degreesOfFreedom: 3 });
    expect(
      pooledVariance([
        { variance: 1, degreesOfFreedom: 2 },
        { variance: 4, degreesOfFreedom: 1 },
      ]).variance,
    ).toBe(2);
    // differences -1 0 1: variance 1
    expect(
      differenceVariance([
        [1, 2, 3],
        [2, 2, 2],
      ]),
    ).toEqual({ variance: 1, degreesOfFreedom: 2 });
    expect(() => scoreVariance([[1]])).toThrow('pilot scores of one topic');
  });
});

describe('generalisability', () => {
  // Brennan, Generalizability Theory (2001), table 3.2: twelve rows, ten columns
  const table = [
    [5, 9, 3, 7, 9, 3, 7, 5, 9, 4],
    [6, 3, 4, 5, 2, 4, 3, 8, 9, 4],
    [5, 7, 3, 5, 9, 3, 7, 5, 8, 4],
    [5, 7, 3, 3, 7, 5, 7, 7, 8, 3],
    [5, 7, 5, 3, 7, 3, 7, 7, 6, 3],
    [3, 5, 3, 1, 7, 3, 5, 5, 6, 5],
    [4, 5, 3, 4, 3, 6, 5, 5, 6, 6],
    [5, 5, 5, 3, 7, 3, 7, 4, 5, 5],
    [6, 7, 6, 5, 2, 4, 5, 3, 5, 5],
    [7, 7, 5, 3, 7, 5, 5, 2, 8, 7],
    [3, 5, 1, 3, 5, 1, 5, 1, 1, 1],
    [3, 2, 6, 5, 3, 2, 4, 1, 1, 1],
  ];
  const scores = scoreMatrix(table[0].map((_, j) => table.map((row) => row[j])));

  test('of a textbook table is that of gt4ireval 2.0', () => {
    const found = varianceComponents(scores);
    expect(found.systems).toBeCloseTo(0.6257575757575758, 12);
    expect(found.topics).toBeCloseTo(0.8840067340067337, 12);
    expect(found.residual).toBeCloseTo(2.7872053872053875, 12);
    const { relative, absolute } = decisionStudy(found, { numTopics: 12, tail: 0.1 });
    expect(relative).toEqual({
      value: expect.closeTo(0.729300196206671, 10),
      low: expect.closeTo(0.5410109054206484, 8),
      high: expect.closeTo(0.8763631372404636, 8),
      topics: 85,
      topicsLow: 33,
      topicsHigh: 194,
    });
    expect(absolute).toMatchObject({ topics: 112, topicsLow: 42, topicsHigh: 272 });
    expect(absolute.low).toBeCloseTo(0.45690132931396404, 8);
  });

  test('is larger for the order than for scores, and grows with topics', () => {
    const components = varianceComponents(scores);
    const studies = [2, 10, 100].map((numTopics) => decisionStudy(components, { numTopics }));
    for (const [i, { relative, absolute }] of studies.entries()) {
      expect(relative.value ?? 0).toBeGreaterThanOrEqual(absolute.value ?? 1);
      if (i > 0) expect(relative.value ?? 0).toBeGreaterThan(studies[i - 1].relative.value ?? 1);
    }
  });

  test('without the weakest systems, and where systems do not differ', () => {
    expect(someSystems(scores, strongerSystems(scores, 0.3)).numSystems).toBe(7);
    const alike = varianceComponents(
      scoreMatrix([
        [1, 2, 3],
        [2, 3, 1],
      ]),
    );
    expect(alike.systems).toBe(0);
    expect(alike.notes).toEqual([
      'the variance of systems comes out negative and counts as 0',
      'the variance of topics comes out negative and counts as 0',
    ]);
    expect(decisionStudy(alike, { numTopics: 10 }).relative).toMatchObject({ value: 0, topics: null });
    expect(() => varianceComponents(scoreMatrix([[1, 2]]))).toThrow('at least 2 systems and 2 topics, found 1 and 2');
  });
});

describe('Bayesian comparison', () => {
  const random = seededRandom(9);
  const first = Array.from({ length: 12 }, () => Math.round(20 * random.float()) / 20);
  const second = first.map((score) => score + Math.round(8 * random.normal()) / 20);

  test('by the t posterior of d̄ = 2, s = 2 over four topics', () => {
    // differences 1 1 1 5: mean 2, standard deviation 2, scale 1; F(-2) with 3 degrees is 0.0696629842794216
    const found = bayesianTTest({ first: [0, 0, 0, 0], second: [1, 1, 1, 5] });
    expect(found.first).toBeCloseTo(0.0696629842794216, 10);
    expect(found).toMatchObject({ equivalent: 0, second: expect.closeTo(1 - 0.0696629842794216, 10) });
    expect(bayesianTTest({ first: [0, 0], second: [0, 0] })).toEqual({ first: 0.5, equivalent: 0, second: 0.5 });
    expect(bayesianTTest({ first: [0, 0], second: [1, 1], rope: 0.1 })).toEqual({ first: 0, equivalent: 0, second: 1 });
    expect(() => bayesianTTest({ first: [0, 0], second: [1, 1], rope: -1 })).toThrow('equivalence of -1');
  });

  test('counts differences, and the sign test prefers the larger side', () => {
    expect(sidesOf({ first: [0, 0, 0], second: [1, -1, 0.05], rope: 0.1 })).toEqual({ first: 1, equivalent: 1, second: 1 });
    const found = bayesianSignTest({ first: new Array(20).fill(0), second: new Array(20).fill(1), rope: 0.5, draws: 2000 });
    expect(found.second).toBeGreaterThan(0.99);
  });

  test.each([0, 0.05, 0.1])('signed ranks with a region of %d are those of all pairs', (rope) => {
    const draws = 300;
    const fast = bayesianSignedRankTest({ first, second, rope, draws });
    // the same draws, every pair of differences for itself
    const values = [0, ...second.map((y, t) => y - first[t])];
    const order = Array.from(values.keys()).sort((a, b) => values[a] - values[b]);
    expect(fast.first + fast.equivalent + fast.second).toBeCloseTo(1, 10);
    const slow = slowSignedRank(values, order, rope, draws);
    expect(fast.first).toBeCloseTo(slow[0], 10);
    expect(fast.second).toBeCloseTo(slow[2], 10);
  });
});

function slowSignedRank(values: readonly number[], order: readonly number[], rope: number, draws: number): number[] {
  const random = seededRandom(1);
  const counts = [0, 0, 0];
  for (let draw = 0; draw < draws; draw++) {
    const weights: number[] = [];
    for (const i of order) weights[i] = i === 0 ? halfGamma(random) : -Math.log(1 - random.float());
    const total = order.reduce((sum, i) => sum + weights[i], 0);
    const shares = [0, 0, 0];
    for (let i = 0; i < values.length; i++) {
      for (let j = 0; j < values.length; j++) {
        const weight = (weights[i] * weights[j]) / (total * total);
        const sum = values[i] + values[j];
        const right = sum > 2 * rope ? 1 : sum === 2 * rope ? 0.5 : 0;
        const left = sum < -2 * rope ? 1 : sum === -2 * rope ? 0.5 : 0;
        shares[0] += weight * left;
        shares[1] += weight * (1 - left - right);
        shares[2] += weight * right;
      }
    }
    counts[shares.indexOf(Math.max(...shares))]++;
  }
  const sides = counts[0] + counts[2];
  return rope === 0 ? [counts[0] / sides, 0, counts[2] / sides] : counts.map((count) => count / draws);
}

/** A gamma draw of shape ½ by the method that the product uses, written again. */
function halfGamma(random: ReturnType<typeof seededRandom>): number {
  const boost = (1 - random.float()) ** 2;
  const d = 1.5 - 1 / 3;
  for (;;) {
    const x = random.normal();
    const v = (1 + x / Math.sqrt(9 * d)) ** 3;
    if (v > 0 && Math.log(1 - random.float()) < (x * x) / 2 + d - d * v + d * Math.log(v)) return d * v * boost;
  }
}
