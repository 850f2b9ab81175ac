import { expect, test } from 'vitest';
import { check } from '../scripts/golden/foreign-samples.mjs';
import { readFeatures, readJudgements, readRun } from '../src/formats/index.js';
import { fileSource } from '../src/node/index.js';

test('files of search engines and judgement tools are read as they are, and broken ones refused with their reason', async () => {
  const product = { fileSource, readFeatures, readJudgements, readRun };
  const { disagreements, total } = await check('test/golden/foreign/samples', { product });
  expect(disagreements).toEqual([]);
  expect(total).toBeGreaterThan(80);
});
