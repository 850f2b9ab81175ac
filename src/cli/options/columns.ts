import { type ColumnSettings, type Columns, parseColumns } from '../../formats/index.js';
import type { ArgumentsOf, ListOption } from '../parse/command.js';

const check = (value: string): void => void parseColumns(value);

/** For every command that reads runs or judgements, because the readers suggest it. */
export const columnsOption: ListOption<'columns'> = {
  long: 'columns',
  value: 'LIST',
  repeatable: true,
  help: 'which column of CSV, TSV, JSONL and Parquet files is what, such as topic=q,doc=d,score=s,grade=g; rank=r instead of score=s ranks by a column in which 1 is best; numbers count columns from 1',
  check,
};

/** For commands that read both, whose columns may have different names. */
export const columnOptions: readonly [ListOption<'columns'>, ListOption<'qrels-columns'>, ListOption<'run-columns'>] = [
  columnsOption,
  { long: 'qrels-columns', value: 'LIST', repeatable: true, help: 'the same for the judgements only', check },
  { long: 'run-columns', value: 'LIST', repeatable: true, help: 'the same for the runs only', check },
];

/** What `--columns` says. */
export function columnsOf(args: ArgumentsOf<[typeof columnsOption]>): { readonly columns: Columns | undefined } {
  return { columns: joined(args.values('columns')) };
}

/** What these options say. */
export function columnSettings(args: ArgumentsOf<typeof columnOptions>): ColumnSettings {
  return {
    ...columnsOf(args),
    judgementColumns: joined(args.values('qrels-columns')),
    runColumns: joined(args.values('run-columns')),
  };
}

function joined(lists: readonly string[]): Columns | undefined {
  return lists.length === 0 ? undefined : parseColumns(lists.join(','));
}
