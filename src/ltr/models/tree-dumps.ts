/** Trees as nested JSON: XGBoost's `dump_model`, which the learning-to-rank plugin of Elasticsearch and OpenSearch and Vespa read, and
 *  LightGBM's, which Vespa reads. */
import { InputError } from '../../core/problem.js';
import type { Model, TreeScorer } from '../ranker.js';
import { categoriesOf } from '../scoring/trees.js';
import { checkFeatureCount, checkModel, LARGEST_ID } from './check.js';
import { asFinite, asFloat32, LARGEST_FLOAT32, largestRoundedTo, nextDouble, nextFloat32, previousFloat32 } from './float32.js';
import { withoutNormalisation } from './fold.js';
import {
  arrayAt,
  isObject,
  type JsonObject,
  member,
  numberAt,
  objectAt,
  parseJson,
  refuse,
  shown,
  textAt,
  textsAt,
  wholeAt,
} from './json-places.js';
import { beyondZero, columnNames } from './lightgbm.js';
import type { ModelReading, WrittenModel } from './model-file.js';
import { type LeafSpec, type NestedSplit, TreeBuilder } from './tree-builder.js';

/** The columns of features that a file knows by name only: `f0`, `f1`, … by their numbers where all are called so, others as they come. */
class NamedColumns {
  private readonly found = new Map<string, number>();
  private readonly numbered: boolean;

  constructor(text: string) {
    this.numbered = Array.from(text.matchAll(/"split"\s*:\s*"([^"]*)"/g)).every(([, name]) => /^f\d{1,9}$/.test(name));
  }

  column(name: string): number {
    const known = this.found.get(name) ?? (this.numbered ? Number(name.slice(1)) : this.found.size);
    this.found.set(name, known);
    return known;
  }

  /** How many columns there are, and their names, where they have any. */
  finish(): { readonly numFeatures: number; readonly featureNames?: readonly string[] } {
    const numFeatures = [...this.found.values()].reduce((most, column) => Math.max(most, column + 1), 0);
    checkFeatureCount(numFeatures);
    return this.numbered ? { numFeatures } : { numFeatures, featureNames: [...this.found.keys()] };
  }
}

/** XGBoost's dump in JSON: a list of trees, or an object with them. It leaves the base score out, so that scores differ by it from
 *  XGBoost's, and are those of the plugin. */
export function modelFromXgBoostDump(text: string, { firstFeature = 1 }: ModelReading = {}): Model {
  const document = parseJson(text, 'the dump of XGBoost');
  const trees = isObject(document) ? arrayAt(member(document, 'splits'), 'splits') : arrayAt(document, 'the dump of XGBoost');
  if (trees.length === 0) throw new InputError('the dump of XGBoost has no trees');
  const builder = new TreeBuilder();
  const columns = new NamedColumns(text);
  trees.forEach((root, t) => {
    builder.addNested<JsonObject>(objectAt(root, `tree ${t}`), 1, (node) => xgBoostNode(node, `tree ${t}`, columns));
  });
  const { numFeatures, featureNames } = columns.finish();
  return checkModel({
    learner: 'xgboost',
    firstFeature,
    numFeatures,
    ...(featureNames === undefined ? {} : { featureNames }),
    missing: Number.NaN,
    scorer: builder.finish({ sums: 'float32' }),
  });
}

function xgBoostNode(node: JsonObject, path: string, columns: NamedColumns): LeafSpec | NestedSplit<JsonObject> {
  const cover = optionalNumber(node, 'cover', path);
  if (member(node, 'leaf') !== undefined) return { value: Math.fround(numberAt(member(node, 'leaf'), `${path}.leaf`)), cover };
  const id = (name: string): number => wholeAt(member(node, name), `${path}.${name}`, 0, LARGEST_ID);
  const condition = member(node, 'split_condition');
  if (Array.isArray(condition)) {
    throw new InputError({
      message: `${path} splits by category, which a dump cannot say exactly`,
      wayOut: 'give the model file of save_model',
    });
  }
  const children = arrayAt(member(node, 'children'), `${path}.children`).map((child, i) => objectAt(child, `${path}.children[${i}]`));
  const childOf = (name: string): JsonObject =>
    children.find((child) => member(child, 'nodeid') === id(name)) ?? refuse(`${path}.${name}`, shown(id(name)), 'the nodeid of a child');
  return {
    feature: columns.column(textAt(member(node, 'split'), `${path}.split`)),
    threshold: largestRoundedTo(previousFloat32(Math.fround(numberAt(condition, `${path}.split_condition`)))),
    missingLeft: member(node, 'missing') === undefined ? false : id('missing') === id('yes'),
    gain: optionalNumber(node, 'gain', path),
    cover,
    left: childOf('yes'),
    right: childOf('no'),
  };
}

function optionalNumber(node: JsonObject, name: string, path: string): number | undefined {
  const value = member(node, name);
  return value === undefined ? undefined : numberAt(value, `${path}.${name}`);
}

