import { execFileSync, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { repository } from '../helpers/run-gradus.js';

interface Result {
  readonly target: string;
  readonly numCases: number;
  readonly findings: readonly { readonly kind: string; readonly details: string; readonly input: string }[];
}

const script = `${repository}scripts/fuzz.mjs`;
const names = execFileSync(process.execPath, [script, '--list'], { encoding: 'utf8' })
  .trimEnd()
  .split('\n')
  .map((line) => line.split(' ')[0]);

async function fuzz(...options: string[]): Promise<Result[]> {
  const child = spawn(process.execPath, [script, ...options, '--json'], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  for await (const chunk of child.stdout) text += chunk;
  return JSON.parse(text);
}

function findingsOf(results: readonly Result[], name: string): string[] {
  const result = results.find(({ target }) => target === name);
  return (result?.findings ?? []).map(({ kind, details, input }) => `${kind}\n${details}\ninput: ${JSON.stringify(input)}`);
}

describe('fuzzing with a fixed seed', () => {
  let results: Result[] = [];
  beforeAll(async () => {
    results = await fuzz('all', '--fixed');
  }, 900_000);

  test.each(names)('%s: nothing is found in its cases', (name) => {
    expect(results.find(({ target }) => target === name)?.numCases).toBeGreaterThan(0);
    expect(findingsOf(results, name)).toEqual([]);
  });
});

describe('inputs that failed once', () => {
  let results: Result[] = [];
  const folder = `${repository}test/fuzz/corpus`;
  const folders = readdirSync(folder);
  beforeAll(async () => {
    results = await fuzz('all', '--corpus');
  }, 900_000);

  test('each belongs to a target', () => {
    expect(folders.filter((name) => !names.includes(name))).toEqual([]);
  });

  test.each(folders)('%s: all are right now', (name) => {
    expect(results.find(({ target }) => target === name)?.numCases).toBe(readdirSync(`${folder}/${name}`).length);
    expect(findingsOf(results, name)).toEqual([]);
  });
});
