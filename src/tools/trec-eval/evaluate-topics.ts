import type { TrecEvalVersion } from '../../conventions/trec-eval-versions.js';
import { type Ids, idLatin1, sortedIds } from '../../core/ids.js';
import { DuplicateError, emptyView, JudgedCollector, type JudgedRun, type JudgingRules, viewUnit } from '../../core/judging/judge.js';
import { type PreferenceConflict, PreferenceError, PreferenceJudge } from '../../core/judging/judge-preferences.js';
import type { Qrels } from '../../core/qrels.js';
import { emptyScores } from '../../core/score-table.js';
import { EvaluationPlan } from '../../measures/plan.js';
import type { Column } from './columns.js';
import type { MeasureRow, Source } from './measure-table.js';
import type { TrecEvalOptions } from './options.js';
import { Quit } from './quit.js';
import type { Results } from './results-file.js';
import { layOut, type ValueTable, type ValueTableLayout } from './value-table.js';

/** The rules of judging that a command line and a version come to. */
export function judgingRules(options: TrecEvalOptions, version: TrecEvalVersion, source: Source): JudgingRules {
  return {
    ties: source === 'preferences' ? 'docno-ascending' : 'docno',
    depth: Math.max(0, options.depth),
    judgedOnly: options.judgedOnly,
    scorePrecision: version.precision,
    negativeGrades: 'unjudged',
    gradeFractions: 'kept',
    repeatedDocuments: 'refused',
    ownDocument: 'ranked',
    missingTopics: options.complete && version.missingTopicUnderC === 'placeholder' ? 'placeholder' : 'skip',
    idealByScore: false,
    byGroup: source === 'groups',
  };
}

const wrongFormat: Readonly<Record<Source, string>> = {
  nothing: '',
  ranking: 'trec_eval.form_res_qrels: rel_info format not qrels or results format not trec_results\n',
  groups: 'trec_eval: rel_info format not qrels_jg or results format not trec_results\n',
  preferences: 'trec_eval.form_prefs_info: prefs_info format not (prefs or qrels_prefs) or results format not trec_results\n',
};

/** What the tool does first with a topic, and what it stumbles over: measures are computed in table order, and the first
 *  one that needs the ranking makes it. */
export interface Course {
  /** The first measure that this relevance format serves. */
  readonly first: MeasureRow | undefined;
  /** How the first topic ends before any ranking is made … */
  readonly quitBefore: Quit | undefined;
  /** … or after it was. */
  readonly quitAfter: Quit | undefined;
}

/** Where trec_eval stops, if a measure does not go with the kind of judgements: before the first topic or after it. */
export function planCourse(columns: readonly Column[], source: Source): Course {
  let first: MeasureRow | undefined;
  for (const { row, broken } of columns) {
    if (row.source === 'nothing') continue;
    const served = row.source === source;
    if (served) first ??= row;
    const complaint = served ? broken : wrongFormat[row.source];
    if (complaint === undefined) continue;
    const quit = cannotCalculate(row, complaint);
    return first === undefined ? { first, quitBefore: quit, quitAfter: undefined } : { first, quitBefore: undefined, quitAfter: quit };
  }
  return { first, quitBefore: undefined, quitAfter: undefined };
}

/** trec_eval's end when a measure cannot be computed. */
export function cannotCalculate(row: MeasureRow, complaint: string): Quit {
  return new Quit(4, `${complaint}trec_eval: Can't calculate measure '${row.name}'\n`);
}

/** trec_eval's end when the results hold a topic that the judgements lack. */
export function topicNotFound(topics: Ids, topic: number): Quit {
  return new Quit(4, `trec_eval: result qid '${idLatin1(topics, topic)}' not found in qrels\n`);
}

