import { describe, expect, test } from 'vitest';
import { featureLists } from '../../../test/helpers/feature-lists.js';
import { matrixOfRows } from '../../../test/helpers/slow-models.js';
import type { Model } from '../ranker.js';
import { partialDependence } from './partial-dependence.js';

/** Feature 1 at 0.5; on its right feature 3 at 2. Leaves 1; 2 and 3. */
const trees: Model = {
  learner: 'mart',
  firstFeature: 1,
  numFeatures: 3,
  featureNames: ['a', 'b', 'c'],
  missing: Number.NaN,
  scorer: {
    kind: 'trees',
    base: 0,
    nodeOffsets: Uint32Array.of(0, 5),
    treeWeights: Float64Array.of(1),
    feature: Int32Array.of(0, -1, 2, -1, -1),
    threshold: Float64Array.of(0.5, 0, 2, 0, 0),
    left: Uint32Array.of(1, 0, 3, 0, 0),
    right: Uint32Array.of(2, 0, 4, 0, 0),
    missingLeft: new Uint8Array(5),
    value: Float64Array.of(0, 1, 0, 2, 3),
  },
};
const rounded = (values: Float64Array): number[] => Array.from(values, (value) => Number(value.toFixed(12)));

describe('partialDependence(model, matrix, columns)', () => {
  // scores 1, 2, 3, 3
  const rows = [
    [0, 9, 1],
    [1, 9, 1],
    [1, 9, 3],
    [1, 9, 5],
  ];

  test('of trees, by hand', () => {
    const [a, b, c] = partialDependence(trees, matrixOfRows(rows), [0, 1, 2]);
    // a = 0 makes all scores 1; a = 1 makes the first 2. The mean of the scores is 9/4
    expect([rounded(a.values), rounded(a.changes)]).toEqual([
      [0, 1],
      [1 - 9 / 4, (2 + 2 + 3 + 3) / 4 - 9 / 4],
    ]);
    expect([a.id, a.name, a.isScaled]).toEqual([1, 'a', false]);
    expect(rounded(b.changes)).toEqual([0]);
    // c = 1 makes the last three 2, 3 and 5 make them 3; the first does not ask
    expect([rounded(c.values), rounded(c.changes)]).toEqual([
      [1, 3, 5],
      [(1 + 6) / 4 - 9 / 4, (1 + 9) / 4 - 9 / 4, (1 + 9) / 4 - 9 / 4],
    ]);
  });

  test('of a linear model: its weight times the distance from the mean, by query and in all', () => {
    const linear: Model = { ...trees, missing: 0, scorer: { kind: 'linear', weights: Float64Array.of(3, 0, -2), bias: 7 } };
    const docs = rows.map((cells) => ({ label: 0, cells }));
    const [a] = partialDependence(linear, featureLists([docs.slice(0, 1), docs.slice(1)]), [0]);
    expect(rounded(a.changes)).toEqual([3 * (0 - 3 / 4), 3 * (1 - 3 / 4)]);
    expect(rounded(a.changesByQuery)).toEqual([0, 3, -9, 0]);
    expect([...a.documentsByQuery]).toEqual([1, 3]);
  });

  test('takes quantiles of many values, and the most frequent of many categories', () => {
    const many = matrixOfRows(Array.from({ length: 101 }, (_, i) => [i, 0, i < 40 ? 7 : i]));
    const [a] = partialDependence(trees, many, [0], { points: 5 });
    expect([...a.values]).toEqual([0, 25, 50, 75, 100]);
    const categories = { setOf: Int32Array.of(-1, -1, 0, -1, -1), offsets: Uint32Array.of(0, 1), words: Uint32Array.of(128) };
    const { scorer } = trees;
    if (scorer.kind !== 'trees') throw new Error('expected trees');
    const [c] = partialDependence({ ...trees, scorer: { ...scorer, threshold: scorer.threshold.with(2, -1), categories } }, many, [2], {
      points: 3,
    });
    expect([...c.values]).toEqual([7, 40, 41]);
  });

  test('draws whole queries, the same ones for the same seed', () => {
    const many = featureLists([0, 1, 2].map(() => Array.from({ length: 20 }, (_, i) => ({ label: 0, cells: [i % 2, i, i] }))));
    const one = partialDependence(trees, many, [0], { documents: 15, seed: 3 });
    expect([...one[0].documentsByQuery]).toEqual([20]);
    expect(partialDependence(trees, many, [0], { documents: 15, seed: 3 })).toEqual(one);
  });

  test('refuses features that the model does not have', () => {
    expect(() => partialDependence(trees, matrixOfRows(rows), [3])).toThrow('the model has features 1 to 3, found 4');
  });
});
