import { InputError } from '../../core/problem.js';
import { objectiveNames } from '../objectives/index.js';
import type { Learner, LearnerOption, Model, TrainingRequest } from '../ranker.js';
import { boost } from '../trees/boosting.js';
import { type BoostingValues, boostingOptions, type TreeValues, treeOptions } from '../trees/options.js';

interface PairValues {
  readonly sigma: number;
  readonly truncation: number;
  readonly normalise: boolean;
  readonly positionWeights: readonly number[];
  readonly splitBy: string;
}

const pairOptions: Readonly<Record<keyof PairValues, LearnerOption>> = {
  sigma: { type: 'number', default: 1, min: 1e-6, max: 1e6, help: 'steepness of the loss of a pair of documents' },
  truncation: {
    type: 'integer',
    default: 30,
    min: 1,
    max: 1e9,
    help: 'only pairs with one document at these many first ranks count',
  },
  normalise: {
    type: 'boolean',
    default: true,
    help: 'pairs with distant scores count less, and queries with many pairs are scaled down, as LightGBM does it',
  },
  positionWeights: {
    type: 'numbers',
    default: [],
    min: 0,
    help: 'what a pair counts by the rank of its upper document: for ranks 1, 2, …; the last number is for all ranks below',
  },
  splitBy: {
    type: 'choice',
    default: 'hessian',
    choices: ['hessian', 'documents'],
    help: 'splits weigh documents by the second derivatives of the loss (hessian), as with LightGBM, or all alike (documents), as with RankLib',
  },
};

const options = { ...boostingOptions, ...treeOptions, ...pairOptions };

/** LambdaMART: boosted trees on the gradients of pairs of documents, each weighted by what its exchange would change. */
export const lambdamart: Learner = {
  name: 'lambdamart',
  aliases: [],
  title: 'LambdaMART',
  help: 'Boosts regression trees. Each pair of documents moves their scores apart, by as much as the measure would change if they changed places.',
  citation: {
    text: 'Wu, Burges, Svore and Gao, Adapting boosting for information retrieval measures, Information Retrieval 13, 2010',
    doi: '10.1007/s10791-009-9112-1',
  },
  ranklib: 6,
  weighsQueries: true,
  growsOnBins: true,
  options,
  objectives: objectiveNames,
  train: (request) => trainLambdaMart(request),
};

/** What `lambdamart` does, with a choice of arithmetic for tests.
 *  @param plain  without WebAssembly; the model is the same */
export async function trainLambdaMart(request: TrainingRequest, plain = false): Promise<Model> {
  const { canSwap, measure } = request.objective;
  if (!canSwap) {
    throw new InputError({
      message: `${measure.text} does not tell quickly what a swap of two documents changes, which LambdaMART asks for every pair`,
      wayOut: `take one of ${objectiveNames.join(', ')}`,
    });
  }
  const values = request.options as TrainingRequest['options'] & TreeValues & BoostingValues & PairValues;
  const { sigma, truncation, normalise, positionWeights } = values;
  const byDocuments = values.splitBy === 'documents';
  if (byDocuments && values.monotone.some((direction) => direction !== 0)) {
    throw new InputError({
      message: 'scores can be bound to rise or fall with a feature only where splits go by second derivatives',
      wayOut: 'leave out monotone, or splitBy=documents',
    });
  }
  return await boost(request, {
    learner: lambdamart.name,
    objective: request.objective.measure.text,
    options: values,
    pairs: { sigma, truncation, normalise, positionWeights },
    base: 0,
    byDocuments,
    plain,
  });
}
