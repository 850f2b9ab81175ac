/** The first rows of a table, for somebody who is to say what its columns hold. */
import { InputError } from '../../core/problem.js';
import { readText } from '../../core/text.js';
import { headOf } from '../head.js';
import { hasParts, type OpenedSource, opened, type Readable, withParts } from '../source.js';
import { placeColumns, type Role, roleOf, type TableKind, wantedRoles } from './columns.js';
import { CsvRecords } from './csv-records.js';
import { commaOrSemicolon } from './csv-text.js';

/** The columns of a table and its first rows. */
export interface TablePreview {
  /** The names of the columns; undefined where the first line is a row like the others, so that they can only be counted. */
  readonly names: readonly string[] | undefined;
  /** The first rows, as they are written. */
  readonly rows: readonly (readonly string[])[];
  /** Which column, from 0, each reading would take for what, as far as the names say. */
  readonly places: Readonly<Record<TableKind, Readonly<Partial<Record<Role, number>>>>>;
}

/** The roles that a person can give to columns, for either reading of a table. */
export { wantedRoles } from './columns.js';

const MOST_ROWS = 5;
const MOST_LETTERS = 60;
const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Looks at the beginning of a file: CSV, TSV, records in JSON or JSON lines, Parquet, or fields with blanks between them. Undefined if
 *  it is no table. */
export async function previewTable(readable: Readable): Promise<TablePreview | undefined> {
  const input = await opened(readable);
  try {
    const { line, whole } = headOf(input.start);
    if (readText(input.start, 0, 4) === 'PAR1') return await parquetPreview(input);
    if (/^[[{]/.test(line)) return recordPreview(whole);
    const delimiter = ['\t', commaOrSemicolon(line)].find((mark) => line.includes(mark));
    const rows = delimiter === undefined ? spacedRows(whole) : delimitedRows(whole, delimiter);
    if (rows.length === 0 || rows[0].length < 2) return undefined;
    const isHeader = rows[0].some((name) => roleOf(name) !== undefined) || !rows[0].some((name) => number.test(name));
    return isHeader ? previewOf(rows[0], rows.slice(1)) : previewOf(undefined, rows);
  } finally {
    await input.close();
  }
}

function previewOf(names: readonly string[] | undefined, rows: readonly (readonly string[])[]): TablePreview {
  const shown = rows
    .slice(0, MOST_ROWS)
    .map((row) => row.map((cell) => (cell.length > MOST_LETTERS ? `${cell.slice(0, MOST_LETTERS)}…` : cell)));
  return { names, rows: shown, places: { run: placesFor(names, 'run'), qrels: placesFor(names, 'qrels') } };
}

function placesFor(names: readonly string[] | undefined, kind: TableKind): Partial<Record<Role, number>> {
  return Object.fromEntries([...placeColumns(names, kind)].filter(([role]) => wantedRoles[kind].includes(role)));
}

/** The last line may be cut off, and whatever is wrong with a line is for its reader to say. */
function delimitedRows(text: string, delimiter: string): string[][] {
  const rows: string[][] = [];
  const records = new CsvRecords(
    {
      record(bytes, ends, numFields) {
        rows.push(Array.from({ length: numFields }, (_, place) => readText(bytes, place === 0 ? 0 : ends[place - 1], ends[place])));
      },
      broken: () => undefined,
      fatal: (message) => new InputError({ message }),
    },
    delimiter.charCodeAt(0),
    delimiter !== '\t',
  );
  records.push(new TextEncoder().encode(text));
  if (rows.length === 0) records.finish();
  return rows.slice(0, MOST_ROWS + 1);
}

function spacedRows(text: string): string[][] {
  const lines = text.split('\n').filter((line) => !/^\s*(#|$)/.test(line));
  return lines.slice(0, MOST_ROWS + 1).map((line) => line.trim().split(/\s+/));
}

/** Records of one level: the first objects in the text, one behind another or in a list. */
function recordPreview(text: string): TablePreview | undefined {
  const records: Record<string, unknown>[] = [];
  for (const found of text.matchAll(/\{(?:[^{}"]|"(?:[^"\\]|\\.)*"|\{[^{}]*\})*\}/g)) {
    try {
      records.push(JSON.parse(found[0]) as Record<string, unknown>);
    } catch {
      break;
    }
    if (records.length === MOST_ROWS) break;
  }
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const isFlat = records.some((record) => Object.values(record).some((value) => typeof value !== 'object'));
  return names.length < 2 || !isFlat
    ? undefined
    : previewOf(
        names,
        records.map((record) => names.map((name) => cellText(record[name]))),
      );
}

async function parquetPreview(input: OpenedSource): Promise<TablePreview | undefined> {
  if (!hasParts(input)) return undefined;
  const { OpenParquet } = await import('./parquet-table.js');
  return await withParts(input, async (file) => {
    const table = await OpenParquet.open(file, input.source.name);
    const columns: string[][] = [];
    for (const name of table.names) columns.push((await table.firstValues(name, MOST_ROWS)).map(cellText));
    return previewOf(
      table.names,
      Array.from({ length: Math.min(MOST_ROWS, table.numRows) }, (_, row) => columns.map((column) => column[row])),
    );
  });
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
