import { once } from 'node:events';
import { basename } from 'node:path';
import { escapeUnprintable, InputError, namingSource } from '../core/problem.js';
import type { Qrels } from '../core/qrels.js';
import type { TestLists } from '../core/ranked-lists.js';
import type { Run } from '../core/run.js';
import type { TableKind } from '../formats/columns.js';
import { cannotHold, canRead, type Format, findFormat, formatByName, formats, inferFormat } from '../formats/format.js';
import { isParquet, type ParquetFile, type ParquetReadOptions, parseParquetQrels, parseParquetRun } from '../formats/parquet.js';
import type { ChunkReader, QrelsReading, ReadOptions, RunReading, Skipped } from '../formats/reader.js';
import { HEAD_LENGTH, looksLikeLetor, looksLikeNumbers } from '../formats/sniff.js';
import { openInput, readFirst } from './files.js';
import { writeOutputFile } from './output-file.js';
import { DescriptorWriter } from './terminal.js';

export interface LoadOptions extends ParquetReadOptions {
  /** The name of a format, where neither the file's name nor its content tells which it is. */
  readonly format?: string | undefined;
  /** The file, if it has been opened already. */
  readonly input?: OpenedInput | undefined;
  /** The lists of a learning-to-rank test file that took the place of judgements: a run may be one prediction for each of its data
   *  lines then. */
  readonly lists?: TestLists | undefined;
}

/** A file of which the beginning has been read, to look at. */
export interface OpenedInput {
  /** What to call it in messages. */
  readonly source: string;
  /** How many bytes the file takes, where that is known. */
  readonly size?: number | undefined;
  readonly start: Uint8Array;
  /** What follows; each chunk is only valid until the next one is asked for. */
  readonly rest: AsyncIterable<Uint8Array>;
  /** To be called if the rest is not read to its end. */
  close(): Promise<void>;
}

export interface SaveOptions {
  /** The name of a format, where the file's name does not tell which is meant; TREC if neither does. */
  readonly format?: string | undefined;
}

/** Reads a run from a file in any format and compression; `-` is standard input. One number per line is a run of `lists`.
 *  @throws An `InputError` that tells every problem, unless `lenient` is set. */
export async function loadRun(path: string, options: LoadOptions = {}): Promise<RunReading & { readonly format: string }> {
  const columnar = (file: ParquetFile, readOptions: ParquetReadOptions): Promise<RunReading> => parseParquetRun(file, readOptions);
  const { input = await openHead(path), lists, ...others } = options;
  if (others.format === undefined && looksLikeNumbers(input.start)) {
    if (lists === undefined) {
      await input.close();
      throw new InputError({
        source: input.source,
        message: 'holds one number per line, which is a prediction for a learning-to-rank test file',
        wayOut: 'give that test file instead of judgements',
      });
    }
    const { loadPredictedRun } = await import('./load-letor.js');
    return { run: await loadPredictedRun(path, lists, input), skipped: nothingSkipped, format: 'predictions' };
  }
  return await load(path, { ...others, input }, 'run', (format, readOptions) => format.createRunReader?.(readOptions), columnar);
}

const nothingSkipped: Skipped = { count: 0, kinds: {}, problems: [] };

/** What is read of judgements, or of a learning-to-rank test file with its labels as judgements. */
export interface LoadedQrels extends QrelsReading {
  readonly format: string;
  readonly lists?: TestLists | undefined;
}

/** Reads judgements from a file in any format and compression; `-` is standard input. A learning-to-rank test file (LETOR, MSLR,
 *  SVMlight), recognised by its first line, is taken for the judgements that its labels are.
 *  @throws An `InputError` that tells every problem, unless `lenient` is set. */
export async function loadQrels(path: string, options: LoadOptions = {}): Promise<LoadedQrels> {
  const columnar = (file: ParquetFile, readOptions: ParquetReadOptions): Promise<QrelsReading> => parseParquetQrels(file, readOptions);
  const input = options.input ?? (await openHead(path));
  if (options.format === undefined && looksLikeLetor(input.start)) {
    const { loadTestLists } = await import('./load-letor.js');
    return { ...(await loadTestLists(path, options.lenient, input)), format: 'letor' };
  }
  return await load(path, { ...options, input }, 'qrels', (format, readOptions) => format.createQrelsReader?.(readOptions), columnar);
}

async function load<Reading>(
  path: string,
  options: LoadOptions,
  kind: TableKind,
  createReader: (format: Format, options: ReadOptions) => ChunkReader<Reading> | undefined,
  readColumnar: (file: ParquetFile, options: ParquetReadOptions) => Promise<Reading>,
): Promise<Reading & { readonly format: string }> {
  const { input = await openHead(path), format: name, lists: _, ...readOptions } = options;
  try {
    const format = name === undefined ? inferFormat(path, input.start, kind, options.columns).format : findFormat(name, kind);
    const known = { name: nameOf(path, format), source: input.source, expectedBytes: input.size };
    if (format.isColumnar) {
      const reading = await withColumnarFile(path, input, (file) => readColumnar(file, { ...known, ...withoutUndefined(readOptions) }));
      return { ...reading, format: format.name };
    }
    const reader = createReader(format, { ...known, ...withoutUndefined(readOptions) });
    if (reader === undefined) throw cannotHold(format, kind, input.source);
    namingSource(input.source, () => reader.push(input.start));
    for await (const chunk of input.rest) namingSource(input.source, () => reader.push(chunk));
    return { ...namingSource(input.source, () => reader.finish()), format: format.name };
  } finally {
    await input.close();
  }
}

