import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { repository, runShell } from '../helpers/run-gradus.js';

const hook = fileURLToPath(new URL('../helpers/thread-faults.cjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'gradus-thread-faults-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Commands whose threads read parts of one file, each with the file that they divide. */
const commands = {
  eval: ['gradus eval large.qrels large.run -m "AP nDCG@10" -q --threads 3', 'large.run'],
  'as trec_eval': ['gradus as trec_eval -q -m map -m ndcg large.qrels large.run', 'large.run'],
  train: [
    'gradus train linear-regression --train features.txt --model model.json --quiet --threads 3 && sed /trained/d model.json',
    'features.txt',
  ],
} as const;
type Name = keyof typeof commands;

beforeAll(() => {
  const lines = (topic: number): string =>
    Array.from(
      { length: 1000 },
      (_, rank) => `t${topic} Q0 document-${(topic * 7919 + rank * 17) % 100_003} ${rank} ${-rank} system\n`,
    ).join('');
  writeFileSync(join(folder, 'large.run'), Array.from({ length: 700 }, (_, topic) => lines(topic)).join(''));
  writeFileSync(
    join(folder, 'large.qrels'),
    Array.from({ length: 700 }, (_, topic) => `t${topic} 0 document-${(topic * 7919 + (topic % 97) * 17) % 100_003} 1\n`).join(''),
  );
  const row = (i: number): string =>
    `${(i * 7) % 4} qid:${i >> 5} ${Array.from({ length: 15 }, (_, k) => `${k + 1}:${((i * (k + 3) * 31) % 1009) / 1000}`).join(' ')}\n`;
  writeFileSync(join(folder, 'features.txt'), Array.from({ length: 40_000 }, (_, i) => row(i)).join(''));
});

const usual = new Map<Name, string>();
function usualOutput(name: Name): string {
  const known = usual.get(name);
  if (known !== undefined) return known;
  const { status, stdout } = runShell(commands[name][0], { cwd: folder });
  expect(status).toBe(0);
  expect(stdout.length).toBeGreaterThan(100);
  usual.set(name, stdout);
  return stdout;
}

interface Fault {
  readonly way: string;
  readonly n: number;
  readonly lasting?: boolean;
}

function runWithFault(line: string, fault: Fault): { status: number | null; stdout: string; stderr: string; numFaults: number } {
  const log = join(folder, 'faults.log');
  rmSync(log, { force: true });
  rmSync(join(folder, 'model.json'), { force: true });
  const { status, stdout, stderr } = runShell(line, {
    cwd: folder,
    env: { NODE_OPTIONS: `--require ${hook}`, GRADUS_FAULT: JSON.stringify({ ...fault, log }) },
  });
  const numFaults = existsSync(log) ? readFileSync(log, 'utf8').split('\n').length - 1 : 0;
  return { status, stdout, stderr, numFaults };
}

const names = Object.keys(commands) as Name[];

describe.each(names)('%s, where a thread cannot read its part', (name) => {
  test.each([
    { way: 'EIO', n: 2 },
    { way: 'EMFILE', n: 1 },
    { way: 'EIO', n: 1, lasting: true },
  ])('$way at read $n, lasting: $lasting, the answer is whole, or a sentence names the file', (fault) => {
    const { status, stdout, stderr, numFaults } = runWithFault(commands[name][0], fault);
    expect(numFaults).toBeGreaterThan(0);
    if (status === 0) expect(stdout === usualOutput(name)).toBe(true);
    else {
      expect(stderr).toMatch(new RegExp(`^(gradus|gradus as \\w+): ${commands[name][1].replace('.', '\\.')}: cannot be read: [^\\n]+\\n$`));
      expect(stdout).toBe('');
      expect(status).toBe(2);
    }
  });

  test('reads that give less than was asked for change nothing', () => {
    const { status, stdout, numFaults } = runWithFault(commands[name][0], { way: 'short', n: 1, lasting: true });
    expect(numFaults).toBeGreaterThan(1);
    expect(stdout === usualOutput(name)).toBe(true);
    expect(status).toBe(0);
  });
});

test('what a thread refuses is reported as one thread reports it', () => {
  writeFileSync(join(folder, 'five.qrels'), readFileSync(join(folder, 'large.qrels'), 'utf8').replaceAll(/1$/gm, '5'));
  const line = 'gradus eval five.qrels large.run -m ERR --threads';
  const alone = runShell(`${line} 1`, { cwd: folder });
  expect(alone.stderr).toMatch(/^gradus: grade 5 is above the top of the scale, which is 4; .*\n$/);
  const several = runWithFault(`${line} 3`, { way: 'none', n: 0 });
  expect(several).toMatchObject({ status: 2, stdout: '', stderr: alone.stderr });
});

test('a process that ends before its answer does not call that a success', () => {
  const never = join(folder, 'never.cjs');
  writeFileSync(never, "require('node:worker_threads').Worker.prototype.terminate = () => new Promise(() => {});");
  const { status } = runShell(commands.eval[0], { cwd: folder, env: { NODE_OPTIONS: `--require ${never}` } });
  expect(status).toBe(70);
});

test('a part of the program that a thread cannot read is named', () => {
  const part = join(folder, 'part.mjs');
  writeFileSync(part, "throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO', syscall: 'read' });");
  const program = join(folder, 'program.mjs');
  writeFileSync(
    program,
    `import { createTeam } from '${repository}dist/node/index.js';
     try { await createTeam(2).run(new URL('file://${part}'), 1); } catch (error) { console.log(error.name + ': ' + error.message); }`,
  );
  expect(runShell(`"${process.execPath}" program.mjs`, { cwd: folder }).stdout).toBe(
    `InputError: ${part}: cannot be read: input/output error\n`,
  );
});
