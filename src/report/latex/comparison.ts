import type { Comparison } from '../../stats/compare.js';
import { type Grid, type TextSink, visible } from '../grid.js';
import { type Cited, methodsParts } from '../methods.js';
import { writeLatexGrid } from './grid-table.js';
import { type PaperScores, paperTable } from './paper-table.js';
import { proseText } from './text.js';
import { type LatexTableOptions, writePaperTable } from './write-table.js';

/** How a comparison is written for a paper. */
export interface LatexComparisonOptions extends LatexTableOptions {
  readonly digits: number;
  readonly program?: string | undefined;
  /** Tables of pairs, each with its title; the main table only by default. */
  readonly pairs?: readonly { readonly title: string; readonly grid: Grid }[] | undefined;
  /** The keys of what is cited, in a bibliography that is written beside the table; nothing is cited without it. */
  readonly keysOf?: ((cited: Cited) => readonly string[]) | undefined;
}

/** Writes the main table of a comparison and the sentence about methods. */
export function writeLatexComparison(comparison: Comparison, sink: TextSink, options: LatexComparisonOptions): void {
  writePaperTable(paperTable(paperScores(comparison, options.digits)), sink, options);
  for (const { title, grid } of options.pairs ?? []) {
    sink.write('\n');
    writeLatexGrid(grid, proseText(title), sink, options.twoColumn === true ? 'spanning' : 'float');
  }
  const methods = methodsParts(comparison, options.program).map((part) =>
    typeof part === 'string' ? proseText(part) : citation(options.keysOf?.(part) ?? []),
  );
  const text = methods.join('');
  sink.write(`\n${comparison.notes.map((note) => `% Note: ${visible(note)}.\n`).join('')}`);
  // lines that are broken within names have little to stretch
  sink.write(text.includes('\\allowbreak') ? `{\\sloppy ${text}\\par}\n` : `${text}\n`);
}

function citation(keys: readonly string[]): string {
  return keys.length === 0 ? '' : `~\\cite{${keys.join(',')}}`;
}

function paperScores({ systems, measures, ...tested }: Comparison, digits: number): PaperScores {
  return {
    systems,
    measures: measures.map(({ measure, direction, systems: own }) => ({
      name: measure,
      direction,
      digits,
      means: own.map(({ mean }) => mean),
      better: own.map(({ better }) => better),
    })),
    numTopics: measures[0].topics.length,
    tested,
  };
}
