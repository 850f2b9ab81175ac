import type { Ids } from '../../core/ids.js';
import { InputError } from '../../core/problem.js';
import type { Qrels } from '../../core/qrels.js';
import type { Run } from '../../core/run.js';
import { readText } from '../../core/text.js';
import { type ChunkReader, type QrelsReading, type ReadOptions, type RunReading, readSized } from '../reader.js';
import { shown } from '../reading-log.js';
import { ByteWriter, joinChunks } from '../text/byte-writer.js';
import { checkingStart } from '../text/text-start.js';
import {
  areCounted,
  columnChoice,
  columnsAdvice,
  endsRowsEarly,
  isQuepidExport,
  lackingText,
  missingRoles,
  neededText,
  placeColumns,
  type Role,
  roleOf,
  roles,
  runColumnOf,
} from './columns.js';
import type { CsvHandler } from './csv-records.js';
import { CsvText, replaceDecimalComma } from './csv-text.js';
import { QrelsTable, RecordFields, RunTable, type Table } from './table.js';
import { fieldsOf, IdCheck, rowsOfQrels, rowsOfRun, type WrittenRows } from './written-rows.js';

/** Reads a run from CSV with commas or semicolons, or, with `delimiter: '\t'`, from TSV. The header names the columns, or `columns` does. */
export function parseCsvRun(content: Uint8Array | string, options: ReadOptions = {}): RunReading {
  return readSized(createCsvRunReader, content, options);
}

/** Reads judgements from CSV or TSV. */
export function parseCsvQrels(content: Uint8Array | string, options: ReadOptions = {}): QrelsReading {
  return readSized(createCsvQrelsReader, content, options);
}

/** Reads a run from CSV or TSV, chunk by chunk. */
export function createCsvRunReader(options: ReadOptions = {}): ChunkReader<RunReading> {
  return checkingStart(new CsvReader(new RunTable(options), options), options);
}

/** Reads judgements from CSV or TSV, chunk by chunk. */
export function createCsvQrelsReader(options: ReadOptions = {}): ChunkReader<QrelsReading> {
  return checkingStart(new CsvReader(new QrelsTable(options), options), options);
}

/** Messages list at most this many names of runs. */
const MOST_RUNS = 20;
const TOPIC = roles.indexOf('topic');
const DOC = roles.indexOf('doc');
const VALUES = (['score', 'rank', 'grade'] as const).map((role) => roles.indexOf(role));
const shownRun = (name: string): string => name.slice(0, 100);

class CsvReader<Reading> implements ChunkReader<Reading>, CsvHandler {
  private readonly table: Table<Reading>;
  private readonly records: CsvText;
  private readonly hasHeader: boolean;
  private readonly fields: RecordFields = new RecordFields();
  /** The column of each role, or -1; undefined until the header has come. */
  private places: Int32Array | undefined;
  /** How many columns there are, or must be at least. */
  private numColumns = 0;
  private sawBytes = false;
  private sawNul = false;
  /** The column that names the run, or -1, and the names found there. */
  private runColumn = -1;
  private readonly runs: Set<string> = new Set();
  /** The column that names the run if documents repeat, or -1, and the names found there. */
  private perhapsRunColumn = -1;
  private readonly perhapsRuns: Set<string> = new Set();
  private readonly wantedRun: string | undefined;
  private readonly onChoice: ReadOptions['onChoice'];
  private endsEarly = false;
  private isQuepid = false;

  constructor(table: Table<Reading>, options: ReadOptions) {
    this.table = table;
    this.hasHeader = options.header ?? !areCounted(options.columns, table.kind);
    this.wantedRun = options.run;
    this.onChoice = options.onChoice;
    const { delimiter, quotes = true } = options;
    this.records = new CsvText(this, delimiter === undefined ? undefined : delimiterByte(delimiter), quotes);
    if (!this.hasHeader) this.usePlaces(undefined, 1);
  }

