import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.js';
import { CapturedContext } from '../helpers/captured-context.js';
import { repository } from '../helpers/run-gradus.js';
import { expectRelative, statsGolden } from '../helpers/stats-golden.js';

const data = join(repository, 'examples/data');
const qrels = join(data, 'example.qrels');
const runs = ['bm25', 'neural', 'hybrid'].map((name) => join(data, `${name}.run`));
const golden = statsGolden<{
  tables: { systems: number[][]; allPairs: { pairs: { t: number }[]; corrected: Record<string, number[]> } }[];
}>('comparison.json');
let folder: string;
const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gradus-compare-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function gradus(...argv: string[]): Promise<{ out: string; err: string; status: number }> {
  const context = new CapturedContext();
  const status = await main(argv, context);
  return { out: context.stdout.text, err: context.stderr.text, status };
}

/** A row per topic, a column per system. */
function csvOf(systems: readonly (readonly number[])[], names = systems.map((_, s) => `s${s}`)): string {
  const rows = systems[0].map((_, t) => [`t${t + 1}`, ...systems.map((values) => values[t])].join(','));
  return `${['topic', ...names].join(',')}\n${rows.join('\n')}\n`;
}

interface Pair {
  readonly system: string;
  readonly against: string;
  readonly pValue: number;
  readonly correctedPValue: number;
}

async function pairsOf(...argv: string[]): Promise<Pair[]> {
  const { out, err } = await gradus('compare', ...argv, '--json', '--quiet');
  if (out === '') throw new Error(err);
  return JSON.parse(out).measures[0].pairs;
}

