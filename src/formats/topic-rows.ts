import { type GrowingFloats, type GrowingInts, growingFloats, growingInts, lengthened } from '../core/growing-arrays.js';
import { internColumn } from '../core/id-columns.js';
import { IdTable } from '../core/ids.js';
import { judgePreferences } from '../core/judging/judge-preferences.js';
import type { GroupColumn, Qrels } from '../core/qrels.js';
import { roomFor } from '../core/room.js';
import type { Run } from '../core/run.js';
import { repeatedScore } from '../core/stated-ranks.js';
import { equalBytes } from '../core/text.js';
import { topicProblem } from '../core/topic-sizes.js';
import { PairTable } from './pair-table.js';
import type { ReadOptions } from './reader.js';
import { type ReadingLog, shown } from './reading-log.js';
import { LineMap } from './text/line-map.js';
import type { LineScanner } from './text/line-scanner.js';

/** Rows as `finish` hands them out: grouped by topic, each document once unless repeated ones are kept. */
interface FinishedRows {
  offsets: Uint32Array;
  docOf: Uint32Array;
  values: Float64Array;
  /** The arrival number of each row; undefined if they are all there, in the order they came. */
  source: Uint32Array | undefined;
}

/** With fewer lines than this in a topic, setting up work on whole columns costs more than it saves. */
const FEW_LINES = 4;

/** Files can be said to be of any length. */
const MAX_EXPECTED_ROWS = 1 << 24;
/** A hash table is touched all over, so it should not be much larger than needed: many rows may name few documents. */
const MAX_EXPECTED_DOCS = 1 << 20;

/** What a file says, on its way into a run or judgements. All readers end here, so this is the one place that groups
 *  rows by topic and finds documents that a topic holds twice.
 *
 *  Rows are kept as stretches of one topic, because files nearly always have all lines of a topic together. Duplicates
 *  are looked for once, when the rows stand grouped: one walk, in which each document is stamped with the topic that
 *  named it last. That takes four bytes for each different document and nothing for each row, and topics whose lines are
 *  scattered over the file need no other treatment. */
export class TopicRows {
  readonly topics: IdTable = new IdTable();
  readonly docs: IdTable;
  readonly lines: LineMap = new LineMap();
  numRows = 0;
  private docOf: Uint32Array;
  private values: Float64Array;
  /** The topic of each stretch and its first row. */
  private readonly stretchTopics: GrowingInts = growingInts();
  private readonly stretchStarts: GrowingInts = growingInts();
  private topic = -1;

  /** @param expectedRows How many rows may come. Room for that many is asked for at once, but what is not used is never
   *  touched, and so takes no memory. */
  constructor(expectedRows: number) {
    const capacity = Math.min(Math.max(1024, Math.ceil(expectedRows)), MAX_EXPECTED_ROWS);
    this.docs = new IdTable(Math.min(capacity, MAX_EXPECTED_DOCS));
    this.docOf = new Uint32Array(capacity); // fits: entries
    this.values = new Float64Array(capacity);
  }

  /** The number of a topic. That of the row before is recognised without a look at the table. */
  internTopic(bytes: Uint8Array, start: number, end: number): number {
    const { topics, topic } = this;
    if (topic >= 0 && equalBytes(topics.bytes, topics.offsets[topic], topics.offsets[topic + 1], bytes, start, end)) return topic;
    return topics.internBytes(bytes, start, end);
  }

  add(topic: number, doc: number, value: number): void {
    this.makeRoom(topic, 1);
    this.docOf[this.numRows] = doc;
    this.values[this.numRows++] = value;
  }

  /** Adds what a scanner collected, all of one topic. */
  addColumns(topic: number, scanner: LineScanner): void {
    this.makeRoom(topic, scanner.numLines);
    this.fill(scanner);
  }

  /** Adds what a scanner collected, of any topics.
   *  @param starts, ends  where the topic of each line stands */
  addMixed(scanner: LineScanner, starts: Uint32Array, ends: Uint32Array): void {
    const { numLines, bytes } = scanner;
    for (let i = 0; i < numLines; i++) this.beginStretch(this.internTopic(bytes, starts[i], ends[i]), this.numRows + i);
    this.makeRoom(this.topic, numLines);
    this.fill(scanner);
  }

