import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { appFolder } from '../../src/node/app-files.js';
import { fileSource } from '../../src/node/files.js';
import { serveFolder } from '../../src/node/serving/serve.js';
import { launchChromium, watch } from '../helpers/browser.js';
import { repository } from '../helpers/run-gradus.js';

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
}, 60_000);
afterAll(() => browser.close());

const files = ['example.qrels', 'bm25.run', 'hybrid.run'].map((name) => fileSource(join(repository, 'examples/data', name)));

test.each([
  ['this machine', undefined],
  ['others, with the token', '0.0.0.0'],
])('the page opens with the files that the server was started with, for %s', async (_, host) => {
  const served = await serveFolder({ folder: appFolder(), files, host });
  const page = await browser.newPage();
  const { complaints } = watch(page, served.address.split('?')[0]);
  try {
    await page.goto(`${served.address}#/leaderboard?show=table`);
    await page.getByRole('cell', { name: '0.7751' }).first().waitFor({ timeout: 15_000 });
    for (const name of ['example.qrels', 'bm25', 'hybrid']) expect(await page.getByText(name).count(), name).toBeGreaterThan(0);
    expect(complaints).toEqual([]);
  } finally {
    await page.close();
    await served.stop();
  }
});
