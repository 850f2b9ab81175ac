import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';
import { type FeatureMatrix, featureValue } from '../../../src/core/feature-matrix.js';
import { InputError } from '../../../src/core/problem.js';
import { writableModels } from '../../../src/ltr/models/formats.js';
import type { ReadableModel, WritableModel } from '../../../src/ltr/models/model-file.js';
import { readModel } from '../../../src/ltr/models/read-model.js';
import { summariseModel } from '../../../src/ltr/models/summary.js';
import { writeModel } from '../../../src/ltr/models/write-model.js';
import { type Model, netActivations, type TreeScorer } from '../../../src/ltr/ranker.js';
import { scoreMatrix } from '../../../src/ltr/scoring/score.js';
import type { Dice } from '../../helpers/dice.js';
import { randomMatrix, randomTrees, slowScores, treeModel, withCategories } from '../../helpers/slow-models.js';
import { bytesOf, numberTexts } from '../mutate.js';
import { agree, isDue, type Outcome, outcomeOf, shapeOfOutcome } from '../outcome.js';
import { Disagreement, type FuzzTarget } from '../target.js';

const golden = new URL('../../golden/ltr-models/', import.meta.url);
/** Rows are dense, so that a model of many features is not scored. */
const MOST_FEATURES = 200;

function check(input: Uint8Array, dice: Dice): string {
  const read = outcomeOf(() => readModel(input), null);
  if (read.value === undefined) return shapeOfOutcome(read);
  const model = read.value;
  summariseModel(model);
  const shapes = [shapeOfOutcome(read), model.scorer.kind];
  if (model.numFeatures > MOST_FEATURES) return shapes.join('|');
  const matrix = randomMatrix(dice.random, 9, Math.max(1, model.numFeatures), dice.pick(['dense', 'sparse'] as const), model.firstFeature);
  const scores = outcomeOf(() => scoreMatrix(model, matrix), null);
  if (scores.value !== undefined && model.normalisation === undefined) agreeWithTwin(model, matrix, scores.value);
  if (scores.value !== undefined && isDue(dice, 0.05)) agreeWithSource(model, matrix, scores.value);
  for (const format of writableModels) shapes.push(format, agreeExported(model, matrix, scores, format));
  return shapes.join('|');
}

function agreeWithTwin(model: Model, matrix: FeatureMatrix, scores: Float64Array): void {
  const slow = slowScores(model, matrix);
  if (model.scorer.kind === 'trees') agree('scores of trees and of the twin', slow, [...scores]);
  else {
    slow.forEach((score, row) => {
      const isNear = Object.is(score, scores[row]) || Math.abs(score - scores[row]) <= 1e-9 * Math.max(1, Math.abs(score));
      if (!isNear && Number.isFinite(score)) agree('scores and those of the twin', slow, [...scores]);
    });
  }
}

/** What is written can be read again, and what says all that the model says gives the same scores. */
function agreeExported(model: Model, matrix: FeatureMatrix, scores: Outcome<Float64Array>, format: WritableModel): string {
  const written = outcomeOf(() => writeModel(model, format), null);
  if (written.value === undefined) return shapeOfOutcome(written);
  const { content, notes } = written.value;
  const readable = format !== 'onnx3' && format !== 'typescript' && format !== 'c' && (format !== 'onnx' || model.scorer.kind === 'trees');
  // what is done to features before trees see them is said by operators that only ONNX runtimes know
  if (!readable || (format === 'onnx' && notPlain(model))) return 'written';
  const again = outcomeOf(() => readModel(content, { firstFeature: model.firstFeature }), null);
  if (again.value === undefined)
    throw new Disagreement(`${format}: what was written is refused`, `${again.refused}\n${String(content).slice(0, 2000)}`);
  // a note tells of scores that may differ, one of them on sparse data only
  const noted = notes.filter((note) => matrix.features?.layout === 'sparse' || !note.includes('sparse'));
  const exact = format === 'gradus' || (format === 'lightgbm' && noted.length === 0);
  if (exact && scores.value !== undefined && again.value.numFeatures <= MOST_FEATURES) {
    agree(`${format}: scores before and after`, [...scores.value], [...scoreMatrix(again.value, matrix)]);
  }
  return `${notes.length} notes`;
}

