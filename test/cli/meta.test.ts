import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runGradus } from '../helpers/run-gradus.js';

const folder = mkdtempSync(join(tmpdir(), 'gradus-meta-'));
afterAll(() => rmSync(folder, { recursive: true }));

const qrels = 'examples/data/example.qrels';
const runs = ['bm25', 'neural', 'hybrid'].map((name) => `examples/data/${name}.run`);

describe('gradus meta', () => {
  it('power: JSON with the level of every pair, the same each time, and a picture', () => {
    const chart = join(folder, 'asl.svg');
    const args = ['meta', 'power', qrels, ...runs, '-m', 'AP', '-m', 'RR', '--json', '--resamples', '200', '--quiet', '--chart', chart];
    const first = runGradus(args);
    expect(first.status).toBe(0);
    const { pairs, measures } = JSON.parse(first.stdout);
    expect(pairs).toBe(3);
    for (const { levels, significant } of measures) {
      expect(levels).toHaveLength(3);
      expect(significant).toBe(levels.filter((level: number) => level < 0.05).length);
    }
    expect(runGradus(args).stdout).toBe(first.stdout);
    expect(readFileSync(chart, 'utf8')).toContain('achieved significance level');
  });

  it('informativeness: a row for each measure, all problems solved', () => {
    const { status, stdout } = runGradus([
      'meta',
      'informativeness',
      qrels,
      ...runs,
      '-m',
      'AP',
      '-m',
      'nDCG',
      '--json',
      '--quiet',
      '--min-per-grade',
      '1',
      '--depth',
      '40',
    ]);
    const words = status === 0 ? JSON.parse(stdout) : { lists: 0, measures: [] };
    expect(status).toBe(0);
    expect(words.lists).toBeGreaterThan(0);
    expect(words.largestResidual).toBeLessThan(1e-8);
    expect(words.measures.map(({ measure, unmet }: { measure: string; unmet: number }) => [measure, unmet])).toEqual([
      ['AP', 0],
      ['nDCG', 0],
    ]);
  });

  it('stability: orders, swap rates and runs that were not pooled', () => {
    const { status, stdout } = runGradus([
      'meta',
      'stability',
      qrels,
      ...runs,
      '-m',
      'AP',
      '-m',
      'RR',
      '--pool',
      '10',
      '--json',
      '--quiet',
    ]);
    expect(status).toBe(0);
    const { agreements, swaps, leftOut } = JSON.parse(stdout);
    expect(agreements[0]).toMatchObject({ first: 'AP', second: 'RR', pairs: 3 });
    expect(swaps).toHaveLength(2);
    for (const { before, without } of leftOut) expect(without).toBeLessThanOrEqual(before + 1);
    expect(leftOut).toHaveLength(3);
  });

  it('says which argument is missing, and not what an unknown question needs', () => {
    const { status, stderr } = runGradus(['meta', '--sweep']);
    expect(status).toBe(2);
    expect(stderr).not.toContain('undefined');
    expect(stderr).toContain('QUESTION is missing');
  });

  it('has the options of one question only, and says that one run is not enough', () => {
    const { status, stderr } = runGradus(['meta', 'power', qrels, runs[0], '--sweep']);
    expect(status).toBe(2);
    expect(stderr).toContain('gradus meta power has no option --sweep');
    expect(stderr).toContain('gradus meta power needs two runs or more');
  });

  it.each([
    ['power', ['--test', '--alpha', '--top', '--resamples', '--chart'], ['--depth', '--sweep', '--min-per-grade', '--pool', '--as']],
    [
      'informativeness',
      ['--depth', '--sweep', '--min-per-grade', '--chart'],
      ['--test', '--alpha', '--top', '--pool', '--as', '--resamples', '--seed'],
    ],
    ['stability', ['--pool', '--as', '--resamples', '--seed'], ['--test', '--alpha', '--top', '--depth', '--sweep', '--chart']],
  ])('%s --help shows its own options only', (question, own, others) => {
    for (const words of [
      ['meta', question, '--help'],
      ['meta', '--help', question],
      ['help', 'meta', question],
    ]) {
      const { status, stdout } = runGradus(words);
      expect(status).toBe(0);
      expect(stdout).toContain(`gradus meta ${question} [options] QRELS RUN...`);
      for (const option of own) expect(stdout).toContain(option);
      for (const option of others) expect(stdout).not.toMatch(new RegExp(`${option} `));
    }
  });

  it('takes options before the question, as every command takes them before files', () => {
    const { status, stdout } = runGradus(['meta', '--resamples', '50', '-m', 'AP', 'power', qrels, ...runs, '--json', '--quiet']);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ resamples: 50, measures: [{ measure: 'AP' }] });
  });

  it('suggests the question that was meant', () => {
    const { status, stderr } = runGradus(['meta', 'pwoer', qrels, ...runs]);
    expect(status).toBe(2);
    expect(stderr).toContain('QUESTION: expected one of power, informativeness, stability, found pwoer; did you mean power?');
  });
});
