import { describe, expect, test } from 'vitest';
import { deltaRelativeImprovement, effectRatio, pairedReproductionTest, scoreDistance, unpairedReproductionTest } from './effects.js';
import { kendallTauUnion, overlapToDepth, tauOverUnion } from './orders.js';

describe('orders of documents', () => {
  // repro_eval 0.5.0, and tau-b of scipy over ranks
  test.each([
    ['abcd', 'efgh', 1, 0, -0.7272727272727272],
    ['abcd', 'eabc', 0, 0.43325400602887515, 0.2],
    ['dbca', 'edbc', 1 / 3, 0.43325400602887515, 0.2],
    ['abcde', 'edcba', -1, 0.29953990163414246, -1],
  ])('%s and %s', (original, reproduced, union, overlap, ranks) => {
    const lists = [[...original], [...reproduced]] as const;
    expect(kendallTauUnion(...lists)).toBeCloseTo(union, 12);
    expect(overlapToDepth(...lists, 0.8, 5)).toBeCloseTo(overlap, 12);
    expect(tauOverUnion(...lists)).toBeCloseTo(ranks, 12);
  });

  test('of different lengths have no tau union, and a short list does not reach 1', () => {
    expect(() => kendallTauUnion(['a', 'b'], ['a'])).toThrow('one has 2 documents and the other 1');
    expect(overlapToDepth([...'abcde'], [...'abcde'])).toBeCloseTo(0.4763000774703487, 12);
    expect(tauOverUnion(['a'], ['a'])).toBeNull();
  });
});

describe('effects', () => {
  const original = { baseline: [0.2, 0.4], advanced: [0.4, 0.6] };
  const reproduced = { baseline: [0.4, 0.6], advanced: [0.5, 0.7] };

  test('are ratios of differences and of relative improvements', () => {
    expect(effectRatio(original, reproduced)).toBeCloseTo(0.5, 12);
    // 0.2 / 0.3 less 0.1 / 0.5
    expect(deltaRelativeImprovement(original, reproduced)).toBeCloseTo(2 / 3 - 0.2, 12);
    expect(effectRatio({ baseline: [1, 2], advanced: [2, 1] }, reproduced)).toBeNull();
    expect(deltaRelativeImprovement({ baseline: [0, 0], advanced: [1, 1] }, reproduced)).toBeNull();
    // errors 0.2 and 0.2; at most 0.8 and 0.6
    expect(scoreDistance(original.baseline, reproduced.baseline)).toEqual({
      rmse: expect.closeTo(0.2, 12),
      normalised: expect.closeTo(0.2 / Math.sqrt(0.5), 12),
    });
  });

  test('p is 1 with a note where nothing differs', () => {
    expect(pairedReproductionTest([0.1, 0.2], [0.1, 0.2])).toEqual({ pValue: 1, note: 'all differences are zero, so p is 1' });
    expect(unpairedReproductionTest([0.1, 0.1], [0.1])).toEqual({ pValue: 1, note: 'all scores are equal, so p is 1' });
    // means 1 and 3, pooled variance 1, error 1: t -2 with 2 degrees, two-sided 0.183503419072274
    expect(unpairedReproductionTest([1 - Math.SQRT1_2, 1 + Math.SQRT1_2], [3 - Math.SQRT1_2, 3 + Math.SQRT1_2]).pValue).toBeCloseTo(
      0.1835034190722739,
      9,
    );
  });
});
