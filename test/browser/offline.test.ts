import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { appFolder } from '../../src/node/app-files.js';
import { type ServedApp, serveFolder } from '../../src/node/serving/serve.js';
import { launchChromium, openView, tableRows, watch } from '../helpers/browser.js';

let browser: Awaited<ReturnType<typeof launchChromium>>;

beforeAll(async () => {
  browser = await launchChromium();
}, 60_000);

afterAll(async () => {
  await browser.close();
});

/** Until the browser has everything that a visit without a network needs. */
async function isKept(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready;
    if (active?.state !== 'activated') await new Promise((resolve) => active?.addEventListener('statechange', resolve, { once: true }));
  });
}

/** A host whose files are not at its root, as a site has the app. */
async function servedBelow(path: string): Promise<{ served: ServedApp; folder: string; address: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'gradus-site-'));
  cpSync(appFolder(), join(folder, path), { recursive: true });
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Another page</title>');
  const served = await serveFolder({ folder });
  return { served, folder, address: `${served.address}${path}/index.html` };
}

async function evaluateExample(page: Page): Promise<string[][]> {
  await page.getByRole('button', { name: 'Show me an example' }).click();
  await openView(page, 'Leaderboard');
  await page.getByRole('button', { name: 'Table', exact: true }).click();
  await page.getByRole('region', { name: 'Scores' }).waitFor();
  return await tableRows(page, 'Scores');
}

test('the page is loaded, evaluates and saves without a network, from a folder of any host', async () => {
  const { served, folder, address } = await servedBelow('tools/gradus');
  const context = await browser.newContext();
  context.setDefaultTimeout(20_000);
  const page = await context.newPage();
  const { strangers, complaints } = watch(page, served.address);
  await page.goto(address);
  await isKept(page);
  const online = await evaluateExample(page);
  // neither a network nor a server: only what the browser kept
  await context.setOffline(true);
  await served.stop();
  const again = await context.newPage();
  await again.goto(address);
  expect(await evaluateExample(again)).toEqual(online);
  await openView(again, 'Export');
  const coming = again.waitForEvent('download');
  await again.getByRole('button', { name: 'HTML of the Comparison report' }).click();
  expect(readFileSync(await (await coming).path(), 'utf8')).toContain('hybrid');
  expect([strangers, complaints]).toEqual([[], []]);
  await context.close();
  rmSync(folder, { recursive: true });
}, 90_000);

test('an update shows with the next load, and nothing of the page before stays for long', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gradus-update-'));
  cpSync(appFolder(), folder, { recursive: true });
  let served = await serveFolder({ folder });
  const { port, address } = served;
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(address);
  await isKept(page);
  const before = await page.evaluate(() => caches.keys());
  expect(before.length).toBe(1);
  // another version of the page, in the same place
  await served.stop();
  const change = (name: string, from: string, to: string): void => {
    const text = readFileSync(join(folder, name), 'utf8');
    expect(text).toContain(from);
    writeFileSync(join(folder, name), text.replace(from, to));
  };
  change('index.html', '<title>Gradus:', '<title>Newer Gradus:');
  change(
    'service-worker.js',
    /"version":"\w+"/.exec(readFileSync(join(folder, 'service-worker.js'), 'utf8'))?.[0] ?? '',
    '"version":"newer"',
  );
  served = await serveFolder({ folder, port });
  await page.reload();
  expect(await page.title()).toMatch(/^Newer Gradus/);
  await expect.poll(() => page.evaluate(async () => (await caches.keys()).at(-1)), { timeout: 20_000 }).toMatch(/ newer$/);
  const isSettled = (): Promise<boolean> =>
    page.evaluate(async () => {
      const { installing, waiting } = await navigator.serviceWorker.ready;
      return installing === null && waiting === null;
    });
  await expect.poll(isSettled, { timeout: 20_000 }).toBe(true);
  await served.stop();
  await page.reload();
  expect(await page.title()).toMatch(/^Newer Gradus/);
  await context.close();
  rmSync(folder, { recursive: true });
}, 90_000);

test('it can be installed: the manifest and its icons are there, with the sizes that it names', async () => {
  const served = await serveFolder({ folder: appFolder() });
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(served.address);
  await isKept(page);
  const client = await context.newCDPSession(page);
  const { url, errors, data } = await client.send('Page.getAppManifest');
  expect([errors, new URL(url).pathname]).toEqual([[], '/manifest.webmanifest']);
  const manifest = JSON.parse(data ?? '');
  expect([manifest.display, manifest.start_url, manifest.scope]).toEqual(['standalone', './', './']);
  for (const { src, sizes } of manifest.icons.filter(({ type }: { type: string }) => type === 'image/png')) {
    const size = await page.evaluate(async (address) => {
      const { width, height } = await createImageBitmap(await (await fetch(address)).blob());
      return `${width}x${height}`;
    }, src);
    expect([src, size]).toEqual([src, sizes]);
  }
  const { installabilityErrors } = await client.send('Page.getInstallabilityErrors');
  // the browsers of tests keep nothing, which is the only thing that may stand in the way
  expect(installabilityErrors.map(({ errorId }) => errorId)).toEqual(['in-incognito']);
  await context.close();
  await served.stop();
}, 60_000);
