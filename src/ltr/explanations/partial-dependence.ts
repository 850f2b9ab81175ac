import { type FeatureMatrix, numQueries } from '../../core/feature-matrix.js';
import { seededRandom, shuffleInPlace } from '../../core/numbers/random.js';
import { InputError } from '../../core/problem.js';
import { selectQueries } from '../folds.js';
import type { Model } from '../ranker.js';
import { scoreMatrix } from '../scoring/score.js';
import { modelCells } from './contributions.js';

/** Settings of partial dependence. */
export interface DependenceOptions {
  /** How many values of the feature are tried at most; 20 by default. */
  readonly points?: number | undefined;
  /** Whole queries are drawn until they have so many documents; 2000 by default. */
  readonly documents?: number | undefined;
  /** Of the draw of queries; 1 by default. */
  readonly seed?: number | undefined;
}

/** How the score follows one feature, all others as they are (Friedman 2001, doi:10.1214/aos/1013203451). */
export interface PartialDependence {
  /** As files write it. */
  readonly id: number;
  readonly name: string | undefined;
  /** The values that the feature is given, ascending: all that the data has, or quantiles of them. After the model's own scaling, if it
   *  scales features. */
  readonly values: Float64Array;
  /** How far scores move on average, over all documents, when the feature has that value instead of its own. */
  readonly changes: Float64Array;
  /** The same summed over the documents of each query: one row per query, one number per value. */
  readonly changesByQuery: Float64Array;
  /** How many documents each of these queries has. */
  readonly documentsByQuery: Float64Array;
  /** Whether the values are those of the model's scale instead of the file's. */
  readonly isScaled: boolean;
}

/** Gives a feature other values in all documents and looks how far scores move, for each of these features.
 *  @param columns Of the model, from 0 on. */
export function partialDependence(
  model: Model,
  matrix: FeatureMatrix,
  columns: readonly number[],
  options: DependenceOptions = {},
): PartialDependence[] {
  const { numFeatures, firstFeature, featureNames } = model;
  const { points = 20, documents = 2000, seed = 1 } = options;
  if (matrix.numRows === 0) throw new InputError('there are no documents whose scores could move');
  const all = modelCells(model, matrix);
  const some = drawnQueries(matrix, documents, seed);
  const cells = some === matrix ? all : modelCells(model, some);
  const { numRows, queryOffsets } = some;
  // as the scorer sees them, which nothing scales again
  const scorer: Model = { ...model, normalisation: undefined };
  const scored = (given: Float64Array): Float64Array =>
    scoreMatrix(scorer, {
      ...some,
      features: { layout: 'dense', firstFeature, numFeatures, numGiven: given.length, names: featureNames, values: given },
      binned: undefined,
    });
  const before = scored(cells);
  return columns.map((column) => {
    if (!Number.isInteger(column) || column < 0 || column >= numFeatures) {
      const last = firstFeature + numFeatures - 1;
      throw new InputError(`the model has features ${firstFeature} to ${last}, found ${firstFeature + column}`);
    }
    const values = triedValues(model, all, column, points);
    const given = Float64Array.from(cells);
    const changes = new Float64Array(values.length);
    const changesByQuery = new Float64Array(numQueries(some) * values.length);
    values.forEach((value, v) => {
      for (let row = 0; row < numRows; row++) given[row * numFeatures + column] = value;
      const after = scored(given);
      for (let q = 0; q < numQueries(some); q++) {
        let sum = 0;
        for (let row = queryOffsets[q]; row < queryOffsets[q + 1]; row++) sum += after[row] - before[row];
        changesByQuery[q * values.length + v] = sum;
        changes[v] += sum / numRows;
      }
    });
    return {
      id: firstFeature + column,
      name: featureNames?.[column],
      values,
      changes,
      changesByQuery,
      documentsByQuery: Float64Array.from({ length: numQueries(some) }, (_, q) => queryOffsets[q + 1] - queryOffsets[q]),
      isScaled: model.normalisation !== undefined,
    };
  });
}

/** Whole queries, in the order of the data. */
function drawnQueries(matrix: FeatureMatrix, documents: number, seed: number): FeatureMatrix {
  if (matrix.numRows <= documents) return matrix;
  const order = Array.from({ length: numQueries(matrix) }, (_, q) => q);
  shuffleInPlace(seededRandom(seed), order);
  let count = 0;
  const drawn = order.filter((q) => {
    if (count >= documents) return false;
    count += matrix.queryOffsets[q + 1] - matrix.queryOffsets[q];
    return true;
  });
  return selectQueries(matrix, Uint32Array.from(drawn).sort()); // fits: entries
}

/** All values that the data has of a feature, if they are few; else the most frequent categories, or quantiles. */
function triedValues(model: Model, cells: Float64Array, column: number, points: number): Float64Array {
  const { numFeatures } = model;
  const counts = new Map<number, number>();
  const all: number[] = [];
  for (let at = column; at < cells.length; at += numFeatures) {
    const value = cells[at];
    if (Number.isNaN(value)) continue;
    all.push(value);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  if (counts.size <= points) return Float64Array.from(counts.keys()).sort();
  if (isCategorical(model, column)) {
    const frequent = [...counts].sort(([a, m], [b, n]) => n - m || a - b).slice(0, points);
    return Float64Array.from(frequent, ([value]) => value).sort();
  }
  const sorted = Float64Array.from(all).sort();
  const quantiles = Array.from({ length: points }, (_, i) => sorted[Math.round((i / (points - 1)) * (sorted.length - 1))]);
  return Float64Array.from(new Set(quantiles));
}

function isCategorical({ scorer }: Model, column: number): boolean {
  if (scorer.kind !== 'trees' || scorer.categories === undefined) return false;
  const { setOf } = scorer.categories;
  return scorer.feature.some((feature, node) => feature === column && setOf[node] >= 0);
}
