/** Reads sources in any format: what a file is shows in its content, and every platform comes through here. */
import { checkWholeFile } from '../core/limits.js';
import { InputError, namingSource } from '../core/problem.js';
import { type TestLists, testLists } from '../core/ranked-lists.js';
import type { Run } from '../core/run.js';
import type { ScoreTable } from '../core/score-table.js';
import { cannotHold, type Format, findFormat, inferFormat } from './format.js';
import { createPredictionsReader } from './letor/number-lines.js';
import type { LetorOptions } from './letor/options.js';
import type { LetorReading } from './letor/parser.js';
import { createLetorReader } from './letor/reader.js';
import { type ChunkReader, nothingSkipped, type QrelsReading, type ReadOptions, type RunReading } from './reader.js';
import { isScoreTable, looksLikeScores, parseScoreFile } from './scores/score-file.js';
import { kindOfColumns, looksLikeLetor, looksLikeNumbers } from './sniff.js';
import { type ByteSource, joined, type OpenedSource, openSource, plainChunks } from './source.js';
import type { TableKind } from './tables/columns.js';
import {
  isParquet,
  type ParquetFile,
  type ParquetReadOptions,
  parquetColumnNames,
  parseParquetQrels,
  parseParquetRun,
  parseParquetScores,
} from './tables/parquet.js';

/** How a run or judgements are read from a source. */
export interface SourceReadOptions extends ParquetReadOptions {
  /** The name of a format, where neither the file's name nor its content tells which it is. */
  readonly format?: string | undefined;
  /** The lists of a learning-to-rank test file that took the place of judgements: a run may be one prediction for each of its data
   *  lines then. */
  readonly lists?: TestLists | undefined;
}

/** A source, or one whose beginning somebody has looked at already. */
export type Readable = ByteSource | OpenedSource;

/** A run, with what its file is. */
export type ReadRun = RunReading & { readonly format: string };

/** Judgements, or a learning-to-rank test file with its labels as judgements. */
export interface ReadJudgements extends QrelsReading {
  readonly format: string;
  readonly lists?: TestLists | undefined;
}

function opened(readable: Readable): Promise<OpenedSource> {
  return 'start' in readable ? Promise.resolve(readable) : openSource(readable);
}

/** Reads a run in any format and compression. One number per line is a run of `lists`.
 *  @throws An `InputError` that tells every problem, unless `lenient` is set. */
export async function readRun(readable: Readable, options: SourceReadOptions = {}): Promise<ReadRun> {
  const input = await opened(readable);
  const { lists, ...others } = options;
  if (others.format === undefined && looksLikeNumbers(input.start)) {
    if (lists === undefined) {
      await input.close();
      throw new InputError({
        source: input.source.name,
        message: 'holds one number per line, which is a prediction for a learning-to-rank test file',
        wayOut: 'give that test file instead of judgements',
      });
    }
    return { run: await readPredictedRun(input, lists), skipped: nothingSkipped, format: 'predictions' };
  }
  return await readTable(input, others, 'run', (format, how) => format.createRunReader?.(how), parseParquetRun);
}

/** Reads judgements in any format and compression. A learning-to-rank test file (LETOR, MSLR, SVMlight), recognised by its first
 *  line, is taken for the judgements that its labels are.
 *  @throws An `InputError` that tells every problem, unless `lenient` is set. */
export async function readJudgements(readable: Readable, options: SourceReadOptions = {}): Promise<ReadJudgements> {
  const input = await opened(readable);
  if (options.format === undefined && looksLikeLetor(input.start)) {
    const { matrix, skipped } = await readLetor(input, { features: false, lenient: options.lenient });
    const lists = testLists(matrix);
    return { qrels: lists.qrels, skipped, lists, format: 'letor' };
  }
  return await readTable(input, options, 'qrels', (format, how) => format.createQrelsReader?.(how), parseParquetQrels);
}

