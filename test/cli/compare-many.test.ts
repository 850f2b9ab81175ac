import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.js';
import { displayWidth } from '../../src/report/index.js';
import { CapturedContext } from '../helpers/captured-context.js';

// 12 topics with one relevant document a; run N puts it at rank N, and on topic 1 at rank 1, so that RR is (1 + 11 / N) / 12
const TOPICS = 12;
let folder: string;
let qrels: string;
const runs = (count: number): string[] => Array.from({ length: count }, (_, i) => join(folder, `run${i + 1}`));

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gradus-many-'));
  qrels = join(folder, 'qrels');
  const topics = Array.from({ length: TOPICS }, (_, t) => t + 1);
  writeFileSync(qrels, topics.map((topic) => `${topic} 0 a 1\n${topic} 0 x 0\n`).join(''));
  for (let rank = 1; rank <= 40; rank++) {
    const lines = topics.flatMap((topic) => {
      const place = topic === 1 ? 1 : rank;
      return Array.from({ length: place }, (_, i) => `${topic} Q0 ${i + 1 === place ? 'a' : `x${i}`} ${i + 1} ${100 - i} system-${rank}\n`);
    });
    writeFileSync(join(folder, `run${rank}`), lines.join(''));
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

describe('gradus compare of many systems', () => {
  test('prints one leaderboard that fits a screen, and pairs only if asked', async () => {
    const [out] = await gradus(['compare', qrels, ...runs(40).reverse(), '-m', 'RR P@5', '--format', 'table']);
    const lines = out.split('\n');
    expect(lines.length).toBeLessThan(40);
    expect(lines[0]).toMatch(/^ # {2}system +RR {2}95% interval +against the best +p \(Holm\) {2}better than {2}worse than {2}P@5/);
    // ranks 2 and 1 differ by 1/2 on 11 of 12 topics
    expect(lines[2]).toMatch(/^ 2 {2}system-2 +0\.5417 .* ▼ -0\.4583 /);
    expect(lines[20]).toMatch(/^20 {2}system-20 /);
    expect(out).toContain('The best 20 of 40 systems; --top 40 shows all.');
    expect(out).not.toContain('against  difference');
    const [all] = await gradus(['compare', qrels, ...runs(40), '-m', 'RR', '--pairs', '--top', '40']);
    expect(all).toContain('\n40   system-40 ');
    // 40 * 39 / 2
    expect(all.split('\n').filter((line) => /(▲ better|▼ worse|= not told apart)$/.test(line))).toHaveLength(780);
  });

  test.each([60, 80, 120, 200])('no line is wider than a terminal of %i columns, and the verdict is there', async (columns) => {
    for (const argv of [
      ['compare', qrels, ...runs(40)],
      ['compare', qrels, ...runs(2), '--by-topic'],
      ['compare', qrels, ...runs(5)],
    ]) {
      const [out] = await gradus(argv, { terminal: true, columns });
      expect(Math.max(...out.split('\n').map(displayWidth)), out).toBeLessThanOrEqual(columns);
      expect(out).toMatch(/▌|▼|▲/);
    }
  });

  test('marks better, worse and not told apart by colours and by signs', async () => {
    const [out] = await gradus(['compare', qrels, ...runs(3), '-m', 'RR', '--baseline', 'system-2', '--top', '3'], {
      terminal: true,
      columns: 120,
      environment: {},
    });
    expect(out).toContain('\x1b[32m▲ +0.4583');
    expect(out).toContain('\x1b[31m▼ -0.1528');
    expect(out).toContain('system-2  0.5417');
    expect(out).toContain('Against system-2: ▲ significantly better, ▼ significantly worse, = not told apart');
    const [same] = await gradus(['compare', qrels, runs(1)[0], runs(2)[1], '-m', 'P@5', '--top', '2'], { terminal: true, environment: {} });
    expect(same).toContain('\x1b[2m= 0.0000');
  });

  test('--sort orders by another measure', async () => {
    const [out] = await gradus(['compare', qrels, ...runs(7).reverse(), '-m', 'P@5 RR', '--sort', 'RR', '-f', 'table']);
    expect(out.split('\n')[1]).toMatch(/^1 {2}system-1 {2}1\.0000/);
  });
});

describe('gradus compare --by-topic', () => {
  test('lists the topics that decide, with the relevant documents that moved', async () => {
    const [out] = await gradus(['compare', qrels, runs(1)[0], runs(4)[3], '-m', 'RR', '--by-topic', '--topics', '2']);
    expect(out).toContain('RR, system-4 against system-1: better on 0 topics, worse on 11, equal on 1; -0.6875 on average\n');
    expect(out).toContain(
      [
        'topic  system-1  system-4  difference  relevant documents that moved',
        '10       1.0000    0.2500  ▼ -0.7500   a (grade 1) 1 -> 4',
      ].join('\n'),
    );
    const { byTopic } = JSON.parse((await gradus(['compare', qrels, ...runs(2), '-m', 'P@1', '--by-topic', '--json']))[0]);
    expect(byTopic[0]).toMatchObject({ measure: 'P@1', system: 'system-2', against: 'system-1', worse: 11, equal: 1 });
    expect(byTopic[0].topics[0].moved).toEqual([{ doc: 'a', grade: 1, from: 1, to: 2 }]);
  });

  test('holds all against the baseline, and asks for one where there are many', async () => {
    const [, err, status] = await gradus(['compare', qrels, ...runs(3), '--by-topic']);
    expect([err, status]).toEqual([
      'gradus: --by-topic looks at one difference, found 3 systems; say what the others are held against: --baseline system-1\n',
      2,
    ]);
    const [out] = await gradus(['compare', qrels, ...runs(3), '-m', 'RR', '--by-topic', '--baseline', 'system-1']);
    expect(out).toContain('RR, system-2 against system-1');
    expect(out).toContain('RR, system-3 against system-1');
  });

  test('works from ready scores, without rankings', async () => {
    const scores = join(folder, 'scores.csv');
    writeFileSync(scores, 'topic,old,new\n1,0.5,0.25\n2,0.5,0.5\n3,0.1,0.2\n');
    const [out] = await gradus(['compare', '--scores', scores, '--by-topic']);
    expect(out).toContain('score, new against old: better on 1 topics, worse on 1, equal on 1; -0.0500 on average\n');
    expect(out).toContain('topic     old     new  difference\n1      0.5000  0.2500  ▼ -0.2500\n3      0.1000  0.2000  ▲ +0.1000\n');
  });
});
