import type { FeatureMatrix } from '../core/feature-matrix.js';
import type { Qrels } from '../core/qrels.js';
import type { Run } from '../core/run.js';
import type { ScoreTable } from '../core/score-table.js';
import type { Head, Recognition } from './head.js';
import type { FeatureOptions } from './letor/feature-options.js';
import type { NumberLinesOptions } from './letor/number-lines.js';
import type { LetorReading } from './letor/parser.js';
import type { ByteParts, ChunkReader, QrelsReading, ReadOptions, RunReading } from './reader.js';
import type { ScoreFileOptions } from './scores/score-file.js';
import type { Columns } from './tables/columns.js';
import type { ZScoresReading } from './trec/z-scores.js';

/** What is read, with which options, and how it is written. */
export interface ContentType {
  read(options: never): unknown;
  write(...content: never[]): unknown;
}

/** The bytes of a file to be written. */
export type WrittenChunks = Iterable<Uint8Array> | Promise<Iterable<Uint8Array>>;

/** What files can hold. Models have a table of their own, in `gradus/ltr`. */
export interface Contents {
  readonly run: { read(options: ReadOptions): RunReading; write(run: Run): WrittenChunks };
  readonly qrels: { read(options: ReadOptions): QrelsReading; write(qrels: Qrels): WrittenChunks };
  readonly features: { read(options: FeatureOptions): LetorReading; write(matrix: FeatureMatrix): WrittenChunks };
  readonly predictions: { read(options: NumberLinesOptions): Float64Array; write(predictions: Float64Array): WrittenChunks };
  readonly scores: { read(options: ScoreFileOptions): ScoreTable; write(table: ScoreTable): WrittenChunks };
  readonly 'z-scores': { read(options: ReadOptions): ZScoresReading; write(...nothing: never[]): never };
}

/** What a file can hold, by name. */
export type Content = keyof Contents;

/** How a file is read: in order, chunk by chunk, or by asking for parts from anywhere in it. */
export type Reader<Type extends ContentType> =
  | { readonly inOrder: (options: Parameters<Type['read']>[0]) => ChunkReader<ReturnType<Type['read']>> }
  | { readonly byParts: (file: ByteParts, options: Parameters<Type['read']>[0]) => Promise<ReturnType<Type['read']>> };

/** A file format: everything that choosing, reading and writing one need to know. */
export interface Format<Held extends { readonly [Name in keyof Held]: ContentType } = Contents> {
  readonly name: string;
  /** One line for help. */
  readonly summary: string;
  /** How names of such files end. */
  readonly extensions: readonly string[];
  /** Tells whether a file that begins like this can be read; undefined if not.
   *  @param told What somebody said that it holds.
   *  @param columns Which column holds what, where somebody said so. */
  recognise(head: Head, told: keyof Held | undefined, columns: Columns | undefined): Recognition<keyof Held> | undefined;
  /** What a file holds whose beginning does not tell. */
  readonly inspect?: (file: ByteParts, source: string) => Promise<keyof Held | undefined>;
  /** How each of the contents is read that such files can hold. */
  readonly read: { readonly [Name in keyof Held]?: Reader<Held[Name]> };
  /** How each of them is written. */
  readonly write: { readonly [Name in keyof Held]?: Held[Name]['write'] };
  /** What a run in such a file is called: by the *tag* in it, or as the whole *file*; otherwise as the file without its extension. */
  readonly runName?: 'tag' | 'file' | undefined;
}
