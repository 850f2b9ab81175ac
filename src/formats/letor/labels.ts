import { testLists } from '../../core/ranked-lists.js';
import type { ChunkReader, QrelsReading, ReadOptions } from '../reader.js';
import { createLetorReader } from './reader.js';

/** Reads the labels of a learning-to-rank test file as judgements, with its lists, which predictions rank. */
export function createLabelsReader({ source, lenient, maxProblems, groupSizes }: ReadOptions = {}): ChunkReader<QrelsReading> {
  const reader = createLetorReader({ source, lenient, maxProblems, groupSizes, features: false });
  return {
    push: (chunk) => reader.push(chunk),
    finish() {
      const { matrix, skipped } = reader.finish();
      const lists = testLists(matrix);
      return { qrels: lists.qrels, skipped, lists };
    },
  };
}
