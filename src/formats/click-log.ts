/** Logs of lists that were shown, and of what was clicked in them. */
import { InputError, printable } from '../core/problem.js';
import { readText as textOf } from '../core/text.js';
import { wholeFile } from './reader.js';
import { type ByteSource, readThrough } from './source.js';
import { CsvRecords } from './tables/csv-records.js';
import { jsonProblem } from './tables/json-problem.js';
import { OpenParquet } from './tables/parquet-table.js';

/** One list that was shown. */
export interface ShownList {
  readonly query: string;
  /** In the order of their ranks. */
  readonly docs: readonly string[];
  /** From 1. */
  readonly ranks: readonly number[];
  /** 1 for what was clicked, else 0. */
  readonly clicks: readonly number[];
}

type Field = 'query' | 'doc' | 'rank' | 'clicked' | 'list';

/** The names of fields and columns that are understood. Case, blanks, `_` and `-` do not matter. */
const knownNames: Readonly<Record<Field, readonly string[]>> = {
  query: ['query', 'queryid', 'qid', 'topic', 'topicid'],
  doc: ['doc', 'docid', 'docno', 'document', 'documentid', 'productid', 'itemid', 'url'],
  rank: ['rank', 'position', 'pos'],
  clicked: ['clicked', 'click', 'clicks', 'isclicked', 'isclick'],
  list: ['list', 'docs', 'session', 'sessionid', 'impression', 'impressionid', 'searchid', 'listid'],
};

const ADVICE = 'name the columns query, doc, rank and clicked, and session where a query was shown several times';

/** Reads a log: CSV, TSV or Parquet with a row for each document that was shown, or JSON lines with either such a row or a whole list, as
 *  gradus interleave writes them: `{"query": "q1", "list": ["a", "b"], "clicked": ["b"]}`. Rows of one list are adjacent; without a column
 *  for the session another list begins where the query changes or the rank does not rise.
 *  @throws An `InputError` for a row of which nothing can be made. */
export async function readClickLog(source: ByteSource): Promise<ShownList[]> {
  const bytes = await readThrough(
    source,
    wholeFile({ source: source.name }, (whole) => whole),
  );
  const lists = new ListBuilder(source.name);
  const start = textOf(bytes, 0, Math.min(bytes.length, 4096));
  if (start.startsWith('PAR1')) {
    const rows = await (await OpenParquet.open(bytes, source.name)).rows();
    rows.forEach((row, r) => {
      lists.take(row, r + 1);
    });
  } else if (/^\s*\{/.test(start)) takeLines(textOf(bytes, 0, bytes.length), lists);
  else takeTable(bytes, start, lists);
  return lists.finish();
}

function takeLines(text: string, lists: ListBuilder): void {
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    let record: unknown;
    try {
      record = JSON.parse(line);
    } catch {
      throw lists.refusal(i + 1, `is not JSON: ${jsonProblem(line)}`);
    }
    if (typeof record !== 'object' || record === null || Array.isArray(record)) throw lists.refusal(i + 1, 'expected a JSON object');
    lists.take(record as Record<string, unknown>, i + 1);
  }
}

function takeTable(bytes: Uint8Array, start: string, lists: ListBuilder): void {
  const [header = ''] = start.split(/\r?\n/, 1);
  let names: string[] | undefined;
  const records = new CsvRecords(
    {
      record(text, ends, numFields, line) {
        const cells = Array.from({ length: numFields }, (_, k) => textOf(text, k === 0 ? 0 : ends[k - 1], ends[k]));
        if (names === undefined) names = cells;
        else lists.take(Object.fromEntries(names.map((name, k) => [name, cells[k] ?? ''])), line);
      },
      broken: (message, line) => {
        throw lists.refusal(line, message);
      },
      fatal: (message, _, line) => lists.refusal(line, message),
    },
    header.includes('\t') ? 9 : 44,
    true,
  );
  records.push(bytes);
  records.finish();
}

interface OpenList {
  readonly key: string;
  readonly query: string;
  readonly docs: string[];
  readonly ranks: number[];
  readonly clicks: number[];
}

/** Puts rows together. */
class ListBuilder {
  private readonly source: string;
  private readonly lists: ShownList[] = [];
  private open: OpenList | undefined;
  private known: string | undefined;
  private places: Partial<Record<Field, string>> = {};

  constructor(source: string) {
    this.source = source;
  }

  refusal(line: number | undefined, message: string, wayOut?: string): InputError {
    return new InputError({ source: this.source, line, message, wayOut });
  }

