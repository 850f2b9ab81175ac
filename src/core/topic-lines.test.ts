import { expect, test } from 'vitest';
import { LinesWithout, type TopicLines } from './topic-lines.js';

test('LinesWithout leaves out one line and counts those after it one less', () => {
  const asked: (readonly number[])[] = [];
  const given: TopicLines = {
    numLines: 4,
    scores: Float64Array.of(99, 10, 11, 12, 13, 98),
    scoreStart: 1,
    docHash: Uint32Array.of(20, 21, 22, 23),
    ranks: Float64Array.of(0, 1, 2, 3, 4, 0),
    sameDoc: (a, b) => asked.push([a, b]) > 0,
    isJudgedDoc: (line, _, doc) => asked.push([line, doc]) > 0,
    compareDocs: (a, b) => a - b,
  };
  const without = new LinesWithout(given, 2);
  expect(without).toMatchObject({ numLines: 3, scoreStart: 0 });
  expect([...without.scores]).toEqual([10, 11, 13]);
  expect([...without.docHash]).toEqual([20, 21, 23]);
  expect([...(without.ranks ?? [])]).toEqual([1, 2, 4]);
  without.sameDoc(1, 2);
  without.isJudgedDoc(2, { bytes: new Uint8Array(0), offsets: new Uint32Array(1), size: 0 }, 7);
  expect(asked).toEqual([
    [1, 3],
    [3, 7],
  ]);
  expect(without.compareDocs(2, 0)).toBe(3);
  expect(without.compareDocs(1, 0)).toBe(1);
});
