import { netOptions, type QueryLoss, trainNet } from '../nets/train-net.js';
import type { Learner } from '../ranker.js';
import { NO_PAIRS, queriesWithPairs, type TrainingCells } from '../training/training-cells.js';

/** RankNet: the cross entropy of which document of a pair comes first. */
export const ranknet: Learner = {
  name: 'ranknet',
  aliases: [],
  title: 'RankNet',
  help: 'A neural net trained on pairs of documents by cross entropy; the objective chooses the best epoch on the validation data.',
  citation: { text: 'Burges et al., Learning to rank using gradient descent, ICML 2005', doi: '10.1145/1102351.1102363' },
  ranklib: 1,
  weighsQueries: true,
  options: {
    ...netOptions({ epochs: 100, rate: 0.001, layers: 1, units: 10, batch: 1 }),
    sigma: { type: 'number', default: 1, min: 1e-6, help: 'steepness of the probability that a document comes first' },
  },
  objectives: 'own',
  train: (request) => trainNet('ranknet', request, (data) => pairCrossEntropy(data, request.options.sigma as number)),
};

/** ln(1 + exp(-σ (higher - lower))) for every pair of documents with different labels, per pair of the query. */
export function pairCrossEntropy(data: TrainingCells, sigma: number): QueryLoss {
  const { labels, queryOffsets } = data;
  const byLabel = new LabelOrder(labels, queryOffsets);
  return {
    teaches: queriesWithPairs(data),
    whyNot: NO_PAIRS,
    objective: 'cross entropy of pairs',
    compute(q, scores, byScore) {
      const start = queryOffsets[q];
      const end = queryOffsets[q + 1];
      byScore.fill(0, start, end);
      const { rows, nextLower } = byLabel;
      let sum = 0;
      let pairs = 0;
      for (let i = start; i < end; i++) {
        const higher = rows[i];
        const score = scores[higher];
        let ownGradient = 0;
        for (let j = nextLower[i]; j < end; j++) {
          const lower = rows[j];
          const gap = sigma * (score - scores[lower]);
          // both from one exponential that cannot overflow
          const small = Math.exp(-Math.abs(gap));
          sum += Math.log1p(small) + (gap < 0 ? -gap : 0);
          const force = sigma * (gap < 0 ? 1 / (1 + small) : small / (1 + small));
          byScore[lower] += force;
          ownGradient += force;
        }
        pairs += end - nextLower[i];
        byScore[higher] -= ownGradient;
      }
      for (let row = start; row < end; row++) byScore[row] /= pairs;
      return sum / pairs;
    },
  };
}

/** The rows of each query by label, highest first, so that the pairs of a document are those from the next lower label on. */
class LabelOrder {
  readonly rows: Uint32Array;
  /** Place of the first row with a lower label than the row at this place; the end of the query if there is none. */
  readonly nextLower: Uint32Array;

  constructor(labels: Float64Array, queryOffsets: Uint32Array) {
    this.rows = Uint32Array.from(labels.keys()); // fits: entries
    this.nextLower = new Uint32Array(labels.length); // fits: entries
    for (let q = 0; q + 1 < queryOffsets.length; q++) {
      const start = queryOffsets[q];
      const end = queryOffsets[q + 1];
      const rows = this.rows.subarray(start, end).sort((a, b) => labels[b] - labels[a] || a - b);
      for (let i = rows.length - 1, next = end; i >= 0; i--) {
        if (i + 1 < rows.length && labels[rows[i + 1]] < labels[rows[i]]) next = start + i + 1;
        this.nextLower[start + i] = next;
      }
    }
  }
}
