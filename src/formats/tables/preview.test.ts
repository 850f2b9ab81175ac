import { expect, test } from 'vitest';
import { bytesSource } from '../source.js';
import { parseTrecRun } from '../trec/run.js';
import { formatParquetRun } from './parquet-writer.js';
import { previewTable } from './preview.js';

const preview = (text: string) => previewTable(bytesSource(new TextEncoder().encode(text), 'a'));

test('a header, the first rows, and what their columns would be taken for', async () => {
  const found = await preview('\ufeffquery,product_id,rating\r\n"red, large",p1,3\r\nblue,p2,\r\n');
  expect(found?.names).toEqual(['query', 'product_id', 'rating']);
  expect(found?.rows).toEqual([
    ['red, large', 'p1', '3'],
    ['blue', 'p2', ''],
  ]);
  expect(found?.places).toEqual({ run: { topic: 0, doc: 1 }, qrels: { topic: 0, doc: 1, grade: 2 } });
});

test('semicolons, as spreadsheets write them', async () => {
  const found = await preview('Suchbegriff;"Artikel, Nr";Note\nrot;p1;1,5\n');
  expect(found?.names).toEqual(['Suchbegriff', 'Artikel, Nr', 'Note']);
  expect(found?.rows).toEqual([['rot', 'p1', '1,5']]);
});

test('no header: columns are counted', async () => {
  expect((await preview('1\td7\t3\n1\td8\t1\n'))?.names).toBeUndefined();
  expect((await preview('1 d7 3\n'))?.rows).toEqual([['1', 'd7', '3']]);
});

test('records of JSON, one by line or in a list; a line that is cut off is left out', async () => {
  const record = '{"frage":"a","treffer":"d1","n":1.5,"x":{"y":2}}';
  for (const text of [`${record}\n${record}\n{"frage":"b`, `[\n ${record},\n ${record}]`]) {
    const found = await preview(text);
    expect(found?.names).toEqual(['frage', 'treffer', 'n', 'x']);
    expect(found?.rows).toEqual([
      ['a', 'd1', '1.5', '{"y":2}'],
      ['a', 'd1', '1.5', '{"y":2}'],
    ]);
  }
});

test('Parquet', async () => {
  const { run } = parseTrecRun('q1 Q0 d1 1 2.5 a\nq1 Q0 d2 2 1.5 a\n');
  const found = await previewTable(bytesSource(await formatParquetRun(run), 'a.parquet'));
  expect(found?.rows[0][found?.places.run.doc ?? -1]).toBe('d1');
  expect(found?.rows).toHaveLength(2);
});

test.each(['', 'x\n', '{"q1":{"d1":1}}', '{"a":', 'PAR1'])('%j is no table', async (text) => {
  expect(await preview(text).catch(() => undefined)).toBeUndefined();
});
