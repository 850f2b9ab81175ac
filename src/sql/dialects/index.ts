import { closest } from '../../core/closest.js';
import { InputError } from '../../core/problem.js';
import type { Dialect } from '../dialect.js';
import { bigquery } from './bigquery.js';
import { clickhouse } from './clickhouse.js';
import { duckdb } from './duckdb.js';
import { postgres } from './postgres.js';
import { snowflake } from './snowflake.js';
import { spark } from './spark.js';
import { trino } from './trino.js';

export { bigquery, clickhouse, duckdb, postgres, snowflake, spark, trino };

/** Every dialect there is. */
export const dialects: readonly Dialect[] = [duckdb, spark, postgres, clickhouse, trino, bigquery, snowflake];

/** The names by which dialects are chosen. */
export const dialectNames: readonly string[] = dialects.map(({ name }) => name);

/** The dialect of this name; an `InputError` suggests the closest if there is none. */
export function findDialect(name: string): Dialect {
  const found = dialects.find((dialect) => dialect.name === name.toLowerCase());
  if (found !== undefined) return found;
  const near = closest(name, dialectNames);
  throw new InputError({
    message: `there is no SQL for the engine ${name}`,
    wayOut: near === undefined ? `there is for ${dialectNames.join(', ')}` : `did you mean ${near}?`,
  });
}
