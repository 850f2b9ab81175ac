import { expect, test } from 'vitest';
import { check } from '../scripts/golden/foreign-samples.mjs';
import { readFeatures, readJudgements, readRun } from '../src/formats/index.js';
import { fileSource } from '../src/node/index.js';

/** What is not read, or refused in words that name less. */
const otherwise: readonly string[] = [
  'ranx/run.lz4',
  'ranx/broken-cut.lz4',
  'quepid-basic/broken-header.csv',
  'msmarco/broken-fields.tsv',
  'beir/broken-header.tsv',
  'ranked-lists/broken-null.json',
  'pyterrier/broken-twice.csv',
  'shop-csv/rank-against-score.csv',
];

test('files of search engines and judgement tools are read as they are, and broken ones refused with their reason', async () => {
  const product = { fileSource, readFeatures, readJudgements, readRun };
  const { disagreements, total } = await check('test/golden/foreign/samples', { product });
  expect(disagreements.map((line) => line.split(' ')[0]).sort()).toEqual([...otherwise].sort());
  expect(total).toBeGreaterThan(80);
});
