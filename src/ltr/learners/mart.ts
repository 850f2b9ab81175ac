import type { Learner, Model, TrainingRequest } from '../ranker.js';
import { boost } from '../trees/boosting.js';
import { type BoostingValues, boostingOptions, type TreeValues, treeOptions } from '../trees/options.js';

/** MART: boosted trees that predict the labels. */
export const mart: Learner = {
  name: 'mart',
  aliases: ['gbrt'],
  title: 'MART',
  help: 'Boosts regression trees that predict the label of each document by itself; the measure is only watched.',
  citation: {
    text: 'Friedman, Greedy function approximation: a gradient boosting machine, Annals of Statistics 29, 2001',
    doi: '10.1214/aos/1013203451',
  },
  ranklib: 0,
  weighsQueries: true,
  weighsDocuments: true,
  growsOnBins: true,
  continues: true,
  options: { ...boostingOptions, ...treeOptions },
  objectives: 'own',
  train: (request) => trainMart(request),
};

/** What `mart` does, with a choice of arithmetic for tests.
 *  @param plain  without WebAssembly; the model is the same */
export function trainMart(request: TrainingRequest, plain = false): Promise<Model> {
  return boost(request, {
    learner: mart.name,
    objective: 'squared error',
    options: request.options as TrainingRequest['options'] & TreeValues & BoostingValues,
    pairs: undefined,
    // scores that are there already are where predictions begin
    base: request.initialScores === undefined && request.start === undefined ? meanLabel(request) : 0,
    plain,
  });
}

/** The mean label, each document weighing as much as it and its query do: where predictions begin. */
function meanLabel({ train, queryWeights, documentWeights }: TrainingRequest): number {
  const { labels, queryOffsets } = train;
  let sum = 0;
  let weights = 0;
  for (let q = 0; q + 1 < queryOffsets.length; q++) {
    for (let row = queryOffsets[q]; row < queryOffsets[q + 1]; row++) {
      const weight = (queryWeights?.[q] ?? 1) * (documentWeights?.[row] ?? 1);
      sum += weight * labels[row];
      weights += weight;
    }
  }
  return weights > 0 ? sum / weights : 0;
}
