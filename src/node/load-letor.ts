import { basename } from 'node:path';
import type { FeatureMatrix } from '../core/feature-matrix.js';
import { InputError } from '../core/problem.js';
import { type TestLists, testLists } from '../core/ranked-lists.js';
import type { Run } from '../core/run.js';
import { createLetorReader } from '../formats/letor.js';
import type { LetorOptions } from '../formats/letor-options.js';
import type { LetorReading } from '../formats/letor-parser.js';
import { createPredictionsReader } from '../formats/number-lines.js';
import type { ChunkReader, QrelsReading } from '../formats/reader.js';
import { type OpenedInput, openHead } from './load.js';

/** Reads a learning-to-rank file: LETOR, MSLR or SVMlight, compressed or not. */
export async function loadLetor(path: string, options: LetorOptions = {}, input?: OpenedInput): Promise<FeatureMatrix> {
  return (await readThrough(path, (source) => createLetorReader({ ...options, source }), input)).matrix;
}

/** Reads a file with one number per line. */
export async function loadPredictions(path: string, input?: OpenedInput): Promise<Float64Array> {
  return await readThrough(path, (source) => createPredictionsReader({ source }), input);
}

/** Reads a test file, which may have been opened already, as judgements that predictions can be given for. */
export async function loadTestLists(
  path: string,
  lenient: boolean | undefined,
  input?: OpenedInput,
): Promise<QrelsReading & { lists: TestLists }> {
  const create = (source: string): ChunkReader<LetorReading> => createLetorReader({ features: false, lenient, source });
  const { matrix, skipped } = await readThrough(path, create, input);
  const lists = testLists(matrix);
  return { qrels: lists.qrels, skipped, lists };
}

/** Reads a system's predictions for a test file as a run, which is called as the file is. */
export async function loadPredictedRun(path: string, lists: TestLists, input?: OpenedInput): Promise<Run> {
  const predictions = await loadPredictions(path, input);
  try {
    return lists.ranked(predictions, path === '-' ? 'run' : basename(path));
  } catch (error) {
    if (error instanceof InputError) throw new InputError(error.problems.map((problem) => ({ source: path, ...problem })));
    throw error;
  }
}

async function readThrough<T>(path: string, create: (source: string) => ChunkReader<T>, opened?: OpenedInput): Promise<T> {
  const input = opened ?? (await openHead(path));
  try {
    const reader = create(input.source);
    reader.push(input.start);
    for await (const chunk of input.rest) reader.push(chunk);
    return reader.finish();
  } finally {
    await input.close();
  }
}
