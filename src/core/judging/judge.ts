import { lengthened } from '../growing-arrays.js';
import { compareIds, type Ids, idText, sortedIds } from '../ids.js';
import { InputError } from '../problem.js';
import type { Qrels } from '../qrels.js';
import { roomFor } from '../room.js';
import type { Run } from '../run.js';
import type { TextRun } from '../text-run.js';
import { RunTopicLines, TextTopicLines } from '../topic-lines.js';
import { TopicJudge, type TopicView, UNJUDGED } from './judge-topic.js';
import { defaultRules, type JudgingRules } from './judging-rules.js';

export { emptyView, gradeOfCode, POOLED, type TopicView, UNJUDGED } from './judge-topic.js';
export { defaultRules, type JudgingRules, type TieRule, tieRules } from './judging-rules.js';

/** A run joined with judgements. A *unit* is what a measure looks at: a topic, or one group's judgement of a topic. */
export interface JudgedRun {
  readonly run: Run;
  readonly qrels: Qrels;
  readonly rules: JudgingRules;
  /** Topic numbers (of the qrels) in ascending byte order of their ids. */
  readonly topics: Uint32Array;
  /** The units of topics[i] are unitOffsets[i] to unitOffsets[i + 1]. */
  readonly unitOffsets: Uint32Array;
  /** 1 for the topics that the run answers. */
  readonly answered: Uint8Array;
  /** The ranking of unit u is codes[offsets[u]] to codes[offsets[u + 1]]. */
  readonly offsets: Uint32Array;
  readonly codes: Float64Array;
  /** The run's row behind each ranked document; the last row number plus one stands for a placeholder. */
  readonly rows: Uint32Array;
  readonly judgedOffsets: Uint32Array;
  readonly judged: Float64Array;
}

/** Tells a run that was joined with judgements from judgements, where a function takes either. */
export function isJudgedRun(value: unknown): value is JudgedRun {
  return typeof value === 'object' && value !== null && 'unitOffsets' in value && 'codes' in value;
}

/** A document that a ranking or a topic's judgements hold twice. */
export class DuplicateError extends InputError {
  readonly where: 'run' | 'qrels';
  readonly docs: Ids;
  readonly doc: number;
  constructor(where: 'run' | 'qrels', topics: Ids, topic: number, docs: Ids, doc: number) {
    super({
      message: `topic ${idText(topics, topic)}: document ${idText(docs, doc)} appears more than once in the ${where === 'run' ? 'run' : 'judgements'}`,
      wayOut: 'keep one line per topic and document',
    });
    this.where = where;
    this.docs = docs;
    this.doc = doc;
  }
}

/** Joins a run with judgements, topic by topic in byte order of the ids. */
export function judge(qrels: Qrels, run: Run, rules: Partial<JudgingRules> = {}): JudgedRun {
  const collected = new JudgedCollector(qrels, run, { ...defaultRules, ...rules });
  for (const topic of sortedIds(qrels.topics)) collected.addTopic(topic);
  return collected.finish();
}

/** Judges one topic at a time, so that a caller may stop, or act on what was judged so far. */
export class JudgedCollector {
  private readonly run: Run;
  private readonly qrels: Qrels;
  private readonly rules: JudgingRules;
  private readonly judge: TopicJudge;
  private readonly lines: RunTopicLines;
  private readonly repeated: RepeatedJudgements;

  private readonly topics: number[] = [];
  private readonly answered: number[] = [];
  private readonly unitOffsets: number[] = [0];
  private readonly offsets: number[] = [0];
  private readonly judgedOffsets: number[] = [0];
  private codes: Float64Array;
  private rows: Uint32Array;
  private readonly judged: Float64Array;
  private numRanked = 0;
  private numJudged = 0;

  constructor(qrels: Qrels, run: Run, rules: JudgingRules) {
    this.run = run;
    this.qrels = qrels;
    this.rules = rules;
    // one order is kept; whoever averages over all of them goes back to the run
    this.judge = new TopicJudge(qrels, rules.ties === 'expected' ? { ...rules, ties: 'docno' } : rules);
    this.judge.sorts = timesSorted(qrels, run, rules);
    this.lines = new RunTopicLines(run);
    this.repeated = new RepeatedJudgements(qrels);
    this.codes = new Float64Array(run.scores.length + qrels.topics.size);
    this.rows = new Uint32Array(run.scores.length + qrels.topics.size); // fits: entries
    this.judged = new Float64Array(qrels.grades.length);
  }

