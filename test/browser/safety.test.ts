import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  axeViolations,
  downloaded,
  drawnChart,
  dropFiles,
  openSettings,
  openView,
  startApp,
  tableRows,
  watch,
} from '../helpers/browser.js';
import { runGradus } from '../helpers/run-gradus.js';

let server: Awaited<ReturnType<typeof startApp>>;
let folder: string;

beforeAll(async () => {
  server = await startApp();
  folder = mkdtempSync(join(tmpdir(), 'gradus-browser-'));
}, 60_000);

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Ids that would run, close an element, be a formula, or move a cursor, if they were anything but text. */
const topics = ['<script>hacked()</script>', '"><img/src=x/onerror=hacked()>', '=1+cmd|calc', "{{hacked()}}'x"];
const documents = ['<svg/onload=hacked()>', '</script><script>hacked()</script>', '\\input{x}&_%$#', '\u001b[31mred'];

const hostile = {
  qrels: topics.flatMap((topic) => documents.slice(0, 2).map((doc, i) => `${topic} 0 ${doc} ${i + 1}`)).join('\n'),
  run: (tag: string, step: number) =>
    topics.flatMap((topic) => documents.map((doc, i) => `${topic} Q0 ${doc} ${i + 1} ${9 - ((i * step) % 4)} ${tag}`)).join('\n'),
};

test('ids that would run are text everywhere, also in the report that is saved', async () => {
  const { page, strangers, complaints, close } = await server.open();
  await page.exposeFunction('hacked', () => complaints.push('something ran that was data'));
  await dropFiles(page, [
    { name: '<img src=x onerror=hacked()>.qrels', content: hostile.qrels },
    { name: 'a".run', content: hostile.run('<b>one</b>', 1) },
    { name: "b'.run", content: hostile.run('<script>hacked()</script>', 3) },
  ]);
  await page.getByRole('link', { name: 'Leaderboard' }).waitFor();
  const rows = await tableRows(page, 'Scores');
  expect(rows.slice(1).map(([system]) => system)).toEqual(['<b>one</b>', '<script>hacked()</script>']);
  const opened = [];
  for (const tab of ['Compare', 'One topic', 'Rules', 'Checks', 'Fuse', 'Export']) {
    await openView(page, tab);
    await expect.poll(() => page.locator('.work').count()).toBe(0);
    if (tab === 'Compare') await drawnChart(page, /by topic and system$/);
    if (tab === 'One topic') opened.push(...(await tableRows(page, 'The ranked list')).slice(1).map(([, id]) => id));
  }
  expect(opened.sort()).toEqual(expect.arrayContaining(documents.slice(0, 3)));
  expect(await page.locator('main img, main script, main b').count()).toBe(0);

  const csv = await downloaded(page, () => page.getByRole('button', { name: 'CSV of the topics', exact: true }).click());
  expect(csv.text).toContain(`'=1+cmd|calc`);
  const html = await downloaded(page, () => page.getByRole('button', { name: 'HTML of the Comparison report', exact: true }).click());
  expect(complaints).toEqual([]);
  expect(strangers).toEqual([]);
  await close();

  const file = join(folder, html.name);
  writeFileSync(file, html.text);
  const address = pathToFileURL(file).href;
  const context = await server.browser.newContext();
  const report = await context.newPage();
  const seen = watch(report, address);
  await report.exposeFunction('hacked', () => seen.complaints.push('something ran that was data'));
  await report.goto(address);
  await report.getByRole('heading', { level: 1 }).waitFor();
  await drawnChart(report, /by topic and system$/);
  expect(await report.locator('img').count()).toBe(0);
  expect(seen.complaints).toEqual([]);
  expect(seen.strangers).toEqual([]);
  await context.close();
}, 60_000);

