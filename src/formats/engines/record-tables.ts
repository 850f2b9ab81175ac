/** Records of tools for retrieval-augmented generation as rows of a table, with the lists of ids in its cells. */
import { InputError } from '../../core/problem.js';
import { readText } from '../../core/text.js';
import { CsvRecords } from '../tables/csv-records.js';
import { commaOrSemicolon } from '../tables/csv-text.js';
import { type JsonTable, type JsonValue, JsonWord } from './json-value.js';
import { recordFields } from './results.js';

/** A row, as if it were an object of JSON, and its line. */
export interface TableRecord {
  readonly value: JsonTable;
  readonly line: number;
}

const listColumns: ReadonlySet<string> = new Set(Object.values(recordFields).flatMap(({ retrieved, reference }) => [retrieved, reference]));
const nothing = new JsonWord('null');

/** The rows of CSV or TSV.
 *  @throws An `InputError` for quotes that do not end and for rows of other lengths than the header. */
export function recordsOfText(bytes: Uint8Array, source: string): TableRecord[] {
  const lineEnd = bytes.indexOf(10);
  const header = readText(bytes, 0, lineEnd < 0 ? bytes.length : lineEnd);
  const records: TableRecord[] = [];
  let names: readonly string[] | undefined;
  const problem = (message: string, line: number, wayOut: string): InputError => new InputError({ source, line, message, wayOut });
  const table = new CsvRecords(
    {
      record(text, ends, numFields, line) {
        const cells = Array.from({ length: numFields }, (_, k) => readText(text, k === 0 ? 0 : ends[k - 1], ends[k]));
        if (names === undefined) {
          names = cells.map((name, place) => (place === 0 ? name.replace(/^\ufeff/, '') : name).trim());
          return;
        }
        if (numFields !== names.length) {
          throw problem(
            `expected ${names.length} fields as in the header, found ${numFields}`,
            line,
            'put cells that hold commas in double quotes',
          );
        }
        records.push({
          value: new Map(names.map((name, k) => [name, listColumns.has(name) ? listInCell(cells[k]) : textInCell(cells[k])])),
          line,
        });
      },
      broken(message, line) {
        throw problem(message, line, 'quotes within quotes are doubled');
      },
      fatal: (message, wayOut, line) => problem(message, line, wayOut),
    },
    (header.includes('\t') ? '\t' : commaOrSemicolon(header)).charCodeAt(0),
    true,
  );
  table.push(bytes);
  table.finish();
  return records;
}

/** The rows of Parquet, whose lists are lists. */
export function recordsOfRows(rows: readonly Readonly<Record<string, unknown>>[]): TableRecord[] {
  return rows.map((row, place) => ({
    value: new Map(Object.entries(row).map(([name, value]) => [name, jsonValueOf(value)])),
    line: place + 1,
  }));
}

function jsonValueOf(value: unknown): JsonValue {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return new JsonWord(String(value));
  return Array.isArray(value) || ArrayBuffer.isView(value) ? Array.from(value as ArrayLike<unknown>, jsonValueOf) : nothing;
}

function textInCell(cell: string): JsonValue {
  return cell.trim() === '' ? nothing : cell;
}

/** A list as JSON writes it, or as Python prints it: `["a", "b"]`, `['a', 'b']`, and of NumPy `['a' 'b']`. Anything else is left as it is,
 *  so that its reader can say what is wrong with it. */
function listInCell(cell: string): JsonValue {
  const text = cell.trim();
  if (!text.startsWith('[') || !text.endsWith(']')) return textInCell(cell);
  const ids: string[] = [];
  const inner = text.slice(1, -1);
  const item = /\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^\s,'"[\]]+))\s*(?:,|(?=\s)|$)/gy;
  while (item.lastIndex < inner.length && inner.slice(item.lastIndex).trim() !== '') {
    const found = item.exec(inner);
    if (found === null) return cell;
    ids.push(found[3] ?? (found[1] ?? found[2]).replace(/\\(.)/g, '$1'));
  }
  return ids;
}
