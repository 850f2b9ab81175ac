import { describe, expect, test } from 'vitest';
import { randomTrees, treeModel } from '../../../test/helpers/slow-models.js';
import { seededRandom } from '../../core/numbers/random.js';
import { InputError } from '../../core/problem.js';
import type { Model } from '../ranker.js';
import { modelFromJson, modelToJson } from './json.js';

const linear: Model = {
  learner: 'coordinate-ascent',
  firstFeature: 1,
  numFeatures: 3,
  featureNames: ['bm25', 'pagerank "x"', '长度'],
  missing: 0,
  normalisation: { kind: 'global', method: 'zscore', shift: Float64Array.of(1, 2.5, -0), factor: Float64Array.of(0.1 + 0.2, 1, 5e-324) },
  scorer: { kind: 'linear', weights: Float64Array.of(0.1, -1e300, 1 / 3), bias: -0 },
  training: {
    objective: 'nDCG@10',
    convention: 'letor4',
    ties: 'file',
    options: { restarts: 5, regularised: true, step: 'fixed', gains: [0, 1, 3] },
    seed: 42,
    data: 'f00d',
    iterations: 25,
    best: { iteration: 7, validation: 0.4123456789012345 },
  },
};

const net: Model = {
  learner: 'ranknet',
  firstFeature: 0,
  numFeatures: 2,
  missing: 0,
  inputs: 'float32',
  normalisation: { kind: 'query', method: 'sum' },
  scorer: {
    kind: 'net',
    layers: [
      { inputs: 2, units: 2, weights: Float64Array.of(1, 2, 3, 4), bias: Float64Array.of(5, 6), activation: 'sigmoid' },
      { inputs: 2, units: 1, weights: Float64Array.of(7, 8), bias: Float64Array.of(9), activation: 'identity' },
    ],
  },
};

const randomScorer = randomTrees(seededRandom(1), 3, 4);
const trees = treeModel(
  {
    ...randomScorer,
    threshold: randomScorer.threshold.map((t, n) => (n === 0 ? Infinity : t)),
    gain: randomScorer.value.map(Math.abs),
    divisor: 3,
    sums: 'float32',
    zeroIsMissing: true,
  },
  4,
);