describe('the verdict of gradus compare', () => {
  // 24 topics; the second system is better by 0.1, and on every third topic by 0.2
  const first = Array.from({ length: 24 }, (_, t) => t / 48);
  const second = first.map((value, t) => value + (t % 3 === 0 ? 0.2 : 0.1));

  test('comes first, in the words of every other output, and JSON carries it as data', async () => {
    const file = write('verdict.csv', csvOf([first, second], ['bm25', 'hybrid']));
    const { out } = await gradus('compare', '--scores', file, '-m', 'AP');
    // by hand: the mean is (8 * 0.2 + 16 * 0.1) / 24 = 0.1333, its standard error 0.00983, t(23) 2.0687
    expect(out.split('\n')[0]).toMatch(/^hybrid is better than bm25\. AP is higher by 0\.133 \(95% interval 0\.113 to 0\.154; /);
    const { verdict } = JSON.parse((await gradus('compare', '--scores', file, '-m', 'AP', '--json')).out);
    expect(verdict.state).toBe('better');
    expect(verdict.sentence).toBe('hybrid beats bm25 by +0.133 AP [0.113, 0.154], p < 0.0001; better on 24 of 24 topics, worse on 0');
    const markdown = (await gradus('compare', '--scores', file, '-m', 'AP', '-f', 'md')).out;
    expect(markdown.split('\n')[0]).toMatch(/^\*\*hybrid is better than bm25\.\*\* /);
  });

  test('is left out where the plain table is asked for by its name, and in tables for programs', async () => {
    const file = write('plain.csv', csvOf([first, second], ['bm25', 'hybrid']));
    for (const form of ['table', 'csv', 'tsv']) {
      expect((await gradus('compare', '--scores', file, '-m', 'AP', '-f', form)).out).not.toContain('is better than bm25');
    }
  });

  test('calls systems equivalent within a margin that was set', async () => {
    const near = first.map((value, t) => value + (t % 2 === 0 ? 0.002 : -0.001));
    const file = write('near.csv', csvOf([first, near], ['a', 'b']));
    const { out } = await gradus('compare', '--scores', file, '-m', 'AP', '--margin', '0.02');
    expect(out).toMatch(/^b and a are equivalent within ±0\.02\./);
  });

  test('says what runs depend on: judgements, equal scores and answers', async () => {
    const { out } = await gradus('compare', qrels, ...runs, '-m', 'nDCG@10');
    for (const words of ['Few topics.', 'Topics are missing.', 'Unjudged documents do not matter.', 'Equal scores do not matter.']) {
      expect(out).toContain(words);
    }
  });
});

describe('gradus compare', () => {
  test('gives the p-values of scipy and statsmodels for a topic x system table', async () => {
    const { systems, allPairs } = golden.tables[1];
    const file = write('scores.csv', csvOf(systems));
    const pairs = await pairsOf('--scores', file, '--correction', 'fdr_bh');
    for (const [i, { pValue, correctedPValue }] of pairs.entries()) {
      expectRelative(pValue, allPairs.pairs[i].t, 1e-9, 'p');
      expectRelative(correctedPValue, allPairs.corrected.bh[i], 1e-9, 'corrected');
    }
    expect(pairs.length).toBe(allPairs.pairs.length);
  });

  test('gives the same for runs, and for their stored scores in every form', async () => {
    const direct = await pairsOf(qrels, ...runs, '-m', 'nDCG@10');
    const stored = join(folder, 'stored.json');
    await gradus('eval', qrels, ...runs, '-m', 'nDCG@10', '-q', '--json', '-o', stored, '--quiet');
    expect(await pairsOf('--scores', stored)).toEqual(direct);
    // trec_eval's lines are one run per file, rounded here to as many decimals as doubles have
    const files: string[] = [];
    for (const run of runs) {
      const { out } = await gradus('eval', qrels, run, '-m', 'ndcg_cut.10', '-q', '-f', 'trec', '-p', '17', '--quiet');
      files.push('--scores', write(`lines${files.length}`, out));
    }
    const lines = await pairsOf(...files, '-m', 'nDCG@10');
    for (const [i, pair] of lines.entries()) expectRelative(pair.pValue, direct[i].pValue, 1e-9, 'p');
    const csv = await gradus('eval', qrels, ...runs, '-m', 'nDCG@10', '-q', '-f', 'csv', '-p', '17', '--quiet');
    for (const [i, pair] of (await pairsOf('--scores', write('long.csv', csv.out))).entries()) {
      expectRelative(pair.pValue, direct[i].pValue, 1e-9, 'p');
    }
  });

  test('shows means with letters, pairs, notes and the methods', async () => {
    const { out, err, status } = await gradus('compare', qrels, ...runs, '-m', 'nDCG@10');
    expect(status).toBe(0);
    expect(err).toBe('');
    expect(out).toMatch(/^a ▌ hybrid {2}0\.7751ᵇᶜ/m);
    expect(out).toContain('\nSuperscripts: significantly better than the system with that letter (p at most 0.05 after correction).\n');
    expect(out).toMatch(/neural {2}bm25 +0\.1981 {2}\[0\.0372, 0\.3590\] {2}0\.78 +10\/0\/2 +0\.0203 +0\.0406 {2}▲ better/);
    expect(out).toContain('neural.run: 1 of 12 judged topics not answered, counted as empty rankings.');
    expect(out).toContain(
      'using a two-sided paired t-test on the per-topic scores, with Holm correction for multiple comparisons (α = 0.05).',
    );
  });

  test('--baseline compares with one system only', async () => {
    const pairs = await pairsOf(qrels, ...runs, '-m', 'AP', '--baseline', 'neural');
    expect(pairs.map(({ system, against }) => [system, against])).toEqual([
      ['bm25', 'neural'],
      ['hybrid', 'neural'],
    ]);
    expect((await gradus('compare', qrels, ...runs, '--baseline', 'bm52')).err).toContain(
      'the baseline bm52 is not among the systems; choose one of bm25, neural, hybrid',
    );
  });

  test('states seed and resamples, and gives the same bytes twice, in every form', async () => {
    for (const form of ['table', 'md', 'latex', 'csv', 'tsv', 'json']) {
      const argv = ['compare', qrels, ...runs, '--test', 'bootstrap', '--seed', '42', '--resamples', '200', '-f', form, '--quiet'];
      const { out } = await gradus(...argv);
      expect((await gradus(...argv)).out).toBe(out);
      expect(out).toMatch(form === 'csv' ? /,42,200\n/ : form === 'tsv' ? /\t42\t200\n/ : /200 resamples.*seed 42/s);
    }
  });

  test('a missing topic changes nothing silently', async () => {
    const { systems } = golden.tables[0];
    const full = csvOf(systems);
    const holed = write('holed.csv', full.replace(/^(t3,[^,]*,)[^,]*/m, '$1'));
    const refused = await gradus('compare', '--scores', holed);
    expect(refused.status).toBe(2);
    expect(refused.err).toContain('score: topic t3 has no value for s1');
    const shorter = write('shorter.csv', full.replace(/^t3,.*\n/m, ''));
    expect(await pairsOf('--scores', holed, '--missing', 'skip')).toEqual(await pairsOf('--scores', shorter));
    expect((await gradus('compare', '--scores', holed, '--missing', 'skip')).out).toContain(
      '1 topic without a value for some system, left out for all systems',
    );
    // runs: skip leaves out for all what one does not answer
    const skipped = await gradus('compare', qrels, ...runs, '-m', 'AP', '--missing', 'skip');
    expect(skipped.out).toContain('AP: 11 topics');
    expect((await gradus('compare', qrels, ...runs, '-m', 'AP', '--missing', 'error')).err).toMatch(
      /AP: topic q\d+ has no value for neural/,
    );
  });

  test('shuffled rows and columns give the same p-values', async () => {
    const { systems } = golden.tables[0];
    const [header, ...rows] = csvOf(systems).trimEnd().split('\n');
    const shuffled = write('shuffled.csv', `${[header, ...rows.reverse()].join('\n')}\n`);
    expect(await pairsOf('--scores', shuffled)).toEqual(await pairsOf('--scores', write('plain.csv', csvOf(systems))));
    // one file per system, each in its own order
    const a = write('a.csv', `topic,s0\n${systems[0].map((value, t) => `t${t + 1},${value}`).join('\n')}\n`);
    const b = write(
      'b.csv',
      `topic,s1\n${systems[1]
        .map((value, t) => `t${t + 1},${value}`)
        .reverse()
        .join('\n')}\n`,
    );
    expect((await pairsOf('--scores', a, '--scores', b))[0].pValue).toBe((await pairsOf('--scores', shuffled))[0].pValue);
  });

  test.each([
    ['topic,a,b\n1,0.1,0.2\n1,0.3,0.4\n', ':3: topic 1 occurs twice for a'],
    ['topic,a,a\n1,0.1,0.2\n2,0.3,0.4\n', ':1: column a occurs twice'],
    ['topic,a,b\n1,0.1,x\n2,0.3,0.4\n', ':2: expected a number for topic 1, found "x"'],
    ['topic,a,b\n1,0.1\n', ':2: expected 3 fields as in the header, found 2'],
    ['topic,a,b\n', 'holds no scores'],
    ['topic,a,b\n1,1e999,0\n2,0,0\n', 'found "1e999"'],
    ['hello world\n', 'expected scores, found hello world'],
    ['', 'expected scores, found nothing'],
    ['{"runs":[{"run":"a","perTopic":[{"topic":"1","scores":{"AP":"x"}}]}]}', 'expected a number for topic 1 of a'],
    ['{"runs":[', 'is not JSON'],
    ['topic,a\n1,0.1\n2,0.2\n', 'found 1 system, expected at least 2'],
  ])('refuses %j', async (text, message) => {
    const { err, status, out } = await gradus('compare', '--scores', write('bad.csv', text));
    expect([status, out]).toEqual([2, '']);
    expect(err).toContain(message);
  });

  test('refuses measures that say nothing about quality, and contradictions, all at once', async () => {
    expect((await gradus('compare', qrels, ...runs, '-m', 'NumRet')).err).toContain('NumRet says nothing about which system is better');
    const { err, status } = await gradus(
      'compare',
      qrels,
      '--test',
      'tukey',
      '--correction',
      'holm',
      '--scores',
      'x',
      '--json',
      '-f',
      'md',
    );
    expect(status).toBe(2);
    for (const part of ['--scores takes the place', 'hold for all pairs together', '--json and --format md']) expect(err).toContain(part);
  });

  const hostile = ['=cmd|x', 'a_b$&%#{}\\~^', '<img src=x>|`*', '\u001b[31mred\u202e'];
  test('names from outside do no harm in any form', async () => {
    const { systems } = golden.tables[1];
    const file = write(
      'hostile.csv',
      csvOf(
        systems,
        hostile.map((name) => `"${name}"`),
      ),
    );
    const shown = async (form: string): Promise<string> => (await gradus('compare', '--scores', file, '-f', form)).out;
    // CSV and TSV are data, and have names as they are unless a terminal shows them
    for (const form of ['csv', 'tsv']) expect(await shown(form)).toContain(hostile[3]);
    for (const form of ['table', 'md', 'latex']) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters must not be there
      expect(await shown(form)).not.toMatch(/[\u001b\u202e]/);
    }
    expect(await shown('csv')).toContain("'=cmd|x");
    const latex = await shown('latex');
    expect(latex).toContain('a\\_b\\$\\&\\%\\#\\{\\}\\textbackslash{}\\textasciitilde{}\\textasciicircum{}');
    const md = await shown('md');
    expect(md).toContain('&lt;img src=x&gt;\\|\\`\\*');
    expect(md).not.toContain('<img');
    expect(JSON.parse(await shown('json')).systems).toEqual(hostile);
  });
});

