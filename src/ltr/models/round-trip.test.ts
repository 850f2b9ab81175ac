import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomMatrix, randomTrees, treeModel } from '../../../test/helpers/slow-models.js';
import type { FeatureMatrix } from '../../core/feature-matrix.js';
import { seededRandom } from '../../core/numbers/random.js';
import type { Model, TreeScorer } from '../ranker.js';
import { scoreMatrix } from '../scoring/score.js';
import { nextDouble } from './float32.js';
import type { WritableModel } from './model-file.js';
import { readModel } from './read-model.js';
import { writeModel } from './write-model.js';

function again(model: Model, format: WritableModel): Model {
  return readModel(writeModel(model, format).content, { firstFeature: model.firstFeature });
}

/** Values, leaves and weights that 32-bit floats hold. */
function inSingle(matrix: FeatureMatrix): FeatureMatrix {
  const features = matrix.features!;
  return { ...matrix, features: { ...features, values: Float32Array.from(features.values) } };
}

function singleTrees(scorer: TreeScorer, weighted: boolean): TreeScorer {
  return {
    ...scorer,
    base: Math.fround(scorer.base),
    value: scorer.value.map(Math.fround),
    treeWeights: scorer.treeWeights.map((weight) => (weighted ? Math.fround(weight) : 1)),
    sums: 'float32',
  };
}

/** Rows with a value at a threshold, or right after it: thresholds of a dump for Vespa are the next double, and Vespa asks whether a value
 *  is below. */
function atThresholds({ feature, threshold }: TreeScorer, matrix: FeatureMatrix): Set<number> {
  const limits = new Set(threshold.filter((_, node) => feature[node] >= 0).map(nextDouble));
  const { values, numFeatures } = matrix.features!;
  return new Set([...values.entries()].filter(([, value]) => limits.has(value)).map(([i]) => Math.floor(i / numFeatures)));
}

