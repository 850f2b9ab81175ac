import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { optimiseLate, USUAL_BUDGET } from './late-optimising.js';

const isNode20 = process.versions.node.startsWith('20.');

describe('optimiseLate', () => {
  test('knows the V8 of Node 20, and leaves others alone', async () => {
    const late = optimiseLate();
    expect(late !== undefined).toBe(isNode20);
    await late?.close();
  });

  test.runIf(isNode20)('sets back what Node 20 says is its own', () => {
    const { stdout } = spawnSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
    expect(/default: --interrupt-budget=(\d+)/.exec(stdout)?.[1]).toBe(String(USUAL_BUDGET));
  });
});
