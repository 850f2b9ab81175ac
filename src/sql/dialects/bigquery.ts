import { type Dialect, quoteEscaping, standard } from '../dialect.js';

/** BigQuery, which has no 32-bit numbers and quotes names with back quotes. */
export const bigquery: Dialect = {
  ...standard,
  name: 'bigquery',
  title: 'BigQuery',
  text: 'STRING',
  double: 'FLOAT64',
  float32: undefined,
  identifier: quoteEscaping('`'),
  literal: quoteEscaping("'"),
};
