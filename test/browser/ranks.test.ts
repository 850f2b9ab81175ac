import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DroppedFile, downloaded, dropFiles, type OpenApp, openFiles, startApp, tableRows } from '../helpers/browser.js';
import { runGradus } from '../helpers/run-gradus.js';

const judged = { name: 'judged.qrels', content: 'q1 0 d1 1\nq1 0 d2 0\nq1 0 d3 2\nq2 0 d1 1\n' };
const rankings = [
  { name: 'table.csv', content: 'query_id,doc_id,rank\nq1,d2,1\nq1,d3,2\nq1,d1,3\nq2,d1,1\n' },
  { name: 'lines.tsv', content: 'q1\td2\t1\nq1\td3\t2\nq1\td1\t3\nq2\td1\t1\n' },
  { name: 'arrays.json', content: '{"q1":["d2","d3","d1"],"q2":["d1"]}' },
];
// d2 is not relevant, d3 has grade 2 and d1 grade 1; of q2 the only relevant document comes first
const ndcg = ((2 / Math.log2(3) + 1 / 2) / (2 + 1 / Math.log2(3)) + 1) / 2;

let server: Awaited<ReturnType<typeof startApp>>;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gradus-ranks-'));
  server = await startApp();
}, 60_000);

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The same files for the command line. */
function evalOf(files: readonly DroppedFile[]): ReturnType<typeof runGradus> {
  for (const { name, content } of files) writeFileSync(join(folder, name), content);
  return runGradus(['eval', ...files.map(({ name }) => join(folder, name)), '-f', 'tsv', '--wide', '-p', '4']);
}

async function opened(files: readonly DroppedFile[], work: (app: OpenApp) => Promise<void>): Promise<void> {
  const app = await server.open();
  try {
    await dropFiles(app.page, files);
    await work(app);
    expect(app.complaints).toEqual([]);
  } finally {
    await app.close();
  }
}

const complaintOf = async ({ page }: OpenApp): Promise<string | undefined> =>
  (await page.getByRole('alert').textContent())?.replace(/\s+/g, ' ').trim();

describe('runs with ranks instead of scores', () => {
  test('are worth what the command line says', async () => {
    const files = [judged, ...rankings];
    const printed = evalOf(files)
      .stdout.trimEnd()
      .split('\n')
      .map((line) => line.split('\t'));
    expect(printed.slice(1).map(([system, value]) => [system, value])).toEqual(
      ['table', 'lines', 'arrays'].map((system) => [system, ndcg.toFixed(4)]),
    );
    await opened(files, async ({ page }) => {
      const expected = printed.slice(1);
      await expect.poll(async () => (await tableRows(page, 'Scores')).slice(1)).toEqual(expected);
    });
  });

  test.each(rankings)('show the ranks that $name states, and no scores that it does not', async (file) => {
    await opened([judged, file], async ({ page }) => {
      await page.getByRole('button', { name: 'topic q1: show its ranking' }).click();
      await page.getByRole('region', { name: 'The ranked list' }).waitFor();
      const rows = await tableRows(page, 'The ranked list');
      expect(rows[0]).toEqual(['rank', 'document', 'grade', 'adds', 'so far', 'stated rank']);
      expect(rows.slice(1).map((row) => [row[0], row[1], row[5]])).toEqual([
        ['1', 'd2', '1'],
        ['2', 'd3', '2'],
        ['3', 'd1', '3'],
      ]);
    });
  });

  test('keep ranks that are counted from 0, or have gaps, in the list and in the file of its chart', async () => {
    const file = { name: 'gaps.csv', content: 'query_id,doc_id,rank\nq1,d1,7\nq1,d3,0\nq1,d2,4\n' };
    await opened([judged, file], async ({ page }) => {
      await page.getByRole('button', { name: 'topic q1: show its ranking' }).click();
      await page.getByRole('region', { name: 'The ranked list' }).waitFor();
      const rows = await tableRows(page, 'The ranked list');
      expect(rows.slice(1).map((row) => [row[0], row[1], row[5]])).toEqual([
        ['1', 'd3', '0'],
        ['2', 'd2', '4'],
        ['3', 'd1', '7'],
      ]);
      const figure = page.locator('figure').first();
      await figure.scrollIntoViewIfNeeded();
      const csv = await downloaded(page, () => figure.getByRole('button', { name: /^CSV/ }).click());
      const lines = csv.text.trimEnd().split(/\r?\n/);
      expect(lines[0]).toBe('rank,document,stated rank,grade,contribution,value so far');
      expect(lines[3]).toMatch(/^3,d1,7,1,/);
    });
  });

  test('with a score that rises as they do are refused, and leaving the scores out is a way out', async () => {
    const rising = {
      name: 'rising.csv',
      content: 'query_id,doc_id,rank,score\nq1,d2,1,0.5\nq1,d3,2,0.7\nq1,d1,3,0.9\nq2,d1,1,1\n',
    };
    const said = evalOf([judged, rising]).stderr;
    const refusal = /rank and score disagree in 1 of 2 topics; .* leave the scores out of the file.*$/m.exec(said)?.[0];
    expect(refusal).toBeDefined();
    await opened([judged, rising], async ({ page }) => {
      await page.getByText('rank and score disagree in 1 of 2 topics').first().waitFor();
      const without = rising.content.replace(/,[^,]*$/gm, '');
      await openFiles(page);
      await page.getByRole('button', { name: 'Remove rising.csv' }).click();
      await dropFiles(page, [{ name: 'rising.csv', content: without }]);
      await expect.poll(async () => (await tableRows(page, 'Scores'))[1]?.[1]).toBe(ndcg.toFixed(4));
      expect(await page.getByText('rank and score disagree').count()).toBe(0);
    });
  });
});

test('a run without a judged topic is refused in the words of the command line', async () => {
  const files = [judged, rankings[0], { name: 'other.run', content: 't7 Q0 d1 1 2.5 x\n' }];
  const { status, stderr } = evalOf(files);
  const sentence =
    'other.run: answers none of the 2 judged topics of judged.qrels: its first topic is t7, the first judged one is q1; both must name topics in the same way';
  expect([status, stderr.replaceAll(`${folder}/`, '')]).toEqual([2, `gradus: ${sentence}\n`]);
  await opened(files, async (app) => {
    await expect.poll(() => complaintOf(app)).toBe(`${sentence.replace('; both', '. Both')}.`);
    // without it the other is scored
    await openFiles(app.page);
    await app.page.getByRole('button', { name: 'Remove other.run' }).click();
    await expect.poll(async () => (await tableRows(app.page, 'Scores'))[1]?.[1]).toBe(ndcg.toFixed(4));
  });
});
