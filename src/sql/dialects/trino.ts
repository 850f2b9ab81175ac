import { type Dialect, standard } from '../dialect.js';

/** Trino, which keeps to the standard but for the name of its 64-bit numbers. */
export const trino: Dialect = { ...standard, name: 'trino', title: 'Trino', double: 'DOUBLE' };