describe('modelToJson(model)', () => {
  test.each([
    ['linear', linear],
    ['net', net],
    ['trees', trees],
  ])('of a %s model is read back as the same model, to the bit', (_, model) => {
    const text = modelToJson(model);
    expect(modelFromJson(text)).toEqual(model);
    expect(modelToJson(modelFromJson(text))).toBe(text);
  });

  test('names the format and the version first', () => {
    expect(modelToJson(linear)).toMatch(/^\{\n"format": "gradus-model",\n"version": 1,\n"learner": "coordinate-ascent",/);
  });
});

const sound = modelToJson(trees);
const edited = (from: string | RegExp, to: string): string => {
  const text = sound.replace(from, to);
  expect(text).not.toBe(sound);
  return text;
};
/** Root 0 with leaves 1 and 2. */
const stump = (change: Record<string, unknown>): string =>
  JSON.stringify({
    format: 'gradus-model',
    version: 1,
    learner: 'mart',
    firstFeature: 1,
    numFeatures: 2,
    missing: null,
    scorer: {
      kind: 'trees',
      base: 0,
      nodeOffsets: [0, 3],
      treeWeights: [1],
      feature: [0, -1, -1],
      threshold: [1, 0, 0],
      left: [1, 0, 0],
      right: [2, 0, 0],
      missingLeft: [0, 0, 0],
      value: [0, 1, 2],
      ...change,
    },
  });

describe('modelFromJson(text)', () => {
  test('takes a model from before the rule for ties was recorded', () => {
    const older = modelFromJson(modelToJson(linear).replace(', "ties": "file"', ''));
    expect(older.training?.ties).toBeUndefined();
    expect(older.training?.convention).toBe('letor4');
  });

  test('takes a stump written by hand', () => {
    expect(modelFromJson(stump({})).scorer).toMatchObject({ kind: 'trees', value: Float64Array.of(0, 1, 2) });
  });

  const five = { nodeOffsets: [0, 5], threshold: [1, 1, 1, 1, 1], missingLeft: [0, 0, 0, 0, 0], value: [0, 1, 2, 3, 4] };
  test.each<[string, string, RegExp]>([
    ['text that is not JSON', sound.slice(0, 200), /not valid JSON/],
    ['an array', '[]', /found an array of 0, expected an object/],
    ['another format', '{"format":"onnx"}', /not a model of Gradus: its format is "onnx"/],
    ['a newer version', edited('"version": 1', '"version": 2'), /version 2, this Gradus reads version 1; a newer Gradus/],
    ['a version that is text', edited('"version": 1', '"version": "1"'), /version "1"/],
    ['an unknown member', edited('"version": 1', '"version": 1, "colour": 3'), /unknown member "colour"/],
    ['__proto__', edited('"version": 1', '"version": 1, "__proto__": {"learner": "x"}'), /unknown member "__proto__"/],
    [
      '__proto__ among the options',
      modelToJson(linear).replace('"restarts": 5', '"__proto__": 5'),
      /training.options: found "__proto__", expected the name of an option/,
    ],
    [
      'a rule for ties that does not exist',
      modelToJson(linear).replace('"file"', '"alphabet"'),
      /training.ties: found "alphabet", expected/,
    ],
    ['null as a weight', modelToJson(linear).replace('0.1,', 'null,'), /found null, expected a number/],
    ['a number too large for a double', stump({ value: [0, 1, 2] }).replace('"value":[0', '"value":[1e999'), /value\[0\]: found Infinity/],
    ['NaN as text', stump({ value: [0, 'NaN', 2] }), /value\[1\]: found "NaN", expected a number/],
    ['too few thresholds', stump({ threshold: [1] }), /scorer.threshold: found 1 numbers, expected 3/],
    ['a feature that does not exist', stump({ feature: [2, -1, -1] }), /tree 0, node 0: feature 2 of a model with 2 features/],
    ['a feature that is a fraction', stump({ feature: [0.5, -1, -1] }), /feature\[0\]: found 0.5/],
    ['a branch out of the tree', stump({ left: [9, 0, 0] }), /tree 0, node 0: a branch leads to node 9 of 3/],
    ['a branch to the root', stump({ left: [0, 0, 0] }), /node 0: a branch leads to node 0, which another/],
    ['two branches to one node', stump({ left: [2, 0, 0] }), /a branch leads to node 2, which another branch leads to already/],
    [
      'a node that no branch leads to',
      stump({ ...five, feature: [0, -1, -1, -1, -1], left: [1, 0, 0, 0, 0], right: [2, 0, 0, 0, 0] }),
      /tree 0, node 3: no branch leads to it/,
    ],
    [
      'a cycle',
      // 0 leads to 1 and 2; 3 and 4 lead to each other
      stump({
        nodeOffsets: [0, 7],
        threshold: [1, 1, 1, 1, 1, 1, 1],
        missingLeft: [0, 0, 0, 0, 0, 0, 0],
        value: [0, 1, 2, 3, 4, 5, 6],
        feature: [0, -1, -1, 0, 0, -1, -1],
        left: [1, 0, 0, 4, 3, 0, 0],
        right: [2, 0, 0, 5, 6, 0, 0],
      }),
      /tree 0 of the model has a cycle/,
    ],
    ['offsets that leave nodes out', stump({ nodeOffsets: [1, 3] }), /do not cover its nodes/],
    ['offsets of billions', stump({ nodeOffsets: [0, 4e9] }), /nodeOffsets\[1\]: found 4000000000/],
    ['a tree without nodes', stump({ nodeOffsets: [0, 0, 3], treeWeights: [1, 1] }), /tree 0 of the model has no nodes/],
    ['a net that does not fit', modelToJson(net).replace('"units":2', '"units":3').replace('"units": 2', '"units": 3'), /layer/],
  ])('refuses %s in one sentence', (_, text, sentence) => {
    let message = '';
    try {
      modelFromJson(text);
    } catch (error) {
      expect(error).toBeInstanceOf(InputError);
      message = error instanceof Error ? error.message : '';
    }
    expect(message).toMatch(sentence);
    expect(message.split('\n')).toHaveLength(1);
    expect(message.length).toBeLessThan(300);
  });
});
