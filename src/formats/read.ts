/** Reads sources in any format: what a file is shows in its content, and every platform comes through here. */
import { InputError } from '../core/problem.js';
import type { ScoreTable } from '../core/score-table.js';
import { compressedEnding } from './compression.js';
import type { Content, Contents, Format, Reader } from './format.js';
import { headOf, isUngroupedLetor } from './head.js';
import type { FeatureOptions } from './letor/feature-options.js';
import { createPredictionsReader } from './letor/number-lines.js';
import type { LetorOptions } from './letor/options.js';
import type { LetorReading } from './letor/parser.js';
import { createLetorReader } from './letor/reader.js';
import { nothingSkipped, type QrelsReading, type ReadOptions, type RunReading, readAll, sourceOf, textBytes } from './reader.js';
import { inferFormat, type Recognised, recogniseSource } from './recognise.js';
import { cannotHold, findFormat } from './registry.js';
import type { ScoreFileOptions } from './scores/score-file.js';
import { type ByteSource, type OpenedSource, opened, type Readable, readThrough, withParts } from './source.js';
import type { TableKind } from './tables/columns.js';

/** How a run or judgements are read from a source, or from memory. */
export interface SourceReadOptions extends ReadOptions {
  /** The name of a format, where neither the file's name nor its content tells which it is. */
  readonly format?: string | undefined;
}

/** A run, with what its file is. */
export type ReadRun = RunReading & { readonly format: string };

/** Judgements, or a learning-to-rank test file with its labels as judgements, with what their file is. */
export type ReadJudgements = QrelsReading & { readonly format: string };

type Options<Name extends Content> = Parameters<Contents[Name]['read']>[0];
type Reading<Name extends Content> = ReturnType<Contents[Name]['read']>;

/** Reads a run in any format and compression. One number per line is a run of `lists`.
 *  @throws An `InputError` that tells every problem, unless `lenient` is set. */
export async function readRun(readable: Readable, options: SourceReadOptions = {}): Promise<ReadRun> {
  return await readTable(readable, 'run', options);
}

/** Reads judgements in any format and compression. A learning-to-rank test file (LETOR, MSLR, SVMlight), recognised by its first
 *  line, is taken for the judgements that its labels are.
 *  @throws An `InputError` that tells every problem, unless `lenient` is set. */
export async function readJudgements(readable: Readable, options: SourceReadOptions = {}): Promise<ReadJudgements> {
  return await readTable(readable, 'qrels', options);
}

async function readTable<Kind extends TableKind>(
  readable: Readable,
  kind: Kind,
  { format, ...options }: SourceReadOptions,
): Promise<Reading<Kind> & { readonly format: string }> {
  const optionsFor = (found: Recognised, { name: source, fileName, size: expectedBytes }: ByteSource): ReadOptions => {
    const fileStem = fileName === undefined ? undefined : stemOf(fileName);
    return { name: nameOfRun(fileName, found.format), source, expectedBytes, fileStem, ...withoutUndefined(options) };
  };
  const input = await opened(readable);
  const held = input.source.held?.[kind];
  if (held !== undefined) {
    await input.close();
    return { [kind]: held, skipped: nothingSkipped, format: 'memory' } as Reading<Kind> & { readonly format: string };
  }
  const groupSizes = kind === 'qrels' ? await sizesBeside(input) : undefined;
  const read = await readAs(input, kind, (found, source) => ({ ...optionsFor(found, source), groupSizes }), {
    format,
    columns: options.columns,
  });
  return { ...read.reading, format: read.format.name };
}

/** What a run is called if its file does not say; undefined if it does. */
function nameOfRun(fileName = 'run', { runName }: Format): string | undefined {
  if (runName === 'tag') return undefined;
  return runName === 'file' ? fileName : stemOf(fileName).replace(/\s+/g, '-') || 'run';
}

/** The name of a file without what tells its format and compression. */
function stemOf(fileName: string): string {
  return fileName.replace(compressedEnding, '').replace(/\.[^.]+$/, '');
}

function withoutUndefined<Options extends object>(options: Options): Options {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Options;
}

/** Reads documents with labels and features: LETOR or SVMlight, CSV, TSV, JSON, JSON lines or Parquet, compressed or not.
 *  @throws An `InputError` that tells every problem, unless `lenient` is set. */
export async function readFeatures(readable: Readable, options: FeatureOptions = {}): Promise<LetorReading> {
  const input = await opened(readable);
  const groupSizes = options.letor?.groupSizes ?? (await sizesBeside(input));
  const letor = groupSizes === undefined ? options.letor : { ...options.letor, groupSizes };
  const { reading } = await readAs(input, 'features', (_, { name: source, size: expectedBytes }) => {
    return { expectedBytes, ...withoutUndefined({ ...options, letor }), source };
  });
  return reading;
}

/** The sizes of queries from a file beside this one, which is closed if that file is no good. */
export async function sizesBeside(input: OpenedSource): Promise<Float64Array | undefined> {
  if (input.source.beside === undefined || !isUngroupedLetor(headOf(input.start))) return undefined;
  try {
    const { groupSizesBeside } = await import('./letor/group-file.js');
    return await groupSizesBeside(input.source);
  } catch (error) {
    await input.close();
    throw error;
  }
}

