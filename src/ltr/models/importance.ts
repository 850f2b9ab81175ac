import { type FeatureMatrix, toDense } from '../../core/feature-matrix.js';
import { InputError } from '../../core/problem.js';
import type { Measure } from '../../measures/measure.js';
import { featuresOf } from '../dataset.js';
import { type EvaluationRules, evaluateScores } from '../evaluate-model.js';
import type { Model } from '../ranker.js';
import { leftOutValue } from '../scoring/rows.js';
import { scoreMatrix } from '../scoring/score.js';
import { permutationImportance, treeImportance } from '../trees/importance.js';

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

/** How importance by shuffling is measured. */
export interface PermutationOptions {
  readonly measure: Measure;
  readonly rules?: EvaluationRules | undefined;
  readonly seed: number;
  /** How often each feature is shuffled; 5 by default. */
  readonly repeats?: number | undefined;
}

/** What the measure loses on this data when the values of one feature are shuffled over all documents, for each feature. */
export function shuffledImportance(model: Model, matrix: FeatureMatrix, options: PermutationOptions): FeatureImportance[] {
  const { measure, rules, seed, repeats } = options;
  const dense = toDense(featuresOf(matrix), leftOutValue(model));
  const value = (cells: Float64Array): number =>
    evaluateScores(scoreMatrix(model, { ...matrix, features: { ...dense, values: cells } }), matrix, [measure], rules).aggregate(0);
  const { numFeatures, firstFeature, names } = dense;
  const losses = permutationImportance({ cells: Float64Array.from(dense.values), numFeatures, value, seed, repeats });
  const byName = names !== undefined && model.featureNames !== undefined;
  return named(model, (column) => {
    const at = byName ? names.indexOf(model.featureNames?.[column] ?? '') : model.firstFeature + column - firstFeature;
    return { loss: at < 0 || at >= numFeatures ? 0 : losses[at] };
  });
}

function named(model: Model, of: (column: number) => Omit<FeatureImportance, 'id' | 'name'>): FeatureImportance[] {
  return Array.from({ length: model.numFeatures }, (_, column) => ({
    id: model.firstFeature + column,
    name: model.featureNames?.[column],
    ...of(column),
  }));
}
