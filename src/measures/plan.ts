import type { TopicView } from '../core/judging/judge.js';
import type { PreferenceTopic } from '../core/judging/judge-preferences.js';
import { InputError } from '../core/problem.js';
import type { Qrels } from '../core/qrels.js';
import type { ScoreColumn } from '../core/score-table.js';
import { aggregateOf, emptyValue, type Measure } from './measure.js';
import { Passes } from './passes.js';

/** Options of the computation itself, as opposed to the rules of judging. */
export interface PlanOptions {
  /** What a measure is worth where its definition gives 0/0: the value it declares, or NaN as it stands. */
  readonly undefinedAs?: 'declared' | 'nan';
  /** The highest grade in the judgements, for measures that scale grades by it; `planOptionsFor` finds it. */
  readonly highestGrade?: number | undefined;
}

/** The options with what the measures have to know of the whole collection of judgements. */
export function planOptionsFor(qrels: Qrels, measures: readonly Measure[], options: PlanOptions = {}): PlanOptions {
  if (options.highestGrade !== undefined || !measures.some(({ params }) => Object.values(params).includes('data'))) return options;
  let highestGrade = 0;
  for (const grade of qrels.grades) if (grade > highestGrade) highestGrade = grade;
  return { ...options, highestGrade };
}

/** What a measure is computed from: a judged ranking or judged preferences. */
export type JudgedTopic = TopicView | PreferenceTopic;

/** The chosen measures, all of one kind, ready to be computed topic by topic. Passes that several of them need are done once. A plan owns
 *  scratch space: use one per thread, and keep no reference to what a topic left behind. */
export class EvaluationPlan {
  readonly measures: readonly Measure[];
  private readonly passes: Passes;
  private readonly compute: ((topic: JudgedTopic) => number)[] = [];
  private readonly undefinedValue: number[] = [];

  constructor(measures: readonly Measure[], options: PlanOptions = {}) {
    this.measures = measures;
    this.passes = new Passes(options);
    for (const measure of measures) {
      const { def, params } = measure;
      const compute = def.bind?.(params, this.passes) ?? def.bindPreferences?.(params);
      if (compute === undefined) throw new Error(`${def.name} is not computed from one ranking`);
      this.compute.push(withEmptyRule(measure, this.passes, compute));
      this.undefinedValue.push(undefinedValueOf(measure, options));
    }
  }

  /** Writes the topic's values to out[at], out[at + 1] … */
  evaluate(topic: JudgedTopic, out: Float64Array, at: number): void {
    const { compute, undefinedValue } = this;
    // only measures of rankings ask for passes
    this.passes.update(topic as TopicView);
    for (let m = 0; m < compute.length; m++) {
      const value = compute[m](topic);
      out[at + m] = Number.isNaN(value) ? undefinedValue[m] : value;
    }
  }
}

/** What takes the place of 0/0. A topic that `empty` leaves out has no value either, and keeps none. */
export function undefinedValueOf({ def, params }: Measure, { undefinedAs }: PlanOptions): number {
  if (undefinedAs === 'nan' || params.empty === 'skip' || params.empty === 'error') return Number.NaN;
  return def.undefinedValue ?? Number.NaN;
}

/** Applies `unanswered` and `empty`: a topic that nothing was retrieved for, or that holds nothing to be found, has the value they
 *  say, or none. */
export function withEmptyRule<T extends number | undefined>(
  { def, params }: Pick<Measure, 'def' | 'params'>,
  passes: Passes,
  compute: (topic: never) => T,
): (topic: JudgedTopic) => T | number {
  const { empty, unanswered, least } = params;
  const ofTopic = compute as (topic: JudgedTopic) => T;
  if (typeof least === 'number') {
    const longEnough = withEmptyRule({ def, params: { ...params, least: undefined } }, passes, compute);
    return (topic) => {
      const { numRetrieved } = topic as TopicView;
      if (numRetrieved >= least) return longEnough(topic);
      const message = `${def.name} of a ranking of ${numRetrieved} ${numRetrieved === 1 ? 'document' : 'documents'} is refused, at least ${least} are needed`;
      throw new InputError({ message, wayOut: 'leave such topics out of the judgements' });
    };
  }
  if (typeof unanswered === 'number') {
    const answered = withEmptyRule({ def, params: { ...params, unanswered: undefined } }, passes, compute);
    return (topic) => ((topic as TopicView).numRetrieved === 0 ? unanswered : answered(topic));
  }
  if (empty === undefined) return ofTopic;
  const isEmpty = def.isEmpty?.(params, passes) ?? isWithoutGradeFrom(params.rel as number | undefined);
  const value = emptyValue(empty);
  const otherwise = def.undefinedValue ?? Number.NaN;
  return (topic) => {
    if (isEmpty(topic as TopicView)) return value;
    const computed = ofTopic(topic);
    return computed !== undefined && Number.isNaN(computed) ? otherwise : computed;
  };
}

/** Judged grades stand highest first, so the first one tells. */
function isWithoutGradeFrom(rel: number | undefined): (topic: TopicView) => boolean {
  return ({ judged, judgedStart, numJudged }) => {
    if (numJudged === 0) return true;
    return rel === undefined ? !(judged[judgedStart] > 0) : !(judged[judgedStart] >= rel);
  };
}

/** What a table of scores has to know about measures, to aggregate and print them. */
export function scoreColumns(measures: readonly Measure[]): ScoreColumn[] {
  return measures.map((measure) => {
    const { floor, empty } = measure.params;
    const column = { name: measure.text, aggregate: aggregateOf(measure) };
    if (floor === undefined && typeof empty !== 'string') return column;
    return { ...column, floor: floor as number | undefined, empty: typeof empty === 'string' ? (empty as 'skip' | 'error') : undefined };
  });
}