/** What a file holds, with what it is. */
export type ReadContent =
  | ({ readonly kind: 'run' } & ContentFormat & RunReading)
  | ({ readonly kind: 'judgements' } & ContentFormat & QrelsReading)
  | ({ readonly kind: 'features' } & ContentFormat & LetorReading)
  | ({ readonly kind: 'predictions'; readonly predictions: Float64Array } & ContentFormat);

interface ContentFormat {
  /** `trec-run`, `qrels`, `json` … */
  readonly format: string;
  /** True if the same file could also be read as the other kind, so that a person may have to say which it is. */
  readonly isAmbiguous: boolean;
}

/** What a file can turn out to hold. */
export type ContentKind = ReadContent['kind'];

/** Reads a file of which nobody has said what it holds. Where the content does not tell, its name may; otherwise it is taken for a
 *  run.
 *  @param as What a person said it is. */
export async function readContent(readable: Readable, as: ContentKind | undefined, options: SourceReadOptions = {}): Promise<ReadContent> {
  const input = await opened(readable);
  const { source, start } = input;
  if (start.length === 0) {
    await input.close();
    throw new InputError({ source: source.name, message: 'the file is empty', wayOut: 'choose another one' });
  }
  if (looksLikeLetor(start)) {
    const reading = await readLetor(input, { features: false, lenient: options.lenient });
    return { kind: 'features', format: 'letor', isAmbiguous: false, ...reading };
  }
  if (looksLikeNumbers(start)) {
    return { kind: 'predictions', format: 'numbers', isAmbiguous: false, predictions: await readPredictions(input) };
  }
  const recognised = isParquet(start)
    ? await withParts(input, async (file) => kindOfColumns(await parquetColumnNames(file, source.name))?.kind)
    : inferFormat(source.fileName ?? '', start, undefined, options.columns).kind;
  const told = as ?? (recognised === undefined ? undefined : recognised === 'run' ? 'run' : 'judgements');
  const isAmbiguous = recognised === undefined;
  if (told === 'judgements' || (told === undefined && /qrel|judg|gold|truth/i.test(source.fileName ?? ''))) {
    return { kind: 'judgements', isAmbiguous, ...(await readJudgements(input, options)) };
  }
  return { kind: 'run', isAmbiguous, ...(await readRun(input, options)) };
}

async function readTable<Reading>(
  input: OpenedSource,
  { format: formatName, lists: _, ...options }: SourceReadOptions,
  kind: TableKind,
  createReader: (format: Format, options: ReadOptions) => ChunkReader<Reading> | undefined,
  readColumnar: (file: ParquetFile, options: ParquetReadOptions) => Promise<Reading>,
): Promise<Reading & { readonly format: string }> {
  const { name, fileName = '', size } = input.source;
  try {
    const format =
      formatName === undefined ? inferFormat(fileName, input.start, kind, options.columns).format : findFormat(formatName, kind);
    const how = { name: nameOfRun(input.source, format), source: name, expectedBytes: size, ...withoutUndefined(options) };
    if (format.isColumnar) return { ...(await withParts(input, (file) => readColumnar(file, how))), format: format.name };
    const reader = createReader(format, how);
    if (reader === undefined) throw cannotHold(format, kind, name);
    return { ...(await readThrough(input, reader)), format: format.name };
  } finally {
    await input.close();
  }
}

/** What a run is called if its file does not say; undefined if it does. */
function nameOfRun({ fileName = 'run' }: ByteSource, format: Format): string | undefined {
  return format.name === 'trec-run' ? undefined : stemOf(fileName).replace(/\s+/g, '-') || 'run';
}

/** The name of a file without what tells its format and compression. */
function stemOf(fileName: string): string {
  return fileName.replace(/(\.[^.]+)?(\.(gz|zst|zstd))?$/i, '');
}

function withoutUndefined<Options extends object>(options: Options): Options {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Options;
}

