import { InputError } from '../../core/problem.js';
import type { Model, TreeScorer } from '../ranker.js';
import { checkFeatureCount, checkModel } from './check.js';
import { largestRoundedTo, previousDouble, previousFloat32 } from './float32.js';
import { shown } from './json-places.js';
import type { ModelReading } from './model-file.js';
import { floatsOf, ProtobufFields } from './protobuf-reader.js';
import { type LeafSpec, type SplitSpec, TreeBuilder } from './tree-builder.js';

/** Codes of TensorProto.DataType. */
const FLOAT = 1;
const UINT8 = 2;
const DOUBLE = 11;

/** How nodes compare, by the codes of TreeEnsemble. */
const modeNames = ['BRANCH_LEQ', 'BRANCH_LT', 'BRANCH_GTE', 'BRANCH_GT', 'BRANCH_EQ', 'BRANCH_NEQ', 'BRANCH_MEMBER'] as const;

/** Operators that change neither scores nor their number. */
const passing = new Set(['Identity', 'Cast', 'Reshape', 'Flatten', 'Squeeze']);

/** An ONNX file with one ensemble of trees: TreeEnsembleRegressor, or TreeEnsemble as Gradus writes it, with constants added to the score
 *  or multiplied. */
export function modelFromOnnx(bytes: Uint8Array, { firstFeature = 1 }: ModelReading = {}): Model {
  const [graph] = new ProtobufFields(bytes).messages(7);
  if (graph === undefined) throw new InputError('the ONNX file holds no graph');
  const constants = new Map(graph.messages(5).map((tensor) => [tensor.text(8), tensorNumbers(tensor)]));
  let scorer: TreeScorer | undefined;
  for (const node of graph.messages(1)) {
    const operator = node.text(4);
    if (operator === 'Constant')
      constants.set(node.text(2), tensorNumbers(attributesOf(node).get('value')?.messages(5)[0] ?? new ProtobufFields(new Uint8Array(0))));
    else if (operator === 'TreeEnsembleRegressor' || operator === 'TreeEnsemble') {
      if (scorer !== undefined) throw new InputError('the ONNX graph has several ensembles of trees, expected one');
      scorer = operator === 'TreeEnsemble' ? ensembleOf(attributesOf(node)) : regressorOf(attributesOf(node));
    } else if (scorer !== undefined && (operator === 'Add' || operator === 'Mul' || operator === 'Div' || operator === 'Sub')) {
      scorer = withConstant(scorer, operator, node, constants);
    } else if (!passing.has(operator)) {
      throw new InputError({
        message: `the ONNX graph has the operator ${shown(operator)}, which is not supported`,
        wayOut: 'graphs of one TreeEnsembleRegressor or TreeEnsemble are',
      });
    }
  }
  if (scorer === undefined || scorer.treeWeights.length === 0) throw new InputError('the ONNX graph has no ensemble of trees');
  const used = scorer.feature.reduce((most, feature) => Math.max(most, feature + 1), 0);
  const numFeatures = Math.max(used, inputWidth(graph));
  checkFeatureCount(numFeatures);
  return checkModel({ learner: 'onnx', firstFeature, numFeatures, missing: Number.NaN, scorer });
}

/** The second dimension of the first input, if it is a number. */
function inputWidth(graph: ProtobufFields): number {
  const shape = graph.messages(11)[0]?.messages(2)[0]?.messages(1)[0]?.messages(2)[0];
  return shape?.messages(1)[1]?.integer(1) ?? 0;
}

function attributesOf(node: ProtobufFields): Map<string, ProtobufFields> {
  return new Map(node.messages(5).map((attribute) => [attribute.text(1), attribute]));
}

function tensorNumbers(tensor: ProtobufFields): number[] {
  const type = tensor.integer(2);
  const raw = tensor.bytes(9);
  if (type === FLOAT) return raw.length > 0 ? floatsOf(raw, 4) : tensor.floats(4);
  if (type === DOUBLE) return raw.length > 0 ? floatsOf(raw, 8) : tensor.floats(10, 8);
  if (type === UINT8) return raw.length > 0 ? [...raw] : tensor.integers(5);
  return tensor.integers(7);
}

/** The scores with a constant added to them or multiplied. */
function withConstant(
  scorer: TreeScorer,
  operator: string,
  node: ProtobufFields,
  constants: ReadonlyMap<string, readonly number[]>,
): TreeScorer {
  const others = node.texts(1).flatMap((input) => (constants.has(input) ? [constants.get(input)!] : []));
  const constant = others[0]?.[0];
  const reversed = constants.has(node.texts(1)[0] ?? '');
  if (others.length !== 1 || others[0].length !== 1 || constant === undefined || (reversed && (operator === 'Div' || operator === 'Sub'))) {
    throw new InputError(`the ONNX graph has the operator ${shown(operator)} with other things than the score and one constant`);
  }
  const factor = operator === 'Mul' ? constant : operator === 'Div' ? 1 / constant : 1;
  const added = operator === 'Add' ? constant : operator === 'Sub' ? -constant : 0;
  const { base, treeWeights, divisor = 1 } = scorer;
  if (operator === 'Div' && base === 0) return { ...scorer, divisor: divisor * constant };
  return { ...scorer, base: base * factor + added * divisor, treeWeights: treeWeights.map((weight) => weight * factor) };
}

