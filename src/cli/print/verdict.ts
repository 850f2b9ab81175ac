import type { RankerVerdict } from '../../experiment/index.js';
import { standardDeviationOf } from '../../stats/index.js';
import type { Grid } from './output.js';

/** One row for each ranker, the one that is ahead first.
 *  @param shown  how numbers are printed
 *  @param last   what stands in a last column, by the name of the ranker */
export function verdictGrid(
  { rankers, measure }: RankerVerdict,
  shown: (value: number) => string,
  last?: { readonly title: string; of(name: string): string },
): Grid {
  const right = (name: string) => ({ name, numeric: true });
  const columns = [
    right(measure),
    right('over folds'),
    right('behind'),
    right('95% interval'),
    right('p (Holm)'),
    right('numbers'),
    right('seconds'),
  ];
  return {
    columns: [{ name: 'ranker' }, ...columns, ...(last === undefined ? [] : [{ name: last.title }])],
    rows: () =>
      rankers.map(({ name, mean, foldMeans, against, size, seconds }) => [
        name,
        shown(mean),
        `± ${shown(standardDeviationOf(foldMeans))}`,
        against === null ? '' : shown(against.difference),
        against === null ? '' : `[${shown(against.interval.low)}, ${shown(against.interval.high)}]`,
        against === null ? '' : shown(against.correctedPValue),
        String(size),
        seconds.toFixed(2),
        ...(last === undefined ? [] : [last.of(name)]),
      ]),
  };
}