  push(chunk: Uint8Array): void {
    if (chunk.length > 0) this.sawBytes = true;
    if (!this.sawNul && chunk.includes(0)) this.sawNul = true;
    this.records.push(chunk);
  }

  finish(): Reading {
    this.records.finish();
    this.checkRuns();
    const onlyHeader = this.hasHeader && this.places !== undefined;
    const expected = `columns for ${neededText(this.table.kind)}`;
    try {
      return this.table.finish(expected, this.sawBytes, onlyHeader ? 'holds nothing but a header' : undefined);
    } catch (error) {
      throw this.perhapsRuns.size > 1 && this.table.log.hasDuplicates ? this.severalRuns([...this.perhapsRuns]) : error;
    }
  }

  record(text: Uint8Array, ends: Uint32Array, numFields: number, line: number): void {
    const { places, fields } = this;
    if (places === undefined) {
      const names = Array.from({ length: numFields }, (_, k) => readText(text, k === 0 ? 0 : ends[k - 1], ends[k]).trim());
      this.numColumns = numFields;
      this.usePlaces(names, line);
      return;
    }
    const { log } = this.table;
    if (this.endsEarly && numFields === places[DOC]) {
      this.table.addTopic(text, places[TOPIC] === 0 ? 0 : ends[places[TOPIC] - 1], ends[places[TOPIC]]);
      return;
    }
    if (this.hasHeader ? numFields !== this.numColumns : numFields < this.numColumns) {
      log.add(
        'wrong number of fields',
        line,
        () =>
          `expected ${this.hasHeader ? '' : 'at least '}${this.numColumns} fields${this.hasHeader ? ' as in the header' : ''}, found ${numFields}`,
      );
      return;
    }
    if (this.sawNul && text.subarray(0, ends[numFields - 1]).includes(0)) {
      log.add('NUL byte', line, () => 'holds a NUL byte, expected text');
      return;
    }
    if (this.runColumn >= 0 && !this.isWanted(text, ends)) return;
    if (this.perhapsRunColumn >= 0 && this.perhapsRuns.size < MOST_RUNS) this.perhapsRuns.add(cellOf(text, ends, this.perhapsRunColumn));
    fields.bytes = text;
    for (let role = 0; role < places.length; role++) {
      const place = places[role];
      if (place >= 0) fields.set(role, place === 0 ? 0 : ends[place - 1], ends[place]);
    }
    if (this.isQuepid) mendQuepidQuery(fields);
    if (this.records.hasDecimalCommas) {
      for (const role of VALUES) if (places[role] >= 0) replaceDecimalComma(text, fields.starts[role], fields.ends[role]);
    }
    this.table.add(fields, line);
  }

  /** Whether a row belongs to the run that is wanted. */
  private isWanted(text: Uint8Array, ends: Uint32Array): boolean {
    const run = cellOf(text, ends, this.runColumn);
    if (this.runs.size < MOST_RUNS) this.runs.add(run);
    return this.wantedRun === undefined || this.wantedRun === run;
  }

  private checkRuns(): void {
    const names = [...this.runs];
    if (this.wantedRun !== undefined && names.length > 0) {
      this.onChoice?.('run');
      if (!names.includes(this.wantedRun) && names.length < MOST_RUNS) {
        const found = `there ${names.length === 1 ? 'is' : 'are'} ${names.map(shownRun).join(', ')}`;
        throw this.table.log.fatal(`holds no run ${this.wantedRun}`, found);
      }
    }
    if (this.wantedRun === undefined && names.length > 1) throw this.severalRuns(names);
  }

  private severalRuns(names: readonly string[]): Error {
    const count = names.length < MOST_RUNS ? names.length : `at least ${MOST_RUNS}`;
    return this.table.log.only(`holds ${count} runs (${names.map(shownRun).join(', ')})`, '--run NAME picks one', 0);
  }

  broken(message: string, line: number): void {
    this.table.log.add('broken quotes', line, () => message, 'quotes within quotes are doubled; --lenient skips such lines');
  }

