import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.js';
import { CapturedContext } from '../helpers/captured-context.js';
import { runShell } from '../helpers/run-gradus.js';

const golden = fileURLToPath(new URL('../golden/letor/', import.meta.url));
const testSet = `${golden}data/edge2_l4/test.txt`;
const predictions = `${golden}data/edge2_l4/pred.A.txt`;

async function explain(...argv: string[]): Promise<{ out: string; err: string; status: number }> {
  const context = new CapturedContext();
  const status = await main(['explain', ...argv], context);
  return { out: context.stdout.text, err: context.stderr.text, status };
}

describe('gradus explain', () => {
  test('gives each tool the value that the tool itself printed, at every cutoff', async () => {
    // tool, then nDCG@1 to nDCG@10, as the real programs printed them
    const [, ...rows] = readFileSync(`${golden}crosstool_edge2_A.tsv`, 'utf8').trim().split('\n');
    const recorded = (start: string): string[] =>
      rows
        .find((row) => row.startsWith(start))
        ?.split('\t')
        .slice(1) ?? [];
    const cutoffs = Array.from({ length: 10 }, (_, i) => i + 1);
    const tools = { letor2: 'LETOR 1/2', letor3: 'LETOR 3.0', letor4: 'LETOR 4.0', mslr: 'MSLR', yahoo: 'Yahoo', 'ranklib@2.8': 'RankLib' };
    const { out, status } = await explain(
      testSet,
      predictions,
      '--as',
      Object.keys(tools).join(','),
      '-m',
      cutoffs.map((k) => `nDCG@${k}`).join(' '),
      '--json',
    );
    expect(status).toBe(0);
    const { values } = JSON.parse(out) as { values: { convention: string; measure: string; value: number }[] };
    for (const [convention, start] of Object.entries(tools)) {
      const found = cutoffs.map(
        (k) => values.find((entry) => entry.convention === convention && entry.measure === `nDCG@${k}`)?.value ?? Number.NaN,
      );
      for (const [i, expected] of recorded(start).entries())
        expect(found[i], `${convention} nDCG@${i + 1}`).toBeCloseTo(Number(expected), 4);
      expect(recorded(start)).toHaveLength(10);
    }
  });

  test('says in a sentence which rule makes the difference', async () => {
    const { out } = await explain(testSet, predictions, '--as', 'ranklib,yahoo');
    expect(out).toContain(
      'yahoo is 0.2000 higher than ranklib@2.8 on nDCG@10 because 3 of 15 queries have no relevant document and count as 1 instead of 0.',
    );
  });

  test('takes a test set from a pipe', () => {
    const { stdout, status } = runShell(`cat '${testSet}' | gradus explain - '${predictions}' --as ranklib,letor4 -f csv`);
    expect(status).toBe(0);
    expect(stdout).toContain('short lists,-0.3852110468');
  });

  test('asks for two conventions, and names those there are', async () => {
    const { err, status } = await explain(testSet, predictions, '--as', 'yahoo');
    expect(status).toBe(2);
    expect(err).toContain('--as needs two conventions or more');
    expect(err).toContain('letor4');
  });
});
