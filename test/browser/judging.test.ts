import { afterAll, beforeAll, expect, test } from 'vitest';
import { downloaded, dropFiles, openView, startApp } from '../helpers/browser.js';

let server: Awaited<ReturnType<typeof startApp>>;

beforeAll(async () => {
  server = await startApp();
}, 60_000);

afterAll(async () => {
  await server.stop();
});

const files = [
  { name: 'judged.qrels', content: 'q1 0 d1 1\nq1 0 d2 0\nq2 0 d1 2\nq2 0 d3 0\n' },
  { name: 'a.run', content: 'q1 Q0 d1 1 3 a\nq1 Q0 d4 2 2 a\nq1 Q0 d2 3 1 a\nq2 Q0 d3 1 2 a\nq2 Q0 d1 2 1 a\n' },
  {
    name: 'documents.jsonl',
    content:
      '{"_id":"d4","title":"Fourth","text":"What the fourth says, which is more than eighty characters long, so that a line of it would not do: and here it ends"}\n{"_id":"d1","text":"What the first says"}\n',
  },
];

test('documents are judged by keys, kept in the browser, compared with what was given, and saved as qrels', async () => {
  const { page, close, complaints } = await server.open({ colorScheme: 'light' });
  await dropFiles(page, files);
  await page.getByRole('link', { name: 'Leaderboard' }).waitFor();
  await openView(page, 'Judge');
  // d4 of q1 is the only one that nobody judged
  await page.getByText('and here it ends').waitFor();
  await page.getByText('0 of 1 judged').waitFor();
  await page.keyboard.press('2');
  await page.getByText('All of them are judged.').waitFor();
  await page.keyboard.press('u');
  await page.getByText('and here it ends').waitFor();
  await page.keyboard.press('1');
  await page.getByText('1 of 1 judged').waitFor();
  // the given ones again: the same grades for q1, another for one of q2
  await page.getByLabel('Documents', { exact: true }).selectOption('again');
  await page.getByText('0 of 4 judged').waitFor();
  const given: Readonly<Record<string, string>> = { 'q1 d1': '1', 'q1 d2': '0', 'q2 d1': '2', 'q2 d3': '1' };
  for (let done = 1; done <= 4; done++) {
    const topic = (await page.getByText(/^Topic q\d$/).textContent())?.slice(6);
    const doc = await page.getByRole('region', { name: 'The next document' }).getByRole('heading').textContent();
    await page
      .getByRole('group', { name: 'Grades' })
      .getByRole('button', { name: new RegExp(`^${given[`${topic} ${doc}`]}`) })
      .click();
    await page.getByText(`${done} of 4 judged`).waitFor();
  }
  await page.getByText('You agree with the given judgements on 75% of 4 documents').waitFor();
  const { name, text } = await downloaded(page, () => page.getByRole('button', { name: 'Save as qrels' }).click());
  expect([name, text.trim().split('\n').sort()]).toEqual([
    'judgements.qrels',
    ['q1 0 d1 1', 'q1 0 d2 0', 'q1 0 d4 1', 'q2 0 d1 2', 'q2 0 d3 1'],
  ]);
  await page.waitForTimeout(1200);
  await page.reload();
  await page.getByText('5 judgements are kept for judged.qrels in this browser').waitFor();
  await page.getByRole('button', { name: 'Forget all' }).click();
  await page.getByRole('button', { name: 'Yes, forget them' }).click();
  await page.getByText('0 judgements are kept for judged.qrels in this browser').waitFor();
  for (const [width, colorScheme] of [
    [375, 'light'],
    [1440, 'dark'],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    if (process.env.GRADUS_PICTURES !== undefined)
      await page.screenshot({ path: `${process.env.GRADUS_PICTURES}/judge-${width}-${colorScheme}.png` });
  }
  expect(complaints).toEqual([]);
  await close();
}, 60_000);
