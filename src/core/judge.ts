import { compareIds, type Ids, idText, sortedIds } from './ids.js';
import { RankingScratch, sortDescendingInPlace, type TieOrder } from './order.js';
import { InputError } from './problem.js';
import type { Qrels } from './qrels.js';
import type { Run } from './run.js';

/** What a ranked document is worth when no judgement says so: it was never in the pool … */
export const UNJUDGED: number = -1;
/** … or it was in the pool, and its grade is negative because nobody judged it. */
export const POOLED: number = -2;

/** The rules by which a ranking meets its judgements. They are applied here and nowhere else. */
export interface JudgingRules {
  /** How equal scores are ordered. */
  readonly ties: TieOrder;
  /** Only this many documents of each ranking are looked at. */
  readonly depth: number;
  /** Documents without a judgement are taken out of the ranking, and those below move up. */
  readonly judgedOnly: boolean;
  /** Scores are rounded to 32 bits before they are compared, as older tools did; this makes ties. */
  readonly scorePrecision: 'double' | 'float32';
  /** A judged topic that the run does not answer is left out (*skip*), counts as an empty ranking (*empty*), or as a
   *  ranking of one document that nobody judged (*placeholder*). */
  readonly missingTopics: 'skip' | 'empty' | 'placeholder';
  /** Judge once per group of judgements (the second column of the judgements) instead of once per topic. */
  readonly byGroup: boolean;
}

export const defaultRules: JudgingRules = {
  ties: 'docno',
  depth: Infinity,
  judgedOnly: false,
  scorePrecision: 'double',
  missingTopics: 'empty',
  byGroup: false,
};

/** One judged ranking, as measures see it. The same object is moved from topic to topic; a measure reads it and keeps
 *  nothing. */
export interface TopicView {
  /** Grade of each ranked document from `start` on, best rank first; `UNJUDGED` or `POOLED` where there is none. */
  codes: Float64Array;
  start: number;
  numRetrieved: number;
  /** The grades of all judged documents of the topic, retrieved or not, from `judgedStart` on, highest first. */
  judged: Float64Array;
  judgedStart: number;
  numJudged: number;
}

export function emptyView(): TopicView {
  const nothing = new Float64Array(0);
  return { codes: nothing, start: 0, numRetrieved: 0, judged: nothing, judgedStart: 0, numJudged: 0 };
}

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
export function judge(run: Run, qrels: Qrels, rules: Partial<JudgingRules> = {}): JudgedRun {
  const collected = new JudgedCollector(run, qrels, { ...defaultRules, ...rules });
  for (const topic of sortedIds(qrels.topics)) collected.addTopic(topic);
  return collected.finish();
}

/** Judges one topic at a time, so that a caller may stop, or act on what was judged so far. */
export class JudgedCollector {
  private readonly run: Run;
  private readonly qrels: Qrels;
  private readonly rules: JudgingRules;
  private readonly scratch: RankingScratch = new RankingScratch();
  private readonly scores: Float64Array;
  /** For each document of the run: the topic it was last judged in, and its grade there. */
  private readonly judgedIn: Uint32Array;
  private readonly gradeOf: Float64Array;
  private readonly seenIn: Uint32Array;
  /** For each judged document: the unit that listed it last. */
  private readonly listedIn: Uint32Array;
  /** The run's number of each judged document, or -1. */
  private readonly runDocOf: Int32Array;
  private stamp = 0;
  private readonly gradeCounts: Uint32Array = new Uint32Array(64);

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

  constructor(run: Run, qrels: Qrels, rules: JudgingRules) {
    this.run = run;
    this.qrels = qrels;
    this.rules = rules;
    this.scores = rules.scorePrecision === 'float32' ? Float64Array.from(run.scores, Math.fround) : run.scores;
    this.judgedIn = new Uint32Array(run.docs.size);
    this.gradeOf = new Float64Array(run.docs.size);
    this.seenIn = new Uint32Array(run.docs.size);
    this.listedIn = new Uint32Array(qrels.docs.size);
    this.runDocOf = documentsInRun(run, qrels);
    this.codes = new Float64Array(run.scores.length + qrels.topics.size);
    this.rows = new Uint32Array(run.scores.length + qrels.topics.size);
    this.judged = new Float64Array(qrels.grades.length);
  }

