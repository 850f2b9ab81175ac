import { InputError } from '../../core/problem.js';
import type { Model, TreeScorer } from '../ranker.js';
import { categoriesOf } from '../scoring/trees.js';
import { checkFeatureCount, checkModel, LARGEST_ID } from './check.js';
import { asFloat32, float32Text, LARGEST_FLOAT32, largestRoundedTo, nextFloat32, previousFloat32 } from './float32.js';
import { withoutNormalisation } from './fold.js';
import {
  arrayAt,
  type JsonObject,
  member,
  numbersAt,
  objectAt,
  parseJson,
  refuse,
  shown,
  textAt,
  textsAt,
  wholesAt,
} from './json-places.js';
import type { ModelReading, WrittenModel } from './model-file.js';
import { type NodeSpec, TreeBuilder } from './tree-builder.js';

/** What an objective does with base_score before it is added to the trees. */
const linkOf: Readonly<Record<string, (base: number) => number>> = {
  'binary:logistic': logit,
  'reg:logistic': logit,
  'binary:logitraw': (base) => base,
  'count:poisson': Math.log,
  'reg:gamma': Math.log,
  'reg:tweedie': Math.log,
  'reg:squarederror': (base) => base,
  'reg:squaredlogerror': (base) => base,
  'reg:pseudohubererror': (base) => base,
  'reg:absoluteerror': (base) => base,
  'reg:linear': (base) => base,
};

/** From here on XGBoost takes no number for a category. */
const LARGEST_CATEGORY = 2 ** 24 - 1;

/** Every step in 32 bits, as XGBoost takes it. */
function logit(probability: number): number {
  return -Math.log(Math.fround(Math.fround(1 / probability) - 1));
}

/** XGBoost's JSON file, boosters gbtree and dart. XGBoost rounds a value to 32 bits and asks whether it is *less* than the
 *  split; here a value is asked whether it is at most a threshold, which is put where the answers are the same for every
 *  double. Scores are XGBoost's margins, to the bit of its 32-bit floats. */
export function modelFromXgBoost(text: string, reading: ModelReading = {}): Model {
  return modelFromXgBoostDocument(parseJson(text, 'the XGBoost model'), reading);
}

/** The same of the document that the file holds, be it JSON or UBJSON. */
export function modelFromXgBoostDocument(document: unknown, { firstFeature = 1 }: ModelReading = {}): Model {
  const file = objectAt(document, 'the XGBoost model');
  const learner = objectAt(member(file, 'learner'), 'learner');
  const objective = textAt(member(objectAt(member(learner, 'objective'), 'learner.objective'), 'name'), 'learner.objective.name');
  const parameters = objectAt(member(learner, 'learner_model_param'), 'learner.learner_model_param');
  const numFeatures = wholeText(parameters, 'num_feature', LARGEST_ID);
  checkFeatureCount(numFeatures);
  if (wholeText(parameters, 'num_class', 1e6, 0) > 1 || wholeText(parameters, 'num_target', 1e6, 1) > 1) {
    throw new InputError(`the XGBoost model (${objective}) gives several scores per document, expected one`);
  }
  const booster = objectAt(member(learner, 'gradient_booster'), 'learner.gradient_booster');
  const kind = textAt(member(booster, 'name'), 'learner.gradient_booster.name');
  if (kind !== 'gbtree' && kind !== 'dart') {
    throw new InputError({ message: `booster ${shown(kind)} of XGBoost is not supported`, wayOut: 'gbtree and dart are' });
  }
  const inner = kind === 'dart' ? objectAt(member(booster, 'gbtree'), 'learner.gradient_booster.gbtree') : booster;
  const trees = arrayAt(member(objectAt(member(inner, 'model'), 'model'), 'trees'), 'model.trees');
  const weights = kind === 'dart' ? numbersAt(member(booster, 'weight_drop'), 'weight_drop', trees.length) : undefined;
  const builder = new TreeBuilder();
  trees.forEach((tree, t) => {
    addTree(builder, objectAt(tree, `trees[${t}]`), `trees[${t}]`, weights?.[t]);
  });
  const names = member(learner, 'feature_names');
  const featureNames = names === undefined ? [] : textsAt(names, 'learner.feature_names');
  return checkModel({
    learner: 'xgboost',
    firstFeature,
    numFeatures,
    ...(featureNames.length > 0 ? { featureNames } : {}),
    missing: Number.NaN,
    scorer: builder.finish({ base: baseOf(parameters, objective), sums: 'float32' }),
  });
}

