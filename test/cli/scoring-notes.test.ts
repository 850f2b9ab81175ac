import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.js';
import { CapturedContext } from '../helpers/captured-context.js';

let folder: string;
const at = (name: string): string => join(folder, name);

// forty documents of one score have far more orders than can be looked at, and infAP has no closed form
const docs = Array.from({ length: 40 }, (_, i) => `d${i}`);
const topics = ['1', '2', '3'];
const few = ['1', '2', '3', '4'];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gradus-notes-'));
  writeFileSync(at('qrels'), topics.map((topic) => docs.map((doc, i) => `${topic} 0 ${doc} ${i % 3 === 0 ? 1 : 0}\n`).join('')).join(''));
  for (const name of ['one', 'two']) {
    const line = (topic: string, doc: string): string => `${topic} Q0 ${doc} 1 ${doc === (name === 'one' ? 'd0' : 'd1') ? 2 : 1} ${name}\n`;
    writeFileSync(at(name), topics.map((topic) => docs.map((doc) => line(topic, doc)).join('')).join(''));
  }
  const lists = (queries: readonly string[]): string =>
    queries.map((query) => docs.map((_, i) => `${i % 3 === 0 ? 1 : 0} qid:${query} 1:${i === 0 ? 1 : 0}\n`).join('')).join('');
  writeFileSync(at('lists'), lists(topics));
  writeFileSync(at('others'), lists(['4', '5', '6']));
  writeFileSync(at('four'), lists(few));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function gradus(argv: string[]): Promise<{ out: string; err: string; status: number }> {
  const context = new CapturedContext();
  const status = await main(argv, context);
  return { out: context.stdout.text, err: context.stderr.text, status };
}

describe('the note on the sampling error of means over orders', () => {
  const measure = "infAP(ties='expected')";
  const files = (): string[] => [at('qrels'), at('one'), at('two')];
  test.each([
    ['eval', () => ['eval', ...files(), '-m', measure]],
    ['compare', () => ['compare', ...files(), '-m', measure]],
    ['gate', () => ['gate', ...files(), '-m', measure]],
    ['report', () => ['report', ...files(), '-m', measure, '-f', 'json']],
    ['meta power', () => ['meta', 'power', ...files(), '-m', measure, '-B', '20']],
    ['meta stability', () => ['meta', 'stability', ...files(), '-m', measure, '-B', '20']],
    ['fuse --tune', () => ['fuse', at('one'), at('two'), '--method', 'wsum', '--folds', '2', '--qrels', at('qrels'), '--tune', measure]],
    ['train', () => ['train', 'coordinate-ascent', '--train', at('lists'), '--objective', 'AP', '-m', measure, '--model', at('model')]],
    ['train --json', () => ['train', 'listnet', '--train', at('lists'), '-m', measure, '--model', at('model'), '--json']],
    [
      'train --validate',
      () => ['train', 'listnet', '--train', at('four'), '--validate', at('lists'), '-m', measure, '--model', at('model')],
    ],
    [
      'cv',
      () => [
        'cv',
        'coordinate-ascent',
        '--train',
        at('lists'),
        '--train',
        at('others'),
        '--folds',
        '2',
        '--objective',
        'AP',
        '-m',
        measure,
      ],
    ],
  ])('gradus %s prints it', async (_, argv) => {
    const { out, err } = await gradus(argv());
    expect(out + err).toContain(`from 2000 random orders on 3 (seed 1, standard error up to`);
  });
});

describe('gradus meta under a convention', () => {
  // the first run has ties that are ordered by id in one convention and by place in the file in another
  const collection = (): string[] => {
    const grades = few.flatMap((topic) => ['c', 'a', 'd', 'b', 'e', 'f'].map((doc, i) => `${topic} 0 ${doc} ${i < 3 ? 1 : 0}\n`));
    writeFileSync(at('few-qrels'), grades.join(''));
    writeFileSync(
      at('tied'),
      few.flatMap((topic) => ['c', 'a', 'd', 'b', 'e', 'f'].map((doc) => `${topic} Q0 ${doc} 1 5 tied\n`)).join(''),
    );
    return ['meta', 'informativeness', at('few-qrels'), at('tied'), '-m', 'AP', '--min-per-grade', '1', '--json', '--quiet'];
  };
  const value = (out: string): number => JSON.parse(out).perList[0].value;

  test('informativeness goes by its order of equal scores', async () => {
    const argv = collection();
    // by id from the highest down f e d c b a: 1/3, 2/4 and 3/6; as in the file c a d are first
    expect(value((await gradus(argv)).out)).toBeCloseTo((1 / 3 + 2 / 4 + 3 / 6) / 3, 12);
    expect(value((await gradus([...argv, '--convention', 'ranx'])).out)).toBe(1);
  });

  test('informativeness refuses a convention without one order', async () => {
    const { err, status } = await gradus([...collection().map((word) => (word === 'AP' ? 'nDCG' : word)), '--convention', 'sklearn']);
    expect(status).toBe(2);
    expect(err).toContain('sklearn takes the mean over all orders of equal scores, and a ranking is inferred from one order');
  });

  test('informativeness refuses a measure with an order of its own', async () => {
    const argv = collection().map((word) => (word === 'AP' ? 'RR@3' : word));
    const { err, status } = await gradus([...argv, '--convention', 'ir_measures']);
    expect(status).toBe(2);
    expect(err).toContain('has rules of its own about scores or judgements');
  });

  test('stability goes by its rules', async () => {
    collection();
    writeFileSync(
      at('plain'),
      few.flatMap((topic) => ['a', 'b', 'c', 'd', 'e', 'f'].map((doc, i) => `${topic} Q0 ${doc} 1 ${9 - i} plain\n`)).join(''),
    );
    const argv = ['meta', 'stability', at('few-qrels'), at('tied'), at('plain'), '-m', 'AP', '--pool', '6', '--json', '--quiet'];
    const valueBefore = async (convention: string): Promise<number> =>
      JSON.parse((await gradus([...argv, '--convention', convention])).out).leftOut[0].before;
    expect(await valueBefore('gradus')).toBeCloseTo((1 / 3 + 2 / 4 + 3 / 6) / 3, 12);
    expect(await valueBefore('ranx')).toBe(1);
  });
});
