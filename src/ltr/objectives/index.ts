import { InputError } from '../../core/problem.js';
import { precision } from '../../measures/cutoff.js';
import { averagePrecision } from '../../measures/families/average-precision.js';
import { err } from '../../measures/families/cascade.js';
import { dcg, ndcg } from '../../measures/families/cumulated-gain.js';
import { reciprocalRank } from '../../measures/families/first-answer.js';
import { gap } from '../../measures/families/graded.js';
import { aggregateOf, type Measure, type MeasureDef } from '../../measures/measure.js';
import { prepareAnyMeasure } from './any-measure.js';
import { prepareAveragePrecision } from './average-precision.js';
import { prepareCascade } from './cascade.js';
import { prepareDiscountedGain } from './discounted-gain.js';
import type { Objective, PreparedObjective } from './objective.js';
import { preparePrecision, prepareReciprocalRank } from './relevant.js';

export type { Objective, PreparedObjective, RankingMetric } from './objective.js';

type Prepare = (measure: Measure, labels: Float64Array, queryOffsets: Uint32Array) => PreparedObjective;

/** The measures that answer quickly what a swap changes. */
const swapping: ReadonlyMap<MeasureDef, Prepare> = new Map([
  [ndcg, prepareDiscountedGain],
  [dcg, prepareDiscountedGain],
  [averagePrecision, prepareAveragePrecision],
  [gap, prepareAveragePrecision],
  [err, prepareCascade],
  [reciprocalRank, prepareReciprocalRank],
  [precision, preparePrecision],
]);

/** Names of the measures that learners can follow swap by swap: `nDCG`, `AP`, … */
export const objectiveNames: readonly string[] = [...swapping.keys()].map(({ name }) => name);

/** A measure as something to be optimised. Measures outside `objectiveNames` have values but no swap deltas, which is enough
 *  for learners that only compare whole rankings, and for watching validation data. */
export function objectiveOf(measure: Measure): Objective {
  refuseUnfit(measure);
  const quick = measure.params.cwl === undefined ? swapping.get(measure.def) : undefined;
  const prepare = quick ?? prepareAnyMeasure;
  return { measure, canSwap: quick !== undefined, prepare: (labels, queryOffsets) => prepare(measure, labels, queryOffsets) };
}

function refuseUnfit(measure: Measure): void {
  const { def, params, text } = measure;
  const refuse = (message: string, wayOut: string): never => {
    throw new InputError({ message: `${text} ${message}`, wayOut });
  };
  const those = `take one of ${objectiveNames.join(', ')}`;
  if (def.bind === undefined || params.groups !== undefined) refuse('is not computed from one list of labels', those);
  if (def.direction !== 'higher') refuse('is not better when it is higher', those);
  if (aggregateOf(measure) !== 'mean' || params.floor !== undefined) {
    refuse('is not the mean of its values for queries, and learners follow means', 'leave agg and floor out');
  }
  if (params.decimals !== undefined) {
    refuse('is rounded, and learners follow the smallest difference', 'leave decimals out, or take a convention that does not round');
  }
  if (params.ties === 'expected' || params.ties === 'optimistic' || params.ties === 'pessimistic' || def.ties !== undefined) {
    refuse('is about tied documents, and learners see one order at a time', 'leave ties out');
  }
}
