import { visitEntries } from './entries.js';
import { hasIdTables, IdTable } from './ids.js';
import type { JudgePreferences } from './judging/judge-preferences.js';
import { InputError } from './problem.js';
import { RowCollector } from './run.js';

/** The judgements: for each topic the judged documents with their grades. Grades are real numbers; a grade below zero
 *  says that the document was in the pool but nobody judged it. */
export interface Qrels {
  readonly topics: IdTable;
  readonly docs: IdTable;
  /** The rows of topic t are offsets[t] to offsets[t + 1]. */
  readonly offsets: Uint32Array;
  readonly docOf: Uint32Array;
  readonly grades: Float64Array;
  /** Topics that the input names without a judgement. They are none of `topics`: only the rules of some tools count them. */
  readonly unrated?: readonly string[] | undefined;
  /** Who judged, or which subtopic was judged: the second column of a qrels file, where the reader was asked to keep it. */
  readonly groups?: GroupColumn | undefined;
  /** A finer division of a group, which only preference files have. */
  readonly subgroups?: GroupColumn | undefined;
  /** How a run is set against these judgements as preferences: `preferences` makes them so, and readers of files do where
   *  groups are kept. Judgements bring it along because few have any use for it, and it is large. */
  readonly judgePreferences?: JudgePreferences | undefined;
}

/** Which group each judgement belongs to: a judge, a subtopic, or another part of the topic. */
export interface GroupColumn {
  readonly ids: IdTable;
  /** Group number of each row. */
  readonly of: Uint32Array;
}

/** One judgement, in any of the spellings that other libraries use for its fields. */
export interface QrelsRecord {
  readonly queryId?: string | number;
  readonly query_id?: string | number;
  readonly topic?: string | number;
  readonly docId?: string | number;
  readonly doc_id?: string | number;
  readonly doc?: string | number;
  readonly relevance?: number;
  readonly grade?: number;
  readonly rel?: number;
  /** The second column of a qrels file: who judged, or the subtopic. */
  readonly iteration?: string | number;
}

/** Judgements in any form a program may already hold them: topic → document → grade as nested objects or Maps, or an
 *  iterable of records. */
export type QrelsLike =
  | Qrels
  | Readonly<Record<string, Readonly<Record<string, number>>>>
  | ReadonlyMap<string, ReadonlyMap<string, number>>
  | Iterable<QrelsRecord>;

/** Tells judgements in typed arrays from plain objects. */
export function isQrels(value: unknown): value is Qrels {
  return hasIdTables(value, 'grades');
}

/** Makes judgements of whatever the program holds. */
export function toQrels(input: QrelsLike): Qrels {
  if (isQrels(input)) return input;
  const rows = new RowCollector();
  const iterations: string[] = [];
  visitEntries(input, 'grade', ({ topic, doc, value, record }) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) {
      throw new InputError({
        message: `topic ${topic}, document ${doc}: expected a number as grade, found ${String(value)}`,
        wayOut: 'leave the document out if it was not judged',
      });
    }
    rows.add(rows.topics.intern(topic), rows.docs.intern(doc), value);
    if (record?.iteration !== undefined) iterations[rows.numRows - 1] = String(record.iteration ?? '0');
  });
  const { offsets, docOf, values, source } = rows.finish();
  return { topics: rows.topics, docs: rows.docs, offsets, docOf, grades: values, groups: groupsOf(iterations, rows.numRows, source) };
}

/** The groups of all rows in their final order, where any row names one; rows that do not belong to group 0. */
function groupsOf(iterations: readonly string[], numRows: number, source: Uint32Array | undefined): GroupColumn | undefined {
  if (iterations.length === 0) return undefined;
  const ids = new IdTable();
  const numbers = Array.from({ length: numRows }, (_, row) => ids.intern(iterations[row] ?? '0'));
  return { ids, of: Uint32Array.from(numbers, (_, row) => numbers[source?.[row] ?? row]) }; // fits: entries
}
