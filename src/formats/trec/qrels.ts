import { InputError } from '../../core/problem.js';
import type { GroupColumn, Qrels } from '../../core/qrels.js';
import { type ChunkReader, type QrelsReading, type ReadOptions, readSized } from '../reader.js';
import { ReadingLog } from '../reading-log.js';
import { rowsOfQrels } from '../tables/written-rows.js';
import { type ByteWriter, joinChunks } from '../text/byte-writer.js';
import { checkingStart } from '../text/text-start.js';
import { type GroupRows, QrelsRows } from '../topic-rows.js';
import { addLines, LineFeed, type ScannedLines, type StrictLayout, strictLines } from './lines.js';
import { writeLines } from './writer.js';

/** The four kinds of judgement files, by the names trec_eval gave them. `qrels` and `qrels_jg` differ in whether the
 *  second column is kept; `qrels_prefs` looks like `qrels_jg`, and `prefs` has one column more. */
export type QrelsKind = 'qrels' | 'qrels_jg' | 'prefs' | 'qrels_prefs';

/** Bytes, to guess the number of lines from the length of a text. */
const TYPICAL_LINE = 24;

const aRun = 'six fields are a run, which comes after the judgements';

const qrelsLayout: StrictLayout = {
  ...strictLines,
  topic: 0,
  doc: 2,
  number: 3,
  fields: 4,
  shape: 'topic iteration document grade',
  likely: { 5: 'five fields are preferences (prefs); --lenient skips such lines', 6: aRun },
};
const layouts: Readonly<Record<QrelsKind, StrictLayout>> = {
  qrels: qrelsLayout,
  qrels_jg: { ...qrelsLayout, kept: [1], shape: 'topic group document grade' },
  qrels_prefs: { ...qrelsLayout, kept: [1], shape: 'topic group document grade' },
  prefs: {
    ...strictLines,
    topic: 0,
    kept: [1, 2],
    doc: 3,
    number: 4,
    fields: 5,
    shape: 'topic group sub-group document grade',
    likely: { 4: 'four fields are qrels; --lenient skips such lines', 6: aRun },
  },
};

/** Reads judgements: lines of topic, iteration, document and grade. Grades may be any real number. */
export function parseTrecQrels(content: Uint8Array | string, options: ReadOptions = {}): QrelsReading {
  return readSized((complete) => createTrecQrelsReader('qrels', complete), content, options);
}

/** Reads judgements by several groups of judges, or on several subtopics: lines of topic, group, document and grade. */
export function parseTrecQrelsGroups(content: Uint8Array | string, options: ReadOptions = {}): QrelsReading {
  return readSized((complete) => createTrecQrelsReader('qrels_jg', complete), content, options);
}

/** Reads preferences: lines of topic, group, sub-group, document and grade. */
export function parseTrecPrefs(content: Uint8Array | string, options: ReadOptions = {}): QrelsReading {
  return readSized((complete) => createTrecQrelsReader('prefs', complete), content, options);
}

/** Reads preferences that are written as judgements: lines of topic, group, document and grade. */
export function parseTrecQrelsPrefs(content: Uint8Array | string, options: ReadOptions = {}): QrelsReading {
  return readSized((complete) => createTrecQrelsReader('qrels_prefs', complete), content, options);
}

/** Reads judgements in one of the formats of trec_eval, chunk by chunk. */
export function createTrecQrelsReader(kind: QrelsKind, options: ReadOptions = {}): ChunkReader<QrelsReading> {
  return checkingStart(new TrecQrelsReader(kind === 'qrels' && options.groups ? 'qrels_jg' : kind, options), options);
}

/** Writes judgements in one of the four kinds of files. A column that the judgements do not have is written as 0. */
export function formatTrecQrels(qrels: Qrels, kind: QrelsKind = 'qrels'): Uint8Array {
  return joinChunks(writeTrecQrels(qrels, kind));
}

/** `formatTrecQrels` in chunks. */
export function* writeTrecQrels(qrels: Qrels, kind: QrelsKind = 'qrels'): Generator<Uint8Array> {
  const rows = rowsOfQrels(qrels);
  const ids = [{ table: qrels.docs, of: qrels.docOf, what: 'document' }];
  const { groups, subgroups } = qrels;
  if (subgroups !== undefined && kind !== 'prefs') {
    throw new InputError({
      message: `the judgements have sub-groups, which ${kind} files cannot hold`,
      wayOut: 'prefs, JSON, JSONL and CSV can',
    });
  }
  if (groups !== undefined) ids.push({ table: groups.ids, of: groups.of, what: 'group' });
  if (subgroups !== undefined) ids.push({ table: subgroups.ids, of: subgroups.of, what: 'sub-group' });
  yield* writeLines(rows, ids, (writer, row) => {
    writeGroup(writer, groups, row);
    if (kind === 'prefs') writeGroup(writer, subgroups, row);
    writer.byte(32);
    writer.id(qrels.docs, qrels.docOf[row]);
    writer.byte(32);
    writer.number(qrels.grades[row]);
  });
}

function writeGroup(writer: ByteWriter, column: GroupColumn | undefined, row: number): void {
  writer.byte(32);
  if (column === undefined) writer.byte(48);
  else writer.id(column.ids, column.of[row]);
}

class TrecQrelsReader implements ChunkReader<QrelsReading> {
  private readonly log: ReadingLog;
  private readonly layout: StrictLayout;
  private readonly feed: LineFeed;
  private readonly rows: QrelsRows;

  constructor(kind: QrelsKind, options: ReadOptions) {
    this.log = new ReadingLog(options);
    this.layout = layouts[kind];
    this.rows = new QrelsRows({ groups: kind !== 'qrels', subgroups: kind === 'prefs' }, (options.expectedBytes ?? 0) / TYPICAL_LINE);
    this.feed = new LineFeed(this.layout, this.log, (lines) => this.take(lines), options.wasm, true);
  }

  push(chunk: Uint8Array): void {
    this.feed.push(chunk);
  }

  finish(): QrelsReading {
    this.feed.finish();
    const qrels = this.rows.finish(this.log);
    return { qrels, skipped: this.log.close(qrels.grades.length, `lines of ${this.layout.shape}`, this.feed.sawBytes) };
  }

  private take(lines: ScannedLines): void {
    const { groups, subgroups } = this.rows;
    const keep = (i: number): boolean => {
      keepGroup(groups, lines, 0, i);
      keepGroup(subgroups, lines, 1, i);
      return true;
    };
    addLines(lines, this.rows, this.log, 'grade', groups && keep);
  }
}

function keepGroup(column: GroupRows | undefined, { scanner }: ScannedLines, field: number, i: number): void {
  column?.add(scanner.bytes, scanner.keptStart[field][i], scanner.keptEnd[field][i]);
}
