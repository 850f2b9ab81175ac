import { describe, expect, test } from 'vitest';
import { messageOf, rowsOfQrels, rowsOfRun } from '../../../test/helpers/rows.js';
import { latin1Bytes } from '../../../test/helpers/slow-lines.js';
import { toQrels } from '../../core/qrels.js';
import { toRun } from '../../core/run.js';
import { parseTrecQrelsGroups } from '../trec/qrels.js';
import { parseTrecRun } from '../trec/run.js';
import { formatJsonQrels, formatJsonRun, parseJsonQrels, parseJsonRun } from './json.js';

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

describe('parseJsonRun', () => {
  test('reads topics of documents, in the order they stand', () => {
    const { run } = parseJsonRun('{"10": {"b": 1, "a": 2.5}, "9": {"b": -1e-3}, "empty": {}}');
    expect(rowsOfRun(run)).toEqual([
      ['10', 'b', 1],
      ['10', 'a', 2.5],
      ['9', 'b', -0.001],
    ]);
    expect(run.name).toBe('run');
  });

  test('reads an array of records, in the spellings of other tools', () => {
    const records = [
      { topic: 'q', doc: 'a', score: 1 },
      { query_id: 'q', doc_id: 'b', score: 2, extra: { nested: [1, { doc: 'x' }] } },
      { queryId: 'q', docId: 'c', score: 3, note: null },
      { qid: 7, docid: 12, docno: 'd', query: 'what is', score: '4.5' },
    ];
    expect(rowsOfRun(parseJsonRun(JSON.stringify(records)).run)).toEqual([
      ['q', 'a', 1],
      ['q', 'b', 2],
      ['q', 'c', 3],
      ['7', 'd', 4.5],
    ]);
  });

  test('takes topics and documents of any name', () => {
    const { run } = parseJsonRun('{"__proto__": {"constructor": 1, "toString": 2}, "": {}, "hasOwnProperty": {"__proto__": 3}}');
    expect(rowsOfRun(run)).toEqual([
      ['__proto__', 'constructor', 1],
      ['__proto__', 'toString', 2],
      ['hasOwnProperty', '__proto__', 3],
    ]);
  });

  test('keeps bytes that are not UTF-8', () => {
    expect(rowsOfRun(parseJsonRun(latin1Bytes('{"\xff": {"\xc3(": 1}}')).run)).toEqual([['\xff', '\xc3(', 1]]);
  });

  test('joins a topic that occurs twice, and refuses a document that does', () => {
    expect(rowsOfRun(parseJsonRun('{"1": {"a": 1}, "2": {"a": 1}, "1": {"b": 2}}').run)).toHaveLength(3);
    expect(messageOf(() => parseJsonRun('{"1": {"a": 1,\n"a": 2},\n"1": {"a": 3}}', { source: 'run.json' }))).toBe(
      [
        'run.json:2: topic "1" has document "a" already on line 1 (ranks 2 and 3); keep one of them; --lenient keeps the first',
        'run.json:3: topic "1" has document "a" already on line 1 (ranks 1 and 3); keep one of them; --lenient keeps the first',
      ].join('\n'),
    );
  });

  const wrong: [string, string][] = [
    ['{"1": {"b": "x"}}', 'expected a finite number as score, found "x"; --lenient skips such lines'],
    ['{"1": {"b": null}}', 'expected a finite number as score, found "null"; --lenient skips such lines'],
    ['{"1": {"b": NaN}}', 'expected a finite number as score, found "NaN"; --lenient skips such lines'],
    ['{"1": {"b": -Infinity}}', 'expected a finite number as score, found "-Infinity"; --lenient skips such lines'],
    ['{"1": {"b": [1]}}', 'expected a finite number as score of document "b", found an array; --lenient skips such entries'],
    ['{"1": {"": 1}}', 'expected a document id, found nothing; --lenient skips such lines'],
    ['{"": {"b": 1}}', 'expected a topic id, found nothing; --lenient skips such lines'],
    [
      '{"1": 5}',
      'expected an object of documents and scores or a list of documents for topic "1", found "5"; --lenient skips such entries',
    ],
    ['{"1": ["b", ["c"]]}', 'expected document ids for topic "1", found an array; --lenient skips such entries'],
    ['{"1": ["b", null]}', 'topic "1": rank 2 is null, expected a document id; --lenient skips such entries'],
    ['[5]', 'expected a record, found "5"; --lenient skips such entries'],
    ['[[{"qid": 1, "docno": 2, "score": 3}]]', 'expected a record, found an array; --lenient skips such entries'],
    ['5', 'expected an object of topics or an array of records, found "5"; --lenient skips such entries'],
    [
      '[{"docno": 2, "score": 3}]',
      'has no field for the topic; it has docno, score; say which they are: --columns topic=NAME; --lenient skips such records',
    ],
    ['[{"qid": 1, "docno": null, "score": 3}]', 'has no value for the document; --lenient skips such records'],
    [
      '[{"qid": 1, "docno": 2}]',
      'has no field for the score or rank; it has qid, docno; say which they are: --columns score=NAME (rank=NAME instead of score=NAME if 1 is best); --lenient skips such records',
    ],
    ['[{"qid": true, "docno": 2, "score": 3}]', 'expected text or a number as topic, found "true"; --lenient skips such entries'],
    ['[{"qid": {"a": 1}, "docno": 2, "score": 3}]', 'expected text or a number as topic, found an object; --lenient skips such entries'],
    ['[{"qid": 1, "qid": 1, "docno": 2, "score": 3}]', 'names the topic twice; --lenient skips such lines'],
  ];
  test.each(wrong)('refuses %s', (json, message) => {
    expect(messageOf(() => parseJsonRun(`\n${json}`, { source: 'r' }))).toBe(`r:2: ${message}`);
  });

  test('leaves out what is wrong and goes on, if lenient', () => {
    const { run, skipped } = parseJsonRun('{"1": {"a": 1, "b": "x", "c": {"d": 1}, "e": 2}, "2": [1, {"x": 2}], "3": {"a": 1}}', {
      lenient: true,
    });
    expect(rowsOfRun(run)).toEqual([
      ['1', 'a', 1],
      ['1', 'e', 2],
      ['3', 'a', 1],
    ]);
    expect(skipped.kinds).toEqual({ 'not a number': 1, 'wrong shape': 3 });
  });

  test('refuses what is not JSON, lenient or not, with what was wrong before', () => {
    const json = '{"1": {"a": "x",\n"b": 1},\n"2" {}}';
    for (const lenient of [false, true]) {
      expect(messageOf(() => parseJsonRun(json, { source: 'r', lenient }))).toBe(
        [
          'r:1: expected a finite number as score, found "x"; --lenient skips such lines',
          'r:3: is not JSON: expected a colon, found {; gradus convert --from jsonl reads a file with one record per line',
        ].join('\n'),
      );
    }
    expect(messageOf(() => parseJsonRun('', { source: 'r' }))).toBe(
      'r: holds nothing; expected { topic: { document: score } }, { topic: [document, …] } or an array of records',
    );
    expect(messageOf(() => parseJsonRun('{}', { source: 'r' }))).toBe(
      'r: holds no entries; expected { topic: { document: score } }, { topic: [document, …] } or an array of records',
    );
  });

  test('takes names of fields from the caller', () => {
    const json = '[{"q": 1, "d": "a", "s": 3, "score": 99, "topic": "x"}]';
    expect(rowsOfRun(parseJsonRun(json, { columns: { topic: 'q', doc: 'd', score: 's' } }).run)).toEqual([['1', 'a', 3]]);
  });

  test('keeps ranks on request, where there are any', () => {
    const json = '[{"qid": 1, "docno": "a", "score": 3, "rank": 1}, {"qid": 1, "docno": "b", "score": 2}]';
    expect(rowsOfRun(parseJsonRun(json, { ranks: true }).run)).toEqual([
      ['1', 'a', 3, 1],
      ['1', 'b', 2, Number.NaN],
    ]);
    expect(parseJsonRun('{"1": {"a": 1}}', { ranks: true }).run.ranks).toBeUndefined();
  });
});

