import { ChosenColumns } from '../formats/chosen-columns.js';
import { type Columns, parseColumns } from '../formats/columns.js';
import type { ParsedArguments } from './arguments.js';
import type { OptionSpec } from './command.js';

/** For every command that reads runs or judgements, because the readers suggest it. */
export const columnsOption: OptionSpec = {
  long: 'columns',
  value: 'LIST',
  repeatable: true,
  help: 'which column of CSV, TSV, JSONL and Parquet files is what, such as topic=q,doc=d,score=s,grade=g; rank=r instead of score=s ranks by a column in which 1 is best; numbers count columns from 1',
  check: (value) => void parseColumns(value),
};

/** What --columns says. */
export function columnsOf(args: ParsedArguments): Columns | undefined {
  return args.has('columns') ? parseColumns(args.values('columns').join(',')) : undefined;
}

/** What --columns says, for a command that reads the files itself. */
export function chosenColumns(args: ParsedArguments): ChosenColumns {
  return new ChosenColumns(columnsOf(args));
}
