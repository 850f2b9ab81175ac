import { refuseUnrelated } from '../core/common-topics.js';
import {
  defaultRules,
  emptyView,
  isJudgedRun,
  type JudgedRun,
  type JudgingRules,
  RunJudge,
  refuseRepeatedJudgements,
  viewUnit,
} from '../core/judging/judge.js';
import { roundedTo } from '../core/numbers/round-to-even.js';
import { aboutWhat, InputError } from '../core/problem.js';
import { type Qrels, type QrelsLike, toQrels } from '../core/qrels.js';
import { isRun, type Run, type RunLike, withNumbers } from '../core/run.js';
import { emptyScores, ScoreTable } from '../core/score-table.js';
import { TextRows, type TextRun, toTextRun } from '../core/text-run.js';
import { evaluateComposites, type Readers } from './composite.js';
import { type ExpectedOptions, type ExpectedPlan, expectedPlan } from './expected-plan.js';
import type { Measure, MeasureDef, Needs } from './measure.js';
import { makeMeasure } from './measure.js';
import { parseMeasures } from './parse.js';
import { EvaluationPlan, planOptionsFor, scoreColumns } from './plan.js';

/** A measure as a caller may give it: its name with parameters, a measure made before, or a record of one's own. */
export type MeasureLike = string | Measure | MeasureDef;

/** What can be said with an evaluation: judging rules, facts that some measures ask for, and how equal scores are averaged. */
export interface EvaluateOptions extends Partial<JudgingRules>, ExpectedOptions {
  /** The name of the run in the table. */
  readonly name?: string;
  /** The documents that the reader of each topic knows already, for measures that ask; groups tell several readers apart. */
  readonly known?: QrelsLike | undefined;
  /** How many relevant documents the reader of each topic expects to find, by topic id. */
  readonly expected?: Readonly<Record<string, number>> | ReadonlyMap<string, number> | undefined;
  /** What becomes of a run that answers none of the judged topics: it is refused (*refuse*, the default), because it is for other
   *  judgements, or taken as it is (*accept*), as parts of a run must be. */
  readonly unrelated?: 'refuse' | 'accept' | undefined;
}

/** How good is this ranking? One measure gives one number, several give a table:
 *
 *      evaluate(qrels, run, 'nDCG@10')              // 0.5832
 *      evaluate(qrels, run, ['nDCG@10', 'AP'])      // ScoreTable: .means(), .value(topic, measure) …
 *      evaluate(judge(qrels, run), ['nDCG@10'])     // the join done beforehand, to be used again
 */
export function evaluate(qrels: QrelsLike, run: RunLike, measure: string | Measure | MeasureDef, options?: EvaluateOptions): number;
export function evaluate(qrels: QrelsLike, run: RunLike, measures: readonly MeasureLike[], options?: EvaluateOptions): ScoreTable;
export function evaluate(judged: JudgedRun, measures: readonly MeasureLike[], options?: ExpectedOptions): ScoreTable;
export function evaluate(
  first: QrelsLike | JudgedRun,
  second: RunLike | readonly MeasureLike[],
  third?: MeasureLike | readonly MeasureLike[] | ExpectedOptions,
  options: EvaluateOptions = {},
): number | ScoreTable {
  if (isJudgedRun(first)) return evaluateJudged(first, toMeasures(second as readonly MeasureLike[]), third as ExpectedOptions | undefined);
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
  /** Scores one run. Nothing is kept of it from one call to the next but space to work in. */
  evaluate(run: RunLike, name?: string): ScoreTable;
}

/** Measures that are computed from the same judgements by the same rules, and so in one go. */
interface Kind {
  readonly needs: Needs;
  readonly rules: Partial<JudgingRules>;
  readonly indices: number[];
  readonly measures: Measure[];
}

/** Prepares judgements and measures once, for any number of runs. */
export function evaluator(judgements: QrelsLike, wanted: readonly MeasureLike[], options: EvaluateOptions = {}): Evaluator {
  const qrels = toQrels(judgements);
  const measures = toMeasures(wanted);
  const {
    undefinedAs = 'declared',
    highestGrade,
    orders,
    seed,
    name: defaultName,
    known,
    expected,
    unrelated = 'refuse',
    ...rules
  } = options;
  const planOptions: ExpectedOptions = {
    ...planOptionsFor(qrels, measures, { undefinedAs, highestGrade }),
    orders,
    seed,
  };
  const kinds = kindsOf(measures, rules);
  const readers: Readers = {
    known: known && toQrels(known),
    expected: expected && (expected instanceof Map ? expected : new Map(Object.entries(expected))),
  };
  if (kinds.some((kind) => kind.needs === 'users' || (kind.needs === 'ranking' && kind.rules.byGroup !== true))) {
    refuseRepeatedJudgements(qrels);
  }
  const scorers = kinds.map((kind) => scorerOf(kind, qrels, readers, planOptions));
  const scored = (run: Run | TextRun): ScoreTable => {
    let ofNumbers: Run | undefined;
    const numbered = (): Run => (ofNumbers ??= withNumbers(run));
    if (unrelated === 'refuse') refuseUnrelated(qrels, run);
    const tables = scorers.map((score) => score(run, numbered));
    const table = tables.length === 1 ? tables[0] : interleave(measures, kinds, tables);
    return run.notes === undefined ? table : table.withNotes(run.notes);
  };
  let spare: TextRows | undefined;
  return {
    evaluate(input, name = defaultName) {
      if (isRun(input)) return scored(input);
      // taken away while it is used: records may come from a generator that evaluates something itself
      const rows = spare ?? new TextRows();
      spare = undefined;
      try {
        return scored(toTextRun(input, name, rows));
      } finally {
        rows.clear();
        spare = rows;
      }
    },
  };
}

