import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.js';
import { parseTrecRun } from '../../src/formats/trec/run.js';
import { CapturedContext } from '../helpers/captured-context.js';
import { repository, runGradus, runShell } from '../helpers/run-gradus.js';

const data = join(repository, 'examples/data');
const qrels = join(data, 'example.qrels');
const [bm25, neural, hybrid] = ['bm25', 'neural', 'hybrid'].map((name) => join(data, `${name}.run`));
let folder: string;
const at = (name: string): string => join(folder, name);
const write = (name: string, text: string): string => {
  writeFileSync(at(name), text);
  return at(name);
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gradus-fuse-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function gradus(...argv: string[]): Promise<{ out: string; err: string; status: number }> {
  const context = new CapturedContext();
  const status = await main(argv, context);
  return { out: context.stdout.text, err: context.stderr.text, status };
}

/** Fuses into a file and gives its lines. */
async function fused(...argv: string[]): Promise<string[]> {
  const path = at('fused.run');
  const { err, status } = await gradus('fuse', ...argv, '-o', path);
  if (status !== 0) throw new Error(err);
  return readFileSync(path, 'utf8').trimEnd().split('\n');
}

describe('gradus fuse', () => {
  test('writes a TREC run: six columns, ranks, tag; as reciprocal rank fusion by hand', async () => {
    const a = write('a.run', 'q1 Q0 x 1 9 a\nq1 Q0 y 2 8 a\nq2 Q0 x 1 1 a\n');
    const b = write('b.run', 'q1 Q0 z 1 0.9 b\nq1 Q0 y 2 0.8 b\n');
    expect(await fused(a, b)).toEqual([
      `q1 Q0 y 1 ${2 / 62} rrf`,
      // equal scores by id, descending
      `q1 Q0 z 2 ${1 / 61} rrf`,
      `q1 Q0 x 3 ${1 / 61} rrf`,
      `q2 Q0 x 1 ${1 / 61} rrf`,
    ]);
    expect(await fused(a, b, '--topics', 'common', '--depth', '1', '--name', 'mine')).toEqual([`q1 Q0 y 1 ${2 / 62} mine`]);
  });

  test('says what it does with topics that only some runs answer, on standard error', async () => {
    const { err, status } = await gradus('fuse', bm25, neural, '-o', at('x.run'));
    expect(err).toBe('gradus: 1 topic is answered by some runs only, fused from those\n');
    expect(status).toBe(0);
    expect((await gradus('fuse', bm25, neural, '--topics', 'common', '-o', at('x.run'))).err).toContain('left out');
    expect((await gradus('fuse', bm25, neural, '--topics', 'error', '-o', at('x.run'))).err).toMatch(
      /topic q\d+ is not answered by neural/,
    );
    expect((await gradus('fuse', bm25, neural, '--quiet', '-o', at('x.run'))).err).toBe('');
  });

  test('--to takes every format for runs, trec included, and no other', async () => {
    expect(await fused(bm25, neural, '--quiet', '--to', 'trec')).toEqual(await fused(bm25, neural, '--quiet'));
    const { err, status } = await gradus('fuse', bm25, neural, '--to', 'qrels', '-o', at('x.run'));
    expect(err).toContain('--to: expected one of trec, trec-run, json, jsonl, parquet, csv, tsv, msmarco, found qrels\n');
    expect(status).toBe(2);
  });

  test('weights go by order or by name', async () => {
    const byOrder = await fused(bm25, neural, '--method', 'wsum', '--weights', '0.25,0.75', '--quiet');
    expect(await fused(bm25, neural, '--method', 'wsum', '--weights', 'neural=0.75,bm25=0.25', '--quiet')).toEqual(byOrder);
    expect(await fused(neural, bm25, '--method', 'wsum', '--weights', '0.75,0.25', '--quiet')).toEqual(byOrder);
    expect(await fused(bm25, neural, '--method', 'wsum', '--weights', '0.75,0.25', '--quiet')).not.toEqual(byOrder);
  });

  test('writes the other formats, and reads what it wrote', async () => {
    const lines = await fused(bm25, neural, '--quiet');
    const trec = parseTrecRun(lines.map((line) => `${line}\n`).join('')).run;
    expect(trec.scores.length).toBe(lines.length);
    for (const name of ['fused.json', 'fused.csv', 'fused.jsonl', 'fused.run.gz']) {
      await gradus('fuse', bm25, neural, '--quiet', '-o', at(name));
      await gradus('convert', at(name), at('back.run'), '--kind', 'run', '--name', 'rrf');
      expect([name, parseTrecRun(readFileSync(at('back.run'), 'utf8')).run.scores]).toEqual([name, trec.scores]);
    }
    expect(readFileSync(at('fused.csv'), 'utf8').split('\n')[0]).toContain('score');
  });

  test('goes through a pipe, as a user would have it', () => {
    const { stdout, status } = runShell(`gradus fuse ${bm25} ${neural} --quiet | gradus eval ${qrels} - -m nDCG@10 --quiet`);
    expect(status).toBe(0);
    expect(stdout).toMatch(/nDCG@10 +0\.\d{4}/);
    const fromInput = runGradus(['fuse', '-', neural, '--quiet'], { input: readFileSync(bm25) });
    expect(fromInput.stdout).toBe(runGradus(['fuse', bm25, neural, '--quiet']).stdout);
  });

  test.each([
    [['--method', 'rrr'], '--method', 'rrr is no method of fusion'],
    [['--method', 'wsum'], '', 'wsum needs a weight for each run'],
    [['--method', 'wsum', '--weights', '0.5'], '', 'found 1 weights for 2 runs'],
    [['--method', 'wsum', '--weights', '0.5,x'], '', '--weights: expected numbers of at least 0'],
    [['--method', 'wsum', '--weights', 'a=1,2'], '', '--weights: expected numbers of at least 0'],
    [['--method', 'wsum', '--weights', 'bm25=1,mine=2'], '', '--weights: no run is called mine; they are bm25, neural'],
    [['--method', 'wsum', '--weights', 'bm25=1,bm25=2'], '', '--weights: bm25 has two weights'],
    [['--norm', 'min-max'], '', 'rrf looks at ranks only'],
    [['--method', 'combmax', '--tune', 'AP', '--qrels', 'x'], '', 'combmax knows no weights'],
    [['--tune', 'AP'], '', '--tune needs judgements; name their file with --qrels'],
    [['--folds', '3', '--seed', '2'], '', '--folds, --seed without --tune'],
    [['--tune', 'AP', '--qrels', 'x', '--weights', '1,1'], '', '--tune and --weights contradict each other'],
    [['--tune', 'AP', '--qrels', 'x', '--folds', '2', '--train-topics', 'y'], '', '--folds and --train-topics contradict each other'],
    [['--tune', 'AP P@5', '--qrels', 'x'], '', '--tune: expected one measure, found 2'],
    [
      ['--tune', 'NumRet', '--qrels', 'x'],
      '',
      'NumRet says nothing about which weights are better; tune for a measure of quality, such as nDCG@10',
    ],
    [['--k', '-1'], '', '--k: expected a number from 0 to 1000000000, found -1'],
    [['--k', 'a'], '', '--k: expected a number from 0 to 1000000000, found a'],
    [['--window', '0'], '', '--window: expected a whole number from 1'],
    [['-o', 'x.zst'], '', 'zstd files can be read but not written'],
  ])('refuses %j with one clear sentence', async (options, _where, message) => {
    const { err, out, status } = await gradus('fuse', bm25, neural, ...options, ...(options.includes('-o') ? [] : ['-o', at('never.run')]));
    expect(err).toContain(message);
    expect(err).not.toMatch(/\bat .*\.ts:|NaN| of rrf/);
    expect(out).toBe('');
    expect(status).toBe(2);
  });

  test('refuses bad runs with the place of the mistake', async () => {
    const twice = write('twice.run', 'q1 Q0 x 1 2 t\nq1 Q0 x 2 1 t\n');
    const { err, status } = await gradus('fuse', bm25, twice, '-o', at('never.run'));
    expect(err).toContain('twice.run:2: topic "q1" has document "x" already on line 1 (ranks 1 and 2); keep one of them');
    expect(status).toBe(2);
    const short = write('short.run', 'q1 Q0 x 1\n');
    expect((await gradus('fuse', bm25, short, '-o', at('never.run'))).err).toContain('short.run:1: ');
    expect((await gradus('fuse', bm25, at('absent.run'), '-o', at('never.run'))).err).toContain('absent.run: cannot be read');
    expect((await gradus('fuse')).err).toContain('RUN is missing');
    expect((await gradus('fuse', '-', '-')).err).toContain('- was given 2 times');
  });
});

describe('gradus fuse --tune', () => {
  const common = [bm25, neural, hybrid, '--method', 'wsum', '--tune', 'nDCG@10', '--qrels', qrels];

  test('chooses weights in folds, tests them on the other topics and against the best single run', async () => {
    const { out, err, status } = await gradus('fuse', ...common, '--folds', '3', '--json', '-o', at('tuned.run'));
    expect(status).toBe(0);
    expect(err).toContain('1 topic is answered by some runs only');
    const report = JSON.parse(out);
    expect(report.parts.length).toBe(3);
    expect(report.systems).toEqual(['bm25', 'neural', 'hybrid']);
    expect(report.comparison.baseline).toBe('hybrid');
    const pairs: { system: string; against: string; pValue: number; difference: number }[] = report.comparison.measures[0].pairs;
    const tuned = pairs.find(({ system }) => system === 'tuned weights');
    expect(tuned?.against).toBe('hybrid');
    // what was written is what was tested: the same scores and the same test by other commands
    const compared = await gradus('compare', qrels, hybrid, at('tuned.run'), '-m', 'nDCG@10', '--json', '--quiet');
    const [pair] = JSON.parse(compared.out).measures[0].pairs;
    expect(tuned?.difference).toBeCloseTo(pair.difference, 12);
    expect(tuned?.pValue).toBeCloseTo(pair.pValue, 12);
    // the weights it advises are those of a run of its own
    const weights = report.systems.map((name: string, r: number) => `${name}=${report.weights[r]}`).join(',');
    expect((await gradus('fuse', bm25, neural, hybrid, '--method', 'wsum', '--weights', weights, '-o', at('y.run'))).status).toBe(0);
  });

  test('prints the same for the same seed, as text, Markdown and LaTeX', async () => {
    const first = await gradus('fuse', ...common, '--folds', '4', '--seed', '5');
    expect((await gradus('fuse', ...common, '--folds', '4', '--seed', '5')).out).toBe(first.out);
    expect(first.out).toMatch(/^Weights of wsum \(min-max\) for nDCG@10, chosen on all parts but one, 4 times/);
    expect(first.out).toMatch(/part +system +weight +nDCG@10, training +topics +held out +topics/);
    expect(first.out).toContain('Weights chosen on all topics, for use from now on: bm25=');
    expect(first.out).toMatch(/tuned weights +hybrid +/);
    expect((await gradus('fuse', ...common, '--folds', '4', '-f', 'md')).out).toContain('| tuned weights |');
    expect((await gradus('fuse', ...common, '--folds', '4', '-f', 'latex')).out).toContain('\\begin{tabular}');
  });

  test('takes the training topics from a file', async () => {
    const topics = write('train.txt', 'q1\nq2\r\n\nq3\nq4\nq5\nq6\n');
    const { out } = await gradus('fuse', ...common, '--train-topics', topics, '--json', '--quiet');
    const report = JSON.parse(out);
    expect(report.parts.map(({ trainTopics }: { trainTopics: string[] }) => trainTopics)).toEqual([['q1', 'q2', 'q3', 'q4', 'q5', 'q6']]);
    expect(report.heldOut.topics.length).toBe(6);
    const columns = write('columns.txt', 'q1 Q0\n');
    expect((await gradus('fuse', ...common, '--train-topics', columns)).err).toContain('expected one topic id to a line, found q1 Q0');
    const unknown = write('unknown.txt', 'q1\nnowhere\n');
    expect((await gradus('fuse', ...common, '--train-topics', unknown)).err).toContain('1 training topic is not judged: nowhere');
    expect((await gradus('fuse', ...common, '--folds', '40')).err).toContain('40 folds for 12 judged topics; use at most 12');
    expect((await gradus('fuse', bm25, '--method', 'wsum', '--tune', 'AP', '--qrels', qrels)).err).toContain(
      'expected at least 2 to weigh',
    );
  });

  test('tells when there are too few topics to test on', async () => {
    const eleven = write('eleven.txt', Array.from({ length: 11 }, (_, i) => `q${i + 1}\n`).join(''));
    const { out, status } = await gradus('fuse', ...common, '--train-topics', eleven);
    expect(status).toBe(0);
    expect(out).toContain('Note: fewer than 2 held-out topics have a value, too few for a test');
  });
});
