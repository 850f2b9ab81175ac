import { riskTransform } from '../../core/numbers/risk-transform.js';
import { InputError } from '../../core/problem.js';
import type { Objective, PreparedObjective } from './objective.js';
import { type RiskMeasure, riskWeights } from './risk-weights.js';

/** What a model must not lose against. */
export interface RiskRule {
  /** How much more a loss counts than a gain: 1 + alpha times. */
  readonly alpha: number;
  /** The value of the baseline for each query of the training data, by the measure that is optimised. */
  readonly baseline: Float64Array;
  /** What is made larger: URisk by default, TRisk or GeoRisk. The latter two weigh queries by what they are worth after the iteration
   *  before, for learners that ask what swaps change. */
  readonly measure?: RiskMeasure | undefined;
}

/** A measure that must not fall below a value in the mean. */
export interface MeasureConstraint {
  readonly objective: Objective;
  /** The least mean over the queries. */
  readonly least: number;
}

/** A measure as its gain over a baseline, losses counting 1 + alpha times: its mean is URisk (Wang, Bennett and Collins-Thompson 2012,
 *  doi:10.1145/2348283.2348385). For training data only, whose queries the baseline has values for. */
export function riskObjective(objective: Objective, { alpha, baseline, measure = 'urisk' }: RiskRule): Objective {
  const gain = (value: number, q: number): number => (measure === 'georisk' ? value : riskTransform(value - baseline[q], alpha));
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
      const rounds = new Rounds(queryOffsets.length - 1);
      let weights = new Float64Array(baseline.length).fill(1);
      let query = 0;
      let present = 0;
      return {
        teaches: inner.teaches,
        counted: inner.counted,
        value: (q, order) => gain(inner.value(q, order), q),
        fixOrder(q, order) {
          if (measure !== 'urisk' && rounds.begins(q)) weights = riskWeights(measure, rounds.values, baseline, alpha);
          query = q;
          present = inner.value(q, order);
          rounds.note(q, present);
          inner.fixOrder(q, order);
        },
        swapDelta: (a, b) => weights[query] * (gain(present + inner.swapDelta(a, b), query) - gain(present, query)),
      };
    },
  };
}

/** How fast the price of a constraint rises: by this share of the measure's worth for each share of it that is missing. */
const PRICE_STEP = 2;

/** A measure that is made larger while others do not fall below their values: each has a price, which rises after every iteration as long as
 *  the mean is below and falls when it is above (dual ascent). For learners that ask what swaps change. */
export function constrainedObjective(objective: Objective, constraints: readonly MeasureConstraint[]): Objective {
  if (constraints.length === 0) return objective;
  return {
    ...objective,
    ownThread: true,
    prepare(labels, queryOffsets): PreparedObjective {
      const numQueries = queryOffsets.length - 1;
      const inner = objective.prepare(labels, queryOffsets);
      const others = constraints.map(({ objective: own, least }) => ({
        prepared: own.prepare(labels, queryOffsets),
        rounds: new Rounds(numQueries),
        least,
        price: 1,
      }));
      return {
        teaches: inner.teaches.map((one, q) => Math.max(one, ...others.map(({ prepared }) => prepared.teaches[q]))),
        counted: inner.counted,
        value: (q, order) => inner.value(q, order),
        fixOrder(q, order) {
          inner.fixOrder(q, order);
          for (const other of others) {
            const { prepared, rounds, least } = other;
            if (rounds.begins(q))
              other.price = Math.max(0, other.price + (PRICE_STEP * (least - rounds.mean(prepared.counted))) / Math.max(least, 1e-9));
            rounds.note(q, prepared.value(q, order));
            prepared.fixOrder(q, order);
          }
        },
        swapDelta: (a, b) => others.reduce((sum, { prepared, price }) => sum + price * prepared.swapDelta(a, b), inner.swapDelta(a, b)),
      };
    },
  };
}

/** The values of all queries, iteration by iteration: one begins when a query is asked about again. */
class Rounds {
  /** What each query was worth when it was last asked about; 0 before. */
  readonly values: Float64Array;
  private readonly seen: Uint8Array;

  constructor(numQueries: number) {
    this.values = new Float64Array(numQueries);
    this.seen = new Uint8Array(numQueries); // fits: flags
  }

  /** Whether another iteration begins with this query. */
  begins(q: number): boolean {
    if (this.seen[q] === 0) return false;
    this.seen.fill(0);
    return true;
  }

  note(q: number, value: number): void {
    this.seen[q] = 1;
    this.values[q] = value;
  }

  mean(counted: Uint8Array): number {
    let [sum, count] = [0, 0];
    this.values.forEach((value, q) => {
      sum += counted[q] * value;
      count += counted[q];
    });
    return count > 0 ? sum / count : 0;
  }
}
