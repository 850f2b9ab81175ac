import { type Columns, parseColumns } from '../../formats/tables/columns.js';
import { dialectNames } from '../../sql/dialects/index.js';
import type { SettingsOf } from './setting.js';

/** Whose SQL is written, and what is known of the tables. */
export const sqlSettings: SettingsOf<{
  readonly engine: string;
  readonly runColumns: Columns;
  readonly judgementColumns: Columns;
  readonly highestGrade: number;
}> = {
  engine: { type: 'choice', value: 'NAME', choices: dialectNames, default: 'duckdb', help: 'whose SQL' },
  runColumns: { value: 'LIST', help: 'which column of RUN is what, such as topic=q,doc=d,score=s', read: parseColumns },
  judgementColumns: { value: 'LIST', help: 'which column of QRELS is what, such as topic=q,doc=d,grade=g', read: parseColumns },
  highestGrade: {
    type: 'number',
    value: 'GRADE',
    help: 'the highest grade of all judgements, for measures that scale grades by it and do not name it',
  },
};
