import type { FeatureMatrix } from '../../core/feature-matrix.js';
import { checkWholeFile } from '../../core/limits.js';
import { InputError, printable } from '../../core/problem.js';
import { readText } from '../../core/text.js';
import { type ChunkReader, readAll, type Skipped } from '../reader.js';
import { addNumberProblem, ReadingLog, shown } from '../reading-log.js';
import type { CsvHandler } from '../tables/csv-records.js';
import { CsvText, replaceDecimalComma } from '../tables/csv-text.js';
import { jsonProblem } from '../tables/json-problem.js';
import { parseDecimal } from '../text/decimal.js';
import { CHECK_TEXT } from '../text/line-lengths.js';
import { checkingStart } from '../text/text-start.js';
import { WholeLines } from '../text/whole-lines.js';
import { type FeatureRole, FeatureRows, type FeatureTableOptions, featureUse, requireRoles } from './feature-rows.js';

export type { FeatureRole, FeatureTableOptions } from './feature-rows.js';

/** A table of features that was read, and what was left out. */
export interface FeatureTableReading {
  readonly matrix: FeatureMatrix;
  readonly skipped: Skipped;
}

/** What stands for a value that is not there. */
const missingWords = new Set(['', 'na', 'n/a', 'nan', 'null', 'none', '?']);

/** Reads documents with labels and features from CSV with commas or semicolons, or, with `delimiter: '\t'`, from TSV. */
export function parseFeatureCsv(content: Uint8Array | string, options: FeatureTableOptions = {}): FeatureTableReading {
  return readAll(createFeatureCsvReader(options), content);
}

/** Reads features from CSV or TSV with a header, chunk by chunk. */
export function createFeatureCsvReader(options: FeatureTableOptions = {}): ChunkReader<FeatureTableReading> {
  return checkingStart(new FeatureCsvReader(options), options);
}

/** Reads documents with labels and features from JSON: an array of records, or one record on each line. Features are the
 *  fields that are nothing else, or those of an object or array called `features`. */
export function parseFeatureJson(content: Uint8Array | string, options: FeatureTableOptions = {}): FeatureTableReading {
  return readAll(createFeatureJsonReader(options), content);
}

/** Reads features from JSON or JSON lines, chunk by chunk. */
export function createFeatureJsonReader(options: FeatureTableOptions = {}): ChunkReader<FeatureTableReading> {
  return checkingStart(new FeatureJsonReader(options), options);
}

/** What each column of a CSV table is: a role, or the number of a feature. */
interface Place {
  readonly role?: FeatureRole;
  readonly feature?: number;
  readonly name: string;
}

class FeatureCsvReader implements ChunkReader<FeatureTableReading>, CsvHandler {
  private readonly options: FeatureTableOptions;
  private readonly log: ReadingLog;
  private readonly rows = new FeatureRows();
  private readonly records: CsvText;
  private places: readonly Place[] | undefined;
  private names: string[] = [];
  private sawBytes = false;

  constructor(options: FeatureTableOptions) {
    this.options = options;
    this.log = new ReadingLog(options);
    const { delimiter, quotes = true } = options;
    if (delimiter !== undefined && (delimiter.length !== 1 || delimiter.charCodeAt(0) > 127))
      throw new InputError(`the delimiter must be one ASCII character, found ${delimiter}`);
    this.records = new CsvText(this, delimiter?.charCodeAt(0), quotes);
  }

  push(chunk: Uint8Array): void {
    if (chunk.length > 0) this.sawBytes = true;
    this.records.push(chunk);
  }

  finish(): FeatureTableReading {
    this.records.finish();
    const { header } = this.options;
    const skipped = this.log.close(
      this.rows.numRows,
      'columns for query, label and features',
      this.sawBytes,
      header !== false && this.places !== undefined ? 'holds nothing but a header' : undefined,
    );
    return { matrix: this.rows.finish(header === false ? undefined : this.names, this.names.length), skipped };
  }

