import { lengthened } from './growing-arrays.js';
import { IdTable } from './ids.js';
import { InputError } from './problem.js';
import { roomFor } from './room.js';
import { isRank, OrderWitness, RANK_WORDS, repeatedScore, scoreOfRank } from './stated-ranks.js';
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
    const problem = topicProblem(offsets, (topic) => this.topics.text(topic));
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

/** The rows of a column in the order `finish` gave them. */
export function reorder(column: Float64Array, source: Uint32Array | undefined): Float64Array {
  return source === undefined ? column : Float64Array.from(source, (row) => column[row]);
}

/** Tells a run in typed arrays from plain objects. */
export function isRun(value: unknown): value is Run {
  return typeof value === 'object' && value !== null && 'topics' in value && value.topics instanceof IdTable && 'scores' in value;
}

/** Makes a run of whatever the program holds. Scores must be numbers, and a document may appear once per topic. Where nothing
 *  has a score, documents are ranked by the ranks of their records, or by their places in the lists. */
export function toRun(input: RunLike, name = 'run'): Run {
  if (isRun(input)) return input;
  const rows = new RowCollector();
  const ranks: number[] = [];
  const witness = new OrderWitness();
  let ranksOnly: boolean | undefined;
  let lastTopic: string | undefined;
  let topic = 0;
  visitEntries(input, 'score', (entry) => {
    const { record, rank } = entry;
    const hasScore = entry.value !== undefined && entry.value !== null;
    ranksOnly ??= !hasScore && rank !== undefined;
    if (ranksOnly && (hasScore || !isRank(rank ?? Number.NaN))) {
      throw new InputError({
        message: `topic ${entry.topic}, document ${entry.doc}: expected ${hasScore ? 'no score, as before' : RANK_WORDS}, found ${String(hasScore ? entry.value : rank)}`,
        wayOut: 'give every document a score, or none',
      });
    }
    const value = ranksOnly ? scoreOfRank(rank ?? 0) : entry.value;
    if (typeof value !== 'number' || Number.isNaN(value)) {
      throw new InputError({
        message: `topic ${entry.topic}, document ${entry.doc}: expected a number as score, found ${String(value)}`,
        wayOut: 'leave the document out or give it a score',
      });
    }
    if (entry.topic !== lastTopic) {
      lastTopic = entry.topic;
      topic = rows.topics.intern(lastTopic);
    }
    rows.add(topic, rows.docs.intern(entry.doc), value);
    if (typeof record?.rank !== 'number') return;
    ranks[rows.numRows - 1] = record.rank;
    witness.see(topic, record.rank, value);
  });
  const { offsets, docOf, values, source } = rows.finish();
  if (ranksOnly) refuseEqualRanks(rows, offsets, docOf, values);
  return {
    name,
    topics: rows.topics,
    docs: rows.docs,
    offsets,
    docOf,
    scores: values,
    ranks:
      ranks.length === 0
        ? undefined
        : reorder(
            Float64Array.from({ length: rows.numRows }, (_, row) => ranks[row] ?? Number.NaN),
            source,
          ),
    ...(ranksOnly ? { ranksOnly } : {}),
    notes: witness.notes('leave the scores out of the records'),
  };
}

function refuseEqualRanks({ topics, docs }: RowCollector, offsets: Uint32Array, docOf: Uint32Array, scores: Float64Array): void {
  for (let topic = 0; topic < topics.size; topic++) {
    const equal = repeatedScore(scores, offsets[topic], offsets[topic + 1]);
    if (equal === undefined) continue;
    const [first, second] = [equal.first, equal.second].map((row) => docs.text(docOf[row]));
    throw new InputError({
      message: `topic ${topics.text(topic)}: documents ${first} and ${second} both have rank ${0 - scores[equal.first]}`,
      wayOut: 'give each document a rank of its own',
    });
  }
}

/** What `visitEntries` tells of one entry; the same object each time. */
export interface Entry {
  topic: string;
  doc: string;
  value: unknown;
  /** The rank of a record, or the place in a list from 1. */
  rank: number | undefined;
  /** The record behind it, where the input is a list of records. */
  record: Readonly<Record<string, unknown>> | undefined;
}

/** Walks topic → document → value whatever shape it has; shared by runs and judgements. */
export function visitEntries(input: unknown, valueField: 'score' | 'grade', visit: (entry: Entry) => void): void {
  if (typeof input !== 'object' || input === null) {
    throw new InputError({
      message: `expected ${valueField === 'score' ? 'a run' : 'judgements'}, found ${input === null ? 'null' : typeof input}`,
      wayOut: `pass { topic: { document: ${valueField} } } or a list of records`,
    });
  }
  const entry: Entry = { topic: '', doc: '', value: undefined, rank: undefined, record: undefined };
  if (input instanceof Map || !(Symbol.iterator in input)) visitNested(input, valueField, entry, visit);
  else visitRecords(input as Iterable<Record<string, unknown>>, valueField, entry, visit);
}

function visitNested(input: object, valueField: string, entry: Entry, visit: (entry: Entry) => void): void {
  const topics: Iterable<[string, unknown]> = input instanceof Map ? input : Object.entries(input);
  for (const [topic, docs] of topics) {
    if (typeof docs !== 'object' || docs === null) {
      throw new InputError({ message: `topic ${topic}: expected { document: ${valueField} }, found ${String(docs)}` });
    }
    entry.topic = String(topic);
    entry.rank = undefined;
    if (Array.isArray(docs) && valueField === 'score') {
      visitList(docs, entry, visit);
      continue;
    }
    if (docs instanceof Map) {
      for (const [doc, value] of docs) {
        entry.doc = String(doc);
        entry.value = value;
        visit(entry);
      }
      continue;
    }
    // pairs from Object.entries would cost an array per document
    const values = docs as Readonly<Record<string, unknown>>;
    for (const doc of Object.keys(values)) {
      entry.doc = doc;
      entry.value = values[doc];
      visit(entry);
    }
  }
}

/** Documents in the order in which they were ranked. */
function visitList(docs: readonly unknown[], entry: Entry, visit: (entry: Entry) => void): void {
  entry.value = undefined;
  for (const [place, doc] of docs.entries()) {
    if (typeof doc !== 'string' && typeof doc !== 'number') {
      throw new InputError(
        `topic ${entry.topic}: expected a document id at place ${place + 1} of its list, found ${doc === null ? 'null' : typeof doc}`,
      );
    }
    entry.doc = String(doc);
    entry.rank = place + 1;
    visit(entry);
  }
}

function visitRecords(
  input: Iterable<Record<string, unknown>>,
  valueField: 'score' | 'grade',
  entry: Entry,
  visit: (entry: Entry) => void,
): void {
  let index = 0;
  for (const record of input) {
    if (typeof record !== 'object' || record === null) throw new InputError(`record ${index}: expected an object, found ${String(record)}`);
    const topic = record.queryId ?? record.query_id ?? record.topic;
    const doc = record.docId ?? record.doc_id ?? record.doc;
    if (topic === undefined || doc === undefined) {
      throw new InputError({
        message: `record ${index}: expected the fields queryId and docId, found ${Object.keys(record).join(', ') || 'none'}`,
        wayOut: 'topic and doc, or query_id and doc_id, are understood too',
      });
    }
    entry.topic = String(topic);
    entry.doc = String(doc);
    entry.value = valueField === 'score' ? record.score : (record.relevance ?? record.grade ?? record.rel);
    entry.record = record;
    entry.rank = typeof record.rank === 'number' ? record.rank : undefined;
    visit(entry);
    index++;
  }
}
