import { InputError } from '../../core/problem.js';
import type { Model, TreeScorer } from '../ranker.js';
import { checkFeatureCount, checkModel, LARGEST_ID } from './check.js';
import { asFinite, nextDouble, previousDouble } from './float32.js';
import {
  arrayAt,
  choiceAt,
  type JsonObject,
  member,
  numberAt,
  numbersAt,
  objectAt,
  parseJson,
  refuse,
  shown,
  textsAt,
  wholeAt,
} from './json-places.js';
import type { ModelReading, ModelWriting, WrittenModel } from './model-file.js';
import { type LeafSpec, type SplitSpec, TreeBuilder } from './tree-builder.js';
import { bounded, treesOnly } from './tree-dumps.js';

/** The body of Elasticsearch's `PUT _ml/trained_models/NAME`, or its `definition` alone. Elasticsearch computes in doubles. */
export function modelFromElasticsearch(text: string, { firstFeature = 1 }: ModelReading = {}): Model {
  const file = objectAt(parseJson(text, 'the Elasticsearch model'), 'the Elasticsearch model');
  if (member(file, 'compressed_definition') !== undefined) {
    throw new InputError({
      message: 'the definition of the model is compressed',
      wayOut: 'unpack it: compressed_definition is gzip in base64',
    });
  }
  const definition = objectAt(member(file, 'definition') ?? file, 'definition');
  const trained = objectAt(member(definition, 'trained_model'), 'definition.trained_model');
  const single = member(trained, 'tree');
  const ensemble = single === undefined ? objectAt(member(trained, 'ensemble'), 'trained_model.ensemble') : undefined;
  const trees = ensemble === undefined ? [{ tree: single }] : arrayAt(member(ensemble, 'trained_models'), 'ensemble.trained_models');
  const top = ensemble ?? objectAt(single, 'trained_model.tree');
  const featureNames = textsAt(member(top, 'feature_names'), 'feature_names');
  checkFeatureCount(featureNames.length);
  const weights = ensemble === undefined ? undefined : weightsOf(ensemble, trees.length);
  const builder = new TreeBuilder();
  trees.forEach((value, t) => {
    const path = `trained_models[${t}].tree`;
    addTree(builder, objectAt(member(objectAt(value, `trained_models[${t}]`), 'tree'), path), path, weights?.[t] ?? 1, featureNames);
  });
  if (builder.numTrees === 0) throw new InputError('the Elasticsearch model has no trees');
  return checkModel({
    learner: 'elasticsearch',
    firstFeature,
    numFeatures: featureNames.length,
    featureNames,
    missing: Number.NaN,
    scorer: builder.finish(),
  });
}

function weightsOf(ensemble: JsonObject, numTrees: number): Float64Array | undefined {
  const output = member(ensemble, 'aggregate_output');
  if (output === undefined) return undefined;
  const [kind] = Object.keys(objectAt(output, 'aggregate_output'));
  if (kind !== 'weighted_sum') {
    throw new InputError({ message: `the trees are put together by ${shown(kind)}, which is not supported`, wayOut: 'weighted_sum is' });
  }
  const weights = member(objectAt(member(objectAt(output, 'aggregate_output'), kind), 'weighted_sum'), 'weights');
  return weights === undefined ? undefined : numbersAt(weights, 'weighted_sum.weights', numTrees);
}

function addTree(builder: TreeBuilder, tree: JsonObject, path: string, weight: number, names: readonly string[]): void {
  const nodes = arrayAt(member(tree, 'tree_structure'), `${path}.tree_structure`).map((node, i) =>
    objectAt(node, `${path}.tree_structure[${i}]`),
  );
  // a tree numbers the features that it has itself
  const own = textsAt(member(tree, 'feature_names') ?? names, `${path}.feature_names`);
  const columns = own.map((name) =>
    names.includes(name) ? names.indexOf(name) : refuse(`${path}.feature_names`, shown(name), 'a feature of the ensemble'),
  );
  const byIndex = new Map(nodes.map((node, i) => [wholeAt(member(node, 'node_index') ?? i, `${path}: node_index`, 0, LARGEST_ID), node]));
  builder.add(0, weight, (index): LeafSpec | SplitSpec => {
    const node = byIndex.get(index);
    if (node === undefined) throw new InputError(`${path}: a branch leads to node ${index}, which is not there`);
    if (member(node, 'left_child') === undefined) {
      const value = member(node, 'leaf_value');
      return { value: numberAt(Array.isArray(value) ? value[0] : value, `${path}: leaf_value`) };
    }
    const whole = (name: string, most: number): number => wholeAt(member(node, name), `${path}: ${name}`, 0, most);
    const threshold = numberAt(member(node, 'threshold'), `${path}: threshold`);
    const kind = choiceAt(member(node, 'decision_type') ?? 'lte', `${path}: decision_type`, ['lt', 'lte']);
    return {
      feature: columns[whole('split_feature', own.length - 1)],
      threshold: kind === 'lt' ? previousDouble(threshold) : threshold,
      missingLeft: member(node, 'default_left') === true,
      left: whole('left_child', LARGEST_ID),
      right: whole('right_child', LARGEST_ID),
    };
  });
}

