import { describe, expect, test } from 'vitest';
import { nextDouble } from '../../../test/helpers/next-double.js';
import { randomTrees, treeModel } from '../../../test/helpers/slow-models.js';
import { seededRandom } from '../../core/numbers/random.js';
import { InputError } from '../../core/problem.js';
import type { Model, TreeScorer } from '../ranker.js';
import { rawThreshold } from './fold.js';
import { writableModels } from './formats.js';
import { modelFromJson, modelToJson } from './json.js';
import type { WritableModel } from './model-file.js';
import { modelFromRankLib } from './ranklib.js';
import { readModel } from './read-model.js';
import { modelToTypeScript } from './source.js';
import { writeModel } from './write-model.js';

const stump: TreeScorer = {
  kind: 'trees',
  base: 0,
  nodeOffsets: Uint32Array.of(0, 3),
  treeWeights: Float64Array.of(1),
  feature: Int32Array.of(0, -1, -1),
  threshold: Float64Array.of(1, 0, 0),
  left: Uint32Array.of(1, 0, 0),
  right: Uint32Array.of(2, 0, 0),
  missingLeft: Uint8Array.of(0, 0, 0),
  value: Float64Array.of(0, 1, 2),
};

const tree = (inner: string): string => `<tree id="1" weight="1">${inner}</tree>`;
const leaf = '<split><output>1</output></split>';
const ensemble = (inner: string): string => `## MART\n<ensemble>${inner}</ensemble>\n`;

