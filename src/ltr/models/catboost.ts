import { InputError } from '../../core/problem.js';
import type { Model } from '../ranker.js';
import { checkFeatureCount, checkModel, LARGEST_ID } from './check.js';
import { largestRoundedTo } from './float32.js';
import {
  arrayAt,
  isObject,
  type JsonObject,
  member,
  numberAt,
  numbersAt,
  objectAt,
  parseJson,
  shown,
  textAt,
  wholeAt,
} from './json-places.js';
import type { ModelReading } from './model-file.js';
import { type LeafSpec, type NestedSplit, TreeBuilder } from './tree-builder.js';

/** CatBoost has no deeper trees of one split a level. */
const DEEPEST_OBLIVIOUS = 16;

/** A feature of numbers: its column, and where missing values go. */
interface FloatFeature {
  readonly column: number;
  readonly missingLeft: boolean;
}

/** A question of a tree: is the value, as a 32-bit float, above the border? */
interface Question extends FloatFeature {
  readonly threshold: number;
}

/** CatBoost's JSON file. Values are rounded to 32 bits, leaves and sums are doubles; the scores are CatBoost's raw values, to the bit
 *  where its scale is 1. */
export function modelFromCatBoost(text: string, { firstFeature = 1 }: ModelReading = {}): Model {
  const file = objectAt(parseJson(text, 'the CatBoost model'), 'the CatBoost model');
  const info = objectAt(member(file, 'features_info'), 'features_info');
  const listed = (name: string): readonly JsonObject[] =>
    arrayAt(member(info, name) ?? [], `features_info.${name}`).map((feature, i) => objectAt(feature, `features_info.${name}[${i}]`));
  const floats = listed('float_features');
  const columns = [...floats, ...listed('categorical_features')].map((feature, i) => columnOf(feature, `features_info, feature ${i}`));
  const numFeatures = columns.reduce((most, column) => Math.max(most, column + 1), 0);
  checkFeatureCount(numFeatures);
  const features = new Map(
    floats.map((feature, i) => [
      wholeAt(member(feature, 'feature_index'), `float_features[${i}].feature_index`, 0, LARGEST_ID),
      floatFeature(feature, i),
    ]),
  );
  const [scale, bias] = scaleAndBias(member(file, 'scale_and_bias'));
  const builder = new TreeBuilder();
  const oblivious = member(file, 'oblivious_trees');
  if (oblivious !== undefined) {
    arrayAt(oblivious, 'oblivious_trees').forEach((tree, t) => {
      addOblivious(builder, objectAt(tree, `oblivious_trees[${t}]`), `oblivious_trees[${t}]`, scale, features);
    });
  } else {
    arrayAt(member(file, 'trees'), 'trees').forEach((tree, t) => {
      addNested(builder, objectAt(tree, `trees[${t}]`), `trees[${t}]`, scale, features);
    });
  }
  if (builder.numTrees === 0) throw new InputError('the CatBoost model has no trees');
  // the bias is added last, as CatBoost does
  if (bias !== 0) builder.add(0, 1, () => ({ value: bias, cover: 0 }));
  const names = floats
    .map((feature) => member(feature, 'feature_id'))
    .filter((name): name is string => typeof name === 'string' && name !== '');
  return checkModel({
    learner: 'catboost',
    firstFeature,
    numFeatures,
    ...(names.length === numFeatures ? { featureNames: names } : {}),
    missing: Number.NaN,
    scorer: builder.finish(),
  });
}

function columnOf(feature: JsonObject, path: string): number {
  return wholeAt(member(feature, 'flat_feature_index'), `${path}.flat_feature_index`, 0, LARGEST_ID);
}

function floatFeature(feature: JsonObject, i: number): FloatFeature {
  const treatment = textAt(member(feature, 'nan_value_treatment') ?? 'AsIs', `float_features[${i}].nan_value_treatment`);
  // a comparison with NaN says no, as AsFalse does
  return { column: columnOf(feature, `float_features[${i}]`), missingLeft: treatment !== 'AsTrue' };
}

function scaleAndBias(value: unknown): [number, number] {
  if (value === undefined) return [1, 0];
  const [scale, bias] = arrayAt(value, 'scale_and_bias');
  const biases = Array.isArray(bias) ? bias : [bias];
  if (biases.length > 1) throw new InputError('the CatBoost model gives several scores per document, expected one');
  return [numberAt(scale, 'scale_and_bias[0]'), biases.length === 0 ? 0 : numberAt(biases[0], 'scale_and_bias[1]')];
}

