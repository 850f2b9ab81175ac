import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allPairs, exactSvm, slowDerivatives, slowLoss, slowLossCurvature, slowLossGradient } from '../../../test/helpers/pair-twins.js';
import { dataOf, matrixOf, noisyQueries, requestFor } from '../../../test/helpers/training-sets.js';
import { ranksvm } from '../learners/ranksvm.js';
import { solveByNewton } from './newton.js';
import { PairHinge } from './pair-hinge.js';
import { SvmProblem } from './problem.js';

/** Labels and scores on a coarse grid, so that ties and gaps of exactly 1 occur. */
const lists = fc.array(
  fc.array(fc.record({ label: fc.integer({ min: 0, max: 4 }), score: fc.integer({ min: -8, max: 8 }).map((s) => s / 4) }), {
    minLength: 1,
    maxLength: 12,
  }),
  { minLength: 1, maxLength: 4 },
);

function expectNear(found: Float64Array, expected: readonly number[]): void {
  expect(found).toHaveLength(expected.length);
  expected.forEach((value, i) => {
    expect(found[i]).toBeCloseTo(value, 8);
  });
}

describe('sums over pairs by sorting', () => {
  test('are those of going through the pairs', () => {
    fc.assert(
      fc.property(lists, lists, (first, second) => {
        const labels = Float64Array.from(first.flat(), ({ label }) => label);
        const offsets = Uint32Array.from([0, ...first.map((_, q) => first.slice(0, q + 1).flat().length)]);
        const pairs = allPairs(labels, offsets);
        const hinge = new PairHinge(labels, offsets);
        expect(hinge.numPairs).toBe(pairs.length);
        const gradient = new Float64Array(labels.length);
        const product = new Float64Array(labels.length);
        const direction = labels.map((_, i) => Math.sin(i + 1));
        const features = 3;
        const cells = Float64Array.from({ length: features * labels.length }, (_, i) => Math.cos(i * i));
        const matrix = new Float64Array(features * features);
        // twice with other scores, because the order is kept in between
        const other = second.flat();
        for (const scores of [Float64Array.from(first.flat(), ({ score }) => score), labels.map((_, i) => other[i % other.length].score)]) {
          for (const width of [Number.POSITIVE_INFINITY, 2, 0.5, 0.0625]) {
            expect(hinge.loss(scores, width, gradient)).toBeCloseTo(slowLoss(pairs, scores, width), 9);
            expectNear(gradient, slowLossGradient(pairs, scores, width));
            expect(hinge.hinges).toBeCloseTo(slowLoss(pairs, scores, 0), 9);
            expect(hinge.derivatives).toBeCloseTo(slowDerivatives(pairs, scores, width), 9);
            const curvature = slowLossCurvature(pairs, scores, width);
            hinge.curvature(direction, product);
            expectNear(
              product,
              curvature.map((row) => row.reduce((sum, value, j) => sum + value * direction[j], 0)),
            );
            hinge.curvatureMatrix(cells, features, matrix, Number.POSITIVE_INFINITY);
            expectNear(
              matrix,
              Array.from({ length: features * features }, (_, at) => {
                const column = (row: number, k: number): number => cells[row * features + k];
                const [k, l] = [Math.floor(at / features), at % features];
                return curvature.flatMap((row, i) => row.map((value, j) => column(i, k) * value * column(j, l))).reduce((a, b) => a + b, 0);
              }),
            );
          }
        }
      }),
    );
  });

  test('a rough matrix is that of some of the queries, scaled up to all pairs', () => {
    // eight times the same query, so that any of them stands for all
    const [query] = noisyQueries(6, 1);
    const { labels, queryOffsets, cells, numFeatures } = dataOf(Array.from({ length: 8 }, () => query));
    const hinge = new PairHinge(labels, queryOffsets);
    const scores = labels.map((_, row) => Math.sin(3 * (row % query.length)));
    hinge.loss(scores, 1.5, new Float64Array(labels.length));
    const whole = new Float64Array(numFeatures ** 2);
    const rough = new Float64Array(numFeatures ** 2);
    hinge.curvatureMatrix(cells, numFeatures, whole, Number.POSITIVE_INFINITY);
    hinge.curvatureMatrix(cells, numFeatures, rough, 1);
    expectNear(rough, [...whole]);
    expect(whole.some((value) => value !== 0)).toBe(true);
  });

  for (const width of [Number.POSITIVE_INFINITY, 0.3]) {
    test(`the derivatives are what small steps find, width ${width}`, () => {
      const { labels, queryOffsets } = dataOf(noisyQueries(3, 4));
      const hinge = new PairHinge(labels, queryOffsets);
      const scores = labels.map((_, i) => Math.sin(7 * i));
      const gradient = new Float64Array(labels.length);
      const up = new Float64Array(labels.length);
      const down = new Float64Array(labels.length);
      const product = new Float64Array(labels.length);
      const step = 1e-5;
      for (let i = 0; i < labels.length; i++) {
        const lossUp = hinge.loss(scores.with(i, scores[i] + step), width, up);
        const lossDown = hinge.loss(scores.with(i, scores[i] - step), width, down);
        hinge.loss(scores, width, gradient);
        expect(gradient[i]).toBeCloseTo((lossUp - lossDown) / (2 * step), 4);
        hinge.curvature(new Float64Array(labels.length).with(i, 1), product);
        for (let j = 0; j < labels.length; j++) expect(product[j]).toBeCloseTo((up[j] - down[j]) / (2 * step), 4);
      }
    });
  }
});

