import type { FeatureMatrix } from '../feature-matrix.js';
import { compareIds, IdTable } from '../ids.js';
import { documentsOf } from '../ranked-lists.js';
import type { TieRule } from './judging-rules.js';

/** The rules that put equal scores into one order, known before any score is. */
export type FixedTieRule = Exclude<TieRule, 'rank' | 'expected'>;

/** Where each row comes among the rows of its query, counted from 0, if all of them have the same score. Documents have the ids that an
 *  evaluation of the same file gives them. Undefined if they come as they stand. */
export function tiePlaces(matrix: FeatureMatrix, ties: FixedTieRule): Uint32Array | undefined {
  if (ties === 'file') return undefined;
  const { queryOffsets, labels, numRows } = matrix;
  let compare: (rowA: number, rowB: number) => number;
  if (ties === 'optimistic') compare = (a, b) => labels[b] - labels[a] || a - b;
  else if (ties === 'pessimistic') compare = (a, b) => labels[a] - labels[b] || a - b;
  else {
    const docs = new IdTable(numRows);
    const docOf = documentsOf(matrix, docs);
    const sign = ties === 'docno' ? -1 : 1;
    compare = (a, b) => sign * compareIds(docs, docOf[a], docs, docOf[b]);
  }
  const rows = Uint32Array.from({ length: numRows }, (_, row) => row); // fits: entries
  const places = new Uint32Array(numRows); // fits: entries
  for (let q = 0; q + 1 < queryOffsets.length; q++) {
    const start = queryOffsets[q];
    const end = queryOffsets[q + 1];
    rows.subarray(start, end).sort(compare);
    for (let at = start; at < end; at++) places[rows[at]] = at - start;
  }
  return places;
}
