/** Reads dropped files: undoes compression, sees from the content what a file is, and hands it to the reader of its format. */
import { InputError } from 'gradus';
import {
  type ChunkReader,
  compressionOf,
  createLetorReader,
  createPredictionsReader,
  type Format,
  GzipDecoder,
  inferFormat,
  isParquet,
  type LetorReading,
  looksLikeLetor,
  parquetKind,
  parseParquetQrels,
  parseParquetRun,
  type QrelsReading,
  type ReadOptions,
  type RunReading,
  SIGNATURE_LENGTH,
  ZstdDecoder,
} from 'gradus/formats';
import type { FileKind } from './protocol.js';

/** How much of a file is looked at to see what it is. */
const HEAD_BYTES = 1 << 16;

export interface ReadRequest {
  readonly file: File;
  /** What a person said it is, where the content leaves that open. */
  readonly as?: FileKind | undefined;
  readonly lenient: boolean;
  /** Keep the ranks that a run states, or the second column of judgements. */
  readonly ranks?: boolean | undefined;
  readonly groups?: boolean | undefined;
  readonly onBytes?: ((done: number, total: number) => void) | undefined;
}

export type ReadFile =
  | ({ readonly kind: 'run'; readonly format: string; readonly ambiguous: boolean } & RunReading)
  | ({ readonly kind: 'judgements'; readonly format: string; readonly ambiguous: boolean } & QrelsReading)
  | ({ readonly kind: 'features'; readonly format: string; readonly ambiguous: false } & LetorReading)
  | { readonly kind: 'predictions'; readonly format: string; readonly ambiguous: false; readonly predictions: Float64Array };

export async function readFile(request: ReadRequest): Promise<ReadFile> {
  const { file, lenient } = request;
  if (file.size === 0) throw new InputError({ source: file.name, message: 'the file is empty', wayOut: 'choose another one' });
  if (isParquet(new Uint8Array(await file.slice(0, 4).arrayBuffer()))) return await readParquet(request);
  const chunks = plainChunks(file, request.onBytes);
  const { head, rest } = await withHead(chunks, file.name);
  const source = file.name;
  if (looksLikeLetor(head)) {
    const reading = await through(createLetorReader({ source, lenient, features: false }), head, rest);
    return { kind: 'features', format: 'letor', ambiguous: false, ...reading };
  }
  if (looksLikePredictions(head)) {
    return {
      kind: 'predictions',
      format: 'numbers',
      ambiguous: false,
      predictions: await through(createPredictionsReader({ source }), head, rest),
    };
  }
  const { format, kind, ambiguous } = kindOf(file.name, head, request.as);
  const options: ReadOptions = { source, lenient, name: nameOf(file.name, format), ranks: request.ranks, groups: request.groups };
  if (kind === 'run') {
    const reader = format.createRunReader?.(defined(options));
    if (reader !== undefined) return { kind, format: format.name, ambiguous, ...(await through(reader, head, rest)) };
  } else {
    const reader = format.createQrelsReader?.(defined(options));
    if (reader !== undefined) return { kind, format: format.name, ambiguous, ...(await through(reader, head, rest)) };
  }
  throw new InputError({ source, message: `${format.name} files cannot hold ${kind === 'run' ? 'runs' : 'judgements'}` });
}

/** What a file of rows is. Where the content does not tell, its name may; otherwise it is taken for a run. */
function kindOf(
  name: string,
  head: Uint8Array,
  as: FileKind | undefined,
): { format: Format; kind: 'run' | 'judgements'; ambiguous: boolean } {
  const wanted = as === 'run' ? 'run' : as === 'judgements' ? 'qrels' : undefined;
  const { format, kind } = inferFormat(name, head, undefined);
  const readable = format.createRunReader !== undefined && format.createQrelsReader !== undefined;
  const told = wanted ?? kind ?? (/qrel|judg|gold|truth/i.test(name) ? 'qrels' : 'run');
  return { format, kind: told === 'run' ? 'run' : 'judgements', ambiguous: readable && kind === undefined };
}

function defined(options: ReadOptions): ReadOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/** A run goes by its tag where its file has one, otherwise by the name of the file. */
function nameOf(fileName: string, format: Format): string | undefined {
  if (format.name === 'trec-run') return undefined;
  return fileName.replace(/(\.[^.]+)?(\.(gz|zst|zstd))?$/i, '').replace(/\s+/g, '-') || 'run';
}

