import { InputError } from '../../core/problem.js';
import { requireFraction, type Values } from '../../stats/checks.js';
import { type CorrectionMethod, correctPValues } from '../../stats/correction.js';
import { apCorrelation } from '../../stats/correlation/ap-correlation.js';
import { pearsonCorrelation, rootMeanSquareError } from '../../stats/correlation/correlation.js';
import { kendallTau } from '../../stats/correlation/kendall-tau.js';
import { rankWithTies } from '../../stats/correlation/overlap.js';
import { rankBiasedOverlap } from '../../stats/correlation/rank-biased-overlap.js';
import { meanOf } from '../../stats/moments.js';
import { pairedTTest } from '../../stats/t-test.js';
import { ranksOfMeans, TIED_MEANS } from '../leaderboard/ranks.js';

/** Scores of the same systems on the same topics under two sets of judgements. */
export interface TwoScorings {
  readonly systems: readonly string[];
  /** Scores of each system over topics under the first set, which is taken for the truth. */
  readonly first: readonly Values[];
  readonly second: readonly Values[];
}

/** How conclusions are drawn. */
export interface ConclusionOptions {
  /** 0.05 by default. */
  readonly alpha?: number | undefined;
  /** The two-sided p-value of a pair of systems; by default that of the paired t test. */
  readonly pValue?: ((first: Values, second: Values) => number) | undefined;
  /** Correction for many pairs; none by default. */
  readonly correction?: CorrectionMethod | undefined;
  /** Persistence of rank-biased overlap; 0.9 by default. */
  readonly p?: number | undefined;
}

/** Two systems whose order is significant in opposite directions. */
export interface ReversedPair {
  readonly first: string;
  readonly second: string;
}

/** What becomes of the order of systems under other judgements. */
export interface Conclusions {
  readonly systems: readonly {
    readonly system: string;
    readonly firstMean: number;
    readonly secondMean: number;
    readonly firstRank: number;
    readonly secondRank: number;
  }[];
  /** Null where one set gives every system the same mean. */
  readonly tau: number | null;
  readonly tauAp: number | null;
  readonly rbo: number | null;
  readonly pearson: number | null;
  readonly rmse: number;
  /** Mean of the second set's means less the first one's. */
  readonly shift: number;
  /** Systems whose mean another one before them has. */
  readonly tiedFirst: number;
  readonly tiedSecond: number;
  /** The same without systems that are tied with one before them under either set. */
  readonly distinct: {
    readonly systems: number;
    readonly leftOut: readonly string[];
    readonly tau: number | null;
    readonly tauAp: number | null;
  };
  readonly pairs: number;
  /** Pairs whose means are in strictly opposite order. */
  readonly swapped: number;
  /** Pairs by significance: under both sets in the same or in opposite directions, under the first or the second only, under neither. */
  readonly sameDirection: number;
  readonly reversed: readonly ReversedPair[];
  readonly lost: number;
  readonly gained: number;
  readonly neither: number;
  /** Of the pairs significant under the first set, the share that the second keeps; the other way round, the share that the first confirms. */
  readonly kept: number | null;
  readonly confirmed: number | null;
  readonly bestFirst: string;
  readonly bestSecond: string;
  /** The rank that the second set gives the first one's best system. */
  readonly rankOfBest: number;
}