  /** Judges one topic of the qrels; false if the rules leave it out because the run does not answer it. */
  addTopic(topic: number): boolean {
    const { run, qrels, rules } = this;
    const runTopic = topicInRun(qrels, run, topic);
    if (runTopic < 0 && rules.missingTopics === 'skip') return false;
    if (runTopic >= 0) rankRunTopic(this.judge, this.lines, qrels, run, topic, runTopic);

    const from = qrels.offsets[topic];
    const to = qrels.offsets[topic + 1];
    if (!rules.byGroup) this.addUnit(topic, runTopic, from, to, undefined);
    else {
      const groups = rowsByGroup(qrels, topic);
      for (const [start, end] of groups.ranges) this.addUnit(topic, runTopic, start, end, groups.rows);
    }
    this.topics.push(topic);
    this.answered.push(runTopic >= 0 ? 1 : 0);
    this.unitOffsets.push(this.offsets.length - 1);
    return true;
  }

  finish(): JudgedRun {
    return {
      run: this.run,
      qrels: this.qrels,
      rules: this.rules,
      topics: Uint32Array.from(this.topics), // fits: entries
      unitOffsets: Uint32Array.from(this.unitOffsets), // fits: entries
      answered: Uint8Array.from(this.answered), // fits: flags
      offsets: Uint32Array.from(this.offsets), // fits: entries
      codes: this.codes,
      rows: this.rows,
      judgedOffsets: Uint32Array.from(this.judgedOffsets), // fits: entries
      judged: this.judged,
    };
  }

  /** Grades the ranking at hand and writes the result down. */
  private addUnit(topic: number, runTopic: number, from: number, to: number, rowIndex: Uint32Array | undefined): void {
    const { judge, lines, rules, run } = this;
    this.repeated.refuse(topic, from, to, rowIndex);
    if (runTopic >= 0) judge.grade(from, to, rowIndex);
    else judge.gradeMissing(from, to, rowIndex);
    const { view } = judge;
    this.reserve(view.numRetrieved);
    let at = this.numRanked;
    for (let rank = 0; at < this.numRanked + view.numRetrieved; rank++) {
      if (rules.judgedOnly && judge.codeAt(rank) <= UNJUDGED) continue;
      this.codes[at] = judge.codeAt(rank);
      this.rows[at++] = runTopic >= 0 ? lines.scoreStart + judge.lineAt(rank) : run.docOf.length;
    }
    this.judged.set(view.judged.subarray(view.judgedStart, view.judgedStart + view.numJudged), this.numJudged);
    this.numRanked = at;
    this.numJudged += view.numJudged;
    this.offsets.push(at);
    this.judgedOffsets.push(this.numJudged);
  }

  /** Groups repeat a topic's ranking, so their total is not known beforehand. */
  private reserve(extra: number): void {
    const needed = this.numRanked + extra;
    if (needed <= this.codes.length) return;
    const capacity = roomFor(needed, needed * 2, 'judged rows');
    this.codes = lengthened(this.codes, capacity);
    this.rows = lengthened(this.rows, capacity);
  }
}

/** Rows of the judgements in several parts: part p is rows[ranges[p][0]] to rows[ranges[p][1]]. */
export interface JudgementParts {
  readonly rows: Uint32Array;
  readonly ranges: readonly (readonly [from: number, to: number])[];
}

/** Visits the judged topics in byte order of their ids, each with its judged ranking, and keeps nothing. With `partsOf` a
 *  topic is visited once for each part of its judgements, as if there were no others. Judgements, or parts of them, must not
 *  name a document twice. */
export function forEachJudgedTopic(
  qrels: Qrels,
  run: Run,
  rules: JudgingRules,
  visit: TopicVisitor,
  partsOf?: (topic: number) => JudgementParts,
): void {
  new RunJudge(qrels, rules).forEachTopic(run, visit, partsOf);
}

/** Is shown a judged topic, or a part of it. */
export type TopicVisitor = (topic: number, view: TopicView, part: number, numParts: number) => void;

