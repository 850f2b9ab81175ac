import { type Grid, type GridForm, writeGrid as writePlainGrid } from '../../report/index.js';
import type { Context, TextOption, TextWriter } from '../parse/command.js';
import { styled, wantsColour } from './colour.js';

export { type Grid, type GridColumn, type GridForm, visible } from '../../report/index.js';

/** Prints a grid, with a bold header where colours are wanted. */
export function writeGrid(form: GridForm, grid: Grid, writer: TextWriter, environment: Context['environment']): void {
  writePlainGrid(form, grid, writer, wantsColour(writer.isTerminal, environment) ? (header) => styled('bold', header) : undefined);
}

/** The options of commands that print rows and columns. */
export const outputOption: TextOption<'output'> = {
  long: 'output',
  short: 'o',
  value: 'FILE',
  help: 'write to this file instead of standard output; it appears when it is complete',
  file: 'output',
};

/** Lets `produce` write to the file that `--output` names, or to standard output. */
export async function withOutput(path: string | undefined, context: Context, produce: (writer: TextWriter) => void): Promise<void> {
  if (path === undefined || path === '-') {
    produce(context.stdout);
    return;
  }
  const { writeOutputFile } = await import('../on-demand/output-file.js');
  await writeOutputFile(path, produce);
}
