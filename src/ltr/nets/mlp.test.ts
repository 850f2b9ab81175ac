import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../core/numbers/random.js';
import { scoreNet } from '../scoring/dense.js';
import { NetScoring } from '../scoring/net-scoring.js';
import { createJsLayerKernel, QueryBlocks } from './layer-kernel.js';
import { createLayerKernel } from './layer-kernel-wasm.js';
import { type Activation, Mlp, overAllColumns } from './mlp.js';
import { adam, sgd } from './optimiser.js';

const random = seededRandom(11);
const cells = Float64Array.from({ length: 5 * 3 }, () => random.normal());
/** A query of one document, and one of four. */
const blocks = new QueryBlocks(cells, 3, Uint32Array.of(0, 1, 5));

describe('a net', () => {
  for (const hidden of [[], [4], [4, 3], [3, 2, 4]]) {
    for (const activation of ['tanh', 'sigmoid', 'relu'] as Activation[]) {
      test(`its gradient is what small steps find: ${hidden.length} hidden layers, ${activation}`, () => {
        const net = new Mlp(3, hidden, activation, 4);
        net.initialise(seededRandom(5));
        // biases away from 0, so that they are tested too
        for (let i = 0; i < net.parameters.length; i++) net.parameters[i] += 0.01 * (i % 7);
        const byScore = Float64Array.from([0, 0.3, -1, 0.5, 2]);
        const scores = new Float64Array(5);
        // a loss that is linear in the scores of rows 1 to 4
        const loss = (): number => {
          net.forward(blocks.values, blocks.startOf(1), 4, scores, 1);
          return scores.reduce((sum, score, row) => (row === 0 ? sum : sum + score * byScore[row]), 0);
        };
        loss();
        net.backward(byScore, 1, 4);
        const gradient = net.gradient.slice();
        for (let i = 0; i < net.parameters.length; i++) {
          const kept = net.parameters[i];
          const step = 1e-6;
          net.parameters[i] = kept + step;
          const up = loss();
          net.parameters[i] = kept - step;
          const down = loss();
          net.parameters[i] = kept;
          expect(gradient[i]).toBeCloseTo((up - down) / (2 * step), 6);
        }
      });
    }
  }

  test('as a scorer it takes features as they are', () => {
    const net = new Mlp(3, [2], 'tanh', 1);
    net.initialise(seededRandom(1));
    const shift = Float64Array.from([1, -2, 0]);
    const factor = Float64Array.from([0.5, 2, 0]);
    const row = [3, 1, 4];
    const scores = new Float64Array(1);
    const scaled = Float64Array.from(row, (x, c) => (x - shift[c]) * factor[c]);
    net.forward(new QueryBlocks(scaled, 3, Uint32Array.of(0, 1)).values, 0, 1, scores, 0);
    const scorer = net.toScorer(shift, factor);
    if (scorer.kind !== 'net') throw new Error('expected a net');
    let values = row;
    for (const { inputs, units, weights, bias, activation } of scorer.layers) {
      values = Array.from({ length: units }, (_, u) => {
        const sum = values.reduce((total, x, i) => total + weights[u * inputs + i] * x, bias[u]);
        return activation === 'tanh' ? Math.tanh(sum) : sum;
      });
    }
    expect(values[0]).toBeCloseTo(scores[0], 12);
    expect(new Mlp(2, [], 'relu', 1).toScorer(new Float64Array(2), new Float64Array(2).fill(1)).kind).toBe('linear');
  });
});

test('weights do not depend on which columns are left out, and those count for nothing in the end', () => {
  for (const hidden of [[], [2]]) {
    const whole = new Mlp(4, hidden, 'tanh', 1);
    whole.initialise(seededRandom(3));
    const some = new Mlp(2, hidden, 'tanh', 1);
    some.initialise(seededRandom(3), [1, 3], 4);
    const same = (columns: number): Float64Array => new Float64Array(columns).fill(1);
    const firstWeights = (scorer: ReturnType<Mlp['toScorer']>): number[] =>
      Array.from(scorer.kind === 'linear' ? scorer.weights : scorer.layers[0].weights);
    const expected = firstWeights(whole.toScorer(new Float64Array(4), same(4))).map((weight, i) => (i % 2 === 0 ? 0 : weight));
    expect(firstWeights(overAllColumns(some.toScorer(new Float64Array(2), same(2)), [1, 3], 4))).toEqual(expected);
  }
});

test('a step of plain descent', () => {
  const parameters = Float64Array.from([1, 2]);
  sgd(0.5).step(parameters, Float64Array.from([2, -4]));
  expect([...parameters]).toEqual([0, 4]);
});

test('the first two steps of Adam, by hand', () => {
  // step 1: both means are the gradient itself after correction, so the step is the rate
  const parameters = Float64Array.from([1]);
  const optimiser = adam(createJsLayerKernel(), 0.1, 1);
  optimiser.step(parameters, Float64Array.from([4]));
  expect(parameters[0]).toBeCloseTo(0.9, 7);
  // step 2, gradient -2: mean (0.9·0.4 - 0.2)/0.19, square (0.999·0.016 + 0.004)/0.001999
  optimiser.step(parameters, Float64Array.from([-2]));
  expect(parameters[0]).toBeCloseTo(0.9 - (0.1 * (0.16 / 0.19)) / Math.sqrt(0.019984 / 0.001999), 7);
});

describe('the kernels', () => {
  // sizes that fill no block of either kernel, and blocks of documents that do not fill a vector
  test.each([
    [3, [5, 2], 1],
    [7, [9], 6],
    [4, [8, 4], 13],
    [1, [], 3],
    [6, [1, 1, 1], 64],
  ])('give the same bits: %i inputs, hidden %j, %i documents', (inputs, hidden, numRows) => {
    const made = [createLayerKernel, createJsLayerKernel].map((kernel) => {
      const net = new Mlp(inputs, hidden, 'tanh', numRows, kernel);
      const draw = seededRandom(9);
      for (let i = 0; i < net.parameters.length; i++) net.parameters[i] = draw.normal();
      const rows = Float64Array.from({ length: numRows * inputs }, () => draw.normal());
      const some = new QueryBlocks(rows, inputs, Uint32Array.of(0, numRows));
      const scores = new Float64Array(numRows);
      const optimiser = adam(net.kernel, 0.01, net.parameters.length);
      for (let step = 0; step < 3; step++) {
        net.forward(some.values, 0, numRows, scores, 0);
        net.gradient.fill(0);
        net.backward(
          scores.map((score) => Math.sin(score)),
          0,
          numRows,
        );
        optimiser.step(net.parameters, net.gradient);
      }
      return { scores, gradient: net.gradient.slice(), parameters: net.parameters.slice(), net, rows };
    });
    expect(made[0].net.parameters.buffer.byteLength % 65536).toBe(0); // WebAssembly hands out pages
    for (const what of ['scores', 'gradient', 'parameters'] as const) expect(made[0][what]).toEqual(made[1][what]);
  });

  test('score many documents as they score one, in every bit', () => {
    const net = new Mlp(5, [7, 3], 'sigmoid', 1);
    net.initialise(seededRandom(2));
    const scorer = net.toScorer(new Float64Array(5), new Float64Array(5).fill(3));
    if (scorer.kind !== 'net') throw new Error('expected a net');
    const draw = seededRandom(3);
    const rows = Float64Array.from({ length: 5 * 131 }, () => draw.normal());
    const [many, each] = [new Float64Array(131), new Float64Array(131)];
    new NetScoring(scorer).score(rows, 131, many);
    scoreNet(scorer, rows, 131, each);
    expect(many).toEqual(each);
  });
});
