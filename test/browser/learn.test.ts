import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeViolations, type OpenApp, startApp } from '../helpers/browser.js';

let server: Awaited<ReturnType<typeof startApp>>;
let app: OpenApp;

beforeAll(async () => {
  server = await startApp();
  app = await server.open();
  await app.page.goto(`${app.page.url().split('#')[0]}#/learn`);
}, 60_000);
afterAll(async () => {
  await app.close();
  await server.stop();
});

/** What a measure's card shows. */
async function shownValue(measure: string): Promise<string | undefined> {
  const text = await app.page.getByRole('region', { name: measure, exact: true }).locator('.value').textContent();
  return /[\d.]{6}/.exec(text ?? '')?.[0];
}

describe('the Learn view, without any file,', () => {
  test('shows the measures of a ranking, worked out by hand', async () => {
    // grades 2 0 1 0 0 2 1 0 0 0, and one relevant document that was not retrieved: (1/1 + 2/3 + 3/6 + 4/7) / 5
    await expect.poll(() => shownValue('AP')).toBe('0.5476');
    expect(await app.page.getByRole('region', { name: 'AP', exact: true }).locator('math').getAttribute('aria-label')).toBe(
      '(1/1 + 2/3 + 3/6 + 4/7) / 5 = 0.5476',
    );
  });

  test('moves a document by key and says so', async () => {
    const { page } = app;
    await page.getByRole('button', { name: /^rank 6 F/ }).focus();
    for (let i = 0; i < 4; i++) {
      await page.keyboard.press('Alt+ArrowUp');
      await page.getByRole('button', { name: new RegExp(`^rank ${5 - i} F`) }).waitFor();
    }
    // (1/1 + 2/2 + 3/4 + 4/7) / 5
    await expect.poll(() => shownValue('AP')).toBe('0.6643');
    expect(await page.getByText('F is moved from rank 6 to rank 2.').count()).toBe(1);
    expect(await page.getByRole('region', { name: 'AP', exact: true }).locator('.change').textContent()).toBe('+0.117');
    expect(new URL(page.url()).hash).toBe('#/learn?g=2,2,0,1,0,0,1,0,0,0&missed=1');
  });

  test('changes a grade, and the ranking of an address is the one that is shown', async () => {
    const { page } = app;
    await page.getByRole('group', { name: 'Grade of B' }).getByText('1', { exact: true }).click();
    // (1/1 + 2/2 + 3/3 + 4/4 + 5/7) / 6
    await expect.poll(() => shownValue('AP')).toBe('0.7857');
    await page.goto(`${page.url().split('#')[0]}#/learn?g=0,1&m=RR`);
    await expect.poll(() => shownValue('RR')).toBe('0.5000');
    expect(await page.getByRole('listitem').count()).toBe(2);
  });

  test('a document is dragged', async () => {
    const { page } = app;
    const from = await page.getByRole('button', { name: /^rank 2 B/ }).boundingBox();
    const to = await page.getByRole('button', { name: /^rank 1 A/ }).boundingBox();
    if (from === null || to === null) throw new Error('the list is not there');
    await page.mouse.move(from.x + 40, from.y + 20);
    await page.mouse.down();
    await page.mouse.move(to.x + 40, to.y + 10, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => shownValue('RR')).toBe('1.0000');
  });

  test('other rules, with the reason where they have no such measure', async () => {
    const { page } = app;
    await page.goto(`${page.url().split('#')[0]}#/learn?g=2,0,1&m=AP%20nDCG@10&by=yahoo`);
    await page.getByText('yahoo does not compute AP').first().waitFor();
    // gains 3, 0, 1: (3/ln 2 + 1/ln 4) / (3/ln 2 + 1/ln 3)
    await expect.poll(() => shownValue('nDCG@10')).toBe('0.9639');
  });

  test('has nothing that axe objects to, and fits a phone', async () => {
    const { page } = app;
    expect(await axeViolations(page)).toEqual([]);
    await page.setViewportSize({ width: 375, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);
    expect(app.complaints).toEqual([]);
  });
});
