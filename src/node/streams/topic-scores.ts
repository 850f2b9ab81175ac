import { type Ids, sortedIds } from '../../core/ids.js';
import { TopicJudge } from '../../core/judging/judge-topic.js';
import type { JudgingRules } from '../../core/judging/judging-rules.js';
import type { Qrels } from '../../core/qrels.js';
import type { TopicLines } from '../../core/topic-lines.js';
import type { Measure } from '../../measures/measure.js';
import { EvaluationPlan, type PlanOptions } from '../../measures/plan.js';
import type { RunGrammar } from './stream-task.js';

/** Where the values of a run go, one row for each judged topic, in ascending byte order of their ids. The memory is shared: every thread
 *  writes the topics that it meets to their places, and nothing has to be sent or put in order afterwards. */
export interface ValueRows {
  /** The topics of the rows, as numbers of the qrels. */
  readonly topics: Uint32Array;
  /** The row of each topic. */
  readonly rowOf: Uint32Array;
  /** 1 for each row whose topic somebody has met. */
  readonly answered: Uint8Array;
  /** The values of each row, one after another; those of topics that nobody has met take no memory until they are written. */
  readonly values: Float64Array;
}

/** Room for the values of all judged topics, none of them met yet.
 *  @param width  how many values a topic has */
export function valueRows(ids: Ids, width: number): ValueRows {
  const { size } = ids;
  const shared = (numBytes: number): SharedArrayBuffer => new SharedArrayBuffer(numBytes);
  const topics = new Uint32Array(shared(4 * size)); // fits: entries
  const rowOf = new Uint32Array(shared(4 * size)); // fits: entries
  topics.set(sortedIds(ids));
  for (let row = 0; row < size; row++) rowOf[topics[row]] = row;
  // fits: flags
  return { topics, rowOf, answered: new Uint8Array(shared(size)), values: new Float64Array(shared(8 * size * width)) };
}

/** How topics are judged, and where their values go. */
export interface TopicScoring {
  readonly grammar: RunGrammar;
  readonly rules: JudgingRules;
  readonly planOptions: PlanOptions;
  readonly rows: ValueRows;
}

/** Judges one topic after another. */
export class TopicScores {
  private readonly scoring: TopicScoring;
  private readonly qrels: Qrels;
  private readonly plan: EvaluationPlan;
  private readonly judge: TopicJudge;
  private readonly width: number;

  constructor(scoring: TopicScoring, measures: readonly Measure[], qrels: Qrels) {
    this.scoring = scoring;
    this.qrels = qrels;
    this.plan = new EvaluationPlan(measures, scoring.planOptions);
    this.judge = new TopicJudge(qrels, scoring.rules);
    this.width = measures.length;
  }

  /** Judges the lines of a topic, which has the number -1 if nobody judged it; false if they list a document twice. */
  add(topic: number, lines: TopicLines): boolean {
    const { qrels, judge, plan, width } = this;
    const { rowOf, values } = this.scoring.rows;
    if (this.isCut(lines.numLines) && judge.repeatsDocument(lines)) return false;
    if (judge.rank(lines, topic) >= 0) return false;
    if (topic < 0) return true;
    judge.grade(qrels.offsets[topic], qrels.offsets[topic + 1]);
    plan.evaluate(judge.view, values, rowOf[topic] * width);
    return true;
  }

  /** Judges a topic that the run does not answer. */
  addMissing(topic: number): void {
    const { qrels, judge, plan, width } = this;
    const { rowOf, values } = this.scoring.rows;
    judge.gradeMissing(qrels.offsets[topic], qrels.offsets[topic + 1]);
    plan.evaluate(judge.view, values, rowOf[topic] * width);
  }

  /** Whether the rules keep lines from being ranked that our own grammar wants right all the same; C programs do not look at them. */
  private isCut(numLines: number): boolean {
    const { grammar, rules } = this.scoring;
    return grammar === 'strict' && (rules.depth < numLines || rules.ownDocument === 'dropped');
  }
}

/** Takes out the topics that the run does not answer, or judges them as the rules say. The answer is how many topics are left, at the
 *  beginning of the rows. */
export function finishRows(scoring: TopicScoring, measures: readonly Measure[], qrels: Qrels): number {
  const { topics, answered } = scoring.rows;
  if (!answered.includes(0)) return topics.length;
  if (scoring.rules.missingTopics === 'skip') return moveUpAnswered(scoring.rows, measures.length);
  const missing = new TopicScores(scoring, measures, qrels);
  for (let row = 0; row < topics.length; row++) if (answered[row] === 0) missing.addMissing(topics[row]);
  return topics.length;
}

/** Moves the rows of answered topics to the beginning, and says how many there are. */
function moveUpAnswered({ topics, answered, values }: ValueRows, width: number): number {
  let kept = 0;
  for (let row = 0; row < topics.length; row++) {
    if (answered[row] === 0) continue;
    topics[kept] = topics[row];
    answered[kept] = 1;
    values.copyWithin(kept * width, row * width, (row + 1) * width);
    kept++;
  }
  return kept;
}
