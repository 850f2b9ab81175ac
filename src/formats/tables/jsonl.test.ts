import { describe, expect, test } from 'vitest';
import { messageOf, readInChunks, rowsOfQrels, rowsOfRun } from '../../../test/helpers/rows.js';
import { toRun } from '../../core/run.js';
import { textBytes } from '../reader.js';
import { createJsonlRunReader, formatJsonlRun, parseJsonlQrels, parseJsonlRun } from './jsonl.js';

const lines = [
  '{"query_id": "1", "doc_id": "a", "score": 2}',
  '',
  '  # a comment {',
  '{"qid": 1, "docno": "b",',
  '{"qid": 1, "docno": "c", "score": 1} {}',
  'nonsense',
  '[1]',
  '{"qid": 1, "docno": "d", "score": "x"}',
  '  {"qid": 2, "docno": "a", "score": 0.5}\r',
  '{"qid": 2, "docno": "a", "score": 0.25}',
  '"unclosed',
];

describe('parseJsonlRun', () => {
  test('tells all problems, each with its line', () => {
    const message = messageOf(() => parseJsonlRun(lines.join('\n'), { source: 'r' }));
    expect(message.split('\n')).toEqual([
      'r:4: is not JSON: the text ends too early: expected a key in quotes; --lenient skips such lines',
      'r:5: is not JSON: expected nothing more, found {; --lenient skips such lines',
      'r:6: is not JSON: expected a value, found nonsense; --lenient skips such lines',
      'r:7: expected a record, found an array; --lenient skips such entries',
      'r:8: expected a finite number as score, found "x"; --lenient skips such lines',
      'r:10: topic "2" has document "a" already on line 9 (ranks 1 and 2); keep one of them; --lenient keeps the first',
      'r:11: is not JSON: the text ends within a string; --lenient skips such lines',
    ]);
  });

  test('reads what it can if lenient, the same in chunks of any size', () => {
    const bytes = textBytes(lines.join('\n'));
    for (let size = 1; size <= bytes.length; size++) {
      const { run, skipped } = readInChunks(createJsonlRunReader({ lenient: true }), bytes, [size]);
      expect(rowsOfRun(run)).toEqual([
        ['1', 'a', 2],
        ['2', 'a', 0.5],
      ]);
      expect(skipped.kinds).toEqual({ 'broken JSON': 4, 'wrong shape': 1, 'not a number': 1, 'duplicate document': 1 });
    }
  });

  test('a record with neither a score nor a rank among records with ranks lacks a value, and no column', () => {
    const text = '{"qid": 1, "docno": "a", "rank": 1}\n{"qid": 1, "docno": "b"}\n';
    expect(messageOf(() => parseJsonlRun(text, { source: 'r' }))).toBe('r:2: has no value for the rank; --lenient skips such records');
  });

  test('refuses a file without records', () => {
    expect(messageOf(() => parseJsonlRun('\n\n', { source: 'r' }))).toBe(
      'r: holds nothing but blank lines and comments; expected a record of topic, document and score on each line',
    );
  });
});

test('parseJsonlQrels reads judgements', () => {
  const text = '{"query_id": "1", "iteration": "0", "doc_id": "a", "relevance": 3}\n{"query_id": "1", "doc_id": "b", "relevance": 0}\n';
  expect(rowsOfQrels(parseJsonlQrels(text).qrels)).toEqual([
    ['1', 'a', 3],
    ['1', 'b', 0],
  ]);
});

test('formatJsonlRun writes a record per line', () => {
  expect(new TextDecoder().decode(formatJsonlRun(toRun({ 1: { a: 0.5, b: 1e-7 } })))).toBe(
    '{"query_id": "1", "doc_id": "a", "score": 0.5}\n{"query_id": "1", "doc_id": "b", "score": 1e-7}\n',
  );
});