describe('a model that is written for another tool and read again', () => {
  test('LightGBM: weights, base, missing directions and unscaled doubles keep every bit of the scores', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const random = seededRandom(seed);
        const model = treeModel(randomTrees(random, 1 + random.below(6), 4), 4, random.below(2) === 0 ? { missing: 0 } : {});
        const matrix = randomMatrix(random, 50, 4, 'dense');
        expect([...scoreMatrix(again(model, 'lightgbm'), matrix)]).toEqual([...scoreMatrix(model, matrix)]);
      }),
      { numRuns: 100 },
    );
  });

  test('XGBoost: so do models in 32 bits, for documents in 32 bits', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const random = seededRandom(seed);
        const model = treeModel(singleTrees(randomTrees(random, 1 + random.below(6), 4), false), 4);
        const matrix = inSingle(randomMatrix(random, 50, 4, 'dense'));
        expect([...scoreMatrix(again(model, 'xgboost'), matrix)]).toEqual([...scoreMatrix(model, matrix)]);
      }),
      { numRuns: 100 },
    );
  });

  test.each(['lightgbm-dump', 'elasticsearch', 'onnx'] as const)('%s: trees keep every bit of the scores', (format) => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const random = seededRandom(seed);
        const scorer = randomTrees(random, 1 + random.below(6), 4);
        // a base is added by Elasticsearch last, and by the others with the first tree
        const model = treeModel({ ...scorer, base: 0 }, 4);
        const matrix = randomMatrix(random, 50, 4, 'dense');
        const read = again(model, format);
        const names = Array.from({ length: 4 }, (_, column) => `f${column}`);
        expect(read.featureNames ?? names).toEqual(names);
        const found = scoreMatrix({ ...read, featureNames: undefined, leftOut: undefined }, matrix);
        const apart = format === 'lightgbm-dump' ? atThresholds(scorer, matrix) : new Set<number>();
        scoreMatrix(model, matrix).forEach((score, row) => {
          if (!apart.has(row)) expect(found[row]).toBe(score);
        });
      }),
      { numRuns: 60 },
    );
  });

  test.each(['xgboost-ubj', 'xgboost-dump', 'solr'] as const)('%s: so do models in 32 bits, for documents in 32 bits', (format) => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const random = seededRandom(seed);
        const trees = singleTrees(randomTrees(random, 1 + random.below(6), 4), false);
        const scorer = { ...trees, base: 0, ...(format === 'solr' ? { missingLeft: trees.missingLeft.fill(0) } : {}) };
        const model = treeModel(scorer, 4);
        const matrix = inSingle(randomMatrix(random, 50, 4, 'dense'));
        const read = { ...again(model, format), featureNames: undefined, leftOut: undefined };
        expect([...scoreMatrix(read, matrix)]).toEqual([...scoreMatrix(model, matrix)]);
      }),
      { numRuns: 60 },
    );
  });

  test('RankLib: so do models in 32 bits with weights, for documents without missing values', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const random = seededRandom(seed);
        const model = treeModel(singleTrees(randomTrees(random, 1 + random.below(6), 4), true), 4, { missing: 0 });
        const matrix = inSingle(randomMatrix(random, 50, 4, 'dense'));
        expect([...scoreMatrix(again(model, 'ranklib'), matrix)]).toEqual([...scoreMatrix(model, matrix)]);
      }),
      { numRuns: 100 },
    );
  });

  test('RankLib: linear models and nets with sigmoids keep every bit, nets with tanh nearly all', () => {
    const matrix = randomMatrix(seededRandom(5), 60, 3, 'dense');
    const shared = { learner: 'ranknet', firstFeature: 1, numFeatures: 3, missing: 0, inputs: 'float32' } as const;
    const net = (activation: 'sigmoid' | 'tanh'): Model => ({
      ...shared,
      scorer: {
        kind: 'net',
        layers: [
          { inputs: 3, units: 2, weights: Float64Array.of(1, 0.2, -3, -1, 0.5, 2), bias: Float64Array.of(0.1, -0.2), activation },
          { inputs: 2, units: 1, weights: Float64Array.of(1, -3), bias: Float64Array.of(0.3), activation: 'sigmoid' },
        ],
      },
    });
    const linear: Model = {
      ...shared,
      learner: 'coordinate-ascent',
      scorer: { kind: 'linear', weights: Float64Array.of(1 / 3, -2, 1e-7), bias: 0 },
    };
    const biased: Model = {
      ...shared,
      learner: 'linear-regression',
      scorer: { kind: 'linear', weights: Float64Array.of(1 / 3, -2, 1e-7), bias: 0.1 },
    };
    for (const model of [net('sigmoid'), linear, biased]) {
      expect([...scoreMatrix(again(model, 'ranklib'), matrix)]).toEqual([...scoreMatrix(model, matrix)]);
      expect(again(model, 'ranklib').learner).toBe(model.learner);
    }
    const stretched = scoreMatrix(again(net('tanh'), 'ranklib'), matrix);
    scoreMatrix(net('tanh'), matrix).forEach((score, row) => {
      expect(stretched[row]).toBeCloseTo(score, 13);
    });
  });
});

test('xgboost-ubj: arrays have a type where those of XGBoost have one, and only there, or XGBoost refuses the file', () => {
  const model = treeModel({ ...randomTrees(seededRandom(5), 2, 3), base: 0 }, 3);
  const text = Array.from(writeModel(model, 'xgboost-ubj').content as Uint8Array, (byte) => String.fromCharCode(byte)).join('');
  // as xgb-dump.ubj of XGBoost 3.2.0 has them
  for (const name of ['tree_info', 'iteration_indptr']) expect(text).toContain(`${name}[#`);
  for (const [name, type] of [
    ['left_children', 'l'],
    ['split_conditions', 'd'],
    ['default_left', 'U'],
  ])
    expect(text).toContain(`${name}[$${type}#`);
});
