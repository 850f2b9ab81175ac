import { describe, expect, test } from 'vitest';
import { featureLists } from '../../../test/helpers/feature-lists.js';
import { matrixOfRows } from '../../../test/helpers/slow-models.js';
import { parseMeasure } from '../../measures/parse.js';
import type { Model } from '../ranker.js';
import { ownImportance, shuffledImportance } from './importance.js';
import { summariseModel, usedFeatures } from './summary.js';

/** Feature 1 at 0.5; on its right feature 3 at 2. */
const trees: Model = {
  learner: 'mart',
  firstFeature: 1,
  numFeatures: 3,
  featureNames: ['a', 'b', 'c'],
  missing: Number.NaN,
  scorer: {
    kind: 'trees',
    base: 0,
    nodeOffsets: Uint32Array.of(0, 5, 6),
    treeWeights: Float64Array.of(1, 1),
    feature: Int32Array.of(0, -1, 2, -1, -1, -1),
    threshold: Float64Array.of(0.5, 0, 2, 0, 0, 0),
    left: Uint32Array.of(1, 0, 3, 0, 0, 0),
    right: Uint32Array.of(2, 0, 4, 0, 0, 0),
    missingLeft: new Uint8Array(6),
    value: Float64Array.of(0, 1, 0, 2, 3, 7),
    gain: Float64Array.of(10, 0, 2.5, 0, 0, 0),
  },
};
const linear: Model = { ...trees, missing: 0, scorer: { kind: 'linear', weights: Float64Array.of(2, 0, 0), bias: 0 } };

describe('summariseModel(model)', () => {
  test('counts trees, leaves and levels', () => {
    expect(summariseModel(trees)).toEqual({
      learner: 'mart',
      scorer: 'trees',
      features: { first: 1, last: 3, used: 2 },
      trees: { trees: 2, leaves: { least: 1, mean: 2, most: 3 }, depth: { least: 0, mean: 1, most: 2 } },
    });
    expect([...usedFeatures(linear)]).toEqual([1, 0, 0]);
  });
});

describe('importance', () => {
  test('of trees: gains and splits of each feature', () => {
    expect(ownImportance(trees)).toEqual([
      { id: 1, name: 'a', gain: 10, splits: 1 },
      { id: 2, name: 'b', gain: 0, splits: 0 },
      { id: 3, name: 'c', gain: 2.5, splits: 1 },
    ]);
  });

  test('by shuffling: a feature without weight loses nothing, the only one that matters loses', () => {
    const rows = Array.from({ length: 12 }, (_, i) => [12 - i, i % 3, 5]);
    const matrix = { ...matrixOfRows(rows), labels: Float64Array.from(rows, (_, i) => (i < 4 ? 1 : 0)) };
    const options = { measure: parseMeasure('AP'), seed: 3, repeats: 4 };
    const found = shuffledImportance(linear, matrix, options);
    expect(found.map(({ loss }) => loss! > 0.05)).toEqual([true, false, false]);
    expect(found[1].loss).toBe(0);
    // AP is 1 before, so the loss is what the shuffled rankings lack; the same seed gives the same
    expect(found[0].loss).toBeLessThan(1);
    expect(shuffledImportance(linear, matrix, options)).toEqual(found);
  });

  test('by shuffling: query by query, and within queries', () => {
    // a is the query's own number, b the place within it: shuffled within queries, a loses nothing
    const matrix = featureLists(
      [0, 1, 2].map((q) => [0, 1, 2, 3].map((place) => ({ label: place === 0 ? 1 : 0, cells: [q, 4 - place, 0] }))),
    );
    const sum: Model = { ...linear, scorer: { kind: 'linear', weights: Float64Array.of(1, 1, 0), bias: 0 } };
    const options = { measure: parseMeasure('RR'), seed: 3, repeats: 6 };
    const over = shuffledImportance(sum, matrix, options);
    const within = shuffledImportance(sum, matrix, { ...options, shuffle: 'query' });
    for (const { loss, lossByQuery } of [...over, ...within]) {
      expect(lossByQuery).toHaveLength(3);
      expect(lossByQuery!.reduce((total, one) => total + one, 0) / 3).toBeCloseTo(loss!, 12);
    }
    expect(over[0].loss).toBeGreaterThan(0);
    expect(within[0].loss).toBe(0);
    expect(within[1].loss).toBeGreaterThan(0);
    // a mean of another kind has no losses query by query that it would be the mean of
    expect(shuffledImportance(sum, matrix, { ...options, measure: parseMeasure("AP(agg='geometric')") })[0].lossByQuery).toBeUndefined();
  });

  test('a net tells nothing by itself', () => {
    expect(() => ownImportance({ ...linear, scorer: { kind: 'net', layers: [] } })).toThrow(/give --data/);
  });
});
