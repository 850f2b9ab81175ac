import { type MaybeNumber, maybe } from '../../report/model.js';
import type { Standings } from '../../report/verdict/model.js';
import { alignedScores } from '../../stats/alignment.js';
import type { Comparison, MeasureComparison } from '../../stats/compare.js';
import { groupsToDraw } from '../board/groups.js';
import { rankIntervals } from '../board/rank-intervals.js';
import type { ComparableScores } from '../comparison.js';
import { systemsByMean, type VerdictChecks } from './verdict.js';

/** Where each system stands under the first measure: the ranks that it has in most samples of topics, and with whom it is not told
 *  apart. */
export function standingsOf(scores: Pick<ComparableScores, 'table'>, comparison: Comparison, checks: VerdictChecks = {}): Standings {
  const [measure] = comparison.measures;
  const { systems } = alignedScores(scores.table, measure.measure, comparison.missing);
  const level = 1 - comparison.alpha;
  const { seed } = comparison;
  const drawn = rankIntervals(systems, measure.direction, comparison);
  const { unjudged } = checks;
  return {
    measure: measure.measure,
    ranks: systems.map((_, s) => ({ low: drawn.percentileLow[s], high: drawn.percentileHigh[s] })),
    level,
    resamples: drawn.resamples,
    seed: drawn.exact ? null : seed,
    groups: comparison.baseline === null ? groupsNotToldApart(measure) : [],
    unjudged:
      unjudged === undefined ? null : { cutoff: unjudged.cutoff, shares: unjudged.shares.map((share): MaybeNumber => maybe(share)) },
  };
}

/** Sets of systems that cannot be told apart, as places in the list of systems, the best mean first. */
export function groupsNotToldApart(measure: MeasureComparison): number[][] {
  const order = systemsByMean(measure);
  const told = measure.systems.map(({ better }) => new Set(better));
  const groups = groupsToDraw(order.length, (a, b) => told[order[a]].has(order[b]) || told[order[b]].has(order[a]));
  return groups.filter((group) => group.length > 1).map((group) => group.map((place) => order[place]));
}
