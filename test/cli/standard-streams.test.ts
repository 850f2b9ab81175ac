import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { launcher, repository, runGradus, runShell } from '../helpers/run-gradus.js';

const files = 'examples/data/example.qrels examples/data/bm25.run';
const printed = runGradus(['eval', ...files.split(' '), '-m', 'AP']).stdout;
const elsewhere = join(tmpdir(), `gradus-streams-${process.pid}.txt`);
afterAll(() => rmSync(elsewhere, { force: true }));

const closed = 'gradus: standard output: cannot write: it is closed; nothing more was written\n';
const full = 'gradus: standard output: cannot write: no space left on the device; nothing more was written\n';

describe('standard output', () => {
  test.each([
    `gradus eval ${files} -m AP`,
    `gradus as trec_eval ${files}`,
    'gradus measures',
    'gradus help',
    'gradus --version',
    'gradus completion bash',
    `gradus convert ${files.split(' ')[1]} - --to csv`,
  ])('%s: closed, it is an error, and so is a full disk', (line) => {
    expect(runShell(`${line} >&-`)).toMatchObject({ status: 2, stderr: closed });
    if (existsSync('/dev/full')) expect(runShell(`${line} > /dev/full`)).toMatchObject({ status: 2, stderr: full });
    expect(runShell(`${line} > /dev/null`)).toMatchObject({ status: 0, stderr: '' });
  });

  test('closed, it is no error where nothing is written to it', () => {
    expect(runShell(`gradus eval ${files} -m AP -o ${elsewhere} >&-`)).toMatchObject({ status: 0, stderr: '' });
    expect(readFileSync(elsewhere, 'utf8')).toBe(printed);
  });

  test('a program that does not want it hears nothing of it being closed', () => {
    const argv = [launcher, 'eval', ...files.split(' '), '-m', 'AP'];
    const { status, stderr } = spawnSync(process.execPath, argv, {
      cwd: repository,
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });

  test('whose reader goes away ends the program quietly', () => {
    expect(runShell('set -o pipefail; gradus measures | head -1')).toMatchObject({ status: 0, stderr: '' });
  });
});

describe('standard error', () => {
  // one note is written: the judgements have topics that the run lacks
  const line = `gradus eval ${files.split(' ')[0]} <(head -20 ${files.split(' ')[1]}) -m AP`;
  test('closed, full or without a reader, it does not keep the result back', () => {
    const usual = runShell(line);
    expect(usual.stderr).toContain('judged topics not answered');
    expect(usual.stdout).toContain('AP');
    for (const where of ['2>&-', '2> /dev/full', '2> >(exit)']) {
      expect(runShell(`${line} ${where}`), where).toMatchObject({ status: 0, stdout: usual.stdout });
    }
  });

  test('full, it does not change the status of bad input', () => {
    expect(runShell('gradus eval nothing.qrels nothing.run 2> /dev/full').status).toBe(2);
  });
});
