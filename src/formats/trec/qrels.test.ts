import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { messageOf, readInChunks, rowsOfQrels } from '../../../test/helpers/rows.js';
import { latin1Bytes } from '../../../test/helpers/slow-lines.js';
import { readSlowly, type SlowLayout, slowPrefs, slowQrels, slowQrelsGroups } from '../../../test/helpers/slow-trec.js';
import { InputError } from '../../core/problem.js';
import { toQrels } from '../../core/qrels.js';
import {
  createTrecQrelsReader,
  formatTrecQrels,
  parseTrecPrefs,
  parseTrecQrels,
  parseTrecQrelsGroups,
  parseTrecQrelsPrefs,
  type QrelsKind,
} from './qrels.js';

describe('parseTrecQrels', () => {
  test('reads topic, document and grade, whole or not, negative or not', () => {
    const { qrels } = parseTrecQrels('1 0 a 2\n1 0 b -1\n2\t0\tc\t0.5\r\n');
    expect(rowsOfQrels(qrels)).toEqual([
      ['1', 'a', 2],
      ['1', 'b', -1],
      ['2', 'c', 0.5],
    ]);
    expect(qrels.groups).toBeUndefined();
  });

  test('keeps the second column on request', () => {
    expect(rowsOfQrels(parseTrecQrels('1 i a 2\n1 j a 0\n', { groups: true }).qrels)).toEqual([
      ['1', 'a', 2, 'i'],
      ['1', 'a', 0, 'j'],
    ]);
  });

  const badLines: [string, string][] = [
    ['1 0 b', 'expected 4 fields (topic iteration document grade), found 3; --lenient skips such lines'],
    [
      '1 0 0 b 1',
      'expected 4 fields (topic iteration document grade), found 5; five fields are preferences (prefs); --lenient skips such lines',
    ],
    ['1 Q0 b 1 1 t', 'expected 4 fields (topic iteration document grade), found 6; six fields are a run, which comes after the judgements'],
    ['1 0 b high', 'expected a finite number as grade, found "high"; map words to numbers first; --lenient skips such lines'],
    ['1 0 b nan', 'expected a finite number as grade, found "nan"; --lenient skips such lines'],
    ['1 1 a 0', 'topic "1" has document "a" already on line 1; keep one of them; --lenient keeps the first'],
  ];
  test.each(badLines)('refuses %j', (line, message) => {
    expect(messageOf(() => parseTrecQrels(`1 0 a 1\n${line}\n`, { source: 'qrels' }))).toBe(`qrels:2: ${message}`);
    expect(rowsOfQrels(parseTrecQrels(`1 0 a 1\n${line}\n`, { lenient: true }).qrels)).toEqual([['1', 'a', 1]]);
  });
});