/** Judges any number of runs by the same judgements and rules, in scratch space that is used again. */
export class RunJudge {
  private readonly qrels: Qrels;
  private readonly rules: JudgingRules;
  private readonly judge: TopicJudge;
  private readonly topics: Uint32Array;
  private readonly textLines: TextTopicLines = new TextTopicLines();
  private readonly runTopics: Int32Array;

  constructor(qrels: Qrels, rules: JudgingRules) {
    this.qrels = qrels;
    this.rules = rules;
    this.judge = new TopicJudge(qrels, rules);
    this.runTopics = new Int32Array(qrels.topics.size); // fits: at most evaluationLimits.topics
    this.topics = sortedIds(qrels.topics);
  }

  /** `forEachJudgedTopic` for one run more. */
  forEachTopic(run: Run | TextRun, visit: TopicVisitor, partsOf?: (topic: number) => JudgementParts): void {
    const { qrels, rules, judge } = this;
    judge.sorts = timesSorted(qrels, run, rules);
    const lines = this.linesOf(run);
    const repeated = partsOf && new RepeatedJudgements(qrels);
    const runTopics = topicsInRun(qrels, run, this.runTopics);
    for (const topic of this.topics) {
      const runTopic = runTopics[topic];
      if (runTopic < 0 && rules.missingTopics === 'skip') continue;
      if (runTopic >= 0) rankRunTopic(judge, lines, qrels, run, topic, runTopic);
      const grade = (from: number, to: number, rows: Uint32Array | undefined, part: number, numParts: number): void => {
        repeated?.refuse(topic, from, to, rows);
        if (runTopic >= 0) judge.grade(from, to, rows);
        else judge.gradeMissing(from, to, rows);
        visit(topic, judge.view, part, numParts);
      };
      if (partsOf === undefined) grade(qrels.offsets[topic], qrels.offsets[topic + 1], undefined, 0, 1);
      else {
        const { rows, ranges } = partsOf(topic);
        for (const [part, [from, to]] of ranges.entries()) grade(from, to, rows, part, ranges.length);
      }
    }
  }

  private linesOf(run: Run | TextRun): RunTopicLines | TextTopicLines {
    if (!isTextRun(run)) return new RunTopicLines(run);
    this.textLines.show(run);
    return this.textLines;
  }
}

function isTextRun(run: Run | TextRun): run is TextRun {
  return 'topicNumbers' in run;
}

/** Ranks a topic of the run, and refuses one that lists a document twice. */
function rankRunTopic(
  judge: TopicJudge,
  lines: RunTopicLines | TextTopicLines,
  qrels: Qrels,
  run: Run | TextRun,
  topic: number,
  runTopic: number,
): void {
  lines.moveTo(run.offsets[runTopic], run.offsets[runTopic + 1]);
  const duplicate = judge.rank(lines, topic);
  if (duplicate < 0) return;
  const { docs, doc } = lines.docOf(duplicate);
  throw new DuplicateError('run', qrels.topics, topic, docs, doc);
}

/** Points the view at one unit of a judged run. */
export function viewUnit(judged: JudgedRun, unit: number, view: TopicView): void {
  view.codes = judged.codes;
  view.start = judged.offsets[unit];
  view.numRetrieved = judged.offsets[unit + 1] - view.start;
  view.judged = judged.judged;
  view.judgedStart = judged.judgedOffsets[unit];
  view.numJudged = judged.judgedOffsets[unit + 1] - view.judgedStart;
}

/** The run's number of a judged topic, or -1 if the run does not answer it. */
export function topicInRun({ topics }: Qrels, run: Run, topic: number): number {
  const { bytes, offsets } = topics;
  const number = run.topics === topics ? topic : run.topics.findBytes(bytes, offsets[topic], offsets[topic + 1]);
  return number >= 0 && run.offsets[number + 1] > run.offsets[number] ? number : -1;
}

/** Says of each judged topic what `topicInRun` does. Texts are looked up among the judgements: there may be few where many topics are
 *  judged.
 *  @param numbers  space to write to */
