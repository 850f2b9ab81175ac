import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeViolations, drawnChart, dropFiles, type OpenApp, openView, startApp } from '../helpers/browser.js';
import { repository } from '../helpers/run-gradus.js';

let server: Awaited<ReturnType<typeof startApp>>;
let app: OpenApp;

const files = ['example.qrels', 'bm25.run', 'neural.run', 'hybrid.run'].map((name) => ({
  name,
  content: readFileSync(`${repository}examples/data/${name}`, 'utf8'),
}));

beforeAll(async () => {
  server = await startApp();
  app = await server.open({ fragment: '' });
  await dropFiles(app.page, files);
  await app.page.locator('#finding').waitFor();
}, 60_000);

afterAll(async () => {
  expect(app.complaints).toEqual([]);
  await server.stop();
});

const topic = (): Promise<string> => app.page.locator('.eye').innerText();

test('a press on a row, a mark or a cell opens the two rankings behind it', async () => {
  const { page } = app;
  // the row of bm25 under the verdict: its mark, not its name
  await page.getByRole('row', { name: /^bm25/ }).first().locator('.track').click();
  await expect.poll(() => new URL(page.url()).hash).toBe('#/diff?a=3&b=1');
  // the last cell of a strip is the hardest topic
  await openView(page, 'Leaderboard');
  const strip = page.getByRole('row', { name: /neural/ }).locator('td.strip span');
  const box = await strip.boundingBox();
  await strip.click({ position: { x: (box?.width ?? 0) - 2, y: 5 } });
  await expect.poll(() => new URL(page.url()).hash).toMatch(/^#\/diff\?a=3&b=2&topic=\d+$/);
  // a cell of the heat map
  await openView(page, 'Compare');
  const map = await drawnChart(page, /by topic and system$/);
  const cell = map.locator('[data-system="0"][data-topic]').first();
  const words = (await cell.textContent()) ?? '';
  await cell.click();
  await expect.poll(topic).toContain(/topic (\S+):/.exec(words)?.[1]);
  expect(new URL(page.url()).hash).toMatch(/^#\/diff\?a=3&b=1/);
  // a name in the diagram of critical differences
  await openView(page, 'Compare');
  const diagram = await drawnChart(page, /^Critical differences/);
  await diagram.locator('text', { hasText: 'neural' }).click();
  await expect.poll(() => new URL(page.url()).hash).toBe('#/diff?a=3&b=2');
}, 60_000);

test('Find leads to a system, a topic, a document and a view', async () => {
  const { page } = app;
  await openView(page, 'Verdict');
  const field = page.getByRole('combobox', { name: /^Find a system/ });
  const found = page.getByRole('dialog').getByRole('option');
  const find = async (text: string): Promise<string[]> => {
    await page.keyboard.press('/');
    await field.fill(text);
    await found.first().waitFor();
    return (await found.allInnerTexts()).map((words) => words.replace(/\s+/g, ' '));
  };
  expect(await find('neur')).toEqual([expect.stringMatching(/^System neural nDCG@10 0\.6246$/)]);
  await page.keyboard.press('Enter');
  await expect.poll(() => new URL(page.url()).hash).toBe('#/leaderboard?pin=2');
  await page.getByRole('button', { name: 'Find' }).click();
  await field.fill('Q12');
  await page.keyboard.press('Enter');
  await expect.poll(topic).toMatch(/^Topic q12 /);
  // the only document with this name, where the judgements and both runs have it
  const line = /^(\S+) 0 (\S+) (\d+)$/m.exec(files[0].content) ?? [];
  const documents = await find(line[2] ?? '');
  expect(documents.find((words) => words.startsWith(`Document ${line[2]} topic ${line[1]},`))).toContain(`grade ${line[3]}`);
  await field.fill('chec');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Checks', level: 1 }).waitFor();
}, 60_000);

test('a system that is pointed at stands out in every chart of the view', async () => {
  const { page } = app;
  await openView(page, 'Compare');
  const curves = await drawnChart(page, /^Unjudged documents/);
  const map = await drawnChart(page, /by topic and system$/);
  await map.locator('[data-system="1"]').first().hover();
  for (const chart of [curves, map]) {
    await expect.poll(() => chart.locator('[data-system="0"].away').count()).toBeGreaterThan(0);
    expect(await chart.locator('[data-system="1"].away').count()).toBe(0);
  }
  await page.getByRole('heading', { level: 1 }).hover();
  await expect.poll(() => map.locator('.away').count()).toBe(0);
}, 60_000);

test('keys are listed, lead to the measure, and can be turned off', async () => {
  const { page } = app;
  await openView(page, 'Leaderboard');
  await page.keyboard.press('m');
  expect(await page.evaluate(() => document.activeElement?.closest('label')?.textContent)).toContain('Measure');
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('?');
  const list = page.getByRole('dialog', { name: 'Keys' });
  await list.getByText('next and previous deciding topic').waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await list.getByRole('checkbox').uncheck();
  await list.getByRole('button', { name: 'Close' }).click();
  await page.keyboard.press('1');
  await page.keyboard.press('?');
  expect([await list.count(), new URL(page.url()).hash.slice(0, 13)]).toEqual([0, '#/leaderboard']);
  await page.getByRole('button', { name: 'Keys' }).click();
  await list.getByRole('checkbox').check();
  await page.keyboard.press('Escape');
  await page.keyboard.press('1');
  await page.getByRole('heading', { name: /^hybrid is better/, level: 1 }).waitFor();
});

test.each([
  ['#/topic?t=3&system=2&measure=AP', (page: OpenApp['page']) => page.getByRole('heading', { name: /AP of neural on q3$/ }).waitFor()],
  [
    '#/compare?by=AP',
    (page: OpenApp['page']) =>
      page
        .getByRole('heading', { name: /^AP by topic and system/ })
        .first()
        .waitFor(),
  ],
  [
    '#/topics?by=AP&a=2&b=1',
    (page: OpenApp['page']) =>
      page
        .getByText(/neural better on/)
        .first()
        .waitFor(),
  ],
  ['#/diff?a=2&b=1&topic=4', (page: OpenApp['page']) => page.locator('.eye', { hasText: 'fourth largest gain of neural' }).waitFor()],
  [
    '#/leaderboard?show=table&order=-3',
    (page: OpenApp['page']) => page.getByRole('columnheader', { name: 'AP', exact: true, includeHidden: false }).first().waitFor(),
  ],
  ['#/leaderboard?by=AP&sort=name&group=best', (page: OpenApp['page']) => page.getByText('Mean AP and 95% interval').waitFor()],
  ['#/judge?documents=again&each=3', (page: OpenApp['page']) => page.getByText(/0 of \d+ judged/).waitFor()],
])('the address %s brings the view back, and stays', async (fragment, isShown) => {
  const other = await server.open({ fragment });
  await dropFiles(other.page, files);
  await isShown(other.page);
  expect(new URL(other.page.url()).hash).toBe(fragment);
  await other.close();
});
