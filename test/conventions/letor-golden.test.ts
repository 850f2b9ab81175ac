import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { letor2, letor3, letor4, mslr } from '../../src/conventions/letor-scripts.js';
import { rankLibVersions } from '../../src/conventions/ranklib-versions.js';
import { runLetor } from '../../src/tools/letor/run-letor.js';
import { runLetorTtest } from '../../src/tools/letor/ttest.js';
import { runRankLib } from '../../src/tools/ranklib/run-ranklib.js';
import { runTrecEval81, runTrecEval81Released } from '../../src/tools/trec-eval-81/run-trec-eval-81.js';
import { runYahoo } from '../../src/tools/yahoo/run-yahoo.js';
import { capturedHost, type LetorCase, letorCases, letorFolder } from '../helpers/letor-golden.js';
import { readFrom, runCaptured } from '../helpers/trec-golden.js';

const cases = letorCases();
const data = join(letorFolder, 'data');
const scripts = { letor2, letor3, letor3rank: letor3, letor4, mslr };

function ofTool(pattern: RegExp): (readonly [string, LetorCase])[] {
  const chosen = cases.filter(({ tool }) => pattern.test(tool));
  expect(chosen.length).toBeGreaterThan(0);
  return chosen.map((golden) => [golden.id, golden] as const);
}

function argsOf({ args }: LetorCase): string[] {
  return args.split(' ').filter((word) => word !== '');
}

describe('evaluation scripts of LETOR and MSLR', () => {
  // Windows line ends are where the two readings differ on purpose
  const differs = new Set(['letor3/odd.feat_crlf', 'letor4/odd.feat_crlf', 'letor3rank/odd.rank_crlf']);

  describe.each([true, false])('strict: %s', (strict) => {
    it.each(ofTool(/^(letor.*|mslr)$/).filter(([id]) => strict || !differs.has(id)))('%s', async (id, golden) => {
      const world = capturedHost(data);
      const script = scripts[golden.tool as keyof typeof scripts];
      const exitCode = await runLetor(script, golden.tool === 'letor3rank' ? 'ranks' : 'scores', argsOf(golden), strict, world.host);
      expect(world.files.get('@OUT')).toBe(golden.written);
      // which of two tied documents is named depends on Perl's hash order
      const comparable = (text: string): string => (id.endsWith('rank_dupmid') ? text.replace(/doc .*/, '') : text);
      expect(comparable(world.stdout)).toBe(comparable(golden.printed ?? ''));
      expect(exitCode).toBe(golden.exitCode);
    });
  });

  it.each([...differs])('%s is read as Windows Perl did unless strict', async (id) => {
    const golden = cases.find((candidate) => candidate.id === id) as LetorCase;
    const world = capturedHost(data);
    const script = scripts[golden.tool as keyof typeof scripts];
    const kind = golden.tool === 'letor3rank' ? 'ranks' : 'scores';
    expect(await runLetor(script, kind, argsOf(golden), false, world.host)).toBe(0);
    const plain = capturedHost(data);
    const plainArgs = argsOf(golden).map((word) => word.replace('rank.crlf', 'rank.ok').replace('crlf.', 'ok.'));
    expect(await runLetor(script, kind, plainArgs, true, plain.host)).toBe(0);
    expect(world.files.get('@OUT')).toBe(plain.files.get('@OUT'));
  });
});

describe('t-test scripts of LETOR and MSLR', () => {
  it.each(ofTool(/^ttest/))('%s', async (_id, golden) => {
    const world = capturedHost(letorFolder);
    const exitCode = await runLetorTtest(golden.tool === 'ttest3' ? 'blocks' : 'table', argsOf(golden), world.host);
    expect(exitCode).toBe(golden.exitCode);
    const rows = (text = ''): string[][] => text.split('\n').map((line) => line.split('\t'));
    const found = rows(world.files.get('@OUT'));
    const expected = rows(golden.written);
    expect(found.length).toBe(expected.length);
    expected.forEach((row, i) => {
      // sums in hash order leave the last digits of means and t to chance; counts and p are compared as text
      for (const column of [2, 3, 4]) {
        const wanted = Number(row[column]);
        if (Number.isNaN(wanted)) continue;
        expect(Math.abs(Number(found[i][column]) - wanted)).toBeLessThanOrEqual(Math.max(1e-9 * Math.abs(wanted), 1e-12));
        found[i][column] = row[column];
      }
      expect(found[i]).toEqual(row);
    });
  });
});