function notPlain({ inputs, missing, normalisation, scorer }: Model): boolean {
  const zeros = scorer.kind === 'trees' && scorer.zeroIsMissing === true;
  return inputs !== undefined || !Number.isNaN(missing) || normalisation !== undefined || zeros;
}

/** The TypeScript of a model, run. */
function agreeWithSource(model: Model, matrix: FeatureMatrix, scores: Float64Array): void {
  const written = outcomeOf(() => writeModel(model, 'typescript').content, null);
  if (written.value === undefined) return;
  const { code } = transformSync(String(written.value), { loader: 'ts', format: 'cjs' });
  const module: { exports: { scoreDocument?: (features: readonly number[]) => number } } = { exports: {} };
  new Function('module', 'exports', code)(module, module.exports);
  const { numFeatures, firstFeature, missing, leftOut = missing } = model;
  const found = Array.from({ length: matrix.numRows }, (_, row) => {
    const cells = Array.from({ length: numFeatures }, (_, column) =>
      featureValue(matrix.features!, row, column + firstFeature - matrix.features!.firstFeature, leftOut),
    );
    return module.exports.scoreDocument?.(cells);
  });
  if (model.scorer.kind !== 'net') agree('scores and those of the TypeScript', [...scores], found);
}

function goldenModels(prefix: string): Uint8Array[] {
  return readdirSync(fileURLToPath(golden))
    .filter((name) => name.startsWith(prefix) && !name.endsWith('.scores.json'))
    .map((name) => new Uint8Array(readFileSync(new URL(name, golden))));
}

/** Numbers that a model should not have, in models that are well made otherwise. */
function hostileTrees(dice: Dice): TreeScorer {
  const scorer = randomTrees(dice.random, dice.between(1, 3), 4, 5);
  const spoil = (array: Float64Array): Float64Array => array.map((x) => (dice.chance(0.05) ? Number(dice.pick(numberTexts)) || 0 : x));
  return { ...scorer, threshold: spoil(scorer.threshold), value: spoil(scorer.value), treeWeights: spoil(scorer.treeWeights) };
}

function randomModel(dice: Dice): Model {
  if (dice.chance(0.7)) {
    const more = dice.chance(0.5) ? { missing: 0 } : {};
    const trees = hostileTrees(dice);
    return treeModel(
      dice.chance(0.2) ? withCategories(dice.random, trees) : trees,
      4,
      dice.chance(0.3) ? { ...more, inputs: 'float32' } : more,
    );
  }
  const number = (): number => (dice.chance(0.1) ? Number(dice.pick(numberTexts)) || 0 : dice.random.normal());
  const numbers = (length: number): Float64Array => Float64Array.from({ length }, number);
  const shared = { learner: 'ranknet', firstFeature: 1, numFeatures: 3, missing: 0 } as const;
  if (dice.chance(0.5)) return { ...shared, scorer: { kind: 'linear', weights: numbers(3), bias: number() } };
  const activation = dice.pick(netActivations);
  return {
    ...shared,
    scorer: {
      kind: 'net',
      layers: [
        { inputs: 3, units: 2, weights: numbers(6), bias: numbers(2), activation },
        { inputs: 2, units: 1, weights: numbers(2), bias: numbers(1), activation: 'identity' },
      ],
    },
  };
}

/** The model in this form, or the words of the refusal where it has none. */
function written(model: Model, format: WritableModel): Uint8Array {
  try {
    const { content } = writeModel(model, format);
    return typeof content === 'string' ? bytesOf(content) : content;
  } catch (error) {
    if (error instanceof InputError) return bytesOf(error.message);
    throw error;
  }
}

function modelTarget(format: ReadableModel & WritableModel, words: readonly string[], seeds: () => Uint8Array[]): FuzzTarget {
  return {
    name: `model-${format}`,
    summary: `model files of ${format}: a slow twin of scoring, every export, read again`,
    cases: 400,
    words,
    seeds,
    generate: (dice) => written(randomModel(dice), format),
    check,
  };
}

