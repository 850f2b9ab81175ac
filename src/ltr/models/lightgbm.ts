import { InputError } from '../../core/problem.js';
import type { Model, TreeScorer } from '../ranker.js';
import { leftOutValue, ZERO_SIZE } from '../scoring/rows.js';
import { categoriesOf, hasCategory } from '../scoring/trees.js';
import { checkFeatureCount, checkModel } from './check.js';
import { asFinite, previousDouble } from './float32.js';
import { withoutNormalisation } from './fold.js';
import type { ModelReading, WrittenModel } from './model-file.js';
import { TreeBuilder } from './tree-builder.js';

/** Bits of `decision_type`: a split by category, where missing values go, and which values are missing. */
const CATEGORICAL = 1;
const DEFAULT_LEFT = 2;
const MISSING_ZERO = 1;
const MISSING_NAN = 2;

/** LightGBM's text file (version 3 or 4). Its leaves hold the shrinkage already. Scores equal LightGBM's raw scores to the bit. */
export function modelFromLightGbm(text: string, { firstFeature = 1 }: ModelReading = {}): Model {
  const [header, ...trees] = text.split(/^Tree=\d+\r?$/m);
  const top = fieldsOf(header);
  const numFeatures = wholeField(top, 'max_feature_idx', 'the header') + 1;
  checkFeatureCount(numFeatures);
  for (const field of ['num_class', 'num_tree_per_iteration']) {
    const found = top.get(field) ?? '1';
    if (found !== '1') throw new InputError(`the LightGBM model gives several scores per document, expected ${field}=1, found "${found}"`);
  }
  if (trees.length === 0 || !/^end of trees/m.test(text)) {
    throw new InputError({ message: 'the LightGBM model has no "end of trees"', wayOut: 'the file may have been cut off' });
  }
  const builder = new TreeBuilder();
  const missingTypes = new Set<number>();
  trees.forEach((body, tree) => {
    addTree(builder, missingTypes, fieldsOf(body.split(/^end of trees/m)[0]), `tree ${tree}`);
  });
  if (missingTypes.has(MISSING_ZERO) && missingTypes.has(MISSING_NAN)) {
    throw new InputError('some splits of the LightGBM model take 0 for missing and others only NaN, which is not supported');
  }
  const scorer = builder.finish({
    ...(top.has('average_output') ? { divisor: builder.numTrees } : {}),
    ...(missingTypes.has(MISSING_ZERO) ? { zeroIsMissing: true } : {}),
  });
  checkCategoryZero(scorer);
  const names = (top.get('feature_names') ?? '').split(' ');
  const ownNames = names.length === numFeatures && !names.every((name, column) => name === `Column_${column}`);
  return checkModel({
    learner: 'lightgbm',
    firstFeature,
    numFeatures,
    ...(ownNames ? { featureNames: names } : {}),
    missing: Number.NaN,
    leftOut: 0,
    scorer,
  });
}

/** Where zeros count as missing they do so at thresholds only: category 0 stays a category, which a cell that was made NaN cannot say. */
function checkCategoryZero({ zeroIsMissing, categories }: TreeScorer): void {
  if (zeroIsMissing !== true || categories === undefined) return;
  for (let set = 0; set + 1 < categories.offsets.length; set++) {
    if (!hasCategory(categories, set, 0)) continue;
    throw new InputError('the LightGBM model takes 0 for missing at some splits and for a category at others, which is not supported');
  }
}

