import { InputError } from '../../core/problem.js';
import { readText } from '../../core/text.js';
import type { ChunkReader } from '../../formats/reader.js';
import { plainChunks } from '../../formats/source.js';
import { type CsvHandler, CsvRecords } from '../../formats/tables/csv-records.js';
import { checkingStart } from '../../formats/text/text-start.js';
import { fileSource } from '../files.js';
import type { ColumnPlaces, TableFiles } from './table-files.js';

/** What an engine must find in separated files if it reads them as everything else here does. */
export interface TextShape {
  /** What the columns are called; numbers from 1 where there is no header. */
  readonly header: readonly string[];
  readonly rows: number;
  /** Bytes of the ids in all rows. */
  readonly idBytes: number;
}

const CR = 13;
const LF = 10;
const SEMICOLON = 59;
/** The byte that takes the place of a delimiter where lines are read whole. */
export const NO_DELIMITER = '\x01';

/** What is to be done about text that an engine would read differently. */
const wayOut = 'evaluate it without --engine';

/** How the columns are found. */
interface ColumnRules {
  readonly hasHeader: boolean;
  readonly placesIn: (header: readonly string[]) => ColumnPlaces;
}

/** Walks through separated files as the readers of this program do, and refuses what DuckDB is known to read differently. */
export async function shapeOfSeparated(
  { files, format, source }: TableFiles,
  rules: ColumnRules,
  onFile: (file: string) => void,
): Promise<TextShape> {
  let header: readonly string[] | undefined;
  let rows = 0;
  let idBytes = 0;
  for (const file of files) {
    onFile(file);
    const reader = checkingStart(new ShapeReader(file, format === 'tsv' ? 9 : 44, rules), { source: file });
    for await (const chunk of plainChunks(fileSource(file))) reader.push(chunk);
    const shape = reader.finish();
    if (header !== undefined && header.join('\n') !== shape.header.join('\n')) {
      throw new InputError({ source: file, message: `has other columns than ${files[0]}`, wayOut: 'give files with the same header' });
    }
    header = shape.header;
    rows += shape.rows;
    idBytes += shape.idBytes;
  }
  if (header === undefined || header.length === 0) throw new InputError({ source, message: 'holds no rows' });
  return { header, rows, idBytes };
}

class ShapeReader implements ChunkReader<TextShape>, CsvHandler {
  private readonly source: string;
  private readonly records: CsvRecords;
  private readonly rules: ColumnRules;
  private header: readonly string[] = [];
  private places: readonly number[] = [];
  private rows = 0;
  private idBytes = 0;

  constructor(source: string, delimiter: number, rules: ColumnRules) {
    this.source = source;
    this.records = new CsvRecords(this, delimiter, true);
    this.rules = rules;
  }

  push(chunk: Uint8Array): void {
    this.records.push(chunk);
  }

  finish(): TextShape {
    this.records.finish();
    return { header: this.header, rows: this.rows, idBytes: this.idBytes };
  }

  record(text: Uint8Array, ends: Uint32Array, numFields: number, line: number): void {
    const whole = text.subarray(0, ends[numFields - 1]);
    if (whole.includes(0)) throw this.refused('holds a NUL byte, expected text', line, undefined);
    if (this.header.length === 0 && numFields === 1 && whole.includes(SEMICOLON))
      throw this.refused('has semicolons between its fields, expected commas', line, `${wayOut}, or write it with gradus convert first`);
    if (whole.includes(CR)) throw this.refused('has a carriage return within the line, at which DuckDB would end it', line);
    if (this.header.length === 0) {
      const { hasHeader, placesIn } = this.rules;
      const nameOf = (k: number): string => (hasHeader ? readText(text, k === 0 ? 0 : ends[k - 1], ends[k]).trim() : String(k + 1));
      this.header = Array.from({ length: numFields }, (_, k) => nameOf(k));
      const { topic, doc } = placesIn(this.header);
      this.places = [topic, doc];
      if (hasHeader) return;
    }
    if (numFields !== this.header.length) {
      throw this.refused(`expected ${this.header.length} fields as in the first line, found ${numFields}`, line, 'correct the line');
    }
    this.rows++;
    for (const place of this.places) this.idBytes += ends[place] - (place === 0 ? 0 : ends[place - 1]);
  }

  comment(line: number): void {
    throw this.refused('begins with #, which is a comment, and DuckDB would take it for data', line, `remove the line, or ${wayOut}`);
  }

  broken(message: string, line: number): void {
    throw this.refused(message, line, 'quotes within quotes are doubled');
  }

  fatal(message: string, advice: string, line: number): Error {
    return this.refused(message, line, advice);
  }

  private refused(message: string, line: number, advice: string | undefined = wayOut): InputError {
    return new InputError({ source: this.source, line, message, wayOut: advice });
  }
}

/** Refuses an answer that was not made from the rows that are there. */
export function refuseOtherShape(source: string, expected: TextShape, rows: number, idBytes: number): void {
  if (rows === expected.rows && idBytes === expected.idBytes) return;
  const found = rows === expected.rows ? 'other ids' : `${rows} rows instead of ${expected.rows}`;
  throw new InputError({ source, message: `DuckDB reads ${found}, perhaps because of blanks around quotes or before the header`, wayOut });
}

/** Walks through files of lines, and refuses what DuckDB would cut differently. */
export async function refuseOtherLines({ files }: TableFiles, onFile: (file: string) => void): Promise<void> {
  for (const file of files) {
    onFile(file);
    let line = 1;
    let endsInCr = false;
    for await (const chunk of plainChunks(fileSource(file))) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
      const odd = firstOdd(bytes, endsInCr);
      if (odd !== undefined) {
        for (let i = bytes.indexOf(LF); i >= 0 && i < odd.at; i = bytes.indexOf(LF, i + 1)) line++;
        throw new InputError({ source: file, line, message: odd.message, wayOut: odd.wayOut });
      }
      for (let i = bytes.indexOf(LF); i >= 0; i = bytes.indexOf(LF, i + 1)) line++;
      endsInCr = bytes.length > 0 && bytes[bytes.length - 1] === CR;
    }
  }
}

interface OddByte {
  readonly at: number;
  readonly message: string;
  readonly wayOut: string | undefined;
}

/** The first byte of a chunk that DuckDB would read differently, or that is none of a text. */
function firstOdd(bytes: Buffer, isAfterCr: boolean): OddByte | undefined {
  const cr = isAfterCr && bytes[0] !== LF ? 0 : loneCr(bytes);
  const all: OddByte[] = [
    { at: cr, message: 'has a carriage return within the line, at which DuckDB would end it', wayOut },
    { at: bytes.indexOf(NO_DELIMITER), message: 'has the byte \\x01, at which DuckDB would cut it', wayOut },
    { at: bytes.indexOf(0), message: 'holds a NUL byte, expected text', wayOut: undefined },
  ];
  return all.filter(({ at }) => at >= 0).sort((a, b) => a.at - b.at)[0];
}

/** Where a carriage return is followed by something other than a line feed within the chunk, or -1. */
function loneCr(bytes: Buffer): number {
  let at = bytes.indexOf(CR);
  while (at >= 0 && (bytes[at + 1] === LF || at + 1 === bytes.length)) at = bytes.indexOf(CR, at + 1);
  return at;
}
