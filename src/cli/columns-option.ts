import type { ColumnSettings } from '../formats/tables/chosen-columns.js';
import { type Columns, parseColumns } from '../formats/tables/columns.js';
import type { ParsedArguments } from './arguments.js';
import type { OptionSpec } from './command.js';

const check = (value: string): void => void parseColumns(value);

/** For every command that reads runs or judgements, because the readers suggest it. */
export const columnsOption: OptionSpec = {
  long: 'columns',
  value: 'LIST',
  repeatable: true,
  help: 'which column of CSV, TSV, JSONL and Parquet files is what, such as topic=q,doc=d,score=s,grade=g; rank=r instead of score=s ranks by a column in which 1 is best; numbers count columns from 1',
  check,
};

/** For commands that read both, whose columns may have different names. */
export const columnOptions: readonly OptionSpec[] = [
  columnsOption,
  { long: 'qrels-columns', value: 'LIST', repeatable: true, help: 'the same for the judgements only', check },
  { long: 'run-columns', value: 'LIST', repeatable: true, help: 'the same for the runs only', check },
];

/** What these options say. */
export function columnsOf(args: ParsedArguments): ColumnSettings {
  const given = (option: string): Columns | undefined => (args.has(option) ? parseColumns(args.values(option).join(',')) : undefined);
  return { columns: given('columns'), judgementColumns: given('qrels-columns'), runColumns: given('run-columns') };
}