  take(row: Record<string, unknown>, line: number): void {
    const fields = this.fieldsOf(row);
    const query = this.textAt(row, fields.query, 'query', line);
    const listed = fields.list === undefined ? undefined : row[fields.list];
    if (Array.isArray(listed)) {
      this.takeList(query, listed, fields.clicked && row[fields.clicked], line);
      return;
    }
    const doc = this.textAt(row, fields.doc, 'doc', line);
    const rank = Number(this.textAt(row, fields.rank, 'rank', line));
    if (!Number.isInteger(rank) || rank < 1)
      throw this.refusal(line, `expected a rank from 1, found ${this.textAt(row, fields.rank, 'rank', line)}`);
    const click = clickOf(fields.clicked === undefined ? undefined : row[fields.clicked]);
    if (click === undefined)
      throw this.refusal(line, `expected a click as 0 or 1, found ${shownValue(fields.clicked && row[fields.clicked])}`);
    const session = fields.list === undefined ? undefined : String(listed);
    const key = JSON.stringify([query, session]);
    const last = this.open?.ranks.at(-1) ?? 0;
    if (this.open === undefined || this.open.key !== key || (session === undefined && rank <= last)) {
      this.close();
      this.open = { key, query, docs: [], ranks: [], clicks: [] };
    }
    const { docs, ranks, clicks } = this.open;
    if (docs.includes(doc)) throw this.refusal(line, `${doc} stands in the list twice`);
    docs.push(doc);
    ranks.push(rank);
    clicks.push(click);
  }

  finish(): ShownList[] {
    this.close();
    if (this.lists.length === 0) throw this.refusal(undefined, 'holds no list', ADVICE);
    return this.lists;
  }

  private takeList(query: string, listed: readonly unknown[], clicked: unknown, line: number): void {
    if (listed.length === 0 || !listed.every((doc) => typeof doc === 'string')) throw this.refusal(line, 'expected a list of documents');
    if (!Array.isArray(clicked)) throw this.refusal(line, 'expected the documents that were clicked as "clicked":["d1"]');
    const odd = clicked.find((doc) => !listed.includes(doc));
    if (odd !== undefined) throw this.refusal(line, `${shownValue(odd)} was clicked, and is not in the list`);
    this.close();
    const docs = listed as string[];
    if (new Set(docs).size < docs.length) throw this.refusal(line, 'a document stands in the list twice');
    this.lists.push({ query, docs, ranks: docs.map((_, k) => k + 1), clicks: docs.map((doc) => Number(clicked.includes(doc))) });
  }

  private close(): void {
    if (this.open === undefined) return;
    const { query, docs, ranks, clicks } = this.open;
    const order = ranks.map((_, i) => i).sort((a, b) => ranks[a] - ranks[b]);
    this.lists.push({ query, docs: order.map((i) => docs[i]), ranks: order.map((i) => ranks[i]), clicks: order.map((i) => clicks[i]) });
    this.open = undefined;
  }

  /** What the fields of this row are called. */
  private fieldsOf(row: Record<string, unknown>): Partial<Record<Field, string>> {
    const names = Object.keys(row);
    const key = names.join('\u0000');
    if (key === this.known) return this.places;
    const plain = names.map((name) => name.toLowerCase().replace(/[\s_-]/g, ''));
    this.places = Object.fromEntries(
      Object.entries(knownNames).flatMap(([field, spellings]) => {
        const spelling = spellings.find((one) => plain.includes(one));
        return spelling === undefined ? [] : [[field, names[plain.indexOf(spelling)]]];
      }),
    );
    this.known = key;
    return this.places;
  }

  private textAt(row: Record<string, unknown>, name: string | undefined, field: Field, line: number): string {
    const value = name === undefined ? undefined : row[name];
    const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint';
    if (!isText || value === '') throw this.refusal(line, `found no ${field}`, ADVICE);
    return String(value);
  }
}

function clickOf(value: unknown): number | undefined {
  if (value === true || value === 'true' || value === 'TRUE') return 1;
  if (value === false || value === 'false' || value === 'FALSE') return 0;
  const count =
    typeof value === 'number' || typeof value === 'bigint' || (typeof value === 'string' && value.trim() !== '')
      ? Number(value)
      : Number.NaN;
  return count >= 0 && count < Infinity ? Math.min(1, Math.ceil(count)) : undefined;
}

function shownValue(value: unknown): string {
  if (value === undefined || value === '') return 'nothing';
  return printable(
    typeof value === 'string' ? value : (JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one)) ?? 'nothing'),
    40,
  );
}