  /** Writes down the documents and numbers of lines that there is room for. */
  private fill({ bytes, docStart, docEnd, docHash, numbers, numLines }: LineScanner): void {
    const { docs, docOf, values, numRows } = this;
    if (numLines < FEW_LINES) {
      for (let i = 0; i < numLines; i++) {
        docOf[numRows + i] = docs.internHashed(bytes, docStart[i], docEnd[i], docHash[i]);
        values[numRows + i] = numbers[i];
      }
    } else {
      internColumn(docs, bytes, docStart, docEnd, docHash, numLines, docOf, numRows);
      values.set(numbers.subarray(0, numLines), numRows);
    }
    this.numRows += numLines;
  }

  private beginStretch(topic: number, row: number): void {
    if (topic === this.topic) return;
    this.topic = topic;
    this.stretchTopics.push(topic);
    this.stretchStarts.push(row);
  }

  private makeRoom(topic: number, numNew: number): void {
    this.beginStretch(topic, this.numRows);
    const needed = this.numRows + numNew;
    if (needed <= this.docOf.length) return;
    const capacity = roomFor(needed, this.docOf.length * 2, 'rows');
    this.docOf = lengthened(this.docOf, capacity);
    this.values = lengthened(this.values, capacity);
  }

  protected finishRows(log: ReadingLog, keepsRepeated = false): FinishedRows {
    const rows = this.grouped();
    const problem = topicProblem(rows.offsets, rows.offsets.length - 1, (topic) => this.topics.text(topic));
    if (problem !== undefined) throw log.fatal(problem.message, problem.wayOut);
    if (keepsRepeated) return rows;
    const { offsets, docOf, source } = rows;
    const { keys, numKeys } = this.keysOf(docOf, source);
    const lastTopic = new Uint32Array(numKeys); // fits: entries
    const numTopics = this.topics.size;
    let duplicates: number[] | undefined;
    for (let topic = 0; topic < numTopics; topic++) {
      const stamp = topic + 1;
      const end = offsets[stamp];
      for (let row = offsets[topic]; row < end; row++) {
        const key = keys[row];
        if (lastTopic[key] === stamp) {
          duplicates ??= [];
          duplicates.push(row);
          this.addDuplicate(log, topic, rows, keys, row);
        } else lastTopic[key] = stamp;
      }
    }
    return duplicates === undefined ? rows : withoutRows(rows, duplicates);
  }

  /** Rows ordered by topic, and by time of arrival within a topic. */
  private grouped(): FinishedRows {
    const { numRows, stretchTopics, stretchStarts } = this;
    const numTopics = this.topics.size;
    const numStretches = stretchTopics.length;
    stretchStarts.push(numRows);
    const offsets = new Uint32Array(numTopics + 1); // fits: entries
    let inOrder = true;
    for (let k = 0; k < numStretches; k++) {
      const topic = stretchTopics.at(k);
      if (k > 0 && topic <= stretchTopics.at(k - 1)) inOrder = false;
      offsets[topic + 1] += stretchStarts.at(k + 1) - stretchStarts.at(k);
    }
    for (let topic = 0; topic < numTopics; topic++) offsets[topic + 1] += offsets[topic];
    const docOf = this.docOf.subarray(0, numRows);
    const values = this.values.subarray(0, numRows);
    // there may be topics without rows
    if (inOrder) return { offsets, docOf: docOf.slice(), values: values.slice(), source: undefined };

    const next = offsets.slice();
    const groupedDocs = new Uint32Array(numRows); // fits: entries
    const groupedValues = new Float64Array(numRows);
    const source = new Uint32Array(numRows); // fits: entries
    for (let k = 0; k < numStretches; k++) {
      for (let row = stretchStarts.at(k); row < stretchStarts.at(k + 1); row++) {
        const at = next[stretchTopics.at(k)]++;
        groupedDocs[at] = docOf[row];
        groupedValues[at] = values[row];
        source[at] = row;
      }
    }
    return { offsets, docOf: groupedDocs, values: groupedValues, source };
  }

