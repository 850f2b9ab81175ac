import { describe, expect, test } from 'vitest';
import { matrixOf, objective, requestFor } from '../../../test/helpers/training-sets.js';
import { adarank } from '../learners/adarank.js';
import { rankboost } from '../learners/rankboost.js';

describe('AdaRank, by hand', () => {
  // P@1: feature 1 puts the relevant document first in queries 1 and 3, feature 2 in query 2
  const train = matrixOf([
    [
      [1, 2, 1],
      [0, 1, 2],
    ],
    [
      [1, 1, 2],
      [0, 2, 1],
    ],
    [
      [1, 2, 1],
      [0, 1, 2],
    ],
  ]);
  const weightsAfter = async (rounds: number): Promise<number[]> => {
    const model = await adarank.train(requestFor(adarank, train, { objective: objective('P@1'), options: { rounds } }));
    return model.scorer.kind === 'linear' ? [...model.scorer.weights] : [];
  };

  test('round 1: feature 1, because it is right twice of three times', async () => {
    // ½ ln((⅔·2 + ⅓·1) / (⅓·1)) = ½ ln 5
    const weights = await weightsAfter(1);
    expect(weights[0]).toBeCloseTo(0.5 * Math.log(5), 14);
    expect(weights[1]).toBe(0);
  });

  test('round 2: query 2 now weighs e/(e + 2), more than the others together, and feature 2 is taken', async () => {
    // ½ ln((2/(e+2) + 2e/(e+2)) / (2/(e+2))) = ½ ln(1 + e)
    const weights = await weightsAfter(2);
    expect(weights[0]).toBeCloseTo(0.5 * Math.log(5), 14);
    expect(weights[1]).toBeCloseTo(0.5 * Math.log(1 + Math.E), 14);
  });

  describe('with a query in which nothing is relevant', () => {
    const withEmpty = matrixOf([
      ...[0, 1, 0].map((better) => [
        [1, better === 0 ? 2 : 1, better === 0 ? 1 : 2],
        [0, better === 0 ? 1 : 2, better === 0 ? 2 : 1],
      ]),
      [
        [0, 5, 7],
        [0, 8, 3],
      ],
    ]);
    const firstWeights = async (measure: string, rounds: number, own = {}): Promise<number[]> => {
      const model = await adarank.train(requestFor(adarank, withEmpty, { objective: objective(measure), options: { rounds, ...own } }));
      return model.scorer.kind === 'linear' ? [...model.scorer.weights] : [];
    };

    test('worth 1 by rule, it takes part with that and is not boosted', async () => {
      // ½ ln((2·2 + 1 + 2) / 1), then with weights 1/e, 1, 1/e and 1/e: ½ ln((4/e + 2) / (2/e))
      const weights = await firstWeights('nDCG(empty=1)@1', 2);
      expect(weights[0]).toBeCloseTo(0.5 * Math.log(7), 14);
      expect(weights[1]).toBeCloseTo(0.5 * Math.log(2 + Math.E), 14);
    });

    test('worth 0 by rule, it weighs nothing', async () => {
      const weights = await firstWeights('nDCG@1', 2);
      expect(weights[0]).toBeCloseTo(0.5 * Math.log(5), 14);
      expect(weights[1]).toBeCloseTo(0.5 * Math.log(1 + Math.E), 14);
    });

    test('worth 0 by rule, it is boosted if all are to take part', async () => {
      // ½ ln((2·2 + 1 + 1) / (1 + 1)), then with weights 1/e, 1, 1/e and 1: ½ ln((2/e + 2 + 1) / (2/e + 1))
      const weights = await firstWeights('nDCG@1', 2, { settled: 'all' });
      expect(weights[0]).toBeCloseTo(0.5 * Math.log(3), 14);
      expect(weights[1]).toBeCloseTo(0.5 * Math.log((2 + 3 * Math.E) / (2 + Math.E)), 14);
    });
  });

  test('a query of weight 2 counts as two of them', async () => {
    const counted = (weights: number[]) =>
      adarank.train(
        requestFor(adarank, train, { objective: objective('P@1'), options: { rounds: 3 }, queryWeights: Float64Array.from(weights) }),
      );
    const { scorer } = await counted([1, 3, 1]);
    // feature 2 comes first then: ½ ln((2 + 3·2) / 2)
    expect(scorer.kind === 'linear' && scorer.weights[1]).toBeCloseTo(0.5 * Math.log(4), 14);
    const { scorer: without } = await counted([1, 0, 1]);
    expect(without.kind === 'linear' && without.weights[1]).toBe(0);
  });

  test('a feature chosen again and again to no effect is set aside, and training ends when none is left', async () => {
    const one = matrixOf([
      [
        [1, 2],
        [0, 1],
        [0, 3],
      ],
    ]);
    const { training } = await adarank.train(
      requestFor(adarank, one, { objective: objective('RR'), options: { maxRepeats: 3, rounds: 100 } }),
    );
    // the first choice, and three more that change nothing
    expect(training?.iterations).toBe(4);
  });

  test('training ends when the value falls by the tolerance', async () => {
    // feature 2 alone is right in both, but feature 1 outweighs it once both are added up
    const falling = matrixOf([
      [
        [1, 0, 3],
        [0, 9, 2],
      ],
      [
        [1, 0, 3],
        [0, 9, 2],
      ],
      [
        [1, 9, 1],
        [0, 0, 2],
      ],
      [
        [1, 9, 1],
        [0, 0, 2],
      ],
      [
        [1, 9, 1],
        [0, 0, 2],
      ],
    ]);
    const values: number[] = [];
    const { training } = await adarank.train(
      requestFor(adarank, falling, {
        objective: objective('P@1'),
        options: { rounds: 50 },
        onIteration: ({ training: value }) => values.push(value ?? 0),
      }),
    );
    expect(values[0]).toBeCloseTo(0.6, 14);
    values.forEach((value, i) => {
      if (i > 0) expect(value).toBeGreaterThan(values[i - 1] - 0.002);
    });
    expect(training?.iterations).toBe(values.length);
  });
});