function questionOf(value: unknown, path: string, features: ReadonlyMap<number, FloatFeature>): Question {
  const split = objectAt(value, path);
  const kind = textAt(member(split, 'split_type'), `${path}.split_type`);
  if (kind !== 'FloatFeature') {
    throw new InputError({
      message: `${path} splits by ${shown(kind)}, a category of CatBoost, which is not supported`,
      wayOut: 'train without cat_features',
    });
  }
  const index = wholeAt(member(split, 'float_feature_index'), `${path}.float_feature_index`, 0, LARGEST_ID);
  const feature = features.get(index);
  if (feature === undefined) throw new InputError(`${path} splits float feature ${index}, which features_info does not list`);
  return { ...feature, threshold: largestRoundedTo(Math.fround(numberAt(member(split, 'border'), `${path}.border`))) };
}

/** A tree with one question a level. The answer to the first is the lowest bit of a leaf's number, so the last one is asked first. */
function addOblivious(
  builder: TreeBuilder,
  tree: JsonObject,
  path: string,
  scale: number,
  features: ReadonlyMap<number, FloatFeature>,
): void {
  const splits = arrayAt(member(tree, 'splits') ?? [], `${path}.splits`);
  const depth = splits.length;
  if (depth > DEEPEST_OBLIVIOUS) throw new InputError(`${path} has ${depth} splits, expected at most ${DEEPEST_OBLIVIOUS}`);
  const questions = splits.map((split, i) => questionOf(split, `${path}.splits[${i}]`, features));
  const numLeaves = 2 ** depth;
  const values = numbersAt(member(tree, 'leaf_values'), `${path}.leaf_values`, numLeaves);
  const weights =
    member(tree, 'leaf_weights') === undefined ? undefined : numbersAt(member(tree, 'leaf_weights'), `${path}.leaf_weights`, numLeaves);
  interface Place {
    readonly first: number;
    readonly level: number;
  }
  builder.addNested<Place>({ first: 0, level: depth }, scale, ({ first, level }): LeafSpec | NestedSplit<Place> => {
    const cover = weights?.subarray(first, first + 2 ** level).reduce((sum, weight) => sum + weight, 0);
    if (level === 0) return { value: values[first], cover };
    const { column, threshold, missingLeft } = questions[level - 1];
    const left = { first, level: level - 1 };
    return { feature: column, threshold, missingLeft, cover, left, right: { first: first + 2 ** (level - 1), level: level - 1 } };
  });
}

function addNested(builder: TreeBuilder, tree: JsonObject, path: string, scale: number, features: ReadonlyMap<number, FloatFeature>): void {
  const weights = nodeWeights(tree, path);
  builder.addNested<JsonObject>(tree, scale, (node): LeafSpec | NestedSplit<JsonObject> => {
    const cover = weights.get(node);
    if (member(node, 'split') === undefined) return { value: numberAt(member(node, 'value'), `${path}: value of a leaf`), cover };
    const { column, threshold, missingLeft } = questionOf(member(node, 'split'), `${path}: split`, features);
    const branch = (name: string): JsonObject => objectAt(member(node, name), `${path}: ${name} branch`);
    return { feature: column, threshold, missingLeft, cover, left: branch('left'), right: branch('right') };
  });
}

/** The weight of every node, which CatBoost writes at leaves only. */
function nodeWeights(root: JsonObject, path: string): Map<JsonObject, number | undefined> {
  const order = [root];
  for (let i = 0; i < order.length; i++) {
    for (const name of ['left', 'right']) {
      const branch = member(order[i], name);
      if (isObject(branch)) order.push(branch);
    }
  }
  const weights = new Map<JsonObject, number | undefined>();
  for (const node of order.reverse()) {
    const own = member(node, 'weight');
    const branches = ['left', 'right'].map((name) => member(node, name)).filter(isObject);
    const sums = branches.map((branch) => weights.get(branch));
    const below = sums.reduce(
      (sum, weight) => (sum === undefined || weight === undefined ? undefined : sum + weight),
      branches.length > 0 ? 0 : undefined,
    );
    weights.set(node, own === undefined ? below : numberAt(own, `${path}: weight`));
  }
  return weights;
}
