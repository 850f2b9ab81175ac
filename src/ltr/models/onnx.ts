import { InputError } from '../../core/problem.js';
import type { Model, NetScorer, TreeScorer } from '../ranker.js';
import { ZERO_SIZE } from '../scoring/rows.js';
import { categoriesOf } from '../scoring/trees.js';
import { asFinite, asFloat32 } from './float32.js';
import type { WrittenModel } from './model-file.js';
import { OnnxGraph, tensor } from './onnx-graph.js';

const TREES_DOMAIN = 'ai.onnx.ml';
/** Codes of how a node of TreeEnsemble compares. */
const BRANCH_LEQ = 0;
const BRANCH_MEMBER = 6;
const activations = { tanh: 'Tanh', sigmoid: 'Sigmoid', relu: 'Relu', leakyrelu: 'LeakyRelu' } as const;

/** For which runtimes a model is written. */
export interface OnnxOptions {
  /** 5 (the default): the operator TreeEnsemble with double splits. 3: TreeEnsembleRegressor, for old runtimes, in 32-bit floats. */
  readonly treeOpset?: 3 | 5 | undefined;
}

/** The model as an ONNX file: input `features`, documents × features; output `scores`, documents × 1. Numbers are doubles; with
 *  tree opset 3 they are 32-bit floats: thresholds are rounded as the values of documents are, so that a value at a threshold
 *  stays there, and only a value above one that is the same 32-bit float goes another way. */
export function modelToOnnx(model: Model, { treeOpset = 5 }: OnnxOptions = {}): WrittenModel {
  const { scorer, numFeatures, normalisation } = model;
  if (normalisation?.kind === 'query') {
    throw new InputError({
      message: `the model scales features query by query (${normalisation.method}), which ONNX cannot express`,
      wayOut: 'train it without normalisation, or with zscore or minmax over all data',
    });
  }
  const notes: string[] = [];
  const old = treeOpset === 3 && scorer.kind === 'trees';
  const graph = new OnnxGraph(old ? 'float' : 'double', numFeatures);
  prepare(graph, model);
  if (scorer.kind === 'linear') {
    graph.apply('MatMul', [graph.constant(scorer.weights, [numFeatures, 1])]);
    graph.apply('Add', [graph.constant([scorer.bias], [1])]);
  } else if (scorer.kind === 'net') addNet(graph, scorer);
  else {
    if (scorer.sums === 'float32' && !old) notes.push('sums are computed in 64 bits: scores differ from the seventh digit on');
    if (old) {
      if (scorer.categories !== undefined) {
        throw new InputError({
          message: 'the model splits by category, which this form of ONNX cannot express',
          wayOut: 'write it as onnx',
        });
      }
      notes.push('values, thresholds and leaves are 32-bit floats: scores differ from the seventh digit on');
      addOldTrees(graph, scorer);
    } else addTrees(graph, scorer);
    if (scorer.categories !== undefined) notes.push('ONNX compares categories as they are: 2.7 is not category 2');
    if (scorer.divisor !== undefined) graph.apply('Div', [graph.constant([scorer.divisor], [1])]);
  }
  const opsets = scorer.kind === 'trees' ? { '': old ? 17 : 21, [TREES_DOMAIN]: treeOpset } : { '': 21 };
  const names = model.featureNames?.join(', ') ?? `${model.firstFeature} to ${model.firstFeature + numFeatures - 1}`;
  return { content: graph.finish(opsets, old ? 8 : 10, `${model.learner} over the features ${names}`), notes };
}

/** What is done to the features before the scorer sees them. */
function prepare(graph: OnnxGraph, { inputs, missing, normalisation, scorer }: Model): void {
  if (inputs === 'float32') {
    graph.apply('Cast', [], { to: { integer: 1 } });
    graph.apply('Cast', [], { to: { integer: 11 } });
  }
  if (scorer.kind === 'trees' && scorer.zeroIsMissing) {
    const features = graph.current;
    graph.apply('Abs');
    const isZero = graph.apply('LessOrEqual', [graph.constant([ZERO_SIZE], [1])]);
    graph.applyTo('Where', [isZero, graph.constant([Number.NaN], [1]), features]);
  } else if (!Number.isNaN(missing)) {
    const features = graph.current;
    const isMissing = graph.apply('IsNaN');
    graph.applyTo('Where', [isMissing, graph.constant([missing], [1]), features]);
  }
  if (normalisation?.kind === 'global') {
    graph.apply('Sub', [graph.constant(normalisation.shift, [normalisation.shift.length])]);
    graph.apply('Mul', [graph.constant(normalisation.factor, [normalisation.factor.length])]);
  }
}

function addNet(graph: OnnxGraph, { layers }: NetScorer): void {
  for (const { inputs, units, weights, bias, activation } of layers) {
    // ONNX multiplies documents × inputs by inputs × units
    const turned = Float64Array.from({ length: inputs * units }, (_, i) => weights[(i % units) * inputs + Math.floor(i / units)]);
    graph.apply('MatMul', [graph.constant(turned, [inputs, units])]);
    graph.apply('Add', [graph.constant(bias, [units])]);
    if (activation !== 'identity') graph.apply(activations[activation]);
  }
}

/** The value of a leaf as a part of a plain sum; the base goes into the first tree. */
function leafWeight({ base, treeWeights, value }: TreeScorer, tree: number, node: number): number {
  const own = treeWeights[tree] * value[node];
  return asFinite(tree === 0 ? base + own : own, `a leaf of tree ${tree}`);
}

