import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseLetor } from '../../src/formats/letor/reader.js';
import { modelToJson } from '../../src/ltr/models/json.js';
import { loadLearner } from '../../src/ltr/registry.js';
import { trainRanker } from '../../src/ltr/train.js';
import { parseMeasure } from '../../src/measures/parse.js';
import { axeViolations, downloaded, dropFiles, openView, startApp, tableRows } from '../helpers/browser.js';
import { letorText } from '../helpers/feature-data.js';
import { repository, runGradus } from '../helpers/run-gradus.js';

let server: Awaited<ReturnType<typeof startApp>>;

beforeAll(async () => {
  server = await startApp();
}, 60_000);

afterAll(async () => {
  await server.stop();
});

const example = (name: string) => ({ name, content: readFileSync(`${repository}/examples/data/${name}`) });
const runs = ['example.qrels', 'bm25.run', 'neural.run', 'hybrid.run'];
const paths = runs.map((name) => `${repository}/examples/data/${name}`);

describe('measures and rules', () => {
  test('one picture has all tools, and the order of systems follows what is changed', async () => {
    const { page, close, complaints } = await server.open({ fragment: '#/rules?along=ties&system=1' });
    await dropFiles(page, runs.map(example));
    await page.getByRole('heading', { name: /^One ranking, \w+ values of nDCG@10$/, level: 1 }).waitFor();
    const tools = page.locator('figure', { hasText: 'What each tool reports of bm25' }).locator('svg');
    await expect.poll(() => tools.textContent()).toContain('scikit-learn (ndcg_score)');
    // values as the command line has them
    const { stdout } = runGradus(['explain', paths[0], paths[1], '--as', 'trec_eval,sklearn', '-m', 'nDCG@10', '--json']);
    for (const { fromValue, toValue } of JSON.parse(stdout).explanations) {
      expect(await tools.textContent()).toContain(fromValue.toFixed(4));
      expect(await tools.textContent()).toContain(toValue.toFixed(4));
    }
    await page.locator('.orders figure').scrollIntoViewIfNeeded();
    const orders = page.locator('.orders figure svg');
    await expect.poll(() => orders.textContent()).toContain('of equal scores');
    await page.getByRole('button', { name: 'Pool depth' }).click();
    await expect.poll(() => orders.textContent()).toContain('pool of depth 1');
    expect(new URL(page.url()).hash).toContain('along=pool');
    expect(await axeViolations(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  }, 60_000);

  test('power is what gradus meta says, and informativeness follows', async () => {
    const { page, close } = await server.open({ fragment: '#/rules' });
    await dropFiles(page, runs.map(example));
    await page.getByRole('button', { name: 'Compute power' }).click();
    await page.getByRole('region', { name: 'Pairs told apart' }).waitFor();
    const shown = Object.fromEntries(
      (await tableRows(page, 'Pairs told apart')).slice(1).map(([measure, pairs]) => [measure, Number(pairs)]),
    );
    const { stdout } = runGradus(['meta', 'power', ...paths, '-m', 'nDCG@10 AP RR P@10 R@100', '--json']);
    const told = JSON.parse(stdout).measures.map(({ measure, significant }: { measure: string; significant: number }) => [
      measure,
      significant,
    ]);
    expect(shown).toEqual(Object.fromEntries(told));
    // how much was judged is no quality of a system
    expect(Object.keys(shown)).not.toContain('Judged@10');
    await page.getByRole('button', { name: 'Compute informativeness' }).click();
    const card = page.getByRole('region', { name: 'Informativeness of measures' });
    await card.getByText('Root mean square error').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await openView(page, 'Leaderboard');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await close();
  }, 60_000);
});

test('Stop ends power and informativeness, and both can be asked for again', async () => {
  const { page, close } = await server.open({ fragment: '#/rules?measures=AP+nDCG@10+RR+P@10+Bpref+Rprec+RBP+ERR@20' });
  // enough pairs to be stopped among them
  const systems = Array.from({ length: 24 }, (_, s) => `s${s}`);
  const topics = Array.from({ length: 60 }, (_, t) => t);
  const run = (s: number): string =>
    topics.map((t) => Array.from({ length: 30 }, (_, d) => `${t} Q0 d${(d * 7 + s * t) % 40} 1 ${30 - d} s${s}\n`).join('')).join('');
  await dropFiles(page, [
    {
      name: 'q',
      content: topics.map((t) => Array.from({ length: 12 }, (_, d) => `${t} 0 d${(d * 3 + t) % 40} ${d % 2}\n`).join('')).join(''),
    },
    ...systems.map((name, s) => ({ name, content: run(s) })),
  ]);
  for (const [what, region] of [
    ['Compute power', 'Power of measures'],
    ['Compute informativeness', 'Informativeness of measures'],
  ]) {
    const card = page.getByRole('region', { name: region });
    await page.getByRole('button', { name: what }).click();
    await card.getByRole('button', { name: 'Stop' }).click();
    await card.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: what }).isEnabled()).toBe(true);
    expect(await card.getByRole('table').count()).toBe(0);
  }
  await close();
}, 60_000);

