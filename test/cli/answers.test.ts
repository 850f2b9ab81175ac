import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.js';
import { CapturedContext } from '../helpers/captured-context.js';
import { runGradus } from '../helpers/run-gradus.js';

let folder = '';
const at = (name: string): string => join(folder, name);
const save = (name: string, text: string): string => {
  writeFileSync(at(name), text);
  return at(name);
};

async function gradus(...argv: string[]) {
  const context = new CapturedContext();
  const status = await main(argv, context);
  return { status, out: context.stdout.text, err: context.stderr.text };
}

/** Three topics of 30 documents each, of which every third is relevant; d29 of every topic is ranked first, d0 last. Reciprocal
 *  rank is 1/3 if d27 is the first relevant one, and 1 the other way round, where d0 comes first. */
const topics = ['1', '2', '3'];
const ranked = Array.from({ length: 30 }, (_, i) => `d${29 - i}`);
const lines = (line: (topic: string, doc: string, rank: number) => string): string =>
  topics.flatMap((topic) => ranked.map((doc, i) => line(topic, doc, i + 1))).join('\n');

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gradus-answers-'));
  save('qrels', topics.flatMap((topic) => ranked.map((doc) => `${topic} 0 ${doc} ${Number(doc.slice(1)) % 3 === 0 ? 1 : 0}`)).join('\n'));
  save(
    'scores.run',
    lines((topic, doc, rank) => `${topic} Q0 ${doc} ${rank} ${100 - rank} x`),
  );
  save(
    'shifted.run',
    lines((topic, doc, rank) => `${topic} Q0 ${doc} ${((rank + 4) % 30) + 1} ${100 - ((rank + 4) % 30)} z`),
  );
  save('ranks.csv', `query_id,doc_id,rank\n${lines((...row) => row.join(','))}\n`);
  save('odd.csv', `query_id,doc_id,where\n${lines((...row) => row.join(','))}\n`);
  save(
    'ranks.tsv',
    lines((...row) => row.join('\t')),
  );
  save(
    'blanks.txt',
    lines((...row) => row.join(' ')),
  );
  save('lists.json', JSON.stringify(Object.fromEntries(topics.map((topic) => [topic, ranked]))));
  save(
    'ranks.jsonl',
    lines((qid, pid, position) => JSON.stringify({ qid, pid, position })),
  );
  save('other.run', 'q7 Q0 d0 1 1 y\nq8 Q0 d1 1 2 y\n');
  save('other.csv', 'query_id,doc_id,rank\nq7,d0,1\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const rankFiles = ['ranks.csv', 'ranks.tsv', 'blanks.txt', 'lists.json', 'ranks.jsonl'];
const measures = ['-m', 'RR nDCG@20 AP', '-f', 'csv', '--wide', '-p', '4'];
/** The values alone; runs have other names. */
const values = (out: string): string =>
  out
    .trimEnd()
    .split('\n')
    .at(-1)
    ?.replace(/^[^,]*,/, '') ?? '';

describe('files with ranks and no scores', () => {
  test.each(rankFiles)('gradus eval ranks %s by them', async (name) => {
    const { out, err, status } = await gradus('eval', at('qrels'), at(name), ...measures);
    expect([err, status]).toEqual(['', 0]);
    expect(values(out)).toBe(values((await gradus('eval', at('qrels'), at('scores.run'), ...measures)).out));
    expect(values(out)).toMatch(/^0\.3333,/);
  });

  test('the advice on columns that have other names can be followed to the right ranking', async () => {
    const refused = await gradus('eval', at('qrels'), at('odd.csv'), ...measures);
    expect(refused.status).toBe(2);
    expect(refused.err).toContain('--columns score=NAME (rank=NAME instead of score=NAME if 1 is best)');
    expect(values((await gradus('eval', at('qrels'), at('odd.csv'), '--columns', 'rank=where', ...measures)).out)).toMatch(/^0\.3333,/);
  });

  test('gradus eval --columns score=rank is refused, and what it suggests works', async () => {
    const refused = await gradus('eval', at('qrels'), at('ranks.csv'), '--columns', 'score=rank', ...measures);
    expect(refused.status).toBe(2);
    const columns = /--columns (\S+)/.exec(refused.err)?.[1] ?? '';
    expect(columns).toBe('rank=rank');
    expect(values((await gradus('eval', at('qrels'), at('ranks.csv'), '--columns', columns, ...measures)).out)).toMatch(/^0\.3333,/);
  });

  test.each(rankFiles)('gradus convert %s to Parquet and to TREC lines keeps the order, and --engine duckdb reads it', async (name) => {
    const parquet = at(`${name}.parquet`);
    expect(await gradus('convert', at(name), parquet)).toEqual({ status: 0, out: '', err: '' });
    const expected = values((await gradus('eval', at('qrels'), at('scores.run'), ...measures)).out);
    expect(values((await gradus('eval', at('qrels'), parquet, ...measures)).out)).toBe(expected);
    expect(values((await gradus('eval', at('qrels'), parquet, '--engine', 'duckdb', ...measures)).out)).toBe(expected);
    const { err } = await gradus('convert', at(name), at('back.run'));
    expect(err).toContain(`has ranks and no scores; the scores in ${at('back.run')} are the negated ranks`);
    expect(readFileSync(at('back.run'), 'utf8').split('\n')[0]).toMatch(/^1 Q0 d29 1 -1 /);
    expect(values((await gradus('eval', at('qrels'), at('back.run'), ...measures)).out)).toBe(expected);
  });

  test('--engine duckdb ranks CSV by ranks, and refuses those that are none', async () => {
    const expected = values((await gradus('eval', at('qrels'), at('scores.run'), ...measures)).out);
    expect(values((await gradus('eval', at('qrels'), at('ranks.csv'), '--engine', 'duckdb', ...measures)).out)).toBe(expected);
    const twice = save('twice.csv', 'query_id,doc_id,rank\n1,d0,1\n1,d1,1\n');
    expect((await gradus('eval', at('qrels'), twice, '--engine', 'duckdb')).err).toContain(
      'topic 1: 2 documents have rank 1; give each document a rank of its own',
    );
    const half = save('half.csv', 'query_id,doc_id,rank\n1,d0,1.5\n');
    expect((await gradus('eval', at('qrels'), half, '--engine', 'duckdb')).err).toContain(
      'expected a whole number from 0 to 16777216 as rank, found 1.5',
    );
    const marco = await gradus('eval', at('qrels'), at('ranks.tsv'), '--engine', 'duckdb');
    expect(marco.err).toContain('is msmarco, and an engine reads Parquet, CSV, TSV and TREC files; gradus convert writes Parquet');
  });

  test('gradus sql --run-columns rank=NAME orders by ranks', async () => {
    const { out } = await gradus('sql', 'qrels', 'run', '--run-columns', 'rank=place', '-m', 'RR');
    expect(out).toContain('-CAST(r."place" AS DOUBLE)');
  });

  test('every command that suggests --columns has it', async () => {
    const cases = [
      ['compare', at('qrels'), at('odd.csv'), at('scores.run')],
      ['gate', at('qrels'), at('odd.csv'), at('scores.run')],
      ['report', at('qrels'), at('odd.csv'), at('scores.run')],
      ['explain', at('qrels'), at('odd.csv'), '--as', 'gradus,trec_eval'],
      ['meta', 'power', at('qrels'), at('odd.csv'), at('scores.run'), '-m', 'AP'],
      ['meta', 'stability', at('qrels'), at('odd.csv'), at('shifted.run'), '-m', 'AP'],
      ['fuse', at('odd.csv'), at('scores.run')],
      ['correlate', at('odd.csv'), at('scores.run')],
      ['audit', at('qrels'), at('odd.csv')],
      ['convert', at('odd.csv'), at('out.jsonl'), '--kind', 'run'],
    ];
    for (const argv of cases) {
      const refused = await gradus(...argv);
      expect(refused.err, argv.join(' ')).toContain('--columns score=NAME');
      const followed = await gradus(...argv, '--columns', 'rank=where');
      expect(followed.err, argv.join(' ')).not.toMatch(/--columns|no option/);
      expect(followed.status, `${argv.join(' ')}\n${followed.err}`).toBeLessThan(2);
    }
  });

  test('a score that rises with the rank is pointed out by every command that reads runs', async () => {
    const rising = save(
      'rising.run',
      lines((topic, doc, rank) => `${topic} Q0 ${doc} ${rank} ${rank / 100} y`),
    );
    for (const argv of [
      ['eval', at('qrels'), rising],
      ['explain', at('qrels'), rising, '--as', 'gradus,trec_eval'],
      ['correlate', rising, at('scores.run')],
      ['fuse', rising, at('scores.run')],
      ['convert', rising, at('rising.csv')],
    ]) {
      expect((await gradus(...argv)).err, argv.join(' ')).toMatch(
        /rising\.run: scores rise with the ranks stated beside them \(\d+ of \d+ neighbours\).*negate the scores/,
      );
    }
    const negated = save('negated.run', readFileSync(rising, 'utf8').replace(/(\S+) y$/gm, '-$1 y'));
    const followed = await gradus('eval', at('qrels'), negated, ...measures);
    expect([followed.err, values(followed.out)]).toEqual([
      '',
      values((await gradus('eval', at('qrels'), at('scores.run'), ...measures)).out),
    ]);
  });
});

describe('runs and judgements without a common topic', () => {
  const refusal =
    /other\.run: answers none of the 3 judged topics of \S+qrels: its first topic is q7, the first judged one is 1; both must name topics in the same way/;
  test.each([
    [['eval', 'qrels', 'other.run']],
    [['eval', 'qrels', 'scores.run', 'other.run']],
    [['eval', 'qrels', 'other.run', '--missing', 'skip']],
    [['eval', 'qrels', 'other.run', '--ties', 'expected']],
    [['eval', 'qrels', 'other.run', '--convention', 'trec_eval']],
    [['eval', 'qrels', 'other.run', '--engine', 'duckdb']],
    [['compare', 'qrels', 'scores.run', 'other.run']],
    [['gate', 'qrels', 'scores.run', 'other.run']],
    [['report', 'qrels', 'scores.run', 'other.run']],
    [['report', '--trec', 'qrels', 'other.run']],
    [['explain', 'qrels', 'other.run', '--as', 'gradus,trec_eval']],
    [['meta', 'power', 'qrels', 'scores.run', 'other.run', '-m', 'AP']],
    [['meta', 'informativeness', 'qrels', 'scores.run', 'other.run', '-m', 'AP']],
    [['meta', 'stability', 'qrels', 'scores.run', 'other.run', '-m', 'AP']],
    [['fuse', 'scores.run', 'other.run', '--tune', 'AP', '--qrels', 'qrels']],
  ])('gradus %j refuses them', async (argv) => {
    const files = ['qrels', 'scores.run', 'other.run'];
    const { out, err, status } = await gradus(...argv.map((word) => (files.includes(word) ? at(word) : word)));
    expect(err).toMatch(refusal);
    expect([out, status]).toEqual(['', 2]);
  });

  test('other formats are refused alike', async () => {
    expect((await gradus('eval', at('qrels'), at('other.csv'))).err).toMatch(
      /other\.csv: answers none of the 3 judged topics .*its first topic is q7, the first judged one is 1/,
    );
    await gradus('convert', at('other.run'), at('other.parquet'));
    expect((await gradus('eval', at('qrels'), at('other.parquet'))).err).toMatch(
      /other\.parquet: answers none of the 3 judged topics .*its first topic is q7, the first judged one is 1/,
    );
    expect((await gradus('correlate', at('scores.run'), at('other.run'))).err).toMatch(/no topic in common/);
  });

  test('gradus as TOOL does what the tool does', () => {
    // as recorded from the programs: 9.0.8 says so and ends with an error, 8.1 prints counts of 0 and -nan
    const newer = runGradus(['as', 'trec_eval', at('qrels'), at('other.run')]);
    expect(newer.stderr).toBe('trec_eval: No queries with both results and relevance info\n');
    const older = runGradus(['as', 'trec_eval@8.1', at('qrels'), at('other.run')]);
    expect(older.stdout).toContain('num_q          \tall\t0\n');
    expect(older.stdout).toContain('map            \tall\t  -nan\n');
    expect(older.status).toBe(0);
  });
});
