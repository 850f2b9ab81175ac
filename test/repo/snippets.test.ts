import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { repository } from '../helpers/run-gradus.js';

const scripts = readdirSync(join(repository, 'examples')).filter((name) => name.endsWith('.mjs'));

describe('documentation', () => {
  test('shows what its snippets print, and they have the right types', () => {
    const { stderr, status } = spawnSync(process.execPath, ['scripts/snippets.mjs', '--check'], { cwd: repository, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  }, 180_000);

  test('has no page without a snippet that is run, except those that explain the repository', () => {
    for (const page of ['README.md', 'docs/getting-started.md', 'docs/library.md', 'docs/command-line.md']) {
      expect([page, /```(console|ts)\n/.test(readFileSync(join(repository, page), 'utf8'))]).toEqual([page, true]);
    }
  });
});

describe('examples', () => {
  test.each(scripts)('%s prints what it says it prints', (name) => {
    const source = readFileSync(join(repository, 'examples', name), 'utf8');
    const promised = [...source.matchAll(/^\/\/ > ?(.*)$/gm)].map((match) => match[1]);
    expect(promised.length).toBeGreaterThan(0);
    const { stdout, stderr } = spawnSync(process.execPath, [join('examples', name)], { cwd: repository, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(stdout.trimEnd().split('\n')).toEqual(promised);
  });
});
