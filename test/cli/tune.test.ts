import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.js';
import { modelFromJson } from '../../src/ltr/models/json.js';
import { CapturedContext } from '../helpers/captured-context.js';
import { letorText } from '../helpers/feature-data.js';
import { launcher, runGradus } from '../helpers/run-gradus.js';

const folder = mkdtempSync(join(tmpdir(), 'gradus-tune-'));
const at = (name: string): string => join(folder, name);
beforeAll(() => writeFileSync(at('all.txt'), letorText(5, 30)));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function gradus(...argv: string[]) {
  const context = new CapturedContext();
  const status = await main(argv, context);
  return { status, out: context.stdout.text, err: context.stderr.text };
}

/** A search of a second. */
const search = [
  ...[
    'tune',
    '--train',
    at('all.txt'),
    '--learners',
    'linear-regression,ranksvm,lambdamart',
    '--budget',
    '6',
    '--folds',
    '3',
    '--inner',
    '2',
  ],
  ...[
    '--grid',
    'lambdamart:trees=3,10',
    '--grid',
    'lambdamart:min-docs=5',
    '--grid',
    'ranksvm:c=0.01;1',
    '--grid',
    'linear-regression:l2=10',
  ],
];

/** The answer without the times that it tells. */
const untimed = (json: string): unknown => JSON.parse(json, (key, value) => (key === 'seconds' ? 0 : value));

describe('gradus tune', () => {
  test('ends in a statement, and its next command trains the ranker that is ahead', async () => {
    const { status, out } = await gradus(...search, '--threads', '1');
    expect(status).toBe(0);
    const rows = /^(\S.*\n)+/.exec(out)?.[0].trim().split('\n') ?? [];
    expect(
      rows
        .slice(1)
        .map((row) => row.split(/\s{2,}/)[0])
        .sort(),
    ).toEqual(expect.arrayContaining(['lambdamart', 'linear-regression', 'ranksvm']));
    const [, ahead] = /^(\S+)(?: \(defaults\))? is ahead: nDCG@10 0\.\d{4}, 95% interval \[/m.exec(out) ?? [];
    expect(rows[1].startsWith(ahead)).toBe(true);
    expect(out).toContain('6 candidates were tried in each of 3 folds, by 2 inner folds.');
    const [, ...words] = (/^Next: (.*)$/m.exec(out)?.[1] ?? '').split(' ');
    const trained = await gradus(...words.map((word) => (word === 'model.json' ? at('next.json') : word)));
    expect([trained.status, modelFromJson(readFileSync(at('next.json'), 'utf8')).learner]).toEqual([0, ahead]);
  });

  test('the next command has what the search had: objective, metric, seed and how the data are read', async () => {
    const words = [
      ...search,
      '--threads',
      '1',
      '--json',
      '--objective',
      'AP',
      '--seed',
      '3',
      '--rel',
      '2',
      '--num-features',
      '6',
      '--lenient',
    ];
    const { out } = await gradus(...words);
    const answer = JSON.parse(out) as { next: string; simplest: string | null };
    for (const command of [answer.next, ...(answer.simplest === null ? [] : [answer.simplest])]) {
      expect(command).toMatch(/--seed 3 --rel 2 --num-features 6 --lenient/);
      expect(command).toMatch(/ranksvm|linear-regression/.test(command) ? /--measure AP/ : /--objective AP/);
      const [, ...more] = command.split(' ');
      expect(await gradus(...more.map((word) => (word === 'model.json' ? at('next.json') : word)))).toMatchObject({ status: 0 });
    }
  });

  test('says the same for any number of threads', () => {
    const [one, three] = ['1', '3'].map((threads) => runGradus([...search, '--threads', threads, '--json']));
    expect([one.status, three.status], three.stderr).toEqual([0, 0]);
    expect(untimed(three.stdout)).toEqual(untimed(one.stdout));
  });

  test('a search that was killed goes on from its state', async () => {
    const state = ['--state', at('state.json'), '--threads', '1', '--json'];
    const child = spawn(process.execPath, [launcher, ...search, ...state], { stdio: 'ignore' });
    const ended = new Promise((resolve) => child.on('exit', resolve));
    while (!existsSync(at('state.json')) && child.exitCode === null) await setTimeout(5);
    child.kill('SIGKILL');
    await ended;
    const known = Object.keys(JSON.parse(readFileSync(at('state.json'), 'utf8')).trials).length;
    expect(known).toBeGreaterThan(0);
    const resumed = runGradus([...search, ...state]);
    expect(untimed(resumed.stdout)).toEqual(untimed(runGradus([...search, '--threads', '1', '--json']).stdout));
  });
});

describe('gradus cv with several rankers', () => {
  const folds = ['--train', at('all.txt'), '--folds', '3', '--shuffle', '--threads', '1', '--json'];

  test('has the values that each has alone, the best first', async () => {
    const { status, out } = await gradus(
      'cv',
      'lambdamart',
      ...folds,
      '--trees',
      '5',
      '--grid',
      'min-docs=5,20',
      '--also',
      'linear-regression',
    );
    expect(status).toBe(0);
    const { verdict } = JSON.parse(out) as { verdict: { rankers: { name: string; mean: number }[] } };
    const alone = async (...words: string[]): Promise<number> =>
      JSON.parse((await gradus('cv', ...words, ...folds)).out).allQueries['nDCG@10'];
    const expected = [
      { name: 'lambdamart trees=5 minDocs=5', mean: await alone('lambdamart', '--trees', '5', '--min-docs', '5') },
      { name: 'lambdamart trees=5 minDocs=20', mean: await alone('lambdamart', '--trees', '5', '--min-docs', '20') },
      { name: 'linear-regression', mean: await alone('linear-regression') },
    ];
    expect(verdict.rankers.map(({ name, mean }) => ({ name, mean }))).toEqual(expected.sort((a, b) => b.mean - a.mean));
  });

  test.each([
    [['--grid', 'nothing=1'], 'there is no option nothing to search over'],
    [['--also', 'mat'], 'there is no learner mat'],
    [['--random', '2'], '--random has nothing to draw from'],
    [['--also', 'mart', '--predictions', 'p.txt'], '--predictions goes with one ranker'],
  ])('%j is refused', async (words, message) => {
    const { status, err, out } = await gradus('cv', 'lambdamart', ...folds, ...words);
    expect([status, err + out]).toEqual([2, expect.stringContaining(message)]);
  });
});
