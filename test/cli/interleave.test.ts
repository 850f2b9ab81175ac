import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { gradus } from '../helpers/in-process.js';

const folder = mkdtempSync(join(tmpdir(), 'gradus-interleave-'));
const at = (name: string): string => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const topics = Array.from({ length: 12 }, (_, t) => `t${t + 1}`);
const run = (docs: string, tag: string): string =>
  topics.map((topic) => [...docs].map((doc, i) => `${topic} Q0 ${doc} ${i + 1} ${9 - i} ${tag}\n`).join('')).join('');
writeFileSync(at('a.run'), run('abcd', 'a'));
writeFileSync(at('b.run'), run('beaf', 'b'));
writeFileSync(at('other.run'), 'x1 Q0 a 1 1 other\n');

interface Line {
  readonly topic: string;
  readonly list: readonly string[];
  readonly teams?: readonly string[];
}
const linesOf = (text: string): Line[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('gradus interleave', () => {
  test('lists: every list is one that team draft can make, the same for a seed', async () => {
    const { out, status } = await gradus('interleave', 'lists', at('a.run'), at('b.run'), '--length', '4');
    expect(status).toBe(0);
    const made = linesOf(out);
    expect(made.map(({ topic }) => topic).sort()).toEqual([...topics].sort());
    // the four outcomes, by hand
    for (const { list, teams } of made)
      expect(['abce ABAB', 'abec ABBA', 'bace BAAB', 'baec BABA']).toContain(`${list.join('')} ${teams?.join('')}`);
    expect((await gradus('interleave', 'lists', at('a.run'), at('b.run'), '--length', '4')).out).toBe(out);
    expect((await gradus('interleave', 'lists', at('a.run'), at('b.run'), '--length', '4', '--seed', '2')).out).not.toBe(out);
  });

  test.each(['team-draft', 'balanced', 'probabilistic'])('test: users who click what only B has prefer B (%s)', async (method) => {
    await gradus('interleave', 'lists', at('a.run'), at('b.run'), '--method', method, '--length', '6', '-o', at('lists.jsonl'));
    const shown = linesOf(readFileSync(at('lists.jsonl'), 'utf8')).map((line) => JSON.stringify({ ...line, clicked: ['e', 'f'] }));
    writeFileSync(at('shown.jsonl'), `${shown.join('\n')}\n`);
    const { out, status } = await gradus('interleave', 'test', at('shown.jsonl'), '--json');
    expect(status).toBe(0);
    // 12 wins of 12: 2 / 2^12
    expect(JSON.parse(out)).toMatchObject({ impressions: 12, users: null, winsA: 0, winsB: 12, ties: 0 });
    expect(JSON.parse(out).pValue).toBeCloseTo(2 / 4096, 12);
    expect((await gradus('interleave', 'test', at('shown.jsonl'))).out).toContain('B is preferred (12 lists)');
  });

  test('test: the lists of one user are one unit', async () => {
    const line = { method: 'team-draft', list: ['a', 'b'], teams: ['A', 'B'] };
    const clicks = [['a'], ['a'], ['b']].map((clicked) => JSON.stringify({ ...line, clicked, user: 7 }));
    writeFileSync(at('user.jsonl'), clicks.join('\n'));
    const { out } = await gradus('interleave', 'test', at('user.jsonl'), '--json');
    expect(JSON.parse(out)).toMatchObject({ impressions: 3, users: 1, winsA: 1, winsB: 0, creditA: 2, creditB: 1 });
  });

  test('names the line that is wrong, and runs without a topic in common', async () => {
    writeFileSync(
      at('bad.jsonl'),
      '{"method":"team-draft","list":["a"],"teams":["A"],"clicked":[]}\n{"method":"team-draft","list":["a"],"teams":["C"],"clicked":[]}\n',
    );
    const { err, status } = await gradus('interleave', 'test', at('bad.jsonl'));
    expect(err).toContain('bad.jsonl:2: expected A or B for each document of the list as "teams"');
    expect(status).toBe(2);
    const none = await gradus('interleave', 'lists', at('a.run'), at('other.run'));
    expect(none.err).toContain('have no topic in common');
    expect(none.status).toBe(2);
  });
});
