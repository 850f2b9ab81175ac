import { type Dialect, quoteDoubling, quoteEscaping, standard } from '../dialect.js';

/** Spark SQL, which quotes names with back quotes and has backslashes in texts. */
export const spark: Dialect = {
  ...standard,
  name: 'spark',
  title: 'Apache Spark',
  text: 'STRING',
  double: 'DOUBLE',
  float32: 'FLOAT',
  identifier: quoteDoubling('`'),
  literal: quoteEscaping("'"),
};
