/** Texts, titles and links of queries and documents, to be shown beside their ids. */
import { InputError } from '../core/problem.js';
import { readText as textOf } from '../core/text.js';
import { headOf, kindOfColumns } from './head.js';
import type { ChunkReader } from './reader.js';
import { type ByteSource, openSource, readThrough } from './source.js';
import { roleOf } from './tables/columns.js';
import { CsvRecords } from './tables/csv-records.js';
import { commaOrSemicolon, headerCells } from './tables/csv-text.js';

/** What a file says of a query or document besides its id. */
export interface TextRecord {
  readonly title?: string | undefined;
  readonly text?: string | undefined;
  readonly url?: string | undefined;
}

type Field = 'id' | 'title' | 'text' | 'url';

/** The names of fields and columns that are understood, the likeliest first. Case, blanks, `_` and `-` do not matter. */
const knownNames: Readonly<Record<Field, readonly string[]>> = {
  id: [
    ...[
      'id',
      'qid',
      'queryid',
      'topicid',
      'topicno',
      'topic',
      'docid',
      'docno',
      'documentid',
      'doc',
      'corpusid',
      'passageid',
      'pid',
      'did',
    ],
    ...['objectid', 'productid', 'itemid', 'sku', 'asin'],
  ],
  text: ['text', 'query', 'querytext', 'question', 'contents', 'content', 'body', 'passage', 'abstract', 'description', 'searchterm'],
  title: ['title', 'name', 'producttitle', 'productname', 'headline'],
  url: ['url', 'link', 'href', 'uri'],
};

const ADVICE = 'call the columns id, title, text and url';

/** Reads the texts of queries or documents: JSON lines (as BEIR has them), JSON, CSV or TSV with a header, or TSV lines of an id and a
 *  text. Compressed files are read as they are.
 *  @param isWanted Which ids are kept, so that of a large collection only those remain that are shown.
 *  @throws An `InputError` for a file without ids or texts. */
export async function readTexts(source: ByteSource, isWanted: (id: string) => boolean = () => true): Promise<Map<string, TextRecord>> {
  const input = await openSource(source);
  const { line } = headOf(input.start);
  const found = new Map<string, TextRecord>();
  const keep = (id: string, record: TextRecord): void => {
    if (isWanted(id) && !found.has(id)) found.set(id, record);
  };
  if (line.startsWith('{') && isWhole(line)) await readThrough(input, jsonLines(source.name, keep));
  else if (/^[[{]/.test(line)) {
    const text = await readThrough(input, wholeText());
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      throw new InputError({ source: source.name, message: `is not JSON: ${(error as Error).message}` });
    }
    takeJson(value, source.name, keep);
  } else await readThrough(input, table(line, source.name, keep));
  return found;
}

/** A title, or else the beginning of the text, in one line. */
export function shownText({ title, text }: TextRecord, most = 80): string | undefined {
  const words = (title?.trim() || text?.trim())?.replace(/\s+/g, ' ');
  if (words === undefined || words === '') return undefined;
  return words.length > most ? `${words.slice(0, most - 1)}…` : words;
}

/** What a file of texts is about. */
export type TextKind = 'queries' | 'documents';

const idsOfQueries: ReadonlySet<string> = new Set(['qid', 'queryid', 'topicid', 'topicno', 'topic']);
const textsOfQueries: ReadonlySet<string> = new Set(['query', 'querytext', 'question', 'searchterm']);

/** Whether a file that begins like this holds the texts of queries or of documents, as far as that shows; undefined if it holds
 *  something else. The names of its fields tell, and where they do not, its own name.
 *  @param start What it begins with, decompressed. */
export function textKindOf(fileName: string, start: Uint8Array): TextKind | undefined {
  const { line } = headOf(start);
  const byName = kindByName(fileName);
  const names = namesOf(line);
  const { id, text, title } = placesOf(names);
  if (id === undefined || (text === undefined && title === undefined) || kindOfColumns(names) !== undefined) {
    const cells = line.split('\t');
    // an id and a text, as MS MARCO has them
    return cells.length === 2 && /\p{L}.*\s/u.test(cells[1].trim()) ? (byName ?? 'queries') : undefined;
  }
  if (names.some((name) => ['score', 'rank', 'grade'].includes(roleOf(name) ?? ''))) return undefined;
  const isOfQueries = idsOfQueries.has(plain(names[id])) || (text !== undefined && textsOfQueries.has(plain(names[text])));
  return byName ?? (isOfQueries ? 'queries' : 'documents');
}

function kindByName(fileName: string): TextKind | undefined {
  if (/quer|topic|question/i.test(fileName)) return 'queries';
  return /corpus|doc|passage|collection|product|catalog|article/i.test(fileName) ? 'documents' : undefined;
}

/** The names of fields in a first line: of a record, or of a header. */
function namesOf(line: string): string[] {
  if (!line.startsWith('{')) return headerCells(line);
  try {
    const record = JSON.parse(line) as Record<string, unknown>;
    return Object.keys(record).filter((name) => typeof record[name] !== 'object');
  } catch {
    return [];
  }
}

type Keep = (id: string, record: TextRecord) => void;

function isWhole(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line);
    // an object of ids has objects or texts of any name; a record has a field with an id
    return placesOf(Object.keys(value as object)).id !== undefined;
  } catch {
    return false;
  }
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, '');
}