test('a saved report is the app with the data inside: it sorts, draws, saves and needs nothing else', async () => {
  const { page, close } = await server.open();
  await page.getByRole('button', { name: 'Show me an example' }).click();
  for (const kind of ['Comparison', 'TREC']) {
    await openView(page, 'Export');
    const html = await downloaded(page, () => page.getByRole('button', { name: `HTML of the ${kind} report`, exact: true }).click());
    const file = join(folder, html.name);
    writeFileSync(file, html.text);
    const context = await server.browser.newContext({ acceptDownloads: true, colorScheme: kind === 'TREC' ? 'dark' : 'light' });
    const report = await context.newPage();
    const { strangers, complaints } = watch(report, pathToFileURL(file).href);
    await report.goto(pathToFileURL(file).href);
    expect(await report.locator('#gradus-static').isVisible()).toBe(false);
    expect(await axeViolations(report)).toEqual([]);
    if (kind === 'Comparison') {
      expect((await tableRows(report, 'Systems')).slice(1).map((row) => row[1])).toEqual(['hybrid', 'neural', 'bm25']);
      const header = report.getByRole('region', { name: 'Systems', exact: true }).getByRole('button', { name: 'nDCG@10' });
      await header.click();
      await header.click();
      await expect
        .poll(async () => (await tableRows(report, 'Systems')).slice(1).map((row) => row[1]))
        .toEqual(['bm25', 'neural', 'hybrid']);
      await drawnChart(report, 'nDCG@10 by topic: hybrid minus neural');
      const svg = await downloaded(report, () =>
        report.getByRole('button', { name: /^SVG of nDCG@10 by topic: hybrid minus neural/ }).click(),
      );
      expect(svg.text).toContain('<svg');
      const csv = await downloaded(report, () => report.getByRole('button', { name: 'CSV of Systems', exact: true }).click());
      expect(csv.text).toContain('hybrid,0.775');
    } else {
      // trec_eval's own line
      const { stdout } = runGradus(['as', 'trec_eval', '-m', 'P.5', 'examples/data/example.qrels', 'examples/data/bm25.run']);
      const precision = stdout.trim().split(/\s+/).at(-1);
      expect((await tableRows(report, 'Document Level Averages'))[1].slice(0, 2)).toEqual(['At 5 docs', precision]);
      await drawnChart(report, 'Recall-Precision Graph');
    }
    expect(complaints).toEqual([]);
    expect(strangers).toEqual([]);
    await context.close();
  }
  await close();
}, 60_000);

test('the page works when the network is gone', async () => {
  const { page, close } = await server.open();
  // what later clicks need comes while nothing else is going on
  const loaded = async (): Promise<string[]> => {
    const names = (): string[] => performance.getEntriesByType('resource').map(({ name }) => name.replace(/^.*\//, ''));
    return [...(await page.evaluate(names)), ...((await page.workers()[0]?.evaluate(names)) ?? [])];
  };
  const wanted = [/^charts-.*js$/, /^reporting-.*js$/, /^report\.js\.gz$/, /^report\.css$/, /^examples\.json\.gz$/, /^measures\.json\.gz$/];
  await expect.poll(loaded).toEqual(expect.arrayContaining(wanted.map((name) => expect.stringMatching(name))));
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Show me an example' }).click();
  await openView(page, 'Compare');
  await drawnChart(page, 'nDCG@10 by topic: hybrid minus neural');
  await openSettings(page);
  await page.getByRole('button', { name: 'nDCG@10: what it means' }).click();
  await page.getByRole('dialog').getByText('Järvelin').first().waitFor();
  await page.keyboard.press('Escape');
  await openView(page, 'Export');
  const html = await downloaded(page, () => page.getByRole('button', { name: 'HTML of the Comparison report', exact: true }).click());
  expect(html.text).toContain('gradus-report');
  await close();
}, 60_000);

test('work on a large file can be stopped, and the page goes on', async () => {
  const { page, complaints, close } = await server.open();
  await page.getByRole('button', { name: 'Show me an example' }).click();
  await page.getByRole('link', { name: 'Leaderboard' }).waitFor();
  const before = await tableRows(page, 'Scores');
  await page.evaluate(() => {
    const line = (i: number): string => `q${i % 5000} Q0 d${i} 1 ${i} big\n`;
    const block = Array.from({ length: 100_000 }, (_, i) => line(i)).join('');
    const files = new DataTransfer();
    files.items.add(
      new File(
        Array.from({ length: 60 }, () => block),
        'big.run',
      ),
    );
    document.querySelector('main')?.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: files }));
  });
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('button', { name: 'Go on without them' }).click();
  // a new worker knows the files of the old one
  await openView(page, 'One topic');
  await page.getByRole('heading', { name: 'The ranked list' }).waitFor();
  await openView(page, 'Leaderboard');
  await expect.poll(() => tableRows(page, 'Scores')).toEqual(before);
  expect(complaints).toEqual([]);
  await close();
}, 60_000);
