import { closest } from '../core/closest.js';
import { InputError } from '../core/problem.js';
import type { Qrels } from '../core/qrels.js';
import type { Run } from '../core/run.js';
import { type ChunkReader, type QrelsReading, type ReadOptions, type RunReading, readSized, sourceOf, textBytes } from './reader.js';
import {
  type Head,
  headOf,
  type Recognition,
  recogniseCsv,
  recogniseJson,
  recogniseJsonl,
  recogniseLines,
  recogniseRanks,
} from './sniff.js';
import type { Columns, TableKind } from './tables/columns.js';
import { createCsvQrelsReader, createCsvRunReader, writeCsv } from './tables/csv.js';
import { createJsonQrelsReader, createJsonRunReader, writeJson } from './tables/json.js';
import { createJsonlQrelsReader, createJsonlRunReader, writeJsonl } from './tables/jsonl.js';
import { rowsOfQrels, rowsOfRun } from './tables/written-rows.js';
import { createTrecQrelsReader, type QrelsKind, writeTrecQrels } from './trec/qrels.js';
import { createRankLinesReader, writeRankLines } from './trec/rank-lines.js';
import { createTrecRunReader, writeTrecRun } from './trec/run.js';
import { createZScoresReader, type ZScoresReading } from './trec/z-scores.js';

/** What a format can hold: a run, plain judgements, judgements by groups, preferences, what z-scores are made of. */
export type Content = 'run' | 'qrels' | 'groups' | 'preferences' | 'z-scores';

/** A file format: everything that choosing, reading and writing one need to know. */
export interface Format {
  readonly name: string;
  /** One line for help. */
  readonly summary: string;
  /** How names of such files end. */
  readonly extensions: readonly string[];
  readonly holds: readonly Content[];
  /** Tells whether a file that begins like this can be read; undefined if not. */
  recognise(head: Head, columns: Columns | undefined): Recognition | undefined;
  readonly createRunReader?: (options?: ReadOptions) => ChunkReader<RunReading>;
  readonly createQrelsReader?: (options?: ReadOptions) => ChunkReader<QrelsReading>;
  readonly createZScoresReader?: (options?: ReadOptions) => ChunkReader<ZScoresReading>;
  readonly writeRun?: (run: Run) => Iterable<Uint8Array>;
  readonly writeQrels?: (qrels: Qrels) => Iterable<Uint8Array>;
  /** True for a format that is read by parts from anywhere in a file and written at once; it has no reader of chunks. */
  readonly isColumnar?: boolean;
}

function trecQrels(name: QrelsKind, summary: string, holds: readonly Content[], extensions: readonly string[]): Format {
  return {
    name,
    summary,
    extensions,
    holds,
    // the kinds with four fields look alike, so only the plain one is ever recognised
    recognise: (head) => {
      if (name === 'qrels') return recogniseLines(head, 4, 3, 'qrels');
      return name === 'prefs' ? recogniseLines(head, 5, 4, 'qrels') : undefined;
    },
    createQrelsReader: (options) => createTrecQrelsReader(name, options),
    writeQrels: (qrels) => writeTrecQrels(qrels, name),
  };
}

function separated(name: string, summary: string, delimiter: string): Format {
  return {
    name,
    summary,
    extensions: [`.${name}`],
    holds: ['run', 'qrels', 'groups', 'preferences'],
    recognise: (head, columns) => recogniseCsv(head, delimiter, columns),
    createRunReader: (options) => createCsvRunReader({ delimiter, ...options }),
    createQrelsReader: (options) => createCsvQrelsReader({ delimiter, ...options }),
    writeRun: (run) => writeCsv(rowsOfRun(run), delimiter),
    writeQrels: (qrels) => writeCsv(rowsOfQrels(qrels), delimiter),
  };
}

/** Every format, in the order in which they are tried on a file whose name does not tell. */
export const formats: readonly Format[] = [
  {
    name: 'trec-run',
    summary: 'lines of topic, Q0, document, rank, score, tag',
    extensions: ['.run', '.res', '.trec'],
    holds: ['run'],
    recognise: (head) => recogniseLines(head, 6, 4, 'run'),
    createRunReader: createTrecRunReader,
    writeRun: writeTrecRun,
  },
  trecQrels('qrels', 'lines of topic, iteration, document, grade', ['qrels'], ['.qrels', '.qrel']),
  trecQrels('qrels_jg', 'lines of topic, group, document, grade', ['qrels', 'groups'], ['.qrels_jg']),
  trecQrels('prefs', 'lines of topic, group, sub-group, document, grade', ['qrels', 'groups', 'preferences'], ['.prefs']),
  trecQrels('qrels_prefs', 'preferences as lines of topic, group, document, grade', ['qrels', 'groups', 'preferences'], ['.qrels_prefs']),
  {
    name: 'json',
    summary: '{ topic: { document: number } }, { topic: [document, …] } or an array of records',
    extensions: ['.json'],
    holds: ['run', 'qrels', 'groups', 'preferences'],
    recognise: recogniseJson,
    createRunReader: createJsonRunReader,
    createQrelsReader: createJsonQrelsReader,
    writeRun: (run) => writeJson(rowsOfRun(run)),
    writeQrels: (qrels) => writeJson(rowsOfQrels(qrels)),
  },
  {
    name: 'jsonl',
    summary: 'a JSON record on each line',
    extensions: ['.jsonl', '.ndjson'],
    holds: ['run', 'qrels', 'groups', 'preferences'],
    recognise: recogniseJsonl,
    createRunReader: createJsonlRunReader,
    createQrelsReader: createJsonlQrelsReader,
    writeRun: (run) => writeJsonl(rowsOfRun(run)),
    writeQrels: (qrels) => writeJsonl(rowsOfQrels(qrels)),
  },
  {
    name: 'parquet',
    summary: 'columns in a Parquet file',
    extensions: ['.parquet', '.pq'],
    holds: ['run', 'qrels', 'groups', 'preferences'],
    recognise: (head) => (head.line.startsWith('PAR1') ? {} : undefined),
    isColumnar: true,
  },
  separated('csv', 'comma-separated values with a header', ','),
  separated('tsv', 'tab-separated values with a header', '\t'),
  {
    name: 'msmarco',
    summary: 'lines of topic, document, rank, without a header',
    extensions: ['.msmarco'],
    holds: ['run'],
    recognise: recogniseRanks,
    createRunReader: createRankLinesReader,
    writeRun: writeRankLines,
  },
  {
    name: 'z-scores',
    summary: 'lines of topic, measure, mean, standard deviation',
    extensions: ['.zscores'],
    holds: ['z-scores'],
    // looks like judgements whose documents are numbers
    recognise: () => undefined,
    createZScoresReader,
  },
];