/** Where each field is, among names. */
function placesOf(names: readonly string[]): Partial<Record<Field, number>> {
  const plainNames = names.map(plain);
  const places: Partial<Record<Field, number>> = {};
  for (const field of ['id', 'text', 'title', 'url'] as const) {
    const known = knownNames[field].find((name) => plainNames.includes(name));
    if (known !== undefined) places[field] = plainNames.indexOf(known);
  }
  return places;
}

function takeRecord(record: object, source: string, line: number | undefined, keep: Keep): void {
  const names = Object.keys(record);
  const values = Object.values(record) as unknown[];
  const { id, text, title, url } = placesOf(names);
  const idValue = id === undefined ? undefined : values[id];
  if (typeof idValue !== 'string' && typeof idValue !== 'number') {
    throw new InputError({
      source,
      line,
      message: `expected a record with an id and a text, found ${names.slice(0, 10).join(', ') || 'none'}`,
      wayOut: ADVICE,
    });
  }
  const word = (place: number | undefined): string | undefined => {
    const value = place === undefined ? undefined : values[place];
    return typeof value === 'string' ? value : undefined;
  };
  keep(String(idValue), { title: word(title), text: word(text), url: word(url) });
}

function takeJson(value: unknown, source: string, keep: Keep): void {
  if (Array.isArray(value)) {
    for (const record of value) if (typeof record === 'object' && record !== null) takeRecord(record, source, undefined, keep);
    return;
  }
  for (const [id, one] of Object.entries(value as Record<string, unknown>)) {
    if (typeof one === 'string') keep(id, { text: one });
    else if (typeof one === 'object' && one !== null) takeRecord({ ...one, id }, source, undefined, keep);
  }
}

function wholeText(): ChunkReader<string> {
  const decoder = new TextDecoder();
  let text = '';
  return {
    push: (chunk) => {
      text += decoder.decode(chunk, { stream: true });
    },
    finish: () => text + decoder.decode(),
  };
}

function jsonLines(source: string, keep: Keep): ChunkReader<void> {
  const decoder = new TextDecoder();
  let rest = '';
  let number = 0;
  const take = (line: string): void => {
    number++;
    if (line.trim() === '') return;
    let record: unknown;
    try {
      record = JSON.parse(line);
    } catch (error) {
      throw new InputError({
        source,
        line: number,
        message: `is not JSON: ${(error as Error).message}`,
        wayOut: 'fetch or make the file again',
      });
    }
    if (typeof record === 'object' && record !== null) takeRecord(record, source, number, keep);
  };
  return {
    push(chunk) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) take(line);
    },
    finish: () => take(rest + decoder.decode()),
  };
}

/** A table with a header, or lines of an id and a text, or, as MS MARCO has them, of an id, an address, a title and a text. */
function table(firstLine: string, source: string, keep: Keep): ChunkReader<void> {
  const delimiter = firstLine.includes('\t') ? '\t' : commaOrSemicolon(firstLine);
  const names = headerCells(firstLine);
  const named = placesOf(names);
  const hasHeader = named.id !== undefined && (named.text !== undefined || named.title !== undefined);
  const places: Partial<Record<Field, number>> = hasHeader
    ? named
    : names.length === 4
      ? { id: 0, url: 1, title: 2, text: 3 }
      : { id: 0, text: 1 };
  if (names.length < 2)
    throw new InputError({ source, message: 'expected an id and a text in each line, found one column', wayOut: ADVICE });
  if (!hasHeader && delimiter !== '\t')
    throw new InputError({
      source,
      message: `has no columns for an id and a text; it has ${names.slice(0, 10).join(', ')}`,
      wayOut: ADVICE,
    });
  let isFirst = hasHeader;
  const problem = (message: string, line: number): InputError => new InputError({ source, line, message, wayOut: 'correct the line' });
  const records = new CsvRecords(
    {
      record(text, ends, numFields) {
        if (isFirst) {
          isFirst = false;
          return;
        }
        const field = (place: number | undefined): string | undefined =>
          place === undefined || place >= numFields ? undefined : textOf(text, place === 0 ? 0 : ends[place - 1], ends[place]);
        keep(field(places.id)?.trim() ?? '', { title: field(places.title), text: field(places.text), url: field(places.url) });
      },
      broken(message, line) {
        throw problem(message, line);
      },
      fatal: (message, _wayOut, line) => problem(message, line),
    },
    delimiter.charCodeAt(0),
    delimiter !== '\t',
  );
  return { push: (chunk) => records.push(chunk), finish: () => records.finish() };
}
