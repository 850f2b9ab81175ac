import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { findPython, noPython } from '../../scripts/python.mjs';
import { repository } from '../helpers/run-gradus.js';

const python = findPython();

test.runIf(python !== undefined)(
  'npm run test:python: the wheel, installed into a clean environment, passes its tests',
  { timeout: 300_000 },
  () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/test-python.mjs'], { cwd: repository, encoding: 'utf8' });
    expect(status, `${stdout}\n${stderr}`).toBe(0);
    // unittest counts on standard error
    expect(stderr).toMatch(/Ran \d\d+ tests/);
  },
);

test.runIf(python === undefined)(`npm run test:python says that ${noPython}`, () => {
  const { status, stdout } = spawnSync(process.execPath, ['scripts/test-python.mjs'], { cwd: repository, encoding: 'utf8' });
  expect(status).toBe(0);
  expect(stdout).toContain(noPython);
});
