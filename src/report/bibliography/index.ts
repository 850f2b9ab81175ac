/** The publications behind measures, tests and corrections, as BibTeX. */

export { bibtex, comparisonEntries, entriesOf, entriesOfMeasure } from './bibliography.js';
export type { BibliographyEntry } from './entry.js';