test('weights are moved, the measure follows, and the fused run is that of the command line', async () => {
  const { page, close, complaints } = await server.open({ fragment: '#/fuse?weights=0.3,0.7,0' });
  await dropFiles(page, runs.map(example));
  const fused = (): Promise<string | null> => page.getByRole('row', { name: /^fused/ }).textContent();
  await expect.poll(fused).toMatch(/fused\s*0\.\d{4}/);
  const before = await fused();
  const run = await downloaded(page, () => page.getByRole('button', { name: 'Download the fused run' }).click());
  const { stdout } = runGradus(['fuse', paths[1], paths[2], '--method', 'wsum', '--norm', 'min-max', '--weights', '0.3,0.7']);
  expect(run.text).toBe(stdout);
  await page.getByRole('slider', { name: /^hybrid/ }).focus();
  await page.keyboard.press('End');
  await expect.poll(fused).not.toBe(before);
  expect(new URL(page.url()).hash).toContain('weights=0.3,0.7,1');
  expect(await axeViolations(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await close();
}, 60_000);

describe('training', () => {
  const sets = { 'train.txt': letorText(1, 40), 'vali.txt': letorText(2, 15), 'test.txt': letorText(3, 15) };
  const files = Object.entries(sets).map(([name, content]) => ({ name, content }));

  test('a LETOR file becomes a model with the same trees as one trained in Node', async () => {
    const { page, close, complaints } = await server.open({ fragment: '#/train?options=trees=12,leaves=5' });
    await dropFiles(page, files);
    await page.getByRole('button', { name: 'Train', exact: true }).click();
    await page.getByRole('heading', { name: /LambdaMART is .* linear regression/, level: 1 }).waitFor();
    expect(await page.getByRole('region', { name: 'Learning curve' }).locator('polyline').count()).toBe(3);
    expect(await page.getByRole('region', { name: 'What the model relies on' }).getByRole('listitem').count()).toBeGreaterThan(0);
    await page
      .getByRole('region', { name: 'Change per test query' })
      .getByText(/better/)
      .waitFor();
    expect(await axeViolations(page)).toEqual([]);
    const saved = JSON.parse((await downloaded(page, () => page.getByRole('button', { name: 'Save the model' }).click())).text);
    const here = await trainRanker({
      learner: await loadLearner('lambdamart'),
      train: parseLetor(sets['train.txt']).matrix,
      validation: parseLetor(sets['vali.txt']).matrix,
      objective: parseMeasure('nDCG@10'),
      options: { trees: 12, leaves: 5 },
    });
    expect(saved.scorer).toEqual(JSON.parse(modelToJson(here)).scorer);
    expect(complaints).toEqual([]);
    await close();
  }, 60_000);

  test('Stop keeps the best model so far', async () => {
    const { page, close } = await server.open({ fragment: '#/train?options=trees=100000,patience=100000' });
    await dropFiles(page, files);
    await page.getByRole('button', { name: 'Train', exact: true }).click();
    await page.getByText(/^iteration \d{2,} of 100000/).waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText(/^Stopped after \d+ iterations/).waitFor();
    expect(await page.getByRole('button', { name: 'Save the model' }).count()).toBe(1);
    await close();
  }, 60_000);

  test('one file is divided, and a bad measure is said in a sentence', async () => {
    const { page, close } = await server.open({ fragment: '#/train?learner=linear-regression&measure=nDGC' });
    await dropFiles(page, [{ name: 'all.txt', content: letorText(5, 40) }]);
    await page.getByText('three fifths of all.txt').waitFor();
    await page.getByRole('button', { name: 'Train', exact: true }).click();
    await expect.poll(() => page.getByRole('alert').textContent()).toContain('nDGC');
    await close();
  }, 60_000);
});

test('runs and judgements that share no document are refused instead of scored as zeros', async () => {
  const { page, close } = await server.open();
  await dropFiles(page, [
    { name: 'q', content: 'q1 0 doc-1 1\n' },
    { name: 'r', content: 'q1 Q0 1 1 1 x\n' },
  ]);
  await expect.poll(() => page.getByRole('alert').textContent()).toContain('none of its documents is judged');
  expect(await page.getByRole('region', { name: 'Scores' }).count()).toBe(0);
  // with another run that belongs to them it is a note
  await dropFiles(page, [{ name: 's', content: 'q1 Q0 doc-1 1 1 y\n' }]);
  await expect.poll(async () => (await tableRows(page, 'Scores')).slice(1).map(([system]) => system)).toEqual(['x', 'y']);
  expect(await page.locator('main').textContent()).toContain('r: none of its documents is judged');
  await close();
}, 60_000);

test('what cannot be read at all is not offered to be read in part', async () => {
  const { page, close } = await server.open();
  await dropFiles(page, [
    { name: 'paper.pdf', content: '%PDF-1.7\n1 0 obj\n' },
    { name: 'noise.bin', content: Uint8Array.from({ length: 3000 }, (_, i) => (i * 7919) % 251) },
    { name: 'odd.run', content: '1 Q0 a 1 1 t\n1 Q0 b\n' },
  ]);
  await page.getByText('is a PDF').waitFor();
  await page.getByRole('button', { name: 'Skip 1 bad line' }).waitFor();
  expect(await page.getByRole('button', { name: /^Skip/ }).count()).toBe(1);
  await close();
}, 60_000);

test('a table of many columns takes the room of a wide window, and no more than a narrow one has', async () => {
  const measures = 'nDCG@10 AP RR P@5 P@10 P@20 R@10 R@100 R@1000 Bpref Rprec ERR@20 nDCG nDCG@5 nDCG@20 RBP Judged@10 Judged@20';
  const { page, close } = await server.open({
    viewport: { width: 2560, height: 900 },
    fragment: `#/leaderboard?show=table&measures=${encodeURIComponent(measures)}`,
  });
  await dropFiles(page, runs.map(example));
  const table = page.getByRole('region', { name: 'Scores' });
  await table.waitFor();
  const hidden = (): Promise<number> => table.evaluate((element) => element.scrollWidth - element.clientWidth);
  expect(await hidden()).toBe(0);
  await page.setViewportSize({ width: 700, height: 900 });
  expect(await hidden()).toBeGreaterThan(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  await close();
}, 60_000);
