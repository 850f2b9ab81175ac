import { alignedScores } from '../../stats/alignment.js';
import type { ComparedPair, Comparison, Direction } from '../../stats/compare.js';
import { meanInterval } from '../../stats/effect-size.js';
import { plainMean } from '../../stats/moments.js';
import type { ComparableScores } from '../comparison.js';
import { systemsByMean } from '../verdict/verdict.js';
import { groupsToDraw } from './groups.js';
import { rankIntervals } from './rank-intervals.js';

/** One system of a leaderboard, as plain JSON. */
export interface BoardSystem {
  /** 1 for the best mean; equal means share the better rank. */
  readonly rank: number;
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  /** Percentiles of its rank over samples of the topics. */
  readonly rankLow: number;
  readonly rankHigh: number;
}

/** A system against the best. The difference is best − system, in the unit of the measure. */
export interface AgainstBest {
  readonly system: number;
  readonly difference: number;
  readonly low: number;
  readonly high: number;
  /** Topics on which the best is better, equal, and worse. */
  readonly wins: number;
  readonly ties: number;
  readonly losses: number;
  readonly pValue: number;
  readonly correctedPValue: number;
  readonly toldApart: boolean;
}

/** All that a leaderboard by one measure shows. */
export interface Board {
  readonly measure: string;
  readonly direction: Direction;
  readonly numPairs: number;
  readonly level: number;
  /** Places in the list of systems, the best mean first. */
  readonly order: readonly number[];
  /** As the list of systems has them. */
  readonly systems: readonly BoardSystem[];
  /** Every system but the best, the best mean first. */
  readonly againstBest: readonly AgainstBest[];
  /** Sets of systems that cannot be told apart, as places in `order`; the first holds the best. Of many systems only the
   *  best and all that are not told apart from it. */
  readonly groups: readonly (readonly number[])[];
  /** Topics that were compared, from easy to hard by the mean of all systems. */
  readonly topics: readonly string[];
  /** scores[system][topic], in the order of `topics`. */
  readonly scores: readonly Float64Array[];
  /** Samples behind the intervals of ranks, and the seed they were drawn with. */
  readonly resamples: number;
  readonly seed: number;
}

/** A leaderboard from a comparison of all pairs.
 *  @param asked The measure; the first if undefined. */
export function boardOf(scores: Pick<ComparableScores, 'table'>, comparison: Comparison, asked?: string): Board {
  const compared = comparison.measures.find(({ measure }) => measure === asked) ?? comparison.measures[0];
  const { measure, direction } = compared;
  const sign = direction === 'lower' ? -1 : 1;
  const aligned = alignedScores(scores.table, measure, comparison.missing);
  const numSystems = comparison.systems.length;
  const level = 1 - comparison.alpha;
  const drawn = rankIntervals(aligned.systems, direction, comparison);
  const order = systemsByMean(compared);
  const pairs = new Map(compared.pairs.map((pair) => [pair.system * numSystems + pair.against, pair]));
  const pairOf = (a: number, b: number): ComparedPair | undefined => pairs.get(a * numSystems + b) ?? pairs.get(b * numSystems + a);
  const isToldApart = (a: number, b: number): boolean => pairOf(order[a], order[b])?.significant === true;
  const against = order.slice(1).flatMap((system) => {
    const pair = pairOf(order[0], system);
    return pair === undefined ? [] : [againstBest(pair, order[0], system, sign)];
  });
  const easiness = aligned.topics.map((_, t) => sign * plainMean(aligned.systems.map((own) => own[t])));
  const topics = aligned.topics.map((_, t) => t).sort((a, b) => easiness[b] - easiness[a] || a - b);
  return {
    measure,
    direction,
    numPairs: compared.pairs.length,
    level,
    order,
    systems: compared.systems.map(({ mean, interval: { low, high } }, s) => ({
      rank: 1 + order.filter((other) => sign * compared.systems[other].mean > sign * mean).length,
      mean,
      low,
      high,
      rankLow: drawn.percentileLow[s],
      rankHigh: drawn.percentileHigh[s],
    })),
    againstBest: against,
    groups: groupsToDraw(numSystems, isToldApart),
    topics: topics.map((t) => aligned.topics[t]),
    scores: aligned.systems.map((own) => Float64Array.from(topics, (t) => own[t])),
    resamples: drawn.resamples,
    seed: comparison.seed,
  };
}

/** The leaderboard of one system, which has nothing to be compared with. */
export function boardOfOne(
  { table, missing }: Pick<ComparableScores, 'table' | 'missing'>,
  { measure, direction, alpha }: { readonly measure: string; readonly direction: Direction; readonly alpha: number },
): Board {
  const { topics: names, systems } = alignedScores(table, measure, missing);
  const [own] = systems;
  const level = 1 - alpha;
  const { mean, interval } = meanInterval({ values: own, level });
  const sign = direction === 'lower' ? -1 : 1;
  const topics = names.map((_, t) => t).sort((a, b) => sign * (own[b] - own[a]) || a - b);
  return {
    measure,
    direction,
    numPairs: 0,
    level,
    order: [0],
    systems: [{ rank: 1, mean, low: interval.low, high: interval.high, rankLow: 1, rankHigh: 1 }],
    againstBest: [],
    groups: [[0]],
    topics: topics.map((t) => names[t]),
    scores: [Float64Array.from(topics, (t) => own[t])],
    resamples: 0,
    seed: 0,
  };
}

function againstBest(pair: ComparedPair, best: number, system: number, sign: number): AgainstBest {
  const isTurned = pair.system !== best;
  const { wins, ties, losses, pValue, correctedPValue, significant, interval } = pair;
  const difference = isTurned ? 0 - pair.difference : pair.difference;
  return {
    system,
    difference,
    low: isTurned ? 0 - interval.high : interval.low,
    high: isTurned ? 0 - interval.low : interval.high,
    wins: isTurned ? losses : wins,
    ties,
    losses: isTurned ? wins : losses,
    pValue,
    correctedPValue: Math.min(1, correctedPValue),
    toldApart: significant && sign * difference > 0,
  };
}
