import { resampleRanks, scoreMatrix } from '../../judging/index.js';
import type { Comparison, Direction } from '../../stats/compare.js';

/** Samples of topics behind an interval of ranks; fewer where there are many systems to rank each time. */
const RESAMPLES = 5000;
const RESAMPLES_OF_MANY = 2000;
const MANY_SYSTEMS = 50;

/** The ranks that systems have in most samples of topics.
 *  @param systems Their values by topic, aligned. */
export function rankIntervals(
  systems: readonly ArrayLike<number>[],
  direction: Direction | undefined,
  { alpha, seed }: Pick<Comparison, 'alpha' | 'seed'>,
): ReturnType<typeof resampleRanks> {
  const sign = direction === 'lower' ? -1 : 1;
  return resampleRanks(scoreMatrix(systems.map((own) => Array.from(own, (value) => sign * value))), {
    resamples: systems.length > MANY_SYSTEMS ? RESAMPLES_OF_MANY : RESAMPLES,
    seed,
    level: 1 - alpha,
  });
}
