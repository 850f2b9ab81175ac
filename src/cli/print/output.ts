import { type Grid, type GridForm, type TableLook, type Tone, writeGrid as writePlainGrid } from '../../report/index.js';
import type { Context, TextOption, TextWriter } from '../parse/command.js';
import { type Style, styled, wantsColour } from './colour.js';

export { type Grid, type GridColumn, type GridForm, gridWidth, transposedGrid, visible } from '../../report/index.js';

const toneStyles: Readonly<Record<Tone, Style>> = { better: 'green', worse: 'red', even: 'dim' };

/** How tables look at the other end: bold headers and tones where colours are wanted, and no wider than a terminal. Files and pipes have
 *  no width, so that the same input gives the same bytes. */
export function tableLook(writer: TextWriter, environment: Context['environment']): TableLook {
  const columns = writer.isTerminal ? writer.columns : undefined;
  if (!wantsColour(writer.isTerminal, environment)) return { columns };
  return { columns, paintHeader: (header) => styled('bold', header), paintTone: (tone, text) => styled(toneStyles[tone], text) };
}

/** Prints a grid, with a bold header where colours are wanted. */
export function writeGrid(form: GridForm, grid: Grid, writer: TextWriter, environment: Context['environment']): void {
  writePlainGrid(form, grid, writer, tableLook(writer, environment));
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
