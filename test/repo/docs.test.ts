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

/** As GitHub makes them of headings. */
function anchors(text: string): string[] {
  return [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, title]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-'),
  );
}

describe('documentation', () => {
  test('is more than a readme', () => {
    expect(pages.length).toBeGreaterThan(5);
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

  test('the reference is as the source would make it', () => {
    const { stderr, status } = spawnSync(process.execPath, ['scripts/generate-docs.mjs', '--check'], { cwd: repository, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });
});
