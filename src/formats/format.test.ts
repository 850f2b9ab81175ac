import { describe, expect, test } from 'vitest';
import { messageOf, rowsOfQrels, rowsOfRun } from '../../test/helpers/rows.js';
import { parseQrels, parseRun } from './read.js';
import { textBytes } from './reader.js';
import { formatByName, inferFormat } from './recognise.js';
import { findFormat, formats } from './registry.js';
import type { Columns, TableKind } from './tables/columns.js';

test('formats have names and extensions of their own', () => {
  const names = formats.map((format) => format.name);
  expect(new Set(names).size).toBe(names.length);
  const extensions = formats.flatMap((format) => format.extensions);
  expect(new Set(extensions).size).toBe(extensions.length);
  for (const format of formats) {
    for (const extension of format.extensions) expect(formatByName(`FILE${extension.toUpperCase()}.gz`)).toBe(format);
  }
});

test('findFormat knows every name, and trec by kind', () => {
  for (const format of formats) expect(findFormat(format.name)).toBe(format);
  expect(findFormat('trec', 'run').name).toBe('trec-run');
  expect(findFormat('trec', 'qrels').name).toBe('qrels');
  expect(messageOf(() => findFormat('jsnl'))).toBe('there is no format jsnl; did you mean jsonl?');
  expect(messageOf(() => findFormat('arrow'))).toBe(
    'there is no format arrow; there are trec, quepid-ltr, letor, predictions, trec-run, qrels, qrels_jg, prefs, qrels_prefs, quepid, elasticsearch, json, jsonl, parquet, ranx, csv, tsv, msmarco, msmarco-candidates, trec_eval, z-scores, and those of search engines in the help of convert',
  );
});

describe('inferFormat', () => {
  const cases: [string, string, string, TableKind | undefined, Columns?][] = [
    ['x', '1 Q0 d 1 0.5 t', 'trec-run', 'run'],
    ['x', '\ufeff# c\n\n  1\tQ0\td\t1\t-.5e3\tt\r\n', 'trec-run', 'run'],
    ['x', '1 0 d 1', 'qrels', 'qrels'],
    ['x.tsv', '1\t0\td\t1', 'qrels', 'qrels'],
    ['x.qrels_jg', '1 0 d 1', 'qrels', 'qrels'],
    ['x', '1 g s d 1', 'prefs', 'qrels'],
    ['x', '{"1": {"d": 1}}', 'json', undefined],
    ['x', '{\n"1": {"d": 1}}', 'json', undefined],
    ['x', '[{"qid": 1, "docno": "d", "score": 2}]', 'json', 'run'],
    ['x', '[{"qid": 1, "docno": "d", "rel": 2}, {"score": 1}]', 'json', 'qrels'],
    ['x', '{"qid": 1, "docno": "d", "score": 2}', 'jsonl', 'run'],
    ['x', '{"qid": 1, "docno": "d", "rel": 2, "score": 0.5}', 'jsonl', 'qrels'],
    ['x', 'qid,docno,score\n', 'csv', 'run'],
    ['x', 'qid,docno,relevance\n', 'csv', 'qrels'],
    ['x', 'query-id\tcorpus-id\tscore\n', 'tsv', 'qrels'],
    ['x', 'q,d,s\n', 'csv', 'run', { topic: 'q', doc: 'd', score: 's' }],
    ['x', 'q,d,g\n', 'csv', 'qrels', { topic: 'q', doc: 'd', grade: 'g' }],
    ['x', '1\ta\t2\n', 'tsv', 'run', { topic: 1, doc: 2, score: 3 }],
    ['x.csv', 'a,b,c\n', 'csv', undefined],
    ['x.json', 'nonsense', 'json', undefined],
    ['x.run', 'nonsense', 'trec-run', 'run'],
    ['x', 'nonsense', 'trec-run', 'run'],
    ['x', '', 'trec-run', 'run'],
  ];
  test.each(cases)('takes %s with %j for %s', (name, text, format, kind, columns) => {
    const inferred = inferFormat(name, textBytes(text), ['run', 'qrels'], columns);
    expect([inferred.format.name, inferred.content]).toEqual([format, kind]);
  });

  test('looks only among formats that hold what is wanted', () => {
    expect(inferFormat('x', textBytes('1 0 d 1'), ['run']).format.name).toBe('trec-run');
    expect(inferFormat('x', textBytes('1 Q0 d 1 0.5 t'), ['qrels']).format.name).toBe('qrels');
    expect(inferFormat('x.qrels', textBytes('{"1": {"d": 1}}'), ['run']).format.name).toBe('json');
  });
});

describe('parseRun and parseQrels', () => {
  test('read any format, as strings or bytes', () => {
    for (const text of ['1 Q0 a 1 2 t\n', '{"1": {"a": 2}}', '{"qid": 1, "docno": "a", "score": 2}', 'qid,docno,score\n1,a,2\n']) {
      expect(rowsOfRun(parseRun(text).run)).toEqual([['1', 'a', 2]]);
      expect(rowsOfRun(parseRun(textBytes(text)).run)).toEqual([['1', 'a', 2]]);
    }
    expect(rowsOfQrels(parseQrels('1 0 a 2\n').qrels)).toEqual([['1', 'a', 2]]);
  });

  test('take the format that is asked for', () => {
    const columns = { topic: 1, doc: 2, score: 3 };
    expect(rowsOfRun(parseRun('1|a|2\n', { format: 'csv', delimiter: '|', columns }).run)).toEqual([['1', 'a', 2]]);
    expect(messageOf(() => parseRun('1 0 a 2\n', { format: 'qrels', source: 'x' }))).toBe('x: qrels files cannot hold runs');
    expect(messageOf(() => parseQrels('1 0 a 2\n', { format: 'z-scores' }))).toBe('input: z-scores files cannot hold judgements');
  });
});
