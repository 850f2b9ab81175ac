import { openSync, readSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { InputError } from '../../core/problem.js';
import { type Compression, compressedEnding, compressionOf } from '../../formats/compression.js';
import { HEAD_LENGTH } from '../../formats/head.js';
import { inferFormat } from '../../formats/recognise.js';
import type { ChosenColumns } from '../../formats/tables/chosen-columns.js';
import {
  type Columns,
  checkColumns,
  columnsAdvice,
  lackingText,
  missingRoles,
  placeColumns,
  type Role,
  ranksDecide,
  type TableKind,
} from '../../formats/tables/columns.js';
import { filesBehind, hasWildcard } from '../file-patterns.js';
import { closeRead, orCannotRead } from '../reading.js';

/** What the files of a table are, as far as an engine has to know. */
export interface TableFiles {
  /** What the user called them. */
  readonly source: string;
  /** The path or pattern as it was given, or the pattern that a directory stands for. */
  readonly pattern: string;
  /** The files behind it, in the order of their names; none for an address, which only an engine can follow. */
  readonly files: readonly string[];
  /** Whether the path is that of one file, whatever characters are in its name. */
  readonly isLiteral: boolean;
  readonly format: 'parquet' | 'csv' | 'tsv' | 'lines';
  readonly compression: 'none' | Compression;
  /** The first of the files. */
  readonly first: string;
}

/** Finds the files behind a path: a file, all Parquet files of a directory, or a pattern with `*` and `?`. */
export function findTableFiles(path: string, kind: TableKind): TableFiles {
  if (path === '-')
    throw new InputError({ message: 'an engine cannot read standard input', wayOut: 'give a file, a directory or a pattern' });
  // what lies elsewhere cannot be looked at from here
  if (isAddress(path)) {
    return { source: path, pattern: path, files: [], isLiteral: false, format: 'parquet', compression: 'none', first: path };
  }
  const { pattern, files, isLiteral } = filesBehind(path);
  const [first] = files;
  if (first === undefined)
    throw new InputError({
      source: path,
      message: 'there is no such file',
      wayOut: 'quote the pattern, so that the shell leaves it alone',
    });
  const start = readStart(first);
  const about = { source: path, pattern, files, isLiteral, first };
  const compression = compressionOf(start, first) ?? 'none';
  const plainName = first.replace(compressedEnding, '');
  if (compression === 'lz4') {
    throw new InputError({
      source: path,
      message: 'is compressed with lz4, and an engine reads text, gzip and zstd',
      wayOut: 'decompress it with lz4 -dc',
    });
  }
  if (compression !== 'none') {
    const byName = /\.csv$/i.test(plainName) ? 'csv' : /\.tsv$/i.test(plainName) ? 'tsv' : 'lines';
    return { ...about, format: byName, compression };
  }
  const { name } = inferFormat(plainName, start, [kind]).format;
  if (name === 'parquet' || name === 'csv' || name === 'tsv') return { ...about, format: name, compression };
  if (name === 'trec-run' || name.startsWith('qrels')) return { ...about, format: 'lines', compression };
  throw new InputError({
    source: path,
    message: `is ${name}, and an engine reads Parquet, CSV, TSV and TREC files`,
    wayOut: 'gradus convert writes Parquet',
  });
}

/** True for an address such as `s3a://bucket/run`, which only the engine can follow. */
export function isAddress(path: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(path);
}

/** What `gradus convert` calls the columns, for tables whose header cannot be looked at. */
export function writtenNames(kind: TableKind): string[] {
  return ['query_id', 'doc_id', kind === 'run' ? 'score' : 'relevance'];
}

/** The first bytes of a file, by which its kind is recognised. Standard input and folders are refused. */
export function readStart(path: string): Uint8Array {
  const stat = orCannotRead(path, () => statSync(path));
  if (!stat.isFile()) {
    throw new InputError({ source: path, message: 'is not a file, and an engine reads files', wayOut: 'write it to a file first' });
  }
  const file = orCannotRead(path, () => openSync(path, 'r'));
  try {
    const buffer = new Uint8Array(HEAD_LENGTH);
    let length = 0;
    for (let read = -1; read !== 0 && length < buffer.length; length += read) {
      read = orCannotRead(path, () => readSync(file, buffer, length, buffer.length - length, length));
    }
    return buffer.subarray(0, length);
  } finally {
    closeRead(file);
  }
}

/** Whether a table has the columns that one of this kind needs. */
export function hasColumns(header: readonly string[], kind: TableKind, columns: Columns | undefined): boolean {
  const places = placeColumns(header, kind, columns);
  return missingRoles(kind, (role) => header[places.get(role) ?? -1] !== undefined, columns).length === 0;
}

/** The names of the columns that a table is read from; of a run without scores the value is the rank. */
export interface NamedColumns {
  readonly topic: string;
  readonly doc: string;
  readonly value: string;
  readonly isRank?: boolean;
}

/** Which columns a table of this kind is read from, counted from 0; of a run without scores the value is the rank. */
export interface ColumnPlaces {
  readonly topic: number;
  readonly doc: number;
  readonly value: number;
  readonly isRank: boolean;
}

/** Finds the columns that a table of this kind is read from. */
export function columnPlaces(header: readonly string[], kind: TableKind, chosen: ChosenColumns, source: string): ColumnPlaces {
  const { columns, onColumn } = chosen.of(kind);
  checkColumns(columns);
  const places = placeColumns(header, kind, columns, onColumn);
  const missing = missingRoles(kind, (role) => header[places.get(role) ?? -1] !== undefined, columns);
  if (missing.length > 0) {
    throw new InputError({
      source,
      message: lackingText(missing, header),
      wayOut: columnsAdvice(missing, columns, { kind, names: header }),
    });
  }
  const placeOf = (role: Role): number => places.get(role) ?? 0;
  const isRank = kind === 'run' && (ranksDecide(columns) || !places.has('score'));
  return {
    topic: placeOf('topic'),
    doc: placeOf('doc'),
    value: placeOf(isRank ? 'rank' : kind === 'run' ? 'score' : 'grade'),
    isRank,
  };
}

/** The names of the columns that a table of this kind is read from. */
export function columnNames(header: readonly string[], kind: TableKind, chosen: ChosenColumns, source: string): NamedColumns {
  const { topic, doc, value, isRank } = columnPlaces(header, kind, chosen, source);
  const names = { topic: header[topic], doc: header[doc], value: header[value] };
  return isRank ? { ...names, isRank } : names;
}

/** A run goes by the name of its file, or of its folder if the file has no name of its own. */
export function nameOfFiles({ source, isLiteral }: TableFiles): string {
  const own = !isLiteral && hasWildcard(source) ? dirname(source) : source;
  return (
    own
      .split(/[\\/]/)
      .filter((part) => part !== '' && part !== '.')
      .at(-1)
      ?.replace(/(\.(parquet|csv|tsv|txt|run|gz|zst|zstd|lz4))+$/i, '')
      .replace(/\s+/g, '-') || 'run'
  );
}
