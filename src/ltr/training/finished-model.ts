import type { Model, OptionValue, Scorer, TrainingRequest } from '../ranker.js';
import type { TrainingCells } from './training-cells.js';

/** What a learner found out, as a model with its papers. */
export function finishedModel(
  learner: string,
  request: TrainingRequest,
  data: TrainingCells,
  scorer: Scorer,
  record: {
    readonly objective: string;
    readonly iterations: number;
    readonly best?: { readonly iteration: number; readonly validation: number } | undefined;
    readonly options?: Readonly<Record<string, OptionValue>>;
  },
): Model {
  const { objective, iterations, best } = record;
  return {
    learner,
    firstFeature: data.firstFeature,
    numFeatures: data.numFeatures,
    featureNames: data.featureNames,
    missing: 0,
    scorer,
    training: { objective, options: { ...request.options, ...record.options }, seed: request.seed, iterations, best },
  };
}
