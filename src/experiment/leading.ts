import { InputError } from '../core/problem.js';
import type { ScoreTable } from '../core/score-table.js';
import { compareTexts } from '../core/text.js';
import { canonicalName, directionOf } from './names.js';

/** Which systems are shown, and in which order. */
export interface ShowingSettings {
  /** A measure, the best value first, or `name`; as they were given if undefined. */
  readonly sort?: string | undefined;
  /** Only so many of the best. */
  readonly top?: number | undefined;
}

/** The word for an order by names. */
const BY_NAME = 'name';

/** The places of the systems that are shown, in their order, where each has a table of its own. The best by the first measure are shown
 *  if a number is asked for and no order. Systems without a value come last, and equal ones stay in their order.
 *  @throws An `InputError` if there is no such measure. */
export function leadingSystems(tables: readonly ScoreTable[], { sort, top }: ShowingSettings): number[] {
  const places = tables.map((_, s) => s);
  if (sort === undefined && top === undefined) return places;
  if (sort === BY_NAME) places.sort((a, b) => compareTexts(tables[a].systems[0], tables[b].systems[0]));
  else {
    const measure = measureToSortBy(tables[0].measures, sort);
    const sign = directionOf(measure) === 'lower' ? 1 : -1;
    const values = tables.map((table) => sign * table.aggregate(measure));
    places.sort((a, b) => (Number.isNaN(values[a]) ? 1 : 0) - (Number.isNaN(values[b]) ? 1 : 0) || values[a] - values[b] || a - b);
  }
  return top === undefined ? places : places.slice(0, top);
}

/** The measure that a sort order names; the first if none is named.
 *  @throws An `InputError` if it is not among the measures. */
export function measureToSortBy(measures: readonly string[], sort: string | undefined): string {
  if (sort === undefined || sort === BY_NAME) return measures[0];
  const found = measures.find((name) => name === sort || name === canonicalName(sort));
  if (found !== undefined) return found;
  throw new InputError({ message: `--sort: there is no ${sort} in this table`, wayOut: `sort by ${[...measures, BY_NAME].join(', ')}` });
}
