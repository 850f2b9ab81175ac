import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeViolations, dropFiles, openView, startApp, tableRows } from '../helpers/browser.js';
import { repository } from '../helpers/run-gradus.js';

let server: Awaited<ReturnType<typeof startApp>>;

beforeAll(async () => {
  server = await startApp();
}, 60_000);

afterAll(async () => {
  await server.stop();
});

const example = (name: string): { name: string; content: string } => ({
  name,
  content: readFileSync(`${repository}examples/data/${name}`, 'utf8'),
});

/** A run whose reading takes the longer the more lines it has. */
const run = (tag: string, lines: number): { name: string; content: string } => ({
  name: `${tag}.run`,
  content: Array.from({ length: lines }, (_, i) => `q${(i % 3) + 1} Q0 d${i} 1 ${lines - i} ${tag}`).join('\n'),
});

describe('files', () => {
  test('stand in the order in which they came, whichever is read first', async () => {
    const { page, close } = await server.open();
    const runs = [run('zeta', 60_000), run('middle', 10), run('alpha', 20_000), run('omega', 1)];
    await dropFiles(page, [...runs, { name: 'q', content: 'q1 0 d0 1\nq2 0 d1 1\nq3 0 d2 1\n' }]);
    await expect
      .poll(async () => (await tableRows(page, 'Scores')).slice(1).map(([system]) => system), { timeout: 20_000 })
      .toEqual(['zeta', 'middle', 'alpha', 'omega']);
    await close();
  }, 60_000);

  test('that were not read when somebody pressed Stop are not passed over in silence', async () => {
    const { page, close } = await server.open();
    await dropFiles(page, [{ name: 'q', content: 'q1 0 d0 1\n' }, run('first', 3), run('second', 150_000), run('third', 150_000)]);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText(/Stopped: \d of 4 files were read, so nothing is scored yet/).waitFor();
    expect(await page.getByRole('region', { name: 'Scores' }).count()).toBe(0);
    await page.getByRole('button', { name: /Read the other/ }).click();
    await expect.poll(async () => (await tableRows(page, 'Scores')).length, { timeout: 30_000 }).toBe(4);
    await close();
  }, 60_000);

  test('go away only after a second word', async () => {
    const { page, close } = await server.open();
    await page.getByRole('button', { name: 'Show me an example' }).click();
    await page.getByRole('region', { name: 'Scores' }).waitFor();
    await page.getByRole('button', { name: 'Start over' }).click();
    await page.getByRole('button', { name: 'Keep them' }).click();
    expect((await tableRows(page, 'Scores')).length).toBe(4);
    await close();
  });

  test('leave few stops of the keyboard before the first result, however many they are', async () => {
    const { page, close } = await server.open();
    const many = Array.from({ length: 60 }, (_, i) => ({ name: `r${i}`, content: `q1 Q0 d${i} 1 1 system${i}\n` }));
    await dropFiles(page, [{ name: 'q', content: 'q1 0 d1 1\n' }, ...many]);
    const region = page.getByRole('region', { name: 'Scores' });
    await region.waitFor();
    const stops = await region.evaluate(
      (result) =>
        [...document.querySelectorAll<HTMLElement>('a, button, input, select, [tabindex]')].filter(
          (one) =>
            one.tabIndex >= 0 && one.checkVisibility() && (result.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_PRECEDING) !== 0,
        ).length,
    );
    expect(stops).toBeLessThan(25);
    await close();
  });
});

test('the row of views fits into every width; what it has no room for is in a menu', async () => {
  const { page, close } = await server.open();
  await page.getByRole('button', { name: 'Show me an example' }).click();
  await page.getByRole('region', { name: 'Scores' }).waitFor();
  const bar = page.getByRole('navigation', { name: 'Views' });
  const more = bar.getByRole('button', { name: 'More' });
  const inRow: number[] = [];
  for (const width of [1440, 1000, 700, 375]) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(() => bar.evaluate((nav) => nav.scrollWidth - nav.clientWidth)).toBeLessThanOrEqual(0);
    // nothing of a link is cut off, and none stands below the row
    const cut = await bar.evaluate((nav) => {
      const links = [...nav.querySelectorAll('.links a')].map((link) => link.getBoundingClientRect());
      const end = nav.querySelector('.more')?.getBoundingClientRect().left ?? innerWidth;
      return links.filter(({ right, top }) => right > end + 1 || top !== links[0].top).length;
    });
    expect([width, cut]).toEqual([width, 0]);
    inRow.push(await bar.getByRole('link').count());
  }
  expect(inRow[0]).toBeGreaterThanOrEqual(7);
  expect(inRow[3]).toBeLessThan(inRow[0]);
  await more.click();
  await bar.getByRole('link', { name: 'Checks' }).click();
  await page.getByRole('heading', { name: 'Checks', level: 1 }).waitFor();
  // the button says where one is
  await bar.getByRole('button', { name: 'Checks' }).click();
  expect(await axeViolations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  expect(await bar.getByRole('link', { name: 'Checks' }).count()).toBe(0);
  await close();
});

