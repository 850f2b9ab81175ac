import { type FeatureMatrix, toDense } from '../../core/feature-matrix.js';
import { InputError } from '../../core/problem.js';
import { testLists } from '../../core/ranked-lists.js';
import { evaluator } from '../../measures/evaluate.js';
import { aggregateOf, type Measure } from '../../measures/measure.js';
import { featuresOf } from '../dataset.js';
import { type EvaluationRules, inRecordOrder } from '../evaluate-model.js';
import type { Model } from '../ranker.js';
import { leftOutValue } from '../scoring/rows.js';
import { scoreMatrix } from '../scoring/score.js';
import { permutationImportance, treeImportance } from '../trees/importance.js';
import { usedFeatures } from './summary.js';

/** How much a model makes of each feature. */
export interface FeatureImportance {
  /** As files write it. */
  readonly id: number;
  readonly name: string | undefined;
  /** The sum of the gains of its splits, and how many there are. */
  readonly gain?: number;
  readonly splits?: number;
  readonly weight?: number;
  /** What the measure loses when its values are shuffled. */
  readonly loss?: number;
  /** The same for each query, in byte order of their ids, where the measure is a mean over queries; NaN where a query has no value. */
  readonly lossByQuery?: Float64Array;
}

/** What the model itself tells: gains and splits of trees, weights of a linear model. */
export function ownImportance(model: Model): FeatureImportance[] {
  const { scorer, numFeatures } = model;
  if (scorer.kind === 'net') {
    throw new InputError({ message: 'a net does not tell which features matter', wayOut: 'give --data, and features are shuffled there' });
  }
  if (scorer.kind === 'linear') return named(model, (column) => ({ weight: scorer.weights[column] }));
  const { gain, split } = treeImportance(scorer, numFeatures);
  return named(model, (column) => ({ ...(gain === undefined ? {} : { gain: gain[column] }), splits: split[column] }));
}

/** Where values are shuffled: over all documents, or only among the documents of a query. A feature that is the same for all documents
 *  of a query loses nothing within queries. */
export type ShuffleRange = 'data' | 'query';

/** How importance by shuffling is measured. */
export interface PermutationOptions {
  readonly measure: Measure;
  readonly rules?: EvaluationRules | undefined;
  readonly seed: number;
  /** How often each feature is shuffled; 5 by default. */
  readonly repeats?: number | undefined;
  /** Over all documents by default. */
  readonly shuffle?: ShuffleRange | undefined;
}

/** What the measure loses on this data when the values of one feature are shuffled, for each feature. */
export function shuffledImportance(model: Model, matrix: FeatureMatrix, options: PermutationOptions): FeatureImportance[] {
  const { measure, rules, seed, repeats, shuffle } = options;
  const dense = toDense(featuresOf(matrix), leftOutValue(model));
  const lists = testLists(matrix);
  const judge = evaluator(lists.qrels, [measure], rules ?? {});
  // the mean first, and then its queries
  const values = (cells: Float64Array): Float64Array => {
    const scores = scoreMatrix(model, { ...matrix, features: { ...dense, values: cells } });
    const table = judge.evaluate(lists.ranked(inRecordOrder(matrix, scores), 'scores'), 'scores');
    const found = new Float64Array(1 + table.topics.length);
    found[0] = table.aggregate(0);
    found.set(table.column(0), 1);
    return found;
  };
  const { numFeatures, firstFeature, names } = dense;
  const byName = names !== undefined && model.featureNames !== undefined;
  const columnOf = (column: number): number =>
    byName ? names.indexOf(model.featureNames?.[column] ?? '') : model.firstFeature + column - firstFeature;
  const used = new Uint8Array(numFeatures); // fits: flags
  usedFeatures(model).forEach((flag, column) => {
    const at = columnOf(column);
    if (at >= 0 && at < numFeatures) used[at] = flag;
  });
  const queryOffsets = shuffle === 'query' ? matrix.queryOffsets : undefined;
  const losses = permutationImportance({ cells: Float64Array.from(dense.values), numFeatures, values, seed, repeats, queryOffsets, used });
  const isMean = aggregateOf(measure) === 'mean';
  return named(model, (column) => {
    const at = columnOf(column);
    const own = at < 0 || at >= numFeatures ? new Float64Array(losses[0]?.length ?? 1) : losses[at];
    return { loss: own[0], ...(isMean ? { lossByQuery: own.subarray(1) } : {}) };
  });
}

function named(model: Model, of: (column: number) => Omit<FeatureImportance, 'id' | 'name'>): FeatureImportance[] {
  return Array.from({ length: model.numFeatures }, (_, column) => ({
    id: model.firstFeature + column,
    name: model.featureNames?.[column],
    ...of(column),
  }));
}
