import { seededRandom } from '../../core/numbers/random.js';
import { InputError } from '../../core/problem.js';
import type { QueryObjective } from '../losses/query-objective.js';
import type { TrainingRequest } from '../ranker.js';
import type { Layout } from './layout.js';

/** Streams of random numbers from here on belong to queries; those before it to iterations. */
const FIRST_QUERY_STREAM = 2 ** 31;

/** 1 for each query that an objective can learn from. */
export function taughtQueries(objective: QueryObjective, { labels, queryOffsets }: TrainingRequest['train']): Uint8Array {
  const teaches = new Uint8Array(queryOffsets.length - 1); // fits: flags
  for (let q = 0; q < teaches.length; q++) {
    const own = labels.subarray(queryOffsets[q], queryOffsets[q + 1]);
    teaches[q] = (objective.teaches?.(own) ?? true) ? 1 : 0;
  }
  return teaches;
}

/** Asks an objective for the gradients of each query and puts them where trees are grown from. One thread does it, because an objective of
 *  a program lives in that thread only. */
export class QueryGradientSource {
  private readonly objective: QueryObjective;
  private readonly request: Pick<TrainingRequest, 'train' | 'seed'>;
  private readonly layout: Layout;
  private readonly reals: Float64Array;
  private iteration = 0;

  constructor(objective: QueryObjective, request: Pick<TrainingRequest, 'train' | 'seed'>, layout: Layout, reals: Float64Array) {
    this.objective = objective;
    this.request = request;
    this.layout = layout;
    this.reals = reals;
  }

  /** The gradients of these queries at the present scores. */
  compute(queries: Uint32Array): void {
    const { objective, layout, reals } = this;
    const { train, seed } = this.request;
    const { labels, queryOffsets } = train;
    this.iteration++;
    for (const q of queries) {
      const from = queryOffsets[q];
      const to = queryOffsets[q + 1];
      const { gradient, hessian } = objective.gradients(reals.slice(layout.scores / 8 + from, layout.scores / 8 + to), {
        query: q,
        labels: labels.subarray(from, to),
        iteration: this.iteration,
        random: seededRandom(seed, FIRST_QUERY_STREAM + this.iteration * layout.numQueries + q),
      });
      const queryWeight = reals[layout.queryWeights / 8 + q];
      for (let row = from; row < to; row++) {
        const weight = layout.weighsDocuments === true ? queryWeight * reals[layout.documentWeights / 8 + row] : queryWeight;
        const slope = gradient[row - from];
        const bend = hessian[row - from];
        if (!Number.isFinite(slope) || !(bend >= 0 && bend < Number.POSITIVE_INFINITY)) this.refuse(q, row - from, slope, bend);
        reals[layout.gradients / 8 + row] = weight * slope;
        reals[layout.hessians / 8 + row] = weight * bend;
      }
    }
    objective.endIteration?.(this.iteration);
  }

  private refuse(q: number, document: number, gradient: number, hessian: number): never {
    const found = Number.isFinite(gradient) ? `the hessian ${hessian}` : `the gradient ${gradient}`;
    throw new InputError({
      message: `${this.objective.name} has ${found} for document ${document + 1} of query ${q + 1} in iteration ${this.iteration}, expected finite numbers and a hessian that is not negative`,
      wayOut: 'give both arrays one number for each score',
    });
  }
}
