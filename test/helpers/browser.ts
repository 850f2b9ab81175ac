import { readFileSync } from 'node:fs';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';
import { appFolder } from '../../src/node/app-files.js';
import { findChromium } from '../../src/node/output/pdf.js';
import { serveFolder } from '../../src/node/serving/serve.js';

/** What runs without a desktop, as root, and without asking any other host for anything. */
export const chromiumFlags: readonly string[] = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export async function launchChromium(): Promise<Browser> {
  const executablePath = findChromium(process.env);
  if (executablePath === undefined) {
    throw new Error('the tests of the browser app need Chromium; `node scripts/ensure-chromium.mjs` installs it on Debian');
  }
  return await chromium.launch({ executablePath, args: [...chromiumFlags] });
}

/** A page with the app, and a record of everything it should not do. */
export interface OpenApp {
  readonly page: Page;
  readonly address: string;
  /** Requests that went to anything but the app's own files. */
  readonly strangers: string[];
  /** What the content security policy forbade, errors, and warnings. */
  readonly complaints: string[];
  close(): Promise<void>;
}

export interface OpenOptions extends BrowserContextOptions {
  /** Behind the address; the tables of scores, with the numbers that other programs are asked for, if nothing is said. */
  readonly fragment?: string;
}

/** A server with the built app and a browser, for one file of tests. */
export async function startApp(): Promise<{ open(options?: OpenOptions): Promise<OpenApp>; browser: Browser; stop(): Promise<void> }> {
  const served = await serveFolder({ folder: appFolder() });
  const browser = await launchChromium();
  return {
    browser,
    open: async ({ fragment = '#/leaderboard?show=table', ...options } = {}) => {
      const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, acceptDownloads: true, ...options });
      context.setDefaultTimeout(15_000);
      const page = await context.newPage();
      const { strangers, complaints } = watch(page, served.address);
      await page.goto(served.address + fragment);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      return { page, address: served.address, strangers, complaints, close: () => context.close() };
    },
    stop: async () => {
      await browser.close();
      await served.stop();
    },
  };
}

export function watch(page: Page, address: string): { strangers: string[]; complaints: string[] } {
  const strangers: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(address) && !/^(blob|data):/.test(request.url())) strangers.push(request.url());
  });
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return { strangers, complaints };
}

export interface DroppedFile {
  readonly name: string;
  readonly content: string | Uint8Array;
}

/** Drops files on the page, as a person with a mouse does. */
export async function dropFiles(page: Page, files: readonly DroppedFile[]): Promise<void> {
  const plain = files.map(({ name, content }) => ({ name, bytes: Buffer.from(content).toString('base64') }));
  const transfer = await page.evaluateHandle((given) => {
    const all = new DataTransfer();
    for (const { name, bytes } of given) all.items.add(new File([Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0))], name));
    return all;
  }, plain);
  for (const type of ['dragenter', 'dragover', 'drop']) await page.dispatchEvent('main', type, { dataTransfer: transfer });
}

/** Opens a view by its name in the row of views, or in the menu at its end. */
export async function openView(page: Page, name: string): Promise<void> {
  const link = page.getByRole('link', { name, exact: true });
  const menu = page.locator('[aria-controls=more-views]');
  // one of them is there as soon as there are results
  await link.or(menu).first().waitFor();
  if ((await link.count()) === 0) await menu.click();
  await link.click();
}

/** Opens the panel behind the line of settings, if it is not open yet. */
export async function openSettings(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: /^(Change|Done) settings/ });
  if ((await button.getAttribute('aria-expanded')) === 'false') await button.click();
}

/** Opens the list of files, if it is not open yet. */
export async function openFiles(page: Page): Promise<void> {
  const button = page.locator('[aria-controls=file-list]');
  if ((await button.getAttribute('aria-expanded')) === 'false') await button.click();
}

/** The rows of a table by its title, first row first; every cell as it is read. */
export async function tableRows(page: Page, title: string): Promise<string[][]> {
  const table = page.getByRole('region', { name: title, exact: true }).getByRole('table');
  return await table.evaluate((element) =>
    Array.from(element.querySelectorAll('tr'), (row) =>
      Array.from(row.querySelectorAll('th, td'), (cell) => cell.textContent?.trim() ?? ''),
    ),
  );
}

/** Charts are drawn when they come into sight. */
export async function drawnChart(page: Page, title: string | RegExp): Promise<Locator> {
  const figure = page
    .locator('figure')
    .filter({ has: page.getByRole('heading', { name: title }) })
    .first();
  await figure.scrollIntoViewIfNeeded();
  const chart = figure.getByRole('img');
  await chart.waitFor();
  return chart;
}

export async function downloaded(page: Page, act: () => Promise<void>): Promise<{ name: string; text: string; bytes: Uint8Array }> {
  const coming = page.waitForEvent('download');
  await act();
  const download = await coming;
  const bytes = readFileSync(await download.path());
  return { name: download.suggestedFilename(), text: bytes.toString('utf8'), bytes };
}

/** What axe finds wrong with the page as it stands, in words. */
export async function axeViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return await page.evaluate(async () => {
    const { axe: checker } = globalThis as typeof globalThis & { axe: typeof import('axe-core') };
    const { violations } = await checker.run(document, { resultTypes: ['violations'] });
    return violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .map(({ target }) => target.join(' '))
          .slice(0, 3)
          .join(' | ')}`,
    );
  });
}
