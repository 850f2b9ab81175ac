import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { repository, runGradus } from '../helpers/run-gradus.js';

const data = join(repository, 'examples', 'data');
const qrels = join(data, 'example.qrels');
const run = join(data, 'bm25.run');
const folder = mkdtempSync(join(tmpdir(), 'gradus-engines-'));
const hostile = join(folder, `it's "; DROP TABLE x; --`);
beforeAll(() => {
  mkdirSync(hostile);
  for (const [from, to] of [
    [run, join(hostile, 'run.parquet')],
    [qrels, join(hostile, 'qrels.pq')],
  ]) {
    const { stderr, status } = runGradus(['convert', from, to]);
    expect([stderr, status]).toEqual(['', 0]);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Result {
  readonly runs: readonly { readonly provenance: Record<string, unknown>; readonly all: unknown; readonly perTopic: unknown }[];
}

function evaluated(...args: string[]): Result['runs'][0] {
  const { stdout, stderr, status } = runGradus(['eval', ...args, '-q', '--json', '--name', 'x']);
  expect([stderr, status]).toEqual(['', 0]);
  return (JSON.parse(stdout) as Result).runs[0];
}

describe('gradus eval with other formats and engines', () => {
  test('Parquet gives the same values as text, in process', () => {
    const text = evaluated(qrels, run);
    const parquet = evaluated(join(hostile, 'qrels.pq'), join(hostile, 'run.parquet'));
    expect(parquet.perTopic).toEqual(text.perTopic);
    expect(text.provenance).toMatchObject({ engine: 'gradus', runRows: 480 });
    expect(parquet.provenance).toEqual(text.provenance);
  });

  test('DuckDB gives the same values, from text, Parquet, patterns and directories, whatever they are called', () => {
    const expected = evaluated(qrels, run, '-m', 'nDCG@10', '-m', 'P@5');
    for (const [judged, retrieved] of [
      [qrels, run],
      [join(hostile, 'qrels.pq'), join(hostile, 'run.parquet')],
      [join(hostile, 'qrels.pq'), join(hostile, '*.parquet')],
      [join(hostile, 'qrels.pq'), hostile],
    ]) {
      const found = evaluated(judged, retrieved, '-m', 'nDCG@10', '-m', 'P@5', '--engine', 'duckdb', '--memory-limit', '500MB');
      expect(found.perTopic).toEqual(expected.perTopic);
      expect(found.all).toEqual(expected.all);
      expect(found.provenance).toMatchObject({ engine: 'duckdb', runRows: 480 });
      expect(found.provenance.sqlSha256).toMatch(/^[0-9a-f]{64}$/);
    }
  });

  test('DuckDB leaves no temporary files behind', () => {
    const temporary = join(folder, 'temporary');
    mkdirSync(temporary);
    const { status } = runGradus(['eval', qrels, run, '--engine', 'duckdb'], { env: { TMPDIR: temporary } });
    expect(status).toBe(0);
    expect(readdirSync(temporary)).toEqual([]);
  });

  test('columns have any name', () => {
    const csv = join(folder, 'run.csv');
    writeFileSync(csv, 'the "query",url\'s,"s;c"\nq1,d1,2\nq1,d2,1\n'.replace('the "query"', '"the ""query"""'));
    const judged = join(folder, 'own.qrels');
    writeFileSync(judged, 'q1 0 d2 1\n');
    for (const engine of [[], ['--engine', 'duckdb']]) {
      const { all } = evaluated(judged, csv, '-m', 'RR', '--columns', `topic=the "query",doc=url's,score=s;c`, ...engine);
      expect(all).toEqual({ RR: 0.5 });
    }
  });

  test('TREC lines are cut as everywhere: any blanks, any line ends, comments, and quotes that mean nothing', () => {
    const odd = join(folder, 'odd.run');
    writeFileSync(odd, `q1 Q0 a"b 1 3 t\n# note\n\nq1\tQ0\t"x,y" 2  2 t\r\nq1 Q0 it's 3 1 t\n\v\f\nq1\fQ0\fz\v4\f0.5\ft\n`);
    writeFileSync(`${odd}.gz`, gzipSync(readFileSync(odd)));
    const judged = join(folder, 'odd.qrels');
    writeFileSync(judged, `q1 0 "x,y" 1\nq1 0 it's 2\n`);
    const expected = evaluated(judged, odd, '-m', 'nDCG@10', '-m', 'NumRet').all;
    expect(expected).toMatchObject({ NumRet: 4 });
    for (const file of [odd, `${odd}.gz`]) {
      expect(evaluated(judged, file, '-m', 'nDCG@10', '-m', 'NumRet', '--engine', 'duckdb').all).toEqual(expected);
    }
  });

  test('what is wrong with a table is reported, and no number', () => {
    const twice = join(folder, 'twice.run');
    writeFileSync(twice, 'q1 Q0 d1 1 2 t\nq1 Q0 d1 2 1 t\n');
    const repeated = runGradus(['eval', qrels, twice, '--engine', 'duckdb']);
    expect([repeated.stdout, repeated.stderr, repeated.status]).toEqual([
      '',
      `gradus: ${twice}: topic q1: document d1 appears more than once in the run; keep one line per topic and document\n`,
      2,
    ]);
    writeFileSync(twice, 'q1 Q0 d1 1 2 t\nq1 Q0 d2 two t\n');
    const broken = runGradus(['eval', qrels, twice, '--engine', 'duckdb']);
    expect(broken.stderr).toBe(
      `gradus: ${twice}: 1 row has no topic, document or finite score; every row needs a topic, a document and a number; look for empty cells and NaN\n`,
    );
    const nothing = runGradus(['eval', qrels, join(folder, 'no*.parquet'), '--engine', 'duckdb']);
    expect([nothing.stderr, nothing.status]).toEqual([
      `gradus: ${join(folder, 'no*.parquet')}: there is no such file; quote the pattern, so that the shell leaves it alone\n`,
      2,
    ]);
  });

  test('an address is refused without --allow-network, which is for DuckDB', () => {
    const address = 's3://bucket/run.parquet';
    const refused = runGradus(['eval', qrels, address, '--engine', 'duckdb']);
    expect([refused.stderr, refused.status]).toEqual([
      `gradus: ${address}: is an address, and DuckDB may not use the network; add --allow-network to let it read addresses, and fetch its extension for that\n`,
      2,
    ]);
    const misplaced = runGradus(['eval', qrels, run, '--allow-network']);
    expect([misplaced.stderr.split('\n')[0], misplaced.status]).toEqual([
      'gradus: --allow-network is for DuckDB; add --engine duckdb, or leave it out',
      2,
    ]);
    expect(evaluated(qrels, run, '-m', 'P@5', '--engine', 'duckdb', '--allow-network').all).toEqual(evaluated(qrels, run, '-m', 'P@5').all);
  });

  test('a measure that SQL cannot express is named', () => {
    const { stderr, status } = runGradus(['eval', qrels, run, '--engine', 'duckdb', '-m', 'Q', '-m', 'P@5']);
    expect([stderr, status]).toEqual([
      'gradus: Q cannot be computed in SQL: it has no form in SQL yet; leave it out, or evaluate in process, without --engine\n',
      2,
    ]);
  });

  test('Spark that is not there is reported with the way out', () => {
    const { stderr, status } = runGradus(['eval', qrels, run, '--engine', 'spark'], { env: { SPARK_HOME: folder } });
    expect([stderr, status]).toEqual([
      `gradus: there is no spark-sql in ${join(folder, 'bin')}; install Spark (pip install pyspark has it) and set SPARK_HOME to where it is\n`,
      2,
    ]);
  });

  test('scores go to Parquet and come back', () => {
    const scores = join(folder, 'scores.parquet');
    const other = join(data, 'hybrid.run');
    expect(runGradus(['eval', qrels, run, other, '-m', 'nDCG@10', '-f', 'parquet', '-o', scores]).status).toBe(0);
    const { stdout, stderr, status } = runGradus(['compare', '--scores', scores, '-m', 'nDCG@10']);
    expect([stderr, status]).toEqual(['', 0]);
    expect(stdout).toContain('hybrid');
    const refused = runGradus(['eval', qrels, run, '-f', 'parquet']);
    expect(refused.stderr).toContain('--format parquet is not for terminals; name a file with --output');
  });
});

describe('gradus eval --engine by the rules of other tools', () => {
  test('grades that the tool does not take are refused, as in process', () => {
    const judged = join(folder, 'negative.qrels');
    writeFileSync(judged, 'q1 0 d1 2\nq1 0 d2 -1\n');
    const retrieved = join(folder, 'negative.run');
    writeFileSync(retrieved, 'q1 Q0 d1 1 2 x\nq1 Q0 d2 2 1 x\n');
    const argv = ['eval', judged, retrieved, '--convention', 'catboost', '-m', 'nDCG@3'];
    for (const [engine, found] of [
      [[], 'topic q1 has a document of grade -1'],
      [['--engine', 'duckdb'], 'there are judgements of grade -1'],
    ] as const) {
      const { stdout, stderr, status } = runGradus([...argv, ...engine]);
      expect([stdout, status]).toEqual(['', 2]);
      expect(stderr).toContain(`${found}, and catboost takes only grades from 0 for nDCG`);
    }
    // the suggestions
    writeFileSync(judged, 'q1 0 d1 2\nq1 0 d2 0\n');
    expect(runGradus([...argv, '--engine', 'duckdb']).status).toBe(0);
    writeFileSync(judged, 'q1 0 d1 2\nq1 0 d2 -1\n');
    expect(runGradus(['eval', judged, retrieved, '-m', 'nDCG@3', '--engine', 'duckdb']).status).toBe(0);
  });

  test('BEIR drops the document with the id of the query, whoever computes', () => {
    // EvaluateRetrieval.evaluate of beir 2.2.0
    const expected = { 'nDCG@3': 0.56102, 'AP@3': 0.5, 'R@3': 0.625, 'P@3': 0.25 };
    const judged = join(folder, 'own.qrels');
    writeFileSync(judged, '1 0 1 1\n1 0 a 1\n1 0 b 0\n2 0 2 1\n3 0 x 1\n4 0 4 0\n4 0 y 2\n');
    const rows = ['1 1 9', '1 a 2', '1 b 1', '2 2 3', '3 z 1', '3 x 0.5', '4 y 1', '4 4 2'].map((row) => row.split(' '));
    const lines = join(folder, 'own.run');
    writeFileSync(lines, rows.map(([topic, doc, score]) => `${topic} Q0 ${doc} 1 ${score} x\n`).join(''));
    const csv = join(folder, 'own.csv');
    writeFileSync(csv, `topic,doc,score\n${rows.map((row) => `${row.join(',')}\n`).join('')}`);
    for (const argv of [[lines], [csv], [lines, '--engine', 'duckdb'], [lines, '--threads', '3']]) {
      const { all } = evaluated(judged, ...argv, '--convention', 'beir', '-m', Object.keys(expected).join(' '));
      for (const [measure, value] of Object.entries(expected)) expect((all as Record<string, number>)[measure]).toBeCloseTo(value, 5);
    }
  });
});

describe('gradus sql', () => {
  test('prints a query with quoted names', () => {
    const { stdout, status } = runGradus([
      'sql',
      'lake.qrels',
      'lake.run',
      '--engine',
      'trino',
      '-m',
      'nDCG@10',
      '--run-columns',
      'topic=q"x,doc=d,score=s',
    ]);
    expect(status).toBe(0);
    expect(stdout).toContain('-- m1: nDCG@10\n');
    expect(stdout).toContain('CAST(r."q""x" AS VARCHAR) AS topic');
    expect(stdout).toContain('FROM "lake"."run" r');
  });

  test('says what the highest grade is needed for', () => {
    const { stderr, status } = runGradus(['sql', 'qrels', 'run', '-m', 'nERR@10']);
    expect([stderr, status]).toEqual(['gradus: the top of the scale of grades is not known here; write it out, as in max_rel=4\n', 2]);
    expect(runGradus(['sql', 'qrels', 'run', '-m', 'nERR@10', '--highest-grade', '3']).status).toBe(0);
  });
});
