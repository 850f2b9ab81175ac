import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allPairs, exactSvm, slowHinge, slowHingeGradient } from '../../../test/helpers/pair-twins.js';
import { dataOf, matrixOf, noisyQueries, requestFor } from '../../../test/helpers/training-sets.js';
import { PairHinge } from './pair-hinge.js';
import { ranksvm } from './ranksvm.js';
import { solveByNewton } from './svm-newton.js';
import { PlaneModel, solveByPlanes } from './svm-planes.js';
import { SvmProblem } from './svm-problem.js';

/** Labels and scores on a coarse grid, so that ties and gaps of exactly 1 occur. */
const lists = fc.array(
  fc.array(fc.record({ label: fc.integer({ min: 0, max: 4 }), score: fc.integer({ min: -8, max: 8 }).map((s) => s / 4) }), {
    minLength: 1,
    maxLength: 12,
  }),
  { minLength: 1, maxLength: 4 },
);

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
        // twice with other scores, because the order is kept in between
        const other = second.flat();
        for (const scores of [Float64Array.from(first.flat(), ({ score }) => score), labels.map((_, i) => other[i % other.length].score)]) {
          for (const power of [1, 2] as const) {
            expect(hinge.loss(scores, power, gradient)).toBeCloseTo(slowHinge(pairs, scores, power), 9);
            slowHingeGradient(pairs, scores, power).forEach((value, i) => {
              expect(gradient[i]).toBeCloseTo(value, 9);
            });
          }
          const direction = labels.map((_, i) => Math.sin(i + 1));
          const product = new Float64Array(labels.length);
          hinge.curvature(direction, product);
          const expected = new Float64Array(labels.length);
          for (const { higher, lower } of pairs) {
            if (!(scores[higher] < scores[lower] + 1)) continue;
            expected[higher] += 2 * (direction[higher] - direction[lower]);
            expected[lower] -= 2 * (direction[higher] - direction[lower]);
          }
          product.forEach((value, i) => {
            expect(value).toBeCloseTo(expected[i], 9);
          });
        }
      }),
    );
  });

  test('the gradient of the squared hinge is what small steps find', () => {
    const { labels, queryOffsets } = dataOf(noisyQueries(3, 4));
    const hinge = new PairHinge(labels, queryOffsets);
    const scores = labels.map((_, i) => Math.sin(7 * i));
    const gradient = new Float64Array(labels.length);
    const spare = new Float64Array(labels.length);
    hinge.loss(scores, 2, gradient);
    for (let i = 0; i < labels.length; i++) {
      const step = 1e-5;
      const up = hinge.loss(scores.with(i, scores[i] + step), 2, spare);
      const down = hinge.loss(scores.with(i, scores[i] - step), 2, spare);
      expect(gradient[i]).toBeCloseTo((up - down) / (2 * step), 4);
    }
  });
});

describe('the optimum of RankSVM', () => {
  const control = { tolerance: 1e-7, maxSteps: 5000, stop: async () => false };
  for (const seed of [1, 2]) {
    for (const c of [0.001, 0.05, 2]) {
      test(`is that of the quadratic program, seed ${seed}, c ${c}`, async () => {
        const queries = noisyQueries(seed, 3);
        const data = dataOf(queries.map((documents) => documents.map(([label, ...features]) => [label, ...features.map((x) => x / 5)])));
        const rows = Array.from({ length: data.numRows }, (_, r) => [...data.cells.subarray(4 * r, 4 * r + 4)]);
        const pairs = allPairs(data.labels, data.queryOffsets);
        const start = new Float64Array(4);
        const newton = await solveByNewton(new SvmProblem(data, 2), c, start, control);
        const squared = exactSvm(rows, pairs, c, 2);
        expect(squared.gap).toBeLessThan(1e-9 * squared.objective + 1e-9);
        expect(newton.objective / squared.objective).toBeCloseTo(1, 7);
        const planes = await solveByPlanes(new SvmProblem(data, 1), new PlaneModel(4), c, start, { ...control, tolerance: 1e-5 });
        const plain = exactSvm(rows, pairs, c, 1);
        expect(plain.gap).toBeLessThan(1e-9 * plain.objective + 1e-9);
        expect(planes.objective / plain.objective).toBeGreaterThan(1 - 1e-9);
        expect(planes.objective / plain.objective).toBeLessThan(1 + 2e-5);
      });
    }
  }

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