test('many notes on the files fold, so that the results stay in sight', async () => {
  const { page, close } = await server.open({ fragment: '#/leaderboard' });
  const runs = Array.from({ length: 6 }, (_, r) => ({ name: `r${r}`, content: `1 Q0 d${r} 1 1 s${r}\n` }));
  await dropFiles(page, [{ name: 'q', content: '1 0 d0 1\n1 0 d1 1\n2 0 d2 1\n' }, ...runs]);
  await page.getByRole('table').waitFor();
  const notes = page.locator('details.note');
  expect(await notes.locator('summary').innerText()).toMatch(/^\d+ notes on the files, the first: /);
  expect(await notes.getByRole('listitem').count()).toBe(0);
  await notes.locator('summary').click();
  expect(await notes.getByRole('listitem').count()).toBeGreaterThanOrEqual(5);
  await close();
});

test('topics stand as people count', async () => {
  const { page, close } = await server.open();
  await dropFiles(page, [
    { name: 'q', content: ['1', '2', '10', '11'].map((t) => `${t} 0 d1 1\n`).join('') },
    { name: 'r', content: '2 Q0 d1 1 1 x\n' },
  ]);
  await expect.poll(async () => (await tableRows(page, 'Topic by topic')).slice(1).map(([topic]) => topic)).toEqual(['1', '2', '10', '11']);
  expect((await tableRows(page, 'Topic by topic')).map((row) => row[2]).slice(1)).toEqual(['0.0000', '1.0000', '0.0000', '0.0000']);
  await close();
});

describe('addresses', () => {
  test('of earlier versions lead to the views of today, and Back leads from view to view', async () => {
    const { page, close } = await server.open({ fragment: '#view=checks&depth=7' });
    await dropFiles(page, ['example.qrels', 'bm25.run', 'neural.run'].map(example));
    await page.getByRole('heading', { name: 'Checks', level: 1 }).waitFor();
    expect(new URL(page.url()).hash).toBe('#/checks?depth=7');
    await openView(page, 'Rules');
    await page.getByRole('heading', { name: /^One ranking/, level: 1 }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Checks', level: 1 }).waitFor();
    // the files are still there
    expect(await page.getByRole('button', { name: /2 runs/ }).count()).toBe(1);
    await page.goForward();
    await page.getByRole('heading', { name: /^One ranking/, level: 1 }).waitFor();
    await close();
  });
});

test('printing draws the charts that were never in sight, and keeps the heads of tables', async () => {
  const { page, close } = await server.open({ fragment: '#/compare' });
  await dropFiles(page, ['example.qrels', 'bm25.run', 'neural.run'].map(example));
  await page.getByRole('heading', { name: 'Charts' }).waitFor();
  await expect.poll(() => page.locator('figure .place').count()).toBeGreaterThan(5);
  const empty = (): Promise<number> => page.locator('figure .place:empty').count();
  expect(await empty()).toBeGreaterThan(0);
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  expect(await empty()).toBe(0);
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('thead').first().innerText()).toContain('system');
  // nothing that one presses is printed
  expect(await page.getByRole('navigation', { name: 'Views' }).count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Export' }).count()).toBe(0);
  // no chart is wider than the paper
  await page.setViewportSize({ width: 700, height: 900 });
  const widest = await page
    .locator('figure')
    .evaluateAll((figures) =>
      Math.max(
        ...figures.flatMap((figure) =>
          [...figure.querySelectorAll('.place svg')].map((svg) => svg.getBoundingClientRect().right - figure.getBoundingClientRect().right),
        ),
      ),
    );
  expect(widest).toBeLessThanOrEqual(0);
  // and ink is dark on it, whatever the screen has
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
  expect(await page.evaluate(() => getComputedStyle(document.body).color)).toBe('rgb(27, 31, 37)');
  await close();
});