function wholeText(parameters: JsonObject, name: string, most: number, otherwise?: number): number {
  const value = member(parameters, name);
  if (value === undefined && otherwise !== undefined) return otherwise;
  const number = Number(value);
  if (!Number.isInteger(number) || number < 0 || number > most) refuse(`learner_model_param.${name}`, shown(value), 'a whole number');
  return number;
}

function baseOf(parameters: JsonObject, objective: string): number {
  const written = textAt(member(parameters, 'base_score'), 'learner_model_param.base_score').replace(/^\[(.*)\]$/, '$1');
  const base = Math.fround(Number(written));
  if (written.trim() === '' || !Number.isFinite(base)) refuse('learner_model_param.base_score', shown(written), 'a number');
  const link = objective.startsWith('rank:') ? (x: number): number => x : Object.hasOwn(linkOf, objective) ? linkOf[objective] : undefined;
  if (link === undefined) {
    throw new InputError({
      message: `objective ${shown(objective)} of XGBoost is not supported`,
      wayOut: 'rank:*, reg:* and binary:* are',
    });
  }
  return Math.fround(link(base));
}

function addTree(builder: TreeBuilder, tree: JsonObject, path: string, weight: number | undefined): void {
  const left = wholesAt(member(tree, 'left_children'), `${path}.left_children`, -1, LARGEST_ID);
  const numNodes = left.length;
  const wholes = (name: string, most: number): number[] => wholesAt(member(tree, name), `${path}.${name}`, -1, most, numNodes);
  const right = wholes('right_children', LARGEST_ID);
  const feature = wholes('split_indices', LARGEST_ID);
  const conditions = numbersAt(member(tree, 'split_conditions'), `${path}.split_conditions`, numNodes).map(Math.fround);
  // written as 0 and 1 or, by older versions, as false and true
  const defaultLeft = arrayAt(member(tree, 'default_left'), `${path}.default_left`);
  const gain =
    member(tree, 'loss_changes') === undefined ? undefined : numbersAt(member(tree, 'loss_changes'), `${path}.loss_changes`, numNodes);
  const cover =
    member(tree, 'sum_hessian') === undefined ? undefined : numbersAt(member(tree, 'sum_hessian'), `${path}.sum_hessian`, numNodes);
  const splitTypes = member(tree, 'split_type') === undefined ? [] : wholes('split_type', 1);
  const categories = categoriesOfNodes(tree, path);
  builder.add(0, 1, (node): NodeSpec => {
    if (node < 0 || node >= numNodes) throw new InputError(`${path}: a branch leads to node ${node} of ${numNodes}`);
    if (left[node] < 0) {
      // XGBoost multiplies in 32 bits before it adds
      const value = weight === undefined ? conditions[node] : Math.fround(Math.fround(weight) * conditions[node]);
      return { value, cover: cover?.[node] };
    }
    const missingLeft = defaultLeft[node] === 1 || defaultLeft[node] === true;
    const learnt = { gain: gain?.[node], cover: cover?.[node] };
    if (splitTypes[node] === 1) {
      // what XGBoost lists goes to its right, and here to the left; negative values are in no list
      const listed = {
        categories: categories.get(node) ?? refuse(`${path}.categories_nodes`, `no node ${node}`, 'each node that splits by category'),
        threshold: -Number.MIN_VALUE,
        missingLeft: !missingLeft,
      };
      return { feature: feature[node], ...listed, left: right[node], right: left[node], ...learnt };
    }
    const threshold = largestRoundedTo(previousFloat32(conditions[node]));
    return { feature: feature[node], threshold, missingLeft, left: left[node], right: right[node], ...learnt };
  });
}

