import type { Cell, Grid, GridColumn, TextSink } from '../grid.js';
import { headerLines, stackedHeader } from './header.js';
import { type LetterSize, smallLetters } from './letter-sizes.js';
import { breakableText, latexText, textEms } from './text.js';

/** Where a table stands: in a float, in a float that spans both columns of a page, or just here, over several pages if it is long. */
export type TablePlace = 'float' | 'spanning' | 'here';

/** Widths of the text of papers with one column and two, and of the pages of reports, in points. */
const widths: Readonly<Record<TablePlace, number>> = { float: 340, spanning: 450, here: 460 };
/** Rows that fit on a page; longer tables are broken across pages. */
const PAGE_ROWS = 40;
/** Text wider than this is broken into lines, in ems. */
const WIDEST_CELL = 16;
/** What a column of long text needs at least, in ems. */
const NARROWEST_TEXT = 8;
/** The space between columns, in points. */
const GAP = 6;

interface Layout {
  readonly size: LetterSize;
  /** Which columns stand together; more than one group where they do not fit side by side. */
  readonly groups: readonly (readonly number[])[];
  /** The width of each column of long text, in points; null for all others. */
  readonly textWidths: readonly (number | null)[];
  readonly isMarked: readonly boolean[];
}

/** Writes rows and columns of any kind as a table. Columns of long text share the width that the others leave.
 *  @param caption As LaTeX. */
export function writeLatexGrid(grid: Grid, caption: string, sink: TextSink, place: TablePlace): void {
  const rows = [...grid.rows()];
  const layout = layoutOf(grid.columns, rows, widths[place]);
  const isLong = place === 'here' || (place === 'float' && rows.length > PAGE_ROWS);
  const environment = place === 'spanning' ? 'table*' : 'table';
  const setup = `${layout.size.command}\\setlength{\\tabcolsep}{${GAP / 2}pt}`;
  for (const [g, group] of layout.groups.entries()) {
    const types = `@{}${group.map((c) => columnType(grid.columns[c], layout, c)).join('')}@{}`;
    const header = rowLine(group.map((c) => headerCell(grid.columns[c], layout, c)));
    const words = g === 0 ? caption : '';
    const body = rows.map((row) => rowLine(group.map((c) => cellText(row[c], layout, c)))).join('');
    if (isLong) {
      const title = words === '' ? '' : `\\caption${place === 'here' ? '*' : ''}{${words}}\\\\\n`;
      sink.write(`\\begingroup${setup}\\setlength{\\LTcapwidth}{\\linewidth}\n\\begin{longtable}{${types}}\n${title}`);
      sink.write(`\\toprule\n${header}\\midrule\n\\endfirsthead\n\\toprule\n${header}\\midrule\n\\endhead\n\\bottomrule\n\\endfoot\n`);
      sink.write(`${body}\\end{longtable}\n\\endgroup\n`);
    } else {
      sink.write(`\\begin{${environment}}\n\\centering${setup}\\setlength{\\belowcaptionskip}{6pt}\n`);
      if (words !== '') sink.write(`\\caption{${words}}\n`);
      sink.write(`\\begin{tabular}{${types}}\n\\toprule\n${header}\\midrule\n${body}\\bottomrule\n\\end{tabular}\n\\end{${environment}}\n`);
    }
  }
}

/** A row, which must not begin with what would belong to the end of the row before. Where text is set ragged, two backslashes end a line
 *  of it instead of the row. */
function rowLine(cells: readonly string[]): string {
  return `${cells.join(' & ').replace(/^(?=[[*])/, '{}')} \\tabularnewline\n`;
}

function columnType({ numeric }: GridColumn, { textWidths, isMarked }: Layout, c: number): string {
  const width = textWidths[c];
  return width === null ? `${numeric ? 'r' : 'l'}${isMarked[c] ? '@{}l' : ''}` : `p{${width.toFixed(0)}pt}`;
}

function headerCell({ name, numeric }: GridColumn, { isMarked }: Layout, c: number): string {
  const text = numeric ? stackedHeader(headerLines(name)) : latexText(name);
  return isMarked[c] ? `\\multicolumn{2}{c}{${text}}` : text;
}

function cellText(cell: Cell, { textWidths, isMarked }: Layout, c: number): string {
  const { text, marks } = typeof cell === 'string' ? { text: cell, marks: '' } : cell;
  if (textWidths[c] !== null) return `\\raggedright ${breakableText(text)}`;
  return `${latexText(text)}${isMarked[c] ? '&' : ''}${marks === '' ? '' : `\\textsuperscript{${marks}}`}`;
}

function layoutOf(columns: readonly GridColumn[], rows: readonly (readonly Cell[])[], width: number): Layout {
  const marks = (cell: Cell): string => (typeof cell === 'string' ? '' : cell.marks);
  const text = (cell: Cell): string => (typeof cell === 'string' ? cell : cell.text);
  const isMarked = columns.map((_, c) => rows.some((row) => marks(row[c]) !== ''));
  const natural = columns.map(({ name, numeric }, c) => {
    const header = numeric ? Math.max(...headerLines(name).map(textEms)) : textEms(name);
    return rows.reduce((most, row) => Math.max(most, textEms(text(row[c])) + 0.75 * textEms(marks(row[c]))), header);
  });
  const isText = columns.map(({ numeric }, c) => numeric !== true && natural[c] > WIDEST_CELL);
  const numTexts = isText.filter((long) => long).length;
  for (const size of smallLetters) {
    const fixed = natural.reduce((sum, ems, c) => sum + (isText[c] ? 0 : ems * size.points), GAP * (columns.length - 1));
    const left = numTexts === 0 ? 0 : (width - fixed) / numTexts;
    if (fixed > width || (numTexts > 0 && left < NARROWEST_TEXT * size.points)) continue;
    return { size, groups: [columns.map((_, c) => c)], isMarked, textWidths: isText.map((long) => (long ? left : null)) };
  }
  return { ...split(natural, isText, width), isMarked };
}

/** Columns in groups that fit, each with the first column. */
function split(natural: readonly number[], isText: readonly boolean[], width: number): Omit<Layout, 'isMarked'> {
  const size = smallLetters[1];
  const textWidths = isText.map((long) => (long ? width / 4 : null));
  const pointsOf = (c: number): number => (textWidths[c] ?? natural[c] * size.points) + GAP;
  const groups: number[][] = [];
  let used = Infinity;
  for (let c = 1; c < natural.length; c++) {
    if (used + pointsOf(c) > width) {
      groups.push([0]);
      used = pointsOf(0);
    }
    groups[groups.length - 1].push(c);
    used += pointsOf(c);
  }
  return { size, groups: natural.length === 1 ? [[0]] : groups, textWidths };
}
