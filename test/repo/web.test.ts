import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../helpers/run-gradus.js';

test('npm run build --workspace web makes a page that needs no server of its own', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gradus-web-'));
  try {
    const vite = join(repository, 'node_modules/vite/bin/vite.js');
    const { stderr, status } = spawnSync(process.execPath, [vite, 'build', '--outDir', folder, '--emptyOutDir', '--logLevel', 'error'], {
      cwd: join(repository, 'web'),
      encoding: 'utf8',
    });
    expect([stderr, status]).toEqual(['', 0]);
    const page = readFileSync(join(folder, 'index.html'), 'utf8');
    // addresses relative to the page work from any folder
    expect(page).toMatch(/src="\.\/assets\//);
    const scripts = readdirSync(join(folder, 'assets')).filter((name) => name.endsWith('.js'));
    expect(scripts.some((name) => readFileSync(join(folder, 'assets', name), 'utf8').includes('nDCG'))).toBe(true);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