  /** What else tells two rows of a topic apart. */
  protected placesOf(_rows: FinishedRows, _topic: number, _first: number, _second: number): string {
    return '';
  }

  private addDuplicate(log: ReadingLog, topic: number, rows: FinishedRows, keys: Uint32Array, row: number): void {
    const { offsets, docOf, source } = rows;
    const lineOf = (at: number): number => this.lines.lineOf(source === undefined ? at : source[at]);
    const { topics, docs } = this;
    log.add(
      'duplicate document',
      lineOf(row),
      () => {
        const doc = docOf[row];
        const topicText = shown(topics.bytes, topics.offsets[topic], topics.offsets[topic + 1]);
        const docText = shown(docs.bytes, docs.offsets[doc], docs.offsets[doc + 1]);
        const first = keys.indexOf(keys[row], offsets[topic]);
        return `topic ${topicText} has document ${docText} already on line ${lineOf(first)}${this.placesOf(rows, topic, first, row)}`;
      },
      'keep one of them; --lenient keeps the first',
    );
  }

  /** What a topic must not hold twice, for each row. */
  protected keysOf(docOf: Uint32Array, _source: Uint32Array | undefined): { keys: Uint32Array; numKeys: number } {
    return { keys: docOf, numKeys: this.docs.size };
  }
}

function withoutRows({ offsets, docOf, values, source }: FinishedRows, dropped: readonly number[]): FinishedRows {
  const numKept = docOf.length - dropped.length;
  const kept = new Uint32Array(numKept); // fits: entries
  const newOffsets = new Uint32Array(offsets.length); // fits: entries
  let next = 0;
  let at = 0;
  for (let topic = 0; topic + 1 < offsets.length; topic++) {
    for (let row = offsets[topic]; row < offsets[topic + 1]; row++) {
      if (row === dropped[next]) next++;
      else kept[at++] = row;
    }
    newOffsets[topic + 1] = at;
  }
  return {
    offsets: newOffsets,
    docOf: Uint32Array.from(kept, (row) => docOf[row]), // fits: entries
    values: Float64Array.from(kept, (row) => values[row]),
    source: source === undefined ? kept : Uint32Array.from(kept, (row) => source[row]), // fits: entries
  };
}

/** Rows on their way into a run. */
export class RunRows extends TopicRows {
  /** One entry for each row, if ranks are kept. */
  readonly ranks: GrowingFloats | undefined;

  private readonly keepsRepeated: boolean;

  constructor({ ranks, repeatedDocuments }: Pick<ReadOptions, 'ranks' | 'repeatedDocuments'>, expectedRows: number) {
    super(expectedRows);
    this.ranks = ranks === true ? growingFloats() : undefined;
    this.keepsRepeated = repeatedDocuments === 'ranked';
  }

  /** @param ranksOnly Whether the values are negated ranks, of which a topic must not have one twice. */
  finish(name: string, log: ReadingLog, ranksOnly = false): Run {
    const grouped = this.finishRows(log, this.keepsRepeated);
    const { offsets, docOf, values, source } = ranksOnly ? this.withDifferentRanks(grouped, log) : grouped;
    const run = { name, topics: this.topics, docs: this.docs, offsets, docOf, scores: values, ranks: this.ranks?.take(source) };
    return ranksOnly ? { ...run, ranksOnly } : run;
  }

  /** At which ranks the rows are, equal scores in the order they came. */
  protected override placesOf({ offsets, values }: FinishedRows, topic: number, first: number, second: number): string {
    const rankOf = (row: number): number => {
      let rank = 1;
      for (let other = offsets[topic]; other < offsets[topic + 1]; other++) {
        if (values[other] > values[row] || (values[other] === values[row] && other < row)) rank++;
      }
      return rank;
    };
    const [better, worse] = [rankOf(first), rankOf(second)].sort((a, b) => a - b);
    return ` (ranks ${better} and ${worse})`;
  }

