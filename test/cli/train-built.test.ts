import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modelFromJson } from '../../src/ltr/models/json.js';
import type { TreeScorer } from '../../src/ltr/ranker.js';
import { letorText } from '../helpers/feature-data.js';
import { launcher, runGradus } from '../helpers/run-gradus.js';

let folder = '';
const at = (name: string): string => join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gradus-built-'));
  writeFileSync(at('train.txt'), letorText(1, 60));
  writeFileSync(at('vali.txt'), letorText(2, 20));
  writeFileSync(at('test.txt'), letorText(3, 20));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('Ctrl-C', () => {
  it('ends training, saves the best model so far and says so; nothing is half-written', async () => {
    const trees = 1_000_000;
    const child = spawn(
      process.execPath,
      [launcher, 'train', 'lambdamart', '--train', at('train.txt'), '--model', at('stopped.json'), '--trees', String(trees)],
      { cwd: folder },
    );
    let err = '';
    let interrupted = false;
    child.stderr.setEncoding('utf8');
    child.stderr.on('data', (text: string) => {
      err += text;
      // the note about the data comes when it has been read, and training follows
      if (!interrupted && err.includes('feature 4 is the same')) {
        interrupted = true;
        setTimeout(() => child.kill('SIGINT'), 2500);
      }
    });
    const status = await new Promise((resolve) => child.on('exit', resolve));
    expect(err).toContain('interrupted; the best model so far will be saved');
    expect(status).toBe(130);
    const { scorer, training } = modelFromJson(readFileSync(at('stopped.json'), 'utf8'));
    expect(training?.iterations).toBeGreaterThan(0);
    expect(training?.iterations).toBeLessThan(trees);
    expect((scorer as TreeScorer).treeWeights).toHaveLength(training?.iterations ?? 0);
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    expect(
      runGradus(['score', at('stopped.json'), at('test.txt'), '-f', 'letor'])
        .stdout.trim()
        .split('\n'),
    ).toHaveLength(160);
  }, 60_000);
});

it('two threads give the same bytes as one', () => {
  const trained = (threads: string): string => {
    const model = at(`threads-${threads}.json`);
    const { status, stderr } = runGradus([
      ...[
        'train',
        'lambdamart',
        '--train',
        at('train.txt'),
        '--validate',
        at('vali.txt'),
        '--model',
        model,
        '--trees',
        '20',
        '--threads',
        threads,
      ],
    ]);
    expect(status, stderr).toBe(0);
    return readFileSync(model, 'utf8');
  };
  expect(trained('2')).toBe(trained('1'));
}, 60_000);

describe('gradus as ranklib -train', () => {
  const ranklib = (...argv: string[]) => runGradus(['as', 'ranklib', ...argv]);

  it('trains, prints what RankLib prints, saves a model in its format, and -load gives the same value', () => {
    const { status, stdout, stderr } = ranklib(
      ...['-train', at('train.txt'), '-ranker', '6', '-metric2t', 'NDCG@10', '-validate', at('vali.txt'), '-test', at('test.txt')],
      ...['-save', at('lm.txt'), '-tree', '15', '-leaf', '5', '-thread', '1', '-idv', at('idv.txt')],
    );
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(stdout).toMatch(/Ranking method:\tLambdaMART\n/);
    expect(stdout).toMatch(/\n#iter\t\| NDCG@10-T\t\| NDCG@10-V\n/);
    const [, onTest] = /\nNDCG@10 on test data: (0\.\d+)\n/.exec(stdout) ?? [];
    expect(stdout).toMatch(/\nNDCG@10 on training data: 0\.\d+\nNDCG@10 on validation data: 0\.\d+\n/);
    expect(stdout).toContain(`Model saved to: ${at('lm.txt')}\n`);
    expect(readFileSync(at('lm.txt'), 'utf8')).toMatch(/^## LambdaMART\n/);
    expect(readFileSync(at('idv.txt'), 'utf8').trim().split('\n')).toHaveLength(21);
    const loaded = ranklib('-load', at('lm.txt'), '-test', at('test.txt'), '-metric2T', 'NDCG@10');
    expect(loaded.stdout).toContain(`NDCG@10 on test data: ${onTest}\n`);
  });

  it('-kcv cuts in order, prints a summary and saves a model for each fold', () => {
    const { status, stdout } = ranklib(
      ...[
        '-train',
        at('train.txt'),
        '-ranker',
        '3',
        '-metric2t',
        'MAP',
        '-kcv',
        '3',
        '-kcvmd',
        folder,
        '-kcvmn',
        'ada',
        '-silent',
        '-tvs',
        '0.8',
      ],
      ...['-norm', 'zscore', '-round', '5'],
    );
    expect(status).toBe(0);
    expect(stdout).toMatch(/Summary:\nMAP\t\| {3}Train\t\| Test\n-+\nFold 1\t\| {3}0\.\d+\t\| {2}0\.\d+\t\nFold 2/);
    expect(stdout).toMatch(/\nAvg\.\t\| {3}0\.\d+\t\| {2}0\.\d+\t\n-+\nTotal\t/);
    expect(stdout).not.toContain('#iter');
    for (const fold of [1, 2, 3]) expect(readFileSync(at(`f${fold}.ada`), 'utf8')).toMatch(/^## AdaRank/);
  });

  it('-feature leaves features out, and -tts holds queries back for a test', () => {
    writeFileSync(at('features.txt'), '# only these\n2\n3\n');
    const { status, stdout } = ranklib(
      ...[
        '-train',
        at('train.txt'),
        '-ranker',
        '4',
        '-metric2t',
        'P@5',
        '-feature',
        at('features.txt'),
        '-tts',
        '0.7',
        '-save',
        at('ca.txt'),
        '-r',
        '1',
      ],
    );
    expect(status).toBe(0);
    expect(stdout).toMatch(/P@5 on test data: /);
    const weights = new Map(
      readFileSync(at('ca.txt'), 'utf8')
        .trim()
        .split('\n')
        .at(-1)!
        .split(' ')
        .map((pair) => pair.split(':') as [string, string]),
    );
    expect(Number(weights.get('1') ?? 0)).toBe(0);
    expect(Number(weights.get('2'))).not.toBe(0);
  });

  it.each([
    [['-ranker', '3', '-tree', '5'], '-tree is no parameter of AdaRank; it has -round, -tolerance, -max'],
    [['-metric2t', 'BEST@3'], 'BEST@3 cannot be trained for'],
    [['-metric2t', 'RR'], 'RR without a depth is 0 for every list in RankLib'],
    [['-ranker', '11', '-kcv', '1', '-bogus'], '-ranker needs a number from 0 to 9, found 11'],
    [['-qrel', 'x'], '-qrel is not used in training here'],
    [['-load', 'x'], '-load is for using a model, and -train is for making one'],
    [['-kcv', '3', '-save', 'x'], '-save names one model, and -kcv makes several'],
    [['-save', '/no/such/folder/model'], '/no/such/folder/model: cannot write'],
  ])('refuses %j', (argv, sentence) => {
    const { status, stderr } = ranklib('-train', at('train.txt'), ...argv);
    expect(stderr).toContain(sentence);
    expect(status).toBe(2);
    expect(existsSync('x')).toBe(false);
  });
});
