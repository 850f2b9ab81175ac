import { closest } from '../../core/closest.js';
import { InputError } from '../../core/problem.js';
import { listMleLoss, softmaxLoss, xeNdcgLoss } from './list-losses.js';
import { findLossName, type LossName, lossNames } from './names.js';
import { lambdaLoss, lambdaRankGradients, rankNetLoss } from './pair-losses.js';
import type { QueryObjective } from './query-objective.js';
import { stochasticRankLoss, yetiRankLoss } from './random-losses.js';
import { approxNdcgLoss, neuralNdcgLoss } from './smooth-losses.js';

export { findLossName, type LossName, lossNames } from './names.js';

/** What losses can be told; each takes what it knows and leaves the rest alone. */
export interface LossOptions {
  /** Steepness of the loss of a pair. */
  readonly sigma?: number | undefined;
  /** Only pairs with one document at these many first ranks (LambdaRank). */
  readonly truncation?: number | undefined;
  /** Scales pairs and queries as LightGBM does (LambdaRank). */
  readonly normalise?: boolean | undefined;
  /** Temperature (ApproxNDCG 0.1, NeuralNDCG 1), or deviation of the noise (StochasticRank 1). */
  readonly temperature?: number | undefined;
  /** Orders (YetiRank 10) or samples of noise (StochasticRank 1) for each query and iteration. */
  readonly samples?: number | undefined;
  /** What a place counts, compared with the one above it (YetiRank). */
  readonly decay?: number | undefined;
  /** How much of NDCG-Loss2 is added to LambdaRank's weight (NDCG-Loss2++). */
  readonly mu?: number | undefined;
}

/** The losses by name, in reading order. */
const losses: Readonly<Record<LossName, (options: LossOptions) => QueryObjective>> = {
  lambdarank: lambdaRankGradients,
  ranknet: rankNetLoss,
  lambdaloss: ({ mu, sigma }) => lambdaLoss({ weights: 'ndcg-loss2++', mu, sigma }),
  'ndcg-loss1': ({ sigma }) => lambdaLoss({ weights: 'ndcg-loss1', sigma }),
  'ndcg-loss2': ({ sigma }) => lambdaLoss({ weights: 'ndcg-loss2', sigma }),
  'approx-ndcg': ({ temperature }) => approxNdcgLoss({ temperature }),
  'neural-ndcg': ({ temperature }) => neuralNdcgLoss({ temperature }),
  softmax: softmaxLoss,
  listmle: () => listMleLoss(),
  'p-listmle': () => listMleLoss({ positions: true }),
  'xe-ndcg': () => xeNdcgLoss(),
  yetirank: ({ samples, decay }) => yetiRankLoss({ permutations: samples, decay }),
  'yetirank-ndcg': ({ samples }) => yetiRankLoss({ permutations: samples, mode: 'ndcg' }),
  'stochastic-rank': ({ temperature, samples }) => stochasticRankLoss({ sigma: temperature, samples }),
};

/** A loss by its name, ready to be asked for gradients.
 *
 *      const { gradient } = rankingLoss('listmle').gradients(scores, { query: 0, labels, iteration: 1, random: seededRandom(1) });
 */
export function rankingLoss(name: string, options: LossOptions = {}): QueryObjective {
  const found = findLossName(name);
  if (found !== undefined) return losses[found](options);
  const close = closest(name, lossNames);
  throw new InputError({
    message: `there is no loss ${name === '' ? 'with an empty name' : name}`,
    wayOut: `${close === undefined ? '' : `did you mean ${close}? `}it can be ${lossNames.join(', ')}`,
  });
}