  record(text: Uint8Array, ends: Uint32Array, numFields: number, line: number): void {
    const startOf = (k: number): number => (k === 0 ? 0 : ends[k - 1]);
    if (this.places === undefined) {
      const { header } = this.options;
      const names = Array.from({ length: numFields }, (_, k) =>
        header === false ? String(k + 1) : readText(text, startOf(k), ends[k]).trim(),
      );
      this.places = this.placesOf(names, line);
      if (header !== false) return;
    }
    const { places, log, rows } = this;
    if (numFields !== places.length) {
      log.add('wrong number of fields', line, () => `expected ${places.length} fields as in the first line, found ${numFields}`);
      return;
    }
    let query = '';
    let label = 0;
    let doc: string | undefined;
    const values: { column: number; value: number }[] = [];
    for (let k = 0; k < numFields; k++) {
      const { role, feature, name } = places[k];
      let start = startOf(k);
      let end = ends[k];
      if (role === 'topic') query = readText(text, start, end);
      else if (role === 'doc') doc = readText(text, start, end);
      else if (role === 'label' || feature !== undefined) {
        while (start < end && text[start] <= 32) start++;
        while (start < end && text[end - 1] <= 32) end--;
        if (this.records.hasDecimalCommas) replaceDecimalComma(text, start, end);
        const value = parseDecimal(text, start, end);
        if (!Number.isFinite(value)) {
          if (feature !== undefined && missingWords.has(readText(text, start, end).toLowerCase())) continue;
          if (feature === undefined) addNumberProblem(log, line, 'label', text, start, end);
          else log.add('not a number', line, () => notANumber(name, shown(text, start, end)), `--ignore ${name} leaves the column out`);
          return;
        }
        if (feature === undefined) label = value;
        else values.push({ column: feature, value });
      }
    }
    if (query === '') {
      log.add('empty id', line, () => 'expected a query id, found nothing');
      return;
    }
    for (const { column, value } of values) rows.addCell(column, value);
    rows.addRow(query, label, doc, line);
  }

  broken(message: string, line: number): void {
    this.log.add('broken quotes', line, () => message, 'quotes within quotes are doubled; --lenient skips such lines');
  }

  fatal(message: string, wayOut: string, line: number): Error {
    return this.log.fatal(message, wayOut, line);
  }

  private placesOf(names: readonly string[], line: number): readonly Place[] {
    const { options, log } = this;
    const { columns = {} } = options;
    const counted = (place: number): FeatureRole | undefined =>
      (['topic', 'label', 'doc'] as const).find((role) => columns[role] === place + 1);
    const uses = names.map((name, place) => counted(place) ?? featureUse(name, options));
    requireRoles(
      new Set(uses.map(String)),
      options,
      names
        .slice(0, 20)
        .map((name) => printable(name))
        .join(', '),
      log,
      line,
    );
    const repeated = names.find((name, place) => uses[place] === 'feature' && names.indexOf(name) !== place);
    if (repeated !== undefined) throw log.fatal(`has two columns called ${repeated}`, 'give each feature a name of its own', line);
    return names.map((name, place) => {
      const use = uses[place];
      if (use === 'feature') return { feature: this.names.push(name) - 1, name };
      return use === undefined ? { name } : { role: use, name };
    });
  }
}

function notANumber(name: string, found: string): string {
  return `expected a number as ${name}, found ${found}`;
}

/** What a record can hold, whatever notation it came in. */
export type RecordValue =
  | null
  | undefined
  | boolean
  | number
  | bigint
  | string
  | readonly RecordValue[]
  | { readonly [key: string]: RecordValue };

/** Makes documents of records with named fields. Features are the fields that are nothing else, or those of an object or
 *  array called `features`. */
export class FeatureRecords {
  readonly log: ReadingLog;
  private readonly options: FeatureTableOptions;
  private readonly rows = new FeatureRows();
  private readonly columns = new Map<string, number>();
  private numbered = false;

  constructor(options: FeatureTableOptions) {
    this.options = options;
    this.log = new ReadingLog(options);
  }

  add(record: RecordValue, line: number): void {
    const { log, options } = this;
    if (!isRecord(record)) {
      log.add('wrong shape', line, () => `expected a record, found ${shownValue(record)}`);
      return;
    }
    let query: string | undefined;
    let label: number | undefined;
    let doc: string | undefined;
    const cells: [name: string, value: number][] = [];
    const addFeature = (name: string, value: RecordValue): boolean => {
      if (value === null || value === undefined || (typeof value === 'string' && missingWords.has(value.toLowerCase()))) return true;
      const number = numberOf(value);
      if (Number.isNaN(number) && typeof value === 'number') return true;
      if (!Number.isFinite(number)) {
        log.add(
          'not a number',
          line,
          () => notANumber(name || 'a feature without a name', shownValue(value)),
          name ? `--ignore ${name} leaves it out` : undefined,
        );
        return false;
      }
      cells.push([name, number]);
      return true;
    };
    for (const [name, value] of Object.entries(record)) {
      const use = name === 'features' && typeof value === 'object' ? 'nested' : featureUse(name, options);
      if ((use === 'topic' || use === 'doc') && (Array.isArray(value) || isRecord(value))) {
        log.add('wrong shape', line, () => `expected text or a number as ${name}, found ${shownValue(value)}`);
        return;
      }
      if (use === 'topic') query = idOf(value);
      else if (use === 'doc') doc = idOf(value);
      else if (use === 'label') label = typeof value === 'string' ? Number.NaN : numberOf(value);
      else if (use === 'nested' && value !== null) {
        const named = Array.isArray(value)
          ? value.map((item, i) => [String(i + 1), item] as const)
          : Object.entries(value as Readonly<Record<string, RecordValue>>);
        if (Array.isArray(value)) this.numbered = true;
        const isNeeded = (inner: string): boolean => this.numbered || options.known?.has(inner) !== false;
        for (const [inner, item] of named) if (isNeeded(inner) && !addFeature(inner, item)) return;
      } else if (use === 'feature' && !addFeature(name, value)) return;
    }
    if (query === undefined || query === '') {
      log.add('missing field', line, () => 'has no field for the query', '--columns topic=NAME says which it is');
    } else if (label === undefined && options.labelled !== false) {
      log.add('missing field', line, () => 'has no field for the label', '--columns label=NAME says which it is');
    } else if (label !== undefined && !Number.isFinite(label)) {
      log.add('not a finite number', line, () => 'expected a finite number as label');
    } else {
      for (const [name, value] of cells) this.rows.addCell(this.columnOf(name), value);
      this.rows.addRow(query, label ?? 0, doc, line);
    }
  }