const jsonWords = ['{', '}', '[', ']', ',', ':', '"', 'null', '1e400', '-1', '[]', '{}', 'true'];
const small = treeModel(
  {
    kind: 'trees',
    base: 0.5,
    nodeOffsets: Uint32Array.of(0, 3),
    treeWeights: Float64Array.of(1),
    feature: Int32Array.of(0, -1, -1),
    threshold: Float64Array.of(0.25, 0, 0),
    left: Uint32Array.of(1, 0, 0),
    right: Uint32Array.of(2, 0, 0),
    missingLeft: Uint8Array.of(1, 0, 0),
    value: Float64Array.of(0, -1, 2),
  },
  2,
);

export const modelTargets: readonly FuzzTarget[] = [
  modelTarget(
    'gradus',
    [...jsonWords, '"scorer":', '"kind":', '"trees"', '"net"', '"linear"', '"numFeatures":', '"normalisation":', '"feature":', '"layers":'],
    () => [written(small, 'gradus')],
  ),
  modelTarget(
    'lightgbm',
    [
      'Tree=0',
      'num_leaves=',
      'split_feature=',
      'threshold=',
      'decision_type=',
      'left_child=',
      'right_child=',
      'leaf_value=',
      'end of trees',
      'max_feature_idx=',
      'feature_names=',
      '-1',
      '\n\n',
    ],
    () => [written(small, 'lightgbm'), ...goldenModels('lightgbm').slice(0, 3)],
  ),
  modelTarget(
    'xgboost',
    [
      ...jsonWords,
      '"learner":',
      '"gradient_booster":',
      '"trees":',
      '"left_children":',
      '"split_conditions":',
      '"base_score":',
      '"num_feature":',
      '"default_left":',
      '"weight_drop":',
    ],
    () => [written(small, 'xgboost'), ...goldenModels('xgboost').slice(0, 2)],
  ),
  modelTarget(
    'ranklib',
    [
      '## LambdaMART',
      '## Coordinate Ascent',
      '## RankNet',
      '## Random Forests',
      '## AdaRank',
      '## RankBoost',
      '## ListNet',
      '## Linear Regression',
      '<ensemble>',
      '</ensemble>',
      '<tree id="1" weight="0.1">',
      '</tree>',
      '<split>',
      '</split>',
      '<split pos="left">',
      '<split pos="right">',
      '<feature>',
      '</feature>',
      '<threshold>',
      '<output>',
      '</output>',
      '1:0.5',
      '##',
      '<split>'.repeat(50),
    ],
    () => goldenModels('ranklib'),
  ),
  modelTarget(
    'xgboost-ubj',
    ['{', '}', '[', '[#L', '[$d#L', '[$l#L', 'SL', '\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0007', 'learner'],
    () => [written(small, 'xgboost-ubj')],
  ),
  modelTarget(
    'xgboost-dump',
    [...jsonWords, '"nodeid":', '"split":"f0"', '"split_condition":', '"yes":1', '"no":2', '"missing":', '"children":', '"leaf":'],
    () => [written(small, 'xgboost-dump')],
  ),
  modelTarget(
    'lightgbm-dump',
    [
      ...jsonWords,
      '"tree_info":',
      '"tree_structure":',
      '"split_feature":',
      '"threshold":"1||2"',
      '"decision_type":"=="',
      '"left_child":',
      '"leaf_value":',
    ],
    () => [written(small, 'lightgbm-dump')],
  ),
  modelTarget(
    'solr',
    [
      ...jsonWords,
      '"class":"org.apache.solr.ltr.model.LinearModel"',
      '"trees":',
      '"weight":"1"',
      '"root":',
      '"feature":',
      '"threshold":',
      '"layers":',
      '"matrix":',
    ],
    () => [written(small, 'solr')],
  ),
  modelTarget(
    'elasticsearch',
    [
      ...jsonWords,
      '"definition":',
      '"trained_model":',
      '"ensemble":',
      '"tree_structure":',
      '"node_index":',
      '"left_child":',
      '"lte"',
      '"leaf_value":',
    ],
    () => [written(small, 'elasticsearch')],
  ),
  modelTarget('onnx', ['nodes_modes', 'BRANCH_LEQ', 'LEAF', 'TreeEnsemble', 'Identity', '\u0008', '\u0012', '\u003a'], () => [
    written(small, 'onnx'),
  ]),
];
