import { fstatSync, openSync, read, readSync, type Stats, statSync } from 'node:fs';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { InputError } from '../core/problem.js';
import { compressedEnding, SIGNATURE_LENGTH } from '../formats/compression.js';
import { answersSource } from '../formats/engines/answer-folder.js';
import { HEAD_LENGTH } from '../formats/head.js';
import type { ByteSource, Chunks, OpenParts } from '../formats/source.js';
import { filesInFolder } from './file-patterns.js';
import { meaningOfFolder } from './folders.js';
import { closeRead, isSystemError, orCannotRead, refuseChanged } from './reading.js';
import { tellRead } from './reading-watch.js';
import { systemReason } from './terminal.js';

const CHUNK = 1 << 20;

/** A file of this machine. */
export interface FileSource extends ByteSource {
  /** `-` is standard input; undefined for several files that are read as one. */
  readonly path: string | undefined;
}

/** Lets relative paths begin in this folder, which is that of a program that asks.
 *  @throws An `InputError` if there is no such folder. */
export function enterFolder(path: string): void {
  orCannotRead(path, () => process.chdir(path));
}

/** What names stand for at the moment that are no files. */
const namedSources: Map<string, ByteSource> = new Map();

/** Lets names stand for sources while some work is done, wherever a path is expected. Names must not be those of files, and there can be
 *  one such piece of work at a time. */
export async function withNamedSources<T>(sources: ReadonlyMap<string, ByteSource>, work: () => Promise<T>): Promise<T> {
  for (const [name, source] of sources) namedSources.set(name, source);
  try {
    return await work();
  } finally {
    namedSources.clear();
  }
}

/** A file as a source; `-` is standard input. Everything that can go wrong is an `InputError`, when it is opened. */
export function fileSource(path: string): FileSource {
  const named = namedSources.get(path);
  if (named !== undefined) return { path: undefined, ...named };
  if (path === '-') return { path, name: 'standard input', isReopenable: false, open: standardInput, gunzip };
  const asked = askedStat(path);
  // a file that does not answer is not one that cannot be read twice: the answer is an error wherever it is opened
  const answered = <T>(open: () => T): T => orCannotRead(path, () => (asked.error === undefined ? open() : raise(asked.error)));
  const { stat } = asked;
  if (stat?.isDirectory() === true) {
    const meaning = meaningOfFolder(path, (file) => readFirst(file, HEAD_LENGTH));
    if (meaning !== undefined && 'file' in meaning) return fileSource(meaning.file);
    if (meaning !== undefined) return { path: undefined, ...answersSource(path, basename(path), meaning.answers.map(fileSource)) };
  }
  const isPlain = stat?.isFile() === true;
  return {
    path,
    name: path,
    fileName: basename(path),
    size: isPlain ? stat.size : undefined,
    isReopenable: isPlain,
    beside: (ending) => besideFile(path, ending),
    check: () => void answered(() => stat ?? statSync(path)),
    open: () => answered(() => fileChunks(path)),
    openParts: isPlain ? () => openParts(path) : undefined,
    gunzip,
  };
}

/** The files that an argument stands for which may be a folder; a folder that is read as one file stays as it is. Undefined if it is no
 *  folder. */
export function filesOfArgument(path: string): readonly string[] | undefined {
  const files = filesInFolder(path);
  return files !== undefined && meaningOfFolder(path, (file) => readFirst(file, HEAD_LENGTH)) !== undefined ? [path] : files;
}

/** `train.txt.query` beside `train.txt` or `train.txt.gz`. */
function besideFile(path: string, ending: string): FileSource | undefined {
  const names = [path, path.replace(compressedEnding, '')].map((name) => name + ending);
  const found = names.find((name) => askedStat(name).stat?.isFile() === true);
  return found === undefined ? undefined : fileSource(found);
}

/** What is known of a file, or why nothing is; neither if it cannot be found, which is an error when it is opened. */
function askedStat(path: string): { readonly stat?: Stats | undefined; readonly error?: unknown } {
  try {
    return { stat: statSync(path, { throwIfNoEntry: false }) };
  } catch (error) {
    return { error };
  }
}

function raise(error: unknown): never {
  throw error;
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

/** Any part of a plain file, of which only those are read that somebody asks for. */
function openParts(path: string): OpenParts {
  const { file, stat } = openFile(path);
  const { size: byteLength } = stat;
  return {
    byteLength,
    slice(start, end = byteLength) {
      const bytes = new Uint8Array(new ArrayBuffer(end - start));
      for (let at = 0; at < bytes.length; ) {
        const length = orCannotRead(path, () => readSync(file, bytes, at, bytes.length - at, start + at));
        if (length === 0) throw new InputError({ source: path, message: 'ends early', wayOut: 'fetch or make it again' });
        at += length;
      }
      tellRead(bytes.length);
      return bytes.buffer;
    },
    close: () => closeRead(file),
  };
}

/** A plain file answers at once, and asking a thread to wait for it would take longer than reading it; a pipe may not. */
async function* fileChunks(source: string): Chunks {
  const { file, stat } = openFile(source);
  const buffer = new Uint8Array(CHUNK);
  const readLater = promisify(read);
  const isPlain = stat.isFile();
  try {
    for (;;) {
      const numRead = isPlain ? readSync(file, buffer, 0, CHUNK, null) : (await readLater(file, buffer, 0, CHUNK, null)).bytesRead;
      if (numRead === 0) break;
      tellRead(numRead);
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

async function* standardInput(): Chunks {
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

async function* gunzip(chunks: Chunks, source: string): Chunks {
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
  const counted = async function* (): Chunks {
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