/** Evaluates topic after topic until one of them goes wrong. */
export function evaluateTopics(
  qrels: Qrels,
  results: Results,
  columns: readonly Column[],
  source: Source,
  options: TrecEvalOptions,
  version: TrecEvalVersion,
): ValueTable {
  const rules = judgingRules(options, version, source);
  const course = planCourse(columns, source);
  const evaluator =
    course.first === undefined
      ? new NothingToEvaluate()
      : source === 'preferences'
        ? new PreferenceEvaluator(qrels, results, columns, rules, course.first)
        : new RankingEvaluator(qrels, results, columns, rules, course.first);

  const done: number[] = [];
  let quit: Quit | undefined;
  for (const topic of sortedIds(qrels.topics)) {
    if (options.onlyTopic !== undefined && idLatin1(qrels.topics, topic) !== options.onlyTopic) continue;
    if (results.answered[topic] === 0 && rules.missingTopics === 'skip') {
      if (version.missingTopic === 'skip') continue;
      quit = topicNotFound(qrels.topics, topic);
      break;
    }
    quit = course.quitBefore ?? evaluator.add(topic) ?? course.quitAfter;
    if (quit !== undefined) break;
    done.push(topic);
  }
  const layout = evaluator.layout ?? layOut(columns, 0);
  return {
    layout,
    topics: Uint32Array.from(done), // fits: entries
    answered: Uint8Array.from(done, (topic) => results.answered[topic]), // fits: flags
    values: evaluator.values(done.length),
    runTag: results.tag,
    quit,
  };
}

interface TopicEvaluator {
  readonly layout: ValueTableLayout | undefined;
  /** Takes in one more topic, or says how the tool ends on it. */
  add(topic: number): Quit | undefined;
  /** The rows of the first so many topics. */
  values(numTopics: number): Float64Array;
}

class NothingToEvaluate implements TopicEvaluator {
  readonly layout: ValueTableLayout | undefined = undefined;
  add(): Quit | undefined {
    return undefined;
  }
  values(): Float64Array {
    return new Float64Array(0);
  }
}

class RankingEvaluator implements TopicEvaluator {
  readonly layout: ValueTableLayout;
  private readonly qrels: Qrels;
  private readonly rules: JudgingRules;
  private readonly first: MeasureRow;
  private readonly collector: JudgedCollector;
  private anyJudged = false;

  constructor(qrels: Qrels, results: Results, columns: readonly Column[], rules: JudgingRules, first: MeasureRow) {
    this.qrels = qrels;
    this.rules = rules;
    this.first = first;
    this.layout = layOut(computable(columns, rules.byGroup ? 'groups' : 'ranking'), longestRanking(results, rules));
    this.collector = new JudgedCollector(qrels, results.run, rules);
  }

  add(topic: number): Quit | undefined {
    try {
      this.collector.addTopic(topic);
    } catch (error) {
      if (!(error instanceof DuplicateError)) throw error;
      const docno = idLatin1(error.docs, error.doc);
      // the tool forgets the line end when the run is to blame
      const complaint =
        error.where === 'run' ? `trec_eval.form_res_qrels: duplicate docs ${docno}` : `trec_eval.form_res_rels: duplicate docs ${docno}\n`;
      return cannotCalculate(this.first, complaint);
    }
    if (this.rules.byGroup || hasJudgement(this.qrels, topic)) this.anyJudged = true;
    // without a judgement the tool has no room for its counts, unless a topic before made some
    else if (!this.anyJudged) return cannotCalculate(this.first, '');
    return undefined;
  }

  values(numTopics: number): Float64Array {
    const judged = this.collector.finish();
    const { measures } = this.layout;
    const plan = new EvaluationPlan(measures, { undefinedAs: 'nan' });
    const width = measures.length;
    const values = emptyScores(1, numTopics, width);
    const scratch = new Float64Array(width);
    const view = emptyView();
    const stalePlaces = this.layout.columns.flatMap(({ row }, c) => (row.readsStaleLevels ? [this.layout.places[c]] : []));
    let lastJudged = 0;
    for (let t = 0; t < numTopics; t++) {
      const at = t * width;
      const firstUnit = judged.unitOffsets[t];
      const numUnits = judged.unitOffsets[t + 1] - firstUnit;
      viewUnit(judged, firstUnit, view);
      plan.evaluate(view, values, at);
      for (let unit = firstUnit + 1; unit < firstUnit + numUnits; unit++) {
        viewUnit(judged, unit, view);
        plan.evaluate(view, scratch, 0);
        for (let m = 0; m < width; m++) values[at + m] += scratch[m];
      }
      if (numUnits > 1) for (let m = 0; m < width; m++) values[at + m] /= numUnits;
      if (this.rules.byGroup) continue;

      if (view.numJudged > 0) lastJudged = firstUnit;
      else if (stalePlaces.length > 0) {
        // gains see the counts that the topic before left behind
        viewJudged(judged, lastJudged, view);
        plan.evaluate(view, scratch, 0);
        for (const place of stalePlaces) values[at + place] = scratch[place];
      }
    }
    return values;
  }
}

