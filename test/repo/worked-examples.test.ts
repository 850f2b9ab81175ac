import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../helpers/run-gradus.js';

test('the page of worked examples, its rankings and its pictures are what the script makes of them today', () => {
  const script = join(repository, 'scripts/build-worked-examples.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  expect([stderr, status]).toEqual(['', 0]);
}, 120_000);
