import { afterAll, beforeAll, expect, test } from 'vitest';
import { axeViolations, dropFiles, openView, startApp, tableRows } from '../helpers/browser.js';

let server: Awaited<ReturnType<typeof startApp>>;

beforeAll(async () => {
  server = await startApp();
}, 60_000);

afterAll(async () => {
  await server.stop();
});

// people and machine agree on 6 of 8 documents: kappa (6/8 - 1/2) / (1 - 1/2) = 0.5, since each of them calls half of them relevant
const people = { name: 'people.qrels', content: 'q1 0 a 1\nq1 0 b 1\nq1 0 c 0\nq1 0 d 0\nq2 0 a 1\nq2 0 b 1\nq2 0 c 0\nq2 0 d 0\n' };
const machine = { name: 'machine.qrels', content: 'q1 0 a 1\nq1 0 b 0\nq1 0 c 0\nq1 0 d 1\nq2 0 a 1\nq2 0 b 1\nq2 0 c 0\nq2 0 d 0\n' };
const runs = [
  { name: 'one.run', content: 'q1 Q0 a 1 4 one\nq1 Q0 b 2 3 one\nq1 Q0 c 3 2 one\nq2 Q0 a 1 4 one\nq2 Q0 e 2 3 one\nq2 Q0 b 3 2 one\n' },
  { name: 'two.run', content: 'q1 Q0 c 1 4 two\nq1 Q0 a 2 3 two\nq1 Q0 d 3 2 two\nq2 Q0 d 1 4 two\nq2 Q0 a 2 3 two\nq2 Q0 b 3 2 two\n' },
];

test('agreement, missing judgements and the number of topics are answered, by keyboard, address and on any screen', async () => {
  const { page, close, complaints } = await server.open({ colorScheme: 'light', reducedMotion: 'reduce' });
  await dropFiles(page, [machine, people, ...runs]);
  await page.getByRole('link', { name: 'Leaderboard' }).waitFor();
  await openView(page, 'Trust');
  await page.getByRole('heading', { level: 1, name: /^machine agrees with people on 75% of 8 documents/ }).waitFor();
  const [, row] = await tableRows(page, 'Agreement of judges');
  expect(row.slice(0, 5)).toEqual(['machine', '8', '2', '0.7500', expect.stringMatching(/^\[/)]);
  expect(row[5]).toBe('0.5000');
  // people in rows: 4 of grade 0, of which machine calls 1 relevant, and the other way round
  expect(await tableRows(page, 'Grades by people and by machine')).toEqual([
    ['people', '0', '1', 'all'],
    ['0', '3', '1', '4'],
    ['1', '1', '3', '4'],
  ]);
  expect(await axeViolations(page)).toEqual([]);

  // arrow keys move between the questions, and the address says which is open
  await page.getByRole('tab', { name: 'Do judges agree?' }).focus();
  await page.keyboard.press('ArrowRight');
  // only e of q2 is not judged, which run one returns at rank 2: P@3 of one on q2 is 2/3 or 3/3
  await page.getByRole('heading', { name: 'What missing judgements can change' }).waitFor();
  await page.waitForURL(/#\/trust\?.*about=missing/);
  expect(await axeViolations(page)).toEqual([]);
  await page.keyboard.press('ArrowRight');
  await page.getByRole('heading', { name: 'Topics needed' }).waitFor();
  await page.getByLabel('Difference to find').fill('0.2');
  await page.getByLabel('Difference to find').press('Enter');
  await page.getByRole('heading', { level: 1, name: /difference of 0\.2 / }).waitFor();
  await page.waitForURL(/difference=0\.2/);
  expect(await axeViolations(page)).toEqual([]);

  for (const about of ['agreement', 'missing', 'topics']) {
    await page.locator(`#tab-${about}`).click();
    await page.locator('#panel table').first().waitFor();
    for (const [width, colorScheme] of [
      [375, 'light'],
      [1440, 'dark'],
      [375, 'dark'],
      [1440, 'light'],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      if (process.env.GRADUS_PICTURES !== undefined)
        await page.screenshot({ path: `${process.env.GRADUS_PICTURES}/trust-${about}-${width}-${colorScheme}.png` });
    }
  }
  // the address alone leads back
  await page.reload();
  await page.getByRole('heading', { name: 'Topics needed' }).waitFor();
  expect(complaints).toEqual([]);
  await close();
}, 90_000);

test('one judge and one run get a sentence each', async () => {
  const { page, close, complaints } = await server.open();
  await dropFiles(page, [people, runs[0]]);
  await page.getByRole('link', { name: 'Leaderboard' }).waitFor();
  await openView(page, 'Trust');
  await page.getByRole('heading', { level: 1, name: 'One judge has nobody to agree with.' }).waitFor();
  await page.getByText('Add a second file with judgements').waitFor();
  await page.getByRole('tab', { name: 'Are there enough topics?' }).click();
  await page.getByRole('heading', { level: 1, name: 'Add a second run to plan the number of topics.' }).waitFor();
  expect(complaints).toEqual([]);
  await close();
}, 60_000);
