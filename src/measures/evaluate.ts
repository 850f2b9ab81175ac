import {
  defaultRules,
  emptyView,
  forEachJudgedTopic,
  isJudgedRun,
  type JudgedRun,
  type JudgingRules,
  judge,
  refuseRepeatedJudgements,
  viewUnit,
} from '../core/judge.js';
import { InputError } from '../core/problem.js';
import { type Qrels, type QrelsLike, toQrels } from '../core/qrels.js';
import { type Run, type RunLike, toRun } from '../core/run.js';
import { ScoreTable } from '../core/score-table.js';
import type { Measure, MeasureDef } from './measure.js';
import { makeMeasure } from './measure.js';
import { parseMeasures } from './parse.js';
import { EvaluationPlan, type PlanOptions, scoreColumns } from './plan.js';
import { judgePreferences, PreferencePlan } from './preference-plan.js';

/** A measure as a caller may give it: its name with parameters, a measure made before, or a record of one's own. */
export type MeasureLike = string | Measure | MeasureDef;

export interface EvaluateOptions extends Partial<JudgingRules>, PlanOptions {
  /** The name of the run in the table. */
  readonly name?: string;
}

/** How good is this ranking? One measure gives one number, several give a table:
 *
 *      evaluate(qrels, run, 'nDCG@10')              // 0.5832
 *      evaluate(qrels, run, ['nDCG@10', 'AP'])      // ScoreTable: .means(), .value(topic, measure) …
 *      evaluate(judge(run, qrels), ['nDCG@10'])     // the join done beforehand, to be used again
 */
export function evaluate(qrels: QrelsLike, run: RunLike, measure: string | Measure | MeasureDef, options?: EvaluateOptions): number;
export function evaluate(qrels: QrelsLike, run: RunLike, measures: readonly MeasureLike[], options?: EvaluateOptions): ScoreTable;
export function evaluate(judged: JudgedRun, measures: readonly MeasureLike[], options?: PlanOptions): ScoreTable;
export function evaluate(
  first: QrelsLike | JudgedRun,
  second: RunLike | readonly MeasureLike[],
  third?: MeasureLike | readonly MeasureLike[] | PlanOptions,
  options: EvaluateOptions = {},
): number | ScoreTable {
  if (isJudgedRun(first)) return evaluateJudged(first, toMeasures(second as readonly MeasureLike[]), third as PlanOptions | undefined);
  const wanted = third as MeasureLike | readonly MeasureLike[];
  if (wanted === undefined) {
    throw new InputError({ message: 'no measure was given', wayOut: "name one, or several in a list: ['nDCG@10', 'AP']" });
  }
  const single = !Array.isArray(wanted);
  const measures = toMeasures(single ? [wanted as MeasureLike] : (wanted as readonly MeasureLike[]));
  const table = evaluator(first as QrelsLike, measures, options).evaluate(second as RunLike, options.name);
  return single ? table.aggregate(0) : table;
}

/** Many runs against the same judgements and measures. */
export interface Evaluator {
  /** Scores one run. Nothing is kept from one call to the next. */
  evaluate(run: RunLike, name?: string): ScoreTable;
}

