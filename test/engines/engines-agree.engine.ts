import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JudgingRules } from '../../src/core/judging/judging-rules.js';
import { evaluate } from '../../src/measures/evaluate.js';
import { compileSql } from '../../src/sql/compile.js';
import type { Dialect } from '../../src/sql/dialect.js';
import { clickhouse, duckdb, postgres } from '../../src/sql/dialects/index.js';
import { scoreTableOf } from '../../src/sql/result.js';
import { openDuckdb } from '../helpers/duckdb-tables.js';
import { differences, engineCollection, expressibleMeasures, unequalBits } from '../helpers/engine-cases.js';
import { type EngineServer, startClickhouse, startPostgres } from './servers.js';

const numTopics = Number(process.env.GRADUS_TOPICS ?? 1000);
const depth = Number(process.env.GRADUS_DEPTH ?? 1000);
const wanted = (process.env.GRADUS_ENGINES ?? 'duckdb,postgres').split(',');
const home = process.env.GRADUS_ENGINES_HOME ?? join(process.cwd(), '.cache', 'engines');
const HIGHEST = 4;
/** Queries of this many measures are planned faster than one of all. */
const AT_ONCE = 40;

const rulesToTry: Record<string, Partial<JudgingRules>> = {
  'the default rules': {},
  'all orders of equal scores': { ties: 'expected' },
  '32-bit scores, judged documents only, missing topics left out': { scorePrecision: 'float32', judgedOnly: true, missingTopics: 'skip' },
};

const collection = engineCollection(numTopics, depth);
const run = collection.run.map(({ topic, doc, value }) => ({ topic, doc, score: value }));
const qrels = collection.qrels.map(({ topic, doc, value }) => ({ topic, doc, grade: value }));
process.stdout.write(`${collection.run.length} rows of the run, ${collection.qrels.length} judgements\n`);

const engines: Record<string, { dialect: Dialect; start(): Promise<EngineServer> }> = {
  duckdb: { dialect: duckdb, start: () => openDuckdb(collection.run, collection.qrels) },
  postgres: { dialect: postgres, start: () => startPostgres(collection) },
  clickhouse: { dialect: clickhouse, start: () => startClickhouse(collection, join(home, 'clickhouse')) },
};

for (const name of wanted) {
  const { dialect, start } = engines[name];
  describe(`${name} and TypeScript agree`, () => {
    let server: EngineServer;
    beforeAll(async () => {
      server = await start();
    });
    afterAll(() => server?.stop());

    for (const [title, rules] of Object.entries(rulesToTry)) {
      test(`under ${title}`, async () => {
        const measures = expressibleMeasures(rules, HIGHEST);
        const failures: string[] = [];
        let worst = 0;
        let unequal = 0;
        let seconds = 0;
        for (let from = 0; from < measures.length; from += AT_ONCE) {
          const some = measures.slice(from, from + AT_ONCE);
          const compiled = compileSql({
            dialect,
            measures: some,
            run: { relation: 'run' },
            qrels: { relation: 'qrels' },
            rules,
            options: { highestGrade: HIGHEST },
          });
          const started = performance.now();
          const found = scoreTableOf(compiled, await server.ask(compiled.text), 'run');
          seconds += (performance.now() - started) / 1000;
          const expected = evaluate(qrels, run, some, { ...rules, highestGrade: HIGHEST });
          const compared = differences(expected, found);
          failures.push(...compared.failures);
          worst = Math.max(worst, compared.worst);
          if (some.some(({ text }) => text === 'nDCG@10')) unequal = unequalBits(expected, found, 'nDCG@10');
        }
        process.stdout.write(
          `${name} ${server.version}, ${title}: ${measures.length} measures, largest difference ${worst}, nDCG@10 unequal on ${unequal} topics, ${seconds.toFixed(1)} s in the engine\n`,
        );
        expect(failures).toEqual([]);
        expect(unequal).toBe(0);
      });
    }
  });
}
