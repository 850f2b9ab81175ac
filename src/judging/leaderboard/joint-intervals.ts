import type { RankSet } from './rank-sets.js';

/** Rank sets for means that come without topics: joint intervals of the means by Bonferroni, which ignore that scores are paired and are
 *  wide (Klein, Wright and Wieczorek, doi:10.1111/rssa.12517). */
export function jointIntervalRankSets(low: ArrayLike<number>, high: ArrayLike<number>): RankSet[] {
  return Array.from({ length: low.length }, (_, j) => {
    let above = 0;
    let below = 0;
    for (let k = 0; k < low.length; k++) {
      if (low[k] > high[j]) above++;
      if (high[k] < low[j]) below++;
    }
    return { low: 1 + above, high: low.length - below };
  });
}