describe('parseJsonQrels', () => {
  test('reads grades, whatever they are called', () => {
    expect(rowsOfQrels(parseJsonQrels('{"1": {"a": 2, "b": 0.5}}').qrels)).toEqual([
      ['1', 'a', 2],
      ['1', 'b', 0.5],
    ]);
    for (const name of ['relevance', 'rel', 'grade', 'label', 'score']) {
      const json = JSON.stringify([{ qid: '1', docno: 'a', [name]: 1 }]);
      expect(rowsOfQrels(parseJsonQrels(json).qrels)).toEqual([['1', 'a', 1]]);
    }
  });

  test('keeps groups on request', () => {
    const json = JSON.stringify([
      { qid: '1', docno: 'a', rel: 1, subtopic: 'x' },
      { qid: '1', docno: 'a', rel: 0 },
    ]);
    expect(rowsOfQrels(parseJsonQrels(json, { groups: true }).qrels)).toEqual([
      ['1', 'a', 1, 'x'],
      ['1', 'a', 0, '0'],
    ]);
    expect(() => parseJsonQrels(json)).toThrow('topic "1" has document "a" already on line 1');
    expect(parseJsonQrels('{"1": {"a": 1}}', { groups: true, subgroups: true }).qrels.groups).toBeUndefined();
  });
});

describe('formatJsonRun and formatJsonQrels', () => {
  test('write a topic per line', () => {
    expect(text(formatJsonRun(toRun({ q: { a: 1, 'b "c"': -0 }, r: { a: 1e21 } })))).toBe(
      '{\n"q": {"a": 1, "b \\"c\\"": -0},\n"r": {"a": 1e+21}\n}\n',
    );
    expect(text(formatJsonQrels(toQrels({ q: { é: 0.5 } })))).toBe('{\n"q": {"é": 0.5}\n}\n');
    expect(text(formatJsonRun(toRun({})))).toBe('{}\n');
  });

  test('write records where there is more to say', () => {
    expect(text(formatJsonRun(parseTrecRun('1 Q0 a 3 2.5 t\n', { ranks: true }).run))).toBe(
      '[\n{"query_id": "1", "doc_id": "a", "score": 2.5, "rank": 3}\n]\n',
    );
    expect(text(formatJsonQrels(parseTrecQrelsGroups('1 g a 2\n').qrels))).toBe(
      '[\n{"query_id": "1", "doc_id": "a", "relevance": 2, "iteration": "g"}\n]\n',
    );
  });

  test('refuse ids that are not text', () => {
    const { run } = parseTrecRun(latin1Bytes('1 Q0 \xff 1 1 t\n'));
    expect(messageOf(() => formatJsonRun(run))).toBe(
      'id "\ufffd" is not valid UTF-8, which JSON cannot hold; TREC files and CSV can hold any bytes',
    );
  });
});
