import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeViolations, downloaded, dropFiles, openView, startApp } from '../helpers/browser.js';
import { repository } from '../helpers/run-gradus.js';

let server: Awaited<ReturnType<typeof startApp>>;

beforeAll(async () => {
  server = await startApp();
}, 60_000);

afterAll(async () => {
  await server.stop();
});

const names = ['example.qrels', 'bm25.run', 'neural.run', 'hybrid.run'];
const files = names.map((name) => ({ name, content: readFileSync(`${repository}examples/data/${name}`, 'utf8') }));

describe('the session', () => {
  test('is there again after a reload, with its names, its order and its view, until it is forgotten', async () => {
    const { page, close, complaints, address } = await server.open({ fragment: '#/leaderboard' });
    await dropFiles(page, files);
    await page.getByRole('button', { name: 'Name bm25' }).click();
    await page.getByLabel('Name', { exact: true }).fill('the baseline');
    await page.getByLabel('Group, such as a team').fill('classic');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('row', { name: /the baseline/ }).waitFor();
    await page.getByLabel('Sort').selectOption('name');
    await page.getByText('Kept in this browser.').waitFor();
    // the address and the name are kept a moment later
    await page.waitForTimeout(1500);
    await page.reload();
    await expect.poll(() => page.locator('tbody tr th').allInnerTexts()).toEqual(['hybrid', 'neural', 'the baseline\nclassic']);
    // another visit is asked
    const other = await page.context().newPage();
    await other.goto(address);
    await other.getByRole('region', { name: 'Your last session' }).waitFor();
    expect(await axeViolations(other)).toEqual([]);
    await other.getByRole('button', { name: 'Go on with it' }).click();
    await other.getByRole('row', { name: /the baseline/ }).waitFor();
    await other.getByRole('button', { name: 'Forget', exact: true }).click();
    await other.getByText('Not kept for the next visit.').waitFor();
    await other.reload();
    await other.getByRole('button', { name: 'Show me an example' }).waitFor();
    await expect.poll(() => other.evaluate(async () => (await indexedDB.databases()).length)).toBeLessThanOrEqual(1);
    expect(await other.getByRole('region', { name: 'Your last session' }).count()).toBe(0);
    expect(complaints).toEqual([]);
    await close();
  }, 60_000);

  test('is one file that opens by itself, and with which the app goes on where it was', async () => {
    const { page, close, address } = await server.open({ fragment: '#/diff?a=3&b=1&topic=2' });
    await dropFiles(page, files);
    await page.locator('.eye').waitFor();
    const topic = await page.locator('.eye').innerText();
    await openView(page, 'Export');
    const { name, text } = await downloaded(page, () => page.getByRole('button', { name: 'Save the session' }).click());
    expect(name).toBe('session.html');
    // by itself: without any server, without a script that its policy does not name
    const alone = await server.browser.newPage();
    const trouble: string[] = [];
    alone.on('console', (message) => message.type() === 'error' && trouble.push(message.text()));
    alone.on('pageerror', (error) => trouble.push(error.message));
    await alone.setContent(text);
    await alone.getByText('This page holds the files that it was made from').waitFor();
    expect(await alone.locator('h1').first().innerText()).toMatch(/^hybrid is better than/);
    expect(trouble).toEqual([]);
    await alone.close();
    // and in the app, in another browser
    const other = await server.open({ fragment: '' });
    await dropFiles(other.page, [{ name, content: text }]);
    await openView(other.page, 'Ranking diff');
    await other.page.locator('.eye').waitFor();
    expect(await other.page.locator('.eye').innerText()).toBe(topic);
    expect(other.complaints).toEqual([]);
    expect(other.page.url().startsWith(address)).toBe(true);
    await other.close();
    await close();
  }, 60_000);
});

describe('a file that somebody sent', () => {
  const session = (data: unknown): { name: string; content: string } => ({
    name: 'sent.html',
    content: `<!doctype html>\n<body><script>window.ran = true</script><script type="application/json" id="gradus-session">${JSON.stringify(data)}</script>`,
  });
  const zipped = (text: string): string => gzipSync(text).toString('base64');

  test('runs nothing, and its words are words', async () => {
    const { page, close, complaints } = await server.open({ fragment: '' });
    const trap = '<img src=x onerror="window.ran = true">';
    await dropFiles(page, [
      session({
        gradus: 'session',
        version: 1,
        state: { address: `#/leaderboard?sort=${trap}&measures=RR&nonsense=1`, baseline: trap, judgements: 99 },
        files: [
          {
            name: `../../${trap}\u202e.qrels`,
            reading: { as: 'judgements', columns: { topic: {} } },
            gzip: zipped('q1 0 d1 1\nq2 0 d1 1\n'),
          },
          { name: 'a', reading: { as: 'run', lenient: 'yes' }, label: { name: trap, group: trap }, gzip: zipped('q1 Q0 d1 1 1 a\n') },
          { name: 'b', reading: { as: '__proto__' }, label: 7, gzip: zipped('q1 Q0 d2 1 1 b\nq2 Q0 d1 1 1 b\n') },
        ],
      }),
    ]);
    await page.getByRole('row', { name: /onerror/ }).waitFor();
    expect(await page.evaluate(() => 'ran' in window)).toBe(false);
    expect(complaints).toEqual([]);
    await close();
  });

  test.each([
    ['a page without a session', { name: 'x.html', content: '<!doctype html><p>hello' }, 'holds no session of Gradus'],
    [
      'damaged JSON',
      { name: 'x.html', content: '<!doctype html><script type="application/json" id="gradus-session">{</script>' },
      'is damaged',
    ],
    ['damaged files', session({ gradus: 'session', version: 1, files: [{ name: 'a', gzip: 'AAAA' }] }), 'is damaged'],
    ['no files', session({ gradus: 'session', version: 1, files: 3 }), 'is damaged'],
    ['a later version', session({ gradus: 'session', version: 2, files: [] }), 'another version'],
    ['too many files', session({ gradus: 'session', version: 1, files: new Array(2001).fill({}) }), 'more than 2000 files'],
  ])('is refused with the reason: %s', async (_, file, words) => {
    const { page, close, complaints } = await server.open({ fragment: '' });
    await dropFiles(page, [file]);
    await page.getByText(words).first().waitFor();
    expect(complaints).toEqual([]);
    await close();
  });
});
