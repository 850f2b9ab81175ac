import { type Dialect, standard } from '../dialect.js';

export const trino: Dialect = { ...standard, name: 'trino', title: 'Trino', double: 'DOUBLE' };
