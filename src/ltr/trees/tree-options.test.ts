import { describe, expect, it } from 'vitest';
import { asSparse, featureLists, type LabelledDoc, randomQueries } from '../../../test/helpers/feature-lists.js';
import { seededRandom } from '../../core/numbers/random.js';
import { parseMeasures } from '../../measures/parse.js';
import { lambdamart, trainLambdaMart } from '../learners/lambdamart.js';
import { mart, trainMart } from '../learners/mart.js';
import { randomForest } from '../learners/random-forest.js';
import { objectiveOf } from '../objectives/index.js';
import { checkOptions, type GivenOptions } from '../options.js';
import type { TrainingRequest, TrainingSet, TreeScorer } from '../ranker.js';
import { scoreMatrix } from '../scoring/score.js';
import { drawTopAndOthers } from './row-sample.js';
import { markAllowed } from './splits/node-features.js';

const objective = objectiveOf(parseMeasures('nDCG@10')[0]);
const doc = (label: number, ...cells: number[]): LabelledDoc => ({ label, cells });
const data = featureLists(randomQueries(31, { queries: 60, features: 6, missing: 0.05 }));

/** Scores of one tree on labels as they are: no mean to begin with, and the whole step. */
async function oneTree(train: TrainingSet, options: GivenOptions, more: Partial<TrainingRequest> = {}): Promise<number[]> {
  const initialScores = new Float64Array(train.numRows);
  const complete = checkOptions(mart, { trees: 1, rate: 1, minDocs: 1, leaves: 2, minHessian: 0, ...options });
  const model = await mart.train({ train, objective, options: complete, seed: 1, initialScores, ...more });
  return [...scoreMatrix(model, train)];
}

const trees = (scorer: unknown): TreeScorer => scorer as TreeScorer;