/** A node as the lists of an ensemble describe it. */
interface Comparison {
  readonly mode: string;
  readonly feature: number;
  readonly value: number;
  readonly whenTrue: number;
  readonly whenFalse: number;
  /** Missing values take the branch of a comparison that holds. */
  readonly missingTrue: boolean;
  readonly members?: readonly number[] | undefined;
}

/** The split that sends every value where the comparison does; `single` where values are compared as 32-bit floats. */
function splitOf(comparison: Comparison, single: boolean): SplitSpec {
  const { mode, feature, value, whenTrue, whenFalse, missingTrue, members } = comparison;
  if (mode === 'BRANCH_MEMBER') {
    return { feature, threshold: -1, categories: members ?? [], missingLeft: missingTrue, left: whenTrue, right: whenFalse };
  }
  const atMost = (limit: number): number => (single ? largestRoundedTo(limit) : limit);
  const below = (limit: number): number => (single ? largestRoundedTo(previousFloat32(limit)) : previousDouble(limit));
  if (mode === 'BRANCH_LEQ') return { feature, threshold: atMost(value), missingLeft: missingTrue, left: whenTrue, right: whenFalse };
  if (mode === 'BRANCH_LT') return { feature, threshold: below(value), missingLeft: missingTrue, left: whenTrue, right: whenFalse };
  if (mode === 'BRANCH_GTE') return { feature, threshold: below(value), missingLeft: !missingTrue, left: whenFalse, right: whenTrue };
  if (mode === 'BRANCH_GT') return { feature, threshold: atMost(value), missingLeft: !missingTrue, left: whenFalse, right: whenTrue };
  throw new InputError(`the ONNX model compares by ${shown(mode)}, which is not supported`);
}

function sumOf(name: string): number | undefined {
  if (name === 'SUM' || name === '') return undefined;
  if (name === 'AVERAGE') return 1;
  throw new InputError({ message: `the trees are put together by ${shown(name)}, which is not supported`, wayOut: 'SUM and AVERAGE are' });
}

/** TreeEnsembleRegressor of ai.onnx.ml 1 to 3: lists of nodes, each with the number of its tree. */
function regressorOf(attributes: ReadonlyMap<string, ProtobufFields>): TreeScorer {
  const integers = (name: string): number[] => attributes.get(name)?.integers(8) ?? [];
  const texts = (name: string): string[] => attributes.get(name)?.texts(9) ?? [];
  const text = (name: string): string => attributes.get(name)?.text(4) ?? '';
  const asTensor = attributes.get('nodes_values_as_tensor') !== undefined;
  const floats = (name: string): number[] => {
    const tensor = attributes.get(`${name}_as_tensor`);
    return tensor === undefined ? (attributes.get(name)?.floats(7) ?? []) : tensorNumbers(tensor.messages(5)[0]);
  };
  const transform = text('post_transform');
  if (transform !== '' && transform !== 'NONE')
    throw new InputError(`the ONNX model changes scores by ${shown(transform)}, which is not supported`);
  if (integers('target_ids').some((id) => id !== 0)) throw new InputError('the ONNX model gives several scores per document, expected one');
  const trees = integers('nodes_treeids');
  const ids = integers('nodes_nodeids');
  const values = floats('nodes_values');
  const modes = texts('nodes_modes');
  const features = integers('nodes_featureids');
  const whenTrue = integers('nodes_truenodeids');
  const whenFalse = integers('nodes_falsenodeids');
  const tracks = integers('nodes_missing_value_tracks_true');
  const lengths = [ids, values, modes, features, whenTrue, whenFalse].map(({ length }) => length);
  if (trees.length === 0 || lengths.some((length) => length !== trees.length))
    throw new InputError('the lists of nodes of the ONNX model have different lengths');
  const places = new Map<number, Map<number, number>>();
  trees.forEach((tree, i) => {
    const nodes = places.get(tree) ?? new Map<number, number>();
    nodes.set(ids[i], i);
    places.set(tree, nodes);
  });
  const leaves = new Map<string, number>();
  const weights = floats('target_weights');
  integers('target_treeids').forEach((tree, i) => {
    const key = `${tree} ${integers('target_nodeids')[i]}`;
    leaves.set(key, (leaves.get(key) ?? 0) + weights[i]);
  });
  const builder = new TreeBuilder();
  for (const [tree, nodes] of places) {
    const below = new Set([...nodes].flatMap(([, i]) => (modes[i] === 'LEAF' ? [] : [whenTrue[i], whenFalse[i]])));
    const root = [...nodes.keys()].find((id) => !below.has(id));
    if (root === undefined) throw new InputError(`tree ${tree} of the ONNX model has no root`);
    builder.add(root, 1, (id): LeafSpec | SplitSpec => {
      const i = nodes.get(id);
      if (i === undefined) throw new InputError(`tree ${tree} of the ONNX model: a branch leads to node ${id}, which is not there`);
      if (modes[i] === 'LEAF') return { value: leaves.get(`${tree} ${id}`) ?? 0 };
      const branches = { whenTrue: whenTrue[i], whenFalse: whenFalse[i], missingTrue: tracks[i] === 1 };
      return splitOf({ mode: modes[i], feature: features[i], value: values[i], ...branches }, !asTensor);
    });
  }
  const numTrees = builder.numTrees;
  const divisor = sumOf(text('aggregate_function')) === undefined ? undefined : numTrees;
  const [base = 0] = floats('base_values');
  // added last, in the same precision
  if (base !== 0) builder.add(0, divisor ?? 1, () => ({ value: base }));
  return builder.finish({ ...(asTensor ? {} : { sums: 'float32' as const }), ...(divisor === undefined ? {} : { divisor }) });
}