/** Lets `read` have any part of a file: of a plain one only what it asks for, while a pipe and what comes out of a decompressor are
 *  read in full first. */
export async function withParts<Reading>(input: OpenedSource, read: (file: ParquetFile) => Promise<Reading>): Promise<Reading> {
  const { source, compression } = input;
  if (compression === undefined && source.openParts !== undefined) {
    const file = source.openParts();
    try {
      return await read(file);
    } finally {
      file.close();
    }
  }
  const { buffer, byteOffset, byteLength } = await restOf(input);
  return await read({ byteLength, slice: (start, end = byteLength) => buffer.slice(byteOffset + start, byteOffset + end) as ArrayBuffer });
}

/** Everything that is in a source, of which there must not be too much. */
async function restOf({ source, start, rest }: Pick<OpenedSource, 'source' | 'start' | 'rest'>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [start];
  let { length } = start;
  checkWholeFile(source.name, length);
  for await (const chunk of rest) {
    length += chunk.length;
    checkWholeFile(source.name, length);
    parts.push(chunk.slice());
  }
  return joined(parts, length);
}

/** A small file, such as a list of topics, as text. */
export async function readText(source: ByteSource): Promise<string> {
  return new TextDecoder().decode(await restOf({ source, start: new Uint8Array(0), rest: plainChunks(source) }));
}

/** Hands everything that is in a source to a reader of chunks. */
export async function readThrough<Reading>(readable: Readable, reader: ChunkReader<Reading>): Promise<Reading> {
  const input = await opened(readable);
  const { name } = input.source;
  try {
    namingSource(name, () => reader.push(input.start));
    for await (const chunk of input.rest) namingSource(name, () => reader.push(chunk));
    return namingSource(name, () => reader.finish());
  } finally {
    await input.close();
  }
}

/** Reads a learning-to-rank file: LETOR, MSLR or SVMlight. */
export async function readLetor(readable: Readable, options: LetorOptions = {}): Promise<LetorReading> {
  const input = await opened(readable);
  return await readThrough(input, createLetorReader({ ...options, source: input.source.name }));
}

/** Reads one number per line. */
export async function readPredictions(readable: Readable): Promise<Float64Array> {
  const input = await opened(readable);
  return await readThrough(input, createPredictionsReader({ source: input.source.name }));
}

/** Reads a system's predictions for a test file as a run, which is called as the file is. */
async function readPredictedRun(input: OpenedSource, lists: TestLists): Promise<Run> {
  const predictions = await readPredictions(input);
  const { name, fileName = 'run' } = input.source;
  return namingSource(name, () => lists.ranked(predictions, fileName));
}

/** What a table of scores does not say about itself. */
export interface ReadScoresOptions {
  /** What the scores of a topic × system table are scores of. */
  readonly measure?: string | undefined;
}

/** Reads scores that were computed before: a CSV, TSV or Parquet file with a row per topic and a column per system, or what
 *  `gradus eval -q` or trec_eval -q printed.
 *  @throws An `InputError` that tells every problem. */
export async function readScores(readable: Readable, options: ReadScoresOptions = {}): Promise<ScoreTable> {
  const input = await opened(readable);
  const { name, fileName = 'system' } = input.source;
  const about = { source: name, name: stemOf(fileName) || 'system', measure: options.measure };
  try {
    const bytes = await restOf(input);
    return isParquet(bytes) ? await parseParquetScores(bytes, about) : parseScoreFile(bytes, about);
  } finally {
    await input.close();
  }
}

/** Whether a source holds scores rather than a run. It can still be read afterwards. */
export async function holdsScores(input: OpenedSource): Promise<boolean> {
  if (!isParquet(input.start)) return looksLikeScores(input.start);
  // the names of the columns stand at the end of a file, where nobody looks who has to read it in order
  if (input.compression !== undefined || input.source.openParts === undefined) return false;
  return isScoreTable(await withParts(input, (file) => parquetColumnNames(file, input.source.name)));
}
