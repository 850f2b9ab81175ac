import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { matrixOfRows, randomTrees, treeModel } from '../../../test/helpers/slow-models.js';
import { seededRandom } from '../../core/numbers/random.js';
import { InputError } from '../../core/problem.js';
import type { Model } from '../ranker.js';
import { scoreMatrix } from '../scoring/score.js';
import { modelFormatOf } from './formats.js';
import { modelToOnnx } from './onnx.js';
import { ProtobufMessage } from './protobuf.js';
import { modelToRankLib } from './ranklib-writer.js';
import { readModel } from './read-model.js';
import { writeModel } from './write-model.js';

const golden = (name: string): string => readFileSync(new URL(`../../../test/golden/ltr-models/${name}`, import.meta.url), 'utf8');
const lightgbm = golden('lightgbm-nan.txt');
const xgboost = golden('xgboost-dart.json');
const mart = golden('ranklib-mart.txt');
const ranknet = golden('ranklib-ranknet.txt');

function changed(text: string, from: string | RegExp, to: string): string {
  const result = text.replace(from, to);
  expect(result).not.toBe(text);
  return result;
}

test("modelFromXgBoost makes XGBoost's margin of a probability, in 32 bits at every step", () => {
  const logistic = changed(
    changed(xgboost, '"name":"rank:ndcg"', '"name":"binary:logistic"'),
    /"base_score":"[^"]*"/,
    '"base_score":"[4.5E-1]"',
  );
  const { scorer } = readModel(logistic);
  // XGBoost 3: the margin of a first tree less the weight of its leaf
  expect(scorer.kind === 'trees' && scorer.base).toBe(-0.2006707787513733);
});

