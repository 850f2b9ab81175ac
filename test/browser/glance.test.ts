import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeViolations, dropFiles, type OpenApp, openView, startApp } from '../helpers/browser.js';
import { repository, runGradus } from '../helpers/run-gradus.js';

let server: Awaited<ReturnType<typeof startApp>>;
let app: OpenApp;

const names = ['example.qrels', 'bm25.run', 'neural.run', 'hybrid.run'];
const paths = names.map((name) => `examples/data/${name}`);
const example = (name: string): { name: string; content: string } => ({
  name,
  content: readFileSync(`${repository}examples/data/${name}`, 'utf8'),
});

beforeAll(async () => {
  server = await startApp();
  app = await server.open({ fragment: '', permissions: ['clipboard-read', 'clipboard-write'] });
  await dropFiles(app.page, names.map(example));
  await app.page.getByText('Checking unjudged').waitFor({ state: 'detached' });
  await app.page.locator('#finding').waitFor();
}, 60_000);

afterAll(async () => {
  expect(app.complaints).toEqual([]);
  await server.stop();
});

const finding = (): Promise<string> => app.page.getByRole('heading', { level: 1 }).innerText();

describe('the verdict', () => {
  test('comes first, with the numbers of gradus compare', async () => {
    expect(await finding()).toMatch(/^hybrid is better than /);
    const { measures } = JSON.parse(runGradus(['compare', ...paths, '-m', 'nDCG@10', '--json']).stdout);
    const pairs: { system: string; against: string; wins: number; ties: number; losses: number; difference: number }[] = measures[0].pairs;
    const text = await app.page.getByRole('table').first().innerText();
    for (const { system, against, wins, ties, losses } of pairs.filter((pair) => [pair.system, pair.against].includes('hybrid'))) {
      const won = system === 'hybrid' ? `${wins} · ${ties} · ${losses}` : `${losses} · ${ties} · ${wins}`;
      expect(text).toContain(won);
      expect(text).toContain(system === 'hybrid' ? against : system);
    }
  });

  test('tells what to know before relying on it: warnings, and checks that were passed', async () => {
    const caveats = await app.page.getByRole('complementary', { name: 'Before you rely on this' }).innerText();
    expect(caveats).toContain('12 topics find');
    expect(caveats).toContain('We compared all 3 pairs of 3 systems');
  });

  test('is copied as text and as a picture with one press', async () => {
    await app.page.keyboard.press('c');
    await app.page.getByText('Copied.').waitFor();
    await expect
      .poll(() => app.page.evaluate(() => navigator.clipboard.readText().catch(String)))
      .toMatch(/^hybrid is better[\s\S]*We compared/);
    await app.page.getByRole('button', { name: 'Copy as picture' }).click();
    const copiedWidth = (): Promise<number> =>
      app.page.evaluate(async () => {
        const [item] = await navigator.clipboard.read();
        if (!item.types.includes('image/png')) return 0;
        return (await createImageBitmap(await item.getType('image/png'))).width;
      });
    // 1200 px wide, at double size
    await expect.poll(copiedWidth).toBe(2400);
  });
});

describe('the leaderboard', () => {
  test('has the means and intervals of gradus compare in words, best first', async () => {
    await openView(app.page, 'Leaderboard');
    await app.page.getByRole('row', { name: /hybrid/ }).waitFor();
    const { measures } = JSON.parse(runGradus(['compare', ...paths, '-m', 'nDCG@10', '--json']).stdout);
    const systems: { system: string; mean: number; interval: { low: number; high: number } }[] = measures[0].systems;
    const rows = await app.page.locator('tbody tr').allInnerTexts();
    expect(rows.map((row) => /[a-z]\w+/.exec(row)?.[0])).toEqual(['hybrid', 'neural', 'bm25']);
    for (const [i, name] of ['hybrid', 'neural', 'bm25'].entries()) {
      const { mean, interval } = systems.find(({ system }) => system === name) ?? systems[0];
      expect(rows[i]).toContain(`${mean.toFixed(4)}, 95% interval ${interval.low.toFixed(4)} to ${interval.high.toFixed(4)}`);
    }
  });

  test('is searched, sorted, pinned and hidden, and the address keeps it', async () => {
    await openView(app.page, 'Leaderboard');
    await app.page.keyboard.press('/');
    await app.page.keyboard.type('neu');
    await expect.poll(() => app.page.locator('tbody tr').count()).toBe(1);
    await app.page.getByLabel('Search systems').fill('');
    await app.page.getByLabel('Sort').selectOption('name');
    await expect.poll(() => app.page.locator('tbody tr').first().innerText()).toContain('bm25');
    await app.page.getByRole('button', { name: 'Hide neural' }).click();
    await app.page.getByText('1 hidden; tests and corrections still count them').waitFor();
    const { hash } = new URL(app.page.url());
    expect(hash).toBe('#/leaderboard?sort=name&hide=2');
    const other = await server.open({ fragment: hash });
    await dropFiles(other.page, names.map(example));
    await expect.poll(() => other.page.locator('tbody tr').count()).toBe(2);
    await other.close();
    await app.page.getByRole('button', { name: 'Show all' }).click();
    await app.page.getByLabel('Sort').selectOption('mean');
  });

  test('shows 500 systems: an overview of all, and a part that can be read', async () => {
    const other = await server.open({ fragment: '#/leaderboard?measures=RR' });
    const run = (i: number): { name: string; content: string } => ({
      name: `s${i}`,
      content: Array.from({ length: 12 }, (_, t) => `q${t} Q0 d 1 ${(i * 7 + t * 3) % 5} s${i}\nq${t} Q0 e${i} 2 2.5 s${i}\n`).join(''),
    });
    await dropFiles(other.page, [
      { name: 'q', content: Array.from({ length: 12 }, (_, t) => `q${t} 0 d 1\n`).join('') },
      ...Array.from({ length: 500 }, (_, i) => run(i)),
    ]);
    await other.page.getByText('Rows 1–26 of 500').waitFor({ timeout: 40_000 });
    await other.page.getByRole('button', { name: 'Next' }).click();
    await other.page.getByText('Rows 27–52 of 500').waitFor();
    await other.close();
  }, 60_000);
});

