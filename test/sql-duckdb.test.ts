import { describe, expect, test } from 'vitest';
import type { JudgingRules } from '../src/core/judging/judging-rules.js';
import type { ScoreTable } from '../src/core/score-table.js';
import { evaluate } from '../src/measures/evaluate.js';
import { parseMeasures } from '../src/measures/parse.js';
import { compileSql } from '../src/sql/compile.js';
import { duckdb } from '../src/sql/dialects/duckdb.js';
import { checkSql, factsOf, scoreTableOf } from '../src/sql/result.js';
import { openDuckdb } from './helpers/duckdb-tables.js';
import { differences, engineCollection, expressibleMeasures, unequalBits } from './helpers/engine-cases.js';

const HIGHEST = 4;
const collection = engineCollection(40, 60);

const rulesToTry: Record<string, Partial<JudgingRules>> = {
  'the default rules': {},
  'ids ascending': { ties: 'docno-ascending' },
  'best grade first': { ties: 'optimistic' },
  'worst grade first': { ties: 'pessimistic' },
  'all orders of equal scores': { ties: 'expected' },
  'judged documents only': { judgedOnly: true },
  'judged documents only, at a depth': { judgedOnly: true, depth: 20 },
  'a depth': { depth: 7 },
  'a depth through ties': { depth: 7, ties: 'expected' },
  '32-bit scores, missing topics left out': { scorePrecision: 'float32', missingTopics: 'skip' },
  'a placeholder for missing topics': { missingTopics: 'placeholder' },
};

describe('DuckDB and TypeScript agree', async () => {
  const tables = await openDuckdb(collection.run, collection.qrels);
  const run = collection.run.map(({ topic, doc, value }) => ({ topic, doc, score: value }));
  const qrels = collection.qrels.map(({ topic, doc, value }) => ({ topic, doc, grade: value }));

  for (const [title, rules] of Object.entries(rulesToTry)) {
    test(`under ${title}`, async () => {
      const measures = expressibleMeasures(rules, HIGHEST);
      expect(measures.length).toBeGreaterThan(80);
      const compiled = compileSql({
        dialect: duckdb,
        measures,
        run: { relation: 'run' },
        qrels: { relation: 'qrels' },
        rules,
        options: { highestGrade: HIGHEST },
      });
      const found = scoreTableOf(compiled, await tables.ask(compiled.text), 'run');
      const expected: ScoreTable = evaluate(qrels, run, measures, { ...rules, highestGrade: HIGHEST });
      expect(differences(expected, found).failures).toEqual([]);
      expect(unequalBits(expected, found, 'nDCG@10')).toBe(0);
    }, 180_000);
  }
});

test('scores beyond 32-bit numbers are compared as 32-bit numbers, and are no reason to refuse the run', async () => {
  const largest = 2 ** 128 - 2 ** 104;
  // half a step beyond the largest, where numbers begin to be infinite, and the 64-bit number before
  const infinite = 2 ** 128 - 2 ** 103;
  const justFinite = infinite - 2 ** 75;
  const smallest = 2 ** -149;
  // each line is one 32-bit number
  const ranking = [
    [Number.MAX_VALUE, 1e39, infinite],
    [justFinite, largest],
    [smallest, 0.75 * smallest],
    [0, smallest / 2, -0, -smallest / 2],
    [-smallest],
    [-largest, -justFinite],
    [-infinite, -1e39],
  ].flatMap((scores, place) => scores.map((value, i) => ({ doc: `d${place}${i}`, value })));
  // in each topic another document is relevant, and its rank tells where it is
  const topics = ranking.map(({ doc }) => `topic of ${doc}`);
  const tables = await openDuckdb(
    topics.flatMap((topic) => ranking.map((row) => ({ topic, ...row })).toReversed()),
    topics.map((topic, i) => ({ topic, doc: ranking[i].doc, value: 1 })),
  );
  const rules = { scorePrecision: 'float32', ties: 'docno-ascending' } as const;
  const request = { dialect: duckdb, run: { relation: 'run' }, qrels: { relation: 'qrels' }, rules };
  const compiled = compileSql({ ...request, measures: parseMeasures('FirstRel') });
  const found = scoreTableOf(compiled, await tables.ask(compiled.text), 'run');
  expect(Array.from(found.values)).toEqual(ranking.map((_, i) => i + 1));
  const [facts] = await tables.ask(checkSql(request).facts);
  expect(factsOf([facts.topic, ...facts.values])).toMatchObject({ runRows: ranking.length ** 2, badRunRows: 0 });
});

test('32-bit scores hide no infinite score', async () => {
  const run = [NaN, Infinity, -Infinity, 1].map((value, i) => ({ topic: 't', doc: `d${i}`, value }));
  const tables = await openDuckdb(run, [{ topic: 't', doc: 'd0', value: 1 }]);
  const request = { dialect: duckdb, run: { relation: 'run' }, qrels: { relation: 'qrels' } };
  const [facts] = await tables.ask(checkSql({ ...request, rules: { scorePrecision: 'float32' } }).facts);
  expect(factsOf([facts.topic, ...facts.values])).toMatchObject({ runRows: 4, badRunRows: 3 });
});