/** A plain file is read by parts; what comes through a pipe or a decompressor is read in full first. */
async function withColumnarFile<Reading>(
  path: string,
  input: OpenedInput,
  read: (file: ParquetFile) => Promise<Reading>,
): Promise<Reading> {
  if (path !== '-' && isParquet(readFirst(path))) {
    const { openParquet } = await import('./parquet-file.js');
    const file = openParquet(path);
    try {
      return await read(file);
    } finally {
      file.close();
    }
  }
  const parts: Uint8Array[] = [input.start];
  for await (const chunk of input.rest) parts.push(chunk.slice());
  const bytes = Buffer.concat(parts);
  const { buffer, byteOffset, byteLength } = bytes;
  return await read({ byteLength, slice: (start, end = byteLength) => buffer.slice(byteOffset + start, byteOffset + end) as ArrayBuffer });
}

function withoutUndefined(options: ParquetReadOptions): ParquetReadOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/** What a run is called if its file does not say; undefined if it does. */
function nameOf(path: string, format: Format): string | undefined {
  if (format.name === 'trec-run') return undefined;
  const stem = path === '-' ? 'run' : basename(path).replace(/(\.[^.]+)?(\.(gz|zst|zstd))?$/i, '');
  return stem.replace(/\s+/g, '-') || 'run';
}

/** Opens a file, whose beginning can then be looked at. */
export async function openHead(path: string): Promise<OpenedInput> {
  const { source, size, chunks } = await openInput(path);
  const iterator = chunks[Symbol.asyncIterator]();
  const parts: Uint8Array[] = [];
  let length = 0;
  while (length < HEAD_LENGTH) {
    const { value, done } = await iterator.next();
    if (done) break;
    parts.push(value.slice());
    length += value.length;
  }
  return {
    source,
    size,
    start: Buffer.concat(parts),
    rest: { [Symbol.asyncIterator]: () => iterator },
    close: async () => void (await iterator.return?.()),
  };
}

/** Writes a run to a file, compressed if its name ends in .gz; `-` is standard output. The file appears when it is
 *  complete: whatever happens before, an older one stays as it was. */
export async function saveRun(path: string, run: Run, options: SaveOptions = {}): Promise<void> {
  const format = formatToWrite(path, 'run', options.format);
  if (format.isColumnar) await save(path, [await (await import('../formats/parquet-writer.js')).formatParquetRun(run)]);
  else await save(path, format.writeRun?.(run));
}

/** Writes judgements to a file, as `saveRun` does. */
export async function saveQrels(path: string, qrels: Qrels, options: SaveOptions = {}): Promise<void> {
  const format = formatToWrite(path, 'qrels', options.format);
  if (format.isColumnar) await save(path, [await (await import('../formats/parquet-writer.js')).formatParquetQrels(qrels)]);
  else await save(path, format.writeQrels?.(qrels));
}

/** The format to write a file in.
 *  @param otherwise What else can be done about a name that tells no format, for the message.
 *  @throws An `InputError` if it cannot hold what is to be written. */
export function formatToWrite(path: string, kind: TableKind, name: string | undefined, otherwise = 'name a format'): Format {
  const format = name === undefined ? (formatByName(path) ?? trecByName(path, kind, otherwise)) : findFormat(name, kind);
  if (!canRead(format, kind)) throw cannotHold(format, kind, path);
  return format;
}

/** The TREC format for a name that promises nothing else. */
function trecByName(path: string, kind: TableKind, otherwise: string): Format {
  const ending = /^.+\.([a-z][a-z0-9]*)$/i.exec(basename(path).replace(/\.(gz|zst|zstd)$/i, ''))?.[1].toLowerCase();
  if (ending !== undefined && ending !== 'txt') {
    const known = formats.filter((format) => canRead(format, kind)).flatMap(({ extensions }) => extensions);
    throw new InputError({
      source: path,
      message: `.${ending} files cannot be written`,
      wayOut: `end the name in ${[...known, '.txt'].join(', ')} or in nothing, or ${otherwise}`,
    });
  }
  return findFormat('trec', kind);
}

async function save(path: string, chunks: Iterable<Uint8Array> = []): Promise<void> {
  if (path === '-') {
    const stdout = new DescriptorWriter(1, 'standard output');
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    for (const chunk of chunks) {
      // ids come from files, and a person's terminal must not act upon them; everybody else gets them as they are
      if (stdout.isTerminal) stdout.write(escapeUnprintable(decoder.decode(chunk, { stream: true }), 'lines'));
      else stdout.writeBytes(chunk);
    }
    stdout.flush();
    return;
  }
  if (/\.(zst|zstd)$/i.test(path)) {
    throw new InputError({ source: path, message: 'zstd files can be read but not written', wayOut: 'end the name in .gz, or in nothing' });
  }
  await writeOutputFile(path, async (writer) => {
    const write = (bytes: Uint8Array): void => writer.writeBytes(bytes);
    if (/\.gz$/i.test(path)) await compress(chunks, write);
    else for (const chunk of chunks) write(chunk);
  });
}

async function compress(chunks: Iterable<Uint8Array>, write: (bytes: Uint8Array) => void): Promise<void> {
  const { createGzip } = await import('node:zlib');
  const gzip = createGzip();
  let failure: unknown;
  gzip.on('data', (bytes: Uint8Array) => {
    try {
      write(bytes);
    } catch (error) {
      failure ??= error;
    }
  });
  for (const chunk of chunks) {
    if (failure !== undefined) break;
    if (!gzip.write(chunk)) await once(gzip, 'drain');
  }
  gzip.end();
  await once(gzip, 'end');
  if (failure !== undefined) throw failure;
}
