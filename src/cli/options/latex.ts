import type { Problem } from '../../core/index.js';
import type { LatexTableOptions } from '../../report/index.js';
import type { ArgumentsOf, Switch } from '../parse/command.js';

/** Options for tables in papers. */
export const latexOptions: readonly [Switch<'siunitx'>, Switch<'two-column'>] = [
  { long: 'siunitx', help: 'LaTeX: align numbers with the package siunitx' },
  { long: 'two-column', help: 'LaTeX: for a paper with two columns; a table that does not fit into one spans both' },
];

type LatexArguments = ArgumentsOf<typeof latexOptions>;

/** Reads the options for tables in papers. */
export function latexFrom(args: LatexArguments): LatexTableOptions {
  return { siunitx: args.has('siunitx'), twoColumn: args.has('two-column') };
}

/** What is wrong with these options where something else than LaTeX is written. */
export function latexProblems(args: LatexArguments, form: string): Problem[] {
  const given = latexOptions.find(({ long }) => args.has(long));
  if (given === undefined || form === 'latex') return [];
  return [{ message: `--${given.long} belongs to LaTeX, and the result is written as ${form}`, wayOut: 'add --format latex' }];
}
