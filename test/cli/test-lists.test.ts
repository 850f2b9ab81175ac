import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { main } from '../../src/cli/main.js';
import { CapturedContext } from '../helpers/captured-context.js';

const folder = mkdtempSync(join(tmpdir(), 'gradus-lists-'));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);
const golden = fileURLToPath(new URL('../golden/letor/', import.meta.url));

function save(name: string, text: string): string {
  writeFileSync(at(name), text);
  return at(name);
}

async function gradus(...argv: string[]): Promise<{ out: string; err: string; status: number }> {
  const context = new CapturedContext();
  const status = await main(argv, context);
  return { out: context.stdout.text, err: context.stderr.text, status };
}

// two queries, the second with its lines apart
const testSet = save(
  'test.txt',
  ['2 qid:7 1:0.3 #docid = a', '0 qid:7 1:0.1 #docid = b', '1 qid:8 1:0.5', '1 qid:7 1:0.2 #docid = c', '0 qid:8 1:0.9', ''].join('\n'),
);
const good = save('good.txt', '3\n1\n2\n2\n1\n');
const bad = save('bad.txt', '1\n3\n1\n2e0\n2\n');

describe('a learning-to-rank test file with predictions', () => {
  it('is evaluated: by hand', async () => {
    const { out, status } = await gradus('eval', testSet, good, bad, '-m', 'RR nDCG P@1', '--json');
    expect(status).toBe(0);
    const { runs } = JSON.parse(out);
    // the second system puts b, c, a and the irrelevant one first: gains 0, 1/log2 3, 2/2 of 2 + 1/log2 3, and 1/log2 3 of 1
    const log = Math.log2(3);
    const ndcg = ((1 / log + 1) / (2 + 1 / log) + 1 / log) / 2;
    expect(runs.map(({ run }: { run: string }) => run)).toEqual(['good.txt', 'bad.txt']);
    expect(runs[0].all).toMatchObject({ RR: 1, nDCG: 1, 'P@1': 1 });
    expect(runs[1].all.RR).toBe(0.5);
    expect(runs[1].all.nDCG).toBeCloseTo(ndcg, 14);
    expect(runs[1].all['P@1']).toBe(0);
  });

  it('gives the value that RankLib printed for the same files', async () => {
    const [, ...rows] = readFileSync(`${golden}crosstool_edge2_A.tsv`, 'utf8').trim().split('\n');
    const recorded =
      rows
        .find((row) => row.startsWith('RankLib'))
        ?.split('\t')
        .slice(1) ?? [];
    const files = [`${golden}data/edge2_l4/test.txt`, `${golden}data/edge2_l4/pred.A.txt`];
    const { out } = await gradus('eval', ...files, '-m', 'nDCG@5', '--convention', 'ranklib@2.8', '-f', 'csv', '-p', '6');
    expect(Number(out.trim().split('\n')[1].split(',').at(-1))).toBeCloseTo(Number(recorded[4]), 4);
  });

  it('feeds compare, gate, report, meta and explain', async () => {
    const more = save('other.txt', '2\n1\n1\n3\n2\n');
    expect((await gradus('compare', testSet, good, bad, '-m', 'nDCG')).out).toMatch(/bad\.txt/);
    expect((await gradus('gate', testSet, bad, good, '-m', 'nDCG', '--min-topics', '2')).status).toBe(0);
    expect((await gradus('report', testSet, good, bad, '-f', 'md')).out).toContain('good.txt');
    expect((await gradus('meta', 'power', testSet, good, bad, more, '-m', 'nDCG RR')).status).toBe(0);
    expect((await gradus('explain', testSet, bad, '--as', 'yahoo,letor4')).out).toMatch(/letor4/);
  });

  it.each([
    [
      'too few predictions',
      () => ['eval', testSet, save('few.txt', '1\n2\n'), '-m', 'AP'],
      /few\.txt: expected 5 numbers, one for each data line, found 2; check that both files belong together/,
    ],
    [
      'predictions without a test file',
      () => ['eval', save('q.qrels', '7 0 a 1\n'), good, '-m', 'AP'],
      /good\.txt: holds one number per line, which is a prediction for a learning-to-rank test file; give that test file instead of judgements/,
    ],
    [
      'a line that is no number',
      () => ['eval', testSet, save('odd.txt', '1\n2\nx\n4\n5\n'), '-m', 'AP'],
      /odd\.txt:3: expected a number as prediction, found "x"/,
    ],
  ])('refuses %s with one sentence', async (_, argv, sentence) => {
    const { err, out, status } = await gradus(...argv());
    expect(status).toBe(2);
    expect(out).toBe('');
    expect(err).toMatch(sentence);
  });
});
