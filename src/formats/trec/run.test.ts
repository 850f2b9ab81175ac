import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { messageOf, readInChunks, rowsOfRun } from '../../../test/helpers/rows.js';
import { latin1Bytes } from '../../../test/helpers/slow-lines.js';
import { readSlowly, slowRun } from '../../../test/helpers/slow-trec.js';
import { InputError } from '../../core/problem.js';
import { toRun } from '../../core/run.js';
import { createTrecRunReader, formatTrecRun, parseTrecRun } from './run.js';

const engines: [string, boolean][] = [
  ['TypeScript', false],
  ['WebAssembly', true],
];

describe.each(engines)('parseTrecRun, scanning in %s,', (_, wasm) => {
  test('reads topic, document, score and tag', () => {
    const { run, skipped } = parseTrecRun('1 Q0 d2 1 2.5 bm25\n1 Q0 d1 2 -1e-3 bm25\n10 Q0 d2 1 0 bm25\n', { wasm });
    expect(rowsOfRun(run)).toEqual([
      ['1', 'd2', 2.5],
      ['1', 'd1', -0.001],
      ['10', 'd2', 0],
    ]);
    expect(run.name).toBe('bm25');
    expect(run.ranks).toBeUndefined();
    expect(skipped).toEqual({ count: 0, kinds: {}, problems: [] });
  });

  test('takes tabs, CRLF, a byte-order mark, blank lines, comments, a missing last line end and scattered topics', () => {
    const text = '\ufeff# made by hand\r\n1\tQ0\td1\t1\t3\tt\r\n\r\n  2 Q0  d1 1 2 t\n   # more\n1 Q0 d2 2 1 t';
    expect(rowsOfRun(parseTrecRun(text, { wasm }).run)).toEqual([
      ['1', 'd1', 3],
      ['1', 'd2', 1],
      ['2', 'd1', 2],
    ]);
  });

  test('keeps ids of any bytes and any name', () => {
    const text = latin1Bytes('__proto__ Q0 constructor 1 1 t\n\xff\xfe Q0 \xc3\x28 1 2 t\n\xe6\x97\xa5 Q0 = 1 3 t\n');
    expect(rowsOfRun(parseTrecRun(text, { wasm }).run)).toEqual([
      ['__proto__', 'constructor', 1],
      ['\xff\xfe', '\xc3(', 2],
      ['\xe6\x97\xa5', '=', 3],
    ]);
  });

  test('keeps ranks on request', () => {
    const text = '1 Q0 a 2 9 t\n2 Q0 a 7 9 t\n1 Q0 b 1 8 t\n';
    expect(rowsOfRun(parseTrecRun(text, { ranks: true, wasm }).run)).toEqual([
      ['1', 'a', 9, 2],
      ['1', 'b', 8, 1],
      ['2', 'a', 9, 7],
    ]);
    expect(messageOf(() => parseTrecRun('1 Q0 a first 9 t\n', { ranks: true, wasm }))).toBe(
      'input:1: expected a finite number as rank, found "first"; --lenient skips such lines',
    );
  });

  const good = '1 Q0 good 1 1 t\n';
  const badLines: [string, string][] = [
    ['1 Q0 d 1 0.5', 'expected 6 fields (topic Q0 document rank score tag), found 5; write all six; the last one is any name for the run'],
    ['1 Q0 my doc 1 0.5 tag', 'expected 6 fields (topic Q0 document rank score tag), found 7; --lenient skips such lines'],
    ['1 0 d 1', 'expected 6 fields (topic Q0 document rank score tag), found 4; four fields are judgements, which come before the run'],
    ['1 Q0 d 1 abc tag', 'expected a finite number as score, found "abc"; --lenient skips such lines'],
    ['1 Q0 d 1 NaN tag', 'expected a finite number as score, found "NaN"; --lenient skips such lines'],
    ['1 Q0 d 1 -inf tag', 'expected a finite number as score, found "-inf"; --lenient skips such lines'],
    ['1 Q0 d 1 1e999 tag', 'expected a finite number as score, found "1e999"; --lenient skips such lines'],
    ['1 Q0 d 1 0x10 tag', 'expected a finite number as score, found "0x10"; --lenient skips such lines'],
    ['1 Q0 d 1 1,5 tag', 'expected a finite number as score, found "1,5"; --lenient skips such lines'],
    [`1 Q0 d 1 ${'9'.repeat(60)}x tag`, `expected a finite number as score, found "${'9'.repeat(60)}…"; --lenient skips such lines`],
    ['1 Q0 d\0 1 1 tag', 'holds a NUL byte, expected text: topic Q0 document rank score tag; --lenient skips such lines'],
    ['1 Q0 \x1b[31m 1 x\x1b tag', 'expected a finite number as score, found "x\\x1b"; --lenient skips such lines'],
    ['1 Q0 good 2 0.5 tag', 'topic "1" has document "good" already on line 1 (ranks 1 and 2); keep one of them; --lenient keeps the first'],
  ];
  test.each(badLines)('refuses %j', (line, message) => {
    expect(messageOf(() => parseTrecRun(`${good}${line}\n2 Q0 d 1 1 t\n`, { source: 'run.txt', wasm }))).toBe(`run.txt:2: ${message}`);
    const { run, skipped } = parseTrecRun(`${good}${line}\n2 Q0 d 1 1 t\n`, { source: 'run.txt', lenient: true, wasm });
    expect(rowsOfRun(run)).toEqual([
      ['1', 'good', 1],
      ['2', 'd', 1],
    ]);
    expect(skipped.count).toBe(1);
    expect(Object.values(skipped.kinds)).toEqual([1]);
    expect(skipped.problems[0].line).toBe(2);
  });

  test('tells the line on which a scattered duplicate was first, past blank lines and comments', () => {
    const text = '# c\n1 Q0 a 1 9 t\n\n2 Q0 a 1 9 t\n# c\n# c\n1 Q0 b 1 9 t\n2 Q0 a 1 8 t\n\n1 Q0 a 1 8 t\n';
    expect(messageOf(() => parseTrecRun(text, { wasm }))).toBe(
      'input:8: topic "2" has document "a" already on line 4 (ranks 1 and 2); keep one of them; --lenient keeps the first\n' +
        'input:10: topic "1" has document "a" already on line 2 (ranks 1 and 3); keep one of them; --lenient keeps the first',
    );
  });

  test('tells all problems in the order of the file, up to a limit, and counts the rest', () => {
    const bad = Array.from({ length: 30 }, (_, i) => (i % 2 === 0 ? `1 Q0 d${i} 1 x t\n` : '1 Q0 good 1 1 t\n')).join('');
    const problems = (maxProblems?: number): string[] => messageOf(() => parseTrecRun(good + bad, { maxProblems, wasm })).split('\n');
    expect(problems()).toHaveLength(21);
    expect(problems()[0]).toMatch(/^input:2: expected a finite number/);
    expect(problems()[1]).toMatch(/^input:3: topic "1" has document "good"/);
    expect(problems()[19]).toMatch(/^input:21: /);
    expect(problems()[20]).toBe('input: and 10 more problems');
    expect(problems(29).at(-1)).toBe('input: and 1 more problem');
    expect(problems(100)).toHaveLength(30);
  });

  test('counts what it skips, by kind', () => {
    const text = `${good}1 Q0\n1 Q0 good 1 1 t\n1 Q0 x 1 nan t\n1 Q0 y 1 - t\n1 Q0\n`;
    expect(parseTrecRun(text, { lenient: true, maxProblems: 2, wasm }).skipped).toEqual({
      count: 5,
      kinds: { 'wrong number of fields': 2, 'duplicate document': 1, 'not a finite number': 1, 'not a number': 1 },
      problems: [
        expect.objectContaining({ line: 2, source: 'input' }),
        expect.objectContaining({ line: 3, wayOut: 'keep one of them; --lenient keeps the first' }),
      ],
    });
  });

  test('leaves out a topic of which nothing can be read', () => {
    const { run } = parseTrecRun('1 Q0 a 1 x t\n2 Q0 a 1 1 t\n', { lenient: true, wasm });
    expect(run.topics.size).toBe(1);
    expect(run.topics.text(0)).toBe('2');
  });

  test('reads as the obvious reader does, in chunks of any size', () => {
    const field = fc.constantFrom('1', '2', '33', 'a', 'b', 'Q0', '0.5', '-3e2', 'nan', '1e999', '\xff', '#x', 'x\0', '7.', '.', '-');
    const line = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.tuple(fc.constantFrom('1', '2'), fc.constantFrom('a', 'b', 'c', 'd', 'e')).map(([t, d]) => `${t} Q0 ${d} 1 0.5 t`),
      },
      fc.array(field, { minLength: 5, maxLength: 7 }).map((fields) => fields.join(' ')),
      fc.constantFrom('', '  ', '# comment', '\r', '1\tQ0\tz\t1\t2\tt\r'),
    );
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 25 }),
        fc.constantFrom('', '\n', '\r\n'),
        fc.boolean(),
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        fc.boolean(),
        (lines, ending, mark, sizes, ranks, scattered) => {
          // after so many changes of the topic, lines are read whatever their topics are
          const before = scattered ? Array.from({ length: 130 }, (_, i) => `${1 + (i % 2)} Q0 p${i} 1 ${i} t`) : [];
          const text = (mark ? '\xef\xbb\xbf' : '') + [...before, ...lines].join('\n') + ending;
          const { rows, bad } = readSlowly(text, ranks ? { ...slowRun, alsoNumber: 3 } : slowRun);
          const topics = [...new Set(rows.map((row) => row.topic))];
          const expected = topics.flatMap((topic) =>
            rows.filter((row) => row.topic === topic).map(({ topic, doc, value }) => [topic, doc, value]),
          );
          const read = (lenient: boolean) => readInChunks(createTrecRunReader({ lenient, ranks, wasm }), latin1Bytes(text), sizes);
          if (rows.length === 0) {
            expect(() => read(true)).toThrow(InputError);
            return;
          }
          const { run, skipped } = read(true);
          expect(rowsOfRun(run).map((row) => row.slice(0, 3))).toEqual(expected);
          expect(skipped.count).toBe(bad.length);
          expect(skipped.problems.map(({ line }) => line)).toEqual(bad.slice(0, 20).map(({ line }) => line));
          const kinds: Record<string, number> = {};
          for (const { kind } of bad) kinds[kind] = (kinds[kind] ?? 0) + 1;
          expect(skipped.kinds).toEqual(kinds);
          if (bad.length > 0) expect(() => read(false)).toThrow(InputError);
          else expect(rowsOfRun(read(false).run)).toEqual(rowsOfRun(run));
        },
      ),
      { numRuns: 400 },
    );
  });

  test('reads a line of 10 MB, in one piece and in small ones', () => {
    const doc = 'x'.repeat(10_000_000);
    const bytes = new TextEncoder().encode(`1 Q0 ${doc} 1 1 t\n1 Q0 d 2 0.5 t\n`);
    for (const size of [bytes.length, 4096]) {
      const { run } = readInChunks(createTrecRunReader({ wasm }), bytes, [size]);
      expect(run.scores).toHaveLength(2);
      expect(run.docs.text(0)).toHaveLength(10_000_000);
    }
  });
});

