import { limits } from '../../core/limits.js';
import { InputError } from '../../core/problem.js';
import type { Model, NetScorer, TreeScorer } from '../ranker.js';

/** Numbers of nodes and features are kept in 32 bits, one of them for the sign. */
export const LARGEST_ID: number = 2 ** 31 - 1;

/** Throws unless the scorer can be used without further questions: trees that are trees, features that exist, numbers that
 *  are numbers, layers that fit together. Every reader of model files ends with this, so scoring needs no checks. */
export function checkModel(model: Model): Model {
  const { scorer, numFeatures } = model;
  checkFeatureCount(numFeatures);
  if (scorer.kind === 'trees') {
    checkTrees(scorer, numFeatures);
    if (scorer.categories !== undefined && model.normalisation !== undefined) {
      throw new InputError('the model splits by category and scales features, which would change the categories');
    }
  } else if (scorer.kind === 'net') checkNet(scorer, numFeatures);
  else if (scorer.weights.length !== numFeatures) {
    throw new InputError(`the model has ${scorer.weights.length} weights for ${numFeatures} features`);
  } else {
    checkFinite([scorer.bias], 'the bias');
    checkFinite(scorer.weights, 'weight');
  }
  const { featureNames } = model;
  if (featureNames !== undefined && featureNames.length !== numFeatures) {
    throw new InputError(`the model has ${featureNames.length} feature names for ${numFeatures} features`);
  }
  return model;
}

/** Refuses a model over more features than are taken, before anything is made of that size. */
export function checkFeatureCount(numFeatures: number): void {
  if (numFeatures <= limits.features) return;
  throw new InputError(`the model is over ${numFeatures} features, expected at most ${limits.features} features`);
}

/** The same for nodes and trees, and for the weights of a net. */
export function checkNodeCount(numNodes: number): void {
  if (numNodes > limits.modelNodes) throw new InputError(`the model has ${numNodes} nodes, expected at most ${limits.modelNodes} nodes`);
}

/** Refuses a model of more trees than the limit, before room is made for them. */
export function checkTreeCount(numTrees: number): void {
  if (numTrees > limits.modelTrees) throw new InputError(`the model has ${numTrees} trees, expected at most ${limits.modelTrees} trees`);
}

/** Refuses a net of more weights than the limit, before room is made for them. */
export function checkWeightCount(numWeights: number): void {
  if (numWeights > limits.modelWeights) {
    throw new InputError(`the net of the model has ${numWeights} weights or more, expected at most ${limits.modelWeights} weights`);
  }
}

function checkCategories({ categories, feature, threshold }: TreeScorer): void {
  if (categories === undefined) return;
  const { setOf, offsets, words } = categories;
  const numSets = offsets.length - 1;
  const inOrder = offsets.every((offset, set) => (set === 0 ? offset === 0 : offset >= offsets[set - 1]));
  if (setOf.length !== feature.length || numSets < 0 || !inOrder || offsets[numSets] !== words.length) {
    throw new InputError('the sets of categories of the model do not fit its nodes');
  }
  checkWeightCount(words.length);
  setOf.forEach((set, node) => {
    if (set < -1 || set >= numSets || (set >= 0 && feature[node] < 0)) {
      throw new InputError(`node ${node} of the model asks for set ${set} of ${numSets} sets of categories`);
    }
    if (set >= 0 && !(threshold[node] < 0)) {
      throw new InputError(`node ${node} of the model takes categories above ${threshold[node]}, expected a number below 0`);
    }
  });
}