/** Loads what reads Parquet before somebody needs it, because the network may be gone by then. */
export async function prepareReaders(): Promise<void> {
  // there is nothing to read, but what would read it is loaded
  await parquetKind(new Uint8Array(0)).catch(() => undefined);
}

/** One number on each of the first lines, and nothing else. */
function looksLikePredictions(head: Uint8Array): boolean {
  const lines = new TextDecoder('latin1').decode(head.subarray(0, 2048)).split(/\r?\n/);
  // the last one may be cut in two
  const whole = (lines.length > 1 ? lines.slice(0, -1) : lines).filter((line) => line.trim() !== '');
  return whole.length > 0 && whole.every((line) => /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(line));
}

/** Only the columns that are needed are read. */
async function readParquet({ file, as, lenient, ranks, groups }: ReadRequest): Promise<ReadFile> {
  const source = file.name;
  const content = { byteLength: file.size, slice: (start: number, end?: number) => file.slice(start, end).arrayBuffer() };
  const recognised = await parquetKind(content, source);
  const told = as === undefined ? recognised : as === 'run' ? 'run' : 'qrels';
  const base = { format: 'parquet', ambiguous: recognised === undefined };
  const name = source.replace(/\.[^.]*$/, '').replace(/\s+/g, '-') || 'run';
  if (told === 'qrels') return { kind: 'judgements', ...base, ...(await parseParquetQrels(content, defined({ source, lenient, groups }))) };
  return { kind: 'run', ...base, ...(await parseParquetRun(content, defined({ source, lenient, name, ranks }))) };
}

async function through<Reading>(reader: ChunkReader<Reading>, head: Uint8Array, rest: AsyncIterable<Uint8Array>): Promise<Reading> {
  reader.push(head);
  for await (const chunk of rest) reader.push(chunk);
  return reader.finish();
}

/** Enough of the beginning to see what it is, and what follows. */
async function withHead(
  chunks: AsyncGenerator<Uint8Array>,
  source: string,
): Promise<{ head: Uint8Array; rest: AsyncGenerator<Uint8Array> }> {
  let head = new Uint8Array(0);
  while (head.length < HEAD_BYTES) {
    const { value, done } = await chunks.next();
    if (done === true) break;
    if (head.length === 0) head = value.slice();
    else {
      const joined = new Uint8Array(head.length + value.length);
      joined.set(head);
      joined.set(value, head.length);
      head = joined;
    }
  }
  if (head.length === 0) throw new InputError({ source, message: 'the file is empty', wayOut: 'choose another one' });
  return { head, rest: chunks };
}

/** The file's bytes as they were before compression; what it is compressed with shows in its first bytes. */
async function* plainChunks(file: File, onBytes: ReadRequest['onBytes']): AsyncGenerator<Uint8Array> {
  const start = new Uint8Array(await file.slice(0, SIGNATURE_LENGTH).arrayBuffer());
  let done = 0;
  const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      done += chunk.length;
      onBytes?.(done, file.size);
      controller.enqueue(chunk);
    },
  });
  const bytes = file.stream().pipeThrough(counted);
  const compression = compressionOf(start, file.name);
  if (compression === 'gzip') yield* gunzip(bytes, file.name);
  else if (compression === 'zstd') yield* unzstd(bytes, file.name);
  else yield* chunksOf(bytes, file.name);
}

async function* chunksOf(stream: ReadableStream<Uint8Array>, source: string): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      yield value;
    }
  } catch (error) {
    throw unreadable(source, error);
  }
}

/** The browser's own decoder takes a file of one member only. */
async function* gunzip(bytes: ReadableStream<Uint8Array>, source: string): AsyncGenerator<Uint8Array> {
  const decoder = new GzipDecoder({ source });
  for await (const chunk of chunksOf(bytes, source)) yield* decoder.push(chunk);
  yield* decoder.finish();
}

async function* unzstd(bytes: ReadableStream<Uint8Array>, source: string): AsyncGenerator<Uint8Array> {
  const decoder = new ZstdDecoder({ source });
  for await (const chunk of chunksOf(bytes, source)) yield* decoder.push(chunk);
  decoder.finish();
}

function unreadable(source: string, error: unknown): InputError {
  const reason = error instanceof Error && error.message !== '' ? ` (${error.message.replace(/\.$/, '')})` : '';
  return new InputError({ source, message: `the file cannot be read${reason}`, wayOut: 'was it moved or changed? Choose it again' });
}
