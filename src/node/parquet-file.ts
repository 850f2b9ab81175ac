import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { InputError } from '../core/problem.js';
import { type ParquetFile, parquetColumnNames } from '../formats/parquet.js';
import { systemReason } from './terminal.js';

/** A Parquet file on disk, of which only the parts are read that somebody asks for. */
export interface OpenedParquet extends ParquetFile {
  close(): void;
}

export function openParquet(path: string): OpenedParquet {
  try {
    const file = openSync(path, 'r');
    const byteLength = fstatSync(file).size;
    return {
      byteLength,
      slice(start, end = byteLength) {
        const bytes = new Uint8Array(new ArrayBuffer(end - start));
        for (let at = 0; at < bytes.length; ) {
          const read = readSync(file, bytes, at, bytes.length - at, start + at);
          if (read === 0) throw new InputError({ source: path, message: 'ends early', wayOut: 'fetch or make it again' });
          at += read;
        }
        return bytes.buffer;
      },
      close: () => closeSync(file),
    };
  } catch (error) {
    throw new InputError({ source: path, message: `cannot be read: ${systemReason(error)}` });
  }
}

/** The names of the columns of a Parquet file. */
export async function parquetColumns(path: string): Promise<string[]> {
  const file = openParquet(path);
  try {
    return await parquetColumnNames(file, path);
  } finally {
    file.close();
  }
}