function addTree(builder: TreeBuilder, missingTypes: Set<number>, fields: ReadonlyMap<string, string>, where: string): void {
  if (fields.get('is_linear') === '1') {
    throw new InputError({ message: `${where} has linear functions in its leaves`, wayOut: 'train with linear_tree=false' });
  }
  const numLeaves = wholeField(fields, 'num_leaves', where);
  const leafValues = numbersField(fields, 'leaf_value', where, numLeaves);
  if (numLeaves <= 1) {
    const counted = fields.get('leaf_count') ?? '';
    const cover = counted === '' ? undefined : numbersField(fields, 'leaf_count', where, numLeaves)[0];
    builder.add(0, 1, () => ({ value: leafValues[0] ?? 0, cover }));
    return;
  }
  const numSplits = numLeaves - 1;
  const splits = (name: string): number[] => numbersField(fields, name, where, numSplits);
  const feature = splits('split_feature');
  const threshold = splits('threshold');
  const decision = splits('decision_type');
  const left = splits('left_child');
  const right = splits('right_child');
  const gain = fields.has('split_gain') ? splits('split_gain') : undefined;
  const counts = fields.has('internal_count') && fields.has('leaf_count') ? splits('internal_count') : undefined;
  const leafCounts = counts === undefined ? undefined : numbersField(fields, 'leaf_count', where, numLeaves);
  const categoriesOfSet = categorySets(fields, where);
  builder.add(0, 1, (node) => {
    if (node < 0) {
      const leaf = -1 - node;
      if (leaf >= numLeaves || !Number.isInteger(node)) throw new InputError(`${where}: a branch leads to leaf ${leaf} of ${numLeaves}`);
      return { value: leafValues[leaf], cover: leafCounts?.[leaf] };
    }
    if (node >= numSplits || !Number.isInteger(node)) throw new InputError(`${where}: a branch leads to split ${node} of ${numSplits}`);
    const branches = { left: left[node], right: right[node], gain: gain?.[node], cover: counts?.[node] };
    if ((decision[node] & CATEGORICAL) !== 0) {
      // whatever is not in the set, missing values among it, goes right
      const categories = categoriesOfSet(threshold[node]);
      return { ...branches, feature: feature[node], threshold: -1, categories, missingLeft: false };
    }
    const missingType = (decision[node] >> 2) & 3;
    missingTypes.add(missingType);
    const defaultLeft = (decision[node] & DEFAULT_LEFT) !== 0;
    return {
      feature: feature[node],
      threshold: beyondZero(threshold[node]),
      // where nothing counts as missing, NaN is taken for 0
      missingLeft: missingType === 0 ? 0 <= threshold[node] : defaultLeft,
      ...branches,
    };
  });
}

/** The categories of each split by category: its threshold is the number of a stretch of `cat_threshold`, 32 categories a word. */
function categorySets(fields: ReadonlyMap<string, string>, where: string): (set: number) => number[] {
  const list = (name: string): number[] => (fields.get(name) ?? '').trim().split(' ').map(Number);
  const boundaries = list('cat_boundaries');
  const words = list('cat_threshold');
  const areWords = words.every((word) => Number.isInteger(word) && word >= 0 && word < 2 ** 32);
  return (set) => {
    const [start, end] = [boundaries[set], boundaries[set + 1]];
    if (!(areWords && start >= 0 && end >= start && end <= words.length)) {
      throw new InputError(`${where} of the LightGBM model: cat_boundaries and cat_threshold do not give the categories of set ${set}`);
    }
    // fits: words, checked above
    const sets = { setOf: new Int32Array(0), offsets: Uint32Array.of(0, end - start), words: Uint32Array.from(words.slice(start, end)) };
    return categoriesOf(sets, 0);
  };
}

/** LightGBM takes values that are as good as zero for zero before it compares them; so does a threshold outside of that range. */
export function beyondZero(threshold: number): number {
  if (Math.abs(threshold) > ZERO_SIZE) return threshold;
  return threshold < 0 ? previousDouble(-ZERO_SIZE) : ZERO_SIZE;
}

function fieldsOf(text: string): Map<string, string> {
  return new Map(
    text.split(/\r?\n/).flatMap((line): [string, string][] => {
      const equals = line.indexOf('=');
      if (equals >= 0) return [[line.slice(0, equals), line.slice(equals + 1)]];
      return line === '' ? [] : [[line, '']];
    }),
  );
}

function wholeField(fields: ReadonlyMap<string, string>, name: string, where: string): number {
  const text = fields.get(name);
  if (text === undefined || !/^\d{1,9}$/.test(text)) {
    throw new InputError(`${where} of the LightGBM model: ${name} is ${text === undefined ? 'absent' : text}, expected a whole number`);
  }
  return Number(text);
}

function numbersField(fields: ReadonlyMap<string, string>, name: string, where: string, length: number): number[] {
  const text = fields.get(name);
  const words = text === undefined || text.trim() === '' ? [] : text.trim().split(' ');
  if (words.length !== length) {
    throw new InputError(`${where} of the LightGBM model: ${name} has ${words.length} numbers, expected ${length}`);
  }
  return words.map((word) => {
    // a split that sets nothing but missing values apart has a threshold without end
    const number = name === 'threshold' && word === 'inf' ? Number.MAX_VALUE : Number(word);
    if (Number.isNaN(number)) throw new InputError(`${where} of the LightGBM model: ${name} holds ${word}, expected a number`);
    return number;
  });
}

