import { InputError } from '../../core/problem.js';

/** A plan that needs more than this is a mistake in the units. */
const MOST = 100_000_000;

/** The smallest whole number from `from` on for which `enough` holds, where it holds for all numbers beyond. */
export function smallestWhole(from: number, enough: (n: number) => boolean, what: string): number {
  if (enough(from)) return from;
  let low = from;
  let high = from * 2;
  while (!enough(high)) {
    low = high;
    high *= 2;
    if (high > MOST) {
      throw new InputError({
        message: `${what} needs more than ${MOST} of them`,
        wayOut: 'check the units: the wanted width or difference is tiny beside the spread of the scores',
      });
    }
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (enough(middle)) high = middle;
    else low = middle;
  }
  return high;
}
