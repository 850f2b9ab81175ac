import type { Qrels } from '../../core/qrels.js';
import type { Run } from '../../core/run.js';
import { type ChunkReader, type QrelsReading, type ReadOptions, type RunReading, readSized } from '../reader.js';
import { ByteWriter, joinChunks } from '../text/byte-writer.js';
import { checkingStart } from '../text/text-start.js';
import { JsonRecords } from './json-records.js';
import { writeJsonId } from './json-text.js';
import { JsonError, JsonTokens } from './json-tokens.js';
import { writeJsonRecords } from './jsonl.js';
import { QrelsTable, RunTable, type Table } from './table.js';
import { byRank, rowsOfQrels, rowsOfRun, type WrittenRows } from './written-rows.js';

/** Reads a run from JSON: `{ topic: { document: score } }`, `{ topic: [document, …] }` with the best one first, or an array of
 *  records with fields for topic, document, and score or rank. */
export function parseJsonRun(content: Uint8Array | string, options: ReadOptions = {}): RunReading {
  return readSized(createJsonRunReader, content, options);
}

/** Reads judgements from JSON: `{ topic: { document: grade } }`, or an array of records. */
export function parseJsonQrels(content: Uint8Array | string, options: ReadOptions = {}): QrelsReading {
  return readSized(createJsonQrelsReader, content, options);
}

/** Reads a run from JSON, chunk by chunk: an object of topics, or an array of records. */
export function createJsonRunReader(options: ReadOptions = {}): ChunkReader<RunReading> {
  return checkingStart(
    new JsonReader(new RunTable(options), '{ topic: { document: score } }, { topic: [document, …] } or an array of records'),
    options,
  );
}

/** Reads judgements from JSON, chunk by chunk: an object of topics, or an array of records. */
export function createJsonQrelsReader(options: ReadOptions = {}): ChunkReader<QrelsReading> {
  return checkingStart(new JsonReader(new QrelsTable(options), '{ topic: { document: grade } } or an array of records'), options);
}

/** Writes a run as `{ topic: { document: score } }`, a topic per line, or, if it has ranks, as an array of records. A run that
 *  has ranks and no scores is written as `{ topic: [document, …] }`, the best one first. The run's name is not written. */
export function formatJsonRun(run: Run): Uint8Array {
  return joinChunks(writeJson(rowsOfRun(run)));
}

/** Writes judgements as `{ topic: { document: grade } }`, a topic per line, or, if they have groups, as an array of records. */
export function formatJsonQrels(qrels: Qrels): Uint8Array {
  return joinChunks(writeJson(rowsOfQrels(qrels)));
}

/** JSON in chunks. */
export function* writeJson(rows: WrittenRows): Generator<Uint8Array> {
  if ((rows.ranksOnly !== true && rows.ranks !== undefined) || rows.groups !== undefined) {
    yield* writeJsonRecords(rows, { before: '[\n', between: ',\n', after: '\n]\n' });
    return;
  }
  const { topics, docs, offsets, docOf, values } = rows;
  const writer = new ByteWriter();
  let before = '{\n';
  for (let topic = 0; topic < topics.size; topic++) {
    if (offsets[topic] === offsets[topic + 1]) continue;
    writer.text(before);
    before = ',\n';
    writeJsonId(writer, topics, topic);
    writer.text(rows.ranksOnly ? ': [' : ': {');
    const order = rows.ranksOnly ? byRank(values, offsets[topic], offsets[topic + 1]) : undefined;
    for (let row = offsets[topic]; row < offsets[topic + 1]; row++) {
      if (row > offsets[topic]) writer.text(', ');
      writeJsonId(writer, docs, docOf[order === undefined ? row : order[row - offsets[topic]]]);
      if (order === undefined) {
        writer.text(': ');
        writer.number(values[row]);
      }
      const chunk = writer.takeFull();
      if (chunk !== undefined) yield chunk;
    }
    writer.byte(rows.ranksOnly ? 93 : 125);
  }
  writer.text(before === '{\n' ? '{}\n' : '\n}\n');
  yield writer.take();
}

class JsonReader<Reading> implements ChunkReader<Reading> {
  private readonly table: Table<Reading>;
  private readonly tokens: JsonTokens;
  private readonly expected: string;
  private sawBytes = false;

  constructor(table: Table<Reading>, expected: string) {
    this.table = table;
    this.expected = expected;
    this.tokens = new JsonTokens(new JsonRecords(table, false, () => this.tokens.line));
  }

  push(chunk: Uint8Array): void {
    if (chunk.length > 0) this.sawBytes = true;
    this.guarded(() => this.tokens.push(chunk, 0, chunk.length));
  }

  finish(): Reading {
    this.guarded(() => this.tokens.end());
    return this.table.finish(this.expected, this.sawBytes, this.sawBytes ? 'holds no entries' : 'holds nothing');
  }

  /** JSON that is broken somewhere has no meaning after that place, so there is nothing to go on with. */
  private guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (!(error instanceof JsonError)) throw error;
      throw this.table.log.fatal(
        `is not JSON: ${error.message}`,
        'gradus convert --from jsonl reads a file with one record per line',
        this.tokens.line,
      );
    }
  }
}