  /** Judges one topic of the qrels; false if the rules leave it out because the run does not answer it. */
  addTopic(topic: number): boolean {
    const { run, qrels, rules } = this;
    const runTopic = run.topics === qrels.topics ? topic : findTopic(run, qrels, topic);
    const answered = runTopic >= 0 && run.offsets[runTopic + 1] > run.offsets[runTopic];
    if (!answered && rules.missingTopics === 'skip') return false;

    const start = answered ? run.offsets[runTopic] : 0;
    const numRanked = answered ? this.rankTopic(topic, start, run.offsets[runTopic + 1] - start) : 0;
    const rowsOfTopic = [qrels.offsets[topic], qrels.offsets[topic + 1]] as const;
    const groups = rules.byGroup ? rowsByGroup(qrels, rowsOfTopic[0], rowsOfTopic[1]) : undefined;
    if (groups === undefined) this.addUnit(topic, start, numRanked, answered, undefined, rowsOfTopic[0], rowsOfTopic[1]);
    else for (const [from, to] of groups.ranges) this.addUnit(topic, start, numRanked, answered, groups.rows, from, to);

    this.topics.push(topic);
    this.answered.push(answered ? 1 : 0);
    this.unitOffsets.push(this.offsets.length - 1);
    return true;
  }

  finish(): JudgedRun {
    return {
      run: this.run,
      qrels: this.qrels,
      rules: this.rules,
      topics: Uint32Array.from(this.topics),
      unitOffsets: Uint32Array.from(this.unitOffsets),
      answered: Uint8Array.from(this.answered),
      offsets: Uint32Array.from(this.offsets),
      codes: this.codes,
      rows: this.rows,
      judgedOffsets: Uint32Array.from(this.judgedOffsets),
      judged: this.judged,
    };
  }

  /** Ranks the topic's rows, cuts them at the depth, and refuses a document that is still there twice. */
  private rankTopic(topic: number, start: number, n: number): number {
    const { run, rules, scratch, seenIn } = this;
    const { docOf, docs } = run;
    const inOrder = scratch.rank(this.scores, start, n, rules.ties, (a, b) => compareIds(docs, docOf[start + a], docs, docOf[start + b]));
    if (inOrder) scratch.keepOrder(n);
    const kept = Math.min(n, rules.depth);
    const stamp = this.topics.length + 1;
    let duplicate = -1;
    for (let rank = 0; rank < kept; rank++) {
      const doc = docOf[start + scratch.order[rank]];
      if (seenIn[doc] !== stamp) seenIn[doc] = stamp;
      else if (duplicate < 0 || compareIds(docs, doc, docs, duplicate) < 0) duplicate = doc;
    }
    if (duplicate >= 0) throw new DuplicateError('run', this.qrels.topics, topic, docs, duplicate);
    return kept;
  }