function topicsInRun(qrels: Qrels, run: Run | TextRun, numbers: Int32Array): Int32Array {
  if (!isTextRun(run)) return numbers.map((_, topic) => topicInRun(qrels, run, topic));
  numbers.fill(-1);
  for (const [text, number] of run.topicNumbers) {
    const topic = qrels.topics.find(text);
    if (topic >= 0) numbers[topic] = number;
  }
  return numbers;
}

/** ranx sorts a run when it is read, and once more where it has to fill in or leave out topics to make it comparable. */
function timesSorted(qrels: Qrels, run: Run | TextRun, { ties }: JudgingRules): number {
  if (ties !== 'quicksort') return 1;
  const numTopics = isTextRun(run) ? run.topicNumbers.size : run.topics.size;
  return numTopics === qrels.topics.size && judgedTopicsAnswered(qrels, run) === qrels.topics.size ? 1 : 2;
}

/** How many of the judged topics the run answers; counting stops where there are `enough`. */
export function judgedTopicsAnswered(qrels: Qrels, run: Run | TextRun, enough: number = qrels.topics.size): number {
  let count = 0;
  if (isTextRun(run)) {
    for (const text of run.topicNumbers.keys()) if (count < enough && qrels.topics.find(text) >= 0) count++;
  } else for (let topic = 0; topic < qrels.topics.size && count < enough; topic++) if (topicInRun(qrels, run, topic) >= 0) count++;
  return count;
}

/** The topic's rows sorted by group id, as they came within a group, and where each group begins and ends. */
export function rowsByGroup(qrels: Qrels, topic: number): JudgementParts {
  const { groups, offsets } = qrels;
  if (groups === undefined) {
    throw new InputError({
      message: 'this needs to know who judged what, and the judgements do not say',
      wayOut: 'read them with their second column (the group) kept',
    });
  }
  const rows = Uint32Array.from({ length: offsets[topic + 1] - offsets[topic] }, (_, i) => offsets[topic] + i); // fits: entries
  rows.sort((a, b) => compareIds(groups.ids, groups.of[a], groups.ids, groups.of[b]));
  const ranges: [number, number][] = [];
  for (let i = 0; i < rows.length; ) {
    let end = i + 1;
    while (end < rows.length && groups.of[rows[end]] === groups.of[rows[i]]) end++;
    ranges.push([i, end]);
    i = end;
  }
  return { rows, ranges };
}

/** Looks for documents that a topic's judgements list twice. */
class RepeatedJudgements {
  private readonly qrels: Qrels;
  /** For each judged document: the unit that listed it last. */
  private readonly listedIn: Uint32Array;
  private unit = 0;

  constructor(qrels: Qrels) {
    this.qrels = qrels;
    this.listedIn = new Uint32Array(qrels.docs.size); // fits: entries
  }

  /** A document that these rows list twice, the one with the smallest id; -1 if there is none. */
  find(from: number, to: number, rowIndex?: Uint32Array): number {
    const { qrels, listedIn } = this;
    const unit = ++this.unit;
    let repeated = -1;
    for (let i = from; i < to; i++) {
      const doc = qrels.docOf[rowIndex === undefined ? i : rowIndex[i]];
      if (listedIn[doc] !== unit) listedIn[doc] = unit;
      else if (repeated < 0 || compareIds(qrels.docs, doc, qrels.docs, repeated) < 0) repeated = doc;
    }
    return repeated;
  }

  refuse(topic: number, from: number, to: number, rowIndex?: Uint32Array): void {
    const doc = this.find(from, to, rowIndex);
    if (doc >= 0) throw new DuplicateError('qrels', this.qrels.topics, topic, this.qrels.docs, doc);
  }
}

/** True if some topic lists a document twice. */
export function repeatsJudgement(qrels: Qrels): boolean {
  const repeated = new RepeatedJudgements(qrels);
  for (let topic = 0; topic < qrels.topics.size; topic++) {
    if (repeated.find(qrels.offsets[topic], qrels.offsets[topic + 1]) >= 0) return true;
  }
  return false;
}

/** Refuses judgements in which some topic lists a document twice. */
export function refuseRepeatedJudgements(qrels: Qrels): void {
  const repeated = new RepeatedJudgements(qrels);
  for (let topic = 0; topic < qrels.topics.size; topic++) repeated.refuse(topic, qrels.offsets[topic], qrels.offsets[topic + 1]);
}
