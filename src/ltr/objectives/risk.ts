import { riskTransform } from '../../core/numbers/risk-transform.js';
import { InputError } from '../../core/problem.js';
import type { Objective, PreparedObjective } from './objective.js';

/** What a model must not lose against. */
export interface RiskRule {
  /** How much more a loss counts than a gain: 1 + alpha times. */
  readonly alpha: number;
  /** The value of the baseline for each query of the training data, by the measure that is optimised. */
  readonly baseline: Float64Array;
}

/** A measure as its gain over a baseline, losses counting 1 + alpha times: its mean is URisk (Wang, Bennett and Collins-Thompson 2012,
 *  doi:10.1145/2348283.2348385). For training data only, whose queries the baseline has values for. */
export function riskObjective(objective: Objective, { alpha, baseline }: RiskRule): Objective {
  const gain = (value: number, q: number): number => riskTransform(value - baseline[q], alpha);
  return {
    ...objective,
    ownThread: true,
    prepare(labels, queryOffsets): PreparedObjective {
      if (baseline.length !== queryOffsets.length - 1) {
        throw new InputError({
          message: `${baseline.length} values of the baseline for ${queryOffsets.length - 1} queries`,
          wayOut: 'give one for each query, in the order of the data',
        });
      }
      const inner = objective.prepare(labels, queryOffsets);
      let query = 0;
      let present = 0;
      return {
        teaches: inner.teaches,
        counted: inner.counted,
        value: (q, order) => gain(inner.value(q, order), q),
        fixOrder(q, order) {
          query = q;
          present = inner.value(q, order);
          inner.fixOrder(q, order);
        },
        swapDelta: (a, b) => gain(present + inner.swapDelta(a, b), query) - gain(present, query),
      };
    },
  };
}
