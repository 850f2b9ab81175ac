import { describe, expect, it } from 'vitest';
import { featureLists, type LabelledDoc, randomQueries } from '../../../test/helpers/feature-lists.js';
import { parseMeasures } from '../../measures/parse.js';
import { mart, trainMart } from '../learners/mart.js';
import { randomForest, trainForest } from '../learners/random-forest.js';
import { objectiveOf } from '../objectives/index.js';
import { checkOptions } from '../options.js';
import type { TreeScorer } from '../ranker.js';
import { scoreMatrix } from '../scoring/score.js';
import { permutationImportance, treeImportance } from './importance.js';

const objective = objectiveOf(parseMeasures('nDCG@10')[0]);
const doc = (label: number, ...cells: number[]): LabelledDoc => ({ label, cells });
const data = featureLists(randomQueries(31, { queries: 60, features: 6, missing: 0.05 }));

describe('MART', () => {
  it('takes the mean label first, then steps towards the means of leaves', async () => {
    const train = featureLists([[doc(0, 1), doc(1, 1), doc(3, 2), doc(4, 2)], [doc(2, 3)]]);
    const options = checkOptions(mart, { trees: 1, rate: 0.5, minDocs: 1, leaves: 2 });
    const model = await mart.train({ train, objective, options, seed: 1 });
    // by hand: mean 2; the residuals -2 -1 1 2 0 are best divided after the first two: means -1.5 and 1
    const scores = scoreMatrix(model, train);
    expect(Array.from(scores, (score) => Number(score.toFixed(9)))).toEqual([1.25, 1.25, 2.5, 2.5, 2.5]);
    expect((model.scorer as TreeScorer).gain?.[0]).toBeCloseTo(2 * 1.5 ** 2 + 3 * 1, 9);
  });

  it('comes ever closer to the labels, with the same bytes without WebAssembly', async () => {
    const options = checkOptions(mart, { trees: 60, minDocs: 2 });
    const model = await trainMart({ train: data, objective, options, seed: 1 });
    const errors = scoreMatrix(model, data).map((score, row) => (score - data.labels[row]) ** 2);
    const mean = data.labels.reduce((sum, label) => sum + label, 0) / data.numRows;
    const spread = data.labels.map((label) => (label - mean) ** 2);
    const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);
    expect(sum(errors)).toBeLessThan(0.2 * sum(spread));
    expect(await trainMart({ train: data, objective, options, seed: 1 }, true)).toEqual(model);
  });
});

describe('random forest', () => {
  it('averages mean labels: one query, all of it drawn, is a plain regression tree', async () => {
    const train = featureLists([[doc(0, 1), doc(1, 1), doc(3, 2), doc(4, 2)]]);
    const options = checkOptions(randomForest, { trees: 3, leaves: 2, featureSample: 1 });
    const model = await randomForest.train({ train, objective, options, seed: 1 });
    expect(Array.from(scoreMatrix(model, train), (score) => Number(score.toFixed(6)))).toEqual([0.5, 0.5, 3.5, 3.5]);
  });

  it('draws queries and features anew for each tree, by the seed', async () => {
    const options = checkOptions(randomForest, { trees: 12 });
    const forest = (seed: number, plain?: boolean) => trainForest({ train: data, objective, options, seed, validation: data }, plain);
    const model = await forest(1);
    expect(await forest(1, true)).toEqual(model);
    expect(await forest(2)).not.toEqual(model);
    const { feature, nodeOffsets, treeWeights, divisor } = model.scorer as TreeScorer;
    expect(treeWeights.length / (divisor ?? 1)).toBe(1);
    for (let tree = 0; tree < 12; tree++) {
      // 0.3 of 6 features
      const used = new Set(feature.subarray(nodeOffsets[tree], nodeOffsets[tree + 1]).filter((f) => f >= 0));
      expect(used.size).toBeLessThanOrEqual(2);
    }
  });
});

describe('importance of features', () => {
  const scorer: TreeScorer = {
    kind: 'trees',
    base: 0,
    nodeOffsets: Uint32Array.of(0, 5),
    treeWeights: Float64Array.of(1),
    feature: Int32Array.of(2, 0, -1, -1, -1),
    threshold: Float64Array.of(1, 1, 0, 0, 0),
    left: Uint32Array.of(1, 2, 2, 3, 4),
    right: Uint32Array.of(4, 3, 2, 3, 4),
    missingLeft: new Uint8Array(5),
    value: Float64Array.of(0, 0, 1, 2, 3),
    gain: Float64Array.of(10, 4, 0, 0, 0),
  };

  it('adds up gains and counts splits', () => {
    expect(treeImportance(scorer, 4)).toEqual({ gain: Float64Array.of(4, 0, 10, 0), split: Float64Array.of(1, 0, 1, 0) });
    expect(treeImportance({ ...scorer, gain: undefined }, 3).gain).toBeUndefined();
  });

  it('tells what is lost when a column is shuffled, and leaves the data alone', () => {
    const cells = Float64Array.from({ length: 300 }, (_, i) => (i % 3 === 0 ? i : 1));
    const before = Float64Array.from(cells);
    // the first column is all that matters, and in the right order it is worth 1
    const values = (some: Float64Array): Float64Array => {
      let inOrder = 0;
      for (let row = 1; row < 100; row++) if (some[row * 3] > some[row * 3 - 3]) inOrder++;
      return Float64Array.of(inOrder / 99);
    };
    const losses = permutationImportance({ cells, numFeatures: 3, values, seed: 1 }).map(([loss]) => loss);
    // about half of the neighbours of a shuffled column ascend
    expect(losses[0]).toBeGreaterThan(0.4);
    expect(losses[0]).toBeLessThan(0.6);
    expect([losses[1], losses[2]]).toEqual([0, 0]);
    expect(cells).toEqual(before);
  });

  it('keeps values within their queries when asked to', () => {
    // ten queries of ten rows: shuffled within them, the sum of each query stays what it was
    const cells = Float64Array.from({ length: 100 }, (_, i) => i * i);
    const queryOffsets = Uint32Array.from({ length: 11 }, (_, q) => 10 * q);
    const sums = (some: Float64Array): Float64Array =>
      Float64Array.from({ length: 10 }, (_, q) => some.subarray(10 * q, 10 * q + 10).reduce((sum, x) => sum + x, 0));
    const firsts = (some: Float64Array): Float64Array => Float64Array.from({ length: 10 }, (_, q) => some[10 * q]);
    const request = { cells, numFeatures: 1, seed: 4, repeats: 1 };
    expect([...permutationImportance({ ...request, values: sums, queryOffsets })[0]].every((loss) => loss === 0)).toBe(true);
    expect([...permutationImportance({ ...request, values: firsts, queryOffsets })[0]].some((loss) => loss !== 0)).toBe(true);
    expect([...permutationImportance({ ...request, values: sums })[0]].some((loss) => loss !== 0)).toBe(true);
  });
});
