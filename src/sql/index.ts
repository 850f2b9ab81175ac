/** Measures as SQL: queries that compute them inside a database, in the dialect of each. */

export {
  type CompiledSql,
  compileSql,
  measuresInSql,
  type SqlRequest,
  type TableColumns,
  type TableSource,
  tableName,
  whyNotInSql,
} from './compile.js';
export type { Dialect } from './dialect.js';
export { bigquery, clickhouse, dialectNames, dialects, duckdb, findDialect, postgres, snowflake, spark, trino } from './dialects/index.js';
export { checkSql, type SqlFacts, scoreTableOf, type TopicRow } from './result.js';
