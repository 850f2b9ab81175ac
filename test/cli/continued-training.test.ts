import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.js';
import { modelFromJson } from '../../src/ltr/models/json.js';
import { CapturedContext } from '../helpers/captured-context.js';
import { letorText } from '../helpers/feature-data.js';
import { launcher } from '../helpers/run-gradus.js';

const folder = mkdtempSync(join(tmpdir(), 'gradus-continued-'));
const at = (name: string): string => join(folder, name);
const read = (name: string): string => readFileSync(at(name), 'utf8');
beforeAll(() => {
  writeFileSync(at('train.txt'), letorText(1, 40));
  writeFileSync(at('vali.txt'), letorText(2, 15, { prefix: 'v' }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function gradus(...argv: string[]) {
  const context = new CapturedContext();
  const status = await main(argv, context);
  return { status, out: context.stdout.text, err: context.stderr.text };
}

const usual = [
  'train',
  'lambdamart',
  '--train',
  at('train.txt'),
  '--validate',
  at('vali.txt'),
  '--leaves',
  '5',
  '--min-docs',
  '3',
  '--threads',
  '1',
];
const trees = (name: string): number => {
  const { scorer } = modelFromJson(read(name));
  return scorer.kind === 'trees' ? scorer.treeWeights.length : 0;
};

describe('training that goes on', () => {
  test('after a kill comes to the same bytes', async () => {
    const words = [...usual, '--trees', '600', '--rate', '0.01', '--checkpoint', at('kept.json')];
    const child = spawn(process.execPath, [launcher, ...words, '--model', at('killed.json')], { stdio: 'ignore' });
    const ended = new Promise((resolve) => child.on('exit', resolve));
    while (!existsSync(at('kept.json')) && child.exitCode === null) await setTimeout(2);
    child.kill('SIGKILL');
    await ended;
    expect(existsSync(at('killed.json'))).toBe(false);
    expect(modelFromJson(read('kept.json')).training?.iterations).toBeLessThan(600);
    expect(await gradus(...words, '--model', at('resumed.json'))).toMatchObject({ status: 0 });
    await gradus(...words.slice(0, -2), '--model', at('whole.json'));
    expect(read('resumed.json')).toBe(read('whole.json'));
    const other = await gradus(...words, '--seed', '2', '--model', at('other.json'));
    expect(other).toMatchObject({ status: 2, err: expect.stringContaining('a training with another seed') });
  });

  test('models are saved on the way, and further trees are added to one', async () => {
    const words = [...usual, '--trees', '6', '--snapshot-every', '2', '--model', at('m.json')];
    expect(await gradus(...words)).toMatchObject({ status: 0 });
    expect(readdirSync(folder).filter((name) => name.startsWith('m.snapshot'))).toEqual([2, 4, 6].map((k) => `m.snapshot-${k}.json`));
    expect(trees('m.snapshot-4.json')).toBe(4);
    await gradus('model', 'convert', at('m.snapshot-4.json'), at('lightgbm.txt'), '--to', 'lightgbm');
    const more = usual.filter((word) => word !== '--validate' && word !== at('vali.txt'));
    expect(await gradus(...more, '--trees', '3', '--from', at('lightgbm.txt'), '--model', at('more.json'))).toMatchObject({ status: 0 });
    expect(trees('more.json')).toBe(7);
  });

  test.each([
    [['train', 'ranksvm', '--train', at('train.txt'), '--from', at('m.json')], 'ranksvm has no --from'],
    [[...usual, '--checkpoint', at('c.json'), '--grid', 'trees=2,3'], '--checkpoint goes with one model'],
    [[...usual, '--from', at('m.json'), '--normalise', 'zscore'], 'says itself how features are scaled'],
  ])('%j is refused', async (words, message) => {
    const { status, err } = await gradus(...words, '--model', at('no.json'));
    expect([status, err]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('gradus report --training', () => {
  test('draws a curve for each measure, with the numbers of the model', async () => {
    const words = [...usual, '--trees', '5', '--history', at('h.csv'), '--watch-measures', 'AP', '--model', at('curves.json')];
    expect(await gradus(...words)).toMatchObject({ status: 0 });
    expect(await gradus('report', '--training', at('curves.json'), '-o', at('page.html'))).toMatchObject({ status: 0, err: '' });
    expect(read('page.html')).toMatch(/<svg[\s\S]*nDCG@10 after each iteration[\s\S]*AP after each iteration/);
    const { out } = await gradus('report', '--training', at('curves.json'), '-f', 'csv');
    const [header, ...rows] = read('h.csv').trim().split('\n');
    const column = header.split(',').indexOf('validation:AP');
    const told = out.split('\n').filter((row) => row.startsWith('AP after each iteration,validation,AP,'));
    expect(told.map((row) => row.split(',').at(-1))).toEqual(rows.map((row) => row.split(',')[column]));
  });

  test.each([
    [['--training', at('plain.json')], 'the model does not say how it was learnt'],
    [['--training', at('plain.json'), 'qrels', 'run'], '--training takes the place of judgements'],
  ])('%j is refused', async (words, message) => {
    await gradus(...usual, '--trees', '2', '--model', at('plain.json'));
    const { status, err } = await gradus('report', ...words);
    expect([status, err]).toEqual([2, expect.stringContaining(message)]);
  });
});
