import { InputError } from '../../core/problem.js';
import { positionBiasedLambdaRank, propensityWeightedLambdaRank, unbiasedLambdaMart } from '../clicks/unbiased.js';
import { type LossName, lossNames, rankingLoss } from '../losses/index.js';
import type { QueryObjective } from '../losses/query-objective.js';
import { objectiveNames, objectiveOf } from '../objectives/index.js';
import type { Objective } from '../objectives/objective.js';
import type { Learner, LearnerOption, Model, TrainingRequest } from '../ranker.js';
import { boost } from '../trees/boosting.js';
import { type BoostingValues, boostingOptions, type TreeValues, treeOptions } from '../trees/options.js';
import { withSizedOptions } from './size-defaults.js';

interface PairValues {
  readonly sigma: number;
  readonly truncation: number;
  readonly cutPairs: boolean;
  readonly normalise: boolean;
  readonly positionWeights: readonly number[];
  readonly splitBy: string;
  readonly loss: string;
  readonly temperature: number;
  readonly samples: number;
  readonly decay: number;
  readonly mu: number;
  readonly clicks: string;
  readonly propensities: readonly number[];
  readonly positions: number;
}

const pairOptions: Readonly<Record<keyof PairValues, LearnerOption>> = {
  sigma: { type: 'number', default: 1, min: 1e-6, max: 1e6, help: 'steepness of the loss of a pair of documents' },
  truncation: {
    type: 'integer',
    default: 100,
    min: 1,
    max: 1e9,
    help: 'only pairs with one document at these many first ranks count; they are weighed as if the measure were cut there, if it is cut above',
  },
  cutPairs: {
    type: 'boolean',
    default: false,
    help: 'pairs count only as far as the measure is cut: for nDCG@10 those with one of ten documents',
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
  loss: {
    type: 'choice',
    default: 'lambdarank',
    choices: lossNames,
    help: 'what is made smaller; lambdarank follows the objective, all others are about nDCG or have a goal of their own, and the objective is watched',
  },
  temperature: {
    type: 'number',
    default: 0,
    min: 0,
    help: 'temperature of approx-ndcg (0: 0.1) and neural-ndcg (0: 1), deviation of the noise of stochastic-rank (0: 1)',
  },
  samples: {
    type: 'integer',
    default: 0,
    min: 0,
    max: 10_000,
    help: 'orders that yetirank draws for each query and tree (0: 10), samples of the noise of stochastic-rank (0: 1)',
  },
  decay: { type: 'number', default: 0.85, min: 0, max: 1, help: 'what a place counts for yetirank, compared with the one above it' },
  mu: { type: 'number', default: 10, min: 0, help: 'how much of NDCG-Loss2 lambdaloss adds to the weights of LambdaRank' },
  clicks: {
    type: 'choice',
    default: 'none',
    choices: ['none', 'unbiased', 'position', 'propensities'],
    help: 'labels are clicks, and documents stand as they were shown: estimate the bias of positions along with the ranker (unbiased, as XGBoost; position, as LightGBM), or take the chances of propensities',
  },
  propensities: {
    type: 'numbers',
    default: [],
    min: 1e-6,
    max: 1,
    help: 'the chance that a shown rank is looked at, for clicks=propensities: for ranks 1, 2, …; the last number is for all ranks below',
  },
  positions: {
    type: 'integer',
    default: 32,
    min: 1,
    max: 10_000,
    help: 'positions with a bias of their own, for clicks=unbiased and clicks=position',
  },
};

const bySize = { default: 'auto', choices: ['auto'] } as const;

const options: Readonly<Record<string, LearnerOption>> = {
  ...boostingOptions,
  ...treeOptions,
  ...pairOptions,
  leaves: { ...treeOptions.leaves, ...bySize },
  truncation: { ...pairOptions.truncation, ...bySize },
  defaults: {
    type: 'choice',
    default: 'size',
    choices: ['size', 'lightgbm'],
    help: 'what auto stands for: 7 leaves for fewer than 20,000 training documents, else 31, and truncation 100; or what LightGBM has, 31 and 30',
  },
};

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
  weighsDocuments: true,
  growsOnBins: true,
  continues: true,
  takesGradients: true,
  options,
  weighsRisk: true,
  asksSwaps: true,
  objectives: objectiveNames,
  train: (request) => trainLambdaMart(request),
};

/** What `lambdamart` does, with a choice of arithmetic for tests.
 *  @param plain  without WebAssembly; the model is the same */
export async function trainLambdaMart(given: TrainingRequest, plain = false): Promise<Model> {
  const request = { ...given, options: withSizedOptions(given.options, given.train.numRows) };
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
  const gradients = request.gradients ?? lossOf(values);
  const paired = values.cutPairs ? request.objective : widened(request.objective, truncation);
  return await boost(
    { ...request, objective: paired, metric: request.metric ?? request.objective },
    {
      learner: lambdamart.name,
      objective: gradients?.name ?? request.objective.measure.text,
      options: values,
      pairs: gradients === undefined ? { sigma, truncation, normalise, positionWeights } : undefined,
      gradients,
      base: 0,
      byDocuments,
      plain,
    },
  );
}

/** A measure that is cut farther down: what stands below its own cut teaches too, and models that were taught it are better above. A measure
 *  that gives nothing to lists shorter than its cut stays as it is, and so does one that is compared with the values of a baseline. */
function widened(objective: Objective, depth: number): Objective {
  const { measure } = objective;
  const { cutoff, short } = measure.params;
  if (typeof cutoff !== 'number' || cutoff >= depth || short === 'zero' || objective.ownThread === true) return objective;
  return objectiveOf({ ...measure, params: { ...measure.params, cutoff: depth } });
}

/** The loss that was chosen; undefined for LambdaRank, whose gradients have a kernel of their own. */
function lossOf(values: PairValues & Pick<BoostingValues, 'rate'>): QueryObjective | undefined {
  const { loss, sigma, temperature, samples, decay, mu, clicks } = values;
  if (clicks !== 'none') return clickLoss(values);
  if (loss === ('lambdarank' satisfies LossName)) return undefined;
  return rankingLoss(loss, { sigma, temperature: temperature || undefined, samples: samples || undefined, decay, mu });
}

/** What LambdaMART follows where labels are clicks. */
function clickLoss({ clicks, loss, propensities, positions, normalise, rate }: PairValues & Pick<BoostingValues, 'rate'>): QueryObjective {
  if (loss !== ('lambdarank' satisfies LossName)) {
    throw new InputError({ message: `clicks=${clicks} and loss=${loss} both say what is made smaller`, wayOut: 'give one of them' });
  }
  if (clicks === 'unbiased') return unbiasedLambdaMart({ positions, normalise });
  if (clicks === 'position') return positionBiasedLambdaRank({ positions, rate, normalise });
  if (propensities.length === 0) {
    throw new InputError({ message: 'clicks=propensities needs propensities', wayOut: 'take those that gradus clicks bias LOG prints' });
  }
  return propensityWeightedLambdaRank(propensities);
}
