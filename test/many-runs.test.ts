import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seededRandom, shuffleInPlace } from '../src/core/numbers/random.js';
import { runGradus } from './helpers/run-gradus.js';

/** Enough runs of enough text to be divided among threads: some in order, some scattered. */
const NUM_RUNS = 12;
const NUM_TOPICS = 60;
const DEPTH = 250;
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gradus-runs-'));
  const random = seededRandom(20);
  const topics = Array.from({ length: NUM_TOPICS }, (_, t) => `topic-${t}`);
  writeFileSync(join(folder, 'qrels'), topics.map((topic) => `${topic} 0 doc-7 2\n${topic} 0 doc-40 1\n`).join(''));
  for (let r = 0; r < NUM_RUNS; r++) {
    const lines = topics.flatMap((topic) =>
      Array.from({ length: DEPTH }, (_, d) => `${topic} Q0 doc-${d} ${d} ${random.below(1_000_000)} system-${r}-of-a-name-that-is-long\n`),
    );
    if (r % 3 === 1) shuffleInPlace(random, lines);
    writeFileSync(join(folder, `${r}.run`), lines.join(''));
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

const runs = (): string[] => readdirSync(folder).filter((name) => name.endsWith('.run'));
const evaluated = (threads: number, files: readonly string[], env: Record<string, string> = {}) => {
  const { stdout, stderr, status } = runGradus(['eval', 'qrels', ...files, '-q', '-f', 'csv', '--wide', '--threads', String(threads)], {
    cwd: folder,
    env,
  });
  return { stdout, stderr, status };
};

test('many runs have the same scores, in the order of the arguments, whoever reads which', () => {
  const files = runs().reverse();
  const alone = evaluated(1, files);
  expect(alone.status).toBe(0);
  const [, first, ...others] = alone.stdout.trimEnd().split('\n');
  expect(first).toMatch(/^system-9-/);
  expect(others).toHaveLength(NUM_RUNS * NUM_TOPICS - 1);
  for (const threads of [2, 5, 40]) expect(evaluated(threads, files)).toEqual(alone);
});

test.each([
  ['a bad line', 'topic-1 Q0 a 1 x t\n'],
  ['a document twice', 'topic-1 Q0 a 1 1 t\ntopic-1 Q0 a 2 0.5 t\n'],
  ['other topics', 'other Q0 a 1 1 t\n'],
  ['nothing', ''],
])('the first file that is wrong is named, whoever finds it: %s', (_, content) => {
  const wrong = ['m.txt', 'n.txt'];
  for (const name of wrong) writeFileSync(join(folder, name), content);
  const files = [...runs().slice(0, 6), ...wrong, ...runs().slice(6)];
  const alone = evaluated(1, files);
  expect(alone.status).toBe(2);
  expect(alone.stderr).toContain('m.txt');
  expect(evaluated(4, files)).toEqual(alone);
});