describe('parseTrecRun', () => {
  test('reads a million topics', () => {
    const text = Array.from({ length: 1_000_000 }, (_, i) => `${i} Q0 d 1 1 t\n`).join('');
    const { run } = parseTrecRun(text);
    expect(run.topics.size).toBe(1_000_000);
    expect(run.docs.size).toBe(1);
    expect(run.topics.text(999_999)).toBe('999999');
  });

  test('refuses files that hold nothing', () => {
    const expected = 'expected lines of topic Q0 document rank score tag';
    expect(messageOf(() => parseTrecRun('', { source: 'a' }))).toBe(`a: holds no lines; ${expected}`);
    expect(messageOf(() => parseTrecRun('\n# c\n \r\n', { source: 'a' }))).toBe(
      `a: holds nothing but blank lines and comments; ${expected}`,
    );
    expect(messageOf(() => parseTrecRun('x\ny', { source: 'a', lenient: true }))).toBe(
      [
        'a:1: expected 6 fields (topic Q0 document rank score tag), found 1; --lenient skips such lines',
        'a:2: expected 6 fields (topic Q0 document rank score tag), found 1; --lenient skips such lines',
        `a: nothing is left, because every line was skipped; ${expected}`,
      ].join('\n'),
    );
  });

  const notText: [string, string, string][] = [
    ['gzip', '\x1f\x8b\x08\x00', 'a: is compressed with gzip, expected text; decompress it with gzip -dc'],
    ['zstd', '\x28\xb5\x2f\xfd', 'a: is compressed with zstd, expected text; decompress it with zstd -dc'],
    ['zstd after a frame to skip', '\x5f\x2a\x4d\x18', 'a: is compressed with zstd, expected text; decompress it with zstd -dc'],
    ['bzip2', 'BZh91AY&SY', 'a: is compressed with bzip2, expected text; decompress it with bzip2 -dc'],
    ['lz4', '\x04\x22\x4d\x18', 'a: is compressed with lz4, expected text; decompress it with lz4 -dc'],
    ['xz', '\xfd7zXZ\0', 'a: is compressed with xz, expected text; decompress it with xz -dc'],
    ['ZIP', 'PK\x03\x04', 'a: is a ZIP archive, expected text; unpack it first'],
    ['a PDF', '%PDF-1.7\n1 0 obj', 'a: is a PDF, expected text; give the file of text that it was made from'],
    ['a picture', '\x89PNG\r\n\x1a\n\0', 'a: is a picture, expected text; give a file of text'],
    ['UTF-16', '\xff\xfe1\0 \0', 'a: is UTF-16 text, expected UTF-8; iconv -f UTF-16 -t UTF-8 converts it'],
  ];
  test.each(notText)('says so if it is given %s', (_, start, message) => {
    expect(messageOf(() => parseTrecRun(latin1Bytes(start), { source: 'a' }))).toBe(message);
    expect(messageOf(() => readInChunks(createTrecRunReader({ source: 'a' }), latin1Bytes(start), [1]))).toBe(message);
  });

  test('takes an expected length for what it is, a guess', () => {
    for (const expectedBytes of [0, 1, 1e15]) {
      expect(rowsOfRun(parseTrecRun('1 Q0 a 1 1 t\n', { expectedBytes }).run)).toEqual([['1', 'a', 1]]);
    }
  });

  test('gives up on a line of more than 64 MB', () => {
    const reader = createTrecRunReader({ source: 'a' });
    reader.push(new TextEncoder().encode('1 Q0 d 1 1 t\n'));
    const chunk = new Uint8Array(1 << 22).fill(120);
    expect(
      messageOf(() => {
        for (let i = 0; i < 20; i++) reader.push(chunk);
      }),
    ).toBe(
      'a:2: is longer than 67108864 bytes, expected topic Q0 document rank score tag; check that this is a text file with one record per line',
    );
  });

  test('takes the tag of the last line, unless given a name', () => {
    expect(parseTrecRun('1 Q0 a 1 1 first\n1 Q0 b 1 1 last\n').run.name).toBe('last');
    expect(parseTrecRun('1 Q0 a 1 1 first\n', { name: 'mine' }).run.name).toBe('mine');
  });
});

