import { type Dialect, standard } from '../dialect.js';

export const duckdb: Dialect = { ...standard, name: 'duckdb', title: 'DuckDB', double: 'DOUBLE', float32: 'FLOAT' };