describe("Yahoo's evaluation", () => {
  it.each(ofTool(/^yahoo$/))('%s', async (_id, golden) => {
    const world = capturedHost(data);
    const args = argsOf(golden).map((word) => (word.startsWith('k=') ? `-k${word.slice(2)}` : word));
    const exitCode = await runYahoo(args, world.host);
    expect({ exitCode, stdout: world.stdout }).toEqual({ exitCode: golden.exitCode, stdout: golden.printed });
  });
});

describe('RankLib', () => {
  it.each(ofTool(/^ranklib/))('%s', async (id, golden) => {
    const version = rankLibVersions.find(({ name }) => golden.tool === `ranklib-${name}`);
    if (version === undefined) throw new Error(`no version for ${golden.tool}`);
    const run = async (args: readonly string[]): Promise<ReturnType<typeof capturedHost> & { exitCode: number }> => {
      const world = capturedHost(data);
      const exitCode = await runRankLib(args, version, world.host);
      return { ...world, stdout: world.stdout, exitCode };
    };
    if (golden.args.includes('<m>')) {
      // one run per metric; of each only the result was kept
      for (const line of (golden.printed ?? '').trimEnd().split('\n')) {
        const [metric, result] = line.split('\t');
        const { stdout } = await run(argsOf(golden).map((word) => (word === '<m>' ? metric : word)));
        expect(stdout.trimEnd().split('\n').at(-1)).toBe(result);
      }
      return;
    }
    const world = await run(argsOf(golden));
    expect(world.exitCode).toBe(golden.exitCode);
    expect(world.files.get('@OUT')).toBe(golden.written);
    if (golden.printed === undefined) return;
    if (id === 'ranklib/2.8.edge2_l4.qrel') expect(world.stdout).toBe(golden.printed);
    else {
      // of the console only some lines were kept, those in parentheses without them
      const lines = world.stdout.split(/\n|0\.\.\. /).map((line) => line.replace(/^\((.*)\)$/, '$1'));
      for (const line of golden.printed.trimEnd().split('\n')) expect(lines).toContain(line);
      if (golden.exitCode !== 0) expect(world.stdout).not.toContain('on test data');
    }
  });
});

describe('trec_eval 9.0.7 on the same data', () => {
  it.each(ofTool(/^trec_eval-9\.0\.7$/))('%s', async (_id, golden) => {
    const { exitCode, stdout } = await runCaptured(argsOf(golden), '9.0.7', readFrom(data), {});
    expect({ exitCode, stdout }).toEqual({ exitCode: golden.exitCode, stdout: golden.printed });
  });
});

describe('trec_eval 8.1 with the patch for NDCG', () => {
  it.each(ofTool(/8\.1\+ndcg/))('%s', async (_id, golden) => {
    const world = capturedHost(data);
    expect(await runTrecEval81(argsOf(golden), world.host)).toBe(golden.exitCode);
    expect(world.stdout).toBe(golden.printed);
  });
});

describe('trec_eval 8.1 as it was released', () => {
  it.each(ofTool(/^trec_eval-8\.1$/))('%s', async (_id, golden) => {
    const world = capturedHost(data);
    expect(await runTrecEval81Released(argsOf(golden), world.host)).toBe(golden.exitCode);
    expect(world.stdout).toBe(golden.printed);
  });
});

it('every recorded case is run', () => {
  const covered = /^(letor\d(rank)?|mslr|ttest\d|yahoo|ranklib-.*|trec_eval-9\.0\.7|trec_eval-8\.1(\+ndcg patch)?)$/;
  expect(cases.filter(({ tool }) => !covered.test(tool))).toEqual([]);
  expect(cases).toHaveLength(442);
});
