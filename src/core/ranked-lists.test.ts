import { expect, test } from 'vitest';
import { withRanks } from './ranked-lists.js';
import { toRun } from './run.js';

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
