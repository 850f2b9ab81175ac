import { expect, test } from 'vitest';
import { joinChunks } from '../text/byte-writer.js';
import { parseRankLines, writeRankLines } from './rank-lines.js';
import { parseTrecRun } from './run.js';

test('writeRankLines writes the best document first, so that the file can be read back whatever the order of the run was', () => {
  const { run } = parseTrecRun('1 Q0 worst 1 1 t\n1 Q0 best 2 9 t\n1 Q0 middle 3 5 t\n1 Q0 tied 4 5 t\n');
  const bytes = joinChunks(writeRankLines(run));
  expect(new TextDecoder().decode(bytes)).toBe('1\tbest\t1\n1\tmiddle\t2\n1\ttied\t3\n1\tworst\t4\n');
  const again = parseRankLines(bytes).run;
  expect(Array.from(again.docOf, (doc) => again.docs.text(doc))).toEqual(['best', 'middle', 'tied', 'worst']);
});

test('a fourth column holds scores, which decide', () => {
  const { run } = parseRankLines('q1\tp1\t1\t2.5\nq1\tp2\t2\t1.5\n');
  expect([...run.scores]).toEqual([2.5, 1.5]);
  expect(run.ranksOnly).toBeUndefined();
  expect(() => parseRankLines('q1\tp1\t1\t2.5\nq1\tp2\t2\n')).toThrow('expected 4 fields between tabs, found 3');
});
