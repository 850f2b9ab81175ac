import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { idsOf, randomMatrix, randomTrees, slowScores, treeModel } from '../../../test/helpers/slow-models.js';
import type { FeatureMatrix } from '../../core/feature-matrix.js';
import { seededRandom } from '../../core/numbers/random.js';
import type { Model } from '../ranker.js';
import { scoreMatrix } from './score.js';

const linear: Model = {
  learner: 'coordinate-ascent',
  firstFeature: 1,
  numFeatures: 2,
  missing: 0,
  scorer: { kind: 'linear', weights: Float64Array.of(2, 10), bias: 1 },
};

function dense(
  values: readonly number[],
  numFeatures: number,
  more: { firstFeature?: number; names?: readonly string[] } = {},
): FeatureMatrix {
  const numRows = values.length / numFeatures;
  return {
    numRows,
    numRecords: numRows,
    queryOffsets: Uint32Array.of(0, numRows),
    queries: idsOf(['1']),
    queryOf: Uint32Array.of(0),
    labels: new Float64Array(numRows),
    lines: Uint32Array.from({ length: numRows }, (_, row) => row + 1),
    records: undefined,
    comments: undefined,
    features: { layout: 'dense', numFeatures, firstFeature: 1, numGiven: values.length, values: Float64Array.from(values), ...more },
  };
}

