import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { plainChunks } from '../../src/formats/source.js';
import { fileSource } from '../../src/node/files.js';
import { launcher, runShell } from '../helpers/run-gradus.js';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gradus-odd-inputs-')));
const run = '1 Q0 a 1 2 tag\n1 Q0 b 2 1 tag\n';
const csv = 'run,measure,value\ntag,AP,1\n';

beforeAll(() => {
  writeFileSync(join(folder, 'qrels'), '1 0 a 1\n1 0 b 0\n');
  writeFileSync(join(folder, 'run'), run);
  writeFileSync(join(folder, 'letor'), '1 qid:1 1:1 # docid=a\n0 qid:1 1:0 # docid=b\n');
  mkdirSync(join(folder, 'folder'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function shell(line: string): { stdout: string; stderr: string; status: number | null } {
  return runShell(line, { cwd: folder });
}

describe('pipes as inputs are opened once', () => {
  test('a named pipe as run and as judgements', () => {
    const line = 'rm -f p q; mkfifo p q; cat run > p & cat qrels > q & timeout 20 ';
    const { stdout, stderr } = shell(`${line} "${process.execPath}" "${launcher}" eval q p -m AP -f csv; wait`);
    expect(stderr).toBe('');
    expect(stdout).toBe(csv);
  });

  test('process substitution, Parquet too', () => {
    expect(shell('gradus eval <(cat qrels) <(gzip -c run) -m AP -f csv').stdout).toBe(csv);
    const parquet = shell('gradus convert run run.parquet && gradus eval qrels <(cat run.parquet) -m AP -f csv');
    expect(parquet.stderr).toBe('');
    expect(parquet.stdout).toContain(',AP,1\n');
  });

  test('an engine says that it needs a file', () => {
    const { stderr, status } = shell('gradus eval qrels <(cat run) -m AP --engine duckdb');
    expect(stderr).toMatch(/^gradus: \/dev\/fd\/\d+: is not a file, and an engine reads files; write it to a file first\n$/);
    expect(status).toBe(2);
  });
});

describe('what is no file of data is named in a sentence', () => {
  test.each([
    ['eval qrels folder', /^gradus: folder: the directory holds no files; name one with runs\n$/],
    ['eval qrels - < folder', /^gradus: standard input: is a directory, expected a file\n$/],
    ['eval qrels - < /dev/null', /^gradus: standard input: holds no lines; expected /],
    ['eval qrels - <&-', /^gradus: standard input: holds no lines; expected /],
    ['eval qrels /dev/null', /^gradus: \/dev\/null: holds no lines; expected /],
    ['eval qrels missing', /^gradus: missing: cannot be read: no such file or directory\n$/],
    ['eval qrels run/below', /^gradus: run\/below: cannot be read: a part of the path is not a directory\n$/],
    ['score folder letor', /^gradus: folder: is a directory, expected a file\n$/],
    ['score letor folder', /^gradus: (letor|folder): /],
    ['compare --scores folder', /^gradus: folder: is a directory, expected a file\n$/],
    ['train linear-regression --train folder --model m', /^gradus: folder: is a directory, expected a file\n$/],
    ['train linear-regression --train letor --feature-names folder --model m', /^gradus: folder: is a directory, expected a file\n$/],
    ['fuse run folder', /^gradus: folder: the directory holds no files; name one with runs\n$/],
    ['report qrels folder', /^gradus: folder: the directory holds no files; name one with runs\n$/],
    ['gate qrels folder run', /^gradus: folder: is a directory, expected a file\n$/],
  ])('gradus %s', (line, message) => {
    const { stdout, stderr, status } = shell(`gradus ${line}`);
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stdout).toBe('');
    expect(status).toBe(2);
  });

  test('files of no size, as in /proc, are read to their end', () => {
    const { stderr, status } = shell('gradus eval qrels /proc/self/environ');
    expect(stderr).toMatch(/^gradus: \/proc\/self\/environ:1: /);
    expect(status).toBe(2);
  });
});

describe('a file that another program changes while it is read', () => {
  const lines = run.repeat(100_000);

  test.each([
    ['grows', (path: string) => appendFileSync(path, '2 Q0 a'), 'grew while it was read; try again when it is complete'],
    ['shrinks', (path: string) => truncateSync(path, 2_000_000), 'became shorter while it was read'],
  ])('%s', async (_, change, message) => {
    const path = join(folder, 'changing');
    writeFileSync(path, lines);
    const chunks = plainChunks(fileSource(path));
    const readAll = async (): Promise<void> => {
      let isFirst = true;
      for await (const chunk of chunks) {
        expect(chunk.length).toBeGreaterThan(0);
        if (isFirst) change(path);
        isFirst = false;
      }
    };
    await expect(readAll()).rejects.toThrow(`${path}: ${message}`);
  });

  test('is refused by the reader that never holds a run in memory', async () => {
    const path = join(folder, 'long.run');
    const topics = Array.from({ length: 400_000 }, (_, topic) => `${topic} Q0 a 1 2 tag\n`);
    writeFileSync(path, topics.join(''));
    const preload = join(folder, 'preload.cjs');
    // another program adds a line as soon as this one has begun
    writeFileSync(
      preload,
      `const fs = require('node:fs'); const { readSync } = fs; let count = 0;
       fs.readSync = (...args) => { if (args[4] > 3_000_000 && count++ === 0) fs.appendFileSync(${JSON.stringify(path)}, '999999 Q0 b 1 1 tag\\n'); return readSync(...args); };`,
    );
    const argv = ['--require', preload, launcher, 'eval', 'qrels', path, '-m', 'AP', '--threads', '1'];
    const child = spawn(process.execPath, argv, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    let words = '';
    child.stderr.on('data', (text) => {
      words += text;
    });
    const [status] = await once(child, 'close');
    expect(words).toContain(`${path}: grew while it was read`);
    expect(status).toBe(2);
  });
});
