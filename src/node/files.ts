import { closeSync, fstatSync, openSync, read, readSync } from 'node:fs';
import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import { InputError } from '../core/problem.js';
import { compressionOf, SIGNATURE_LENGTH } from '../formats/compression.js';
import { systemReason } from './terminal.js';

const CHUNK = 1 << 20;

/** A file as it comes: decompressed, in chunks. */
export interface Input {
  /** What to call it in messages. */
  readonly source: string;
  /** How many bytes the file takes, where that is known: what will come, if it is not compressed. */
  readonly size?: number | undefined;
  /** To be walked once. A chunk is only valid until the next one is asked for. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Opens a file for reading; `-` is standard input. What it is compressed with, gzip or zstd or nothing, shows in its first
 *  bytes, whatever its name says. Everything that can go wrong is told as an `InputError`. */
export async function openInput(path: string): Promise<Input> {
  const source = path === '-' ? 'standard input' : path;
  if (path === '-') return { source, chunks: decompressed(standardInput(), source) };
  const { file, size, isPlain } = openFile(path);
  return { source, size, chunks: decompressed(fileChunks(file, source, isPlain), source) };
}

function openFile(path: string): { file: number; size: number; isPlain: boolean } {
  try {
    const file = openSync(path, 'r');
    const stat = fstatSync(file);
    // a directory can be opened, but not read
    if (stat.isDirectory()) {
      closeSync(file);
      throw new InputError({ source: path, message: 'is a directory, expected a file' });
    }
    return { file, size: stat.size, isPlain: stat.isFile() };
  } catch (error) {
    throw error instanceof InputError ? error : new InputError({ source: path, message: `cannot be read: ${systemReason(error)}` });
  }
}

/** The first bytes of a file as they are stored, without decompression; none if it cannot be read twice. */
export function readFirst(path: string, length: number = SIGNATURE_LENGTH): Uint8Array {
  const { file, isPlain } = openFile(path);
  try {
    const start = new Uint8Array(length);
    return isPlain ? start.subarray(0, readSync(file, start, 0, start.length, 0)) : start.subarray(0, 0);
  } finally {
    closeSync(file);
  }
}

/** A plain file answers at once, and asking a thread to wait for it would take longer than reading it; a pipe may not. */
async function* fileChunks(file: number, source: string, isPlain: boolean): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(CHUNK);
  const readLater = promisify(read);
  try {
    for (;;) {
      const numRead = isPlain ? readSync(file, buffer, 0, CHUNK, null) : (await readLater(file, buffer, 0, CHUNK, null)).bytesRead;
      if (numRead === 0) return;
      yield buffer.subarray(0, numRead);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    throw new InputError({ source, message: `cannot be read: ${systemReason(error)}` });
  } finally {
    closeSync(file);
  }
}

async function* standardInput(): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of process.stdin) yield chunk;
  } catch (error) {
    throw new InputError({ source: 'standard input', message: `cannot be read: ${systemReason(error)}` });
  }
}

/** Looks at the first bytes and puts the right decompressor in between. */
async function* decompressed(raw: AsyncGenerator<Uint8Array>, source: string): AsyncGenerator<Uint8Array> {
  try {
    // pipes may deliver byte by byte
    let start: Uint8Array = new Uint8Array(0);
    while (start.length < SIGNATURE_LENGTH) {
      const { value, done } = await raw.next();
      if (done) break;
      start = Buffer.concat([start, value]);
    }
    const compression = compressionOf(start, source);
    const all = prepended(start, raw);
    if (compression === 'gzip') yield* transformed(all, (await import('node:zlib')).createGunzip(), source, 'gzip');
    else if (compression === 'zstd') yield* unzstd(all, source);
    else yield* all;
  } finally {
    // whoever stops at the start has not begun the rest, which would then stay open
    await raw.return(undefined);
  }
}

async function* prepended(start: Uint8Array, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (start.length > 0) yield start;
  yield* rest;
}

/** Node has a decoder of its own since 22.15, which stops after the first frame and takes frames that are cut off. */
async function* unzstd(chunks: AsyncGenerator<Uint8Array>, source: string): AsyncGenerator<Uint8Array> {
  const { ZstdDecoder } = await import('../formats/zstd/decoder.js');
  const decoder = new ZstdDecoder({ source });
  for await (const chunk of chunks) yield* decoder.push(chunk);
  decoder.finish();
}

function decompressionError(error: unknown, source: string, compression: string): InputError {
  const reason = error instanceof Error ? error.message : String(error);
  return new InputError({
    source,
    message: `cannot be decompressed as ${compression}: ${reason}`,
    wayOut: 'the file is damaged or incomplete; fetch or make it again',
  });
}

async function* transformed(
  chunks: AsyncGenerator<Uint8Array>,
  transform: Transform,
  source: string,
  compression: string,
): AsyncGenerator<Uint8Array> {
  const { Readable } = await import('node:stream');
  const input = Readable.from(copied(chunks));
  let inputError: unknown;
  input.on('error', (error) => {
    inputError = error;
    transform.destroy(error);
  });
  input.pipe(transform);
  try {
    yield* transform;
  } catch (error) {
    throw inputError ?? decompressionError(error, source, compression);
  } finally {
    input.destroy();
  }
}

/** Streams hold on to what they are given. */
async function* copied(chunks: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield chunk.slice();
}
