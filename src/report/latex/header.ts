import { latexText, shortened } from './text.js';

const LONGEST_LINE = 11;
const MOST_LINES = 6;

/** The name of a measure in lines short enough for a column of numbers, broken before and behind its signs. */
export function headerLines(name: string): string[] {
  const lines: string[] = [];
  const longest = LONGEST_LINE * (MOST_LINES - 1);
  for (const piece of shortened(name, longest).split(/(?=[(@ _/.-])|(?<=[,;:=_ /-])/)) {
    const last = lines.at(-1);
    if (last !== undefined && Array.from(last + piece).length <= LONGEST_LINE) lines[lines.length - 1] += piece;
    else {
      const letters = Array.from(piece);
      for (let i = 0; i < letters.length; i += LONGEST_LINE) lines.push(letters.slice(i, i + LONGEST_LINE).join(''));
    }
  }
  const shown = lines.map((line) => line.trim()).filter((line) => line !== '');
  return shown.length === 0 ? [''] : shown;
}

/** Lines above each other, as the header of a column.
 *  @param behind What stands behind the last line, as LaTeX. */
export function stackedHeader(lines: readonly string[], behind = ''): string {
  const shown = lines.map(latexText);
  return shown.length === 1 ? `${shown[0]}${behind}` : `\\begin{tabular}[b]{@{}c@{}}${shown.join('\\\\')}${behind}\\end{tabular}`;
}
