import { InputError } from '../../core/problem.js';
import { netOptions, type QueryLoss, trainNet } from '../nets/train-net.js';
import type { Objective } from '../objectives/objective.js';
import type { Learner } from '../ranker.js';
import { OrderSorter } from '../training/rankings.js';
import type { TrainingCells } from '../training/training-cells.js';

/** LambdaRank: RankNet's pairs, each weighed by what exchanging its documents would do to the measure. */
export const lambdarank: Learner = {
  name: 'lambdarank',
  aliases: [],
  title: 'LambdaRank',
  help: 'A neural net (or a linear ranker, with layers=0) trained on pairs of documents, each weighed by what their exchange would change.',
  citation: { text: 'Burges, Ragno and Le, Learning to rank with nonsmooth cost functions, NIPS 2006' },
  ranklib: 5,
  weighsQueries: true,
  options: {
    ...netOptions({ epochs: 100, rate: 0.001, layers: 1, units: 10, batch: 1 }),
    sigma: { type: 'number', default: 1, min: 1e-6, help: 'steepness of the probability that a document comes first' },
    truncation: {
      type: 'integer',
      default: 0,
      min: 0,
      max: 1_000_000,
      help: 'takes only pairs of which one document is ranked this high; 0 for all pairs',
    },
  },
  weighsRisk: true,
  asksSwaps: true,
  objectives: ['nDCG', 'DCG', 'AP', 'GAP', 'ERR', 'RR', 'P'],
  train: (request) => {
    const { sigma, truncation } = request.options as { sigma: number; truncation: number };
    return trainNet('lambdarank', request, (data) => lambdaLoss(data, request.objective, sigma, truncation));
  },
};

/** The sum over pairs with different labels of |Δ| ln(1 + exp(-σ (higher - lower))), where |Δ| is what their exchange changes
 *  in the present ranking and counts as constant. */
export function lambdaLoss({ labels, queryOffsets }: TrainingCells, objective: Objective, sigma: number, truncation: number): QueryLoss {
  if (!objective.canSwap) {
    throw new InputError({
      message: `LambdaRank has to know what an exchange of two documents does to ${objective.measure.text}, and there is no quick answer`,
      wayOut: `take one of ${lambdarank.objectives === 'any' || lambdarank.objectives === 'own' ? '' : lambdarank.objectives.join(', ')}`,
    });
  }
  const prepared = objective.prepare(labels, queryOffsets);
  const sorter = new OrderSorter();
  // fits: entries
  const orders = Array.from(prepared.teaches, (_, q) => Uint32Array.from({ length: queryOffsets[q + 1] - queryOffsets[q] }, (_, i) => i));
  const deepest = truncation === 0 ? Number.POSITIVE_INFINITY : truncation;
  return {
    teaches: prepared.teaches,
    whyNot: `${objective.measure.text} is the same for every order of every query`,
    objective: objective.measure.text,
    compute(q, scores, byScore) {
      const start = queryOffsets[q];
      const end = queryOffsets[q + 1];
      const order = orders[q];
      byScore.fill(0, start, end);
      sorter.sort(order, scores, start);
      prepared.fixOrder(q, order);
      let sum = 0;
      for (let a = 0; a < order.length && a < deepest; a++) {
        const above = start + order[a];
        for (let b = a + 1; b < order.length; b++) {
          const below = start + order[b];
          if (labels[above] === labels[below]) continue;
          const change = Math.abs(prepared.swapDelta(a, b));
          if (change === 0) continue;
          const right = labels[above] > labels[below];
          const gap = sigma * (right ? scores[above] - scores[below] : scores[below] - scores[above]);
          const small = Math.exp(-Math.abs(gap));
          sum += change * (Math.log1p(small) + (gap < 0 ? -gap : 0));
          const force = change * sigma * (gap < 0 ? 1 / (1 + small) : small / (1 + small));
          byScore[above] -= right ? force : -force;
          byScore[below] += right ? force : -force;
        }
      }
      return sum;
    },
  };
}