describe('two systems', () => {
  test('topic by topic: who is better where, and what p would be without the best topics', async () => {
    await openView(app.page, 'Topics');
    await app.page.getByText('What if they were left out?').waitFor();
    const { measures } = JSON.parse(runGradus(['compare', ...paths, '-m', 'nDCG@10', '--json']).stdout);
    const pair = measures[0].pairs.find(({ system, against }: Record<string, string>) => system === 'hybrid' && against === 'neural');
    await app.page.getByText(`hybrid better on ${pair.wins}`).waitFor();
    const picture = await app.page.getByRole('img', { name: /^p without/ }).getAttribute('aria-label');
    // with all topics it is the p-value of the pair, not corrected
    expect(picture).toContain(`0: p ${pair.pValue < 0.0001 ? '< 0.0001' : `= ${pair.pValue.toFixed(pair.pValue < 0.001 ? 4 : 3)}`}`);
  });

  test('on one topic: a press opens both rankings, N the next one, Back the one before', async () => {
    await openView(app.page, 'Topics');
    await app.page
      .getByRole('button', { name: /^Diff →/ })
      .first()
      .click();
    const topic = (): Promise<string> => app.page.locator('.eye').innerText();
    await expect.poll(topic).toMatch(/· largest gain of hybrid$/);
    const first = await topic();
    const id = /Topic (\S+)/.exec(first)?.[1] ?? '';
    const { runs } = JSON.parse(runGradus(['eval', ...paths, '-q', '-m', 'nDCG@10', '--json']).stdout);
    const value = (r: number): string =>
      runs[r].perTopic.find(({ topic: own }: { topic: string }) => own === id).scores['nDCG@10'].toFixed(3);
    await app.page.locator('.value.a', { hasText: value(2) }).waitFor();
    await app.page.locator('.value.b', { hasText: value(1) }).waitFor();
    // what the first ten add makes the value
    const adds = await app.page.locator('table.a tbody tr:not(.rule) .adds').allInnerTexts();
    const sum = adds.reduce((total, text) => total + Number(text.trim() || 0), 0);
    expect(Math.abs(sum - Number(value(2)))).toBeLessThan(0.006);
    await app.page.keyboard.press('n');
    await expect.poll(topic).toMatch(/second largest gain/);
    expect(new URL(app.page.url()).hash).toMatch(/^#\/diff\?a=3&b=2&topic=2$/);
    await app.page.goBack();
    await expect.poll(topic).toBe(first);
  });
});

test.each(['light', 'dark'] as const)(
  'axe finds nothing wrong with these views in %s colours',
  async (colorScheme) => {
    const { page, close } = await server.open({ fragment: '', colorScheme, reducedMotion: 'reduce' });
    await dropFiles(page, names.map(example));
    await page.getByText('Checking unjudged').waitFor({ state: 'detached' });
    for (const view of ['Verdict', 'Leaderboard', 'Topics', 'Ranking diff']) {
      await openView(page, view);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('.work').waitFor({ state: 'detached' });
      expect([view, await axeViolations(page)]).toEqual([view, []]);
    }
    await close();
  },
  60_000,
);

test('on a phone none of them is wider than the page', async () => {
  const { page, close } = await server.open({ fragment: '', viewport: { width: 375, height: 740 }, isMobile: true, hasTouch: true });
  await dropFiles(page, names.map(example));
  for (const view of ['Verdict', 'Leaderboard', 'Topics', 'Ranking diff']) {
    await openView(page, view);
    await page.locator('.work').waitFor({ state: 'detached' });
    expect([view, await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)]).toEqual([view, 0]);
  }
  await close();
}, 60_000);
