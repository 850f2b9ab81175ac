import { describe, expect, test } from 'vitest';
import { judgingRulesOf } from '../src/conventions/convention.js';
import { findConvention } from '../src/conventions/registry.js';
import { evaluate } from '../src/measures/evaluate.js';
import { parseMeasure } from '../src/measures/parse.js';
import { compileSql } from '../src/sql/compile.js';
import { duckdb } from '../src/sql/dialects/duckdb.js';
import { spark } from '../src/sql/dialects/spark.js';
import { checkSql, scoreTableOf } from '../src/sql/result.js';
import { openDuckdb } from './helpers/duckdb-tables.js';
import { engineCollection, type Row } from './helpers/engine-cases.js';

const collection = engineCollection(30, 25);
const measures = ['nDCG@10', 'AP', 'RR', 'P@5', 'Bpref', 'RBP(p=0.8)'].map((text) => parseMeasure(text));
const qrels = collection.qrels.map(({ topic, doc, value }) => ({ topic, doc, grade: value }));

/** The documents of each topic numbered from 1 as they stand, and listed backwards, so that the order of the rows is not that of the ranks. */
function byRank(rows: readonly Row[]): Row[] {
  const seen = new Map<string, number>();
  const ranked = rows.map(({ topic, doc }) => {
    seen.set(topic, (seen.get(topic) ?? 0) + 1);
    return { topic, doc, value: seen.get(topic) ?? 0 };
  });
  return ranked.reverse();
}

/** Spark's text differs from DuckDB's in the quotes of names, and in names of types that DuckDB knows too. */
const onDuckdb = (sql: string): string => sql.replaceAll('`', '"');

describe.each([
  ['DuckDB', duckdb],
  ['Spark', spark],
])('a table of ranks without scores, in the SQL of %s', (_, dialect) => {
  const run = { relation: 'run', columns: { value: 'score', isRank: true } };
  const request = { dialect, measures, run, qrels: { relation: 'qrels' } };

  test('is ranked by them', async () => {
    const ranked = byRank(collection.run);
    const tables = await openDuckdb(ranked, collection.qrels);
    const compiled = compileSql(request);
    const found = scoreTableOf(compiled, await tables.ask(onDuckdb(compiled.text)), 'run');
    const expected = evaluate(
      qrels,
      ranked.map(({ topic, doc, value }) => ({ topic, doc, rank: value })),
      measures,
    );
    expect(found.topics).toEqual(expected.topics);
    for (const topic of expected.topics) {
      for (const m of measures.keys()) expect(found.value(topic, m)).toBeCloseTo(expected.value(topic, m), 12);
    }
    // and not turned upside down
    const reversed = ranked.map(({ topic, doc, value }) => ({ topic, doc, score: value }));
    expect(Math.abs(found.aggregate(0) - evaluate(qrels, reversed, measures).aggregate(0))).toBeGreaterThan(0.01);
    await tables.stop();
  });

  test.each([
    ['a rank twice', [1, 2, 2, 3], ['q', 2, 2]],
    ['a rank below 0', [1, -4, 2], ['q', -4, 1]],
    ['a rank that is not whole', [1, 2.5, 2], ['q', 2.5, 1]],
  ] as const)('%s is found', async (_title, ranks, expected) => {
    const tables = await openDuckdb(
      ranks.map((value, i) => ({ topic: 'q', doc: `d${i}`, value })),
      [{ topic: 'q', doc: 'd0', value: 1 }],
    );
    const [row] = await tables.ask(onDuckdb(checkSql(request).badRank ?? ''));
    expect([row.topic, ...row.values.map(Number)]).toEqual(expected);
    await tables.stop();
  });

  test('good ranks are not complained about', async () => {
    const tables = await openDuckdb(byRank(collection.run), collection.qrels);
    expect(await tables.ask(onDuckdb(checkSql(request).badRank ?? ''))).toEqual([]);
    await tables.stop();
  });

  test('the document with the id of the query is dropped under BEIR', async () => {
    const flat = (table: Record<string, Record<string, number>>): Row[] =>
      Object.entries(table).flatMap(([topic, docs]) => Object.entries(docs).map(([doc, value]) => ({ topic, doc, value })));
    const tables = await openDuckdb(
      flat({ 1: { 1: 9, a: 2, b: 1 }, 2: { 2: 3 }, 3: { z: 1, x: 0.5 }, 4: { y: 1, 4: 2 } }),
      flat({ 1: { 1: 1, a: 1, b: 0 }, 2: { 2: 1 }, 3: { x: 1 }, 4: { 4: 0, y: 2 } }),
    );
    const asked = ['nDCG@3', 'AP@3', 'R@3', 'P@3', 'NumRet'].map((text) => parseMeasure(text));
    const compiled = compileSql({
      ...request,
      measures: asked,
      run: { relation: 'run' },
      rules: judgingRulesOf(findConvention('beir').rules),
    });
    const table = scoreTableOf(compiled, await tables.ask(onDuckdb(compiled.text)), 'run');
    // what beir 2.2.0 prints; the documents left are 2, 0, 2 and 1
    for (const [m, expected] of [0.56102, 0.5, 0.625, 0.25].entries()) expect(table.aggregate(m)).toBeCloseTo(expected, 5);
    expect(table.topics.map((topic) => table.value(topic, 4))).toEqual([2, 0, 2, 1]);
    await tables.stop();
  });
});
