import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { toRun } from '../core/run.js';
import type { Content } from './format.js';
import { readContent, readFeatures, readJudgements, readRun, readScores } from './read.js';
import { textBytes } from './reader.js';
import { inferFormat, recogniseFormat, recogniseSource } from './recognise.js';
import { formats } from './registry.js';
import { type ByteSource, bytesSource, openSource } from './source.js';
import { formatParquetRun } from './tables/parquet-writer.js';

/** Where somebody said what a file holds: the name, the text, the format, and what parts the fields if the format does not say. */
const told: readonly [content: Content, name: string, text: string, format: string, delimiter?: string][] = [
  ['features', 'x', '1 qid:1 1:0.5 # a,b\n', 'letor'],
  ['features', 'x.tsv', '1\tqid:1\t1:0.5\n', 'letor'],
  ['features', 'x.csv', '{"qid":1,"label":0,"a":2}\n', 'json'],
  ['features', 'x.jsonl', '{"qid":1,"label":0,"a":2}\n', 'jsonl'],
  ['features', 'x', '[{"qid":1,"label":0,"a":2}]\n', 'json'],
  ['features', 'x', 'qid,label,a\n', 'csv', ','],
  ['features', 'x', 'qid\tlabel\ta\n', 'tsv', '\t'],
  ['features', 'x', 'qid;label;a\n', 'csv', ';'],
  ['features', 'x', 'qid;a\tlabel\n', 'tsv', '\t'],
  ['features', 'x', 'nonsense\n', 'letor'],
  ['features', 'x.csv', 'nonsense\n', 'letor'],
  ['features', 'x', 'PAR1', 'parquet'],
  ['scores', 'x', 'topic,a,b\n', 'csv'],
  ['scores', 'x', 'run\ttopic\tAP\n', 'tsv'],
  ['scores', 'x', '{"p": 1, "runs": [', 'json'],
  ['scores', 'x', 'map all 0.5\n', 'trec_eval'],
  ['scores', 'x', 'map 3 nan\n', 'trec_eval'],
  ['scores', 'x.csv', 'nonsense\n', 'trec_eval'],
  ['run', 'x', '0.5\n1e-3\n', 'predictions'],
  ['run', 'x', '-inf\n', 'predictions'],
  ['run', 'x', '1 d 1\n', 'msmarco'],
  ['qrels', 'x.qrels', '2 qid:1 1:0.5\n', 'letor'],
];

describe('inferFormat(name, start, wanted)', () => {
  test.each(told)('takes a file for %s called %s with %j for %s', (content, name, text, format) => {
    expect(inferFormat(name, textBytes(text), [content]).format.name).toBe(format);
  });

  test('finds a format for every content', () => {
    const contents = new Set(formats.flatMap(({ read }) => Object.keys(read)));
    expect([...contents].sort()).toEqual(['features', 'predictions', 'qrels', 'run', 'scores', 'z-scores']);
  });

  test('of several contents says only what shows', () => {
    const found = (text: string): unknown[] => {
      const { format, content } = inferFormat('x', textBytes(text), ['features', 'predictions', 'run', 'qrels']);
      return [format.name, content];
    };
    expect(found('1 qid:1 1:0.5\n')).toEqual(['letor', 'features']);
    expect(found('0.5\n')).toEqual(['predictions', 'predictions']);
    expect(found('{"1": {"d": 1}}')).toEqual(['json', undefined]);
    expect(inferFormat('x', textBytes('1 qid:1 1:0.5\n'), ['run', 'qrels']).content).toBe('qrels');
  });
});

test('recogniseFormat says so if nothing fits', () => {
  expect(recogniseFormat('x.csv', textBytes('qid,docno,score\n'), ['scores'])).toBeUndefined();
  expect(recogniseFormat('x', textBytes('nonsense'), ['run'])).toBeUndefined();
});

describe('Parquet', () => {
  // longer than what is looked at to recognise it
  const run = toRun({ q1: Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`document-number-${i}`, i])) }, 'r');

  test('is asked what it holds', async () => {
    const bytes = await formatParquetRun(run);
    const opened = await openSource(bytesSource(bytes));
    expect(await recogniseSource(opened, ['run', 'qrels'])).toMatchObject({ input: opened, found: { content: 'run' } });
    const { found } = await recogniseSource(await openSource(bytesSource(bytes)), ['scores']);
    expect([found?.format.name, found?.content]).toEqual(['parquet', undefined]);
  });

  test.each([true, false])('is read from a source without parts, compressed: %s', async (compressed) => {
    const bytes = await formatParquetRun(run);
    const { openParts: _, ...pipe }: ByteSource = bytesSource(compressed ? gzipSync(bytes) : bytes, 'run.parquet.gz', 'run.parquet.gz');
    const content = await readContent(pipe, undefined);
    expect(content).toMatchObject({ kind: 'run', format: 'parquet', isAmbiguous: false });
    expect('run' in content && content.run.scores).toEqual(run.scores);
    expect((await readRun(pipe)).run.scores).toEqual(run.scores);
  });
});

describe('readers of sources', () => {
  const source = (text: string): ByteSource => bytesSource(textBytes(text), 'file', 'file.txt');

  test('read features of any format to the same matrix', async () => {
    const texts = [
      '1 qid:7 1:0.5 2:3\n',
      'qid,label,1,2\n7,1,0.5,3\n',
      'qid;label;1;2\n7;1;0.5;3\n',
      '[{"qid":7,"label":1,"features":[0.5,3]}]',
    ];
    for (const text of texts) {
      const { matrix } = await readFeatures(source(text));
      expect([...(matrix.features?.values ?? [])], text).toEqual([0.5, 3]);
    }
    await expect(readFeatures(source('1 qid:7 1:0.5\n'), { ignore: ['a'] })).rejects.toThrow(
      'file: is a LETOR file, whose columns have no names',
    );
  });

  test('take a LETOR file for judgements, and predictions for a run of it', async () => {
    const { lists, format, qrels } = await readJudgements(source('1 qid:7 1:0.5\n0 qid:7 1:2\n'));
    expect([format, [...qrels.grades]]).toEqual(['letor', [1, 0]]);
    const predicted = await readRun(source('0.25\n4\n'), { lists });
    expect([predicted.format, predicted.run.name, [...predicted.run.scores]]).toEqual(['predictions', 'file.txt', [0.25, 4]]);
    await expect(readRun(source('0.25\n4\n'))).rejects.toThrow('file: holds one number per line, which is a prediction');
    await expect(readRun(source('0.25\n'), { lists })).rejects.toThrow(/^file: /);
  });

  test('refuse what holds no scores', async () => {
    await expect(readScores(source('a b c d\n'))).rejects.toThrow('file: expected scores, found a b c d; give a CSV');
    await expect(readScores(source('1 0 d 1\n'))).rejects.toThrow('file: expected scores, found 1 0 d 1; give a CSV');
  });
});
