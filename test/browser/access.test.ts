import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeViolations, openSettings, openView, startApp, tableRows } from '../helpers/browser.js';

let server: Awaited<ReturnType<typeof startApp>>;

beforeAll(async () => {
  server = await startApp();
}, 60_000);

afterAll(async () => {
  await server.stop();
});

const tabs = ['Leaderboard', 'Compare', 'One topic', 'Rules', 'Checks', 'Judge', 'Fuse', 'Train', 'Trust', 'Export'];
/** What stands on each tab when it is ready. */
const signs: Readonly<Record<string, string>> = {
  Leaderboard: 'Scores',
  Compare: 'Charts',
  'One topic': 'The ranked list',
  Rules: 'Which measure tells most systems apart?',
  Checks: 'What is odd in the files',
  Judge: 'Judge documents',
  Fuse: 'Change by topic fused less hybrid',
  Train: 'Train a ranker on this page',
  Trust: 'One judge has nobody to agree with.',
  Export: 'Comparison report',
};

describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
  test('axe finds nothing wrong with any page', async () => {
    const { page, close, complaints } = await server.open({ colorScheme, reducedMotion: 'reduce' });
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Show me an example' }).click();
    for (const tab of tabs) {
      await openView(page, tab);
      await page.getByRole('heading', { name: signs[tab], exact: true }).first().waitFor();
      for (const summary of await page.locator('main summary').all()) await summary.click();
      expect([tab, await axeViolations(page)]).toEqual([tab, []]);
    }
    await openSettings(page);
    await page.getByRole('button', { name: 'nDCG@10: what it means' }).click();
    await page.getByRole('dialog').getByText('Järvelin').first().waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  }, 60_000);
});

test('on a phone nothing is wider than the page', async () => {
  const { page, close } = await server.open({ viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true });
  const overflow = (): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(await overflow()).toBe(0);
  await page.getByRole('button', { name: 'Show me an example' }).tap();
  for (const tab of tabs) {
    await openView(page, tab);
    await page.getByRole('heading', { name: signs[tab], exact: true }).first().waitFor();
    expect([tab, await overflow()]).toEqual([tab, 0]);
  }
  await close();
}, 60_000);

test('everything can be reached with the keyboard', async () => {
  const { page, close } = await server.open();
  const focused = (): Promise<string> =>
    page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent?.trim() ?? '');
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await press('Tab');
  expect(await focused()).toBe('To the content');
  await press('Enter', 'Tab');
  expect(await focused()).toBe('Choose files…');
  await press('Tab');
  expect(await focused()).toBe('Choose a folder…');
  await press('Tab');
  expect(await focused()).toBe('Show me an example');
  await press('Enter');
  await page.getByRole('link', { name: 'Leaderboard' }).waitFor();

  // the focus ring shows where the keyboard is, and views open with Enter
  await page.getByRole('link', { name: 'Leaderboard' }).focus();
  await press('Tab');
  expect(await focused()).toBe('Topics');
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement as Element).outlineStyle);
  expect(outline).toBe('solid');
  await press('Enter');
  await page.getByRole('heading', { name: /topic|lead/, level: 1 }).waitFor();
  expect(await page.getByRole('link', { name: 'Topics' }).getAttribute('aria-current')).toBe('page');
  await page.goBack();
  await page.getByRole('heading', { name: 'Scores', exact: true }).waitFor();

  // measures are chosen without a mouse
  await openSettings(page);
  await page.getByRole('combobox', { name: 'Measures' }).focus();
  await page.keyboard.type('err@5');
  await press('ArrowDown', 'Enter');
  await expect.poll(async () => (await tableRows(page, 'Scores'))[0]).toContain('ERR@5');
  await press('Backspace');
  await expect.poll(async () => (await tableRows(page, 'Scores'))[0]).not.toContain('ERR@5');

  // and a topic is opened from the table
  await page.getByRole('button', { name: 'topic q1: show its ranking' }).focus();
  await press('Enter');
  await page.getByRole('heading', { name: /on q1$/ }).waitFor();
  await close();
}, 60_000);
