import { type Dialect, floatText, standard } from '../dialect.js';

/** PostgreSQL, with ids in byte order whatever the language of the server. */
export const postgres: Dialect = {
  ...standard,
  name: 'postgres',
  title: 'PostgreSQL',
  text: 'TEXT',
  // a number with an exponent is still a decimal here
  number: (value) => `CAST(${floatText(value)} AS DOUBLE PRECISION)`,
  // otherwise the order of text is that of the server's language
  byteOrder: ' COLLATE "C"',
};
