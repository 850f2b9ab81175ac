import { type Dialect, quoteEscaping, standard } from '../dialect.js';

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
