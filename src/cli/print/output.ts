import { type Grid, type GridForm, type Ink, type TableLook, type Tone, writeGrid as writePlainGrid } from '../../report/index.js';
import type { Context, TextOption, TextWriter } from '../parse/command.js';
import { type Style, styled, wantsColour } from './colour.js';
import { plainText } from './glance.js';

export { type Grid, type GridColumn, type GridForm, gridWidth, transposedGrid, visible } from '../../report/index.js';

const inkStyles: Readonly<Record<Ink, Style>> = {
  accent: 'cyan',
  faint: 'dim',
  warning: 'yellow',
  passed: 'green',
  worse: 'red',
  strong: 'bold',
};
const toneStyles: Readonly<Record<Tone, Style>> = { better: 'green', worse: 'red', even: 'dim' };

/** How tables look at the other end: bold headers and tones where colours are wanted, and no wider than a terminal. Files and pipes have
 *  no width, so that the same input gives the same bytes. */
export function tableLook(writer: TextWriter, environment: Context['environment']): TableLook {
  const columns = writer.isTerminal ? writer.columns : undefined;
  if (!wantsColour(writer.isTerminal, environment)) return { columns };
  return {
    columns,
    paintHeader: (header) => styled('bold', header),
    paintTone: (tone, text) => styled(toneStyles[tone], text),
    paint: (ink, text) => (text === '' ? '' : styled(inkStyles[ink], text)),
  };
}

/** Whether a terminal shows nothing but ASCII, by what the environment says of its character set. */
function hasOnlyAscii({ isTerminal }: TextWriter, { LC_ALL, LC_CTYPE, LANG }: Context['environment']): boolean {
  const locale = LC_ALL || LC_CTYPE || LANG;
  return isTerminal && locale !== undefined && locale !== '' && !/utf-?8/i.test(locale);
}

/** A writer whose marks a terminal can show, be it one without Unicode. */
export function readableWriter(writer: TextWriter, environment: Context['environment']): TextWriter {
  if (!hasOnlyAscii(writer, environment)) return writer;
  return {
    isTerminal: writer.isTerminal,
    columns: writer.columns,
    flush: () => writer.flush?.(),
    write: (text) => writer.write(plainText(text)),
  };
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
