import type { Problem } from '../core/problem.js';
import type { Qrels } from '../core/qrels.js';
import type { Run } from '../core/run.js';
import { textCapacity, writeText } from '../core/text.js';
import type { Columns, Role } from './tables/columns.js';

/** How a file is read. Every reader takes these and leaves alone what does not concern its format. */
export interface ReadOptions {
  /** What the file is called in messages; `input` by default. */
  readonly source?: string | undefined;
  /** Skip what cannot be read and keep the first of duplicates, instead of refusing the file. */
  readonly lenient?: boolean | undefined;
  /** How many problems are told one by one; the rest is only counted. */
  readonly maxProblems?: number | undefined;
  /** The run's name; otherwise the tag in the file, where there is one. */
  readonly name?: string | undefined;
  /** Keep what the file says about ranks. */
  readonly ranks?: boolean | undefined;
  /** Keep who judged, or which subtopic was judged; the same document may then be judged once per group. */
  readonly groups?: boolean | undefined;
  /** Keep the division of groups that preference files have; includes `groups`. */
  readonly subgroups?: boolean | undefined;
  /** Which column or field holds what, where its name does not say so. */
  readonly columns?: Columns | undefined;
  /** Told of each of `columns` that the file has. */
  readonly onColumn?: ((role: Role) => void) | undefined;
  /** Whether the first line of a CSV file names the columns; it does, unless `columns` counts them. */
  readonly header?: boolean | undefined;
  /** What parts the fields of a CSV file; a comma, or a tab for TSV. */
  readonly delimiter?: string | undefined;
  /** Whether a double quote at the start of a CSV field has a meaning. */
  readonly quotes?: boolean | undefined;
  /** How long the text is, as far as that is known; saves growing by steps. */
  readonly expectedBytes?: number | undefined;
  /** false keeps the TREC readers from WebAssembly. */
  readonly wasm?: boolean | undefined;
}

/** What lenient reading left out. */
export interface Skipped {
  readonly count: number;
  /** How often each kind of problem came up. */
  readonly kinds: Readonly<Record<string, number>>;
  /** The first few. */
  readonly problems: readonly Problem[];
}

/** What a reader that left nothing out says. */
export const nothingSkipped: Skipped = { count: 0, kinds: {}, problems: [] };

/** A run that was read, and what was left out. */
export interface RunReading {
  readonly run: Run;
  readonly skipped: Skipped;
}

/** Judgements that were read, and what was left out. */
export interface QrelsReading {
  readonly qrels: Qrels;
  readonly skipped: Skipped;
}

/** Takes a file in chunks of any size. A reader is for one file; after `finish` it is spent. */
export interface ChunkReader<Reading> {
  push(chunk: Uint8Array): void;
  /** Throws an `InputError` with all problems, unless the reading is lenient. */
  finish(): Reading;
}

/** What the input is called in messages. */
export function sourceOf(options: ReadOptions): string {
  return options.source ?? 'input';
}

/** Reads a file that is in memory as a whole. */
export function readAll<Reading>(reader: ChunkReader<Reading>, content: Uint8Array | string): Reading {
  reader.push(typeof content === 'string' ? textBytes(content) : content);
  return reader.finish();
}

/** `readAll` with a reader that is told how much will come. */
export function readSized<Reading>(
  createReader: (options: ReadOptions) => ChunkReader<Reading>,
  content: Uint8Array | string,
  options: ReadOptions,
): Reading {
  const bytes = typeof content === 'string' ? textBytes(content) : content;
  return readAll(createReader({ expectedBytes: bytes.length, ...options }), bytes);
}

/** A text as UTF-8, for readers of bytes. */
export function textBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(textCapacity(text));
  return bytes.subarray(0, writeText(bytes, 0, text));
}
