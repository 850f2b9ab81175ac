import { DuckDBInstance } from '@duckdb/node-api';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InputError } from '../core/problem.js';
import { parseMeasureList } from '../measures/parse.js';
import { allMeasures } from '../measures/registry.js';
import { compileSql, measuresInSql, tableName, whyNotInSql } from './compile.js';
import type { Dialect } from './dialect.js';
import { bigquery, clickhouse, dialects, duckdb, findDialect, postgres, snowflake, spark, trino } from './dialects/index.js';
import { checkSql } from './result.js';

const plain = (dialect: Dialect) => ({ run: { relation: tableName(dialect, 'run') }, qrels: { relation: tableName(dialect, 'qrels') } });

describe('names and texts from outside', () => {
  const hostile = [
    '"; DROP TABLE x; --',
    "'; DROP TABLE x; --",
    '`; DROP TABLE x; --',
    '\\',
    "\\'",
    '\\"; --',
    '``',
    '""',
    "''",
    'a\nb',
    '/* */',
    '$$',
    ' ',
  ];

  test('identifiers stay one token in every dialect', () => {
    // the part between the outer quotes, with the dialect's own way of writing a quote inside taken out, must hold no quote
    const doubling = (quote: string) => (text: string) =>
      text
        .slice(1, -1)
        .replaceAll(quote + quote, '')
        .includes(quote);
    const escaping = (quote: string) => (text: string) => text.slice(1, -1).replace(/\\./gs, '').includes(quote);
    const breaksOut: [Dialect, (text: string) => boolean][] = [
      [duckdb, doubling('"')],
      [postgres, doubling('"')],
      [trino, doubling('"')],
      [snowflake, doubling('"')],
      [spark, doubling('`')],
      [clickhouse, escaping('`')],
      [bigquery, escaping('`')],
    ];
    expect(breaksOut.map(([dialect]) => dialect.name).sort()).toEqual(dialects.map(({ name }) => name).sort());
    for (const [dialect, breaks] of breaksOut) {
      for (const name of hostile) expect(breaks(dialect.identifier(name)), `${dialect.name} ${name}`).toBe(false);
    }
  });

  test('literals stay one token in every dialect', () => {
    const doubled = (text: string): boolean => text.slice(1, -1).replaceAll("''", '').includes("'");
    const escaped = (text: string): boolean => text.slice(1, -1).replace(/\\./gs, '').includes("'");
    for (const name of hostile) {
      for (const dialect of [duckdb, postgres, trino]) expect(doubled(dialect.literal(name))).toBe(false);
      for (const dialect of [spark, clickhouse, bigquery]) expect(escaped(dialect.literal(name))).toBe(false);
      // both ways at once: backslashes are doubled and quotes too
      expect(escaped(snowflake.literal(name).replaceAll("''", ''))).toBe(false);
    }
  });

  test('a NUL is refused', () => {
    for (const dialect of dialects) expect(() => dialect.identifier('a\0b')).toThrow('holds a NUL byte');
    expect(() => tableName(duckdb, 'a', '')).toThrow('"a." is not the name of a table');
  });

  test('DuckDB finds the columns and tables whatever they are called, and nothing else happens', async () => {
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    await connection.run('CREATE TABLE x (i INTEGER)');
    const name = fc
      .oneof(fc.constantFrom(...hostile), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }))
      .filter((s) => !s.includes('\0'));
    const names = fc.uniqueArray(name, { minLength: 4, maxLength: 4, selector: (s) => s.normalize().toLowerCase() });
    await fc.assert(
      fc.asyncProperty(names, fc.constantFrom(...hostile), async ([table, topic, doc, score], id) => {
        const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
        await connection.run(
          `CREATE OR REPLACE TABLE ${quoted(table)} (${quoted(topic)} VARCHAR, ${quoted(doc)} VARCHAR, ${quoted(score)} DOUBLE)`,
        );
        await connection.run(`INSERT INTO ${quoted(table)} VALUES ($1, $1, 1)`, [id]);
        const source = { relation: tableName(duckdb, table), columns: { topic, doc, value: score } };
        const { text } = compileSql({ dialect: duckdb, measures: parseMeasureList('P@1'.split(' ')), run: source, qrels: source });
        expect((await connection.runAndReadAll(text)).getRows()).toEqual([[id, 1]]);
        await connection.run(`DROP TABLE ${quoted(table)}`);
      }),
      { numRuns: 60 },
    );
    expect((await connection.runAndReadAll('SELECT COUNT(*) FROM x')).getRows()).toEqual([[0n]]);
    connection.closeSync();
  });
});

