import { fstatSync, openSync, read, readSync, type Stats, statSync } from 'node:fs';
import { promisify } from 'node:util';
import { limits, mostOf } from '../core/limits.js';
import { InputError } from '../core/problem.js';
import { type Compression, compressionOf, SIGNATURE_LENGTH } from '../formats/compression.js';
import { closeRead, isSystemError, orCannotRead, refuseChanged } from './reading.js';
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
  const { file, stat } = openFile(path);
  return { source, size: stat.size, chunks: decompressed(fileChunks(file, source, stat), source) };
}

function openFile(path: string): { file: number; stat: Stats } {
  return orCannotRead(path, () => {
    const file = openSync(path, 'r');
    try {
      const stat = fstatSync(file);
      // a directory can be opened, but not read
      if (stat.isDirectory()) throw new InputError({ source: path, message: 'is a directory, expected a file' });
      return { file, stat };
    } catch (error) {
      closeRead(file);
      throw error;
    }
  });
}

/** The first bytes of a file as they are stored, without decompression; none if it cannot be read twice. */
export function readFirst(path: string, most: number = SIGNATURE_LENGTH): Uint8Array {
  // a pipe must not even be opened a second time
  if (!orCannotRead(path, () => statSync(path)).isFile()) return new Uint8Array(0);
  const { file } = openFile(path);
  try {
    const start = new Uint8Array(most);
    let length = 0;
    for (let read = -1; read !== 0 && length < most; length += read) {
      read = orCannotRead(path, () => readSync(file, start, length, most - length, length));
    }
    return start.subarray(0, length);
  } finally {
    closeRead(file);
  }
}

/** A plain file answers at once, and asking a thread to wait for it would take longer than reading it; a pipe may not. */
async function* fileChunks(file: number, source: string, stat: Stats): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(CHUNK);
  const readLater = promisify(read);
  const isPlain = stat.isFile();
  try {
    for (;;) {
      const numRead = isPlain ? readSync(file, buffer, 0, CHUNK, null) : (await readLater(file, buffer, 0, CHUNK, null)).bytesRead;
      if (numRead === 0) break;
      yield buffer.subarray(0, numRead);
    }
    refuseChanged(source, file, stat);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new InputError({ source, message: `cannot be read: ${systemReason(error)}` });
  } finally {
    closeRead(file);
  }
}

async function* standardInput(): AsyncGenerator<Uint8Array> {
  // Node would take it for an input that has ended
  if (orCannotRead('standard input', () => fstatSync(0)).isDirectory()) {
    throw new InputError({ source: 'standard input', message: 'is a directory, expected a file' });
  }
  try {
    for await (const chunk of process.stdin) yield chunk;
  } catch (error) {
    throw new InputError({ source: 'standard input', message: `cannot be read: ${systemReason(error)}` });
  }
}

/** Looks at the first bytes and puts the right decompressor in between. */
async function* decompressed(raw: AsyncGenerator<Uint8Array>, source: string): AsyncGenerator<Uint8Array> {
  const { start, compression } = await openStart(raw, source);
  const whole = prepended(start, raw);
  if (compression === undefined) {
    yield* whole;
    return;
  }
  const growth = new Growth(source);
  const all = growth.countIn(whole);
  yield* growth.checkOut(compression === 'gzip' ? gunzip(all, source) : unzstd(all, source));
}

/** The first bytes, and what they say of the rest, which is closed if it cannot be read. */
async function openStart(
  raw: AsyncGenerator<Uint8Array>,
  source: string,
): Promise<{ start: Uint8Array; compression: Compression | undefined }> {
  try {
    // pipes may deliver byte by byte
    let start: Uint8Array = new Uint8Array(0);
    while (start.length < SIGNATURE_LENGTH) {
      const { value, done } = await raw.next();
      if (done) break;
      start = Buffer.concat([start, value]);
    }
    return { start, compression: compressionOf(start, source) };
  } catch (error) {
    await raw.return(undefined);
    throw error;
  }
}

/** Watches how much larger a file becomes. */
class Growth {
  private readonly source: string;
  private bytesIn = 0;
  private bytesOut = 0;

  constructor(source: string) {
    this.source = source;
  }

  async *countIn(chunks: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.bytesIn += chunk.length;
      yield chunk;
    }
  }

  async *checkOut(chunks: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.bytesOut += chunk.length;
      if (this.bytesOut > mostOf(this.bytesIn)) {
        throw new InputError({
          source: this.source,
          message: `has ${this.bytesIn} bytes that become more than ${limits.decompressionRatio} times as many`,
          wayOut: 'if that is meant, decompress it first',
        });
      }
      yield chunk;
    }
  }
}

async function* prepended(start: Uint8Array, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    if (start.length > 0) yield start;
    yield* rest;
  } finally {
    // whoever stops at the start has not begun the rest, which would then stay open; whoever waits for more of it comes here only when
    // more has come
    await rest.return(undefined);
  }
}

/** Node has a decoder of its own since 22.15, which stops after the first frame and takes frames that are cut off. */
async function* unzstd(chunks: AsyncGenerator<Uint8Array>, source: string): AsyncGenerator<Uint8Array> {
  const { ZstdDecoder } = await import('../formats/zstd/decoder.js');
  const decoder = new ZstdDecoder({ source });
  for await (const chunk of chunks) yield* decoder.push(chunk);
  decoder.finish();
}

async function* gunzip(chunks: AsyncGenerator<Uint8Array>, source: string): AsyncGenerator<Uint8Array> {
  const [{ Readable }, { createGunzip }] = await Promise.all([import('node:stream'), import('node:zlib')]);
  const transform = createGunzip();
  const damaged = (reason: string): InputError =>
    new InputError({
      source,
      message: `cannot be decompressed as gzip: ${reason}`,
      wayOut: 'the file is damaged or incomplete; fetch or make it again',
    });
  let total = 0;
  let numUpToLast = 0;
  const counted = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      let last = chunk.length - 1;
      while (last >= 0 && chunk[last] === 0) last--;
      if (last >= 0) numUpToLast = total + last + 1;
      total += chunk.length;
      // streams hold on to what they are given
      yield chunk.slice();
    }
  };
  const input = Readable.from(counted());
  let inputError: unknown;
  input.on('error', (error) => {
    inputError = error;
    transform.destroy(error);
  });
  input.pipe(transform);
  try {
    yield* transform;
  } catch (error) {
    throw inputError ?? damaged(error instanceof Error ? error.message : String(error));
  } finally {
    input.destroy();
  }
  // zeros end a file, as on tapes, and Node looks at nothing behind them
  if (numUpToLast > transform.bytesWritten) throw damaged('data behind the zeros at its end');
}
