import { entriesOf } from '../../report/bibliography/index.js';
import type { Cited } from '../../report/index.js';

export { bibtex, comparisonEntries, entriesOfMeasure } from '../../report/bibliography/index.js';

/** What a paper cites something by. */
export function keysOf(cited: Cited): readonly string[] {
  return entriesOf(cited).map(({ key }) => key);
}
