import type { FeatureMatrix } from '../core/feature-matrix.js';
import { limits, mostOf } from '../core/limits.js';
import { InputError, namingSource } from '../core/problem.js';
import type { Qrels } from '../core/qrels.js';
import type { Run } from '../core/run.js';
import { type Compression, compressionOf, SIGNATURE_LENGTH } from './compression.js';
import { HEAD_LENGTH } from './head.js';
import type { RunColumns } from './memory/columns.js';
import { type ByteParts, type ChunkReader, joined, wholeFile } from './reader.js';

/** Bytes in chunks, each of which is only valid until the next one is asked for. */
export type Chunks = AsyncGenerator<Uint8Array>;

/** Bytes with a name: a file on disk, standard input, a file dropped on a page, the answer of a server, a buffer. */
export interface ByteSource {
  /** What it is called in messages. */
  readonly name: string;
  /** The last part of a file's name, which may tell its format and what a run in it is called; undefined for what is no file. */
  readonly fileName?: string | undefined;
  /** How many bytes are stored, where that is known. */
  readonly size?: number | undefined;
  /** False for a pipe: whoever needs it twice keeps it. */
  readonly isReopenable: boolean;
  /** The bytes as they are stored, compressed or not. */
  open(): Chunks;
  /** The file of the same name with this ending behind it, where there is one. */
  readonly beside?: ((ending: string) => ByteSource | undefined) | undefined;
  /** Finds out at once what would only show when it is opened, such as a file that is not there.
   *  @throws An `InputError` that says so. */
  readonly check?: (() => void) | undefined;
  /** For formats that are read by parts from anywhere in a file. */
  readonly openParts?: (() => OpenParts) | undefined;
  /** A faster decoder of gzip than ours, where the platform has one. */
  readonly gunzip?: ((chunks: Chunks, name: string) => Chunks) | undefined;
  /** What it would be read as, where a program holds that already: readers take it and leave the bytes alone. */
  readonly held?: HeldContent | undefined;
}

/** What a program holds in memory in the place of a file. */
export interface HeldContent {
  readonly run?: Run | undefined;
  /** The columns that the run is made of when somebody needs it. */
  readonly runColumns?: RunColumns | undefined;
  /** A run that comes in parts, each with all rows of its topics; they can be gone through once, and a part is gone when the next comes. */
  readonly runParts?: { readonly name: string; columns(): Iterable<RunColumns> } | undefined;
  readonly qrels?: Qrels | undefined;
  readonly features?: FeatureMatrix | undefined;
}

/** A file that stays open for whoever asks for parts of it. */
export interface OpenParts extends ByteParts {
  close(): void;
}

/** A source of which the beginning has been read, decompressed, to look at. */
export interface OpenedSource {
  readonly source: ByteSource;
  /** What it is compressed with; undefined if it is stored as it is read. */
  readonly compression: Compression | undefined;
  readonly start: Uint8Array;
  /** What follows. */
  readonly rest: AsyncIterable<Uint8Array>;
  /** To be called if the rest is not read to its end. */
  close(): Promise<void>;
}

/** What is in memory already. */
export function bytesSource(bytes: Uint8Array, name = 'input', fileName?: string): ByteSource {
  return {
    name,
    fileName,
    size: bytes.length,
    isReopenable: true,
    async *open() {
      yield bytes;
    },
    openParts: () => ({
      byteLength: bytes.length,
      slice: (start, end = bytes.length) => bytes.slice(start, end).buffer as ArrayBuffer,
      close: () => undefined,
    }),
  };
}

/** What a program holds as a run, judgements or features, in the place of a file. It has no bytes of its own. */
export function heldSource(held: HeldContent, name: string): ByteSource {
  return { ...bytesSource(new Uint8Array(0), name), held };
}

/** What a program holds as objects, as if it were in a JSON file: the answer of a search engine, a request to `_rank_eval`, a list of
 *  records such as `{ query_id, response }`. */
export function jsonSource(value: unknown, name = 'input'): ByteSource {
  return bytesSource(new TextEncoder().encode(JSON.stringify(value)), name);
}

/** Reads a source, which may be a pipe, so that it can be read any number of times from memory. */
export async function keepBytes(source: ByteSource): Promise<ByteSource> {
  if (source.held !== undefined) return source;
  const parts: Uint8Array[] = [];
  for await (const chunk of source.open()) parts.push(chunk.slice());
  return { ...bytesSource(joined(parts), source.name, source.fileName), gunzip: source.gunzip };
}

/** All bytes of a source as they were before compression; what it is compressed with, if anything, shows in its first
 *  bytes, whatever its name says. */
export async function* plainChunks(source: ByteSource): Chunks {
  const { chunks } = await decompressed(source);
  yield* chunks;
}

