import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { repository } from '../helpers/run-gradus.js';

const pages = [
  ...readdirSync(repository).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(repository, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

/** As GitHub makes them of headings: the second of the same letters gets -1, the third -2. */
function anchors(text: string): string[] {
  const seen = new Map<string, number>();
  return [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, title]) => {
    const anchor = title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-');
    const before = seen.get(anchor) ?? 0;
    seen.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  });
}

describe('documentation', () => {
  test('is more than a readme', () => {
    expect(pages.length).toBeGreaterThan(5);
  });

  test('CONTRIBUTING.md names only files and folders that exist', () => {
    const text = readFileSync(join(repository, 'CONTRIBUTING.md'), 'utf8');
    const paths = [...text.matchAll(/`((?:src|test|scripts|docs|web|benchmarks)\/[\w./-]+)`/g)].map((match) => match[1]);
    expect(paths.length).toBeGreaterThan(50);
    // a word in capitals stands for a name
    expect(paths.filter((path) => !existsSync(join(repository, path.replace(/\/[A-Z]+$/, ''))))).toEqual([]);
  });

  test.each(pages)('%s links only to files and headings that exist', (page) => {
    const text = readFileSync(join(repository, page), 'utf8');
    const links = [...text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map((match) => match[1]);
    const broken = links.filter((link) => {
      const [path, anchor] = link.split('#');
      const target = path === '' ? join(repository, page) : resolve(repository, dirname(page), path);
      if (!existsSync(target)) return true;
      return anchor !== undefined && !anchors(readFileSync(target, 'utf8')).includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  test('docs/library.md and the API reference name every entry point of package.json', () => {
    const { exports: doors } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
    const published = Object.keys(doors)
      .filter((door) => door !== './package.json')
      .map((door) => door.replace('.', 'gradus'));
    const library = readFileSync(join(repository, 'docs/library.md'), 'utf8');
    const named = [...library.matchAll(/^\| \[`([^`]+)`\]\(reference\/api\/([^)]+)\) \| \S/gm)];
    expect(named.map(([, door]) => door)).toEqual(published);
    const titles = named.map(([, , page]) => readFileSync(join(repository, 'docs/reference/api', page), 'utf8').split('\n')[0]);
    expect(titles).toEqual(published.map((door) => `# ${door}`));
  });

  test('the reference is as the source would make it', () => {
    const { stderr, status } = spawnSync(process.execPath, ['scripts/generate-docs.mjs', '--check'], { cwd: repository, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });
});
