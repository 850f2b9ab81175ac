import { describe, expect, test } from 'vitest';
import { dataOf, noisyQueries, objective } from '../../../test/helpers/training-sets.js';
import { lambdaLoss } from '../learners/lambdarank.js';
import { topOneCrossEntropy } from '../learners/listnet.js';
import { pairCrossEntropy } from '../learners/ranknet.js';

const data = dataOf(noisyQueries(8, 5));
const scores = data.labels.map((_, i) => Math.sin(3 * i + 1));

describe.each([
  ['RankNet', pairCrossEntropy(data, 1)],
  ['RankNet, steep', pairCrossEntropy(data, 3)],
  ['ListNet', topOneCrossEntropy(data)],
])('%s', (_, loss) => {
  test('the gradient is what small steps find', () => {
    const gradient = new Float64Array(data.numRows);
    const spare = new Float64Array(data.numRows);
    for (let q = 0; q < data.numQueries; q++) {
      if (loss.teaches[q] === 0) continue;
      loss.compute(q, scores, gradient);
      for (let i = data.queryOffsets[q]; i < data.queryOffsets[q + 1]; i++) {
        const step = 1e-5;
        const up = loss.compute(q, scores.with(i, scores[i] + step), spare);
        const down = loss.compute(q, scores.with(i, scores[i] - step), spare);
        expect(gradient[i]).toBeCloseTo((up - down) / (2 * step), 8);
      }
    }
  });
});

test('RankNet, by hand: three documents, two pairs', () => {
  const three = dataOf([
    [
      [1, 0],
      [0, 0],
      [0, 0],
    ],
  ]);
  const gradient = new Float64Array(3);
  // gaps ln 3 and 0: ln(1 + 1/3) and ln 2; forces 1/4 and 1/2; per pair
  const value = pairCrossEntropy(three, 1).compute(0, Float64Array.from([Math.log(3), 0, Math.log(3)]), gradient);
  expect(value).toBeCloseTo((Math.log(4 / 3) + Math.log(2)) / 2, 14);
  expect([...gradient].map((x) => Number(x.toFixed(14)))).toEqual([-0.375, 0.125, 0.25]);
});

test('ListNet, by hand: labels ln 3 apart', () => {
  const two = dataOf([
    [
      [Math.log(3), 0],
      [0, 0],
    ],
  ]);
  const gradient = new Float64Array(2);
  // chances 3/4 and 1/4 by labels, 1/2 and 1/2 by scores
  expect(topOneCrossEntropy(two).compute(0, new Float64Array(2), gradient)).toBeCloseTo(Math.log(2), 14);
  expect(gradient[0]).toBeCloseTo(-0.25, 14);
  expect(gradient[1]).toBeCloseTo(0.25, 14);
});

describe('LambdaRank', () => {
  test.each(["nDCG(gain='exp')@3", 'AP', 'GAP', 'ERR', 'RR', 'P@2'])('%s: the forces are those of every pair, recomputed', (text) => {
    const measure = objective(text);
    const prepared = measure.prepare(data.labels, data.queryOffsets);
    const loss = lambdaLoss(data, measure, 2, 0);
    const gradient = new Float64Array(data.numRows);
    for (let q = 0; q < data.numQueries; q++) {
      if (loss.teaches[q] === 0) continue;
      const start = data.queryOffsets[q];
      const own = scores.subarray(start, data.queryOffsets[q + 1]);
      const order = Uint32Array.from(own.keys()).sort((a, b) => own[b] - own[a]);
      const value = prepared.value(q, order);
      const expected = new Float64Array(own.length);
      for (let a = 0; a < order.length; a++) {
        for (let b = a + 1; b < order.length; b++) {
          const [i, j] = data.labels[start + order[a]] > data.labels[start + order[b]] ? [order[a], order[b]] : [order[b], order[a]];
          if (data.labels[start + i] === data.labels[start + j]) continue;
          const swapped = order.slice();
          swapped[a] = order[b];
          swapped[b] = order[a];
          const force = (2 * Math.abs(prepared.value(q, swapped) - value)) / (1 + Math.exp(2 * (own[i] - own[j])));
          expected[i] -= force;
          expected[j] += force;
        }
      }
      loss.compute(q, scores, gradient);
      expected.forEach((force, i) => {
        expect(gradient[start + i]).toBeCloseTo(force, 10);
      });
    }
  });

  test('a measure without quick deltas is refused', () => {
    expect(() => lambdaLoss(data, objective('Rprec'), 1, 0)).toThrow(/exchange of two documents/);
  });
});