/** Opens a source, whose beginning can then be looked at. */
export async function openSource(source: ByteSource): Promise<OpenedSource> {
  const { chunks, compression } = await decompressed(source);
  const parts: Uint8Array[] = [];
  let length = 0;
  while (length < HEAD_LENGTH) {
    const { value, done } = await chunks.next();
    if (done) break;
    parts.push(value.slice());
    length += value.length;
  }
  return {
    source,
    compression,
    start: joined(parts, length),
    rest: chunks,
    close: async () => void (await chunks.return(undefined)),
  };
}

/** A source, or one whose beginning somebody has looked at already. */
export type Readable = ByteSource | OpenedSource;

/** The source, opened if it is not. */
export function opened(readable: Readable): Promise<OpenedSource> {
  return 'start' in readable ? Promise.resolve(readable) : openSource(readable);
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

/** Whether parts of a source can be had without reading it. */
export function hasParts({ source, compression }: OpenedSource): boolean {
  return compression === undefined && source.openParts !== undefined;
}

/** Lets `read` have any part of a file: of a plain one only what it asks for, while a pipe and what comes out of a decompressor are
 *  read in full first. */
export async function withParts<Reading>(input: OpenedSource, read: (file: ByteParts) => Promise<Reading>): Promise<Reading> {
  const { source, compression } = input;
  if (compression === undefined && source.openParts !== undefined) {
    const file = source.openParts();
    try {
      return await read(file);
    } finally {
      file.close();
    }
  }
  const whole = wholeFile(
    { source: source.name },
    ({ buffer, byteOffset, byteLength }): ByteParts => ({
      byteLength,
      slice: (start, end = byteLength) => buffer.slice(byteOffset + start, byteOffset + end) as ArrayBuffer,
    }),
  );
  return await read(await readThrough(input, whole));
}

/** A small file, such as a list of topics, as text. */
export async function readText(source: ByteSource): Promise<string> {
  return await readThrough(
    source,
    wholeFile({ source: source.name }, (bytes) => new TextDecoder().decode(bytes)),
  );
}

/** Looks at the first bytes and puts the right decompressor in between. */
async function decompressed(source: ByteSource): Promise<{ chunks: Chunks; compression: Compression | undefined }> {
  const { name } = source;
  const stored = source.open();
  const { start, compression } = await openStart(stored, name);
  const whole = prepended(start, stored);
  if (compression === undefined) return { chunks: whole, compression };
  const growth = new Growth(name);
  const all = growth.countIn(whole);
  const decode = await decoderOf(compression, source);
  return { chunks: growth.checkOut(decode(all, name)), compression };
}

async function decoderOf(compression: Compression, { gunzip }: ByteSource): Promise<(chunks: Chunks, name: string) => Chunks> {
  if (compression === 'gzip') return gunzip ?? (await import('./gzip/gunzip.js')).gunzip;
  return compression === 'zstd' ? (await import('./zstd/unzstd.js')).unzstd : (await import('./lz4/unlz4.js')).unlz4;
}

/** The first bytes, and what they say of the rest, which is closed if it cannot be read. */
async function openStart(stored: Chunks, name: string): Promise<{ start: Uint8Array; compression: Compression | undefined }> {
  try {
    // pipes may deliver byte by byte
    let start: Uint8Array = new Uint8Array(0);
    while (start.length < SIGNATURE_LENGTH) {
      const { value, done } = await stored.next();
      if (done) break;
      start = start.length === 0 ? value : joined([start.slice(), value]);
    }
    return { start, compression: compressionOf(start, name) };
  } catch (error) {
    await stored.return(undefined);
    throw error;
  }
}

async function* prepended(start: Uint8Array, rest: Chunks): Chunks {
  try {
    if (start.length > 0) yield start;
    yield* rest;
  } finally {
    // whoever stops at the start has not begun the rest, which would then stay open; whoever waits for more of it comes here only when
    // more has come
    await rest.return(undefined);
  }
}

/** Watches how much larger a file becomes. */
class Growth {
  private readonly name: string;
  private bytesIn = 0;
  private bytesOut = 0;

  constructor(name: string) {
    this.name = name;
  }

  async *countIn(chunks: Chunks): Chunks {
    for await (const chunk of chunks) {
      this.bytesIn += chunk.length;
      yield chunk;
    }
  }

  async *checkOut(chunks: Chunks): Chunks {
    for await (const chunk of chunks) {
      this.bytesOut += chunk.length;
      if (this.bytesOut > mostOf(this.bytesIn)) {
        throw new InputError({
          source: this.name,
          message: `has ${this.bytesIn} bytes that become more than ${limits.decompressionRatio} times as many`,
          wayOut: 'if that is meant, decompress it first',
        });
      }
      yield chunk;
    }
  }
}
