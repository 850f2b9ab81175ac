import { scratchFor } from '../../core/growing-arrays.js';
import { emptyView, POOLED, type TopicView } from '../../core/judging/judge.js';
import { sortDescendingInPlace } from '../../core/order.js';
import { InputError } from '../../core/problem.js';
import type { Measure } from '../../measures/measure.js';
import type { Passes } from '../../measures/passes.js';
import { withEmptyRule } from '../../measures/plan.js';
import type { PreparedObjective } from './objective.js';

/** What rules say about queries before any order is looked at. */
export interface Settled {
  readonly teaches: Uint8Array;
  readonly counted: Uint8Array;
  /** The value of a query that a rule decides; NaN where the order does. */
  readonly byRule: Float64Array;
}

/** A list of labels as measures see it: the judged documents are those of the list, and a label below 0 is no judgement. */
export class LabelView {
  readonly view: TopicView = emptyView();
  private readonly gradeCounts: Uint32Array = new Uint32Array(64); // fits: entries
  private judged: Float64Array = new Float64Array(0);

  /** Points the view at `codes[start]` to `codes[end]`, in this order. */
  moveTo(codes: Float64Array, start: number, end: number): TopicView {
    this.judged = scratchFor(this.judged, end - start);
    let numJudged = 0;
    for (let row = start; row < end; row++) if (codes[row] >= 0) this.judged[numJudged++] = codes[row];
    sortDescendingInPlace(this.judged, 0, numJudged, this.gradeCounts);
    const { view } = this;
    view.codes = codes;
    view.start = start;
    view.numRetrieved = end - start;
    view.judged = this.judged;
    view.judgedStart = 0;
    view.numJudged = numJudged;
    return view;
  }
}

/** Labels as ranked documents are worth them. */
export function codesOf(labels: Float64Array): Float64Array {
  const row = labels.findIndex(Number.isNaN);
  if (row >= 0) throw new InputError(`the label of row ${row + 1} is not a number`);
  return labels.map((label) => (label >= 0 ? label : POOLED));
}

/** The highest label; 0 if there is none above it. */
export function highestOf(labels: Float64Array): number {
  return labels.reduce((highest, label) => Math.max(highest, label), 0);
}

/** Looks at every query once, in the order of its rows. `look` says whether the value depends on the order, or which value
 *  the query has whatever the order is; the rule for empty queries goes before that. */
export function settleQueries(
  measure: Measure,
  codes: Float64Array,
  queryOffsets: Uint32Array,
  passes: Passes,
  look: (q: number, view: TopicView) => 'ordered' | number,
): Settled {
  const numQueries = queryOffsets.length - 1;
  const settled: Settled = {
    teaches: new Uint8Array(numQueries), // fits: flags
    counted: new Uint8Array(numQueries).fill(1), // fits: flags
    byRule: new Float64Array(numQueries).fill(Number.NaN),
  };
  const { empty } = measure.params;
  let isEmpty = true;
  const emptyValue = withEmptyRule(measure, passes, () => {
    isEmpty = false;
    return 0;
  });
  const labels = new LabelView();
  for (let q = 0; q < numQueries; q++) {
    const view = labels.moveTo(codes, queryOffsets[q], queryOffsets[q + 1]);
    passes.update(view);
    isEmpty = true;
    const ruled = emptyValue(view);
    if (isEmpty) {
      if (empty === 'error') {
        throw new InputError({
          message: `list ${q + 1} has nothing to be found, which ${measure.text} takes for an error`,
          wayOut: "leave such lists out with empty='skip', or give them a value with empty=0",
        });
      }
      settled.byRule[q] = Number.isNaN(ruled) ? 0 : ruled;
      settled.counted[q] = Number.isNaN(ruled) ? 0 : 1;
      continue;
    }
    const looked = look(q, view);
    if (looked === 'ordered') settled.teaches[q] = 1;
    else settled.byRule[q] = looked;
  }
  return settled;
}

/** True if not all of values[start..end) are equal. */
export function varies(values: ArrayLike<number>, start: number, end: number): boolean {
  for (let i = start + 1; i < end; i++) if (values[i] !== values[start]) return true;
  return false;
}

/** The length of the longest list. */
export function longestList(queryOffsets: Uint32Array): number {
  let longest = 0;
  for (let q = 1; q < queryOffsets.length; q++) longest = Math.max(longest, queryOffsets[q] - queryOffsets[q - 1]);
  return longest;
}

/** Joins what rules settle with what a measure computes from an order; the latter is asked only about the other queries. */
export function preparedWith(
  { teaches, counted, byRule }: Settled,
  ordered: Pick<PreparedObjective, 'value' | 'fixOrder' | 'swapDelta' | 'discounted'>,
): PreparedObjective {
  let fixedIsSettled = true;
  return {
    teaches,
    counted,
    value: (q, order) => (Number.isNaN(byRule[q]) ? ordered.value(q, order) : byRule[q]),
    fixOrder(q, order) {
      fixedIsSettled = !Number.isNaN(byRule[q]);
      if (!fixedIsSettled) ordered.fixOrder(q, order);
    },
    swapDelta: (a, b) => (fixedIsSettled ? 0 : ordered.swapDelta(a, b)),
    discounted: ordered.discounted,
  };
}
