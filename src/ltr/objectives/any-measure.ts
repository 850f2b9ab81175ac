import type { Measure } from '../../measures/measure.js';
import { Passes } from '../../measures/passes.js';
import { EvaluationPlan } from '../../measures/plan.js';
import type { PreparedObjective } from './objective.js';
import { codesOf, highestOf, LabelView, longestList, preparedWith, settleQueries, varies } from './settled.js';

/** Any measure of rankings, by the computation that `evaluate` does for it. What a swap changes is not asked here: learners
 *  that need to know take a measure which answers quickly. */
export function prepareAnyMeasure(measure: Measure, labels: Float64Array, queryOffsets: Uint32Array): PreparedObjective {
  const facts = { highestGrade: highestOf(labels) };
  const plan = new EvaluationPlan([measure], facts);
  const codes = codesOf(labels);
  const out = new Float64Array(1);
  const settled = settleQueries(measure, codes, queryOffsets, new Passes(facts), (q, view) => {
    if (varies(codes, queryOffsets[q], queryOffsets[q + 1])) return 'ordered';
    plan.evaluate(view, out, 0);
    return Number.isNaN(out[0]) ? 0 : out[0];
  });

  const ranked = new Float64Array(longestList(queryOffsets));
  const list = new LabelView();
  const refuse = (): never => {
    throw new Error(`what a swap changes in ${measure.text} was asked, and canSwap says that it cannot be`);
  };
  return preparedWith(settled, {
    value(q, order) {
      const from = queryOffsets[q];
      const length = queryOffsets[q + 1] - from;
      for (let i = 0; i < length; i++) ranked[i] = codes[from + order[i]];
      plan.evaluate(list.moveTo(ranked, 0, length), out, 0);
      return Number.isNaN(out[0]) ? 0 : out[0];
    },
    fixOrder: refuse,
    swapDelta: refuse,
  });
}