  finish(sawBytes: boolean): FeatureTableReading {
    const skipped = this.log.close(this.rows.numRows, 'records with fields for query, label and features', sawBytes);
    return { matrix: this.rows.finish(this.numbered ? undefined : [...this.columns.keys()], this.columns.size), skipped };
  }

  private columnOf(name: string): number {
    const known = this.columns.get(name);
    if (known !== undefined) return known;
    this.columns.set(name, this.columns.size);
    return this.columns.size - 1;
  }
}

function isRecord(value: RecordValue): value is { readonly [key: string]: RecordValue } {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function numberOf(value: RecordValue): number {
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint' ? Number(value) : Number.NaN;
}

/** What can name a query or a document; undefined for what cannot. */
function idOf(value: RecordValue): string | undefined {
  return value === null || value === undefined || typeof value === 'object' ? undefined : String(value);
}

function shownValue(value: RecordValue): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  return printable(typeof value === 'string' ? JSON.stringify(value) : String(value), 60);
}

class FeatureJsonReader implements ChunkReader<FeatureTableReading> {
  private readonly records: FeatureRecords;
  private readonly lines: WholeLines;
  private isArray: boolean | undefined;
  /** The text of an array, which is understood as a whole. */
  private readonly arrayParts: string[] = [];
  private arrayBytes = 0;
  private readonly decoder = new TextDecoder('utf-8');
  private line = 1;
  private sawBytes = false;

  constructor(options: FeatureTableOptions) {
    this.records = new FeatureRecords(options);
    this.lines = new WholeLines(
      (bytes, start, end) => this.addLines(bytes, start, end),
      (message) => this.records.log.fatal(`${message}, expected a record on each line`, CHECK_TEXT, this.line),
    );
  }

  push(chunk: Uint8Array): void {
    if (chunk.length > 0) this.sawBytes = true;
    const first = this.isArray === undefined ? chunk.find((byte) => byte > 32) : undefined;
    if (first !== undefined) this.isArray = first === 91;
    if (this.isArray === true) this.addPart(chunk);
    else this.lines.push(chunk);
  }

  finish(): FeatureTableReading {
    if (this.isArray === true) this.addArray(this.arrayParts.join('') + this.decoder.decode());
    else this.lines.finish();
    return this.records.finish(this.sawBytes);
  }

  private addPart(chunk: Uint8Array): void {
    this.arrayBytes += chunk.length;
    checkWholeFile(this.records.log.source, this.arrayBytes);
    this.arrayParts.push(this.decoder.decode(chunk, { stream: true }));
  }

  private addLines(bytes: Uint8Array, start: number, end: number): void {
    for (let from = start; from < end; this.line++) {
      const lineEnd = bytes.indexOf(10, from);
      const text = readText(bytes, from, lineEnd).trim();
      if (text !== '' && !text.startsWith('#')) this.addText(text);
      from = lineEnd + 1;
    }
  }

  private addText(text: string): void {
    let record: RecordValue;
    try {
      record = JSON.parse(text) as RecordValue;
    } catch {
      this.records.log.add('broken JSON', this.line, () => `is not JSON: ${jsonProblem(text)}`);
      return;
    }
    this.records.add(record, this.line);
  }

  private addArray(text: string): void {
    let records: readonly RecordValue[];
    try {
      records = JSON.parse(text) as readonly RecordValue[];
    } catch {
      throw this.records.log.fatal(`is not JSON: ${jsonProblem(text)}`);
    }
    // records are counted, because their lines are not known
    for (const [i, record] of records.entries()) this.records.add(record, i + 1);
  }
}