/** TreeEnsemble of ai.onnx.ml 5: splits and leaves have lists of their own. */
function ensembleOf(attributes: ReadonlyMap<string, ProtobufFields>): TreeScorer {
  const integers = (name: string): number[] => attributes.get(name)?.integers(8) ?? [];
  const integer = (name: string, otherwise: number): number => attributes.get(name)?.integer(3) ?? otherwise;
  const tensorOf = (name: string): ProtobufFields | undefined => attributes.get(name)?.messages(5)[0];
  const numbers = (name: string): number[] => {
    const tensor = tensorOf(name);
    return tensor === undefined ? [] : tensorNumbers(tensor);
  };
  if (integer('post_transform', 0) !== 0) throw new InputError('the ONNX model changes scores after the sum, which is not supported');
  if (integers('leaf_targetids').some((id) => id !== 0))
    throw new InputError('the ONNX model gives several scores per document, expected one');
  const divided = sumOf(['AVERAGE', 'SUM', 'MIN', 'MAX'][integer('aggregate_function', 1)] ?? 'unknown');
  const single = tensorOf('nodes_splits')?.integer(2) === FLOAT;
  const modes = numbers('nodes_modes');
  const splits = numbers('nodes_splits');
  const features = integers('nodes_featureids');
  const tracks = integers('nodes_missing_value_tracks_true');
  const branch = {
    node: [integers('nodes_truenodeids'), integers('nodes_falsenodeids')],
    leaf: [integers('nodes_trueleafs'), integers('nodes_falseleafs')],
  };
  const leaves = numbers('leaf_weights');
  const members = memberLists(modes, numbers('membership_values'));
  const builder = new TreeBuilder();
  // a leaf that two branches of a tree of one leaf lead to is made twice
  for (const root of integers('tree_roots')) {
    interface Place {
      readonly at: number;
      readonly isLeaf: boolean;
    }
    builder.addNested<Place>({ at: root, isLeaf: false }, 1, ({ at, isLeaf }) => {
      if (isLeaf) {
        if (leaves[at] === undefined) throw new InputError(`a branch of the ONNX model leads to leaf ${at}, which is not there`);
        return { value: leaves[at] };
      }
      if (modes[at] === undefined || splits[at] === undefined)
        throw new InputError(`a branch of the ONNX model leads to node ${at}, which is not there`);
      const places = [0, 1].map((side): Place => ({ at: branch.node[side][at], isLeaf: branch.leaf[side][at] === 1 }));
      if (places.some(({ at: next }) => next === undefined) || features[at] === undefined) {
        throw new InputError('the lists of nodes of the ONNX model have different lengths');
      }
      const comparison = {
        mode: modeNames[modes[at]] ?? String(modes[at]),
        feature: features[at],
        value: splits[at],
        whenTrue: 0,
        whenFalse: 1,
        missingTrue: tracks[at] === 1,
      };
      const { left, right, ...split } = splitOf({ ...comparison, members: members.get(at) }, single);
      return { ...split, left: places[left], right: places[right] };
    });
  }
  return builder.finish({
    ...(single ? { sums: 'float32' as const } : {}),
    ...(divided === undefined ? {} : { divisor: builder.numTrees }),
  });
}

/** The categories of each node that compares with several: one list after the other, NaN after each. */
function memberLists(modes: readonly number[], values: readonly number[]): Map<number, number[]> {
  const lists = new Map<number, number[]>();
  let at = 0;
  modes.forEach((mode, node) => {
    if (modeNames[mode] !== 'BRANCH_MEMBER') return;
    const list: number[] = [];
    for (; at < values.length && !Number.isNaN(values[at]); at++) list.push(values[at]);
    at++;
    if (!list.every((category) => Number.isInteger(category) && category >= 0)) {
      throw new InputError('the ONNX model splits by values that are no whole numbers from 0, which is not supported');
    }
    lists.set(node, list);
  });
  return lists;
}