describe('the optimum of RankSVM', () => {
  for (const seed of [1, 2]) {
    for (const c of [0.001, 0.05, 2]) {
      for (const loss of ['hinge', 'squared-hinge'] as const) {
        test(`is that of the quadratic program, seed ${seed}, c ${c}, ${loss}`, async () => {
          const queries = noisyQueries(seed, 3);
          const data = dataOf(queries.map((documents) => documents.map(([label, ...features]) => [label, ...features.map((x) => x / 5)])));
          const rows = Array.from({ length: data.numRows }, (_, r) => [...data.cells.subarray(4 * r, 4 * r + 4)]);
          const exact = exactSvm(rows, allPairs(data.labels, data.queryOffsets), c, loss === 'hinge' ? 1 : 2);
          expect(exact.gap).toBeLessThan(1e-9 * exact.objective + 1e-9);
          for (const tolerance of [1e-2, 1e-4, 1e-6]) {
            const control = { tolerance, maxSteps: 5000, stop: async () => false };
            const found = await solveByNewton(new SvmProblem(data, loss), c, { weights: new Float64Array(4) }, control);
            expect(found.objective / exact.objective).toBeGreaterThan(1 - 1e-9);
            expect(found.gap).toBeLessThanOrEqual(tolerance * found.objective);
            // the gap that is claimed is one
            expect(found.objective - exact.objective).toBeLessThanOrEqual(found.gap + 1e-8 * exact.objective);
          }
        });
      }
    }
  }

  test('is found from a bad place to begin as well', async () => {
    const data = dataOf(noisyQueries(4, 8));
    const control = { tolerance: 1e-5, maxSteps: 200, stop: async () => false };
    const problem = new SvmProblem(data, 'hinge');
    const usual = await solveByNewton(problem, 10, { weights: new Float64Array(4) }, control);
    for (const weights of [new Float64Array(4), Float64Array.of(100, -50, 3, -1000)]) {
      const found = await solveByNewton(problem, 10, { weights, width: 1e-4 }, control);
      expect(found.gap).toBeLessThanOrEqual(1e-5 * found.objective);
      expect(found.objective / usual.objective).toBeCloseTo(1, 4);
    }
  });

  test('with more features than are solved for at once it is the same', async () => {
    // 120 columns, of which all but four are copies: with copies the optimum is that of the four, each weighing more
    const narrow = dataOf(noisyQueries(7, 6).map((documents) => documents.map(([label, ...x]) => [label, ...x.map((v) => v / 5)])));
    const copies = 30;
    const share = 1 / Math.sqrt(copies);
    const numFeatures = 4 * copies;
    const cells = Float64Array.from({ length: narrow.numRows * numFeatures }, (_, i) => {
      const row = Math.floor(i / numFeatures);
      return share * narrow.cells[4 * row + (i % 4)];
    });
    const wide = { ...narrow, numFeatures, cells };
    const control = { tolerance: 1e-6, maxSteps: 5000, stop: async () => false };
    for (const loss of ['hinge', 'squared-hinge'] as const) {
      const one = await solveByNewton(new SvmProblem(narrow, loss), 0.05, { weights: new Float64Array(4) }, control);
      const other = await solveByNewton(new SvmProblem(wide, loss), 0.05, { weights: new Float64Array(numFeatures) }, control);
      expect(other.gap).toBeLessThanOrEqual(1e-6 * other.objective);
      expect(other.objective / one.objective).toBeCloseTo(1, 5);
    }
  });

  test('two documents: the weight is the margin over the squared distance, or as much as c allows', async () => {
    // difference 2, so that w = 1/2 separates by a margin of 1; with the hinge w = min(1/2, 2c)
    const train = matrixOf([
      [
        [1, 3],
        [0, 1],
      ],
    ]);
    for (const [c, expected] of [
      [10, 0.5],
      [0.1, 0.2],
    ]) {
      const model = await ranksvm.train(
        requestFor(ranksvm, train, { options: { c: [c], loss: 'hinge', standardise: false, tolerance: 1e-6 } }),
      );
      if (model.scorer.kind !== 'linear') throw new Error('expected a linear scorer');
      expect(model.scorer.weights[0]).toBeCloseTo(expected, 4);
    }
  });

  test('without validation data c is chosen by queries held back, and the model says which it was', async () => {
    const model = await ranksvm.train(requestFor(ranksvm, matrixOf(noisyQueries(5, 20))));
    expect(model.training?.options.c).toHaveLength(1);
    expect(model.training?.best).toBeUndefined();
  });
});
