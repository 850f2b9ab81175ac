import { type Ids, idText } from '../../core/ids.js';
import { InputError, printable } from '../../core/problem.js';
import type { GroupColumn, Qrels } from '../../core/qrels.js';
import type { Run } from '../../core/run.js';
import { equalBytes, textCapacity, writeText } from '../../core/text.js';
import type { TableKind } from './columns.js';

/** A run or judgements, as a writer sees them. */
export interface WrittenRows {
  readonly kind: TableKind;
  readonly topics: Ids;
  readonly docs: Ids;
  readonly offsets: Uint32Array;
  readonly docOf: Uint32Array;
  /** Scores or grades. */
  readonly values: Float64Array;
  readonly ranks?: Float64Array | undefined;
  /** Whether the scores are negated ranks, which are nobody's scores and are written only where there must be some. */
  readonly ranksOnly?: boolean | undefined;
  readonly groups?: GroupColumn | undefined;
  readonly subgroups?: GroupColumn | undefined;
}

/** The rows of a run, checked for what could not be read back. */
export function rowsOfRun(run: Run): WrittenRows {
  return checked({ ...run, kind: 'run', values: run.scores });
}

/** The rows of judgements, checked for what could not be read back. */
export function rowsOfQrels(qrels: Qrels): WrittenRows {
  return checked({ ...qrels, kind: 'qrels', values: qrels.grades });
}

/** Refuses what no reader would take back. */
function checked(rows: WrittenRows): WrittenRows {
  const { topics, docs, offsets, docOf, values, groups, subgroups } = rows;
  for (let topic = 0; topic < topics.size; topic++) {
    for (let row = offsets[topic]; row < offsets[topic + 1]; row++) {
      const doc = docOf[row];
      if (!Number.isFinite(values[row])) {
        throw new InputError({
          message: `topic ${shownId(topics, topic)}, document ${shownId(docs, doc)}: cannot write ${values[row]} as ${rows.kind === 'run' ? 'score' : 'grade'}`,
          wayOut: 'only finite numbers can be read back',
        });
      }
      if (isEmpty(topics, topic)) throw emptyId('topic');
      if (isEmpty(docs, doc)) throw emptyId('document');
      if (groups !== undefined && isEmpty(groups.ids, groups.of[row])) throw emptyId('group');
      if (subgroups !== undefined && isEmpty(subgroups.ids, subgroups.of[row])) throw emptyId('sub-group');
    }
  }
  return rows;
}

function emptyId(what: string): InputError {
  return new InputError({ message: `cannot write an empty ${what} id`, wayOut: 'give it a name' });
}

function isEmpty(ids: Ids, id: number): boolean {
  return ids.offsets[id] === ids.offsets[id + 1];
}

/** An id in quotation marks, shortened, for messages. */
export function shownId(ids: Ids, id: number): string {
  return `"${printable(idText(ids, id), 60)}"`;
}

/** The text of an id for a format that holds text only; bytes that are no text would not come back, and are refused. */
export function exactText(ids: Ids, id: number, format: string): string {
  const text = idText(ids, id);
  const again = new Uint8Array(textCapacity(text));
  if (equalBytes(again, 0, writeText(again, 0, text), ids.bytes, ids.offsets[id], ids.offsets[id + 1])) return text;
  throw new InputError({
    message: `id ${shownId(ids, id)} is not valid UTF-8, which ${format} cannot hold`,
    wayOut: 'TREC files and CSV can hold any bytes',
  });
}

/** Refuses ids that hold bytes a format has no way to write. Each id is looked at once.
 *  @param why Names the trouble with a byte, or says undefined if there is none. */
export class IdCheck {
  private readonly ids: Ids;
  private readonly what: string;
  private readonly why: (byte: number, isFirst: boolean) => string | undefined;
  private readonly wayOut: string;
  private readonly passed: Uint8Array;

  constructor(ids: Ids, what: string, why: (byte: number, isFirst: boolean) => string | undefined, wayOut: string) {
    this.ids = ids;
    this.what = what;
    this.why = why;
    this.wayOut = wayOut;
    this.passed = new Uint8Array(ids.size); // fits: flags
  }

  check(id: number): void {
    if (this.passed[id] !== 0) return;
    this.passed[id] = 1;
    const { bytes, offsets } = this.ids;
    const start = offsets[id];
    for (let at = start; at < offsets[id + 1]; at++) {
      const trouble = this.why(bytes[at], at === start);
      if (trouble === undefined) continue;
      throw new InputError({ message: `${this.what} ${shownId(this.ids, id)} ${trouble}`, wayOut: this.wayOut });
    }
  }
}

/** The rows of a topic in the order of their ranks, which are all different. */
export function byRank(scores: Float64Array, start: number, end: number): Uint32Array {
  return Uint32Array.from({ length: end - start }, (_, i) => start + i).sort((a, b) => scores[b] - scores[a]); // fits: entries
}

/** The rank of each row of a topic by descending score; rows with equal scores in the order they stand. */
export function ranksOf(scores: Float64Array, start: number, end: number): Uint32Array {
  const ranks = new Uint32Array(end - start); // fits: entries
  const order = Uint32Array.from(ranks, (_, i) => i); // fits: entries
  let inOrder = true;
  for (let row = start + 1; row < end && inOrder; row++) inOrder = scores[row] <= scores[row - 1];
  if (!inOrder) order.sort((a, b) => scores[start + b] - scores[start + a] || a - b);
  for (let i = 0; i < order.length; i++) ranks[order[i]] = i + 1;
  return ranks;
}

/** One field of a record, as CSV and JSONL write it. */
export interface WrittenField {
  readonly name: string;
  /** The ids and the number of the id in each row, or the number itself. */
  readonly ids?: { readonly table: Ids; readonly of: Uint32Array } | undefined;
  readonly numbers?: Float64Array | undefined;
}

/** The fields of a record behind its topic and document, in the order they are written, by the names that most tools of
 *  the field understand. */
export function fieldsOf(rows: WrittenRows): WrittenField[] {
  if (rows.ranksOnly) return [{ name: 'rank', numbers: rows.values.map((score) => 0 - score) }];
  const fields: WrittenField[] = [{ name: rows.kind === 'run' ? 'score' : 'relevance', numbers: rows.values }];
  if (rows.ranks !== undefined) fields.push({ name: 'rank', numbers: rows.ranks });
  if (rows.groups !== undefined) fields.push({ name: 'iteration', ids: { table: rows.groups.ids, of: rows.groups.of } });
  if (rows.subgroups !== undefined) fields.push({ name: 'subgroup', ids: { table: rows.subgroups.ids, of: rows.subgroups.of } });
  return fields;
}
