import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { letorCases, letorFolder } from '../helpers/letor-golden.js';
import { runGradus } from '../helpers/run-gradus.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gradus-letor-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const cases = letorCases();

/** Runs a recorded case through the real program; `prefix` is what stands before the tool's own arguments. */
function runCase(
  id: string,
  prefix: readonly string[],
  cwd = 'data',
): { status: number | null; stdout: string; written: string | undefined } {
  const golden = cases.find((candidate) => candidate.id === id);
  if (golden === undefined) throw new Error(`no case ${id}`);
  const out = join(folder, id.replaceAll('/', '_'));
  const args = golden.args.split(' ').filter((word) => word !== '');
  const own = args.map((word) => word.replace('@OUT', out).replace(/^k=/, '-k'));
  const { status, stdout } = runGradus(['as', ...prefix, ...own], { cwd: join(letorFolder, cwd) });
  expect(status).toBe(golden.exitCode);
  return { status, stdout, written: existsSync(out) ? readFileSync(out, 'latin1') : undefined };
}

describe('gradus as: the tools of learning to rank', () => {
  test.each([
    ['letor2/edge2_l3.A.flag1', ['letor2', 'score']],
    ['letor3/edge2_l3.A.flag1', ['letor3', 'score']],
    ['letor3rank/edge2_l3.A.flag1', ['letor3', 'rank']],
    ['letor4/edge2_l4.A.flag1', ['letor4', 'score']],
    ['letor4/odd.feat_crlf', ['letor4', '--strict', 'score']],
    ['mslr/edge4_mslr.A.flag1', ['mslr', 'score']],
    ['mslr/odd.feat_empty', ['mslr', 'score']],
    ['ranklib/2.8.edge2_l4.ca.idv.NDCG@5', ['ranklib']],
    ['ranklib/2.8.edge2_l4.rank_indri', ['ranklib@2.8']],
  ])('%s', (id, prefix) => {
    const golden = cases.find((candidate) => candidate.id === id);
    const { stdout, written } = runCase(id, prefix);
    expect(written).toBe(golden?.written);
    if (golden?.printed !== undefined) expect(stdout).toBe(golden.printed);
  });

  test('yahoo prints to the terminal', () => {
    expect(runCase('yahoo/edge2_l4.A', ['yahoo']).stdout).toBe(cases.find(({ id }) => id === 'yahoo/edge2_l4.A')?.printed);
    expect(runCase('yahoo/odd.dup', ['yahoo']).stdout).toBe('AssertionError: Not all ranks present at line 1.\n');
  });

  test('the t-test writes a table', () => {
    const { written } = runCase('ttest4/edge2_l4.AB', ['letor4', 'ttest'], '.');
    expect(written?.split('\n')).toHaveLength(27);
  });

  test('an output that cannot be written is not noticed, as in the original', () => {
    const { status, stdout, stderr } = runGradus(
      ['as', 'letor3', 'score', 'odd/l3/ok.txt', 'odd/l3/ok.pred', join(folder, 'no', 'such'), '1'],
      {
        cwd: join(letorFolder, 'data'),
      },
    );
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  test('RankLib without a file to test says what is missing', () => {
    const { status, stdout } = runGradus(['as', 'ranklib', '-metric2T', 'NDCG@10']);
    expect(status).toBe(1);
    expect(stdout).toContain('neither -test nor -rank');
  });
});
