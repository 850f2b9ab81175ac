import { netOptions, type QueryLoss, trainNet } from '../nets/train-net.js';
import type { Learner } from '../ranker.js';
import { NO_PAIRS, queriesWithPairs, type TrainingCells } from '../training/training-cells.js';

/** ListNet: the cross entropy of which document comes first of all. */
export const listnet: Learner = {
  name: 'listnet',
  aliases: [],
  title: 'ListNet',
  help: 'Trained by the cross entropy between the chances of each document to come first, by labels and by scores; the objective chooses the best epoch on the validation data.',
  citation: {
    text: 'Cao, Qin, Liu, Tsai and Li, Learning to rank: from pairwise approach to listwise approach, ICML 2007',
    doi: '10.1145/1273496.1273513',
  },
  ranklib: 7,
  weighsQueries: true,
  options: netOptions({ epochs: 200, rate: 0.001, layers: 0, units: 10, batch: 1 }),
  objectives: 'own',
  train: (request) => trainNet('listnet', request, topOneCrossEntropy),
};

/** -Σ p(i) ln P(i), p being the softmax of the labels and P that of the scores. */
export function topOneCrossEntropy(data: TrainingCells): QueryLoss {
  const { labels, queryOffsets, numQueries } = data;
  const chances = new Float64Array(labels.length);
  for (let q = 0; q < numQueries; q++) softmax(labels, chances, queryOffsets[q], queryOffsets[q + 1]);
  return {
    teaches: queriesWithPairs(data),
    whyNot: NO_PAIRS,
    objective: 'cross entropy of the first place',
    compute(q, scores, byScore) {
      const start = queryOffsets[q];
      const end = queryOffsets[q + 1];
      const logSum = softmax(scores, byScore, start, end);
      let sum = 0;
      for (let row = start; row < end; row++) {
        sum += chances[row] * (logSum - scores[row]);
        byScore[row] -= chances[row];
      }
      return sum;
    },
  };
}

/** exp(value) / Σ exp(value) for one query; returns ln Σ exp(value). */
function softmax(values: Float64Array, out: Float64Array, start: number, end: number): number {
  let greatest = Number.NEGATIVE_INFINITY;
  for (let row = start; row < end; row++) if (values[row] > greatest) greatest = values[row];
  let sum = 0;
  for (let row = start; row < end; row++) {
    out[row] = Math.exp(values[row] - greatest);
    sum += out[row];
  }
  for (let row = start; row < end; row++) out[row] /= sum;
  return greatest + Math.log(sum);
}
