import { systemLetter } from '../methods.js';

/** How superscripts say what was found significant: the labels of the systems that one outperforms; daggers for better and worse than
 *  the baseline; or, where labels would be too many to read, how many systems one outperforms. */
export type MarkStyle = 'labels' | 'daggers' | 'counts';

/** The superscripts of one measure's systems. */
export interface MarkedSystems {
  /** Systems that each is significantly better than, as places in the list of systems. */
  readonly better: readonly (readonly number[])[];
}

/** Superscripts longer than this are replaced by counts. */
const LONGEST_MARKS = 9;
/** Systems that single letters are enough for. */
const MOST_LETTERED = 25;

/** The style that fits all measures of a table. */
export function markStyle(measures: readonly MarkedSystems[], baseline: number | null): MarkStyle {
  if (baseline !== null) return 'daggers';
  const all = measures.flatMap(({ better }) => better);
  if (all.length > 0 && measures[0].better.length > MOST_LETTERED) return 'counts';
  return all.some((places) => labelText(places).length > LONGEST_MARKS) ? 'counts' : 'labels';
}

/** The superscript of a system. */
export function marksOf({ better }: MarkedSystems, system: number, style: MarkStyle, baseline: number | null): string {
  if (style === 'labels') return labelText(better[system]);
  if (style === 'counts') return better[system].length === 0 ? '' : String(better[system].length);
  if (baseline === null || system === baseline) return '';
  return better[system].includes(baseline) ? '$\\dagger$' : better[baseline].includes(system) ? '$\\ddagger$' : '';
}

/** `abd` for few systems, `a--d,f` where three or more follow each other. */
function labelText(places: readonly number[]): string {
  const sorted = places.toSorted((a, b) => a - b);
  const runs: [first: number, last: number][] = [];
  for (const place of sorted) {
    const run = runs.at(-1);
    if (run !== undefined && run[1] === place - 1) run[1] = place;
    else runs.push([place, place]);
  }
  const isShort = runs.every(([first, last]) => last - first < 3);
  if (isShort) return sorted.map(systemLetter).join('');
  return runs
    .map(([first, last]) => {
      if (last - first >= 2) return `${systemLetter(first)}--${systemLetter(last)}`;
      return first === last ? systemLetter(first) : `${systemLetter(first)},${systemLetter(last)}`;
    })
    .join(',');
}
