import type { Qrels } from '../../core/qrels.js';
import type { Run } from '../../core/run.js';
import { type ChunkReader, type QrelsReading, type ReadOptions, type RunReading, readSized } from '../reader.js';
import { ByteWriter, joinChunks } from '../text/byte-writer.js';
import { CHECK_TEXT, LineLengths, tooLong } from '../text/line-lengths.js';
import { checkingStart } from '../text/text-start.js';
import { JsonRecords } from './json-records.js';
import { writeJsonId } from './json-text.js';
import { JsonError, JsonTokens } from './json-tokens.js';
import { QrelsTable, RunTable, type Table } from './table.js';
import { fieldsOf, rowsOfQrels, rowsOfRun, type WrittenRows } from './written-rows.js';

const LF = 10;
const HASH_SIGN = 35;

/** Reads a run from JSON lines: a record with fields for topic, document, score and perhaps rank on each line. */
export function parseJsonlRun(content: Uint8Array | string, options: ReadOptions = {}): RunReading {
  return readSized(createJsonlRunReader, content, options);
}

/** Reads judgements from JSON lines: a record with fields for topic, document, grade and perhaps group on each line. */
export function parseJsonlQrels(content: Uint8Array | string, options: ReadOptions = {}): QrelsReading {
  return readSized(createJsonlQrelsReader, content, options);
}

/** Reads a run from JSON lines, chunk by chunk. */
export function createJsonlRunReader(options: ReadOptions = {}): ChunkReader<RunReading> {
  return checkingStart(new JsonlReader(new RunTable(options), 'a record of topic, document and score on each line'), options);
}

/** Reads judgements from JSON lines, chunk by chunk. */
export function createJsonlQrelsReader(options: ReadOptions = {}): ChunkReader<QrelsReading> {
  return checkingStart(new JsonlReader(new QrelsTable(options), 'a record of topic, document and grade on each line'), options);
}

/** Writes a run as JSON lines, with the fields query_id, doc_id, score and, if it has ranks, rank. The run's name is not
 *  written. */
export function formatJsonlRun(run: Run): Uint8Array {
  return joinChunks(writeJsonl(rowsOfRun(run)));
}

/** Writes judgements as JSON lines, with the fields query_id, doc_id, relevance and, if they have groups, iteration. */
export function formatJsonlQrels(qrels: Qrels): Uint8Array {
  return joinChunks(writeJsonl(rowsOfQrels(qrels)));
}

/** JSON lines in chunks. */
export function writeJsonl(rows: WrittenRows): Generator<Uint8Array> {
  return writeJsonRecords(rows, { before: '', between: '\n', after: '\n' });
}

/** Records one after another, with something around them. */
export function* writeJsonRecords(
  rows: WrittenRows,
  around: { readonly before: string; readonly between: string; readonly after: string },
): Generator<Uint8Array> {
  const { topics, docs, offsets, docOf } = rows;
  const fields = fieldsOf(rows);
  const writer = new ByteWriter();
  let before = around.before;
  for (let topic = 0; topic < topics.size; topic++) {
    for (let row = offsets[topic]; row < offsets[topic + 1]; row++) {
      writer.text(before);
      before = around.between;
      writer.text('{"query_id": ');
      writeJsonId(writer, topics, topic);
      writer.text(', "doc_id": ');
      writeJsonId(writer, docs, docOf[row]);
      for (const { name, ids, numbers } of fields) {
        if (numbers !== undefined && Number.isNaN(numbers[row])) continue; // no rank was given
        writer.text(`, "${name}": `);
        if (ids !== undefined) writeJsonId(writer, ids.table, ids.of[row]);
        else if (numbers !== undefined) writer.number(numbers[row]);
      }
      writer.byte(125);
      const chunk = writer.takeFull();
      if (chunk !== undefined) yield chunk;
    }
  }
  writer.text(before === around.before ? around.before + around.after : around.after);
  yield writer.take();
}

class JsonlReader<Reading> implements ChunkReader<Reading> {
  private readonly table: Table<Reading>;
  private readonly records: JsonRecords<Reading>;
  private readonly tokens: JsonTokens;
  private readonly expected: string;
  private readonly lengths: LineLengths = new LineLengths();
  private sawBytes = false;
  private line = 1;
  /** Whether the rest of the line is of no interest: a comment, or behind a mistake. */
  private skipping = false;

  constructor(table: Table<Reading>, expected: string) {
    this.table = table;
    this.expected = expected;
    this.records = new JsonRecords(table, true, () => this.line);
    this.tokens = new JsonTokens(this.records);
  }

  push(chunk: Uint8Array): void {
    const longLine = this.lengths.firstTooLong(chunk, 0, chunk.length);
    this.pushAllowed(longLine < 0 ? chunk : chunk.subarray(0, longLine));
    if (longLine >= 0) throw this.table.log.fatal(`${tooLong()}, expected ${this.expected}`, CHECK_TEXT, this.line);
  }

  private pushAllowed(chunk: Uint8Array): void {
    if (chunk.length > 0) this.sawBytes = true;
    let start = 0;
    for (let lineEnd = chunk.indexOf(LF); lineEnd >= 0; lineEnd = chunk.indexOf(LF, start)) {
      this.pushPart(chunk, start, lineEnd);
      this.endLine();
      start = lineEnd + 1;
    }
    this.pushPart(chunk, start, chunk.length);
  }

  finish(): Reading {
    this.endLine();
    return this.table.finish(this.expected, this.sawBytes);
  }

  private pushPart(chunk: Uint8Array, start: number, end: number): void {
    if (this.skipping) return;
    let from = start;
    if (this.tokens.isUntouched) {
      while (from < end && (chunk[from] === 32 || chunk[from] === 9 || chunk[from] === 13)) from++;
      if (chunk[from] === HASH_SIGN && from < end) {
        this.skipping = true;
        return;
      }
    }
    this.guarded(() => this.tokens.push(chunk, from, end));
  }

  private endLine(): void {
    if (!this.skipping) this.guarded(() => this.tokens.end());
    if (!this.skipping) this.records.flush();
    this.skipping = false;
    this.line++;
    this.tokens.restart();
    this.records.restart();
  }

  private guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
      this.skipping = true;
      this.table.log.add('broken JSON', this.line, () => `is not JSON: ${error.message}`);
    }
  }
}
