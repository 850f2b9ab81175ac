import { describe, expect, test } from 'vitest';
import type { JudgingRules } from '../src/core/judging-rules.js';
import type { ScoreTable } from '../src/core/score-table.js';
import { evaluate } from '../src/measures/evaluate.js';
import { compileSql } from '../src/sql/compile.js';
import { duckdb } from '../src/sql/dialects/duckdb.js';
import { scoreTableOf } from '../src/sql/result.js';
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