describe('compileSql', () => {
  test('says by name which measures have no form, all at once', () => {
    const measures = parseMeasureList("P@5 Q alpha_nDCG@10 AP(ties='file') RR(ties='expected')".split(' '));
    const error = (() => {
      try {
        compileSql({ dialect: duckdb, measures, ...plain(duckdb) });
      } catch (caught) {
        return caught;
      }
    })();
    expect(error).toBeInstanceOf(InputError);
    expect((error as InputError).problems.map(({ message }) => message)).toEqual([
      'Q cannot be computed in SQL: it has no form in SQL yet',
      'alpha_nDCG@10 cannot be computed in SQL: it is not computed from rankings with grades but from subtopics',
      "AP(ties='file') cannot be computed in SQL: ties='file' needs what the file says of order, and a table has none",
      "RR(ties='expected') cannot be computed in SQL: its mean over all orders of equal scores is no sum over documents",
    ]);
  });

  test('has forms only for measures that exist', () => {
    const known = new Set(allMeasures.map(({ name }) => name));
    expect(measuresInSql.filter((name) => !known.has(name))).toEqual([]);
    expect(measuresInSql.length).toBeGreaterThan(40);
  });

  test('32-bit scores are refused where there are none', () => {
    const measures = parseMeasureList('P@5'.split(' '));
    const rules = { scorePrecision: 'float32' } as const;
    expect(() => compileSql({ dialect: bigquery, measures, ...plain(bigquery), rules })).toThrow(
      'BigQuery has no 32-bit numbers to compare scores by',
    );
    expect(compileSql({ dialect: trino, measures, ...plain(trino), rules }).text).toContain('AS REAL');
    expect(whyNotInSql(parseMeasureList("RR(precision='float32')".split(' '))[0], snowflake)).toBe('Snowflake has no 32-bit numbers');
  });

  test('a threshold at each of very many grades is refused', () => {
    const [gap] = parseMeasureList(['GAP']);
    expect(whyNotInSql(gap, bigquery, {}, { highestGrade: 256 })).toBeUndefined();
    expect(whyNotInSql(gap, bigquery, {}, { highestGrade: 257 })).toBe(
      'it has a threshold at each of 257 grades, and at most 256 are written out',
    );
    expect(whyNotInSql(parseMeasureList(['GAP(thresholds=[1,1000000])'])[0], bigquery, {}, { highestGrade: 5e12 })).toBeUndefined();
  });

  test('the text is the same whenever it is made', () => {
    const measures = parseMeasureList('nDCG@10 AP ERR RBP Bpref IPrec@0.5'.split(' '));
    const text = (): string => compileSql({ dialect: spark, measures, ...plain(spark) }).text;
    expect(text()).toBe(text());
  });

  test('a grade above the scale is an error and no number', async () => {
    const { openDuckdb } = await import('../../test/helpers/duckdb-tables.js');
    const { scoreTableOf } = await import('./result.js');
    const tables = await openDuckdb([{ topic: 'q', doc: 'd', value: 1 }], [{ topic: 'q', doc: 'd', value: 5 }]);
    const compiled = compileSql({ dialect: duckdb, measures: parseMeasureList('ERR@10'.split(' ')), ...plain(duckdb) });
    const rows = await tables.ask(compiled.text);
    await tables.stop();
    expect(() => scoreTableOf(compiled, rows, 'run')).toThrow('ERR@10: topic q has a grade above the top of the scale');
  });

  test('the checks find what would make numbers wrong', async () => {
    const { openDuckdb } = await import('../../test/helpers/duckdb-tables.js');
    const { factsOf, refuseBadTables } = await import('./result.js');
    const run = [
      { topic: 'q', doc: 'd', value: 1 },
      { topic: 'q', doc: 'd', value: 2 },
      { topic: 'q', doc: 'e', value: Number.NaN },
      { topic: 'other', doc: 'e', value: Number.POSITIVE_INFINITY },
    ];
    const qrels = [
      { topic: 'q', doc: 'd', value: 1 },
      { topic: 'q', doc: 'd', value: 3 },
      { topic: 'r', doc: '', value: -0.5 },
    ];
    const tables = await openDuckdb(run, qrels);
    const { facts, repeated } = checkSql({ dialect: duckdb, ...plain(duckdb) });
    const [line] = await tables.ask(facts);
    const found = factsOf([line.topic, ...line.values]);
    expect(found).toEqual({
      runRows: 4,
      qrelsRows: 3,
      badRunRows: 2,
      badQrelsRows: 1,
      repeatedJudgements: 1,
      highestGrade: 3,
      lowestGrade: -0.5,
      fractionalGrades: 1,
      judgedTopics: 2,
      answeredTopics: 1,
    });
    expect(await tables.ask(repeated)).toMatchObject([{ topic: 'q' }]);
    await tables.stop();
    expect(() => refuseBadTables(found, 'run', 'qrels')).toThrow('run: 2 rows have no topic, document or finite score');
  });

  test('dialects are found by name', () => {
    expect(findDialect('Postgres')).toBe(postgres);
    expect(() => findDialect('postgre')).toThrow('there is no SQL for the engine postgre; did you mean postgres?');
  });
});
