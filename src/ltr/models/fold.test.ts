import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextDouble } from '../../../test/helpers/next-double.js';
import { randomMatrix, randomTrees, treeModel } from '../../../test/helpers/slow-models.js';
import { seededRandom } from '../../core/numbers/random.js';
import type { Model } from '../ranker.js';
import { scoreMatrix } from '../scoring/score.js';
import { rawThreshold, withoutNormalisation } from './fold.js';

describe('rawThreshold(limit, shift, factor)', () => {
  test('is the last value that passes: the next double does not', () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 });
    fc.assert(
      fc.property(number, number, fc.double({ min: 1e-6, max: 1e6, noNaN: true }), (limit, shift, factor) => {
        const edge = rawThreshold(limit, shift, factor);
        expect((edge - shift) * factor).toBeLessThanOrEqual(limit);
        expect((nextDouble(edge) - shift) * factor).toBeGreaterThan(limit);
      }),
      { numRuns: 1000 },
    );
  });

  test('of a column that became 0: everything passes, or nothing', () => {
    expect(rawThreshold(0, 5, 0)).toBe(Infinity);
    expect(rawThreshold(-1, 5, 0)).toBe(-Infinity);
  });
});

describe('withoutNormalisation(model, format)', () => {
  const normalisation = {
    kind: 'global',
    method: 'zscore',
    shift: Float64Array.of(0.1, -0.3, 1e-3),
    factor: Float64Array.of(3, 1 / 3, 0.7),
  } as const;

  test('of trees: the same scores to the bit for raw features', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const random = seededRandom(seed);
        const model = treeModel(randomTrees(random, 4, 3), 3, { normalisation });
        const matrix = randomMatrix(random, 60, 3, 'dense');
        expect([...scoreMatrix(withoutNormalisation(model, 'X'), matrix)]).toEqual([...scoreMatrix(model, matrix)]);
      }),
      { numRuns: 50 },
    );
  });

  test('of linear models and nets: the same scores up to rounding', () => {
    const linear: Model = {
      learner: 'x',
      firstFeature: 1,
      numFeatures: 3,
      missing: 0,
      normalisation,
      scorer: { kind: 'linear', weights: Float64Array.of(1, -2, 3), bias: 0.5 },
    };
    const net: Model = {
      ...linear,
      scorer: {
        kind: 'net',
        layers: [
          { inputs: 3, units: 2, weights: Float64Array.of(1, 2, 3, -1, 0.5, 2), bias: Float64Array.of(0.1, 0.2), activation: 'tanh' },
          { inputs: 2, units: 1, weights: Float64Array.of(1, -3), bias: Float64Array.of(0), activation: 'identity' },
        ],
      },
    };
    const matrix = randomMatrix(seededRandom(1), 50, 3, 'dense');
    for (const model of [linear, net]) {
      const folded = scoreMatrix(withoutNormalisation(model, 'X'), matrix);
      scoreMatrix(model, matrix).forEach((score, row) => {
        expect(folded[row]).toBeCloseTo(score, 12);
      });
    }
  });

  test('a normalisation by query is refused', () => {
    const model = treeModel(randomTrees(seededRandom(1), 1, 3), 3, { normalisation: { kind: 'query', method: 'sum' } });
    expect(() => withoutNormalisation(model, 'LightGBM')).toThrow(
      /query by query \(sum\), which LightGBM cannot express; train it without/,
    );
  });
});
