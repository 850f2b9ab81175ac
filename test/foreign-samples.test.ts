import { expect, test } from 'vitest';
import { check } from '../scripts/golden/foreign-samples.mjs';
import { readFeatures, readJudgements, readRun } from '../src/formats/index.js';
import { fileSource } from '../src/node/index.js';

/** What is not read yet, by file. */
const notRead: readonly string[] = [
  'ranx/',
  'quepid-',
  'msmarco/',
  'ranked-lists/',
  'shop-csv/',
  'group-files/',
  'pyterrier/broken-twice.csv',
  'beir/broken-header.tsv',
];

test('files of search engines and judgement tools are read as they are, and broken ones refused with their reason', async () => {
  const product = { fileSource, readFeatures, readJudgements, readRun };
  const { disagreements, total } = await check('test/golden/foreign/samples', { product });
  expect(disagreements.filter((line) => !notRead.some((file) => line.startsWith(file)))).toEqual([]);
  expect(total).toBeGreaterThan(80);
});
