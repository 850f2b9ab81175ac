// Computes every measure that SQL can express in TypeScript and in other engines, and compares the values of each topic.
//
//   node scripts/engines-agree.mjs               1,000 topics of 1,000 documents: DuckDB and PostgreSQL 15
//   node scripts/engines-agree.mjs --clickhouse  ClickHouse too, 556 MB from npm, into .cache/engines; for the nightly job
//   node scripts/engines-agree.mjs --small       a collection of 100 topics of 150 documents
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
  options: { small: { type: 'boolean', default: false }, clickhouse: { type: 'boolean', default: false } },
});
const environment = {
  ...process.env,
  GRADUS_ENGINES: options.clickhouse ? 'duckdb,postgres,clickhouse' : 'duckdb,postgres',
  ...(options.small ? { GRADUS_TOPICS: '100', GRADUS_DEPTH: '150' } : {}),
};
const { status } = spawnSync('npx', ['vitest', 'run', '--config', 'test/engines/vitest.config.ts'], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  env: environment,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
