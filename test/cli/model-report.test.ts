import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.js';
import { CapturedContext } from '../helpers/captured-context.js';
import { letorText } from '../helpers/feature-data.js';

const folder = mkdtempSync(join(tmpdir(), 'gradus-model-report-'));
const at = (name: string): string => join(folder, name);
const read = (name: string): string => readFileSync(at(name), 'utf8');

async function gradus(...argv: string[]) {
  const context = new CapturedContext();
  const status = await main(argv, context);
  return { status, out: context.stdout.text, err: context.stderr.text };
}

beforeAll(async () => {
  writeFileSync(at('train.txt'), letorText(1, 30));
  writeFileSync(at('test.txt'), letorText(2, 12, { prefix: 't' }));
  const usual = ['--train', at('train.txt'), '--threads', '1', '--quiet'];
  await gradus(
    'train',
    'lambdamart',
    ...usual,
    '--trees',
    '10',
    '--leaves',
    '4',
    '--min-docs',
    '3',
    '--history',
    at('h.csv'),
    '--model',
    at('trees.json'),
  );
  await gradus('train', 'ranknet', ...usual, '--epochs', '2', '--model', at('net.json'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('gradus model report', () => {
  test('is a page with pictures of all that there is to say, the same for the same files', async () => {
    expect(await gradus('model', 'report', at('trees.json'), at('test.txt'), '-o', at('a.html'))).toMatchObject({ status: 0, err: '' });
    await gradus('model', 'report', at('trees.json'), at('test.txt'), '-o', at('b.html'));
    const page = read('a.html');
    expect(read('b.html')).toBe(page);
    for (const heading of ['Model', 'What features are worth', 'How scores follow features', 'Training', 'An example', 'Provenance'])
      expect(page).toContain(`<h2>${heading}</h2>`);
    const figures = [...page.matchAll(/<figure id="chart-([a-z]+)/g)].map(([, kind]) => kind);
    expect(new Set(figures)).toEqual(new Set(['importance', 'dependence', 'training', 'example']));
  });

  test('as a long table it has what the pictures show: losses that lie in their intervals', async () => {
    const { out } = await gradus('model', 'report', at('trees.json'), at('test.txt'), '-f', 'csv', '--quiet');
    const rows = out.split('\n').map((line) => line.split(','));
    const losses = rows.filter(([what]) => what.startsWith('What nDCG@10 loses'));
    expect(losses.length).toBeGreaterThan(3);
    const { features } = JSON.parse((await gradus('model', 'importance', at('trees.json'), '--data', at('test.txt'), '--json')).out) as {
      features: { id: number; loss: number; interval: { low: number; high: number } }[];
    };
    for (const { id, loss, interval } of features.filter((feature) => feature.loss !== 0)) {
      const own = losses.filter(([, name]) => name === `feature ${id}`).map((row) => Number(row.at(-1)));
      expect(own).toEqual([loss, interval.low, interval.high]);
      expect(interval.low).toBeLessThanOrEqual(loss);
      expect(interval.high).toBeGreaterThanOrEqual(loss);
    }
  });

  test('without data it says what the model says', async () => {
    const { status, out } = await gradus('model', 'report', at('trees.json'));
    expect(status).toBe(0);
    expect(out).toContain('needs data: gradus model report MODEL DATA');
    await gradus('model', 'report', at('trees.json'), '-o', at('own.md'));
    expect(readdirSync(at('own-charts')).sort()).toEqual(['importance.svg', 'training-1.svg']);
  });

  test('of a net, with a query that was asked for', async () => {
    const { status, out } = await gradus('model', 'report', at('net.json'), at('test.txt'), '--query', 't3', '--top', '1', '-m', 'AP');
    expect(status).toBe(0);
    expect(out).toMatch(/^Query t3$/m);
    expect(out).toContain('sampled Shapley values (estimates)');
  });

  test.each([
    [['trees.json', '--query', '3'], '--query needs DATA'],
    [['trees.json', 'test.txt', '--query', 'none'], 'the data has no query none'],
    [['trees.json', 'test.txt', '-m', 'AP', '-m', 'RR'], 'expected one measure, found 2'],
    [['trees.json', 'test.txt', '-f', 'pdf'], 'a PDF needs a file to go to'],
    [['test.txt'], 'test.txt'],
  ])('refuses %j', async (words, message) => {
    const { status, err } = await gradus('model', 'report', ...words.map((word) => (/\.(json|txt)$/.test(word) ? at(word) : word)));
    expect(status).toBe(2);
    expect(err).toContain(message);
  });
});
