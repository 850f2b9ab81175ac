import { type Dialect, floatText, standard } from '../dialect.js';

/** Snowflake, which has no 32-bit numbers. */
export const snowflake: Dialect = {
  ...standard,
  name: 'snowflake',
  title: 'Snowflake',
  double: 'DOUBLE',
  // REAL is another word for DOUBLE here
  float32: undefined,
  // numbers are decimals unless they come as text
  number: (value) => `CAST('${floatText(value).replace(/[()]/g, '')}' AS DOUBLE)`,
  // quotes are doubled, and a backslash has a meaning too
  literal: (text) => standard.literal(text.replaceAll('\\', '\\\\')),
};