/** LightGBM's `dump_model`. Scores equal LightGBM's raw scores to the bit. */
export function modelFromLightGbmDump(text: string, { firstFeature = 1 }: ModelReading = {}): Model {
  const file = objectAt(parseJson(text, 'the dump of LightGBM'), 'the dump of LightGBM');
  const names = textsAt(member(file, 'feature_names'), 'feature_names');
  checkFeatureCount(names.length);
  if ((member(file, 'num_tree_per_iteration') ?? 1) !== 1) {
    throw new InputError('the LightGBM model gives several scores per document, expected num_tree_per_iteration 1');
  }
  const builder = new TreeBuilder();
  const missingTypes = new Set<string>();
  arrayAt(member(file, 'tree_info'), 'tree_info').forEach((info, t) => {
    const path = `tree_info[${t}]`;
    const root = objectAt(member(objectAt(info, path), 'tree_structure'), `${path}.tree_structure`);
    builder.addNested<JsonObject>(root, 1, (node) => lightGbmNode(node, path, missingTypes));
  });
  if (builder.numTrees === 0) throw new InputError('the dump of LightGBM has no trees');
  if (missingTypes.has('Zero') && missingTypes.has('NaN')) {
    throw new InputError('some splits of the LightGBM model take 0 for missing and others only NaN, which is not supported');
  }
  const ownNames = !names.every((name, column) => name === `Column_${column}`);
  return checkModel({
    learner: 'lightgbm',
    firstFeature,
    numFeatures: names.length,
    ...(ownNames ? { featureNames: names } : {}),
    missing: Number.NaN,
    leftOut: 0,
    scorer: builder.finish({
      ...(member(file, 'average_output') === true ? { divisor: builder.numTrees } : {}),
      ...(missingTypes.has('Zero') ? { zeroIsMissing: true } : {}),
    }),
  });
}

function lightGbmNode(node: JsonObject, path: string, missingTypes: Set<string>): LeafSpec | NestedSplit<JsonObject> {
  if (member(node, 'split_feature') === undefined) {
    return { value: numberAt(member(node, 'leaf_value'), `${path}: leaf_value`), cover: optionalNumber(node, 'leaf_count', path) };
  }
  const branches = {
    feature: wholeAt(member(node, 'split_feature'), `${path}: split_feature`, 0, LARGEST_ID),
    gain: optionalNumber(node, 'split_gain', path),
    cover: optionalNumber(node, 'internal_count', path),
    left: objectAt(member(node, 'left_child'), `${path}: left_child`),
    right: objectAt(member(node, 'right_child'), `${path}: right_child`),
  };
  const threshold = member(node, 'threshold');
  if (member(node, 'decision_type') === '==') {
    const words = textAt(threshold, `${path}: threshold`).split('||');
    const categories = words.map((word) =>
      /^\d{1,8}$/.test(word) ? Number(word) : refuse(`${path}: threshold`, shown(word), 'a category'),
    );
    return { ...branches, threshold: -1, categories, missingLeft: false };
  }
  const limit = numberAt(threshold, `${path}: threshold`);
  const missing = textAt(member(node, 'missing_type') ?? 'None', `${path}: missing_type`);
  missingTypes.add(missing);
  return {
    ...branches,
    threshold: beyondZero(limit),
    missingLeft: missing === 'None' ? 0 <= limit : member(node, 'default_left') === true,
  };
}

/** The trees as XGBoost dumps them, which the learning-to-rank plugins of Elasticsearch and OpenSearch and Vespa take for a model. */
export function modelToXgBoostDump(original: Model): WrittenModel {
  const { scorer, featureNames } = treesOnly(original, 'a dump of XGBoost');
  if (scorer.categories !== undefined) throw new InputError('the model splits by category, which no reader of such dumps understands');
  const notes: string[] = [];
  if (scorer.base !== 0) notes.push(`the dump has no base score: scores are lower by ${scorer.base}, which does not change their order`);
  if (scorer.zeroIsMissing) notes.push('zeros count as missing in this model: leave them out of the documents');
  const { feature, threshold, missingLeft, value, treeWeights, divisor } = scorer;
  const trees = nestedTrees<object>(scorer, (node, tree, id, depth, children) => {
    if (children === undefined) {
      const leaf = asFloat32((treeWeights[tree] * value[node]) / (divisor ?? 1), `a leaf of tree ${tree}`, 'XGBoost');
      return { nodeid: id, leaf: nineDigits(leaf) };
    }
    return {
      nodeid: id,
      depth,
      split: featureNames?.[feature[node]] ?? `f${feature[node]}`,
      // less than the float after the threshold's own, as in XGBoost's model file
      split_condition: nineDigits(bounded(nextFloat32(Math.fround(threshold[node])), LARGEST_FLOAT32)),
      yes: children.leftId,
      no: children.rightId,
      missing: missingLeft[node] === 1 ? children.leftId : children.rightId,
      children: [children.left, children.right],
    };
  });
  return { content: `${JSON.stringify(trees)}\n`, notes };
}

