import { InputError } from '../../core/problem.js';
import type { Model, TreeScorer } from '../ranker.js';
import { leftOutValue, ZERO_SIZE } from '../scoring/rows.js';
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
  const names = (top.get('feature_names') ?? '').split(' ');
  const ownNames = names.length === numFeatures && !names.every((name, column) => name === `Column_${column}`);
  return checkModel({
    learner: 'lightgbm',
    firstFeature,
    numFeatures,
    ...(ownNames ? { featureNames: names } : {}),
    missing: Number.NaN,
    leftOut: 0,
    scorer: builder.finish({
      ...(top.has('average_output') ? { divisor: builder.numTrees } : {}),
      ...(missingTypes.has(MISSING_ZERO) ? { zeroIsMissing: true } : {}),
    }),
  });
}

function addTree(builder: TreeBuilder, missingTypes: Set<number>, fields: ReadonlyMap<string, string>, where: string): void {
  if (fields.get('is_linear') === '1') {
    throw new InputError({ message: `${where} has linear functions in its leaves`, wayOut: 'train with linear_tree=false' });
  }
  const numLeaves = wholeField(fields, 'num_leaves', where);
  const leafValues = numbersField(fields, 'leaf_value', where, numLeaves);
  if (numLeaves <= 1) {
    builder.add(0, 1, () => ({ value: leafValues[0] ?? 0 }));
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
  builder.add(0, 1, (node) => {
    if (node < 0) {
      const leaf = -1 - node;
      if (leaf >= numLeaves || !Number.isInteger(node)) throw new InputError(`${where}: a branch leads to leaf ${leaf} of ${numLeaves}`);
      return { value: leafValues[leaf], cover: leafCounts?.[leaf] };
    }
    if (node >= numSplits || !Number.isInteger(node)) throw new InputError(`${where}: a branch leads to split ${node} of ${numSplits}`);
    if ((decision[node] & CATEGORICAL) !== 0) {
      throw new InputError({
        message: `${where} splits feature ${feature[node]} by category, which is not supported`,
        wayOut: 'train without categorical_feature',
      });
    }
    const missingType = (decision[node] >> 2) & 3;
    missingTypes.add(missingType);
    const defaultLeft = (decision[node] & DEFAULT_LEFT) !== 0;
    return {
      feature: feature[node],
      threshold: beyondZero(threshold[node]),
      // where nothing counts as missing, NaN is taken for 0
      missingLeft: missingType === 0 ? 0 <= threshold[node] : defaultLeft,
      left: left[node],
      right: right[node],
      gain: gain?.[node],
      cover: counts?.[node],
    };
  });
}

/** LightGBM takes values that are as good as zero for zero before it compares them; so does a threshold outside of that range. */
function beyondZero(threshold: number): number {
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
    const number = Number(word);
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
  const blocks = Array.from({ length: numTrees }, (_, tree) => treeText(scorer, tree, !Number.isNaN(model.missing), averaged));
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

function columnNames(numFeatures: number): string[] {
  return Array.from({ length: numFeatures }, (_, column) => `Column_${column}`);
}

function treeText(scorer: TreeScorer, tree: number, noMissing: boolean, averaged: boolean): string {
  const { nodeOffsets, feature, threshold, left, right, missingLeft, value, gain, cover, treeWeights } = scorer;
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
  const lines = [`num_leaves=${leaves.length}`, 'num_cat=0'];
  if (splits.length > 0) {
    lines.push(
      `split_feature=${perSplit((node) => feature[node])}`,
      `split_gain=${perSplit((node) => gain?.[node] ?? 0)}`,
      `threshold=${perSplit((node) => boundedThreshold(threshold[node]))}`,
      `decision_type=${perSplit((node) => (missingType << 2) | (missingLeft[node] === 1 ? DEFAULT_LEFT : 0))}`,
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
  return `Tree=${tree}\n${[...lines, 'is_linear=0', 'shrinkage=1'].join('\n')}\n\n\n`;
}

/** LightGBM has no infinite thresholds. */
function boundedThreshold(threshold: number): number {
  return Math.min(1e300, Math.max(-1e300, threshold));
}

/** Shortest form that reads back as the same double, which LightGBM's parser does. */
function numberText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}
