import { printable } from '../core/problem.js';
import { latexText } from './latex/text.js';
import { displayWidth, padEnd, padStart } from './width.js';

/** Where text goes. */
export interface TextSink {
  write(text: string): void;
  /** Whether a person's terminal shows it, which must not act upon names from outside. */
  readonly isTerminal?: boolean;
}

/** What a part of a picture made of characters is, for those who see colours. */
export type Ink = 'accent' | 'faint' | 'warning' | 'passed' | 'worse' | 'strong';

/** The forms in which rows and columns can be printed. */
export type GridForm = 'table' | 'tsv' | 'csv' | 'md' | 'latex';

/** A column of a printed table. */
export interface GridColumn {
  readonly name: string;
  /** Numbers stand at the right, and are never mistaken for a formula. */
  readonly numeric?: boolean;
}

/** Rows and columns to print. Rows are produced anew each time they are asked for, so that a million of them need not be
 *  held in memory. */
export interface Grid {
  /** How many of the first columns say what a row is about; 1 by default. They are repeated where a table is broken into parts. */
  readonly lead?: number | undefined;
  readonly columns: readonly GridColumn[];
  rows(): Iterable<readonly Cell[]>;
}

/** Text with letters that are raised above the line where the form can do so, as papers mark significant differences. */
export interface MarkedText {
  readonly text: string;
  /** Of the letters a to z, digits and commas only, because they are printed as they are. */
  readonly marks: string;
  /** What it means for the system it is about; terminals show it as a colour. */
  readonly tone?: Tone | undefined;
  /** Where it leads, as an address of the web; Markdown makes it a link. */
  readonly address?: string | undefined;
}

/** Whether something is better or worse than what it is compared with, or cannot be told apart from it. */
export type Tone = 'better' | 'worse' | 'even';

/** How a table looks where people read it. */
export interface TableLook {
  readonly paintHeader?: ((header: string) => string) | undefined;
  readonly paintTone?: ((tone: Tone, text: string) => string) | undefined;
  /** Colours of a picture made of characters. */
  readonly paint?: ((ink: Ink, text: string) => string) | undefined;
  /** A table that is wider is broken into parts below one another. */
  readonly columns?: number | undefined;
}

/** What stands in one place of a table. */
export type Cell = string | MarkedText;

function textOf(cell: Cell): string {
  return typeof cell === 'string' ? cell : cell.text;
}

function marksOf(cell: Cell): string {
  return typeof cell === 'string' ? '' : cell.marks;
}

