import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { checkMetrics } from '../../scripts/golden/foreign-metrics.mjs';

const folder = fileURLToPath(new URL('../golden/foreign/metrics', import.meta.url));

describe('the numbers of search engines and their tools', () => {
  test('every recorded value is the same under the convention of its tool', async () => {
    const { agreed, total, disagreements } = await checkMetrics(folder);
    expect(disagreements).toEqual([]);
    // 49 rows of core.tsv, 962 of values.tsv, and 4 values for each of 8 pairs
    expect([agreed, total]).toEqual([49 + 962 + 32, 49 + 962 + 32]);
  });

  test('a changed record is reported', async () => {
    const changed = mkdtempSync(join(tmpdir(), 'gradus-'));
    try {
      for (const file of ['scenarios.json', 'core.tsv', 'pairwise.tsv']) {
        const text = readFileSync(join(folder, file), 'utf8');
        writeFileSync(join(changed, file), text.replace('0.8333333333333334', '0.8333333333333335').replace('\t0.46\t', '\t0.47\t'));
      }
      const { agreed, total, disagreements } = await checkMetrics(changed);
      expect(total - agreed).toBe(2);
      expect(disagreements.join('\n')).toContain('precision k=10 on graded is 0.8333333333333335, Gradus has 0.8333333333333334');
      expect(disagreements.join('\n')).toContain('reordered: rbo90 is 0.47, Gradus has 0.46');
    } finally {
      rmSync(changed, { recursive: true });
    }
  });
});