/** Reads scores that were computed before: a CSV, TSV or Parquet file with a row per topic and a column per system, or what
 *  `gradus eval -q` or trec_eval -q printed.
 *  @throws An `InputError` that tells every problem. */
export async function readScores(readable: Readable, { measure }: Pick<ScoreFileOptions, 'measure'> = {}): Promise<ScoreTable> {
  const { reading } = await readAs(readable, 'scores', (_, { name: source, fileName = 'system' }) => {
    return { source, name: stemOf(fileName) || 'system', measure };
  });
  return reading;
}

/** Reads a source by the format that it shows, or that somebody named. */
async function readAs<Name extends Content>(
  readable: Readable,
  content: Name,
  optionsFor: (found: Recognised, source: ByteSource) => Options<Name>,
  said: Pick<SourceReadOptions, 'format' | 'columns'> = {},
): Promise<{ readonly reading: Reading<Name>; readonly format: Format }> {
  const input = await opened(readable);
  const { source, start } = input;
  try {
    const found = formatFor(content, source.fileName ?? '', start, said);
    const reader = readerOf(found.format, content, source.name);
    const options = optionsFor(found, source);
    const reading =
      'byParts' in reader
        ? await withParts(input, (file) => reader.byParts(file, options))
        : await readThrough(input, reader.inOrder(options));
    return { reading, format: found.format };
  } finally {
    await input.close();
  }
}

function formatFor(
  content: Content,
  fileName: string,
  start: Uint8Array,
  { format, columns }: Pick<SourceReadOptions, 'format' | 'columns'>,
): Recognised {
  return format === undefined ? inferFormat(fileName, start, [content], columns) : { format: findFormat(format, content) };
}

function readerOf<Name extends Content>(format: Format, content: Name, source: string): Reader<Contents[Name]> {
  const reader = format.read[content];
  if (reader === undefined) throw cannotHold(format, content, source);
  return reader;
}

/** Reads a run that is in memory, in any format that need not be waited for. */
export function parseRun(content: Uint8Array | string, options: SourceReadOptions = {}): RunReading {
  return parse(content, 'run', options, options);
}

/** Reads judgements that are in memory, in any format that need not be waited for. */
export function parseQrels(content: Uint8Array | string, options: SourceReadOptions = {}): QrelsReading {
  return parse(content, 'qrels', options, options);
}

/** Reads scores that are in memory and were computed before.
 *  @throws An `InputError` that tells every problem: a topic that occurs twice, a value that is no number. */
export function parseScoreFile(content: Uint8Array | string, options: ScoreFileOptions = {}): ScoreTable {
  return parse(content, 'scores', options);
}

function parse<Name extends Content>(
  text: Uint8Array | string,
  content: Name,
  options: Options<Name>,
  said: Pick<SourceReadOptions, 'format' | 'columns'> = {},
): Reading<Name> {
  const bytes = typeof text === 'string' ? textBytes(text) : text;
  const source = sourceOf(options);
  const { format } = formatFor(content, source, bytes, said);
  const reader = readerOf(format, content, source);
  if ('inOrder' in reader) return readAll(reader.inOrder({ expectedBytes: bytes.length, ...options }), bytes);
  throw new InputError({
    source,
    message: `is ${format.name}, which cannot be read at once`,
    wayOut: 'await readRun, readJudgements or readScores of bytesSource(bytes)',
  });
}

/** Reads one number per line. */
export async function readPredictions(readable: Readable): Promise<Float64Array> {
  const input = await opened(readable);
  return await readThrough(input, createPredictionsReader({ source: input.source.name }));
}

/** Reads a learning-to-rank file: LETOR, MSLR or SVMlight. */
export async function readLetor(readable: Readable, options: LetorOptions = {}): Promise<LetorReading> {
  const input = await opened(readable);
  const groupSizes = options.groupSizes ?? (await sizesBeside(input));
  return await readThrough(input, createLetorReader({ ...options, groupSizes, source: input.source.name }));
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
  const asGiven = await opened(readable);
  const { source, start } = asGiven;
  const { name, fileName = '' } = source;
  if (start.length === 0) {
    await asGiven.close();
    throw new InputError({ source: name, message: 'the file is empty', wayOut: 'choose another one' });
  }
  const wanted = ['features', 'predictions', 'run', 'qrels'] as const;
  const { input, found } = await recogniseSource(asGiven, wanted, options.columns);
  const { format, content } = found ?? inferFormat(fileName, start, ['run'], options.columns);
  const isAmbiguous = content === undefined;
  const about = { format: format.name, isAmbiguous };
  if (content === 'features') {
    return { kind: content, ...about, ...(await readFeatures(input, { lenient: options.lenient, letor: { features: false } })) };
  }
  if (content === 'predictions') return { kind: content, ...about, predictions: await readPredictions(input) };
  const told = as ?? (isAmbiguous ? undefined : content === 'qrels' ? 'judgements' : 'run');
  if (told === 'judgements' || (told === undefined && /qrel|judg|gold|truth/i.test(fileName))) {
    return { kind: 'judgements', isAmbiguous, ...(await readJudgements(input, options)) };
  }
  return { kind: 'run', isAmbiguous, ...(await readRun(input, options)) };
}