/** Compares the order of systems, and what is significant about it, under two sets of judgements. */
export function conclusionsUnder({ systems, first, second }: TwoScorings, options: ConclusionOptions = {}): Conclusions {
  const { alpha = 0.05, p = 0.9 } = options;
  requireFraction('alpha', alpha);
  const n = systems.length;
  if (n < 2) throw new InputError({ message: `found ${n} system, and one has no order`, wayOut: 'give runs of at least 2 systems' });
  const means = [first, second].map((scores) => Float64Array.from(scores, meanOf));
  const ranks = means.map((own) => ranksOfMeans(own));
  const pValues = [first, second].map((scores) => pairPValues(scores, options));
  const counts = { swapped: 0, sameDirection: 0, lost: 0, gained: 0, neither: 0 };
  const reversed: ReversedPair[] = [];
  let at = 0;
  for (let i = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++, at++) {
      const [a, b] = means.map((own) => directionOf(own[i] - own[j]));
      if (a * b < 0) counts.swapped++;
      const [inFirst, inSecond] = pValues.map((own) => own[at] < alpha);
      if (inFirst && inSecond) {
        if (a * b < 0) reversed.push(a > 0 ? { first: systems[i], second: systems[j] } : { first: systems[j], second: systems[i] });
        else counts.sameDirection++;
      } else if (inFirst) counts.lost++;
      else if (inSecond) counts.gained++;
      else counts.neither++;
    }
  }
  const both = counts.sameDirection + reversed.length;
  const share = (part: number, of: number): number | null => (of > 0 ? part / of : null);
  const distinct = Array.from({ length: n }, (_, i) => i).filter((i) => means.every((own) => firstOfItsValue(own, i)));
  const bestOf = (own: Uint32Array): number => own.indexOf(1);
  return {
    systems: systems.map((system, i) => ({
      system,
      firstMean: means[0][i],
      secondMean: means[1][i],
      firstRank: ranks[0][i],
      secondRank: ranks[1][i],
    })),
    tau: ifVaried(means, () => kendallTau({ first: means[0], second: means[1] }).tau),
    tauAp: ifVaried(means, () => apCorrelation({ truth: means[0], estimate: means[1], ties: 'b' }).tau),
    rbo: rankBiasedOverlap({ first: rankWithTies(systems, means[0]), second: rankWithTies(systems, means[1]), p }).ext,
    pearson: ifVaried(means, () => pearsonCorrelation({ first: means[0], second: means[1] })),
    rmse: rootMeanSquareError({ first: means[0], second: means[1] }),
    shift: meanOf(means[1]) - meanOf(means[0]),
    tiedFirst: n - countWhere(n, (i) => firstOfItsValue(means[0], i)),
    tiedSecond: n - countWhere(n, (i) => firstOfItsValue(means[1], i)),
    distinct: { systems: distinct.length, leftOut: systems.filter((_, i) => !distinct.includes(i)), ...distinctTau(means, distinct) },
    pairs: at,
    ...counts,
    reversed,
    kept: share(counts.sameDirection, both + counts.lost),
    confirmed: share(counts.sameDirection, both + counts.gained),
    bestFirst: systems[bestOf(ranks[0])],
    bestSecond: systems[bestOf(ranks[1])],
    rankOfBest: ranks[1][bestOf(ranks[0])],
  };
}

function directionOf(difference: number): number {
  return Math.abs(difference) <= TIED_MEANS ? 0 : Math.sign(difference);
}

function firstOfItsValue(values: Float64Array, i: number): boolean {
  for (let before = 0; before < i; before++) if (Math.abs(values[before] - values[i]) <= TIED_MEANS) return false;
  return true;
}

function countWhere(n: number, test: (i: number) => boolean): number {
  let count = 0;
  for (let i = 0; i < n; i++) if (test(i)) count++;
  return count;
}

function ifVaried(means: readonly Float64Array[], compute: () => number): number | null {
  return means.some((own) => own.every((mean) => mean === own[0])) ? null : compute();
}

function distinctTau(means: readonly Float64Array[], kept: readonly number[]): { tau: number | null; tauAp: number | null } {
  if (kept.length < 2) return { tau: null, tauAp: null };
  const [truth, estimate] = means.map((own) => Float64Array.from(kept, (i) => own[i]));
  return { tau: kendallTau({ first: truth, second: estimate }).tau, tauAp: apCorrelation({ truth, estimate }).tau };
}

/** The p-values of all pairs, in the order (0, 1), (0, 2), … */
function pairPValues(scores: readonly Values[], options: ConclusionOptions): ArrayLike<number> {
  const { pValue = (a: Values, b: Values): number => pairedTTest({ first: a, second: b }).pValue, correction } = options;
  const pValues: number[] = [];
  for (let i = 0; i < scores.length; i++) for (let j = i + 1; j < scores.length; j++) pValues.push(pValue(scores[i], scores[j]));
  return correction === undefined ? pValues : correctPValues({ pValues, method: correction }).pValues;
}
