import type { TopicView } from '../core/judge.js';
import type { ScoreColumn } from '../core/score-table.js';
import { aggregateOf, type Measure } from './measure.js';
import { Passes } from './passes.js';

/** Options of the computation itself, as opposed to the rules of judging. */
export interface PlanOptions {
  /** What a measure is worth where its definition gives 0/0: the value it declares, or NaN as it stands. */
  readonly undefinedAs?: 'declared' | 'nan';
}

/** The chosen measures, ready to be computed topic by topic. Passes that several of them need are done once. A plan owns
 *  scratch space: use one per thread, and keep no reference to what a topic left behind. */
export class EvaluationPlan {
  readonly measures: readonly Measure[];
  private readonly passes: Passes = new Passes();
  private readonly compute: ((topic: TopicView) => number)[] = [];
  private readonly undefinedValue: number[] = [];

  constructor(measures: readonly Measure[], options: PlanOptions = {}) {
    this.measures = measures;
    for (const { def, params } of measures) {
      if (def.bind === undefined) throw new Error(`${def.name} is not computed from a ranking`);
      this.compute.push(def.bind(params, this.passes));
      this.undefinedValue.push(options.undefinedAs === 'nan' ? Number.NaN : (def.undefinedValue ?? Number.NaN));
    }
  }

  /** Writes the topic's values to out[at], out[at + 1] … */
  evaluate(topic: TopicView, out: Float64Array, at: number): void {
    const { compute, undefinedValue } = this;
    this.passes.update(topic);
    for (let m = 0; m < compute.length; m++) {
      const value = compute[m](topic);
      out[at + m] = Number.isNaN(value) ? undefinedValue[m] : value;
    }
  }
}

export function scoreColumns(measures: readonly Measure[]): ScoreColumn[] {
  return measures.map((measure) => ({ name: measure.text, aggregate: aggregateOf(measure) }));
}