function addTrees(graph: OnnxGraph, scorer: TreeScorer): void {
  const { nodeOffsets, feature, threshold, left, right, missingLeft, treeWeights } = scorer;
  const splits = { feature: [] as number[], threshold: [] as number[], missing: [] as number[], mode: [] as number[] };
  const members: number[] = [];
  const { categories } = scorer;
  const branches = { trueNode: [] as number[], trueLeaf: [] as number[], falseNode: [] as number[], falseLeaf: [] as number[] };
  const leaves: number[] = [];
  const roots: number[] = [];
  for (let tree = 0; tree < treeWeights.length; tree++) {
    const start = nodeOffsets[tree];
    const end = nodeOffsets[tree + 1];
    const numberOf = new Map<number, number>();
    let numSplits = splits.feature.length;
    for (let node = start; node < end; node++) {
      if (feature[node] >= 0) numberOf.set(node, numSplits++);
      else numberOf.set(node, leaves.push(leafWeight(scorer, tree, node)) - 1);
    }
    roots.push(splits.feature.length);
    const isLeaf = (node: number): 0 | 1 => (feature[node] < 0 ? 1 : 0);
    const addSplit = (column: number, limit: number, missing: number, whenTrue: number, whenFalse: number, set = -1): void => {
      splits.feature.push(column);
      splits.threshold.push(set < 0 ? limit : 0);
      splits.missing.push(missing);
      splits.mode.push(set < 0 ? BRANCH_LEQ : BRANCH_MEMBER);
      // each list of categories ends with NaN
      if (categories !== undefined && set >= 0) members.push(...categoriesOf(categories, set), Number.NaN);
      branches.trueNode.push(numberOf.get(whenTrue)!);
      branches.trueLeaf.push(isLeaf(whenTrue));
      branches.falseNode.push(numberOf.get(whenFalse)!);
      branches.falseLeaf.push(isLeaf(whenFalse));
    };
    // a tree of one leaf is a split that leads to it on both sides
    if (isLeaf(start) === 1) addSplit(0, 0, 0, start, start);
    for (let node = start; node < end; node++) {
      if (feature[node] < 0) continue;
      addSplit(feature[node], threshold[node], missingLeft[node], left[node], right[node], categories?.setOf[node]);
    }
  }
  graph.apply(
    'TreeEnsemble',
    [],
    {
      aggregate_function: { integer: 1 },
      leaf_targetids: { integers: leaves.map(() => 0) },
      leaf_weights: { tensor: tensor(leaves, [leaves.length], 'double') },
      ...(members.length > 0 ? { membership_values: { tensor: tensor(members, [members.length], 'double') } } : {}),
      n_targets: { integer: 1 },
      nodes_falseleafs: { integers: branches.falseLeaf },
      nodes_falsenodeids: { integers: branches.falseNode },
      nodes_featureids: { integers: splits.feature },
      nodes_missing_value_tracks_true: { integers: splits.missing },
      nodes_modes: { tensor: tensor(splits.mode, [splits.mode.length], 'uint8') },
      nodes_splits: { tensor: tensor(splits.threshold, [splits.threshold.length], 'double') },
      nodes_trueleafs: { integers: branches.trueLeaf },
      nodes_truenodeids: { integers: branches.trueNode },
      post_transform: { integer: 0 },
      tree_roots: { integers: roots },
    },
    TREES_DOMAIN,
  );
}

function addOldTrees(graph: OnnxGraph, scorer: TreeScorer): void {
  const { nodeOffsets, feature, threshold, left, right, missingLeft, treeWeights } = scorer;
  const trees = Array.from(treeWeights, (_, tree) => ({ tree, start: nodeOffsets[tree], end: nodeOffsets[tree + 1] }));
  const nodes = trees.flatMap(({ tree, start, end }) =>
    Array.from({ length: end - start }, (_, i) => ({ tree, id: i, node: start + i, start, isLeaf: feature[start + i] < 0 })),
  );
  const leaves = nodes.filter(({ isLeaf }) => isLeaf);
  graph.apply(
    'TreeEnsembleRegressor',
    [],
    {
      aggregate_function: { text: 'SUM' },
      n_targets: { integer: 1 },
      nodes_falsenodeids: { integers: nodes.map(({ node, start, isLeaf }) => (isLeaf ? 0 : right[node] - start)) },
      nodes_featureids: { integers: nodes.map(({ node, isLeaf }) => (isLeaf ? 0 : feature[node])) },
      nodes_missing_value_tracks_true: { integers: nodes.map(({ node, isLeaf }) => (isLeaf ? 0 : missingLeft[node])) },
      nodes_modes: { texts: nodes.map(({ isLeaf }) => (isLeaf ? 'LEAF' : 'BRANCH_LEQ')) },
      nodes_nodeids: { integers: nodes.map(({ id }) => id) },
      nodes_treeids: { integers: nodes.map(({ tree }) => tree) },
      nodes_truenodeids: { integers: nodes.map(({ node, start, isLeaf }) => (isLeaf ? 0 : left[node] - start)) },
      nodes_values: { floats: nodes.map(({ node, isLeaf }) => (isLeaf ? 0 : Math.fround(threshold[node]))) },
      post_transform: { text: 'NONE' },
      target_ids: { integers: leaves.map(() => 0) },
      target_nodeids: { integers: leaves.map(({ id }) => id) },
      target_treeids: { integers: leaves.map(({ tree }) => tree) },
      target_weights: {
        floats: leaves.map(({ tree, node }) => asFloat32(leafWeight(scorer, tree, node), `a leaf of tree ${tree}`, 'this form of ONNX')),
      },
    },
    TREES_DOMAIN,
  );
}