/** The names by which formats are chosen. */
export const formatNames: readonly string[] = formats.map((format) => format.name);

/** The format of this name; `trec` is the TREC format of the kind at hand. */
export function findFormat(name: string, kind?: TableKind): Format {
  const wanted = name === 'trec' && kind !== undefined ? trecNames[kind] : name;
  const found = formats.find((format) => format.name === wanted);
  if (found !== undefined) return found;
  const near = closest(name, formatNames);
  throw new InputError({
    message: `there is no format ${name}`,
    wayOut: near === undefined ? `there are trec, ${formatNames.join(', ')}` : `did you mean ${near}?`,
  });
}

const trecNames: Readonly<Record<TableKind, string>> = { run: 'trec-run', qrels: 'qrels' };

/** Whether files of a format can hold a run, or judgements. */
export function canRead(format: Format, kind: TableKind): boolean {
  return format.isColumnar === true || (kind === 'run' ? format.createRunReader : format.createQrelsReader) !== undefined;
}

/** The format that a file name promises, compression aside. */
export function formatByName(fileName: string): Format | undefined {
  const plain = fileName.toLowerCase().replace(/\.(gz|zst|zstd)$/, '');
  return formats.find((format) => format.extensions.some((extension) => plain.endsWith(extension)));
}

/** What a file is, by its name and the way it begins. The content has the last word: MS MARCO's judgements, for one, are
 *  called .tsv and are TREC lines.
 *  @param kind What it is wanted for; if undefined, what it is shows in the answer, as far as it can be told. */
export function inferFormat(
  fileName: string,
  start: Uint8Array,
  kind: TableKind | undefined,
  columns?: Columns,
): { readonly format: Format; readonly kind: TableKind | undefined } {
  const head = headOf(start);
  const candidates = formats.filter((format) =>
    kind === undefined ? canRead(format, 'run') || canRead(format, 'qrels') : canRead(format, kind),
  );
  const named = formatByName(fileName);
  const promised = named !== undefined && candidates.includes(named) ? named : undefined;
  for (const format of promised === undefined ? candidates : [promised, ...candidates]) {
    const recognition = format.recognise(head, columns);
    if (recognition !== undefined) return { format, kind: kind ?? recognition.kind ?? onlyKind(format) };
  }
  // nothing fits; the reader that comes nearest will say what is wrong
  const nearest = promised ?? findFormat(/^[[{]/.test(head.line) ? 'json' : 'trec', kind ?? 'run');
  return { format: nearest, kind: kind ?? onlyKind(nearest) };
}

/** What a format holds, if it can hold only one kind of thing. */
export function onlyKind(format: Format): TableKind | undefined {
  const readable = (['run', 'qrels'] as const).filter((kind) => canRead(format, kind));
  return readable.length === 1 ? readable[0] : undefined;
}

/** How a whole text is read. */
export interface ParseOptions extends ReadOptions {
  /** The name of a format, where neither `source` nor the content tells which it is. */
  readonly format?: string | undefined;
}

/** Reads a run that is in memory, in any format. */
export function parseRun(content: Uint8Array | string, options: ParseOptions = {}): RunReading {
  return parse(content, options, 'run', (format) => format.createRunReader);
}

/** Reads judgements that are in memory, in any format. */
export function parseQrels(content: Uint8Array | string, options: ParseOptions = {}): QrelsReading {
  return parse(content, options, 'qrels', (format) => format.createQrelsReader);
}

function parse<Reading>(
  content: Uint8Array | string,
  options: ParseOptions,
  kind: TableKind,
  creatorOf: (format: Format) => ((options?: ReadOptions) => ChunkReader<Reading>) | undefined,
): Reading {
  const bytes = typeof content === 'string' ? textBytes(content) : content;
  const source = sourceOf(options);
  const format = options.format === undefined ? inferFormat(source, bytes, kind, options.columns).format : findFormat(options.format, kind);
  const createReader = creatorOf(format);
  if (format.isColumnar) {
    throw new InputError({
      source,
      message: 'is Parquet, which cannot be read at once',
      wayOut: 'await parseParquetRun or parseParquetQrels',
    });
  }
  if (createReader === undefined) throw cannotHold(format, kind, source);
  return readSized(createReader, bytes, options);
}

/** The error that a format has no place for what is to be read or written. */
export function cannotHold(format: Format, kind: TableKind, source: string): InputError {
  return new InputError({ source, message: `${format.name} files cannot hold ${kind === 'run' ? 'runs' : 'judgements'}` });
}