/** Puts the judgements of another unit into the view. */
function viewJudged(judged: JudgedRun, unit: number, view: ReturnType<typeof emptyView>): void {
  view.judgedStart = judged.judgedOffsets[unit];
  view.numJudged = judged.judgedOffsets[unit + 1] - view.judgedStart;
}

class PreferenceEvaluator implements TopicEvaluator {
  readonly layout: ValueTableLayout;
  private readonly judge: PreferenceJudge;
  private readonly plan: EvaluationPlan;
  private readonly first: MeasureRow;
  private readonly rows: number[] = [];
  private readonly row: Float64Array;

  constructor(qrels: Qrels, results: Results, columns: readonly Column[], rules: JudgingRules, first: MeasureRow) {
    this.first = first;
    this.layout = layOut(computable(columns, 'preferences'), 0);
    this.plan = new EvaluationPlan(this.layout.measures, { undefinedAs: 'nan' });
    this.row = new Float64Array(this.layout.measures.length);
    this.judge = new PreferenceJudge(qrels, results.run, rules);
  }

  add(topic: number): Quit | undefined {
    try {
      this.plan.evaluate(this.judge.judge(topic), this.row, 0);
      for (const value of this.row) this.rows.push(value);
      return undefined;
    } catch (error) {
      if (error instanceof DuplicateError) {
        return cannotCalculate(this.first, `trec_eval.form_prefs_counts: duplicate docs ${idLatin1(error.docs, error.doc)}`);
      }
      if (!(error instanceof PreferenceError)) throw error;
      return conflictQuit(this.first, error.conflict);
    }
  }

  values(numTopics: number): Float64Array {
    return Float64Array.from(this.rows.slice(0, numTopics * this.layout.measures.length));
  }
}

function conflictQuit(first: MeasureRow, conflict: PreferenceConflict): Quit {
  switch (conflict.kind) {
    case 'several grades':
      return cannotCalculate(
        first,
        `trec_eval.form_prefs_counts: Internal docid ${conflict.number} occurs with different rel_level in same jsg\n`,
      );
    case 'relevant and not': {
      const docno = idLatin1(conflict.docs, conflict.doc);
      return cannotCalculate(first, `trec_eval.form_prefs_counts: doc '${docno}' has both 0 and non-0 rel_level assigned\n`);
    }
    case 'cycle':
      return new Quit(
        134,
        `trec_eval.form_prefs_counts: Pref inconsistency found
      internal rank ${conflict.first} and internal rank ${conflict.second} are conflicted\n`,
        true,
      );
  }
}

/** A measure that cannot be computed ends the run at its first topic, so its values are never asked for. */
function computable(columns: readonly Column[], source: Source): Column[] {
  return columns.filter(({ row, broken }) => broken === undefined && (row.source === source || row.source === 'nothing'));
}

function longestRanking({ run }: Results, rules: JudgingRules): number {
  let longest = 0;
  for (let topic = 0; topic < run.topics.size; topic++) longest = Math.max(longest, run.offsets[topic + 1] - run.offsets[topic]);
  return Math.min(longest, rules.depth);
}

/** Whether any document of the topic has a level from 0 up. */
export function hasJudgement({ offsets, grades }: Qrels, topic: number): boolean {
  for (let row = offsets[topic]; row < offsets[topic + 1]; row++) if (grades[row] >= 0) return true;
  return false;
}