/** A file that LightGBM reads. Trees with weights, a base or a divisor become plain ones in such a way that its sums are the
 *  same to the bit, except for sums of 32-bit floats and divisors other than the number of trees. */
export function modelToLightGbm(original: Model): WrittenModel {
  const model = withoutNormalisation(original, 'LightGBM');
  const { scorer } = model;
  // LightGBM has at least one feature, be it one that no tree asks for
  const numFeatures = Math.max(1, model.numFeatures);
  if (scorer.kind !== 'trees') {
    throw new InputError({ message: `a ${scorer.kind} model has no form in LightGBM`, wayOut: 'it takes ensembles of trees' });
  }
  const notes: string[] = [];
  if (scorer.sums === 'float32') notes.push('LightGBM adds in 64 bits what this model adds in 32: scores differ from the seventh digit on');
  if (!Number.isNaN(model.missing) && model.missing !== 0) {
    notes.push(`a feature that is missing counts as ${model.missing} here; LightGBM must be given that value`);
  }
  if (Number.isNaN(leftOutValue(model))) {
    notes.push('LightGBM takes 0 for a feature that a sparse file leaves out; this model takes it for missing');
  }
  const numTrees = scorer.treeWeights.length;
  const averaged = scorer.divisor !== undefined && scorer.divisor === numTrees;
  if (scorer.divisor !== undefined && !averaged) notes.push('leaves were divided beforehand: scores may differ in the last digit');
  const categorical = new CategoryWriter(scorer, model.missing);
  const blocks = Array.from({ length: numTrees }, (_, tree) => treeText(scorer, tree, !Number.isNaN(model.missing), averaged, categorical));
  notes.push(...categorical.notes);
  const ownNames = model.numFeatures === 0 ? undefined : model.featureNames;
  const names = ownNames?.map((name) => name.replace(/[\s":,[\]{}]/g, '_')) ?? columnNames(numFeatures);
  const header = [
    'tree',
    'version=v4',
    'num_class=1',
    'num_tree_per_iteration=1',
    'label_index=0',
    `max_feature_idx=${numFeatures - 1}`,
    'objective=lambdarank',
    ...(averaged ? ['average_output'] : []),
    `feature_names=${names.join(' ')}`,
    `feature_infos=${names.map(() => '[-1e300:1e300]').join(' ')}`,
    `tree_sizes=${blocks.map((block) => block.length).join(' ')}`,
    '',
    '',
  ].join('\n');
  return { content: `${header}${blocks.join('')}end of trees\n\nparameters:\nend of parameters\n\npandas_categorical:null\n`, notes };
}

/** What LightGBM calls columns without names. */
export function columnNames(numFeatures: number): string[] {
  return Array.from({ length: numFeatures }, (_, column) => `Column_${column}`);
}

function treeText(scorer: TreeScorer, tree: number, noMissing: boolean, averaged: boolean, categorical: CategoryWriter): string {
  const { nodeOffsets, feature, threshold, missingLeft, value, gain, cover, treeWeights } = scorer;
  const { left, right } = categorical;
  const nodes = Array.from({ length: nodeOffsets[tree + 1] - nodeOffsets[tree] }, (_, i) => nodeOffsets[tree] + i);
  const splits = nodes.filter((node) => feature[node] >= 0);
  const leaves = nodes.filter((node) => feature[node] < 0);
  const numberOf = new Map<number, number>([
    ...splits.map((node, i) => [node, i] as const),
    ...leaves.map((node, i) => [node, ~i] as const),
  ]);
  const leafValue = (node: number): number => {
    const own = treeWeights[tree] * value[node];
    // LightGBM starts from 0, so the base goes into the first tree, and the sum so far is the same
    const sum = tree === 0 ? scorer.base + own : own;
    return asFinite(scorer.divisor !== undefined && !averaged ? sum / scorer.divisor : sum, `a leaf of tree ${tree}`);
  };
  const missingType = scorer.zeroIsMissing ? MISSING_ZERO : noMissing ? 0 : MISSING_NAN;
  const perSplit = (of: (node: number) => number): string => splits.map((node) => numberText(of(node))).join(' ');
  const perLeaf = (of: (node: number) => number): string => leaves.map((node) => numberText(of(node))).join(' ');
  const sets = splits.filter((node) => categorical.isSet(node));
  const words = sets.map((node) => categorical.wordsOf(node));
  const setNumber = new Map(sets.map((node, i) => [node, i]));
  const lines = [`num_leaves=${leaves.length}`, `num_cat=${sets.length}`];
  if (splits.length > 0) {
    lines.push(
      `split_feature=${perSplit((node) => feature[node])}`,
      `split_gain=${perSplit((node) => gain?.[node] ?? 0)}`,
      `threshold=${perSplit((node) => setNumber.get(node) ?? boundedThreshold(threshold[node]))}`,
      `decision_type=${perSplit((node) => (categorical.isSet(node) ? CATEGORICAL : (missingType << 2) | (missingLeft[node] === 1 ? DEFAULT_LEFT : 0)))}`,
      `left_child=${perSplit((node) => numberOf.get(left[node])!)}`,
      `right_child=${perSplit((node) => numberOf.get(right[node])!)}`,
    );
  }
  lines.push(`leaf_value=${perLeaf(leafValue)}`);
  if (splits.length > 0) {
    lines.push(
      `leaf_weight=${perLeaf((node) => cover?.[node] ?? 0)}`,
      `leaf_count=${perLeaf((node) => Math.round(cover?.[node] ?? 0))}`,
      `internal_value=${perSplit(() => 0)}`,
      `internal_weight=${perSplit((node) => cover?.[node] ?? 0)}`,
      `internal_count=${perSplit((node) => Math.round(cover?.[node] ?? 0))}`,
    );
  }
  if (sets.length > 0) {
    const boundaries = [0];
    for (const [i, { length }] of words.entries()) boundaries.push(boundaries[i] + length);
    lines.push(`cat_boundaries=${boundaries.join(' ')}`, `cat_threshold=${words.flat().join(' ')}`);
  }
  return `Tree=${tree}\n${[...lines, 'is_linear=0', 'shrinkage=1'].join('\n')}\n\n\n`;
}

/** Splits by category as LightGBM has them: what is in the set goes left, everything else and what is missing right. A split that sends
 *  missing values left is turned round: its set becomes all other categories that the model knows. */
class CategoryWriter {
  readonly notes: string[] = [];
  readonly left: Uint32Array;
  readonly right: Uint32Array;
  private readonly scorer: TreeScorer;
  private readonly turned: (node: number) => boolean;
  private readonly greatest = new Map<number, number>();

  constructor(scorer: TreeScorer, missing: number) {
    const noMissing = !Number.isNaN(missing);
    const { categories, feature, missingLeft } = scorer;
    this.scorer = scorer;
    this.turned = (node) => !noMissing && this.isSet(node) && missingLeft[node] === 1;
    // fits: nodes, as in the scorer
    this.left = scorer.left.map((child, node) => (this.turned(node) ? scorer.right[node] : child));
    this.right = scorer.right.map((child, node) => (this.turned(node) ? scorer.left[node] : child));
    categories?.setOf.forEach((set, node) => {
      if (set < 0) return;
      if (noMissing && this.notes.length === 0 && missing >= 0 && hasCategory(categories, set, Math.trunc(missing))) {
        this.notes.push(`LightGBM sends missing categories right; this model takes them for ${missing}`);
      }
      const last = categoriesOf(categories, set).at(-1) ?? 0;
      this.greatest.set(feature[node], Math.max(last, this.greatest.get(feature[node]) ?? 0));
      if (this.turned(node) && this.notes.length === 0) {
        this.notes.push(
          'LightGBM sends missing categories right: splits were turned round, and categories that the model does not know go with them',
        );
      }
    });
  }

  isSet(node: number): boolean {
    return (this.scorer.categories?.setOf[node] ?? -1) >= 0;
  }

  wordsOf(node: number): number[] {
    const { categories, feature } = this.scorer;
    if (categories === undefined) return [];
    const set = categories.setOf[node];
    if (!this.turned(node)) return Array.from(categories.words.subarray(categories.offsets[set], categories.offsets[set + 1]));
    const greatest = this.greatest.get(feature[node]) ?? 0;
    const words = new Array<number>(Math.floor(greatest / 32) + 1).fill(0);
    for (let category = 0; category <= greatest; category++) {
      if (!hasCategory(categories, set, category)) words[Math.floor(category / 32)] |= 1 << (category % 32);
    }
    return words.map((word) => word >>> 0);
  }
}

/** LightGBM has no infinite thresholds. */
function boundedThreshold(threshold: number): number {
  return Math.min(1e300, Math.max(-1e300, threshold));
}

/** Shortest form that reads back as the same double, which LightGBM's parser does. */
function numberText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}
