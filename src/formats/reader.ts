import { checkWholeFile } from '../core/limits.js';
import type { Problem } from '../core/problem.js';
import type { Qrels } from '../core/qrels.js';
import type { TestLists } from '../core/ranked-lists.js';
import type { Run } from '../core/run.js';
import { textCapacity, writeText } from '../core/text.js';
import type { Columns, Role } from './tables/columns.js';
import type { GradeWords } from './tables/grade-words.js';

/** How a file is read. Every reader takes these and leaves alone what does not concern its format. */
export interface ReadOptions {
  /** What the file is called in messages; `input` by default. */
  readonly source?: string | undefined;
  /** Skip what cannot be read and keep the first of duplicates, instead of refusing the file. */
  readonly lenient?: boolean | undefined;
  /** How many problems are reported one by one; the rest is only counted. */
  readonly maxProblems?: number | undefined;
  /** A document that a topic of a run holds twice is a problem (*refused*, the default), or stays at each of its ranks (*ranked*). */
  readonly repeatedDocuments?: 'refused' | 'ranked' | undefined;
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
  /** Called for each of `columns` that the file has. */
  readonly onColumn?: ((role: Role) => void) | undefined;
  /** Whether the first line of a CSV file names the columns; it does, unless `columns` counts them. */
  readonly header?: boolean | undefined;
  /** What parts the fields of a CSV file; a comma, or a tab for TSV. */
  readonly delimiter?: string | undefined;
  /** Whether a double quote at the start of a CSV field has a meaning. */
  readonly quotes?: boolean | undefined;
  /** Only rows of these topics are wanted. Formats that can be read by parts leave out those in which all topics are others. */
  readonly topics?: ReadonlySet<string> | undefined;
  /** The lists of a learning-to-rank test file that took the place of judgements: a run may be one prediction for each of its data
   *  lines then. */
  readonly lists?: TestLists | undefined;
  /** What the answers in a file are for that do not name their queries, in their order. */
  readonly topicNames?: readonly string[] | undefined;
  /** The name of the file without its extension: the topic of a single answer that names none. */
  readonly fileStem?: string | undefined;
  /** Which run is meant, of a file that holds several. */
  readonly run?: string | undefined;
  /** Which subset is meant, of a file that holds several. */
  readonly subset?: string | undefined;
  /** How the grades of several judges become one: mean, median, majority, or the name of the judge that counts. */
  readonly judges?: string | undefined;
  /** The numbers of grades that are words or letters. */
  readonly grades?: GradeWords | undefined;
  /** Called for each choice among what a file holds that the file offered. */
  readonly onChoice?: ((choice: Choice) => void) | undefined;
  /** How many rows each query of a learning-to-rank test file has, where its lines have no query ids. */
  readonly groupSizes?: ArrayLike<number> | undefined;
  /** How long the text is, as far as that is known; saves growing by steps. */
  readonly expectedBytes?: number | undefined;
  /** false keeps the TREC readers from WebAssembly. */
  readonly wasm?: boolean | undefined;
}

/** What somebody may choose of a file that holds several: a run, a subset, whose judgements count, what the only answer in it is for, or
 *  what its words are worth. */
export type Choice = 'run' | 'subset' | 'judges' | 'topic' | 'grades';

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
  /** What a person should know before trusting numbers that are made of these judgements. */
  readonly notes?: readonly string[] | undefined;
  /** The lists of a learning-to-rank test file, whose labels are the judgements. */
  readonly lists?: TestLists | undefined;
}

/** Takes a file in chunks of any size. A reader is for one file; after `finish` it is spent. */
export interface ChunkReader<Reading> {
  push(chunk: Uint8Array): void;
  /** Throws an `InputError` with all problems, unless the reading is lenient. */
  finish(): Reading;
}

/** A file of which any part can be asked for, so that only what is needed is read. */
export interface ByteParts {
  readonly byteLength: number;
  slice(start: number, end?: number): ArrayBuffer | Promise<ArrayBuffer>;
}

/** A reader that waits until the whole file is there; of which there must not be too much. */
export function wholeFile<Reading>(options: Pick<ReadOptions, 'source'>, read: (bytes: Uint8Array) => Reading): ChunkReader<Reading> {
  const parts: Uint8Array[] = [];
  let length = 0;
  return {
    push(chunk) {
      length += chunk.length;
      checkWholeFile(sourceOf(options), length);
      parts.push(chunk.slice());
    },
    finish: () => read(joined(parts, length)),
  };
}

/** The parts, one behind another. */
export function joined(parts: readonly Uint8Array[], length: number = parts.reduce((sum, part) => sum + part.length, 0)): Uint8Array {
  if (parts.length === 1) return parts[0];
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** What the input is called in messages. */
export function sourceOf(options: Pick<ReadOptions, 'source'>): string {
  return options.source ?? 'input';
}

/** Reads a file that is in memory as a whole. */
export function readAll<Reading>(reader: ChunkReader<Reading>, content: Uint8Array | string): Reading {
  reader.push(typeof content === 'string' ? textBytes(content) : content);
  return reader.finish();
}

/** `readAll` with a reader that knows how much will come. */
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
