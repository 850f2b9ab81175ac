import { limits } from '../../core/limits.js';
import { readText } from '../../core/text.js';
import { type CsvHandler, CsvRecords } from './csv-records.js';

const LF = 10;
const COMMA = 44;
const SEMICOLON = 59;
const POINT = 46;

/** What separates the fields of a CSV file that begins with this line: a semicolon where it makes more fields than a comma, because
 *  spreadsheets write it where the comma is the decimal separator. */
export function commaOrSemicolon(line: string): ',' | ';' {
  const unquoted = line.replace(/"(?:[^"]|"")*"/g, '');
  return unquoted.split(';').length > unquoted.split(',').length ? ';' : ',';
}

/** The cells of the first line of a table, whatever separates them. */
export function headerCells(line: string): string[] {
  return line.split(line.includes('\t') ? '\t' : commaOrSemicolon(line)).map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
}

/** Turns the decimal comma of a number into a point, where fields are separated by semicolons; anything else stays as it is. */
export function replaceDecimalComma(bytes: Uint8Array, start: number, end: number): void {
  const comma = bytes.subarray(start, end).indexOf(COMMA);
  if (comma >= 0 && commaNumber.test(readText(bytes, start, end))) bytes[start + comma] = POINT;
}

const commaNumber = /^\s*[+-]?\d*,\d+(e[+-]?\d+)?\s*$/i;

/** The records of a CSV text whose delimiter may only show in its first line. The text is held back until that has come. */
export class CsvText {
  private readonly handler: CsvHandler;
  private readonly quotes: boolean;
  private records: CsvRecords | undefined;
  private held: Uint8Array = new Uint8Array(0); // fits: bytes
  /** Whether numbers have a decimal comma. */
  hasDecimalCommas = false;

  /** @param delimiter A byte; undefined if it is a comma or a semicolon.
   *  @param quotes Whether a double quote at the start of a field has a meaning. */
  constructor(handler: CsvHandler, delimiter: number | undefined, quotes: boolean) {
    this.handler = handler;
    this.quotes = quotes;
    if (delimiter !== undefined) this.start(delimiter);
  }

  push(chunk: Uint8Array): void {
    if (this.records !== undefined) {
      this.records.push(chunk);
      return;
    }
    const joined = new Uint8Array(this.held.length + chunk.length); // fits: bytes
    joined.set(this.held);
    joined.set(chunk, this.held.length);
    this.held = joined;
    const line = firstLine(joined);
    if (line !== undefined) this.release(line);
    else if (joined.length > limits.recordBytes) this.release('');
  }

  finish(): void {
    if (this.records === undefined) this.release(firstLine(this.held, true) ?? '');
    this.records?.finish();
  }

  private release(line: string): void {
    const records = this.start(commaOrSemicolon(line) === ';' ? SEMICOLON : COMMA);
    const { held } = this;
    this.held = new Uint8Array(0);
    records.push(held);
  }

  private start(delimiter: number): CsvRecords {
    this.hasDecimalCommas = delimiter === SEMICOLON;
    this.records = new CsvRecords(this.handler, delimiter, this.quotes);
    return this.records;
  }
}

/** The first line that is neither blank nor a comment; undefined if it has not ended.
 *  @param isWhole Whether the text ends here, and its last line with it. */
function firstLine(bytes: Uint8Array, isWhole = false): string | undefined {
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(LF, start);
    if (found < 0 && !isWhole) return undefined;
    const end = found < 0 ? bytes.length : found;
    const line = readText(bytes, start, end);
    if (!/^\s*(#|$)/.test(line)) return line;
    start = end + 1;
  }
  return undefined;
}
