import { type Dialect, quoteEscaping, standard } from '../dialect.js';

/** ClickHouse, set to join as other databases do. */
export const clickhouse: Dialect = {
  ...standard,
  name: 'clickhouse',
  title: 'ClickHouse',
  text: 'String',
  double: 'Float64',
  float32: 'Float32',
  identifier: quoteEscaping('`'),
  literal: quoteEscaping("'"),
  // a row without a partner has no values, as everywhere else; left alone, it would have zeros
  settings: '\nSETTINGS join_use_nulls = 1',
};