describe('RankBoost, by hand', () => {
  // the relevant documents have 4 and 2, the others 3 and 1: four pairs of weight ¼
  const train = matrixOf([
    [
      [1, 4],
      [1, 2],
      [0, 3],
      [0, 1],
    ],
  ]);

  test('rounds 1 and 2', async () => {
    const losses: number[] = [];
    const model = await rankboost.train(
      requestFor(rankboost, train, { options: { rounds: 2, thresholds: -1 }, onIteration: ({ training }) => losses.push(training ?? 0) }),
    );
    if (model.scorer.kind !== 'trees') throw new Error('expected trees');
    const { feature, threshold, treeWeights, value, left, right } = model.scorer;
    // round 1: above 3 is the document with 4 alone, which wins pairs of weight ½: α = ½ ln(1.5/0.5).
    // round 2: its pairs now weigh 1/√3 as much; above 1, r = 1/(1+√3) + √3/(1+√3) - ½ = ½ again
    expect([...threshold].filter((_, node) => feature[node] >= 0)).toEqual([3, 1]);
    expect(treeWeights[0]).toBeCloseTo(0.5 * Math.log(3), 14);
    expect(treeWeights[1]).toBeCloseTo(0.5 * Math.log(3), 14);
    expect([value[left[0]], value[right[0]]]).toEqual([0, 1]);
    // the loss before each round: 1, then the mean of 1/√3, 1/√3, 1 and 1
    expect(losses[0]).toBeCloseTo(1, 14);
    expect(losses[1]).toBeCloseTo((1 + 1 / Math.sqrt(3)) / 2, 14);
  });

  test('evenly spaced thresholds start at the least value', async () => {
    const wide = matrixOf([
      [
        [1, 10],
        [0, 0],
        [0, 1],
        [0, 2],
        [0, 3],
      ],
    ]);
    const model = await rankboost.train(requestFor(rankboost, wide, { options: { rounds: 1, thresholds: 2 } }));
    if (model.scorer.kind !== 'trees') throw new Error('expected trees');
    // candidates 0 and 5; above 5 is the relevant document alone
    expect(model.scorer.threshold[0]).toBe(5);
  });

  test('below a threshold only if asked', async () => {
    const down = matrixOf([
      [
        [1, 1],
        [0, 2],
        [0, 3],
      ],
    ]);
    const up = await rankboost.train(requestFor(rankboost, down));
    expect(up.scorer.kind === 'trees' && up.scorer.treeWeights.length).toBe(0);
    const both = await rankboost.train(requestFor(rankboost, down, { options: { directions: 'both', rounds: 1 } }));
    expect(both.scorer.kind === 'trees' && both.scorer.treeWeights[0]).toBeLessThan(0);
  });
});