describe('the other kinds of judgements', () => {
  test('parseTrecQrelsGroups lets each group judge a document once', () => {
    const { qrels } = parseTrecQrelsGroups('1 x a 1\n1 y a 0\n2 x a 1\n');
    expect(rowsOfQrels(qrels)).toEqual([
      ['1', 'a', 1, 'x'],
      ['1', 'a', 0, 'y'],
      ['2', 'a', 1, 'x'],
    ]);
    expect(messageOf(() => parseTrecQrelsGroups('1 x a 1\n1 y a 0\n1 x a 2\n'))).toBe(
      'input:3: topic "1" has document "a" already on line 1; keep one of them; --lenient keeps the first',
    );
  });

  test('parseTrecPrefs reads groups and sub-groups', () => {
    const { qrels } = parseTrecPrefs('1 g s a 2.5\n1 g t a 1\n1 h s a 1\n');
    expect(rowsOfQrels(qrels)).toEqual([
      ['1', 'a', 2.5, 'g', 's'],
      ['1', 'a', 1, 'g', 't'],
      ['1', 'a', 1, 'h', 's'],
    ]);
    expect(messageOf(() => parseTrecPrefs('1 g s a 2\n1 g s a 2\n'))).toBe(
      'input:2: topic "1" has document "a" already on line 1; keep one of them; --lenient keeps the first',
    );
    expect(messageOf(() => parseTrecPrefs('1 g a 2\n'))).toBe(
      'input:1: expected 5 fields (topic group sub-group document grade), found 4; four fields are qrels; --lenient skips such lines',
    );
  });

  test('parseTrecQrelsPrefs reads groups', () => {
    expect(rowsOfQrels(parseTrecQrelsPrefs('1 g a 2\n1 h a 1\n').qrels)).toEqual([
      ['1', 'a', 2, 'g'],
      ['1', 'a', 1, 'h'],
    ]);
  });

  const layouts: [QrelsKind, SlowLayout][] = [
    ['qrels', slowQrels],
    ['qrels_jg', slowQrelsGroups],
    ['qrels_prefs', slowQrelsGroups],
    ['prefs', slowPrefs],
  ];
  test.each(layouts)('createTrecQrelsReader reads %s as the obvious reader does, in chunks of any size', (kind, layout) => {
    const word = fc.constantFrom('1', '2', '0', 'a', 'b', '-1', '0.5', '\xff');
    const line = fc.oneof(
      {
        weight: 5,
        arbitrary: fc.array(word, { minLength: layout.fields - 1, maxLength: layout.fields - 1 }).map((fields) => `${fields.join(' ')} 1`),
      },
      fc.array(fc.oneof(word, fc.constantFrom('x', 'inf', '#', '\0')), { minLength: 3, maxLength: 6 }).map((fields) => fields.join('\t')),
      fc.constantFrom('', '# comment', '\r'),
    );
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 40 }),
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 3 }),
        fc.boolean(),
        (lines, sizes, scattered) => {
          // after so many changes of the topic, lines are read whatever their topics are
          const groups = Array.from({ length: layout.fields - 3 }, () => ' g').join('');
          const before = scattered ? Array.from({ length: 130 }, (_, i) => `${1 + (i % 2)}${groups} p${i} 1`) : [];
          const text = [...before, ...lines].join('\n');
          const { rows, bad } = readSlowly(text, layout);
          const read = (): ReturnType<typeof parseTrecQrels> =>
            readInChunks(createTrecQrelsReader(kind, { lenient: true, maxProblems: 100 }), latin1Bytes(text), sizes);
          if (rows.length === 0) {
            expect(read).toThrow(InputError);
            return;
          }
          const { qrels, skipped } = read();
          const topics = [...new Set(rows.map((row) => row.topic))];
          const expected = topics.flatMap((topic) =>
            rows.filter((row) => row.topic === topic).map((row) => [row.topic, row.doc, row.value, ...row.groups]),
          );
          expect(rowsOfQrels(qrels)).toEqual(expected);
          expect(skipped.problems.map(({ line }) => line)).toEqual(bad.map(({ line }) => line));
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('formatTrecQrels', () => {
  const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

  test('writes 0 for columns that the judgements do not have', () => {
    const qrels = toQrels({ 1: { a: 2, b: 0.25 } });
    expect(text(formatTrecQrels(qrels))).toBe('1 0 a 2\n1 0 b 0.25\n');
    expect(text(formatTrecQrels(qrels, 'prefs'))).toBe('1 0 0 a 2\n1 0 0 b 0.25\n');
  });

  test('writes the groups that they have', () => {
    const lines = '1 g s a 2\n1 g t a 1\n2 h s b -3\n';
    expect(text(formatTrecQrels(parseTrecPrefs(lines).qrels, 'prefs'))).toBe(lines);
    expect(text(formatTrecQrels(parseTrecQrelsGroups('1 g a 2\n1 h a 1\n').qrels, 'qrels_jg'))).toBe('1 g a 2\n1 h a 1\n');
  });

  test('refuses to lose sub-groups, and groups with white space', () => {
    const { qrels } = parseTrecPrefs('1 g s a 2\n');
    expect(messageOf(() => formatTrecQrels(qrels))).toBe(
      'the judgements have sub-groups, which qrels files cannot hold; prefs, JSON, JSONL and CSV can',
    );
    const spaced = toQrels([{ topic: '1', doc: 'a', grade: 1, iteration: 'first round' }]);
    expect(messageOf(() => formatTrecQrels(spaced))).toBe(
      'group "first round" holds white space, which parts the fields of TREC files; JSON, JSONL and CSV can hold any id',
    );
    const nameless = toQrels([{ topic: '1', doc: 'a', grade: 1, iteration: '' }]);
    expect(messageOf(() => formatTrecQrels(nameless))).toBe('cannot write an empty group id; give it a name');
  });
});