function checkTrees(scorer: TreeScorer, numFeatures: number): void {
  const { nodeOffsets, feature, left, right, threshold, value } = scorer;
  const numNodes = feature.length;
  const numTrees = nodeOffsets.length - 1;
  const arrays = [threshold, left, right, scorer.missingLeft, value, scorer.gain, scorer.cover];
  if (numTrees < 0 || nodeOffsets[0] !== 0 || nodeOffsets[numTrees] !== numNodes || scorer.treeWeights.length !== numTrees) {
    throw new InputError('the trees of the model do not cover its nodes');
  }
  checkTreeCount(numTrees);
  checkNodeCount(numNodes);
  for (let tree = 0; tree < numTrees; tree++) {
    if (nodeOffsets[tree + 1] <= nodeOffsets[tree]) throw new InputError(`tree ${tree} of the model has no nodes`);
  }
  if (arrays.some((array) => array !== undefined && array.length !== numNodes)) {
    throw new InputError(`the model has arrays of different lengths for its ${numNodes} nodes`);
  }
  const reached = new Uint8Array(numNodes); // fits: flags
  for (let tree = 0; tree < numTrees; tree++) {
    const start = nodeOffsets[tree];
    const end = nodeOffsets[tree + 1];
    for (let node = start; node < end; node++) {
      if (feature[node] < 0) {
        if (!Number.isFinite(value[node]))
          throw new InputError(`tree ${tree}, node ${node - start}: the value of the leaf is ${value[node]}`);
        continue;
      }
      if (feature[node] >= numFeatures) {
        throw new InputError(`tree ${tree}, node ${node - start}: feature ${feature[node]} of a model with ${numFeatures} features`);
      }
      if (Number.isNaN(threshold[node])) throw new InputError(`tree ${tree}, node ${node - start}: the threshold is not a number`);
      for (const child of [left[node], right[node]]) {
        if (child < start || child >= end) {
          throw new InputError(`tree ${tree}, node ${node - start}: a branch leads to node ${child - start} of ${end - start}`);
        }
        if (child === start || reached[child] === 1) {
          throw new InputError(
            `tree ${tree}, node ${node - start}: a branch leads to node ${child - start}, which another branch leads to already`,
          );
        }
        reached[child] = 1;
      }
    }
    checkAllReached(scorer, tree, reached);
  }
  checkCategories(scorer);
  checkFinite([scorer.base], 'the base');
  checkFinite(scorer.treeWeights, 'the weight of tree');
  if (scorer.divisor !== undefined && !(Number.isFinite(scorer.divisor) && scorer.divisor !== 0)) {
    throw new InputError(`the sum of the trees cannot be divided by ${scorer.divisor}`);
  }
}

/** Every node but the root has exactly one branch to it; together with a root that none leads to, and all nodes found from
 *  there, that makes a tree and leaves no room for a cycle. */
function checkAllReached({ nodeOffsets, feature, left, right }: TreeScorer, tree: number, reached: Uint8Array): void {
  const start = nodeOffsets[tree];
  const end = nodeOffsets[tree + 1];
  const orphan = reached.indexOf(0, start + 1);
  if (orphan >= 0 && orphan < end) throw new InputError(`tree ${tree}, node ${orphan - start}: no branch leads to it`);
  let level = [start];
  let found = 0;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limits.treeDepth) {
      throw new InputError(
        `tree ${tree} of the model is deeper than ${limits.treeDepth} splits, so that every document would take as many`,
      );
    }
    found += level.length;
    const below: number[] = [];
    for (const node of level) if (feature[node] >= 0) below.push(left[node], right[node]);
    level = below;
  }
  if (found !== end - start) throw new InputError(`tree ${tree} of the model has a cycle`);
}

function checkNet({ layers }: NetScorer, numFeatures: number): void {
  let inputs = numFeatures;
  checkWeightCount(layers.reduce((sum, { weights, bias }) => sum + weights.length + bias.length, 0));
  layers.forEach((layer, l) => {
    if (layer.inputs !== inputs) throw new InputError(`layer ${l} of the net takes ${layer.inputs} inputs, ${inputs} reach it`);
    if (layer.weights.length !== layer.inputs * layer.units || layer.bias.length !== layer.units) {
      throw new InputError(`layer ${l} of the net has ${layer.weights.length} weights for ${layer.inputs} × ${layer.units} connections`);
    }
    checkFinite(layer.weights, `layer ${l} of the net: weight`);
    checkFinite(layer.bias, `layer ${l} of the net: bias`);
    inputs = layer.units;
  });
  if (layers.length === 0 || inputs !== 1) throw new InputError(`the net ends in ${inputs} units, expected one score`);
}

function checkFinite(numbers: ArrayLike<number>, what: string): void {
  for (let i = 0; i < numbers.length; i++) {
    if (!Number.isFinite(numbers[i])) throw new InputError(`${what}${numbers.length > 1 ? ` ${i}` : ''} of the model is ${numbers[i]}`);
  }
}
