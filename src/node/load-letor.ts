import { basename } from 'node:path';
import type { FeatureMatrix } from '../core/feature-matrix.js';
import { type JudgedLists, judgedLists } from '../core/ranked-lists.js';
import { createLetorReader } from '../formats/letor.js';
import type { LetorOptions } from '../formats/letor-options.js';
import { createPredictionsReader } from '../formats/number-lines.js';
import type { ChunkReader } from '../formats/reader.js';
import { openInput } from './files.js';

/** Reads a learning-to-rank file: LETOR, MSLR or SVMlight, compressed or not. */
export async function loadLetor(path: string, options: LetorOptions = {}): Promise<FeatureMatrix> {
  return (await readThrough(path, (source) => createLetorReader({ ...options, source }))).matrix;
}

/** Reads a file with one number per line. */
export async function loadPredictions(path: string): Promise<Float64Array> {
  return await readThrough(path, (source) => createPredictionsReader({ source }));
}

/** Reads a test file and a system's predictions for it as a run with its judgements. */
export async function loadJudgedLists(testPath: string, predictionsPath: string): Promise<JudgedLists> {
  const matrix = await loadLetor(testPath, { features: false });
  return judgedLists(matrix, await loadPredictions(predictionsPath), basename(predictionsPath));
}

/** Whether the first line that holds something is that of a learning-to-rank file: a label and `qid:`. */
export async function looksLikeLetor(path: string): Promise<boolean> {
  if (path === '-') return false;
  const { chunks } = await openInput(path);
  for await (const chunk of chunks) {
    return beginsLikeLetor(chunk);
  }
  return false;
}

/** The same for the beginning of a file that is open already. */
export function beginsLikeLetor(start: Uint8Array): boolean {
  const head = new TextDecoder('latin1').decode(start.slice(0, 4096));
  const line = head.split('\n').find((text) => text.trim() !== '' && !text.startsWith('#'));
  return line !== undefined && /^\s*\S+\s+qid:\S/.test(line);
}

async function readThrough<T>(path: string, create: (source: string) => ChunkReader<T>): Promise<T> {
  const { source, chunks } = await openInput(path);
  const reader = create(source);
  for await (const chunk of chunks) reader.push(chunk);
  return reader.finish();
}