/** Prints a grid. Text from outside (names of topics, documents and runs) is made safe for the form it goes into. */
export function writeGrid(form: GridForm, grid: Grid, writer: TextSink, look: TableLook = {}): void {
  switch (form) {
    case 'table':
      writeAligned(grid, writer, look);
      break;
    case 'tsv':
      writeSeparated(grid, writer, '\t');
      break;
    case 'csv':
      writeSeparated(grid, writer, ',');
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

interface Widths {
  readonly text: readonly number[];
  readonly marks: readonly number[];
}

/** The width of each column: its widest entry. Marks stand behind numbers, which stay aligned. */
function columnWidths(grid: Grid, shownCell: (cell: Cell) => readonly [text: string, marks: string]): Widths {
  const text = names(grid).map((name) => displayWidth(shownCell(name)[0]));
  const marks = text.map(() => 0);
  for (const row of grid.rows()) {
    for (const [c, cell] of row.entries()) {
      const [shownText, shownMarks] = shownCell(cell);
      text[c] = Math.max(text[c], displayWidth(shownText));
      marks[c] = Math.max(marks[c], displayWidth(shownMarks));
    }
  }
  return { text, marks };
}

function aligned(
  row: readonly Cell[],
  grid: Grid,
  widths: Widths,
  shownCell: (cell: Cell) => readonly [text: string, marks: string],
): string[] {
  return row.map((cell, c) => {
    const [text, marks] = shownCell(cell);
    const placed = grid.columns[c].numeric ? padStart(text, widths.text[c]) : padEnd(text, widths.text[c]);
    return placed + padEnd(marks, widths.marks[c]);
  });
}

const raisedLetters: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from('abcdefghijklmnoprstuvwxyz,', (letter, i) => [letter, Array.from('ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ,')[i]]),
);

/** Letters as small raised ones, of which Unicode has all but q. */
export function raised(marks: string): string {
  return Array.from(marks, (letter) => raisedLetters[letter] ?? letter).join('');
}

const GAP = '  ';

function writeAligned(grid: Grid, writer: TextSink, { paintHeader = (header) => header, paintTone, columns = Infinity }: TableLook): void {
  const shownCell = (cell: Cell): [string, string] => [visible(textOf(cell)), raised(marksOf(cell))];
  const widths = columnWidths(grid, shownCell);
  const parts = partsWithin(columns, grid, widths);
  for (const [p, part] of parts.entries()) {
    const line = (row: readonly Cell[], cells: readonly string[]): string => {
      const shown = part.map((c) => {
        const cell = row[c];
        return paintTone === undefined || typeof cell === 'string' || cell.tone === undefined ? cells[c] : paintTone(cell.tone, cells[c]);
      });
      return shown.join(GAP).trimEnd();
    };
    if (p > 0) writer.write('\n');
    const header = line(names(grid), aligned(names(grid), grid, widths, shownCell));
    if (header !== '') writer.write(`${paintHeader(header)}\n`);
    for (const row of grid.rows()) writer.write(`${line(row, aligned(row, grid, widths, shownCell))}\n`);
  }
}

/** Which columns stand beside one another, so that no part is wider than it may be where that can be; the leading ones are in all. */
function partsWithin(most: number, grid: Grid, { text, marks }: Widths): number[][] {
  const lead = Array.from({ length: Math.min(grid.lead ?? 1, text.length) }, (_, c) => c);
  const width = (c: number): number => text[c] + marks[c];
  const leadWidth = lead.reduce((sum, c) => sum + width(c) + GAP.length, 0) - GAP.length;
  const parts: number[][] = [];
  let used = 0;
  for (let c = lead.length; c < text.length; c++) {
    const taken = GAP.length + width(c);
    if (parts.length === 0 || used + taken > most) {
      parts.push([...lead]);
      used = leadWidth;
    }
    parts[parts.length - 1].push(c);
    used += taken;
  }
  return parts.length === 0 ? [lead] : parts;
}

/** How many columns of a terminal a table takes. */
export function gridWidth(grid: Grid): number {
  const { text, marks } = columnWidths(grid, (cell) => [visible(textOf(cell)), raised(marksOf(cell))]);
  return text.reduce((sum, width, c) => sum + width + marks[c] + GAP.length, -GAP.length);
}

/** Rows as columns. What the rows were about becomes the header.
 *  @param corner What the first column holds then. */
export function transposedGrid(grid: Grid, corner: string): Grid {
  const rows = [...grid.rows()];
  return {
    columns: [{ name: corner }, ...rows.map(([name]) => ({ name: textOf(name), numeric: true }))],
    rows: () => grid.columns.slice(1).map(({ name }, c) => [name, ...rows.map((row) => row[c + 1])]),
  };
}

/** Rows that programs read back, with names as they are; only a terminal is shown control characters as escapes. */
function writeSeparated(grid: Grid, writer: TextSink, separator: ',' | '\t'): void {
  const numeric = grid.columns.map((column) => column.numeric === true);
  const field = (text: string, isNumber: boolean): string => {
    const guarded = withoutFormula(text, isNumber);
    return quotedField(writer.isTerminal === true ? visible(guarded) : guarded, separator);
  };
  writer.write(
    `${names(grid)
      .map((name) => field(name, false))
      .join(separator)}\n`,
  );
  for (const row of grid.rows()) writer.write(`${row.map((cell, c) => field(textOf(cell) + marksOf(cell), numeric[c])).join(separator)}\n`);
}

/** In quotes where RFC 4180 asks for them, where readers would trim the text, and where it would begin a comment. */
function quotedField(text: string, separator: ',' | '\t'): string {
  return text.includes(separator) || /["\r\n]|^[\s#]|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A spreadsheet takes text that begins with one of `=+-@` for a formula, so such text is led in by an apostrophe, unless it is a plain
 *  number. So is text that looks as if that had been done, or it would come back without its own. */
function withoutFormula(text: string, numeric: boolean): string {
  return !numeric && /^'*[=+\-@\t\r]/.test(text) && !/^[+-]?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
}

function writeMarkdown(grid: Grid, writer: TextSink): void {
  const shownCell = (cell: Cell): [string, string] => [linkedText(cell), marksOf(cell) === '' ? '' : `<sup>${marksOf(cell)}</sup>`];
  const found = columnWidths(grid, shownCell);
  const widths = { ...found, text: found.text.map((width) => Math.max(3, width)) };
  const line = (row: readonly Cell[]): string => `| ${aligned(row, grid, widths, shownCell).join(' | ')} |\n`;
  writer.write(line(names(grid)));
  const rule = grid.columns.map(({ numeric }, c) => '-'.repeat(widths.text[c] + widths.marks[c] - 1) + (numeric ? ':' : '-'));
  writer.write(`| ${rule.join(' | ')} |\n`);
  for (const row of grid.rows()) writer.write(line(row));
}

/** The text of a cell, as a link if it leads somewhere. */
function linkedText(cell: Cell): string {
  const text = markdownText(textOf(cell));
  const address = typeof cell === 'string' ? undefined : cell.address;
  if (address === undefined) return text;
  return `[${text || markdownText(address)}](${address.replaceAll('(', '%28').replaceAll(')', '%29').replaceAll('&', '&amp;')})`;
}

/** A cell cannot hold a pipe or a line break, and text from outside must not become markup or HTML. */
export function markdownText(text: string): string {
  return visible(text)
    .replace(/[\\`*_[\]|~]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

function writeLatex(grid: Grid, writer: TextSink): void {
  // marks have a column of their own behind the numbers, which stay aligned
  const isMarked = grid.columns.map(() => false);
  for (const row of grid.rows()) for (const [c, cell] of row.entries()) isMarked[c] ||= marksOf(cell) !== '';
  const shown = (cell: Cell, c: number): string => {
    const marks = marksOf(cell);
    return `${latexText(textOf(cell))}${isMarked[c] ? '&' : ''}${marks === '' ? '' : `\\textsuperscript{${marks}}`}`;
  };
  const header = ({ name }: GridColumn, c: number): string => (isMarked[c] ? `\\multicolumn{2}{c}{${latexText(name)}}` : latexText(name));
  // what begins with one of these would belong to the end of the row before
  const line = (cells: readonly string[]): string => `${cells.join(' & ').replace(/^(?=[[*])/, '{}')} \\\\\n`;
  const columns = grid.columns.map(({ numeric }, c) => (numeric ? 'r' : 'l') + (isMarked[c] ? '@{}l' : ''));
  writer.write(`\\begin{tabular}{${columns.join('')}}\n\\toprule\n${line(grid.columns.map(header))}\\midrule\n`);
  for (const row of grid.rows()) writer.write(line(row.map(shown)));
  writer.write('\\bottomrule\n\\end{tabular}\n');
}
