import { fstatSync, openSync, readSync } from 'node:fs';
import { InputError } from '../core/problem.js';
import { type ParquetFile, parquetColumnNames } from '../formats/parquet.js';
import { closeRead, orCannotRead } from './reading.js';

/** A Parquet file on disk, of which only the parts are read that somebody asks for. */
export interface OpenedParquet extends ParquetFile {
  close(): void;
}

export function openParquet(path: string): OpenedParquet {
  const file = orCannotRead(path, () => openSync(path, 'r'));
  try {
    const stat = orCannotRead(path, () => fstatSync(file));
    const { size: byteLength } = stat;
    return {
      byteLength,
      slice(start, end = byteLength) {
        const bytes = new Uint8Array(new ArrayBuffer(end - start));
        for (let at = 0; at < bytes.length; ) {
          const read = orCannotRead(path, () => readSync(file, bytes, at, bytes.length - at, start + at));
          if (read === 0) throw new InputError({ source: path, message: 'ends early', wayOut: 'fetch or make it again' });
          at += read;
        }
        return bytes.buffer;
      },
      close: () => closeRead(file),
    };
  } catch (error) {
    closeRead(file);
    throw error;
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