/** Prepares judgements and measures once, for any number of runs. */
export function evaluator(judgements: QrelsLike, wanted: readonly MeasureLike[], options: EvaluateOptions = {}): Evaluator {
  const qrels = toQrels(judgements);
  const measures = toMeasures(wanted);
  if (measures.every((measure) => measure.def.needs !== 'preferences' && measure.params.groups === undefined))
    refuseRepeatedJudgements(qrels);
  const { undefinedAs, name: defaultName, ...rules } = options;
  const planOptions: PlanOptions = undefinedAs === undefined ? {} : { undefinedAs };

  // measures differ in what they are computed from; each kind is judged once
  const kinds: { indices: number[]; score: (run: ReturnType<typeof toRun>) => ScoreTable }[] = [];
  const ofKind = (belongs: (measure: Measure) => boolean): { indices: number[]; chosen: Measure[] } => {
    const indices = measures.flatMap((measure, m) => (belongs(measure) ? [m] : []));
    return { indices, chosen: indices.map((m) => measures[m]) };
  };
  const byTopic = ofKind((measure) => measure.def.needs !== 'preferences' && measure.params.groups === undefined);
  const byGroup = ofKind((measure) => measure.def.needs !== 'preferences' && measure.params.groups !== undefined);
  const byPreference = ofKind((measure) => measure.def.needs === 'preferences');
  if (byTopic.indices.length > 0 || measures.length === 0) {
    kinds.push({
      indices: byTopic.indices,
      score: (run) => evaluateTopics(run, qrels, { ...defaultRules, ...rules }, byTopic.chosen, planOptions),
    });
  }
  if (byGroup.indices.length > 0) {
    kinds.push({
      indices: byGroup.indices,
      score: (run) => evaluateJudged(judge(run, qrels, { ...rules, byGroup: true }), byGroup.chosen, planOptions),
    });
  }
  if (byPreference.indices.length > 0) {
    kinds.push({
      indices: byPreference.indices,
      score: (run) => new PreferencePlan(byPreference.chosen, planOptions).evaluate(judgePreferences(run, qrels, rules)),
    });
  }

  return {
    evaluate(input, name = defaultName) {
      const run = toRun(input, name);
      const tables = kinds.map((kind) => kind.score(run));
      if (tables.length === 1) return tables[0];
      return interleave(measures, kinds, tables);
    },
  };
}

/** Measures of several kinds go back to the order in which they were asked for. */
function interleave(measures: readonly Measure[], kinds: readonly { indices: number[] }[], tables: readonly ScoreTable[]): ScoreTable {
  const [{ systems, topics }] = tables;
  const values = new Float64Array(topics.length * measures.length);
  for (const [k, { indices }] of kinds.entries()) {
    for (const [column, m] of indices.entries()) {
      for (let t = 0; t < topics.length; t++) values[t * measures.length + m] = tables[k].values[t * indices.length + column];
    }
  }
  return new ScoreTable(systems, topics, scoreColumns(measures), values);
}

/** Judges and evaluates topic by topic, keeping only the values. */
function evaluateTopics(run: Run, qrels: Qrels, rules: JudgingRules, measures: readonly Measure[], options: PlanOptions): ScoreTable {
  const plan = new EvaluationPlan(measures, options);
  const values = new Float64Array(qrels.topics.size * measures.length);
  const topics: string[] = [];
  forEachJudgedTopic(run, qrels, rules, (topic, view) => {
    plan.evaluate(view, values, topics.length * measures.length);
    topics.push(qrels.topics.text(topic));
  });
  return new ScoreTable([run.name], topics, scoreColumns(measures), values.subarray(0, topics.length * measures.length));
}

function evaluateJudged(judged: JudgedRun, measures: readonly Measure[], options: PlanOptions = {}): ScoreTable {
  const plan = new EvaluationPlan(measures, options);
  const { topics, unitOffsets, qrels } = judged;
  const width = measures.length;
  const values = new Float64Array(topics.length * width);
  const group = new Float64Array(width);
  const view = emptyView();
  for (let t = 0; t < topics.length; t++) {
    const at = t * width;
    const firstUnit = unitOffsets[t];
    const numUnits = unitOffsets[t + 1] - firstUnit;
    viewUnit(judged, firstUnit, view);
    plan.evaluate(view, values, at);
    if (numUnits === 1) continue;
    // several groups judged this topic: their mean
    for (let unit = firstUnit + 1; unit < firstUnit + numUnits; unit++) {
      viewUnit(judged, unit, view);
      plan.evaluate(view, group, 0);
      for (let m = 0; m < width; m++) values[at + m] += group[m];
    }
    for (let m = 0; m < width; m++) values[at + m] /= numUnits;
  }
  const names = Array.from(topics, (topic) => qrels.topics.text(topic));
  return new ScoreTable([judged.run.name], names, scoreColumns(measures), values);
}

export function toMeasures(wanted: readonly MeasureLike[]): Measure[] {
  return wanted.flatMap((measure) => {
    if (typeof measure === 'string') return parseMeasures(measure);
    return [isMeasure(measure) ? measure : makeMeasure(measure)];
  });
}

function isMeasure(value: Measure | MeasureDef): value is Measure {
  return 'def' in value;
}