describe('readModel(text)', () => {
  test.each<[string, () => string, RegExp]>([
    ['nothing', () => '', /begins with ""/],
    ['a feature file', () => '2 qid:1 1:0.5 # x', /begins with "2 qid:1 1:0.5 # x", which is no model/],
    ['a binary file', () => 'ONNX\u0000\u0000', /of binary files, \.ubj of XGBoost and \.onnx are read/],
    ['other JSON', () => '{"a": 1}', /the file is JSON, but no model of Gradus, XGBoost/],
    ['LightGBM: a file that was cut off', () => lightgbm.slice(0, 900), /no "end of trees"; the file may have been cut off/],
    [
      'LightGBM: a split by category without categories',
      () => changed(lightgbm, /decision_type=\d+/, 'decision_type=1'),
      /cat_boundaries and cat_threshold do not give the categories of set/,
    ],
    ['LightGBM: linear leaves', () => changed(lightgbm, 'is_linear=0', 'is_linear=1'), /tree 0 has linear functions in its leaves/],
    [
      'LightGBM: several classes',
      () => changed(lightgbm, 'num_class=1', 'num_class=3'),
      /gives several scores per document, expected num_class=1, found "3"/,
    ],
    ['LightGBM: too few thresholds', () => changed(lightgbm, /threshold=\S+ /, 'threshold='), /threshold has 6 numbers, expected 7/],
    ['LightGBM: text for a number', () => changed(lightgbm, /threshold=\S+/, 'threshold=x'), /threshold holds x, expected a number/],
    ['LightGBM: NaN in a leaf', () => changed(lightgbm, /leaf_value=\S+/, 'leaf_value=nan'), /leaf_value holds nan/],
    ['LightGBM: an infinite leaf', () => changed(lightgbm, /leaf_value=\S+/, 'leaf_value=1e999'), /the value of the leaf is Infinity/],
    ['LightGBM: a cycle', () => changed(lightgbm, /left_child=\S+/, 'left_child=0'), /several branches lead to node 0/],
    ['LightGBM: a branch to nowhere', () => changed(lightgbm, /left_child=\S+/, 'left_child=99'), /leads to split 99 of 7/],
    ['LightGBM: a leaf that does not exist', () => changed(lightgbm, /left_child=\S+/, 'left_child=-99'), /leads to leaf 98 of 8/],
    [
      'LightGBM: a feature that does not exist',
      () => changed(lightgbm, /split_feature=\S+/, 'split_feature=77'),
      /feature 77 of a model with 5/,
    ],
    [
      'LightGBM: both kinds of missing',
      () => changed(lightgbm, /decision_type=\d+/, 'decision_type=4'),
      /take 0 for missing and others only NaN/,
    ],
    ['XGBoost: a file that was cut off', () => xgboost.slice(0, 3000), /not valid JSON/],
    [
      'XGBoost: another booster',
      () => changed(xgboost, '"name":"dart"', '"name":"gblinear"'),
      /booster "gblinear" of XGBoost is not supported; gbtree and dart are/,
    ],
    ['XGBoost: several classes', () => changed(xgboost, '"num_class":"0"', '"num_class":"4"'), /several scores per document/],
    [
      'XGBoost: an unknown objective',
      () => changed(xgboost, '"name":"rank:ndcg"', '"name":"survival:cox"'),
      /objective "survival:cox" of XGBoost is not supported/,
    ],
    [
      'XGBoost: an inherited name as objective',
      () => changed(xgboost, '"name":"rank:ndcg"', '"name":"__proto__"'),
      /objective "__proto__" of XGBoost/,
    ],
    [
      'XGBoost: a base that is no number',
      () => changed(xgboost, /"base_score":"[^"]*"/, '"base_score":"x"'),
      /base_score: found "x", expected a number/,
    ],
    [
      'XGBoost: a split by category without categories',
      () => changed(xgboost, '"split_type":[0', '"split_type":[1'),
      /found no node 0, expected each node/,
    ],
    ['XGBoost: a cycle', () => changed(xgboost, '"left_children":[1', '"left_children":[0'), /several branches lead to node 0/],
    [
      'XGBoost: too few weights',
      () => changed(xgboost, /"weight_drop":\[[^,]*,/, '"weight_drop":['),
      /weight_drop: found 7 numbers, expected 8/,
    ],
    ['RankLib: an unknown model', () => changed(mart, '## MART', '## MARS'), /names "MARS" model of RankLib; RankLib writes MART/],
    ['RankLib: a file that was cut off', () => mart.slice(0, 900), /ensemble is broken at/],
    ['RankLib: an empty model', () => '## Coordinate Ascent\n', /the Coordinate Ascent model is empty/],
    ['RankLib: a threshold that is no number', () => changed(mart, /<threshold> \S+/, '<threshold> x'), /broken at x/],
    ['RankLib: feature 0', () => changed(mart, /<feature>\d+/, '<feature>0'), /a feature id .* is 0, expected a whole number from 1/],
    ['RankLib: a split without a branch', () => changed(mart, /<threshold>[^<]*<\/threshold>/, ''), /neither an output nor a feature/],
    ['RankLib: a weight that is no number', () => '## AdaRank\n1:0.5 2:x\n', /found "2:x", expected numbers/],
    [
      'RankLib: a net with too few weights',
      () => changed(ranknet, /^0 0 \S+ /m, '0 0 '),
      /unit 0 of layer 0 of the net has 2 weights, expected 3/,
    ],
    ['RankLib: a net of a billion units', () => '## RankNet\n1 2\n1\n1000000000\n', /size of layer 1 is 1000000000/],
  ])('refuses %s', (_, text, sentence) => {
    let message = '';
    try {
      readModel(text());
    } catch (error) {
      expect(error).toBeInstanceOf(InputError);
      message = error instanceof Error ? error.message : '';
    }
    expect(message).toMatch(sentence);
    expect(message.split('\n')).toHaveLength(1);
  });

  test('the first column of LightGBM and XGBoost is feature 1 unless told otherwise', () => {
    expect(readModel(lightgbm).firstFeature).toBe(1);
    expect(readModel(lightgbm, { firstFeature: 0 }).firstFeature).toBe(0);
    expect(readModel(xgboost, { firstFeature: 0 }).firstFeature).toBe(0);
  });
});

test('readModel refuses a LightGBM tree whose branch leads to no whole number', () => {
  for (const child of ['-1e31', '-1.5']) {
    const broken = changed(lightgbm, /^left_child=-?\d+/m, `left_child=${child}`);
    expect(() => readModel(broken), child).toThrow(/a branch leads to leaf/);
  }
});

describe('writeModel(model, format)', () => {
  const forest = randomTrees(seededRandom(3), 3, 2);
  const trees = treeModel(forest, 2);

  test('notes say what the other form cannot', () => {
    expect(writeModel(trees, 'gradus').notes).toEqual([]);
    expect(writeModel(trees, 'xgboost').notes.join()).toMatch(/adds in 32 bits/);
    expect(writeModel(trees, 'ranklib').notes.join()).toMatch(/takes 0 for a feature that is missing/);
    const byQuery = { ...trees, normalisation: { kind: 'query', method: 'minmax' } as const };
    expect(modelToRankLib(byQuery).notes.join()).toMatch(/give RankLib -norm linear/);
    expect(() => writeModel(byQuery, 'onnx')).toThrow(/which ONNX cannot express/);
    expect(() => writeModel(byQuery, 'c')).toThrow(/which a function of one document cannot do/);
  });

  test('RankLib has no feature 0 and no relu', () => {
    expect(() => modelToRankLib({ ...trees, firstFeature: 0 })).toThrow(/counts features from 1/);
    const layer = { inputs: 2, units: 1, weights: Float64Array.of(1, 2), bias: Float64Array.of(0), activation: 'relu' } as const;
    const net: Model = { ...trees, missing: 0, scorer: { kind: 'net', layers: [layer] } };
    expect(() => modelToRankLib(net)).toThrow(/no relu/);
    expect(() => writeModel(net, 'lightgbm')).toThrow(/a net model has no form in LightGBM; it takes ensembles of trees/);
  });

  test('RankLib gets no number beyond 32 bits, which it could not read', () => {
    const large = treeModel({ ...forest, value: forest.value.map((value) => value * 1e39) }, 2);
    expect(() => writeModel(large, 'ranklib')).toThrow(
      /(a leaf of tree \d+|the base|the weight of tree \d+) is -?\S+, and RankLib has 32-bit floats, of which none is so large/,
    );
  });

  test('RankLib gets no net whose weights become infinite when a tanh is stretched', () => {
    const layer = { inputs: 1, units: 1, weights: Float64Array.of(1e308), bias: Float64Array.of(0), activation: 'tanh' } as const;
    const net: Model = {
      ...trees,
      numFeatures: 1,
      missing: 0,
      scorer: { kind: 'net', layers: [layer, { ...layer, activation: 'sigmoid' }] },
    };
    expect(() => writeModel(net, 'ranklib')).toThrow('a weight of the net becomes Infinity, which is too large to be written');
  });

  test('XGBoost gets a feature of any name', () => {
    const named = { ...trees, featureNames: ['"TREES"', 'TREES'] };
    expect(readModel(String(writeModel(named, 'xgboost').content)).featureNames).toEqual(named.featureNames);
  });

  test('LightGBM: what a sparse file leaves out is 0 there, which a note says', () => {
    expect(writeModel(trees, 'lightgbm').notes.join()).toMatch(/takes 0 for a feature that a sparse file leaves out/);
    expect(writeModel({ ...trees, leftOut: 0 }, 'lightgbm').notes).toEqual([]);
  });

  test('LightGBM gets a feature where no tree asks for one', () => {
    const model = readModel(
      '## LambdaMART\n<ensemble>\n<tree id="1" weight="1">\n<split>\n<output>2</output>\n</split>\n</tree>\n</ensemble>\n',
    );
    expect(model.numFeatures).toBe(0);
    const again = readModel(String(writeModel(model, 'lightgbm').content));
    expect([...scoreMatrix(again, matrixOfRows([[1]]))]).toEqual([2]);
  });

  test('the form follows from the name of the file', () => {
    expect(['m.onnx', 'm.ts', 'm.C', 'm.json', 'm.txt'].map(modelFormatOf)).toEqual(['onnx', 'typescript', 'c', 'gradus', undefined]);
  });

  test('the same model gives the same bytes', () => {
    for (const format of ['gradus', 'ranklib', 'lightgbm', 'xgboost', 'onnx', 'onnx3', 'typescript', 'c'] as const) {
      expect(writeModel(trees, format).content).toEqual(writeModel(trees, format).content);
    }
  });
});

describe('Protocol Buffers', () => {
  // the examples of the encoding guide: field 1 with 150, field 2 with "testing"
  test('numbers are varints, texts have a length', () => {
    expect([...new ProtobufMessage().integer(1, 150).finish()]).toEqual([0x08, 0x96, 0x01]);
    expect([...new ProtobufMessage().text(2, 'testing').finish()]).toEqual([0x12, 0x07, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6e, 0x67]);
    expect([...new ProtobufMessage().integers(6, [3, 270, 86942]).finish()]).toEqual([0x32, 0x06, 0x03, 0x8e, 0x02, 0x9e, 0xa7, 0x05]);
    expect([...new ProtobufMessage().floats(7, [1]).finish()]).toEqual([0x3d, 0x00, 0x00, 0x80, 0x3f]);
  });

  test('an ONNX file begins with the version of the representation and the producer', () => {
    const bytes = modelToOnnx(treeModel(randomTrees(seededRandom(3), 3, 2), 2)).content as Uint8Array;
    expect([...bytes.subarray(0, 10)]).toEqual([0x08, 10, 0x12, 6, ...new TextEncoder().encode('gradus')]);
  });
});
