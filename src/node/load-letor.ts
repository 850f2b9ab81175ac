import { basename } from 'node:path';
import type { FeatureMatrix } from '../core/feature-matrix.js';
import { type JudgedLists, judgedLists } from '../core/ranked-lists.js';
import { createLetorReader } from '../formats/letor.js';
import type { LetorOptions } from '../formats/letor-options.js';
import { createPredictionsReader } from '../formats/number-lines.js';
import type { ChunkReader } from '../formats/reader.js';
import { type OpenedInput, openHead } from './load.js';

/** Reads a learning-to-rank file: LETOR, MSLR or SVMlight, compressed or not. */
export async function loadLetor(path: string, options: LetorOptions = {}, input?: OpenedInput): Promise<FeatureMatrix> {
  return (await readThrough(path, (source) => createLetorReader({ ...options, source }), input)).matrix;
}

/** Reads a file with one number per line. */
export async function loadPredictions(path: string): Promise<Float64Array> {
  return await readThrough(path, (source) => createPredictionsReader({ source }));
}

/** Reads a test file, which may have been opened already, and a system's predictions for it as a run with its judgements. */
export async function loadJudgedLists(testPath: string, predictionsPath: string, input?: OpenedInput): Promise<JudgedLists> {
  const matrix = await loadLetor(testPath, { features: false }, input);
  return judgedLists(matrix, await loadPredictions(predictionsPath), basename(predictionsPath));
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
