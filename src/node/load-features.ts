import { statSync } from 'node:fs';
import type { FeatureMatrix } from '../core/feature-matrix.js';
import { InputError } from '../core/problem.js';
import { createFeatureCsvReader, createFeatureJsonReader, type FeatureTableOptions } from '../formats/letor/feature-table.js';
import type { LetorOptions } from '../formats/letor/options.js';
import { createLetorReader } from '../formats/letor/reader.js';
import { readThrough, withParts } from '../formats/read.js';
import type { ChunkReader, Skipped } from '../formats/reader.js';
import { headOf, looksLikeLetor } from '../formats/sniff.js';
import { type OpenedSource, openSource } from '../formats/source.js';
import { isParquet } from '../formats/tables/parquet.js';
import { textStart } from '../formats/text/text-start.js';
import { type FileSource, fileSource } from './files.js';
import { createTeam, type WorkerTeam } from './team.js';

/** How a file of features is read, whatever its format. */
export interface LoadFeaturesOptions extends Omit<FeatureTableOptions, 'source'> {
  /** Options that only LETOR files know; others have names and missing values of their own. */
  readonly letor?:
    | Pick<LetorOptions, 'numFeatures' | 'firstFeature' | 'featureNames' | 'nonFinite' | 'missing' | 'scattered' | 'precision'>
    | undefined;
  /** Threads that help to read a large LETOR file; they may be used for other work afterwards. */
  readonly team?: Pick<WorkerTeam, 'run'> | undefined;
  /** Without a team: how many threads may read a large LETOR file, 1 by default. The matrix is the same. */
  readonly threads?: number | 'all' | undefined;
}

/** Features that were read from a file, and what was left out. */
export interface FeatureReading {
  readonly matrix: FeatureMatrix;
  readonly skipped: Skipped;
}

/** Reads documents with labels and features: LETOR or SVMlight, CSV, TSV, JSON or JSON lines, compressed or not, or
 *  Parquet; the content tells which. */
export async function loadFeatures(path: string, options: LoadFeaturesOptions = {}): Promise<FeatureReading> {
  const file = fileSource(path);
  const input = await openSource(file);
  try {
    if (isParquet(input.start)) return await readParquet(input, options);
    if (isLetor(input.start) && isLargePlainFile(file, input)) {
      const reading = await readByParts(path, input, options);
      if (reading !== undefined) return reading;
    }
    const reader = readerFor(input.start, { ...options, source: file.name }, file.size);
    return await readThrough(input, reader);
  } finally {
    await input.close();
  }
}

/** Reads a large plain LETOR file into shared memory; undefined where its lines have to be read in order. */
async function readByParts(path: string, input: OpenedSource, options: LoadFeaturesOptions): Promise<FeatureReading | undefined> {
  const letor = letorOptions(input.source.name, options);
  const { canReadTogether, loadLetorTogether } = await import('./load-letor-together.js');
  if (!canReadTogether(letor)) return undefined;
  const { threads = 1 } = options;
  // next to a team that is given, this one has no threads
  const own = createTeam(options.team !== undefined ? 1 : threads === 'all' ? undefined : threads);
  try {
    return await loadLetorTogether(path, letor, options.team ?? own, textStart(input.start, input.source.name), input.source.size ?? 0);
  } catch (error) {
    // so much memory is not to be had at once, or a line is too long; reading in order takes it little by little, and counts lines
    if (error instanceof RangeError) return undefined;
    throw error;
  } finally {
    await own.close();
  }
}

/** The least size of a file at which it pays to call others. */
const WORTH_SHARING = 4 << 20;

/** Whether a file can be read by parts, and should be: it is stored as it is read, and large. */
function isLargePlainFile({ isReopenable, size = 0 }: FileSource, { compression }: OpenedSource): boolean {
  return isReopenable && size >= WORTH_SHARING && compression === undefined;
}

/** Anything that does not look like a table is taken for a LETOR file, whose reader says best what is wrong with it. */
function isLetor(start: Uint8Array): boolean {
  return looksLikeLetor(start) || !/[,;\t{[]/.test(headOf(start).line);
}

function letorOptions(source: string, options: LoadFeaturesOptions): LetorOptions {
  const { lenient, maxProblems, columns, features, ignore, letor } = options;
  if (columns !== undefined || features !== undefined || ignore !== undefined) {
    throw new InputError({
      source,
      message: 'is a LETOR file, whose columns have no names',
      wayOut: 'leave --columns, --features and --ignore out',
    });
  }
  return { source, lenient, maxProblems, ...letor };
}

function readerFor(
  start: Uint8Array,
  options: LoadFeaturesOptions & { readonly source: string },
  size?: number,
): ChunkReader<FeatureReading> {
  if (isLetor(start)) return createLetorReader({ expectedBytes: size, ...letorOptions(options.source, options) });
  const { line } = headOf(start);
  if (line.startsWith('{') || line.startsWith('[')) return createFeatureJsonReader(options);
  const delimiter = options.delimiter ?? [',', '\t', ';'].find((mark) => line.includes(mark)) ?? ',';
  return createFeatureCsvReader({ ...options, delimiter });
}

async function readParquet(input: OpenedSource, options: LoadFeaturesOptions): Promise<FeatureReading> {
  const { parseFeatureParquet } = await import('../formats/letor/feature-parquet.js');
  return await withParts(input, (file) => parseFeatureParquet(file, { ...options, source: input.source.name }));
}

/** Whether there is a file, and not a folder or a pipe, at this path. */
export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
