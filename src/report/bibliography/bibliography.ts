import { InputError } from '../../core/problem.js';
import { parseMeasures } from '../../measures/parse.js';
import { docOf } from '../../measures/reference/index.js';
import { allMeasures } from '../../measures/registry.js';
import type { Comparison } from '../../stats/compare.js';
import { type Cited, methodsParts } from '../methods.js';
import type { BibliographyEntry } from './entry.js';
import { measureEntries, textbook } from './measure-entries.js';
import { statisticsEntries } from './statistics-entries.js';

/** The publications behind something that a comparison was made with. */
export function entriesOf(cited: Cited): readonly BibliographyEntry[] {
  if (cited.kind === 'measure') return entriesOfMeasure(cited.measure);
  return statisticsEntries[cited.kind === 'test' ? cited.test : cited.kind === 'correction' ? cited.correction : cited.kind];
}

/** The publications that a measure is cited by, in any of its spellings; none for counts and for measures from elsewhere. */
export function entriesOfMeasure(name: string): readonly BibliographyEntry[] {
  const defs = allMeasures.filter((def) => def.name === name);
  for (const def of defs.length > 0 ? defs : parsed(name)) {
    const { cite = [] } = docOf(def);
    if (cite.length === 0) return def.direction === 'neither' ? [] : [textbook];
    return cite.flatMap(({ text, doi }) => measureEntries.filter((entry) => (doi === undefined ? isSame(entry, text) : entry.doi === doi)));
  }
  return [];
}

function parsed(name: string): (typeof allMeasures)[number][] {
  try {
    return parseMeasures(name).map(({ def }) => def);
  } catch (error) {
    if (error instanceof InputError) return [];
    throw error;
  }
}

function isSame({ author, year, title }: BibliographyEntry, citation: string): boolean {
  return (
    citation.startsWith(author.split(',')[0]) && citation.includes(String(year)) && citation.toLowerCase().includes(title.toLowerCase())
  );
}

/** Everything that a comparison was made with: measures, test, correction, intervals and effect sizes. */
export function comparisonEntries(comparison: Comparison): readonly BibliographyEntry[] {
  const cited = [
    ...methodsParts(comparison).filter((part) => typeof part !== 'string'),
    ...comparison.measures.map(({ measure }): Cited => ({ kind: 'measure', measure })),
  ];
  return [...new Map(cited.flatMap(entriesOf).map((entry) => [entry.key, entry])).values()];
}

const venueField: Readonly<Record<BibliographyEntry['type'], string>> = {
  article: 'journal',
  inproceedings: 'booktitle',
  book: 'publisher',
  phdthesis: 'school',
};

/** Publications as a BibTeX file. */
export function bibtex(entries: readonly BibliographyEntry[]): string {
  return entries
    .map(({ key, type, author, title, venue, year, volume, number, pages, edition, doi }) => {
      const fields: [string, string | number | undefined][] = [
        ['author', author],
        ['title', title],
        [venueField[type], venue],
        ['year', year],
        ['volume', volume],
        ['number', number],
        ['pages', pages],
        ['edition', edition],
        ['doi', doi],
      ];
      const lines = fields.filter(([, value]) => value !== undefined).map(([name, value]) => `  ${name} = {${value}},\n`);
      return `@${type}{${key},\n${lines.join('')}}\n`;
    })
    .join('\n');
}
