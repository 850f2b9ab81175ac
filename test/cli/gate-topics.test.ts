import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.js';
import { CapturedContext } from '../helpers/captured-context.js';

// 12 topics with one relevant document: the baseline has it first everywhere, the candidate fourth on topic 1. RR falls by 3/4 there,
// and by 0.0625 in the mean.
let folder: string;
const at = (name: string): string => join(folder, name);
const save = (name: string, text: string | Uint8Array): string => {
  writeFileSync(at(name), text);
  return at(name);
};
const topics = Array.from({ length: 12 }, (_, t) => t + 1);
const judgements = topics.map((topic) => `${topic} 0 a 1\n`);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gradus-topics-'));
  save('qrels', judgements.join(''));
  save('before.run', topics.map((topic) => `${topic} Q0 a 1 9 before\n`).join(''));
  const worse = ['x', 'y', 'z', 'a'].map((doc, i) => `1 Q0 ${doc} ${i + 1} ${9 - i} after\n`);
  save(
    'after.run',
    worse.join('') +
      topics
        .slice(1)
        .map((topic) => `${topic} Q0 a 1 9 after\n`)
        .join(''),
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function gradus(...argv: string[]): Promise<{ out: string; err: string; status: number }> {
  const context = new CapturedContext();
  const status = await main(argv, context);
  return { out: context.stdout.text, err: context.stderr.text, status };
}
const gate = (...argv: string[]): ReturnType<typeof gradus> =>
  gradus('gate', at('qrels'), at('before.run'), at('after.run'), '-m', 'RR', ...argv);

describe('gradus gate guards single topics', () => {
  test('--max-topic-drop fails where one topic falls by more, whatever the mean does', async () => {
    expect((await gate()).status).toBe(0);
    const { out, status } = await gate('--max-topic-drop', '0.5');
    expect(status).toBe(1);
    expect(out).toContain('FAIL: after against before: RR by topic\n');
    expect(out).toContain('FAIL RR by topic: 1 topic fails: 1 1.0000 -> 0.2500, fell by 0.7500, more than the 0.5 allowed\n');
    expect((await gate('--max-topic-drop', '0.75')).status).toBe(0);
    expect((await gate('--max-topic-drop', '70%')).status).toBe(1);
    const passed = await gate('--max-topic-drop', '75%');
    expect([passed.status, passed.out]).toEqual([0, expect.stringContaining('no topic fails; no topic may fall by more than 75%')]);
    expect((await gate('--max-topic-drop', 'much')).err).toContain(
      'expected a number of at least 0 or a percentage, found much; write 0.3 or 50%',
    );
  });

  test('--must-not-fail names topics that may not fall, or what they must reach', async () => {
    const guarded = async (text: string): ReturnType<typeof gradus> => await gate('--must-not-fail', save('guarded.txt', text));
    const { out, status } = await guarded('# the queries of the front page\n1\n2\n');
    expect(status).toBe(1);
    expect(out).toContain('FAIL RR by topic: 1 topic fails: 1 1.0000 -> 0.2500, must not fall\n');
    expect((await guarded('2\n3\n')).out).toContain('no topic fails; 2 topics are guarded');
    expect((await guarded('1\t0.25\n')).status).toBe(0);
    expect((await guarded('1\t0.3\n')).out).toContain('1 1.0000 -> 0.2500, must reach 0.3');
    const unknown = await guarded('2\nq99\n');
    expect([unknown.status, unknown.err]).toEqual([
      2,
      'gradus: a guarded topic is q99, which is not among the 12 topics compared; spell it as the judgements do, such as 1, or remove it\n',
    ]);
    expect((await guarded('1\tsome\n')).err).toContain('guarded.txt:1: expected a number behind the tab, found some');
  });

  test('--weights lets topics count more in the means', async () => {
    // (11 * 0.25 + 11 * 1) / 22
    const { out } = await gate('--weights', save('weights.txt', '1 11\n'));
    expect(out).toContain('RR: 1.0000 -> 0.6250, fell by 0.3750 over 12 topics');
    expect(out).toContain('Means are weighted: 1 topics have a weight of their own, the others 1.');
    expect((await gate('--weights', save('weights.txt', '1 0\n'))).out).toContain('RR: 1.0000 -> 1.0000, did not change over 11 topics');
    expect((await gate('--weights', save('weights.txt', 'q99 2\n'))).err).toContain('a weight is given for q99, which is not among');
    expect((await gate('--weights', save('weights.txt', '1 heavy\n'))).err).toContain(
      'weights.txt:1: expected a topic and its weight, a number from 0, found heavy',
    );
  });

  test('--max-drop takes a share of the baseline', async () => {
    const { out, status } = await gate('--strict', '--max-drop', '5%');
    expect(status).toBe(1);
    expect(out).toContain('fell by 0.0625 over 12 topics');
    expect(out).toContain('more than the 5% (0.0500) allowed');
    expect((await gate('--strict', '--max-drop', '10%')).status).toBe(0);
    expect((await gate('--strict', '--max-drop', '0.05,RR=10%')).status).toBe(0);
  });
});

describe('stored baselines', () => {
  const stored = (): string => at('stored.json');
  const again = (...argv: string[]): ReturnType<typeof gradus> =>
    gradus('gate', at('qrels'), stored(), at('before.run'), '-m', 'RR', ...argv);
  const store = async (...argv: string[]): Promise<void> => {
    await gradus('eval', at('qrels'), at('before.run'), '-m', 'RR', '-q', '--json', '-o', stored(), ...argv);
  };

  test('have a fingerprint, whatever file the judgements stood in', async () => {
    await store();
    const { fingerprint } = JSON.parse(readFileSync(stored(), 'utf8'));
    expect(fingerprint).toEqual({
      judgements: expect.stringMatching(/^[0-9a-f]{64}$/),
      runs: [{ name: 'before', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }],
      rules: expect.any(String),
      version: expect.any(String),
    });
    expect(await again()).toMatchObject({ status: 0, err: '' });
    const other = save('qrels.gz', gzipSync([...judgements].reverse().join('')));
    expect((await gradus('gate', other, stored(), at('before.run'), '-m', 'RR')).status).toBe(0);
  });

  test('are refused under other judgements, rules or versions, unless they are trusted', async () => {
    await store();
    const more = save('more.qrels', `${judgements.join('')}1 0 b 1\n`);
    const refused = await gradus('gate', more, stored(), at('before.run'), '-m', 'RR');
    expect([refused.status, refused.err]).toEqual([
      2,
      `gradus: ${stored()}: was stored with other judgements; store it again: gradus eval QRELS RUN -q --json -o ${stored()}; or compare nevertheless with --trust-baseline\n`,
    ]);
    const trusted = await gradus('gate', more, stored(), at('before.run'), '-m', 'RR', '--trust-baseline');
    expect([trusted.status, trusted.out]).toEqual([
      0,
      expect.stringContaining('was stored with other judgements; it was compared because'),
    ]);
    expect((await again('--convention', 'trec_eval')).err).toContain('was stored with other rules; store it again');
    save('stored.json', readFileSync(stored(), 'utf8').replace(/("version": ?)"[^"]*"/, '$1"0.0.1"'));
    expect((await again()).err).toMatch(/was stored with Gradus 0\.0\.1, and this is \d/);
  });

  test('--save-baseline writes one, and a table without a fingerprint is distinguished from it', async () => {
    await store();
    await again('--save-baseline', at('next.json'));
    expect((await gradus('gate', at('qrels'), at('next.json'), at('before.run'), '-m', 'RR')).out).not.toContain('fingerprint');
    const plain = save('plain.csv', `topic,before\n${topics.map((topic) => `${topic},1\n`).join('')}`);
    const { out } = await gradus('gate', at('qrels'), plain, at('before.run'), '-m', 'RR');
    expect(out).toContain('plain.csv has no fingerprint');
  });
});
