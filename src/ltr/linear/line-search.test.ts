import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dataOf, matrixOf, objective, requestFor } from '../../../test/helpers/training-sets.js';
import { coordinateAscent } from '../learners/coordinate-ascent.js';
import { OrderSorter, Rankings } from '../training/rankings.js';
import { columnsOf } from '../training/training-cells.js';
import { LineSearch, ROUNDING } from './line-search.js';

/** All weights that are tried, ranked from scratch. */
function slowSearch(
  data: ReturnType<typeof dataOf>,
  text: string,
  weights: Float64Array,
  feature: number,
  numSteps: number,
): { weight: number; value: number } {
  const prepared = objective(text).prepare(data.labels, data.queryOffsets);
  const cell = (row: number, c: number): number => data.cells[row * data.numFeatures + c];
  const old = weights[feature];
  const scores = Array.from({ length: data.numRows }, (_, row) => weights.reduce((sum, w, c) => sum + w * cell(row, c), 0));
  const valueAt = (weight: number): number => {
    let sum = 0;
    for (let q = 0; q < data.numQueries; q++) {
      const start = data.queryOffsets[q];
      const own = scores
        .slice(start, data.queryOffsets[q + 1])
        .map((score, i) => score - old * cell(start + i, feature) + weight * cell(start + i, feature));
      sum += prepared.value(q, Uint32Array.from(Array.from(own.keys()).sort((a, b) => own[b] - own[a] || a - b)));
    }
    return sum / data.numQueries;
  };
  let best = { weight: old, value: valueAt(old) };
  for (const direction of [1, -1]) {
    const before = best.value;
    let step = 0.001 > 0.5 * Math.abs(old) && old !== 0 ? 0.05 * Math.abs(old) : 0.001;
    let total = 0;
    for (let i = 0; i < numSteps; i++, step *= 2) {
      total += step;
      const value = valueAt(old + direction * total);
      if (value > best.value + ROUNDING) best = { weight: old + direction * total, value };
    }
    if (best.value > before) return best;
  }
  const value = valueAt(0);
  return value > best.value + ROUNDING ? { weight: 0, value } : best;
}

describe('the search along one weight', () => {
  test.each(["nDCG(gain='exp')@3", 'AP', 'RR', 'P@2'])('%s: finds what ranking from scratch at every step finds', (text) => {
    const document = fc.tuple(fc.integer({ min: 0, max: 2 }), ...[1, 2, 3].map(() => fc.integer({ min: -20, max: 20 })));
    const queries = fc.array(fc.array(document, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(queries, fc.array(fc.integer({ min: -997, max: 997 }), { minLength: 3, maxLength: 3 }), (lists, thousandths) => {
        const data = dataOf(lists);
        const rankings = new Rankings(objective(text), data.labels, data.queryOffsets);
        fc.pre(rankings.teaching.length > 0 && rankings.numCounted === data.numQueries);
        // irrational weights, so that documents tie only if all their features agree
        const weights = Float64Array.from(thousandths, (w, c) => (w / 1000) * Math.sqrt([2, 3, 5][c]));
        const search = new LineSearch(data.queryOffsets, rankings, 25);
        const value = search.start(data, weights);
        const columns = columnsOf(data);
        for (const feature of [2, 0, 1]) {
          const column = columns.subarray(feature * data.numRows, (feature + 1) * data.numRows);
          const found = search.along(column, weights[feature], value, () => 0);
          const expected = slowSearch(data, text, weights, feature, 25);
          expect(found.value).toBeCloseTo(expected.value, 12);
          expect(found.weight).toBe(expected.weight);
        }
      }),
      { numRuns: 150 },
    );
  });
});

test('sorting from any order, to any depth', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 1, maxLength: 60 }),
      fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 60, maxLength: 60 }),
      fc.integer({ min: 1, max: 70 }),
      (first, second, depth) => {
        const sorter = new OrderSorter();
        const order = Uint32Array.from(first.keys());
        for (const values of [first, second, second]) {
          const scores = Float64Array.from([99, ...values]);
          const before = order.slice(0, depth);
          const expected = Array.from(first.keys()).sort((a, b) => values[b] - values[a] || a - b);
          const moved = sorter.sort(order, scores, 1, depth);
          expect([...order.slice(0, depth)]).toEqual(expected.slice(0, depth));
          expect([...order].sort((a, b) => a - b)).toEqual([...first.keys()]);
          if (!moved) expect([...before]).toEqual(expected.slice(0, depth));
        }
      },
    ),
  );
});

describe('coordinate ascent', () => {
  // the first feature misleads, the second is right, the third never changes
  const queries = Array.from({ length: 6 }, (_, q) => [
    [1, 0, 5, 7],
    [0, 3 + q, 1, 7],
    [0, 1, 2, 7],
  ]);

  test('finds weights that rank everything rightly, of which the sizes sum to 1', async () => {
    const model = await coordinateAscent.train(requestFor(coordinateAscent, matrixOf(queries), { objective: objective('AP') }));
    if (model.scorer.kind !== 'linear') throw new Error('expected a linear scorer');
    const { weights } = model.scorer;
    expect(weights.reduce((sum, w) => sum + Math.abs(w), 0)).toBeCloseTo(1, 12);
    expect(weights[2]).toBe(0);
    for (const documents of queries) {
      const scores = documents.map(([, ...x]) => x.reduce((sum, value, c) => sum + value * weights[c], 0));
      expect(scores[0]).toBeGreaterThan(Math.max(scores[1], scores[2]));
    }
  });

  test('the value on the training data never falls within one start', async () => {
    const values: number[] = [];
    await coordinateAscent.train(
      requestFor(coordinateAscent, matrixOf(queries), {
        options: { restarts: 1 },
        onIteration: ({ training }) => values.push(training ?? 0),
      }),
    );
    expect(values.length).toBeGreaterThan(0);
    values.forEach((value, i) => {
      if (i > 0) expect(value).toBeGreaterThanOrEqual(values[i - 1]);
    });
  });
});
