import { describe, expect, test } from 'vitest';
import { matrixOf, noisyQueries, objective, requestFor, withFeatures } from '../../test/helpers/training-sets.js';
import { adarank } from './learners/adarank.js';
import { coordinateAscent } from './learners/coordinate-ascent.js';
import { lambdarank } from './learners/lambdarank.js';
import { linearRegression, solveSymmetric } from './learners/linear-regression.js';
import { listnet } from './learners/listnet.js';
import { rankboost } from './learners/rankboost.js';
import { ranknet } from './learners/ranknet.js';
import { ranksvm } from './learners/ranksvm.js';
import { softrank } from './learners/softrank.js';
import type { Iteration, Learner, Model, TrainingSet } from './ranker.js';
import { scoreMatrix } from './scoring/score.js';
import { Rankings } from './training/rankings.js';

const learners: readonly Learner[] = [
  adarank,
  coordinateAscent,
  lambdarank,
  linearRegression,
  listnet,
  rankboost,
  ranknet,
  ranksvm,
  softrank,
];
const train = matrixOf(noisyQueries(1, 40));
const validation = matrixOf(noisyQueries(2, 20));
const test_ = matrixOf(noisyQueries(3, 40));

function quality(model: Model, matrix = test_): number {
  return new Rankings(objective("nDCG(gain='exp')@10"), matrix.labels, matrix.queryOffsets).mean(scoreMatrix(model, matrix));
}

/** Everything in the model, the bits of its numbers too. */
function bytesOf(model: Model): string {
  return JSON.stringify(model, (_, value) =>
    ArrayBuffer.isView(value) ? [...new Uint8Array(value.buffer, value.byteOffset, value.byteLength)] : value,
  );
}

describe.each(learners.map((learner) => [learner.name, learner] as const))('%s', (_, learner) => {
  test('learns: better than the misleading order and near to what the labels follow', async () => {
    const progress: Iteration[] = [];
    const model = await learner.train(requestFor(learner, train, { validation, onIteration: (step) => progress.push(step) }));
    // the feature that labels follow most, alone
    const alone: Model = { ...model, scorer: { kind: 'linear', weights: Float64Array.from([1, 0, 0, 0]), bias: 0 } };
    expect(quality(model)).toBeGreaterThan(quality(alone) - 0.03);
    expect(progress.length).toBe(model.training?.iterations);
    progress.forEach(({ iteration, of }, i) => {
      expect(iteration).toBe(i + 1);
      expect(iteration).toBeLessThanOrEqual(of);
    });
    expect(model.learner).toBe(learner.name);
    expect(model.numFeatures).toBe(4);
  });

  test.each('standardise' in learner.options ? [true, false] : [undefined])(
    'a feature that is 0 in all training documents changes no score (standardise=%s)',
    async (standardise) => {
      const withThird = (seed: number, third: number): TrainingSet =>
        matrixOf(noisyQueries(seed, 10).map((documents) => documents.map((cells) => cells.with(3, third))));
      const options = standardise === undefined ? {} : { standardise };
      const model = await learner.train(requestFor(learner, withThird(1, 0), { options }));
      expect(scoreMatrix(model, withThird(3, 1000))).toEqual(scoreMatrix(model, withThird(3, 0)));
    },
  );

  test('the value that the model was chosen by is its value on the validation data', async () => {
    const model = await learner.train(requestFor(learner, train, { validation }));
    expect(quality(model, validation)).toBeCloseTo(model.training?.best?.validation ?? Number.NaN, 12);
  });

  test('gives the same bytes for the same seed', async () => {
    const first = await learner.train(requestFor(learner, train, { validation, seed: 7 }));
    const second = await learner.train(requestFor(learner, train, { validation, seed: 7 }));
    expect(bytesOf(second)).toBe(bytesOf(first));
  });

  test('queries of one document and of equal labels change nothing that is learnt from the others', async () => {
    const odd = matrixOf([
      [[1, 5, 5, 5, 2.5]],
      ...noisyQueries(1, 15),
      [
        [0, 1, 2, 3, 2.5],
        [0, 3, 2, 1, 2.5],
      ],
    ]);
    const model = await learner.train(requestFor(learner, odd));
    for (const score of scoreMatrix(model, odd)) expect(score).toBeTypeOf('number');
    expect(scoreMatrix(model, odd).every(Number.isFinite)).toBe(true);
  });

  test('data that teach nothing are refused', async () => {
    const equal = matrixOf([
      [
        [1, 1, 2],
        [1, 2, 1],
      ],
      [[0, 3, 3]],
    ]);
    await expect(learner.train(requestFor(learner, equal))).rejects.toThrow(/the training data teach nothing/);
  });

  test('features that are NaN count as 0', async () => {
    const withNaN = noisyQueries(1, 15).map((documents) =>
      documents.map(([label, , ...rest], i) => [label, i % 3 === 0 ? Number.NaN : i, ...rest]),
    );
    const withZero = withNaN.map((documents) => documents.map((row) => row.map((value) => (Number.isNaN(value) ? 0 : value))));
    const first = await learner.train(requestFor(learner, matrixOf(withNaN)));
    const second = await learner.train(requestFor(learner, matrixOf(withZero)));
    expect(bytesOf(first)).toBe(bytesOf(second));
  });

  test('ends when told to, with a model', async () => {
    const controller = new AbortController();
    let steps = 0;
    const request = requestFor(learner, train, {
      validation,
      signal: controller.signal,
      onIteration: () => {
        steps++;
        controller.abort();
      },
    });
    const model = await learner.train(request);
    expect(steps).toBeLessThanOrEqual(2);
    expect(scoreMatrix(model, test_).every(Number.isFinite)).toBe(true);
  });
});