  fatal(message: string, wayOut: string, line: number): Error {
    return this.table.log.fatal(message, wayOut, line);
  }

  /** The error that the header does not name all columns that are needed. */
  private lacking(missing: readonly (readonly Role[])[], header: readonly string[], line: number): Error {
    const { kind, columns, log } = this.table;
    const other = header.length === 1 ? /[|]/.exec(header[0])?.[0] : undefined;
    if (other !== undefined) {
      const wayOut = `gradus convert --delimiter '${other}' rewrites a file whose fields are separated like that`;
      return log.fatal(lackingText(missing, header), wayOut, line);
    }
    const isHeaderless =
      header.length >= 3 && header.every((name) => roleOf(name) === undefined) && header.some((name) => number.test(name));
    if (!isHeaderless || columns !== undefined) {
      return log.fatal(lackingText(missing, header), columnsAdvice(missing, columns, { canCount: true, kind, names: header }), line);
    }
    const graded = '--columns topic=1,doc=2,grade=3';
    const ranked = '--columns topic=1,doc=2,rank=3 if 1 is best';
    const couldBe = header.length === 3 && number.test(header[2]);
    return log.fatal(
      couldBe
        ? 'has no header, and columns 1 to 3 could be topic, document and grade or topic, document and rank'
        : `has no header: the first line is ${header.slice(0, 20).map(shownText).join(', ')}`,
      kind === 'qrels'
        ? `say what it is: ${graded} if they are grades`
        : `say what it is: ${ranked}, --columns topic=1,doc=2,score=3 if larger is better`,
      line,
    );
  }

  /** Finds out which column is what. */
  private usePlaces(header: readonly string[] | undefined, line: number): void {
    const { kind, columns, onColumn, log } = this.table;
    const places = placeColumns(header, kind, columns, onColumn);
    const missing = missingRoles(kind, (role) => places.has(role), columns);
    const found = header === undefined ? '' : `, found ${header.slice(0, 20).map(shownText).join(', ')}`;
    if (missing.length > 0) throw this.lacking(missing, header ?? [], line);
    const highest = Math.max(...places.values()) + 1;
    if (header !== undefined && highest > header.length) {
      throw log.fatal(`expected at least ${highest} columns${found}`, 'columns are counted from 1', line);
    }
    if (header === undefined) this.numColumns = highest;
    if (header !== undefined && kind === 'run') {
      this.runColumn = runColumnOf(header);
      const perhaps = this.runColumn < 0 ? runColumnOf(header, false) : -1;
      if (this.wantedRun === undefined) this.perhapsRunColumn = perhaps;
      else if (this.runColumn < 0) this.runColumn = perhaps;
    }
    this.endsEarly = header !== undefined && endsRowsEarly(header) && (places.get('topic') ?? -1) < (places.get('doc') ?? -1);
    this.isQuepid = header !== undefined && isQuepidExport(header);
    for (const role of ['rank', 'score'] as const) {
      const place = places.get(role);
      if (place !== undefined) this.table.choices[role] = columnChoice(role, header?.[place] ?? '', place);
    }
    this.places = Int32Array.from(roles, (role) => places.get(role) ?? -1); // fits: columns, at most limits.columns, or -1
  }
}

function cellOf(text: Uint8Array, ends: Uint32Array, place: number): string {
  return readText(text, place === 0 ? 0 : ends[place - 1], ends[place]);
}

/** Takes the blank away that Quepid puts before a query that looks like a formula, and one of each two quotes, which it doubles without
 *  putting the cell in quotes. */
function mendQuepidQuery(fields: RecordFields): void {
  fields.trim(TOPIC);
  const { bytes, starts, ends } = fields;
  let to = starts[TOPIC];
  for (let at = starts[TOPIC]; at < ends[TOPIC]; at++) {
    bytes[to++] = bytes[at];
    if (bytes[at] === QUOTE && bytes[at + 1] === QUOTE && at + 1 < ends[TOPIC]) at++;
  }
  ends[TOPIC] = to;
}

