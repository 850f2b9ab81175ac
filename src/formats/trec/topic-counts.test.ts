import { expect, it } from 'vitest';
import { parseTopicCounts } from './topic-counts.js';

it('parseTopicCounts(text, source) reads a number for each topic', () => {
  expect(parseTopicCounts('\ufeff# expected\n q1 5\r\n\nq2\t12\n', 'f')).toEqual(
    new Map([
      ['q1', 5],
      ['q2', 12],
    ]),
  );
});

it.each([
  ['q1', 'counts.txt:1: expected a topic and a number, found 1 fields'],
  ['q1 2\nq2 2 3', 'counts.txt:2: expected a topic and a number, found 3 fields'],
  ['q1 0', 'counts.txt:1: expected a whole number from 1, found 0'],
  ['q1 2.5', 'counts.txt:1: expected a whole number from 1, found 2.5'],
  ['q1 many', 'counts.txt:1: expected a whole number from 1, found many'],
  ['q1 1\nq1 2', 'counts.txt:2: topic q1 has a number already; keep one line per topic'],
  ['', 'counts.txt: holds no lines; expected lines of a topic and a number'],
])('parseTopicCounts(%j) says what is wrong', (text, message) => {
  expect(() => parseTopicCounts(text, 'counts.txt')).toThrow(message);
});
