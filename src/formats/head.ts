import { readText } from '../core/text.js';
import { areCounted, type Columns, columnUse, isBareId, missingRoles, type Role, roleOf, type TableKind } from './tables/columns.js';
import { commaOrSemicolon } from './tables/csv-text.js';

/** The beginning of a file, as far as is needed to tell what it is. */
export interface Head {
  /** The first line that is neither blank nor a comment. */
  readonly line: string;
  /** That line and some of what follows. */
  readonly text: string;
  /** Its fields, if white space parts them. */
  readonly fields: readonly string[];
  /** Everything, comments and blank lines too. */
  readonly whole: string;
  /** The same as bytes, for what is no text. */
  readonly bytes: Uint8Array;
}

/** Bytes of a file that are enough to tell its format. */
export const HEAD_LENGTH: number = 1 << 16;

/** The beginning of a file as the recognisers look at it: comments and blank lines are passed over. */
export function headOf(bytes: Uint8Array): Head {
  const whole = readText(bytes, 0, Math.min(bytes.length, HEAD_LENGTH)).replace(/^\ufeff/, '');
  const found = /^[^\S\n]*([^\s#][^\n]*)/m.exec(whole);
  const line = found?.[1].trimEnd() ?? '';
  return {
    line,
    text: whole
      .slice(found?.index ?? 0)
      .slice(0, 4096)
      .trimStart(),
    fields: line.split(/[ \t\v\f\r]+/),
    whole,
    bytes,
  };
}

/** What a format makes of a head: nothing, or that it can read it, and as what, if that shows. */
export interface Recognition<Content = TableKind | 'features' | 'predictions' | 'scores'> {
  readonly content?: Content | undefined;
}

type TableRecognition = Recognition<TableKind>;

const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Recognises lines of so many fields by the number among them. */
export function recogniseLines(head: Head, numFields: number, numberField: number, content: TableKind): TableRecognition | undefined {
  return head.fields.length === numFields && decimal.test(head.fields[numberField]) ? { content } : undefined;
}

/** Recognises lines of topic, document and rank without a header, as MS MARCO has them, or lines whose columns were counted. */
export function recogniseRanks(head: Head, columns: Columns | undefined): TableRecognition | undefined {
  if (columns !== undefined) {
    const highest = Math.max(...(['topic', 'doc', 'score', 'rank'] as const).map((role) => Number(columns[role] ?? 0)));
    return areCounted(columns, 'run') && head.fields.length >= highest ? { content: 'run' } : undefined;
  }
  const cells = head.line.split('\t');
  // topic and document alone, in order; a number with a fraction would be a value of the topic
  if (cells.length === 2 && head.fields.length === 2) return /^[+-]?\d*\.\d/.test(cells[1]) ? undefined : { content: 'run' };
  if (cells.length === 5 && head.fields.length === 5) {
    return /^\d+$/.test(cells[2]) && decimal.test(cells[3]) && /^\d+$/.test(cells[4]) ? { content: 'run' } : undefined;
  }
  const hasScore = head.fields.length === 4 && !/^(q0|0)$/i.test(head.fields[1]) && decimal.test(head.fields[3]);
  return (head.fields.length === 3 || hasScore) && /^\d+$/.test(head.fields[2]) ? { content: 'run' } : undefined;
}

/** Lines of topic, document and both texts, with tabs between them. */
export function recogniseCandidates({ line }: Head): TableRecognition | undefined {
  const cells = line.split('\t');
  const isText = (cell: string): boolean => /\p{L}/u.test(cell) && /\S\s+\S/.test(cell);
  return cells.length === 4 && /^\d+$/.test(cells[0]) && !/\s/.test(cells[1]) && isText(cells[3]) && /\p{L}/u.test(cells[2])
    ? {}
    : undefined;
}

/** Quepid's export for learning to rank: a rating, `qid:`, and behind # the document and the query, without a single feature. */
export function recogniseQuepidLines({ line, text }: Head): TableRecognition | undefined {
  if (!/^\S+\s+qid:\S+\s+#\s*\S/.test(line)) return undefined;
  const hasFeatures = text.split('\n').some((one) => /^[^#]*\s\d+:/.test(one));
  return hasFeatures ? undefined : { content: 'qrels' };
}

/** A CBOR map whose first key is a text. No text in UTF-8 begins with such a byte. */
export function recogniseCbor({ bytes }: Head): TableRecognition | undefined {
  const [first = 0, second = 0] = bytes;
  const width = first < 0xb8 ? 0 : first < 0xbc ? 1 << (first - 0xb8) : 0;
  const key = width === 0 ? second : (bytes[1 + width] ?? 0);
  return first >= 0xa0 && first < 0xc0 && key >= 0x60 && key < 0x80 ? {} : undefined;
}

/** The lines of learning-to-rank files: a label and `qid:`, or features at once. */
export function recogniseLetor(head: Head): Recognition | undefined {
  return /^\S+\s+qid:\S/.test(head.line) || isUngroupedLetor(head) ? { content: 'features' } : undefined;
}

/** True for lines of a label and features, whose queries another file counts. */
export function isUngroupedLetor({ line }: Pick<Head, 'line'>): boolean {
  return /^[+-]?[\d.]\S*(\s+\d+:[+-]?[\d.]\S*)+\s*(#.*)?$/.test(line);
}

/** A single number on the first line, as in a file of predictions. */
export function recogniseNumbers({ line }: Head): Recognition | undefined {
  return /^[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|inf(inity)?)$/i.test(line) ? { content: 'predictions' } : undefined;
}

/** JSON that is not a line of records; a list of ids can only be a run. */
export function recogniseJson(head: Head, columns: Columns | undefined): TableRecognition | undefined {
  if (recogniseJsonl(head, columns) !== undefined) return undefined;
  if (head.line.startsWith('[')) return recordKind(head.line, columns) ?? {};
  if (!head.line.startsWith('{')) return undefined;
  // a list of ids can only be a ranking
  return /^\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\[\s*["\d]/.test(head.text) ? { content: 'run' } : {};
}

/** Records, one to a line, distinguished from an object of topics by the first value. */
export function recogniseJsonl(head: Head, columns: Columns | undefined): TableRecognition | undefined {
  if (!head.line.startsWith('{')) return undefined;
  // an object of topics holds objects or lists, so one that begins with a plain value is a record, whatever its fields are called
  return recordKind(head.line, columns) ?? (/^\{\s*"(?:[^"\\]|\\.)*"\s*:\s*[^\s[{]/.test(head.line) ? {} : undefined);
}

/** What the names in a JSON record say it is. */
function recordKind(line: string, columns: Columns | undefined): TableRecognition | undefined {
  const firstRecord = line.slice(0, line.indexOf('}') + 1 || line.length);
  const names = Array.from(firstRecord.matchAll(/"([^"\\]*)"\s*:/g), (match) => match[1]);
  return kindByChoice(names, columns, () => false) ?? kindOfColumns(names);
}

/** What a table holds in which somebody said what the columns are.
 *  @param isCounted Whether a role is known by the number of its column. */
function kindByChoice(
  names: readonly string[],
  columns: Columns | undefined,
  isCounted: (role: Role) => boolean,
): TableRecognition | undefined {
  if (columns === undefined) return undefined;
  for (const kind of ['run', 'qrels'] as const) {
    const used = new Set(names.map((name) => columnUse(name, kind, columns)?.role));
    if (missingRoles(kind, (role) => used.has(role) || isCounted(role), columns).length === 0) return { content: kind };
  }
  return undefined;
}

/** What the names of columns say that a table holds. */
export function kindOfColumns(names: readonly string[]): TableRecognition | undefined {
  const found = new Set<Role | undefined>(names.map(roleOf));
  const hasValue = (['grade', 'score', 'rank'] as const).some((role) => found.has(role));
  if (found.has('topic') && hasValue && names.some(isBareId)) found.add('doc');
  if (!found.has('topic') || !found.has('doc')) return undefined;
  if (found.has('grade')) return { content: 'qrels' };
  if (!found.has('score')) return found.has('rank') ? { content: 'run' } : {};
  // BEIR's judgements call their grades scores
  return { content: names.some((name) => /^corpus.?id$/i.test(name)) ? 'qrels' : 'run' };
}

/** The names in the header of a table. */
export function namesIn({ line }: Head, delimiter: string): string[] {
  return line.split(delimiter).map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
}

/** A table, by the names in its header or by those that `columns` chose. */
export function recogniseCsv(head: Head, delimiter: string, columns: Columns | undefined): TableRecognition | undefined {
  const names = namesIn(head, delimiter);
  if (names.length < 3) return undefined;
  return kindByChoice(names, columns, (role) => typeof columns?.[role] === 'number') ?? kindOfColumns(names);
}

/** What separates the fields of a table: what its format says, or in CSV perhaps a semicolon. */
export function delimiterIn({ line }: Head, delimiter: string): string {
  return delimiter === ',' ? commaOrSemicolon(line) : delimiter;
}

/** Which kind of table holds the features; undefined if the head is not that of a table. */
export function featureTable(head: Head): 'csv' | 'tsv' | undefined {
  if (/^[[{]/.test(head.line) || recogniseLetor(head) !== undefined) return undefined;
  const mark = [',', '\t', ';'].find((one) => head.line.includes(one));
  return mark === undefined ? undefined : mark === '\t' ? 'tsv' : 'csv';
}