  /** Gives each ranked document its grade, and lists the topic's grades, highest first. */
  private addUnit(
    topic: number,
    start: number,
    numRanked: number,
    answered: boolean,
    rowIndex: Uint32Array | undefined,
    from: number,
    to: number,
  ): void {
    const { run, qrels, rules, judgedIn, gradeOf, listedIn, runDocOf, scratch } = this;
    const stamp = ++this.stamp;

    // mark the judged documents; those that the run does not know are only counted
    let judgedEnd = this.numJudged;
    let duplicate = -1;
    for (let i = from; i < to; i++) {
      const row = rowIndex === undefined ? i : rowIndex[i];
      const grade = qrels.grades[row];
      if (grade >= 0) this.judged[judgedEnd++] = grade;
      const judgedDoc = qrels.docOf[row];
      if (listedIn[judgedDoc] !== stamp) listedIn[judgedDoc] = stamp;
      else if (duplicate < 0 || compareIds(qrels.docs, judgedDoc, qrels.docs, duplicate) < 0) duplicate = judgedDoc;
      const doc = runDocOf[judgedDoc];
      if (doc < 0) continue;
      judgedIn[doc] = stamp;
      gradeOf[doc] = grade >= 0 ? grade : POOLED;
    }
    if (duplicate >= 0) throw new DuplicateError('qrels', qrels.topics, topic, qrels.docs, duplicate);
    sortDescendingInPlace(this.judged, this.numJudged, judgedEnd, this.gradeCounts);
    this.numJudged = judgedEnd;
    this.judgedOffsets.push(judgedEnd);

    // write down the ranking
    this.reserve(numRanked + 1);
    let at = this.numRanked;
    for (let rank = 0; rank < numRanked; rank++) {
      const row = start + scratch.order[rank];
      const doc = run.docOf[row];
      const code = judgedIn[doc] === stamp ? gradeOf[doc] : UNJUDGED;
      if (code < 0 && rules.judgedOnly) continue;
      this.codes[at] = code;
      this.rows[at++] = row;
    }
    if (!answered && rules.missingTopics === 'placeholder' && !rules.judgedOnly && rules.depth > 0) {
      this.codes[at] = UNJUDGED;
      this.rows[at++] = run.docOf.length;
    }
    this.numRanked = at;
    this.offsets.push(at);
  }

  /** Groups repeat a topic's ranking, so their total is not known beforehand. */
  private reserve(extra: number): void {
    const needed = this.numRanked + extra;
    if (needed <= this.codes.length) return;
    const codes = new Float64Array(needed * 2);
    codes.set(this.codes);
    this.codes = codes;
    const rows = new Uint32Array(needed * 2);
    rows.set(this.rows);
    this.rows = rows;
  }
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

function findTopic(run: Run, qrels: Qrels, topic: number): number {
  const { bytes, offsets } = qrels.topics;
  return run.topics.findBytes(bytes, offsets[topic], offsets[topic + 1]);
}

function documentsInRun(run: Run, qrels: Qrels): Int32Array {
  const { bytes, offsets, size } = qrels.docs;
  const runDocOf = new Int32Array(size);
  for (let doc = 0; doc < size; doc++) {
    runDocOf[doc] = run.docs === qrels.docs ? doc : run.docs.findBytes(bytes, offsets[doc], offsets[doc + 1]);
  }
  return runDocOf;
}

/** The topic's rows sorted by group id, and where each group begins and ends. */
function rowsByGroup(qrels: Qrels, from: number, to: number): { rows: Uint32Array; ranges: [number, number][] } {
  const { groups } = qrels;
  if (groups === undefined) {
    throw new InputError({
      message: 'this needs to know who judged what, and the judgements do not say',
      wayOut: 'read them with their second column (the group) kept',
    });
  }
  const rows = Uint32Array.from({ length: to - from }, (_, i) => from + i);
  rows.sort((a, b) => compareIds(groups.ids, groups.of[a], groups.ids, groups.of[b]) || a - b);
  const ranges: [number, number][] = [];
  for (let i = 0; i < rows.length; ) {
    let end = i + 1;
    while (end < rows.length && groups.of[rows[end]] === groups.of[rows[i]]) end++;
    ranges.push([i, end]);
    i = end;
  }
  return { rows, ranges };
}

/** True if some topic lists a document twice. */
export function repeatsJudgement(qrels: Qrels): boolean {
  const listedIn = new Uint32Array(qrels.docs.size);
  for (let topic = 0; topic < qrels.topics.size; topic++) {
    for (let row = qrels.offsets[topic]; row < qrels.offsets[topic + 1]; row++) {
      const doc = qrels.docOf[row];
      if (listedIn[doc] === topic + 1) return true;
      listedIn[doc] = topic + 1;
    }
  }
  return false;
}
