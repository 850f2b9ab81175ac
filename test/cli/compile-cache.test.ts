import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runGradus } from '../helpers/run-gradus.js';

const argv = ['as', 'trec_eval', '-m', 'map', 'examples/data/example.qrels', 'examples/data/bm25.run'];
/** The whole line as trec_eval prints it of the bundled files. */
const expected = 'map                   \tall\t0.2800\n';
/** Newer versions of Node remember by themselves, in a place of their own. */
const isOurs = Number(process.versions.node.split('.')[0]) < 22;

let cache: string;
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), 'gradus-cache-'));
});
afterEach(() => rmSync(cache, { recursive: true, force: true }));

function run(env: Record<string, string> = {}): void {
  const { stdout, stderr, status } = runGradus(argv, { env: { XDG_CACHE_HOME: cache, NODE_COMPILE_CACHE: '', ...env } });
  expect({ stdout, stderr, status }).toEqual({ stdout: expected, stderr: '', status: 0 });
}

const folder = (): string => join(cache, 'gradus');
const files = (): string[] => (existsSync(folder()) ? readdirSync(folder()).map((name) => join(folder(), name)) : []);

describe.runIf(isOurs && process.platform === 'linux')('what was compiled', () => {
  test('is kept in one file that nobody else can read, and used the next time', () => {
    run();
    const [file] = files();
    expect(files()).toHaveLength(1);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const before = statSync(file);
    run();
    // nothing was compiled again, so nothing was written
    expect(statSync(file).ino).toBe(before.ino);
  });

  test('grows by what another command needs, the first time that it is used', () => {
    const env = { XDG_CACHE_HOME: cache, NODE_COMPILE_CACHE: '' };
    const sizeAfter = (...words: string[]): number => {
      runGradus(words, { env });
      return statSync(files()[0]).size;
    };
    const first = sizeAfter('--version');
    // this one loads no file that the other has not loaded, or few; it calls other functions of them
    const second = sizeAfter(...argv);
    expect(second).toBeGreaterThan(first + 50_000);
    const { ino } = statSync(files()[0]);
    sizeAfter('--version');
    sizeAfter(...argv);
    sizeAfter('as', 'trec_eval', '-m', 'P', ...argv.slice(4));
    expect(statSync(files()[0]).ino).toBe(ino);
  });

  test('is made again where the file is damaged anywhere, cut off or empty', () => {
    run();
    const [file] = files();
    const whole = readFileSync(file);
    for (const at of [0, 20, 30, 100, whole.length >> 1, whole.length - 1]) {
      const damaged = Buffer.from(whole);
      damaged[at] ^= 4;
      writeFileSync(file, damaged);
      run();
      expect(readFileSync(file).length).toBeGreaterThan(1000);
    }
    for (const length of [0, 10, 30, whole.length - 1]) {
      writeFileSync(file, whole.subarray(0, length));
      run();
      expect(readFileSync(file).length).toBeGreaterThan(1000);
    }
  });

  test('is not taken from a file that others may write', () => {
    run();
    const [file] = files();
    chmodSync(file, 0o666);
    run();
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('of a build that nobody has used for a month is removed', () => {
    mkdirSync(folder());
    const old = join(folder(), '0123456789abcdef-v20.19.0-x64-0.bin');
    const recent = join(folder(), '0123456789abcdee-v20.19.0-x64-0.bin');
    for (const file of [old, recent]) writeFileSync(file, '');
    utimesSync(old, 0, Date.now() / 1000 - 31 * 24 * 3600);
    run();
    expect(existsSync(old)).toBe(false);
    expect(existsSync(recent)).toBe(true);
  });
});

describe('the program runs as ever', () => {
  test('where there is no place for what was compiled', () => {
    run({ XDG_CACHE_HOME: '/dev/null' });
    run({ XDG_CACHE_HOME: '', HOME: '' });
    run({ XDG_CACHE_HOME: 'relative' });
  });

  test('and keeps nothing where Node is told to keep nothing', () => {
    run({ NODE_DISABLE_COMPILE_CACHE: '1' });
    expect(files()).toEqual([]);
  });
});
