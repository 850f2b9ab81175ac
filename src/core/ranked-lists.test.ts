import { expect, test } from 'vitest';
import type { FeatureMatrix } from './feature-matrix.js';
import { IdTable } from './ids.js';
import { tiePlaces } from './judging/tie-places.js';
import { documentsOf, judgedLists, testLists, withRanks } from './ranked-lists.js';
import { toRun } from './run.js';

/** Two lists of one query and one of another between them; `records` is where each row stood among the data lines. */
function lists(comments: readonly string[]): FeatureMatrix {
  const bytes = new TextEncoder().encode(comments.join(''));
  const offsets = Uint32Array.from({ length: comments.length + 1 }, (_, row) => comments.slice(0, row).join('').length);
  return {
    numRows: 6,
    numRecords: 6,
    queryOffsets: Uint32Array.of(0, 3, 5, 6),
    queries: IdTable.of(['7', '5']),
    queryOf: Uint32Array.of(0, 1, 0),
    labels: Float64Array.of(1, 0, 1, 2, 0, 2),
    lines: Uint32Array.of(8, 9, 10, 11, 12, 13),
    records: Uint32Array.of(0, 1, 3, 2, 4, 5),
    comments: { bytes, offsets },
    features: undefined,
  };
}

const named = lists(['docid = b', 'docid = a', 'docid = b', 'docid = a', '', 'x']);

test('documents go by their docid, by it and their line where another has it, or by their line in as many digits as all need', () => {
  const docs = new IdTable();
  expect([...documentsOf(named, docs)].map((doc) => docs.text(doc))).toEqual(['b', 'a', 'b#10', 'a', '12', '13']);
  const unnamed = new IdTable();
  expect([...documentsOf(lists(['', '', '', '', '', '']), unnamed)].map((doc) => unnamed.text(doc))).toEqual([
    '08',
    '09',
    '10',
    '11',
    '12',
    '13',
  ]);
});

test('a test file gives judgements, and predictions in the order of its lines give a run', () => {
  const predictions = Float64Array.of(10, 11, 12, 13, 14, 15);
  const { run, qrels } = judgedLists(named, predictions, 'mine');
  expect(run.name).toBe('mine');
  const rows = (values: Float64Array) =>
    [0, 1].map((t) =>
      Array.from(run.docOf.subarray(run.offsets[t], run.offsets[t + 1]), (doc, i) => [run.docs.text(doc), values[run.offsets[t] + i]]),
    );
  // the third row was the fourth line
  expect(rows(run.scores)).toEqual([
    [
      ['b', 10],
      ['a', 11],
      ['b#10', 13],
      ['13', 15],
    ],
    [
      ['a', 12],
      ['12', 14],
    ],
  ]);
  expect(rows(qrels.grades)).toEqual([
    [
      ['b', 1],
      ['a', 0],
      ['b#10', 1],
      ['13', 2],
    ],
    [
      ['a', 2],
      ['12', 0],
    ],
  ]);
  // a run keeps its numbers when the caller goes on with the array
  const kept = testLists({ ...named, queryOf: Uint32Array.of(0, 1, 2), queries: IdTable.of(['7', '5', '6']), records: undefined });
  const ranked = kept.ranked(predictions, 'other');
  predictions.fill(0);
  expect([...ranked.scores]).toEqual([10, 11, 12, 13, 14, 15]);
});

test('tiePlaces puts the rows of each list in the order of the rule', () => {
  expect(tiePlaces(named, 'file')).toBeUndefined();
  // b, a, b#10 | a, 12 | 13, by bytes: a b b#10, 12 a
  expect([...(tiePlaces(named, 'docno-ascending') ?? [])]).toEqual([1, 0, 2, 1, 0, 0]);
  expect([...(tiePlaces(named, 'docno') ?? [])]).toEqual([1, 2, 0, 0, 1, 0]);
  // grades 1 0 1 | 2 0 | 2, equal ones as they stand
  expect([...(tiePlaces(named, 'optimistic') ?? [])]).toEqual([0, 2, 1, 0, 1, 0]);
  expect([...(tiePlaces(named, 'pessimistic') ?? [])]).toEqual([1, 0, 2, 1, 0, 0]);
});

test('withRanks numbers each topic from 1, equal scores by id', () => {
  const run = toRun([
    { topic: '1', doc: 'b', score: 1 },
    { topic: '1', doc: 'a', score: 2 },
    { topic: '1', doc: 'c', score: 1 },
    { topic: '2', doc: 'z', score: 5 },
    { topic: '2', doc: 'y', score: 4 },
  ]);
  expect([...(withRanks(run, 'docno').ranks ?? [])]).toEqual([3, 1, 2, 1, 2]);
  expect([...(withRanks(run, 'docno-ascending').ranks ?? [])]).toEqual([2, 1, 3, 1, 2]);
  expect([...(withRanks(run, 'file').ranks ?? [])]).toEqual([2, 1, 3, 1, 2]);
});