/** The categories that go right, by node: stretches of one list. */
function categoriesOfNodes(tree: JsonObject, path: string): Map<number, number[]> {
  const wholes = (name: string, most: number, length?: number): number[] =>
    member(tree, name) === undefined ? [] : wholesAt(member(tree, name), `${path}.${name}`, 0, most, length);
  const nodes = wholes('categories_nodes', LARGEST_ID);
  const starts = wholes('categories_segments', LARGEST_ID, nodes.length);
  const sizes = wholes('categories_sizes', LARGEST_ID, nodes.length);
  const all = wholes('categories', LARGEST_CATEGORY);
  return new Map(
    nodes.map((node, i) => {
      if (starts[i] + sizes[i] > all.length) refuse(`${path}.categories`, `${all.length} categories`, `${starts[i] + sizes[i]}`);
      return [node, all.slice(starts[i], starts[i] + sizes[i])];
    }),
  );
}

/** A file that XGBoost reads. Leaves become 32-bit floats. Values go the same ways, except those above a threshold that are the
 *  same 32-bit float as it. */
export function modelToXgBoost(original: Model): WrittenModel {
  const model = withoutNormalisation(original, 'XGBoost');
  const { scorer, numFeatures } = model;
  if (scorer.kind !== 'trees') {
    throw new InputError({ message: `a ${scorer.kind} model has no form in XGBoost here`, wayOut: 'it takes ensembles of trees' });
  }
  const notes: string[] = [];
  if (scorer.zeroIsMissing) notes.push('zeros count as missing in this model: give XGBoost missing=0 with the data');
  else if (!Number.isNaN(model.missing))
    notes.push(`a feature that is missing counts as ${model.missing} here; XGBoost must be given that value`);
  if (scorer.sums !== 'float32') notes.push('XGBoost adds in 32 bits what this model adds in 64: scores differ from the seventh digit on');
  const trees = Array.from(scorer.treeWeights, (_, tree) => treeJson(scorer, tree, numFeatures));
  const divided = scorer.base / (scorer.divisor ?? 1);
  const file = {
    learner: {
      attributes: {},
      feature_names: model.featureNames ?? [],
      feature_types: featureTypes(model, scorer),
      gradient_booster: {
        model: {
          gbtree_model_param: { num_parallel_tree: '1', num_trees: String(trees.length) },
          iteration_indptr: Array.from({ length: trees.length + 1 }, (_, tree) => tree),
          tree_info: trees.map(() => 0),
          trees: 'TREES',
        },
        name: 'gbtree',
      },
      learner_model_param: {
        base_score: float32Text(asFloat32(divided, 'the base', 'XGBoost')),
        boost_from_average: '0',
        num_class: '0',
        num_feature: String(numFeatures),
        num_target: '1',
      },
      objective: {
        lambdarank_param: {
          lambdarank_num_pair_per_sample: '4294967295',
          lambdarank_pair_method: 'topk',
          lambdarank_unbiased: '0',
          lambdarank_bias_norm: '1',
          ndcg_exp_gain: '1',
        },
        name: 'rank:ndcg',
      },
    },
    version: [2, 1, 0],
  };
  const text = JSON.stringify(file);
  // a feature may have the name of the placeholder, but stands before it
  const place = text.lastIndexOf('"TREES"');
  return { content: `${text.slice(0, place)}[${trees.join(',\n')}]${text.slice(place + '"TREES"'.length)}\n`, notes };
}

/** Categories are marked, for which all features need a type. */
function featureTypes({ featureNames, numFeatures }: Model, { categories, feature }: TreeScorer): string[] {
  if (featureNames === undefined && categories === undefined) return [];
  const types = new Array<string>(numFeatures).fill('float');
  categories?.setOf.forEach((set, node) => {
    if (set >= 0) types[feature[node]] = 'c';
  });
  return types;
}