test('real labels and sparse features', async () => {
  const { parseLetor } = await import('../formats/letor/reader.js');
  const matrix = withFeatures(parseLetor('0.25 qid:1 1:1 9:2\n0.75 qid:1 9:3\n0.5 qid:1 4:1\n', { features: 'sparse' }).matrix);
  for (const learner of [ranksvm, ranknet, listnet, rankboost, linearRegression]) {
    const model = await learner.train(requestFor(learner, matrix, { options: learner === ranksvm ? { c: [100] } : {} }));
    expect(model.numFeatures).toBe(9);
    const scores = scoreMatrix(model, matrix);
    expect(scores[1]).toBeGreaterThan(scores[0]);
  }
});

describe('least squares', () => {
  test('a line through points on it', async () => {
    // label = 2 + 3 a - b, and a feature that repeats another
    const rows = [
      [1, 0],
      [0, 1],
      [2, 2],
      [3, 1],
    ].map(([a, b]) => [2 + 3 * a - b, a, b, a]);
    for (const standardise of [true, false]) {
      const model = await linearRegression.train(requestFor(linearRegression, matrixOf([rows]), { options: { standardise } }));
      if (model.scorer.kind !== 'linear') throw new Error('expected a linear scorer');
      const { weights, bias } = model.scorer;
      expect(weights[0] + weights[2]).toBeCloseTo(3, 6);
      expect(weights[1]).toBeCloseTo(-1, 6);
      expect(bias).toBeCloseTo(2, 6);
    }
  });

  test('three equations, by hand', () => {
    // 4x + 2y = 10, 2x + 3y = 9, and a row of zeros: x = 1.5, y = 2
    const x = solveSymmetric(Float64Array.from([4, 0, 0, 2, 3, 0, 0, 0, 0]), Float64Array.from([10, 9, 0]), 3);
    expect([...x].map((value) => Number(value.toFixed(12)))).toEqual([1.5, 2, 0]);
  });
});

test('a rate that is far too long is refused, not hidden in NaN', async () => {
  const request = requestFor(ranknet, train, { options: { optimiser: 'sgd', rate: 1e308, layers: 0, standardise: false } });
  await expect(ranknet.train(request)).rejects.toThrow(/smaller rate/);
});