/** A measure's parameters may change the rules of judging for itself. */
function rulesFor({ def, params }: Measure, rules: Partial<JudgingRules>): Partial<JudgingRules> {
  const changed: { -readonly [K in keyof JudgingRules]?: JudgingRules[K] } = { ...rules };
  const ties = (params.ties as JudgingRules['ties'] | undefined) ?? def.ties;
  if (ties !== undefined) changed.ties = ties;
  if (params.scores !== undefined) changed.scorePrecision = params.scores as JudgingRules['scorePrecision'];
  if (params.negatives !== undefined) changed.negativeGrades = params.negatives as JudgingRules['negativeGrades'];
  if (params.ideal_by === 'score') changed.idealByScore = true;
  if (params.judged_only === true) changed.judgedOnly = true;
  if (params.groups !== undefined) changed.byGroup = true;
  return changed;
}

/** True if the measure is computed from rankings with grades, by whatever rules hold for all measures. */
export function followsCommonRules(measure: Measure): boolean {
  return measure.def.bind !== undefined && measure.params.decimals === undefined && Object.keys(rulesFor(measure, {})).length === 0;
}

function kindsOf(measures: readonly Measure[], rules: Partial<JudgingRules>): Kind[] {
  const kinds = new Map<string, Kind>();
  for (const [m, measure] of measures.entries()) {
    const own = rulesFor(measure, rules);
    const { needs = 'ranking' } = measure.def;
    const key = [needs, own.ties, own.judgedOnly, own.byGroup, own.scorePrecision, own.negativeGrades, own.idealByScore].join(' ');
    const kind = kinds.get(key) ?? { needs, rules: own, indices: [], measures: [] };
    kinds.set(key, kind);
    kind.indices.push(m);
    kind.measures.push(measure);
  }
  // no measure at all still has its topics
  return kinds.size === 0 ? [{ needs: 'ranking', rules, indices: [], measures: [] }] : [...kinds.values()];
}

/** Computes the measures of one kind for one run after another: texts are judged as they are where that can be done. */
type Scorer = (run: Run | TextRun, numbered: () => Run) => ScoreTable;

function scorerOf({ needs, rules, measures }: Kind, qrels: Qrels, readers: Readers, options: ExpectedOptions): Scorer {
  const allRules: JudgingRules = { ...defaultRules, ...rules };
  const columns = scoreColumns(measures);
  const fill = rowsOf(needs, allRules, measures, qrels, readers, options);
  const width = measures.length;
  const rounding = measures.some(({ params }) => params.decimals !== undefined);
  let values: Float64Array | undefined;
  return (run, numbered) => {
    const topics: string[] = [];
    values ??= emptyScores(1, qrels.topics.size, width);
    const notes = fill(run, numbered, values, (topic) => topics.push(qrels.topics.text(topic)) * width);
    const filled = values.slice(0, topics.length * width);
    if (rounding) roundColumns(measures, filled);
    return new ScoreTable([run.name], topics, columns, filled, notes);
  };
}

/** Rounds the values of measures that ask for it. */
function roundColumns(measures: readonly Measure[], values: Float64Array): void {
  for (const [m, { params }] of measures.entries()) {
    if (params.decimals === undefined) continue;
    for (let at = m; at < values.length; at += measures.length) values[at] = roundedTo(values[at], params.decimals as number);
  }
}

/** Writes the values of a run, a row for each topic, and returns what is to be known about them. Each topic is named after its values
 *  are written, which gives the place of the next row. */
type FillRows = (run: Run | TextRun, numbered: () => Run, values: Float64Array, name: (topic: number) => number) => readonly string[];

