import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomCategories, randomTrees, slowScores, treeModel, withCategories } from '../../../test/helpers/slow-models.js';
import { seededRandom } from '../../core/numbers/random.js';
import { InputError } from '../../core/problem.js';
import type { Model } from '../ranker.js';
import { scoreMatrix } from '../scoring/score.js';
import type { WritableModel } from './model-file.js';
import { readModel } from './read-model.js';
import { writeModel } from './write-model.js';

const written = (model: Model, format: WritableModel): Model => readModel(writeModel(model, format).content);

describe('splits by category', () => {
  test('send what is in the set left, as a twin does that looks at one value at a time', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const random = seededRandom(seed);
        const model = treeModel(withCategories(random, randomTrees(random, 1 + random.below(5), 4)), 4);
        const matrix = randomCategories(random, 60, 4);
        expect([...scoreMatrix(model, matrix)]).toEqual(slowScores(model, matrix));
      }),
      { numRuns: 100 },
    );
  });

  test.each(['gradus', 'lightgbm'] as const)('keep every bit of the scores when written as %s', (format) => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const random = seededRandom(seed);
        const scorer = withCategories(random, { ...randomTrees(random, 1 + random.below(5), 4), base: 0 });
        // LightGBM sends missing categories right; what it makes of others is in the next test
        const missingLeft = scorer.missingLeft.map((flag, node) => (scorer.categories!.setOf[node] >= 0 ? 0 : flag));
        const model = treeModel({ ...scorer, missingLeft }, 4, { leftOut: 0 });
        const matrix = randomCategories(random, 60, 4);
        expect([...scoreMatrix(written(model, format), matrix)]).toEqual([...scoreMatrix(model, matrix)]);
      }),
      { numRuns: 60 },
    );
  });

  test('that send missing values left are turned round for LightGBM, and only unknown categories go with them', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const random = seededRandom(seed);
        const scorer = withCategories(random, { ...randomTrees(random, 1, 2), base: 0 });
        const model = treeModel({ ...scorer, missingLeft: scorer.missingLeft.fill(1) }, 2);
        const known = randomCategories(random, 60, 2);
        // the greatest category of each feature: its last word has its highest bit set
        const words = scorer.categories!.words.map((word) => word | (2 ** 31));
        const full = treeModel({ ...scorer, missingLeft: scorer.missingLeft.fill(1), categories: { ...scorer.categories!, words } }, 2);
        const values = known.features!.values.map((value) => (value < 0 || value >= 32 ? 5 : value));
        const matrix = { ...known, features: { ...known.features!, values } as typeof known.features };
        expect([...scoreMatrix(written(full, 'lightgbm'), matrix)]).toEqual([...scoreMatrix(full, matrix)]);
        expect(model.numFeatures).toBe(2);
      }),
      { numRuns: 60 },
    );
  });

  test.each(['xgboost', 'xgboost-ubj'] as const)('keep the 32-bit scores when written as %s', (format) => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const random = seededRandom(seed);
        const trees = randomTrees(random, 1 + random.below(5), 4);
        const single = {
          ...trees,
          base: 0,
          value: trees.value.map(Math.fround),
          treeWeights: trees.treeWeights.fill(1),
          sums: 'float32' as const,
        };
        const model = treeModel(withCategories(random, single, -Number.MIN_VALUE), 4);
        const matrix = randomCategories(random, 60, 4);
        const values = Float32Array.from(matrix.features!.values);
        const rounded = { ...matrix, features: { ...matrix.features!, values } as typeof matrix.features };
        expect([...scoreMatrix(written(model, format), rounded)]).toEqual([...scoreMatrix(model, rounded)]);
      }),
      { numRuns: 60 },
    );
  });

  test('are members in ONNX, whole numbers as they are', () => {
    const random = seededRandom(3);
    const model = treeModel(withCategories(random, { ...randomTrees(random, 5, 4), base: 0 }), 4);
    const matrix = randomCategories(random, 80, 4);
    const values = matrix.features!.values.map((value) => (value < 0 ? 0 : Math.trunc(value)));
    const whole = { ...matrix, features: { ...matrix.features!, values } as typeof matrix.features };
    expect([...scoreMatrix(written(model, 'onnx'), whole)]).toEqual([...scoreMatrix(model, whole)]);
  });

  test.each(['ranklib', 'xgboost-dump', 'solr', 'elasticsearch', 'onnx3'] as const)('are refused by %s in a sentence', (format) => {
    const random = seededRandom(4);
    const model = treeModel(withCategories(random, randomTrees(random, 5, 4)), 4);
    expect(() => writeModel(model, format)).toThrow(InputError);
    expect(() => writeModel(model, format)).toThrow(/the model splits by category/);
  });
});