/** JSON has no infinite thresholds. */
export function bounded(value: number, most: number): number {
  return Math.min(most, Math.max(-most, value));
}

/** As XGBoost prints floats: readers that take them for doubles compute the same from both. */
function nineDigits(value: number): number {
  return Number(value.toPrecision(9));
}

/** The trees as LightGBM dumps them, for Vespa. It asks whether a value is below a threshold where LightGBM asks whether it is at most
 *  there, so thresholds are the next double; it compares categories as texts unless their numbers are listed, so they are. */
export function modelToLightGbmDump(original: Model): WrittenModel {
  const { scorer, featureNames, numFeatures, missing } = treesOnly(original, 'a dump of LightGBM');
  const notes: string[] = ['thresholds are the next larger double, because Vespa sends a value at a threshold right'];
  if (scorer.zeroIsMissing) notes.push('zeros count as missing in this model: leave them out of the documents');
  if (scorer.sums === 'float32') notes.push('Vespa adds in 64 bits what this model adds in 32: scores differ from the seventh digit on');
  const { feature, threshold, missingLeft, value, treeWeights, divisor, categories, base } = scorer;
  const isSet = (node: number): boolean => (categories?.setOf[node] ?? -1) >= 0;
  const known = new Map<number, number>();
  const trees = nestedTrees<object>(scorer, (node, tree, _id, _depth, children) => {
    if (children === undefined) {
      const own = treeWeights[tree] * value[node];
      return { leaf_value: asFinite((tree === 0 ? base + own : own) / (divisor ?? 1), `a leaf of tree ${tree}`) };
    }
    const branches = { left_child: children.left, right_child: children.right };
    if (categories !== undefined && isSet(node)) {
      if (missingLeft[node] === 1 && Number.isNaN(missing)) {
        throw new InputError('the model sends missing categories left, and LightGBM sends them right');
      }
      const set = categoriesOf(categories, categories.setOf[node]);
      known.set(feature[node], Math.max(known.get(feature[node]) ?? 0, set.at(-1) ?? 0));
      return {
        split_feature: feature[node],
        threshold: set.join('||'),
        decision_type: '==',
        default_left: false,
        missing_type: 'NaN',
        ...branches,
      };
    }
    const defaultLeft = Number.isNaN(missing) || scorer.zeroIsMissing ? missingLeft[node] === 1 : missing <= threshold[node];
    return {
      split_feature: feature[node],
      threshold: bounded(nextDouble(threshold[node]), Number.MAX_VALUE),
      decision_type: '<=',
      default_left: defaultLeft,
      missing_type: 'NaN',
      ...branches,
    };
  });
  const lists = [...known.keys()]
    .sort((a, b) => a - b)
    .map((column) => Array.from({ length: known.get(column)! + 1 }, (_, category) => category));
  const file = {
    name: 'tree',
    version: 'v4',
    num_class: 1,
    num_tree_per_iteration: 1,
    max_feature_idx: numFeatures - 1,
    objective: 'lambdarank',
    average_output: false,
    feature_names: featureNames ?? columnNames(numFeatures),
    tree_info: trees.map((tree, t) => ({ tree_index: t, shrinkage: 1, tree_structure: tree })),
    pandas_categorical: lists,
  };
  return { content: `${JSON.stringify(file)}\n`, notes };
}

/** The model with raw features, refused unless it is one of trees. */
export function treesOnly(original: Model, format: string): Model & { readonly scorer: TreeScorer } {
  const model = withoutNormalisation(original, format);
  const { scorer } = model;
  if (scorer.kind !== 'trees')
    throw new InputError({ message: `a ${scorer.kind} model has no form as ${format}`, wayOut: 'it takes ensembles of trees' });
  return { ...model, scorer };
}

/** A split's branches, as they were made. */
export interface Children<T> {
  readonly left: T;
  readonly right: T;
  readonly leftId: number;
  readonly rightId: number;
}

/** Each tree as nested values, made from the leaves up. Nodes are numbered level by level. */
export function nestedTrees<T>(
  { nodeOffsets, treeWeights, feature, left, right }: TreeScorer,
  make: (node: number, tree: number, id: number, depth: number, children: Children<T> | undefined) => T,
): T[] {
  return Array.from(treeWeights, (_, tree) => {
    const order = [{ node: nodeOffsets[tree], depth: 0, leftAt: -1 }];
    for (const place of order) {
      if (feature[place.node] < 0) continue;
      place.leftAt = order.length;
      order.push(
        { node: left[place.node], depth: place.depth + 1, leftAt: -1 },
        { node: right[place.node], depth: place.depth + 1, leftAt: -1 },
      );
    }
    const made = new Array<T>(order.length);
    for (let id = order.length - 1; id >= 0; id--) {
      const { node, depth, leftAt } = order[id];
      const children = leftAt < 0 ? undefined : { left: made[leftAt], right: made[leftAt + 1], leftId: leftAt, rightId: leftAt + 1 };
      made[id] = make(node, tree, id, depth, children);
    }
    return made[0];
  });
}