describe('scoreMatrix(model, matrix)', () => {
  test('is bias + weights · features', () => {
    expect([...scoreMatrix(linear, dense([1, 2, 3, 4], 2))]).toEqual([1 + 2 + 20, 1 + 6 + 40]);
  });

  test('finds features by id: a file that counts from 0 has another first column', () => {
    expect([...scoreMatrix(linear, dense([7, 1, 2], 3, { firstFeature: 0 }))]).toEqual([23]);
  });

  test('finds features by name where both sides have names', () => {
    const model = { ...linear, featureNames: ['a', 'b'] };
    expect([...scoreMatrix(model, dense([2, 9, 1], 3, { names: ['b', 'c', 'a'] }))]).toEqual([23]);
    expect(() => scoreMatrix(model, dense([2, 9], 2, { names: ['b', 'c'] }))).toThrow(/the data has no feature a, which the model/);
  });

  test('a feature beyond the last column of the data is missing', () => {
    expect([...scoreMatrix(linear, dense([1], 1))]).toEqual([3]);
    expect([...scoreMatrix({ ...linear, missing: 5 }, dense([1], 1))]).toEqual([53]);
  });

  test('NaN is what the model says of missing features', () => {
    expect([...scoreMatrix(linear, dense([Number.NaN, 2], 2))]).toEqual([21]);
  });

  test('refuses data without a single feature of the model', () => {
    const model = { ...linear, firstFeature: 100 };
    expect(() => scoreMatrix(model, dense([1, 2], 2))).toThrow(/features 1 to 2, the model was trained on 100 to 101/);
    expect(() => scoreMatrix(linear, { ...dense([1, 2], 2), features: undefined })).toThrow(/read without its features/);
  });

  test('a global normalisation is applied before the weights', () => {
    const normalisation = { kind: 'global', method: 'zscore', shift: Float64Array.of(1, 0), factor: Float64Array.of(2, 0.5) } as const;
    // (3 - 1) * 2 = 4, 4 * 0.5 = 2
    expect([...scoreMatrix({ ...linear, normalisation }, dense([3, 4], 2))]).toEqual([1 + 8 + 20]);
  });

  test('a normalisation by query uses the rows of that query', () => {
    const two = { ...dense([1, 1, 3, 1, 5, 1], 2), queryOffsets: Uint32Array.of(0, 2, 3), queryOf: Uint32Array.of(0, 0) };
    const of = (method: 'sum' | 'minmax' | 'zscore'): number[] => [
      ...scoreMatrix({ ...linear, normalisation: { kind: 'query', method } }, two),
    ];
    expect(of('sum')).toEqual([1 + 2 / 4 + 10 / 2, 1 + 6 / 4 + 10 / 2, 1 + 2 + 10]);
    expect(of('minmax')).toEqual([1 + 0, 1 + 2, 1]);
    // n - 1 in the deviation: sqrt(2); a column without spread is left alone
    expect(of('zscore')).toEqual([1 - 2 / Math.SQRT2 + 10, 1 + 2 / Math.SQRT2 + 10, 1 + 10 + 10]);
  });

  test('a net is evaluated layer by layer', () => {
    const model: Model = {
      ...linear,
      scorer: {
        kind: 'net',
        layers: [
          { inputs: 2, units: 2, weights: Float64Array.of(1, 0, -1, 1), bias: Float64Array.of(0, 1), activation: 'relu' },
          { inputs: 2, units: 1, weights: Float64Array.of(3, 5), bias: Float64Array.of(-2), activation: 'identity' },
        ],
      },
    };
    // hidden: relu(2), relu(-2 + 7 + 1)
    expect([...scoreMatrix(model, dense([2, 7], 2))]).toEqual([3 * 2 + 5 * 6 - 2]);
  });

  test('equals the slow twin for trees over many features, few of which are asked for', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const random = seededRandom(seed);
      const numFeatures = 2500 + random.below(3000);
      // the trees of a small model, their features moved apart
      const places = Uint32Array.from({ length: 5 }, (_, c) => (c < 2 ? 1 + c : c * 500 + random.below(400)));
      const { feature, ...others } = randomTrees(random, 1 + random.below(5), 5);
      const scorer = { ...others, feature: feature.map((column) => (column < 0 ? column : places[column])) };
      const model = treeModel(scorer, numFeatures, { missing: seed % 2 === 0 ? Number.NaN : 0.5 });
      const matrix = randomMatrix(random, 50, 2 + random.below(7), seed % 3 === 0 ? 'dense' : 'sparse', 1);
      expect([...scoreMatrix(model, matrix)]).toEqual(slowScores(model, matrix));
    }
  });

  test('scales the same columns of many', () => {
    const numFeatures = 2000;
    const stump = {
      ...randomTrees(seededRandom(1), 1, 1, 1),
      nodeOffsets: Uint32Array.of(0, 3),
      feature: Int32Array.of(1500, -1, -1),
      threshold: Float64Array.of(4, 0, 0),
      left: Uint32Array.of(1, 0, 0),
      right: Uint32Array.of(2, 0, 0),
      missingLeft: Uint8Array.of(0, 0, 0),
      value: Float64Array.of(0, 10, 20),
      treeWeights: Float64Array.of(1),
      base: 0,
    };
    const shift = Float64Array.from({ length: numFeatures }, (_, c) => c);
    const factor = Float64Array.from({ length: numFeatures }, (_, c) => c / 750);
    const model = treeModel(stump, numFeatures, { firstFeature: 1, normalisation: { kind: 'global', method: 'zscore', shift, factor } });
    const row = (x: number): number[] => Array.from({ length: numFeatures }, (_, c) => (c === 1500 ? x : 0));
    // (1502 - 1500) * 2 = 4 goes left, (1502.5 - 1500) * 2 = 5 right
    expect([...scoreMatrix(model, dense([...row(1502), ...row(1502.5)], numFeatures))]).toEqual([10, 20]);
  });

  test('equals the slow twin to the bit for random trees and data', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const random = seededRandom(seed);
        const numFeatures = 1 + random.below(6);
        const scorer = {
          ...randomTrees(random, 1 + random.below(9), numFeatures),
          ...(random.below(3) === 0 ? { sums: 'float32' as const } : {}),
          ...(random.below(3) === 0 ? { divisor: 7 } : {}),
          ...(random.below(3) === 0 ? { zeroIsMissing: true } : {}),
        };
        const model = treeModel(scorer, numFeatures, {
          firstFeature: random.below(2),
          missing: scorer.zeroIsMissing || random.below(2) === 0 ? Number.NaN : 0.5,
          ...(random.below(3) === 0 ? { inputs: 'float32' as const } : {}),
        });
        const layout = random.below(2) === 0 ? 'dense' : 'sparse';
        const matrix = randomMatrix(random, 1 + random.below(400), 1 + random.below(7), layout, random.below(2));
        if (matrix.features!.firstFeature + matrix.features!.numFeatures <= model.firstFeature) return;
        if (model.firstFeature + numFeatures <= matrix.features!.firstFeature) return;
        expect([...scoreMatrix(model, matrix)]).toEqual(slowScores(model, matrix));
      }),
      { numRuns: 300 },
    );
  });
});
