import type { FeatureMatrix } from '../../core/feature-matrix.js';
import { InputError } from '../../core/problem.js';
import { type FeatureOptions, letorOptions } from '../../formats/letor/feature-options.js';
import { NAN_WAY_OUT } from '../../formats/letor/lines.js';
import type { LetorReading } from '../../formats/letor/parser.js';
import { readFeatures, sizesBeside } from '../../formats/read.js';
import { joined, nothingSkipped } from '../../formats/reader.js';
import { inferFormat } from '../../formats/recognise.js';
import { type ByteSource, type OpenedSource, openSource } from '../../formats/source.js';
import { textStart } from '../../formats/text/text-start.js';
import { type FileSource, fileSource } from '../files.js';
import { createTeam, type WorkerTeam } from '../threads/team.js';

/** How a file of features is read, whatever its format. */
export interface LoadFeaturesOptions extends Omit<FeatureOptions, 'source'> {
  /** Threads that help to read a large LETOR file; they may be used for other work afterwards. */
  readonly team?: Pick<WorkerTeam, 'run' | 'size'> | undefined;
  /** Without a team: how many threads may read a large LETOR file, 1 by default. The matrix is the same. */
  readonly threads?: number | 'all' | undefined;
  /** Only bins of the values are needed, at most so many for each feature: a large LETOR file is then read without keeping the values. */
  readonly bins?: number | undefined;
}

/** Reads documents with labels and features: LETOR or SVMlight, CSV, TSV, JSON or JSON lines, compressed or not, or
 *  Parquet; the content tells which.
 *  @param from A path, `-` for standard input, or any other source. */
export async function loadFeatures(
  from: string | ByteSource,
  { team, threads, bins, ...options }: LoadFeaturesOptions = {},
): Promise<LetorReading> {
  const file: ByteSource & Partial<FileSource> = typeof from === 'string' ? fileSource(from) : from;
  if (file.held?.features !== undefined) return heldFeatures(file.held.features, file.name, options);
  const input = await openSource(file);
  try {
    const { format } = inferFormat(file.fileName ?? '', input.start, ['features']);
    const groupSizes = options.letor?.groupSizes ?? (await sizesBeside(input));
    // the lines that a group begins at are known only when all before have been read
    if (groupSizes !== undefined) return await readFeatures(input, { ...options, letor: { ...options.letor, groupSizes } });
    if (file.path !== undefined && format.name === 'letor' && isLargePlainFile(input)) {
      const reading = await readByParts(file.path, input, options, { team, threads, bins });
      if (reading !== undefined) return reading;
    }
    if (format.name === 'letor' && (input.compression !== undefined || !file.isReopenable)) {
      return await readStream(input, options, { team, threads });
    }
    return await readFeatures(input, options);
  } finally {
    await input.close();
  }
}

/** Reads LETOR lines from a pipe or a decompressor, with several threads where they are many. */
async function readStream(
  input: OpenedSource,
  options: FeatureOptions,
  { team, threads = 1 }: Pick<LoadFeaturesOptions, 'team' | 'threads'>,
): Promise<LetorReading> {
  const { name: source, size = 0 } = input.source;
  const letor = letorOptions({ ...options, source });
  const { canReadTogether } = await import('./load-letor-together.js');
  if ((team === undefined && threads === 1) || team?.size === 1 || !canReadTogether(letor)) return await readFeatures(input, options);
  const beginning = [input.start];
  let length = input.start.length;
  const rest = input.rest[Symbol.asyncIterator]();
  while (length < WORTH_SHARING) {
    const { value, done } = await rest.next();
    if (done === true) return await readFeatures({ ...input, start: joined(beginning, length) }, options);
    beginning.push(value.slice());
    length += value.length;
  }
  const { loadLetorStreamed } = await import('./load-letor-streamed.js');
  const start = joined(beginning, length);
  const own = team === undefined ? createTeam(threads === 'all' ? undefined : threads) : undefined;
  const text = async function* (): AsyncGenerator<Uint8Array> {
    yield start.subarray(textStart(start, source));
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  };
  try {
    const expectedBytes = size > 0 ? size * USUAL_RATIO : USUAL_STREAM;
    return await loadLetorStreamed(text(), letor, team ?? own ?? createTeam(1), expectedBytes);
  } finally {
    await own?.close();
  }
}

/** Reads a large plain LETOR file into shared memory; undefined where its lines have to be read in order. */
async function readByParts(
  path: string,
  { start, source: { name: source, size = 0 } }: OpenedSource,
  options: FeatureOptions,
  { team, threads = 1, bins }: Pick<LoadFeaturesOptions, 'team' | 'threads' | 'bins'>,
): Promise<LetorReading | undefined> {
  const letor = letorOptions({ ...options, source });
  const { canReadTogether, loadLetorTogether } = await import('./load-letor-together.js');
  if (!canReadTogether(letor)) return undefined;
  // next to a team that is given, this one has no threads
  const own = createTeam(team !== undefined ? 1 : threads === 'all' ? undefined : threads);
  try {
    if (bins !== undefined && size >= WORTH_BINNING) {
      const { loadBinned } = await import('./load-binned.js');
      const reading = await loadBinned(path, letor, team ?? own, bins, textStart(start, source), size);
      if (reading !== undefined) return reading;
    }
    return await loadLetorTogether(path, letor, team ?? own, textStart(start, source), size);
  } catch (error) {
    // so much memory is not to be had at once, or a line is too long; reading in order takes it little by little, and counts lines
    if (error instanceof RangeError) return undefined;
    throw error;
  } finally {
    await own.close();
  }
}

/** Features that a program holds, refused where a file with the same numbers would be. */
function heldFeatures(matrix: FeatureMatrix, source: string, { letor }: LoadFeaturesOptions): LetorReading {
  const { features } = matrix;
  if (features !== undefined && (letor?.nonFinite ?? false) === false) {
    const odd = features.values.findIndex((value) => Number.isNaN(value));
    if (odd >= 0) {
      throw new InputError({
        source,
        line: matrix.lines[Math.floor(odd / features.numFeatures)],
        message: `expected a number as feature ${features.firstFeature + (odd % features.numFeatures)}, found NaN`,
        wayOut: NAN_WAY_OUT,
      });
    }
  }
  return { matrix, skipped: nothingSkipped };
}

/** The least size of a file at which it pays to call others. */
const WORTH_SHARING = 4 << 20;

/** How much longer a text is than its compressed form, and how long one is of which nothing is known. Room that is not used takes no
 *  memory, and what is more is kept apart until all is put together. */
const USUAL_RATIO = 8;
const USUAL_STREAM = 1 << 30;

/** The least size of a file from which bins are made while it is read: it is read twice then. */
const WORTH_BINNING = 64 << 20;

/** Whether a file can be read by parts, and should be: it is stored as it is read, and large. */
function isLargePlainFile({ source: { isReopenable, size = 0 }, compression }: OpenedSource): boolean {
  return isReopenable && size >= WORTH_SHARING && compression === undefined;
}
