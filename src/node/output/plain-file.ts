import { fstatSync, openSync, readSync } from 'node:fs';
import { lengthened } from '../../core/growing-arrays.js';
import { closeRead, orCannotRead } from '../reading.js';

/** The whole of a file; undefined if it is missing, empty, unreadable, or not a plain file. C programs that go to the end
 *  of a file to learn its size see these as one: to them a pipe is as unreadable as a folder. */
export function readPlainFile(path: string): Uint8Array | undefined {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return undefined;
  }
  try {
    const stat = fstatSync(file);
    return stat.isFile() && stat.size > 0 ? readToEnd(file, stat.size) : undefined;
  } catch {
    return undefined;
  } finally {
    closeRead(file);
  }
}

const PIECE = 1 << 20;

/** Hands on a file, a pipe too, in pieces that are only lent; false if it cannot be opened. A folder opens, and has nothing
 *  in it, as in Perl. */
export function readInPieces(path: string, take: (piece: Uint8Array) => void): boolean {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return false;
  }
  try {
    const buffer = new Uint8Array(PIECE);
    while (!orCannotRead(path, () => fstatSync(file)).isDirectory()) {
      const read = orCannotRead(path, () => readSync(file, buffer, 0, PIECE, null));
      if (read === 0) break;
      take(buffer.subarray(0, read));
    }
  } finally {
    closeRead(file);
  }
  return true;
}

/** Everything that comes in on standard input. */
export function readStandardInput(): Uint8Array {
  return readToEnd(0, 1 << 16);
}

const pause: Int32Array = new Int32Array(new SharedArrayBuffer(4)); // fits: nothing is stored: it is only waited on

function readToEnd(file: number, expected: number): Uint8Array {
  // one byte more than expected shows the end without growing
  let bytes = new Uint8Array(expected + 1);
  let length = 0;
  for (;;) {
    if (length === bytes.length) bytes = lengthened(bytes, bytes.length * 2);
    try {
      const read = readSync(file, bytes, length, bytes.length - length, null);
      if (read === 0) return bytes.subarray(0, length);
      length += read;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EOF') return bytes.subarray(0, length);
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(pause, 0, 0, 2);
    }
  }
}
