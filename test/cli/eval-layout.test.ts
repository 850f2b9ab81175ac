import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.js';
import { displayWidth } from '../../src/report/index.js';
import { CapturedContext } from '../helpers/captured-context.js';

// topic 1 has the relevant document a, topic 2 b and c; system-N ranks the relevant documents at rank N of topic 1 and 1 of topic 2
let folder: string;
let qrels: string;
const runOf = (system: number): string => join(folder, `run${system}`);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gradus-layout-'));
  qrels = join(folder, 'qrels');
  writeFileSync(qrels, '1 0 a 1\n2 0 b 1\n2 0 c 1\n');
  for (let system = 1; system <= 12; system++) {
    const before = Array.from({ length: system - 1 }, (_, i) => `1 Q0 x${i} ${i + 1} ${100 - i} system-${system}\n`);
    writeFileSync(runOf(system), `${before.join('')}1 Q0 a ${system} 50 system-${system}\n2 Q0 b 1 9 system-${system}\n`);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function gradus(
  argv: readonly string[],
  look: ConstructorParameters<typeof CapturedContext>[0] = {},
): Promise<[string, string, number]> {
  const context = new CapturedContext({ environment: { NO_COLOR: '1' }, ...look });
  const status = await main(argv, context);
  return [context.stdout.text, context.stderr.text, status];
}
const runs = (count: number): string[] => Array.from({ length: count }, (_, i) => runOf(i + 1));

describe('gradus eval of many runs', () => {
  test('gives each run a row where columns would not fit', async () => {
    const [out] = await gradus(['eval', qrels, ...runs(12), '-m', 'RR P@1']);
    const lines = out.split('\n');
    expect(lines[0]).toBe('run            RR     P@1');
    // topic 1: 1/12 and 0; topic 2: 1 and 1
    expect(lines[12]).toBe('system-12  0.5417  0.5000');
    const [wide] = await gradus(['eval', qrels, ...runs(12), '-m', 'RR P@1'], { columns: 200 });
    expect(wide.split('\n')[0]).toMatch(/^measure {2}system-1 {2}system-2 .* system-12$/);
  });

  test.each([20, 40, 60, 80, 120, 200])('no line is wider than a terminal of %i columns', async (columns) => {
    for (const argv of [[], ['-q'], ['--transpose'], ['-q', '--transpose']]) {
      const [out] = await gradus(['eval', qrels, ...runs(12), '-m', 'RR P@1 AP nDCG@10', ...argv], { terminal: true, columns });
      const widest = Math.max(...out.split('\n').map(displayWidth));
      expect(widest, `${argv.join(' ')}\n${out}`).toBeLessThanOrEqual(columns);
      for (const name of ['system-1', 'system-7', 'system-12']) expect(out).toContain(name);
    }
  });

  test('--sort puts the best first, --top leaves the others out, in every form', async () => {
    const asked = ['eval', qrels, runOf(3), runOf(1), runOf(2), '-m', 'P@1 RR'];
    const order = async (...argv: string[]): Promise<string[]> =>
      JSON.parse((await gradus([...asked, ...argv, '--json']))[0]).runs.map(({ run }: { run: string }) => run);
    expect(await order('--sort', 'RR')).toEqual(['system-1', 'system-2', 'system-3']);
    expect(await order('--sort', 'recip_rank', '--top', '2')).toEqual(['system-1', 'system-2']);
    expect(await order('--sort', 'name')).toEqual(['system-1', 'system-2', 'system-3']);
    // equal values stay in the order that was given
    expect(await order('--top', '2')).toEqual(['system-1', 'system-3']);
    expect(await order()).toEqual(['system-3', 'system-1', 'system-2']);
    const [, err, status] = await gradus([...asked, '--sort', 'AP']);
    expect([err, status]).toEqual(['gradus: --sort: there is no AP in this table; sort by P@1, RR, name\n', 2]);
  });

  test('-q puts runs side by side, in a table for each measure', async () => {
    const [out] = await gradus(['eval', qrels, runOf(1), runOf(2), '-m', 'RR P@1', '-q']);
    expect(out).toBe(
      [
        'RR',
        'topic  system-1  system-2',
        '1        1.0000    0.5000',
        '2        1.0000    1.0000',
        'all      1.0000    0.7500',
        '',
        'P@1',
        'topic  system-1  system-2',
        '1        1.0000    0.0000',
        '2        1.0000    1.0000',
        'all      1.0000    0.5000',
        '',
      ].join('\n'),
    );
  });

  test('--transpose swaps rows and columns', async () => {
    const [out] = await gradus(['eval', qrels, runOf(1), runOf(2), '-m', 'RR P@1', '--transpose']);
    expect(out).toBe('run           RR     P@1\nsystem-1  1.0000  1.0000\nsystem-2  0.7500  0.5000\n');
    const [topics] = await gradus(['eval', qrels, runOf(1), runOf(2), '-m', 'RR', '-q', '--transpose']);
    expect(topics).toBe('run            1       2     all\nsystem-1  1.0000  1.0000  1.0000\nsystem-2  0.5000  1.0000  0.7500\n');
  });
});

describe('arguments', () => {
  test('a directory stands for the runs in it', async () => {
    const runFolder = join(folder, 'runs');
    mkdirSync(join(runFolder, 'deeper'), { recursive: true });
    for (const system of [2, 1]) copyFileSync(runOf(system), join(runFolder, `r${system}`));
    writeFileSync(join(runFolder, '.hidden'), 'no run\n');
    const { runs: found } = JSON.parse((await gradus(['eval', qrels, runFolder, runOf(3), '-m', 'RR', '--json']))[0]);
    expect(found.map(({ run }: { run: string }) => run)).toEqual(['system-1', 'system-2', 'system-3']);
    expect((await gradus(['compare', qrels, runFolder, '-m', 'RR']))[2]).toBe(0);
    const [, err, status] = await gradus(['eval', qrels, join(runFolder, 'deeper')]);
    expect([status, err]).toEqual([2, expect.stringContaining('deeper: the directory holds no files; name one with runs')]);
    expect((await gradus(['eval', runFolder, runOf(1)]))[1]).toContain('is a directory, expected a file');
  });

  test("judgements and runs in each other's place are one sentence", async () => {
    const [, err, status] = await gradus(['eval', runOf(12), qrels]);
    expect([status, err]).toEqual([
      2,
      `gradus: ${runOf(12)}:1: expected 4 fields (topic iteration document grade), found 6; six fields are a run, which comes after the judgements\n`,
    ]);
    const [, other] = await gradus(['eval', qrels, qrels]);
    expect(other.split('\n')).toHaveLength(2);
    expect(other).toContain('four fields are judgements, which come before the run');
  });
});

describe('gradus eval -f csv', () => {
  test('is tidy and exact: a row for each run, topic and measure, none for all topics', async () => {
    const [out] = await gradus(['eval', qrels, runOf(3), '-m', 'RR P@1', '-q', '-f', 'csv']);
    expect(out).toBe('run,topic,measure,value\nsystem-3,1,RR,0.3333333333333333\nsystem-3,1,P@1,0\nsystem-3,2,RR,1\nsystem-3,2,P@1,1\n');
    const [means] = await gradus(['eval', qrels, runOf(3), '-m', 'RR P@1', '-f', 'tsv']);
    expect(means).toBe('run\tmeasure\tvalue\nsystem-3\tRR\t0.6666666666666666\nsystem-3\tP@1\t0.5\n');
  });

  test('--wide has a column per measure, and -p rounds', async () => {
    const [out] = await gradus(['eval', qrels, runOf(3), '-m', 'RR P@1', '-q', '-f', 'csv', '--wide', '-p', '2']);
    expect(out).toBe('run,topic,RR,P@1\nsystem-3,1,0.33,0.00\nsystem-3,2,1.00,1.00\n');
    const [, err] = await gradus(['eval', qrels, runOf(3), '--wide']);
    expect(err).toContain('--wide is for csv and tsv; add --format csv, or leave it out');
  });

  test.each([[[]], [['--wide']]])('%j: gradus compare --scores reads it back', async (layout) => {
    const file = join(folder, 'scores.csv');
    await gradus(['eval', qrels, runOf(1), runOf(3), '-m', 'RR P@1', '-q', '-o', file, ...layout]);
    const [out, err] = await gradus(['compare', '--scores', file, '--json']);
    const { measures, systems } = JSON.parse(out);
    expect(err).toBe('');
    expect(systems).toEqual(['system-1', 'system-3']);
    // (1 + 1) / 2 and (1/3 + 1) / 2
    expect(measures[0].systems.map(({ mean }: { mean: number }) => mean)).toEqual([1, 2 / 3]);
  });
});