function rowsOf(
  needs: Needs,
  rules: JudgingRules,
  measures: readonly Measure[],
  qrels: Qrels,
  readers: Readers,
  options: ExpectedOptions,
): FillRows {
  if (needs === 'preferences') return preferenceRows(rules, measures, qrels, options);
  if (needs !== 'ranking' || rules.byGroup) {
    return (_, numbered, values, name) => {
      let at = 0;
      return evaluateComposites(measures, needs, qrels, numbered(), readers, rules, options, (topic, row) => {
        values.set(row, at);
        at = name(topic);
      });
    };
  }
  const judge = new RunJudge(qrels, rules);
  const plan = rules.ties === 'expected' ? undefined : new EvaluationPlan(measures, options);
  return (run, _, values, name) => {
    const means = plan === undefined ? expectedPlan(measures, rules.judgedOnly, options) : undefined;
    const computing: Pick<ExpectedPlan, 'evaluate'> = (plan ?? means) as Pick<ExpectedPlan, 'evaluate'>;
    let at = 0;
    let current = -1;
    aboutWhat(
      () => (current < 0 ? undefined : `topic ${qrels.topics.text(current)}`),
      () =>
        judge.forEachTopic(run, (topic, view) => {
          current = topic;
          computing.evaluate(view, values, at, qrels.topics.hashes[topic]);
          current = -1;
          at = name(topic);
        }),
    );
    return means?.notes() ?? [];
  };
}

function preferenceRows(rules: JudgingRules, measures: readonly Measure[], qrels: Qrels, options: ExpectedOptions): FillRows {
  const { judgePreferences } = qrels;
  const plan = new EvaluationPlan(measures, options);
  return (_, numbered, values, name) => {
    if (judgePreferences === undefined) {
      throw new InputError({
        message: `${measures[0].text} is computed from preferences, and these are plain judgements`,
        wayOut: 'give preferences(judgements) instead',
      });
    }
    const { topics, judged } = judgePreferences(qrels, numbered(), rules);
    let at = 0;
    for (const [t, topic] of judged.entries()) {
      plan.evaluate(topic, values, at);
      at = name(topics[t]);
    }
    return [];
  };
}

/** Measures of several kinds go back to the order in which they were asked for. */
function interleave(measures: readonly Measure[], kinds: readonly Kind[], tables: readonly ScoreTable[]): ScoreTable {
  const [{ systems, topics }] = tables;
  const values = emptyScores(1, topics.length, measures.length);
  for (const [k, { indices }] of kinds.entries()) {
    for (const [column, m] of indices.entries()) {
      for (let t = 0; t < topics.length; t++) values[t * measures.length + m] = tables[k].values[t * indices.length + column];
    }
  }
  return new ScoreTable(
    systems,
    topics,
    scoreColumns(measures),
    values,
    tables.flatMap((table) => table.notes),
  );
}

function evaluateJudged(judged: JudgedRun, measures: readonly Measure[], options: ExpectedOptions = {}): ScoreTable {
  const { qrels, run, rules, topics } = judged;
  refuseUnrelated(qrels, run);
  // what was judged beforehand is one order of one kind; anything else goes back to the run
  if (rules.ties === 'expected' || rules.byGroup || !measures.every(followsCommonRules)) {
    return evaluator(qrels, measures, { ...rules, ...options }).evaluate(run, run.name);
  }
  const plan = new EvaluationPlan(measures, planOptionsFor(qrels, measures, options));
  const values = emptyScores(1, topics.length, measures.length);
  const view = emptyView();
  let t = 0;
  aboutWhat(
    () => `topic ${qrels.topics.text(topics[t])}`,
    () => {
      for (; t < topics.length; t++) {
        viewUnit(judged, judged.unitOffsets[t], view);
        plan.evaluate(view, values, t * measures.length);
      }
    },
  );
  const names = Array.from(topics, (topic) => qrels.topics.text(topic));
  return new ScoreTable([run.name], names, scoreColumns(measures), values, run.notes);
}

/** The measures that a list stands for: texts are parsed, and may stand for several; records get their default parameters. */
export function toMeasures(wanted: readonly MeasureLike[]): Measure[] {
  return wanted.flatMap((measure) => {
    if (typeof measure === 'string') return parseMeasures(measure);
    return [isMeasure(measure) ? measure : makeMeasure(measure)];
  });
}

function isMeasure(value: Measure | MeasureDef): value is Measure {
  return 'def' in value;
}

/** True if a run file can be scored by these measures line by line, without being held in memory: nothing needs other
 *  judgements, stated ranks, or an account of how ties were averaged. */
export function canBeStreamed(measures: readonly Measure[], { ties }: Pick<JudgingRules, 'ties'>): boolean {
  return ties !== 'rank' && ties !== 'quicksort' && ties !== 'expected' && measures.every(followsCommonRules);
}

/** True if some measure needs the ranks that a run states. */
export function needsRanks(measures: readonly Measure[], rules: Pick<JudgingRules, 'ties'>): boolean {
  return measures.some((measure) => rulesFor(measure, rules).ties === 'rank');
}

/** True if some measure needs the second column of the judgements. */
export function needsGroups(measures: readonly Measure[]): boolean {
  return measures.some(({ def, params }) => params.groups !== undefined || def.needs === 'subtopics' || def.needs === 'preferences');
}
