import type { Model, TreeScorer } from '../ranker.js';

/** Up to so many features rows are read as wide as the model is. */
const NARROW = 1024;

/** A model in which only the features that trees ask for have a column. */
export interface NarrowModel {
  readonly model: Model;
  /** The column of each feature of the wide model, or -1. */
  readonly columnOf: Int32Array;
}

/** The same ensemble without the features that no split asks for, where there are many, so that time and memory depend on the trees and
 *  not on the largest feature number. Columns are scaled one by one, so that leaving some out changes nothing for the others. */
export function narrowed(model: Model): NarrowModel | undefined {
  const { scorer, numFeatures, normalisation } = model;
  if (scorer.kind !== 'trees' || numFeatures <= NARROW) return undefined;
  const columnOf = new Int32Array(numFeatures).fill(-1); // fits: columns, at most limits.features, or -1
  for (const feature of scorer.feature) if (feature >= 0) columnOf[feature] = 0;
  const kept: number[] = [];
  for (let feature = 0; feature < numFeatures; feature++) if (columnOf[feature] === 0) columnOf[feature] = kept.push(feature) - 1;
  const narrowScorer: TreeScorer = { ...scorer, feature: scorer.feature.map((feature) => (feature < 0 ? feature : columnOf[feature])) };
  const only = (values: Float64Array): Float64Array => Float64Array.from(kept, (feature) => values[feature]);
  return {
    model: {
      ...model,
      numFeatures: kept.length,
      scorer: narrowScorer,
      normalisation:
        normalisation?.kind === 'global'
          ? { ...normalisation, shift: only(normalisation.shift), factor: only(normalisation.factor) }
          : normalisation,
    },
    columnOf,
  };
}
