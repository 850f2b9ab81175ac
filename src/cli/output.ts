import { printable } from '../core/problem.js';
import { styled, wantsColour } from '../node/terminal.js';
import type { Context, OptionSpec, TextWriter } from './command.js';
import { displayWidth, padEnd, padStart } from './width.js';

/** The forms in which rows and columns can be printed. */
export type GridForm = 'table' | 'tsv' | 'csv' | 'md' | 'latex';

export interface GridColumn {
  readonly name: string;
  /** Numbers stand at the right, and are never mistaken for a formula. */
  readonly numeric?: boolean;
}

/** Rows and columns to print. Rows are produced anew each time they are asked for, so that a million of them need not be
 *  held in memory. */
export interface Grid {
  readonly columns: readonly GridColumn[];
  rows(): Iterable<readonly string[]>;
}

/** Prints a grid. Text from outside (names of topics, documents and runs) is made safe for the form it goes into. */
export function writeGrid(form: GridForm, grid: Grid, writer: TextWriter, environment: Context['environment'] = {}): void {
  switch (form) {
    case 'table':
      writeAligned(grid, writer, wantsColour(writer.isTerminal, environment));
      break;
    case 'tsv':
      writeSeparated(grid, writer, '\t', visible);
      break;
    case 'csv':
      writeSeparated(grid, writer, ',', csvField);
      break;
    case 'md':
      writeMarkdown(grid, writer);
      break;
    case 'latex':
      writeLatex(grid, writer);
      break;
  }
}

/** Control characters, which could move the cursor or break a row, shown as `\x1b`. */
export function visible(text: string): string {
  return printable(text, Infinity);
}

function names(grid: Grid): string[] {
  return grid.columns.map((column) => column.name);
}

/** The width of each column: its widest entry. */
function columnWidths(grid: Grid, shown: (text: string) => string): number[] {
  const widths = names(grid).map((name) => displayWidth(shown(name)));
  for (const row of grid.rows()) {
    for (const [c, text] of row.entries()) widths[c] = Math.max(widths[c], displayWidth(shown(text)));
  }
  return widths;
}

function aligned(row: readonly string[], grid: Grid, widths: readonly number[], shown: (text: string) => string): string[] {
  return row.map((text, c) => (grid.columns[c].numeric ? padStart(shown(text), widths[c]) : padEnd(shown(text), widths[c])));
}

function writeAligned(grid: Grid, writer: TextWriter, colour: boolean): void {
  const widths = columnWidths(grid, visible);
  const line = (row: readonly string[]): string => aligned(row, grid, widths, visible).join('  ').trimEnd();
  const header = line(names(grid));
  if (header !== '') writer.write(`${colour ? styled('bold', header) : header}\n`);
  for (const row of grid.rows()) writer.write(`${line(row)}\n`);
}

function writeSeparated(grid: Grid, writer: TextWriter, separator: string, shown: (text: string, numeric: boolean) => string): void {
  const numeric = grid.columns.map((column) => column.numeric === true);
  writer.write(
    `${names(grid)
      .map((name) => shown(name, false))
      .join(separator)}\n`,
  );
  for (const row of grid.rows()) writer.write(`${row.map((text, c) => shown(text, numeric[c])).join(separator)}\n`);
}

/** Quoted where RFC 4180 asks for it. A spreadsheet takes text that begins with one of `=+-@` for a formula, so such text
 *  is led in by an apostrophe, unless it is a plain number. */
function csvField(text: string, numeric: boolean): string {
  const guarded = !numeric && /^[=+\-@\t\r]/.test(text) && !/^[+-]?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
  // line breaks and tabs are safe inside quotes; other control characters are not safe anywhere
  const plain = guarded
    .split(/([\r\n\t]+)/)
    .map((part, i) => (i % 2 === 0 ? visible(part) : part))
    .join('');
  return /[",\r\n]|^\s|\s$/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

function writeMarkdown(grid: Grid, writer: TextWriter): void {
  const widths = columnWidths(grid, markdownCell).map((width) => Math.max(3, width));
  const line = (row: readonly string[]): string => `| ${aligned(row, grid, widths, markdownCell).join(' | ')} |\n`;
  writer.write(line(names(grid)));
  const rule = grid.columns.map(({ numeric }, c) => (numeric ? `${'-'.repeat(widths[c] - 1)}:` : '-'.repeat(widths[c])));
  writer.write(`| ${rule.join(' | ')} |\n`);
  for (const row of grid.rows()) writer.write(line(row));
}

/** A cell cannot hold a pipe or a line break, and text from outside must not become markup or HTML. */
function markdownCell(text: string): string {
  return visible(text)
    .replace(/[\\`*_[\]|~]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

function writeLatex(grid: Grid, writer: TextWriter): void {
  const line = (row: readonly string[]): string => `${row.map(latexText).join(' & ')} \\\\\n`;
  writer.write(`\\begin{tabular}{${grid.columns.map(({ numeric }) => (numeric ? 'r' : 'l')).join('')}}\n\\hline\n`);
  writer.write(`${line(names(grid))}\\hline\n`);
  for (const row of grid.rows()) writer.write(line(row));
  writer.write('\\hline\n\\end{tabular}\n');
}

const latexSpecials: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '|': '\\textbar{}',
  '"': '\\textquotedbl{}',
  "'": '\\textquotesingle{}',
};

function latexText(text: string): string {
  return visible(text).replace(/[\\~^<>|"'{}$&#%_]/g, (c) => latexSpecials[c] ?? `\\${c}`);
}

/** The options of commands that print rows and columns. */
export const outputOption: OptionSpec = {
  long: 'output',
  short: 'o',
  value: 'FILE',
  help: 'write to this file instead of standard output; it appears when it is complete',
  complete: 'file',
};

/** Lets `produce` write to the file that `--output` names, or to standard output. */
export async function withOutput(path: string | undefined, context: Context, produce: (writer: TextWriter) => void): Promise<void> {
  if (path === undefined || path === '-') {
    produce(context.stdout);
    return;
  }
  const { writeOutputFile } = await import('../node/output-file.js');
  await writeOutputFile(path, produce);
}
