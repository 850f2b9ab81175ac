import { type Dialect, standard } from '../dialect.js';

/** DuckDB, the engine that `eval --engine duckdb` runs. */
export const duckdb: Dialect = { ...standard, name: 'duckdb', title: 'DuckDB', double: 'DOUBLE', float32: 'FLOAT' };