describe('what holds the values of leaves back, by hand', () => {
  // labels 0 1 | 3 4: gradients at 0 are the labels with the other sign, and each hessian is 1
  const four = featureLists([[doc(0, 1), doc(1, 1), doc(3, 2), doc(4, 2)]]);
  const close = (found: readonly number[], expected: readonly number[]): void => {
    for (const [i, value] of expected.entries()) expect(found[i]).toBeCloseTo(value, 9);
  };

  it('nothing: the means', async () => close(await oneTree(four, {}), [0.5, 0.5, 3.5, 3.5]));
  it('L1 is taken off the sums', async () => close(await oneTree(four, { l1: 0.5 }), [0.25, 0.25, 3.25, 3.25]));
  it('L1 beyond a sum leaves 0', async () => close(await oneTree(four, { l1: 2 }), [0, 0, 2.5, 2.5]));
  it('L1 and L2', async () => close(await oneTree(four, { l1: 0.5, l2: 3 }), [0.1, 0.1, 1.3, 1.3]));
  it('a longest step', async () => close(await oneTree(four, { maxStep: 2 }), [0.5, 0.5, 2, 2]));
  // the root has 8 / 4 = 2; with 2 documents and p = 2 a leaf is half its own mean and half that
  it('smoothing', async () => close(await oneTree(four, { smoothing: 2 }), [1.25, 1.25, 2.75, 2.75]));

  it('smoothing goes on from smoothed values', async () => {
    const six = featureLists([[doc(0, 1), doc(0, 1), doc(4, 2), doc(4, 2), doc(8, 3), doc(8, 3)]]);
    // root 4; first split after feature 1 <= 2 or 1: gains are equal, and the first is taken: left 2 documents of mean 0, right 4 of mean 6
    // p = 4: left 0·⅓ + 4·⅔ = 8/3; right 6·½ + 4·½ = 5, and of it 4·⅓ + 5·⅔ = 14/3 and 8·⅓ + 5·⅔ = 6
    close(await oneTree(six, { smoothing: 4, leaves: 3 }), [8 / 3, 8 / 3, 14 / 3, 14 / 3, 6, 6]);
  });

  it('weights of documents are as good as documents that are there so often', async () => {
    const weighted = await oneTree(four, { l2: 1 }, { documentWeights: Float64Array.of(1, 3, 2, 1) });
    const repeated = featureLists([[doc(0, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(3, 2), doc(3, 2), doc(4, 2)]]);
    const found = await oneTree(repeated, { l2: 1 });
    close(weighted, [found[0], found[1], found[4], found[6]]);
    close(weighted, [3 / 5, 3 / 5, 10 / 4, 10 / 4]);
  });

  it('weights of documents scale gradients of any kind', async () => {
    const rows = Array.from({ length: data.numRows }, (_, row) => row);
    const documentWeights = Float64Array.from(rows, (row) => (row % 3 === 0 ? 0 : 2));
    for (const more of [
      {},
      {
        gradients: {
          name: 'own',
          gradients: (scores: Float64Array) => ({ gradient: scores.map((_, i) => i - 2), hessian: scores.map(() => 1) }),
        },
      },
    ]) {
      const request = { train: data, objective, seed: 1, options: checkOptions(lambdamart, { trees: 1, minDocs: 3, leaves: 4 }), ...more };
      const plain = trees((await trainLambdaMart(request)).scorer);
      const twice = trees((await trainLambdaMart({ ...request, documentWeights: documentWeights.map(() => 2) })).scorer);
      // twice the gradients and twice the hessians are the same step, and twice the gain
      expect(twice.value).toEqual(plain.value);
      expect(twice.gain).toEqual(plain.gain?.map((gain) => 2 * gain));
      expect(trees((await trainLambdaMart({ ...request, documentWeights })).scorer).value).not.toEqual(plain.value);
    }
  });

  it('the mean label that MART begins with knows the weights', async () => {
    const options = checkOptions(mart, { trees: 1, minDocs: 100 });
    const model = await mart.train({ train: four, objective, options, seed: 1, documentWeights: Float64Array.of(0, 1, 0, 1) });
    expect(trees(model.scorer).base).toBe(2.5);
  });

  it('scores to begin with are no part of the model', async () => {
    // what is left to learn: -1 0 | 1 2
    const found = await oneTree(four, {}, { initialScores: Float64Array.of(1, 1, 2, 2) });
    close(found, [-0.5, -0.5, 1.5, 1.5]);
  });
});

describe('categories', () => {
  // categories 7, 2, 5 with means 4, 0, 2: no threshold sets 7 and 5 apart from 2 and 6 … one set does
  const kinds = [7, 2, 5, 2, 7, 5, 2, 7];
  const train = featureLists([kinds.map((kind) => doc(kind === 2 ? 0 : kind === 5 ? 4 : 4, kind))]);

  it('one of few is set apart', async () => {
    const found = await oneTree(train, { categorical: '1', oneHotBins: 4, minBinDocs: 1, categorySmoothing: 1, minCategoryDocs: 1 });
    expect(found).toEqual(kinds.map((kind) => (kind === 2 ? 0 : 4)));
  });

  it('many are divided into two sets, and what was never seen goes right', async () => {
    const many = featureLists([Array.from({ length: 60 }, (_, i) => doc((i % 6) % 2 === 0 ? 0 : 3, i % 6))]);
    const options = { categorical: '1', minBinDocs: 1, categorySmoothing: 1, minCategoryDocs: 1, categoryL2: 0 };
    const complete = checkOptions(mart, { trees: 1, rate: 1, minDocs: 1, leaves: 2, ...options });
    const initialScores = new Float64Array(60);
    const model = await mart.train({ train: many, objective, options: complete, seed: 1, initialScores });
    const { categories } = trees(model.scorer);
    expect(categories).toBeDefined();
    // by gradients over hessians, ascending: the odd ones, whose gradients are negative, go left
    expect([...(categories?.words ?? [])]).toEqual([0b101010]);
    const odd = featureLists([[doc(0, 1), doc(0, 4), doc(0, 99), doc(0, Number.NaN), doc(0, -3), doc(0, 3.7)]]);
    expect([...scoreMatrix(model, odd)]).toEqual([3, 0, 0, 0, 0, 3]);
  });

  it('are the same in sparse data, where what is left out is category 0', async () => {
    const options = checkOptions(mart, {
      trees: 3,
      minDocs: 1,
      categorical: '3,6',
      minBinDocs: 1,
      categorySmoothing: 1,
      minCategoryDocs: 1,
    });
    const whole = featureLists(
      randomQueries(5, { queries: 30, features: 6 }).map((query) =>
        query.map(({ label, cells }) => ({ label, cells: cells.map((x) => Math.abs(Math.round(3 * x))) })),
      ),
    );
    const dense = await mart.train({ train: whole, objective, options, seed: 1 });
    const sparse = await mart.train({ train: asSparse(whole), objective, options, seed: 1 });
    expect(sparse.scorer).toEqual(dense.scorer);
    expect(trees(dense.scorer).categories).toBeDefined();
  });

  it('are named by id, and names that are not there are refused', async () => {
    const request = (options: GivenOptions): TrainingRequest => ({ train, objective, options: checkOptions(mart, options), seed: 1 });
    await expect(trainMart(request({ categorical: '2' }))).rejects.toThrow('categorical: there is no feature 2; ids go from 1 to 1');
    await expect(trainMart(request({ interactions: '1;x' }))).rejects.toThrow('interactions: there is no feature x; ids go from 1 to 1');
    await expect(trainMart(request({ categorical: '1', monotone: [1] }))).rejects.toThrow('feature 1 has categories');
    await expect(trainMart(request({ extraTrees: true, bins: 300 }))).rejects.toThrow('splits are drawn from at most 255 bins');
    const byDocuments = { ...request({}), options: checkOptions(lambdamart, { splitBy: 'documents', smoothing: 1 }) };
    await expect(trainLambdaMart(byDocuments)).rejects.toThrow('leave out smoothing, or splitBy=documents');
  });
});

describe('which features a leaf may be split by', () => {
  const active = Uint8Array.of(1, 1, 0, 1, 1, 1);
  const allowedUnder = (path: readonly number[], share: number, groups?: readonly (readonly number[])[]): number[] => {
    const allowed = new Uint8Array(6);
    const rules = { nodeFeatureSample: share, interactions: groups?.map((group) => new Set(group)), dropsUselessFeatures: false };
    markAllowed(rules, undefined, active, path, seededRandom(1), allowed);
    return [...allowed.keys()].filter((f) => allowed[f] === 1);
  };

  it('those of a set that holds all that it lies under', () => {
    const groups = [
      [0, 1],
      [1, 2, 3],
    ];
    expect(allowedUnder([], 1, groups)).toEqual([0, 1, 3]);
    expect(allowedUnder([1], 1, groups)).toEqual([0, 1, 3]);
    expect(allowedUnder([0], 1, groups)).toEqual([0, 1]);
    expect(allowedUnder([0, 3], 1, groups)).toEqual([]);
  });

  it('a share of those of its tree, rounded up', () => {
    expect(allowedUnder([], 0.5)).toHaveLength(3);
    expect(allowedUnder([], 0.01)).toHaveLength(1);
    expect(allowedUnder([], 1)).toEqual([0, 1, 3, 4, 5]);
  });

  it('no way from a root to a leaf mixes sets', async () => {
    const options = checkOptions(lambdamart, { trees: 10, leaves: 12, minDocs: 2, interactions: '1,2;3,4,5' });
    const { feature, left, right, nodeOffsets } = trees((await lambdamart.train({ train: data, objective, options, seed: 1 })).scorer);
    const seen = new Set<number>();
    const walk = (node: number, path: readonly number[]): void => {
      if (feature[node] < 0) return;
      const way = [...path, feature[node]];
      seen.add(feature[node]);
      expect(
        [
          [0, 1],
          [2, 3, 4],
        ].some((group) => way.every((f) => group.includes(f))),
      ).toBe(true);
      walk(left[node], way);
      walk(right[node], way);
    };
    for (const root of nodeOffsets.subarray(0, 10)) walk(root, []);
    expect(seen.size).toBeGreaterThan(3);
  });
});

describe('what is drawn', () => {
  it('GOSS keeps the largest and lets a few of the others stand for all', () => {
    const rows = Uint32Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    const gradients = Float64Array.from({ length: 11 }, (_, i) => (i % 2 === 0 ? i : -i));
    const hessians = new Float64Array(11).fill(1);
    const drawn = drawTopAndOthers(rows, gradients, hessians, 0.25, 0.3, seededRandom(3));
    // ⌊2.5⌋ kept, ⌊3⌋ of the other 8 drawn, times 8/3
    expect(drawn).toHaveLength(5);
    expect([...drawn].slice(-2)).toEqual([9, 10]);
    expect([gradients[9], gradients[10]]).toEqual([-9, 10]);
    for (const row of drawn.subarray(0, 3)) {
      expect(Math.abs(gradients[row])).toBeCloseTo((row * 8) / 3, 12);
      expect(hessians[row]).toBeCloseTo(8 / 3, 12);
    }
    const others = [...rows].filter((row) => !drawn.includes(row));
    expect(others.every((row) => Math.abs(gradients[row]) === row)).toBe(true);
  });

  it.each([
    ['GOSS', { sampleBy: 'gradient', rate: 0.5 }],
    ['extra trees', { extraTrees: true }],
    ['features of leaves', { nodeFeatureSample: 0.4 }],
  ])('%s: by the seed, with and without WebAssembly, and otherwise than without', async (_, options) => {
    const model = async (given: GivenOptions, seed: number, plain = false) =>
      await trainLambdaMart(
        { train: data, objective, options: checkOptions(lambdamart, { trees: 8, minDocs: 3, rate: 0.5, ...given }), seed },
        plain,
      );
    const first = await model(options, 1);
    expect(await model(options, 1, true)).toEqual(first);
    expect((await model(options, 2)).scorer).not.toEqual(first.scorer);
    expect((await model({}, 1)).scorer).not.toEqual(first.scorer);
  });

  it('forests take the same options', async () => {
    const options = checkOptions(randomForest, { trees: 5, extraTrees: true, nodeFeatureSample: 0.5, l1: 0.1 });
    const model = await randomForest.train({ train: data, objective, options, seed: 1 });
    expect(trees(model.scorer).feature.some((feature) => feature >= 0)).toBe(true);
  });
});

describe('more bins than a byte has', () => {
  it('find every threshold between 1,000 values', async () => {
    // only between 612 and 613 does the label change: 255 bins would not have that edge
    const wide = featureLists([Array.from({ length: 1000 }, (_, i) => doc(i > 612 ? 1 : 0, i))]);
    const options = checkOptions(mart, { trees: 1, leaves: 2, minDocs: 1, bins: 65_535 });
    const { threshold, feature } = trees((await mart.train({ train: wide, objective, options, seed: 1 })).scorer);
    expect([feature[0], threshold[0]]).toEqual([0, 612.5]);
    const few = checkOptions(mart, { trees: 1, leaves: 2, minDocs: 1 });
    expect(trees((await mart.train({ train: wide, objective, options: few, seed: 1 })).scorer).threshold[0]).not.toBe(612.5);
  });

  it('change nothing where a byte is enough', async () => {
    const rounded = (query: readonly LabelledDoc[]): LabelledDoc[] =>
      query.map(({ label, cells }) => ({ label, cells: cells.map((x) => Math.round(10 * x) / 10) }));
    const few = featureLists(randomQueries(31, { queries: 60, features: 6, missing: 0.05 }).map(rounded));
    const request = (bins: number): TrainingRequest => ({
      ...{ train: few, validation: few, objective, seed: 1 },
      options: checkOptions(lambdamart, { trees: 5, minDocs: 3, featureSample: 0.6, nodeFeatureSample: 0.7, bins }),
    });
    expect((await trainLambdaMart(request(5000))).scorer).toEqual((await trainLambdaMart(request(255))).scorer);
  });
});