const QUOTE = 34;

/** A number as it stands in a row, where a header would have a name. */
const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

function shownText(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return shown(bytes, 0, bytes.length);
}

function delimiterByte(delimiter: string): number {
  const code = delimiter.length === 1 ? delimiter.charCodeAt(0) : 0;
  if (code === 0 || code > 126 || code === 10 || code === 13 || code === 34) {
    throw new InputError({ message: `invalid delimiter: "${delimiter}"`, wayOut: 'give one character, such as , or ;' });
  }
  return code;
}

/** Writes a run as CSV (or with another delimiter), with the columns query_id, doc_id, score and, if it has ranks, rank.
 *  The run's name is not written. Ids are data: one that begins with `=`, `+`, `-` or `@` is written as it is, because
 *  anything put before it would come back as part of the id; do not open files with ids from strangers in a spreadsheet. */
export function formatCsvRun(run: Run, delimiter = ','): Uint8Array {
  return joinChunks(writeCsv(rowsOfRun(run), delimiter));
}

/** Writes judgements as CSV, with the columns query_id, doc_id, relevance and, if they have groups, iteration. */
export function formatCsvQrels(qrels: Qrels, delimiter = ','): Uint8Array {
  return joinChunks(writeCsv(rowsOfQrels(qrels), delimiter));
}

/** CSV in chunks.
 *  @param header What the columns are called instead of the usual names. */
export function* writeCsv(rows: WrittenRows, delimiter = ',', header?: readonly string[]): Generator<Uint8Array> {
  const { topics, docs, offsets, docOf } = rows;
  const comma = delimiterByte(delimiter);
  const writer = new ByteWriter();
  const nul = (byte: number): string | undefined => (byte === 0 ? 'holds a NUL byte, which CSV cannot have' : undefined);
  const wayOut = 'JSON and JSONL can hold any text';
  const topicCheck = new IdCheck(topics, 'topic', nul, wayOut);
  const docCheck = new IdCheck(docs, 'document', nul, wayOut);
  const fields = fieldsOf(rows).map((field) => ({ ...field, check: field.ids && new IdCheck(field.ids.table, field.name, nul, wayOut) }));
  writer.text((header ?? ['query_id', 'doc_id', ...fields.map((field) => field.name)]).join(delimiter));
  writer.byte(10);
  for (let topic = 0; topic < topics.size; topic++) {
    if (offsets[topic] < offsets[topic + 1]) topicCheck.check(topic);
    for (let row = offsets[topic]; row < offsets[topic + 1]; row++) {
      docCheck.check(docOf[row]);
      writeField(writer, topics, topic, comma);
      writer.byte(comma);
      writeField(writer, docs, docOf[row], comma);
      for (const { ids, numbers, check } of fields) {
        writer.byte(comma);
        if (ids !== undefined) {
          check?.check(ids.of[row]);
          writeField(writer, ids.table, ids.of[row], comma);
        } else if (numbers !== undefined && !Number.isNaN(numbers[row])) writer.number(numbers[row]);
      }
      writer.byte(10);
      const chunk = writer.takeFull();
      if (chunk !== undefined) yield chunk;
    }
  }
  yield writer.take();
}

/** An id, in quotes if it would not come back without them. */
function writeField(writer: ByteWriter, ids: Ids, id: number, comma: number): void {
  const { bytes, offsets } = ids;
  const start = offsets[id];
  const end = offsets[id + 1];
  // a # at the start of a line would make it a comment
  let plain = bytes[start] !== 35;
  for (let at = start; at < end && plain; at++) {
    const byte = bytes[at];
    plain = byte !== comma && byte !== 34 && byte !== 10 && byte !== 13;
  }
  if (plain) {
    writer.part(bytes, start, end);
    return;
  }
  writer.byte(34);
  for (let at = start; at < end; at++) {
    if (bytes[at] === 34) writer.byte(34);
    writer.byte(bytes[at]);
  }
  writer.byte(34);
}
