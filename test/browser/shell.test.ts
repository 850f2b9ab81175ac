import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dropFiles, openView, startApp, tableRows } from '../helpers/browser.js';
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
  await close();
});