/** A body for `PUT _ml/trained_models/NAME`. The queries that compute the features are the user's to fill in. */
export function modelToElasticsearch(original: Model, { shift = false }: ModelWriting = {}): WrittenModel {
  const { scorer, featureNames, numFeatures } = treesOnly(original, 'a model of Elasticsearch');
  if (scorer.categories !== undefined) throw new InputError('the model splits by category, which Elasticsearch cannot express');
  if (scorer.zeroIsMissing) throw new InputError('zeros count as missing in this model, which Elasticsearch cannot express');
  const names = featureNames ?? Array.from({ length: numFeatures }, (_, column) => `f${column}`);
  const { nodeOffsets, feature, threshold, left, right, missingLeft, value, treeWeights, divisor = 1 } = scorer;
  const leaf = (tree: number, node: number): number => asFinite((treeWeights[tree] * value[node]) / divisor, `a leaf of tree ${tree}`);
  const structures = Array.from(treeWeights, (_, tree) =>
    Array.from({ length: nodeOffsets[tree + 1] - nodeOffsets[tree] }, (_, i) => {
      const node = nodeOffsets[tree] + i;
      if (feature[node] < 0) return { node_index: i, leaf_value: leaf(tree, node) };
      return {
        node_index: i,
        // as every reader of definitions knows it; values at the threshold go left
        decision_type: 'lt',
        left_child: left[node] - nodeOffsets[tree],
        right_child: right[node] - nodeOffsets[tree],
        split_feature: feature[node],
        threshold: bounded(nextDouble(threshold[node]), Number.MAX_VALUE),
        default_left: missingLeft[node] === 1,
      };
    }),
  );
  const base = scorer.base / divisor + (shift ? Math.max(0, -leastScore(scorer, leaf)) : 0);
  const all = base === 0 ? structures : [...structures, [{ node_index: 0, leaf_value: base }]];
  const notes = ['fill in the queries of the feature extractors, and name features that are fields in input.field_names'];
  if (scorer.sums === 'float32')
    notes.push('Elasticsearch adds in 64 bits what this model adds in 32: scores differ from the seventh digit on');
  if (!shift && leastScore(scorer, leaf) < 0)
    notes.push('scores can be negative, which Elasticsearch refuses in places: --shift adds what it takes');
  const body = {
    input: { field_names: [] },
    inference_config: {
      learning_to_rank: {
        feature_extractors: names.map((name) => ({ query_extractor: { feature_name: name, query: { match: { [name]: '{{query}}' } } } })),
      },
    },
    definition: {
      trained_model: {
        ensemble: {
          target_type: 'regression',
          feature_names: names,
          trained_models: all.map((nodes) => ({ tree: { target_type: 'regression', feature_names: names, tree_structure: nodes } })),
          aggregate_output: { weighted_sum: {} },
        },
      },
    },
  };
  return { content: `${JSON.stringify(body)}\n`, notes };
}

/** No document can have less: the sum of the least leaf of every tree. */
function leastScore(
  { nodeOffsets, treeWeights, feature, base, divisor = 1 }: TreeScorer,
  leaf: (tree: number, node: number) => number,
): number {
  return treeWeights.reduce((sum, _, tree) => {
    let least = Infinity;
    for (let node = nodeOffsets[tree]; node < nodeOffsets[tree + 1]; node++)
      if (feature[node] < 0) least = Math.min(least, leaf(tree, node));
    return sum + least;
  }, base / divisor);
}