  private withDifferentRanks(rows: FinishedRows, log: ReadingLog): FinishedRows {
    const { offsets, values, docOf, source } = rows;
    const lineOf = (row: number): number => this.lines.lineOf(source === undefined ? row : source[row]);
    const repeated: number[] = [];
    for (let topic = 0; topic + 1 < offsets.length; topic++) {
      if (repeatedScore(values, offsets[topic], offsets[topic + 1]) === undefined) continue;
      const firsts = new Map<number, number>();
      for (let row = offsets[topic]; row < offsets[topic + 1]; row++) {
        const first = firsts.get(values[row]);
        if (first === undefined) {
          firsts.set(values[row], row);
          continue;
        }
        repeated.push(row);
        const { topics, docs } = this;
        const shownDoc = (at: number): string => shown(docs.bytes, docs.offsets[docOf[at]], docs.offsets[docOf[at] + 1]);
        log.add(
          'duplicate rank',
          lineOf(row),
          () =>
            `topic ${shown(topics.bytes, topics.offsets[topic], topics.offsets[topic + 1])}: documents ${shownDoc(first)} and ${shownDoc(row)} both have rank ${0 - values[row]}, the first on line ${lineOf(first)}`,
          'give each document a rank of its own; --lenient keeps the first',
        );
      }
    }
    return repeated.length === 0 ? rows : withoutRows(rows, repeated);
  }
}

/** A group column under way. */
export class GroupRows {
  private readonly ids: IdTable = new IdTable();
  private readonly of: GrowingInts = growingInts();
  private anyGiven = false;

  add(bytes: Uint8Array, start: number, end: number): void {
    this.of.push(this.ids.internBytes(bytes, start, end));
    this.anyGiven = true;
  }

  addText(text: string): void {
    this.of.push(this.ids.intern(text));
    this.anyGiven = true;
  }

  /** For a row that belongs to no group in particular. */
  addNone(): void {
    this.of.push(this.ids.intern('0'));
  }

  at(row: number): number {
    return this.of.at(row);
  }

  /** The finished column; undefined if no row named a group. */
  take(source: Uint32Array | undefined): GroupColumn | undefined {
    return this.anyGiven ? { ids: this.ids, of: this.of.take(source) } : undefined;
  }
}

/** Rows on their way into judgements. */
export class QrelsRows extends TopicRows {
  /** Each with one entry for each row, if groups are kept. */
  readonly groups: GroupRows | undefined;
  readonly subgroups: GroupRows | undefined;

  constructor(keep: { readonly groups?: boolean | undefined; readonly subgroups?: boolean | undefined }, expectedRows: number) {
    super(expectedRows);
    this.groups = keep.groups || keep.subgroups ? new GroupRows() : undefined;
    this.subgroups = keep.subgroups ? new GroupRows() : undefined;
  }

  finish(log: ReadingLog): Qrels {
    const { offsets, docOf, values, source } = this.finishRows(log);
    return {
      topics: this.topics,
      docs: this.docs,
      offsets,
      docOf,
      grades: values,
      groups: this.groups?.take(source),
      subgroups: this.subgroups?.take(source),
      judgePreferences: this.groups && judgePreferences,
    };
  }

  /** A document may be judged once in each group and sub-group. */
  protected override keysOf(docOf: Uint32Array, source: Uint32Array | undefined): { keys: Uint32Array; numKeys: number } {
    const { groups, subgroups } = this;
    if (groups === undefined) return super.keysOf(docOf, source);
    const pairs = new PairTable();
    const keys = docOf.map((doc, row) => pairs.intern(doc, groups.at(source?.[row] ?? row)));
    if (subgroups === undefined) return { keys, numKeys: pairs.size };
    const triples = new PairTable();
    return { keys: keys.map((pair, row) => triples.intern(pair, subgroups.at(source?.[row] ?? row))), numKeys: triples.size };
  }
}

/** Those of the named topics that have no judgement; undefined if all have. */
export function unratedOf(named: IdTable, judged: IdTable): readonly string[] | undefined {
  const texts = Array.from({ length: named.size }, (_, topic) => named.text(topic)).filter((topic) => judged.find(topic) < 0);
  return texts.length === 0 ? undefined : texts;
}
