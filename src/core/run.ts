import { lengthened } from './growing-arrays.js';
import { hasIdTables, IdTable } from './ids.js';
import { InputError } from './problem.js';
import { roomFor } from './room.js';
import { type TextRun, toTextRun } from './text-run.js';
import { topicProblem } from './topic-sizes.js';

/** What a system retrieved: for each topic its documents with scores, in the order they were read. */
export interface Run {
  /** The run's tag, for headings. */
  readonly name: string;
  readonly topics: IdTable;
  readonly docs: IdTable;
  /** The rows of topic t are offsets[t] to offsets[t + 1]. */
  readonly offsets: Uint32Array;
  /** Document number of each row. */
  readonly docOf: Uint32Array;
  readonly scores: Float64Array;
  /** What the input said about each row's rank, where it said anything. */
  readonly ranks?: Float64Array | undefined;
  /** True if the input gave ranks and no scores. The scores are the negated ranks then: they tell the order and nothing else. */
  readonly ranksOnly?: boolean | undefined;
  /** The scores that an input gave which ranks by the order of a list, as information; NaN where it gave none. */
  readonly listedScores?: Float64Array | undefined;
  /** What a person should know before trusting numbers that are made of this run. */
  readonly notes?: readonly string[] | undefined;
}

/** One retrieved document, in any of the spellings that other libraries use for its fields. */
export interface RunRecord {
  readonly queryId?: string | number;
  readonly query_id?: string | number;
  readonly topic?: string | number;
  readonly docId?: string | number;
  readonly doc_id?: string | number;
  readonly doc?: string | number;
  /** May be left out of all records that have a rank. */
  readonly score?: number | null;
  readonly rank?: number;
}

/** A run in any form a program may already hold it: topic → document → score as nested objects or Maps, topic → list of
 *  documents, the best first, or an iterable of records. */
export type RunLike =
  | Run
  | Readonly<Record<string, Readonly<Record<string, number>>>>
  | Readonly<Record<string, readonly string[]>>
  | ReadonlyMap<string, ReadonlyMap<string, number>>
  | ReadonlyMap<string, readonly string[]>
  | Iterable<RunRecord>;

/** Collects rows in any order and groups them by topic. */
export class RowCollector {
  readonly topics: IdTable;
  readonly docs: IdTable;
  private topicOf: Uint32Array = new Uint32Array(1024); // fits: entries
  private docOf: Uint32Array = new Uint32Array(1024); // fits: entries
  private values: Float64Array = new Float64Array(1024);
  numRows = 0;

  constructor(topics: IdTable = new IdTable(), docs: IdTable = new IdTable(1024)) {
    this.topics = topics;
    this.docs = docs;
  }

  add(topic: number, doc: number, value: number): void {
    const row = this.numRows;
    if (row === this.values.length) this.grow();
    this.topicOf[row] = topic;
    this.docOf[row] = doc;
    this.values[row] = value;
    this.numRows = row + 1;
  }

  /** Adds rows of one topic, whose documents have numbers one after another. */
  addStretch(topic: number, firstDoc: number, values: Float64Array, count: number): void {
    const from = this.numRows;
    while (from + count > this.values.length) this.grow();
    const { topicOf, docOf } = this;
    const column = this.values;
    for (let i = 0; i < count; i++) {
      topicOf[from + i] = topic;
      docOf[from + i] = firstDoc + i;
      column[from + i] = values[i];
    }
    this.numRows = from + count;
  }

  /** Gives topics other numbers than those that their rows were added with. */
  renumberTopics(numberOf: Uint32Array): void {
    let isSame = true;
    for (let topic = 0; topic < numberOf.length && isSame; topic++) isSame = numberOf[topic] === topic;
    if (isSame) return;
    const { topicOf, numRows } = this;
    for (let row = 0; row < numRows; row++) topicOf[row] = numberOf[topicOf[row]];
  }

  /** Rows ordered by topic, and by time of arrival within a topic. `source[i]` is the arrival number of row i. */
  finish(): { offsets: Uint32Array; docOf: Uint32Array; values: Float64Array; source: Uint32Array | undefined } {
    const { numRows, topicOf } = this;
    const offsets = new Uint32Array(this.topics.size + 1); // fits: entries
    let grouped = true;
    for (let row = 0; row < numRows; row++) {
      offsets[topicOf[row] + 1]++;
      if (row > 0 && topicOf[row] < topicOf[row - 1]) grouped = false;
    }
    for (let topic = 0; topic < this.topics.size; topic++) offsets[topic + 1] += offsets[topic];
    const problem = topicProblem(offsets, this.topics.size, (topic) => this.topics.text(topic));
    if (problem !== undefined) throw new InputError(problem);
    if (grouped) {
      return { offsets, docOf: this.docOf.slice(0, numRows), values: this.values.slice(0, numRows), source: undefined };
    }
    const next = offsets.slice();
    const docOf = new Uint32Array(numRows); // fits: entries
    const values = new Float64Array(numRows);
    const source = new Uint32Array(numRows); // fits: entries
    for (let row = 0; row < numRows; row++) {
      const at = next[topicOf[row]]++;
      docOf[at] = this.docOf[row];
      values[at] = this.values[row];
      source[at] = row;
    }
    return { offsets, docOf, values, source };
  }

  private grow(): void {
    const capacity = roomFor(this.values.length + 1, this.values.length * 2, 'rows');
    this.topicOf = lengthened(this.topicOf, capacity);
    this.docOf = lengthened(this.docOf, capacity);
    this.values = lengthened(this.values, capacity);
  }
}

/** Tells a run in typed arrays from plain objects. */
export function isRun(value: unknown): value is Run {
  return hasIdTables(value, 'scores');
}

/** Makes a run of whatever the program holds. Scores must be numbers, and a document may appear once per topic. Where nothing
 *  has a score, documents are ranked by the ranks of their records, or by their places in the lists. */
export function toRun(input: RunLike, name = 'run'): Run {
  return isRun(input) ? input : withNumbers(toTextRun(input, name));
}

/** The run with its texts as bytes, each with a number. */
export function withNumbers(run: Run | TextRun): Run {
  if (isRun(run)) return run;
  const { topicNumbers, docs: texts, offsets, scores, ...rest } = run;
  const docs = new IdTable(Math.min(texts.length, 1024));
  const docOf = new Uint32Array(texts.length); // fits: entries
  for (let row = 0; row < texts.length; row++) docOf[row] = docs.intern(texts[row]);
  return {
    ...rest,
    topics: IdTable.of(topicNumbers.keys()),
    docs,
    docOf,
    offsets: offsets.slice(0, topicNumbers.size + 1),
    scores: scores.slice(0, texts.length),
  };
}