interface CorrelationSample {
  readonly first: number[];
  readonly second: number[];
  readonly pearson: number;
  readonly spearman: number;
  readonly tauB: number;
  readonly tauA: number;
  readonly rmse: number;
}

describe('a run whose topics have other names', () => {
  test('is refused by compare and gate, instead of being significantly worse', async () => {
    const renamed = write('renamed.run', '801 Q0 doc001 1 2 tag\n802 Q0 doc002 1 1 tag\n');
    for (const argv of [
      ['compare', qrels, runs[0], renamed],
      ['compare', qrels, runs[0], renamed, '--missing', 'skip'],
      ['gate', qrels, runs[0], renamed],
    ]) {
      const { err, out, status } = await gradus(...argv);
      expect(err).toContain('renamed.run: answers none of the 12 judged topics of');
      expect(err).toContain('both must name topics in the same way');
      expect([out, status]).toEqual(['', 2]);
    }
  });
});

describe('gradus correlate', () => {
  test('gives the coefficients of scipy for the means of systems', async () => {
    const { samples } = statsGolden<{ samples: CorrelationSample[] }>('correlations.json');
    for (const sample of samples) {
      const names = sample.first.map((_, i) => `s${i}`);
      const of = (values: number[]): string => `system,AP\n${names.map((name, i) => `${name},${values[i]}`).join('\n')}\n`;
      const { out, err } = await gradus('correlate', write('x.csv', of(sample.first)), write('y.csv', of(sample.second)), '--json');
      expect(err).toBe('');
      const [result] = JSON.parse(out).results;
      for (const key of ['pearson', 'spearman', 'tauB', 'tauA', 'rmse'] as const) expectRelative(result[key], sample[key], 1e-9, key);
    }
  });

  test('compares two runs topic by topic', async () => {
    // topic 1: the same two documents the other way round; topic 2: nothing in common; topic 3: in one run only
    const a = write('a.run', '1 Q0 x 1 2 A\n1 Q0 y 2 1 A\n2 Q0 x 1 1 A\n3 Q0 x 1 1 A\n');
    const b = write('b.run', '1 Q0 y 1 2 B\n1 Q0 x 2 1 B\n2 Q0 z 1 1 B\n');
    const { out, err, status } = await gradus('correlate', a, b, '-q', '-k', '1', '--json');
    expect(status).toBe(0);
    expect(err).toContain('1 topic is in');
    const { perTopic, mean, onlyFirst } = JSON.parse(out);
    expect(onlyFirst).toEqual(['3']);
    // agreement 0 at depth 1 and 1 at depth 2: (1 - p)·p·1 seen, and p² extrapolated from full agreement
    expect(perTopic[0].rbo.ext).toBeCloseTo(0.1 * 0.9 + 0.81, 12);
    expect([perTopic[0].tauB, perTopic[0].overlap, perTopic[0].shared]).toEqual([-1, 0, 2]);
    expect([perTopic[1].rbo.ext, perTopic[1].tauB]).toEqual([0, null]);
    expect(mean.tauB).toBe(-1);
    const table = await gradus('correlate', a, b, '-q');
    expect(table.out).toMatch(/^topic .*\n1 .*\n2 +-( +-){4} .*\nmean of 2 /);
  });

  test('puts the best system first, also where less is better', async () => {
    const a = write('esl-a.csv', 'system,ESL,AP\na,1,0.3\nb,2,0.2\nc,3,0.1\n');
    const b = write('esl-b.csv', 'system,ESL,AP\na,1,0.3\nc,2,0.2\nb,3,0.1\n');
    const { results } = JSON.parse((await gradus('correlate', a, b, '--json')).out);
    // the true order is a b c, the other a c b: a above c is right, of a and c above b one is; 2/2 · (1/1 + 1/2) − 1
    expect(results.map(({ measure, tauAp }: { measure: string; tauAp: number }) => [measure, tauAp])).toEqual([
      ['ESL', 0.5],
      ['AP', 0.5],
    ]);
    const mixed = await gradus(
      'correlate',
      write('esl.csv', 'system,ESL\na,1\nb,2\n'),
      write('ap.csv', 'system,AP\na,0.9\nb,0.1\n'),
      '--json',
    );
    expect(JSON.parse(mixed.out).results[0]).toMatchObject({ tauA: 1, rmse: null });
  });

  test('refuses what cannot be compared', async () => {
    const run = write('a.run', '1 Q0 x 1 2 A\n');
    const scores = write('s.csv', 'system,AP\na,1\nb,2\n');
    expect((await gradus('correlate', run, scores)).err).toContain('holds scores and');
    expect((await gradus('correlate', scores, write('t.csv', 'system,AP\nc,1\nd,2\n'))).err).toContain('0 systems in common');
    expect((await gradus('correlate', run, write('c.run', '2 Q0 x 1 2 A\n'))).err).toContain('no topic in common');
    expect((await gradus('correlate', run, run, '--p', '1')).status).toBe(2);
    const nan = await gradus('correlate', scores, write('n.csv', 'system,AP\na,1\nb,\n'));
    expect([nan.status, nan.err.includes('b has no value of AP')]).toEqual([2, true]);
  });
});