function treeJson(scorer: TreeScorer, tree: number, numFeatures: number): string {
  const { nodeOffsets, feature, threshold, value, gain, cover, treeWeights, divisor, categories } = scorer;
  const isSet = (node: number): boolean => (categories?.setOf[node] ?? -1) >= 0;
  // what is listed goes to XGBoost's right
  const left = scorer.left.map((child, node) => (isSet(node) ? scorer.right[node] : child)); // fits: nodes, as in the scorer
  const right = scorer.right.map((child, node) => (isSet(node) ? scorer.left[node] : child)); // fits: nodes, as in the scorer
  const missingLeft = scorer.missingLeft.map((flag, node) => (isSet(node) ? 1 - flag : flag)); // fits: flags
  const start = nodeOffsets[tree];
  const numNodes = nodeOffsets[tree + 1] - start;
  const of = (describe: (node: number) => number | string): string =>
    `[${Array.from({ length: numNodes }, (_, i) => describe(start + i)).join(',')}]`;
  const isLeaf = (node: number): boolean => feature[node] < 0;
  const parents = new Int32Array(numNodes).fill(2147483647); // fits: nodes of a tree, and 2^31 - 1 for none
  for (let node = start; node < start + numNodes; node++) {
    if (isLeaf(node)) continue;
    parents[left[node] - start] = node - start;
    parents[right[node] - start] = node - start;
  }
  // a number without a point would be an integer to XGBoost, and refused
  const float = (x: number): string => {
    const text = float32Text(Math.min(LARGEST_FLOAT32, Math.max(-LARGEST_FLOAT32, Math.fround(x))));
    return /[.e]/.test(text) ? text : `${text}E0`;
  };
  const leaf = (node: number): string =>
    float(asFloat32((treeWeights[tree] * value[node]) / (divisor ?? 1), `a leaf of tree ${tree}`, 'XGBoost'));
  const categoriesJson = (): string => {
    const nodes = Array.from({ length: numNodes }, (_, i) => start + i).filter(isSet);
    const lists = nodes.map((node) => (categories === undefined ? [] : categoriesOf(categories, categories.setOf[node])));
    const sizes = lists.map((list) => list.length);
    const starts = sizes.map((_, i) => sizes.slice(0, i).reduce((sum, size) => sum + size, 0));
    const numbers = (values: readonly number[]): string => `[${values.join(',')}]`;
    return `"categories":${numbers(lists.flat())},"categories_nodes":${numbers(nodes.map((node) => node - start))},"categories_segments":${numbers(starts)},"categories_sizes":${numbers(sizes)}`;
  };
  const members = [
    `"base_weights":${of((node) => (isLeaf(node) ? leaf(node) : '0E0'))}`,
    categoriesJson(),
    `"default_left":${of((node) => (isLeaf(node) ? 0 : missingLeft[node]))}`,
    `"id":${tree}`,
    `"left_children":${of((node) => (isLeaf(node) ? -1 : left[node] - start))}`,
    `"loss_changes":${of((node) => float(gain?.[node] ?? 0))}`,
    `"parents":${of((node) => parents[node - start])}`,
    `"right_children":${of((node) => (isLeaf(node) ? -1 : right[node] - start))}`,
    // less than the float after the threshold's own: a value at the threshold is rounded as the threshold is, and goes left
    `"split_conditions":${of((node) => (isLeaf(node) ? leaf(node) : float(nextFloat32(Math.fround(threshold[node])))))}`,
    `"split_indices":${of((node) => (isLeaf(node) ? 0 : feature[node]))}`,
    `"split_type":${of((node) => (isSet(node) ? 1 : 0))}`,
    `"sum_hessian":${of((node) => float(cover?.[node] ?? 0))}`,
    `"tree_param":{"num_deleted":"0","num_feature":"${numFeatures}","num_nodes":"${numNodes}","size_leaf_vector":"1"}`,
  ];
  return `{${members.join(',')}}`;
}
