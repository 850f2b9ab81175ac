import type { GrowingFloats } from '../../core/growing-arrays.js';
import { IdTable } from '../../core/ids.js';
import { InputError } from '../../core/problem.js';
import type { Run } from '../../core/run.js';
import { equalBytes, readText } from '../../core/text.js';
import { type ChunkReader, type ReadOptions, type RunReading, readSized } from '../reader.js';
import { addNumberProblem, ReadingLog } from '../reading-log.js';
import { ranksOf, rowsOfRun } from '../tables/written-rows.js';
import { joinChunks } from '../text/byte-writer.js';
import { parseDecimal } from '../text/decimal.js';
import type { LineScanner } from '../text/line-scanner.js';
import { checkingStart } from '../text/text-start.js';
import { RunRows } from '../topic-rows.js';
import { addLines, LineFeed, type ScannedLines, type StrictLayout, strictLines } from './lines.js';
import { OrderHead } from './order.js';
import { writeLines } from './writer.js';

const runLayout: StrictLayout = {
  ...strictLines,
  topic: 0,
  doc: 2,
  number: 4,
  tag: 5,
  fields: 6,
  shape: 'topic Q0 document rank score tag',
  likely: {
    3: 'if all lines are topic, document and score: --columns topic=1,doc=2,score=3; --lenient skips such lines',
    4: 'four fields are judgements, which come before the run',
    5: 'write all six; the last one is any name for the run',
  },
};
const rankField = 3;
/** Bytes, to guess the number of lines from the length of a text. */
const TYPICAL_LINE = 44;

/** Reads a TREC run: lines of topic, `Q0`, document, rank, score and tag. The run's name is the tag of its last line. */
export function parseTrecRun(content: Uint8Array | string, options: ReadOptions = {}): RunReading {
  return readSized(createTrecRunReader, content, options);
}

/** Reads a TREC run, chunk by chunk. */
export function createTrecRunReader(options: ReadOptions = {}): ChunkReader<RunReading> {
  return checkingStart(new TrecRunReader(options), options);
}

/** Writes a TREC run, rows in the order of the run. Where the run has no ranks they are counted out by score. */
export function formatTrecRun(run: Run): Uint8Array {
  return joinChunks(writeTrecRun(run));
}

/** `formatTrecRun` in chunks. */
export function* writeTrecRun(run: Run): Generator<Uint8Array> {
  const rows = rowsOfRun(run);
  const tag = new IdTable();
  tag.intern(run.name);
  if (run.name === '') throw new InputError({ message: 'the run has no name to write as its tag', wayOut: 'give it one' });
  const ids = [
    { table: run.docs, of: run.docOf, what: 'document' },
    { table: tag, of: new Uint32Array(run.docOf.length), what: 'run name' }, // fits: entries
  ];
  let ranks: Uint32Array = new Uint32Array(0);
  yield* writeLines(rows, ids, (writer, row, topic) => {
    const start = run.offsets[topic];
    if (row === start) ranks = ranksOf(run.scores, start, run.offsets[topic + 1]);
    const rank = run.ranks?.[row] ?? Number.NaN;
    writer.text(' Q0 ');
    writer.id(run.docs, run.docOf[row]);
    writer.byte(32);
    writer.number(Number.isNaN(rank) ? ranks[row - start] : rank);
    writer.byte(32);
    writer.number(run.scores[row]);
    writer.byte(32);
    writer.id(tag, 0);
  });
}

class TrecRunReader implements ChunkReader<RunReading> {
  private readonly log: ReadingLog;
  private readonly feed: LineFeed;
  private readonly rows: RunRows;
  private readonly name: string | undefined;
  private tag: Uint8Array = new Uint8Array(0);
  private readonly head: OrderHead = new OrderHead();

  constructor(options: ReadOptions) {
    this.log = new ReadingLog(options);
    this.rows = new RunRows(options, (options.expectedBytes ?? 0) / TYPICAL_LINE);
    this.name = options.name;
    const layout = options.ranks ? { ...runLayout, kept: [rankField] } : runLayout;
    this.feed = new LineFeed(layout, this.log, (lines) => this.take(lines), options.wasm, true);
  }

  push(chunk: Uint8Array): void {
    this.head.push(chunk);
    this.feed.push(chunk);
  }

  finish(): RunReading {
    this.feed.finish();
    const run = this.rows.finish(this.name ?? readText(this.tag, 0, this.tag.length), this.log);
    const notes = this.head.notes();
    return { run: { ...run, notes }, skipped: this.log.close(run.scores.length, `lines of ${runLayout.shape}`, this.feed.sawBytes) };
  }

  private take(lines: ScannedLines): void {
    const { scanner } = lines;
    const { bytes, tagStart, tagEnd } = scanner;
    const { ranks } = this.rows;
    addLines(lines, this.rows, this.log, 'score', ranks && ((i, line) => this.keepRank(scanner, ranks, i, line)));
    if (!equalBytes(this.tag, 0, this.tag.length, bytes, tagStart, tagEnd)) this.tag = bytes.slice(tagStart, tagEnd);
  }

  private keepRank(scanner: LineScanner, ranks: GrowingFloats, i: number, line: number): boolean {
    const start = scanner.keptStart[0][i];
    const end = scanner.keptEnd[0][i];
    const rank = parseDecimal(scanner.bytes, start, end);
    if (Number.isFinite(rank)) ranks.push(rank);
    else addNumberProblem(this.log, line, 'rank', scanner.bytes, start, end);
    return Number.isFinite(rank);
  }
}
