import { applyConvention } from '../../conventions/convention.js';
import type { LetorScript } from '../../conventions/letor-scripts.js';
import { letorRules } from '../../conventions/ltr-conventions.js';
import { emptyView } from '../../core/judging/judge.js';
import { precision } from '../../measures/cutoff.js';
import { averagePrecision } from '../../measures/families/average-precision.js';
import { meanNdcg, ndcg } from '../../measures/families/cumulated-gain.js';
import { type Measure, type MeasureDef, makeMeasure } from '../../measures/measure.js';
import { EvaluationPlan } from '../../measures/plan.js';
import type { RankedTestSet } from './test-set.js';

/** The values of one query. Lists may be shorter than the cutoff, where the script omits positions. */
export interface QueryValues {
  readonly numDocuments: number;
  readonly precision: Float64Array;
  readonly averagePrecision: number;
  readonly ndcg: Float64Array;
  /** The mean of NDCG over all positions of the list, not only those up to the cutoff. */
  readonly meanNdcg: number;
}

/** The values of all queries by the rules of the script's convention, which reach all fifteen printed digits. */
export function evaluateQueries(script: LetorScript, { offsets, labels }: RankedTestSet): QueryValues[] {
  const { cutoff, shortPrecision, shortNdcg } = script;
  const rules = letorRules(script);
  const atEveryRank = (def: MeasureDef): Measure[] => Array.from({ length: cutoff }, (_, i) => makeMeasure(def, { cutoff: i + 1 }));
  const measures = [...atEveryRank(precision), ...atEveryRank(ndcg), makeMeasure(averagePrecision), makeMeasure(meanNdcg)];
  const plan = new EvaluationPlan(measures.map((measure) => applyConvention(measure, rules)));
  // the list is all there is: no rule of the scripts asks for judgements beyond it
  const view = { ...emptyView(), codes: labels };
  const values = new Float64Array(measures.length);
  return Array.from({ length: offsets.length - 1 }, (_, q) => {
    view.start = offsets[q];
    view.numRetrieved = offsets[q + 1] - offsets[q];
    plan.evaluate(view, values, 0);
    const reached = Math.min(cutoff, view.numRetrieved);
    return {
      numDocuments: view.numRetrieved,
      precision: values.slice(0, shortPrecision === 'omit' ? reached : cutoff),
      ndcg: values.slice(cutoff, cutoff + (shortNdcg === 'omit' ? reached : cutoff)),
      averagePrecision: values[2 * cutoff],
      meanNdcg: values[2 * cutoff + 1],
    };
  });
}
