import type { TextSink } from '../grid.js';
import { headerLines, stackedHeader } from './header.js';
import { type LetterSize, smallLetters } from './letter-sizes.js';
import { markEms, type PaperCell, type PaperRow, type PaperTable } from './paper-table.js';
import { breakableText, latexText, shortened, textEms } from './text.js';

/** How a table is written for a paper. */
export interface LatexTableOptions {
  /** Columns of numbers by the package siunitx; by default the decimal points are aligned without it. */
  readonly siunitx?: boolean | undefined;
  /** For papers with two columns: the table stays within one of them if it fits, and spans both otherwise. */
  readonly twoColumn?: boolean | undefined;
  /** What `\ref` calls the table: `tab:results` by default. */
  readonly label?: string | undefined;
}

/** Widths of text in papers, in points: one column of the usual classes, a column of two, and both of them. */
const TEXT_WIDTH = 340;
const COLUMN_WIDTH = 215;
const SPANNING_WIDTH = 450;
/** Rows on a page, with room for the caption. */
const PAGE_ROWS = 32;
const SPANNING_ROWS = 45;
/** Names of systems are shortened beyond this. */
const LONGEST_NAME = 120;

const sizes: readonly LetterSize[] = [{ command: '', points: 10 }, ...smallLetters];

interface Layout {
  readonly size: LetterSize;
  readonly environment: 'table' | 'table*' | 'longtable';
  /** Which columns of numbers stand together; more than one group where they do not fit side by side. */
  readonly groups: readonly (readonly number[])[];
  /** Share of the line that long names have; null where names are not broken. */
  readonly nameShare: number | null;
}

/** Writes the table as LaTeX that goes into a paper as it is. */
export function writePaperTable(table: PaperTable, sink: TextSink, options: LatexTableOptions = {}): void {
  const layout = layoutOf(table, options.twoColumn === true);
  const packages = ['booktabs', ...(layout.environment === 'longtable' ? ['longtable'] : []), ...(options.siunitx ? ['siunitx'] : [])];
  sink.write(`% \\usepackage{${packages.join(',')}}\n`);
  const chunks = layout.groups.flatMap((group) => rowGroups(table.rows, layout.environment).map((rows) => ({ group, rows })));
  for (const [c, { group, rows }] of chunks.entries()) {
    if (c > 0) sink.write('\\addtocounter{table}{-1}\n');
    const caption = c === 0 ? `\\caption{${table.caption}}\\label{${options.label ?? 'tab:results'}}` : '\\caption{Continued.}';
    writeChunk(table, rows, group, caption, layout, options.siunitx === true, sink);
  }
}

/** A longtable breaks by itself; a float is as long as a page at most. */
function rowGroups(rows: readonly PaperRow[], environment: Layout['environment']): (readonly PaperRow[])[] {
  if (environment === 'longtable') return [rows];
  const groups: (readonly PaperRow[])[] = [];
  for (let i = 0; i < rows.length; i += SPANNING_ROWS) groups.push(rows.slice(i, i + SPANNING_ROWS));
  return groups;
}

function layoutOf(table: PaperTable, isTwoColumn: boolean): Layout {
  const numbers = table.columns.map((_, c) => columnEms(table, c));
  const longestName = Math.max(...table.rows.map(({ name }) => textEms(shortened(name, LONGEST_NAME))));
  const label = table.rows.some((row) => row.label !== '') ? 1.2 : 0;
  const total = (width: number, points: number): { ems: number; nameShare: number | null } => {
    const most = width / points / 3;
    const name = Math.min(longestName, most);
    return { ems: label + name + numbers.reduce((sum, own) => sum + own, 0), nameShare: longestName > most ? 0.33 : null };
  };
  // the space between columns does not shrink with the letters
  const gaps = (numColumns: number): number => 12 * (numColumns + (label > 0 ? 1 : 0));
  const places: { environment: Layout['environment']; width: number; sizes: readonly LetterSize[] }[] = isTwoColumn
    ? [
        { environment: 'table', width: COLUMN_WIDTH, sizes: table.rows.length > SPANNING_ROWS ? [] : sizes.slice(0, 3) },
        { environment: 'table*', width: SPANNING_WIDTH, sizes },
      ]
    : [{ environment: table.rows.length > PAGE_ROWS ? 'longtable' : 'table', width: TEXT_WIDTH, sizes }];
  for (const { environment, width, sizes: allowed } of places) {
    for (const size of allowed) {
      const { ems, nameShare } = total(width, size.points);
      if (ems * size.points + gaps(numbers.length) <= width) {
        return { size, environment, nameShare, groups: [table.columns.map((_, c) => c)] };
      }
    }
  }
  const { environment, width } = places[places.length - 1];
  const size = sizes[2];
  const { ems, nameShare } = total(width, size.points);
  const lead = ems - numbers.reduce((sum, own) => sum + own, 0);
  const groups: number[][] = [];
  let used = Infinity;
  for (const [c, own] of numbers.entries()) {
    const taken = own * size.points + 12;
    if (used + taken > width) {
      groups.push([]);
      used = lead * size.points + gaps(0);
    }
    groups[groups.length - 1].push(c);
    used += taken;
  }
  return { size, environment, groups, nameShare };
}

