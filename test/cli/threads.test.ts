import type { SpawnSyncReturns } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seededRandom } from '../../src/core/numbers/random.js';
import { launcher, repository, runShell } from '../helpers/run-gradus.js';

const folder = mkdtempSync(join(tmpdir(), 'gradus-cli-threads-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Commands that divide their work, each in a way of its own, and each large enough that it pays. */
const commands = {
  eval: 'gradus eval large.qrels large.run -m "AP nDCG@10" --per-topic',
  'as trec_eval': 'gradus as trec_eval -q -m map -m ndcg large.qrels large.run',
  compare: 'gradus compare --scores scores.csv --test randomized-tukey --resamples 400000 -f csv',
  train: 'gradus train lambdamart --train features.txt --trees 3 --leaves 8 --model model.json && cat model.json',
  'as ranklib': 'gradus as ranklib -train features.txt -ranker 0 -tree 3 -leaf 8 -save model.txt && cat model.txt',
};
type Name = keyof typeof commands;
const names = Object.keys(commands) as Name[];

/** The command with this many threads; those that have no option for it use all cores. */
function withThreads(name: Name, threads: number): string {
  if (name === 'as trec_eval') return commands[name];
  const option = name === 'as ranklib' ? `-thread ${threads}` : `--threads ${threads}`;
  const [first, ...rest] = commands[name].split(' && ');
  return [`${first} ${option}`, ...rest].join(' && ');
}

beforeAll(() => {
  const random = seededRandom(5);
  const topics = Array.from({ length: 900 }, (_, t) => `t${t}`);
  const doc = (t: number, rank: number): string => `document-${(t * 7919 + rank * 104_729) % 1_000_003}`;
  const run = topics.map((topic, t) =>
    Array.from({ length: 800 }, (_, rank) => `${topic} Q0 ${doc(t, rank)} ${rank + 1} ${800 - rank} system\n`).join(''),
  );
  const judged = topics.map((topic, t) => Array.from({ length: 20 }, () => `${topic} 0 ${doc(t, random.below(900))} 1\n`));
  writeFileSync(join(folder, 'large.run'), run.join(''));
  writeFileSync(join(folder, 'large.qrels'), judged.flatMap((lines) => [...new Set(lines)]).join(''));
  const row = (i: number): string =>
    `${random.below(4)} qid:${i >> 5} ${Array.from({ length: 70 }, (_, k) => `${k + 1}:${random.float().toFixed(3)}`).join(' ')}\n`;
  // smaller sets are learnt from by one thread
  writeFileSync(join(folder, 'features.txt'), Array.from({ length: 32_000 }, (_, i) => row(i)).join(''));
  const scores = Array.from({ length: 100 }, (_, t) => `${t},${Array.from({ length: 6 }, () => random.float().toFixed(4)).join(',')}\n`);
  writeFileSync(join(folder, 'scores.csv'), `topic,a,b,c,d,e,f\n${scores.join('')}`);
});

/** A program that waits for a dead thread would wait for ever, and would not notice any other signal. */
const killable = (path: string): string => `gradus() { timeout -s KILL 50 "${process.execPath}" "${path}" "$@"; }`;
const run = (line: string, env: Record<string, string> = {}, program = launcher): SpawnSyncReturns<string> =>
  runShell(`${killable(program)}\n${line}`, { cwd: folder, env });

describe('the same input gives the same bytes', () => {
  test.each(names.filter((name) => name !== 'as trec_eval'))('%s: with 1, 2, 3, 7 and 64 threads', (name) => {
    const alone = run(withThreads(name, 1));
    expect(alone.status).toBe(0);
    expect(alone.stdout.length).toBeGreaterThan(1000);
    for (const threads of [2, 3, 7, 64]) {
      const several = run(withThreads(name, threads));
      expect(several.status).toBe(0);
      expect(several.stdout === alone.stdout, `${threads} threads`).toBe(true);
    }
  });
});

describe('where few files may be open', () => {
  test.each(names)('%s works with fewer threads', (name) => {
    const usual = run(withThreads(name, 1));
    for (const limit of [32, 20]) {
      const limited = run(`ulimit -n ${limit} && ${withThreads(name, 64)}`);
      expect(limited.stderr.replace(/[\d.]+ s\b/g, ''), `${limit} files`).toBe(usual.stderr.replace(/[\d.]+ s\b/g, ''));
      expect(limited.stdout === usual.stdout, `${limit} files`).toBe(true);
      expect(limited.status).toBe(0);
    }
  });

  test('with too few for the program itself a sentence says what to do', () => {
    const line = 'gradus eval large.qrels large.run -m AP';
    const refusals = [19, 18].map((limit) => run(`ulimit -n ${limit} && ${line}`)).filter(({ status }) => status !== 0);
    for (const { stderr, status } of refusals) {
      // with still fewer Node does not start
      if (status === 2) expect(stderr).toMatch(/^gradus: .*too many files are open/);
      expect(status).not.toBe(70);
    }
    expect(run(`ulimit -n 256 && ${line}`).status).toBe(0);
  });
});

/** Code that is loaded before anything else, in every thread. Every kind of work that is divided takes a share by adding to a
 *  counter: the thread dies when it has done so. */
function hook(death: string): string {
  const path = join(folder, 'hook.cjs');
  writeFileSync(
    path,
    `if (!require('node:worker_threads').isMainThread) {
      const add = Atomics.add;
      Atomics.add = (...values) => {
        const before = add(...values);
        ${death};
        return before;
      };
    }`,
  );
  return path;
}

describe('a thread that dies', () => {
  const divided = names.filter((name) => name !== 'as trec_eval');
  test.each(divided)('%s says that it ended', (name) => {
    const { stderr, status } = run(withThreads(name, 3), { NODE_OPTIONS: `--require ${hook('process.exit(9)')}` });
    expect(stderr).toMatch(/gradus: a thread ended .*before its work was done; try again, with fewer threads if it happens again\n$/);
    expect(status).toBe(2);
  });

  test.each(divided)('%s says that it ran out of memory', (name) => {
    const endless = 'for (const hog = []; ; ) hog.push(new Array(1e5).fill({}))';
    const { stderr, status } = run(withThreads(name, 3), { NODE_OPTIONS: `--max-old-space-size=120 --require ${hook(endless)}` });
    expect(stderr).toMatch(
      /gradus: a thread (ran out of memory|ended suddenly) before its work was done; (let Node take more, |try again)/,
    );
    expect(stderr).not.toContain('    at ');
    expect(status).toBe(2);
  });

  test('a defect in a thread is reported as one', () => {
    const { stderr, status } = run(withThreads('eval', 3), { NODE_OPTIONS: `--require ${hook('throw new TypeError("oh")')}` });
    expect(stderr).toMatch(/^gradus: internal error: TypeError: oh; .*\n$/);
    expect(status).toBe(70);
  });

  test.each([
    ['eval', 'team-worker.js'],
    ['eval', 'stream-worker.js'],
    ['compare', 'resample-worker.js'],
    ['train', 'letor-worker.js'],
    ['train', 'tree-worker.js'],
  ] as const)('%s without %s names the file, and one thread works as it suggests', (name, missing) => {
    const copy = join(folder, `without-${missing}`);
    for (const part of ['bin', 'dist/bin']) cpSync(join(repository, part), join(copy, part), { recursive: true });
    mkdirSync(join(copy, 'dist'), { recursive: true });
    cpSync(join(repository, 'package.json'), join(copy, 'package.json'));
    rmSync(join(copy, 'dist/bin', missing));
    const program = join(copy, 'bin/gradus.js');
    const { stderr, status } = run(withThreads(name, 2), {}, program);
    const path = join(copy, 'dist/bin', missing);
    expect(stderr).toBe(
      `gradus: ${path}: this part of Gradus is missing, and without it no further thread can be started; install Gradus again, or use one thread\n`,
    );
    expect(status).toBe(2);
    expect(run(withThreads(name, 1), {}, program).status).toBe(0);
  });
});