describe('modelFromRankLib(text) refuses, in a sentence,', () => {
  test.each<[string, string]>([
    ['a tree inside a tree', ensemble(tree(`<split><feature>1</feature>${tree(leaf)}</split>`))],
    ['a tree that begins twice', ensemble(`<tree id="1" weight="1"><split>${tree(leaf)}`)],
    ['an ensemble inside an ensemble', ensemble(`${tree(leaf)}<ensemble>${tree(leaf)}</ensemble>`)],
    ['an ensemble that ends inside a tree', `## MART\n<ensemble>${tree(leaf)}<tree id="2" weight="1"></ensemble>`],
    ['a tree without nodes', ensemble(tree(''))],
    ['a split that is never closed', ensemble(tree('<split><output>1</output>'))],
    ['a tree outside of an ensemble', `## MART\n${tree(leaf)}`],
    ['a net that needs more weights than its file has words', '## RankNet\n1000000\n1\n100000\n0 0 1\n'],
  ])('%s', (_, text) => {
    expect(() => modelFromRankLib(text)).toThrow(InputError);
  });

  test('a long run of blanks in the first line, in no more time than it takes to read', () => {
    const text = `## x${' '.repeat(200_000)}y\n1:1\n`;
    const from = performance.now();
    expect(() => modelFromRankLib(text)).toThrow(/no model of RankLib|names "x/);
    // trying every place of every blank takes a minute
    expect(performance.now() - from).toBeLessThan(5000);
  });
});

describe('modelFromJson(text)', () => {
  test('looks at the order of the trees before it looks at their nodes', () => {
    const text = modelToJson(treeModel(stump, 1)).replace('"nodeOffsets": [0,3]', '"nodeOffsets": [0,2000000000,3]');
    expect(() => modelFromJson(text.replace('"treeWeights": [1]', '"treeWeights": [1,1]'))).toThrow('tree 1 of the model has no nodes');
  });

  test('reads back gains that are infinite, which LightGBM writes', () => {
    const model = treeModel({ ...stump, gain: Float64Array.of(Infinity, 0, 0), cover: Float64Array.of(1, 1, 1) }, 1);
    expect(modelFromJson(modelToJson(model))).toEqual(model);
  });

  test('says where JSON is broken, not what JavaScript calls it', () => {
    expect(() => modelFromJson('{"format": "gradus-model", nonsense')).toThrow(
      /^the model file is not valid JSON( at character \d+)?; the file may/,
    );
  });
});

describe('rawThreshold(limit, shift, factor)', () => {
  test.each<[number, number, number]>([
    [1e9, 0, 1e-300],
    [-1, 1e308, 1e300],
    [1e308, -1e308, 1e300],
    [-1e308, 1e308, 5e-324],
    [5e-324, 0, 1e308],
  ])('of %d, %d and %d is the last double that passes', (limit, shift, factor) => {
    const passes = (x: number): boolean => (x - shift) * factor <= limit;
    const raw = rawThreshold(limit, shift, factor);
    expect(raw === -Infinity || passes(raw)).toBe(true);
    expect(raw !== Number.MAX_VALUE && passes(nextDouble(raw))).toBe(false);
  });
});

describe('writeModel(model, format)', () => {
  const written = (model: Model, format: WritableModel): string => String(writeModel(model, format).content);

  test.each<WritableModel>(['ranklib', 'xgboost', 'onnx3'])('%s refuses a leaf that is no 32-bit float', (format) => {
    const large = treeModel({ ...stump, value: Float64Array.of(0, 1e300, 2) }, 1);
    expect(() => writeModel(large, format)).toThrow(/a leaf of tree 0 is 1e\+300, and .* has 32-bit floats, of which none is so large/);
  });

  test.each<WritableModel>(['lightgbm', 'onnx'])('%s refuses a leaf whose weight makes it infinite', (format) => {
    const large = treeModel({ ...stump, value: Float64Array.of(0, 1e300, 2), treeWeights: Float64Array.of(1e300) }, 1);
    expect(() => writeModel(large, format)).toThrow('a leaf of tree 0 becomes Infinity, which is too large to be written');
  });

  test('every form refuses a linear model that its scale makes infinite', () => {
    const normalisation = { kind: 'global', method: 'zscore', shift: Float64Array.of(1e300), factor: Float64Array.of(1e300) } as const;
    const scorer = { kind: 'linear', weights: Float64Array.of(1e300), bias: 0 } as const;
    const model: Model = { learner: 'ranksvm', firstFeature: 1, numFeatures: 1, missing: 0, normalisation, scorer };
    expect(() => writeModel(model, 'ranklib')).toThrow(InputError);
  });

  test('a tree as deep as trees may be goes through every form', () => {
    const depth = 1000;
    const numNodes = 2 * depth + 1;
    const isSplit = (node: number): boolean => node % 2 === 0 && node < 2 * depth;
    const chain: TreeScorer = {
      ...stump,
      nodeOffsets: Uint32Array.of(0, numNodes),
      feature: Int32Array.from({ length: numNodes }, (_, node) => (isSplit(node) ? 0 : -1)),
      threshold: new Float64Array(numNodes),
      left: Uint32Array.from({ length: numNodes }, (_, node) => (isSplit(node) ? node + 1 : 0)),
      right: Uint32Array.from({ length: numNodes }, (_, node) => (isSplit(node) ? node + 2 : 0)),
      missingLeft: new Uint8Array(numNodes),
      value: new Float64Array(numNodes).fill(1),
    };
    for (const format of writableModels) {
      const text = written(treeModel(chain, 1), format);
      expect(text.length).toBeLessThan(400 * numNodes);
      if (format === 'ranklib' || format === 'lightgbm' || format === 'xgboost' || format === 'gradus') readModel(text);
    }
  });

  test('TypeScript takes more nodes than a call takes arguments', () => {
    const many = randomTrees(seededRandom(3), 8000, 3);
    expect(many.feature.length).toBeGreaterThan(65_535);
    const { content } = modelToTypeScript(treeModel(many, 3));
    const source = String(content).replace(/export function (\w+)\(features: ArrayLike<number>\): number/, 'return function $1(features)');
    const score = new Function(source)() as (features: readonly number[]) => number;
    expect(Number.isFinite(score([0, 0, 0]))).toBe(true);
  });
});