function columnEms({ columns, rows }: PaperTable, c: number): number {
  const header = Math.max(...headerLines(columns[c].name).map(textEms)) + (columns[c].isLowerBetter ? 0.8 : 0);
  const body = rows.reduce((most, { cells }) => Math.max(most, 1.15 * textEms(cells[c].text) + markEms(cells[c].marks)), 0);
  return Math.max(header, body);
}

function headerText({ name, isLowerBetter }: PaperTable['columns'][number]): string {
  return stackedHeader(headerLines(name), isLowerBetter ? '~$\\downarrow$' : '');
}

function writeChunk(
  table: PaperTable,
  rows: readonly PaperRow[],
  group: readonly number[],
  caption: string,
  { size, environment, nameShare }: Layout,
  isSiunitx: boolean,
  sink: TextSink,
): void {
  const hasLabels = table.rows.some(({ label }) => label !== '');
  const numbers = group.map((c) => (isSiunitx ? siunitxColumn(table.rows.map(({ cells }) => cells[c])) : 'r@{}l'));
  const columns = `@{}${hasLabels ? 'l' : ''}${nameShare === null ? 'l' : `p{${nameShare}\\linewidth}`}${numbers.join('')}@{}`;
  const header = group.map((c) => {
    const text = headerText(table.columns[c]);
    return isSiunitx ? `{${text}}` : `\\multicolumn{2}{c}{${text}}`;
  });
  // a name that begins with a bracket would belong to the end of the row before
  const first = (hasLabels ? ['', 'System'] : ['System']).join(' & ');
  const headerRow = `${[first, ...header].join(' & ')} \\\\`;
  const body = rows.map(({ label, name, cells }) => {
    const shown = shortened(name, LONGEST_NAME);
    const system = nameShare === null ? `{}${latexText(shown)}`.replace(/^\{\}(?![[*])/, '') : `\\raggedright ${breakableText(shown)}`;
    const values = group.map((c) => (isSiunitx ? siunitxCell(cells[c]) : alignedCell(cells[c])));
    return `${[...(hasLabels ? [label] : []), system, ...values].join(' & ')} \\\\\n`;
  });
  const setup = `${size.command}${isSiunitx ? '\\sisetup{detect-all}' : ''}\\setlength{\\emergencystretch}{2em}\\setlength{\\belowcaptionskip}{6pt}`;
  if (environment === 'longtable') {
    sink.write(`\\begingroup${setup}\\setlength{\\LTcapwidth}{\\linewidth}\n\\begin{longtable}{${columns}}\n${caption}\\\\\n`);
    sink.write(`\\toprule\n${headerRow}\n\\midrule\n\\endfirsthead\n\\toprule\n${headerRow}\n\\midrule\n\\endhead\n`);
    sink.write(`\\bottomrule\n\\endfoot\n${body.join('')}\\end{longtable}\n\\endgroup\n`);
    return;
  }
  sink.write(`\\begin{${environment}}\n\\centering${setup}\n${caption}\n\\begin{tabular}{${columns}}\n`);
  sink.write(`\\toprule\n${headerRow}\n\\midrule\n${body.join('')}\\bottomrule\n\\end{tabular}\n\\end{${environment}}\n`);
}

/** A number in two columns that meet at the decimal point, so that bold digits, which are wider, do not move it. */
function alignedCell({ text, marks, emphasis }: PaperCell): string {
  if (text === '') return '\\multicolumn{2}{c}{--}';
  const point = text.indexOf('.') < 0 ? text.length : text.indexOf('.');
  const whole = text.slice(0, point).replace('-', '$-$');
  const set = (digits: string): string =>
    digits === '' || emphasis === null ? digits : `\\${emphasis === 'best' ? 'textbf' : 'underline'}{${digits}}`;
  return `${set(whole)}&${set(text.slice(point))}${superscript(marks)}`;
}

function superscript(marks: string): string {
  return marks === '' ? '' : `\\textsuperscript{${marks}}`;
}

function siunitxColumn(cells: readonly PaperCell[]): string {
  const numbers = cells.map(({ text }) => text).filter((text) => /^-?\d/.test(text));
  const whole = Math.max(1, ...numbers.map((text) => text.replace('-', '').split('.')[0].length));
  const decimals = Math.max(0, ...numbers.map((text) => (text.split('.')[1] ?? '').length));
  const sign = numbers.some((text) => text.startsWith('-')) ? '-' : '';
  const widest = cells.reduce((most, { marks }) => (markEms(marks) > markEms(most) ? marks : most), '');
  const space = widest === '' ? '' : `,table-space-text-post={${superscript(widest)}}`;
  return `S[table-format=${sign}${whole}.${decimals}${space}]`;
}

/** Bold and superscripts as siunitx has them; it knows no underlined numbers, so that a line is drawn behind the number. */
function siunitxCell({ text, marks, emphasis }: PaperCell): string {
  if (!/^-?\d/.test(text)) return text === '' ? '{--}' : `{${latexText(text)}}`;
  const line = emphasis === 'second' ? `\\llap{\\underline{\\phantom{$${text}$}}}` : '';
  const behind = line + superscript(marks);
  return `${emphasis === 'best' ? '\\bfseries ' : ''}${text}${behind === '' ? '' : `{${behind}}`}`;
}