describe('formatTrecRun', () => {
  const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

  test('counts ranks out by score, equal scores in the order they stand', () => {
    const run = toRun({ q: { low: 1, high: 3, tied: 1 }, r: { only: 0.1 } }, 'tag');
    expect(text(formatTrecRun(run))).toBe('q Q0 low 2 1 tag\nq Q0 high 1 3 tag\nq Q0 tied 3 1 tag\nr Q0 only 1 0.1 tag\n');
  });

  test('writes ranks that the run has', () => {
    expect(text(formatTrecRun(parseTrecRun('1 Q0 a 5 1 t\n', { ranks: true }).run))).toBe('1 Q0 a 5 1 t\n');
  });

  test('writes the shortest numbers that read back as the same', () => {
    const scores = [0.1 + 0.2, 1e21, 5e-324, -0, 1 / 3];
    const run = toRun({ q: Object.fromEntries(scores.map((score, i) => [`d${i}`, score])) }, 't');
    expect(text(formatTrecRun(run)).match(/\S+(?= t\n)/g)).toEqual(['0.30000000000000004', '1e+21', '5e-324', '-0', '0.3333333333333333']);
  });

  const refused: [string, Record<string, Record<string, number>>, string, string][] = [
    [
      'a space in a document',
      { q: { 'a b': 1 } },
      't',
      'document "a b" holds white space, which parts the fields of TREC files; JSON, JSONL and CSV can hold any id',
    ],
    [
      'a tab in a topic',
      { 'q\t': { a: 1 } },
      't',
      'topic "q\\x09" holds white space, which parts the fields of TREC files; JSON, JSONL and CSV can hold any id',
    ],
    [
      'a space in the name',
      { q: { a: 1 } },
      'my run',
      'run name "my run" holds white space, which parts the fields of TREC files; JSON, JSONL and CSV can hold any id',
    ],
    [
      'a NUL byte',
      { q: { 'a\0': 1 } },
      't',
      'document "a\\x00" holds a NUL byte, which TREC files cannot have; JSON, JSONL and CSV can hold any id',
    ],
    [
      'a topic like a comment',
      { '#1': { a: 1 } },
      't',
      'topic "#1" begins with #, which makes the line a comment; JSON, JSONL and CSV can hold any id',
    ],
    ['an empty document', { q: { '': 1 } }, 't', 'cannot write an empty document id; give it a name'],
    ['an empty topic', { '': { a: 1 } }, 't', 'cannot write an empty topic id; give it a name'],
    ['no name', { q: { a: 1 } }, '', 'the run has no name to write as its tag; give it one'],
    [
      'an infinite score',
      { q: { a: Infinity } },
      't',
      'topic "q", document "a": cannot write Infinity as score; only finite numbers can be read back',
    ],
  ];
  test.each(refused)('refuses %s', (_, rows, name, message) => {
    expect(messageOf(() => formatTrecRun(toRun(rows, name)))).toBe(message);
  });

  test('puts a mark before a first topic that would look like another file', () => {
    for (const topic of ['\ufeffq', '\u001f\ufffd']) {
      const run = toRun({ [topic]: { a: 1 } }, 't');
      expect(rowsOfRun(parseTrecRun(formatTrecRun(run)).run)).toEqual(rowsOfRun(run));
    }
    const gzipped = parseTrecRun(latin1Bytes('\xef\xbb\xbf\x1f\x8b Q0 a 1 1 t\n')).run;
    expect(rowsOfRun(parseTrecRun(formatTrecRun(gzipped)).run)).toEqual([['\x1f\x8b', 'a', 1]]);
  });
});
