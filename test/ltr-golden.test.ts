import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { checkLtr } from '../scripts/golden/ltr.mjs';

const folder = fileURLToPath(new URL('golden/ltr', import.meta.url));

describe('recorded models, scores and contributions of other tools', () => {
  test('are the same here, and models written for them give what they give', async () => {
    const { agreed, total, disagreements } = await checkLtr(folder);
    expect(disagreements).toEqual([]);
    expect(agreed).toBe(total);
    expect(total).toBeGreaterThan(80);
  });

  test('a changed record is noticed', async () => {
    const changed = mkdtempSync(join(tmpdir(), 'gradus-'));
    try {
      cpSync(join(folder, 'shap'), join(changed, 'shap'), { recursive: true });
      const file = join(changed, 'shap/lgb-plain.expected.json');
      writeFileSync(file, readFileSync(file, 'utf8').replace('-1.5308306462638608', '-1.5308316462638608'));
      const { disagreements } = await checkLtr(changed);
      expect(disagreements).toEqual(['shap/lgb-plain contributions: number 0 is -1.5308306462638608, expected -1.5308316462638607']);
    } finally {
      rmSync(changed, { recursive: true });
    }
  });
});
