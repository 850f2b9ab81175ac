import { requireFraction, requireSystems, type Values } from './checks.js';
import { chiSquaredDistribution, fDistribution } from './distributions/distributions.js';
import { studentizedRangeDistribution } from './distributions/studentized-range.js';
import { averageRanks } from './ranks.js';
import { pairDifferences } from './tukey-hsd.js';

/** The scores that are ranked within each topic. */
export interface FriedmanOptions {
  /** One array of per-topic values per system, all over the same topics in the same order; larger is better. */
  readonly systems: readonly Values[];
}

/** Whether systems differ at all, by their ranks within topics. */
export interface FriedmanResult {
  readonly test: 'Friedman';
  readonly method: 'chi-squared distribution, corrected for ties';
  readonly topics: number;
  /** Mean rank of each system over the topics; 1 is best, equal scores share their ranks. */
  readonly meanRanks: Float64Array;
  readonly statistic: number;
  readonly degreesOfFreedom: number;
  readonly pValue: number;
  /** Iman and Davenport's form, which is less cautious: an F statistic with (systems − 1) and (systems − 1)(topics − 1) degrees
   *  of freedom. */
  readonly imanDavenport: { readonly statistic: number; readonly pValue: number };
}

/** Friedman's test: do the systems have the same mean rank over topics? */
export function friedmanTest(options: FriedmanOptions): FriedmanResult {
  const { systems } = options;
  requireSystems(systems, 2, 2);
  const k = systems.length;
  const topics = systems[0].length;
  const { rankSums, squareSum } = rankTopics(systems);
  let between = 0;
  for (const sum of rankSums) between += (sum - (topics * (k + 1)) / 2) ** 2;
  // what the ranks of one topic vary by; without ties this is topics·k(k² − 1)/12
  const within = squareSum - (topics * k * (k + 1) ** 2) / 4;
  const statistic = within === 0 ? 0 : ((k - 1) * between) / within;
  const rest = topics * (k - 1) - statistic;
  const fStatistic = statistic === 0 ? 0 : ((topics - 1) * statistic) / Math.max(0, rest);
  return {
    test: 'Friedman',
    method: 'chi-squared distribution, corrected for ties',
    topics,
    meanRanks: rankSums.map((sum) => sum / topics),
    statistic,
    degreesOfFreedom: k - 1,
    pValue: chiSquaredDistribution(k - 1).upperTail(statistic),
    imanDavenport: { statistic: fStatistic, pValue: fDistribution(k - 1, (k - 1) * (topics - 1)).upperTail(fStatistic) },
  };
}

function rankTopics(systems: readonly Values[]): { rankSums: Float64Array; squareSum: number } {
  const k = systems.length;
  const rankSums = new Float64Array(k);
  const scores = new Float64Array(k);
  let squareSum = 0;
  for (let t = 0; t < systems[0].length; t++) {
    for (let s = 0; s < k; s++) scores[s] = -systems[s][t];
    const { ranks } = averageRanks(scores);
    for (let s = 0; s < k; s++) {
      rankSums[s] += ranks[s];
      squareSum += ranks[s] * ranks[s];
    }
  }
  return { rankSums, squareSum };
}

/** What Nemenyi's test needs beyond that of Friedman. */
export interface NemenyiOptions extends FriedmanOptions {
  /** Joint level of the critical difference, 0.95 by default. */
  readonly level?: number;
}

/** Which systems differ, by their mean ranks; what a critical difference diagram shows. */
export interface NemenyiResult {
  readonly test: 'Nemenyi';
  readonly method: 'studentised range with infinite degrees of freedom, on mean ranks';
  readonly topics: number;
  readonly meanRanks: Float64Array;
  /** Differences of mean ranks and p-values of the pairs (0,1), (0,2), …; see `pairNumber`. */
  readonly rankDifferences: Float64Array;
  readonly pValues: Float64Array;
  /** Mean ranks further apart than this differ significantly at 1 − level. */
  readonly criticalDifference: number;
  readonly level: number;
}

/** Nemenyi's all-pairs comparison of mean ranks, to follow a significant Friedman test (Demšar, JMLR 7, 2006, pages 1–30). */
export function nemenyiTest(options: NemenyiOptions): NemenyiResult {
  const { systems, level = 0.95 } = options;
  requireSystems(systems, 2, 2);
  requireFraction('level', level);
  const k = systems.length;
  const topics = systems[0].length;
  const meanRanks = rankTopics(systems).rankSums.map((sum) => sum / topics);
  const distribution = studentizedRangeDistribution(k, Number.POSITIVE_INFINITY);
  const standardError = Math.sqrt((k * (k + 1)) / (12 * topics));
  const rankDifferences = pairDifferences(meanRanks);
  return {
    test: 'Nemenyi',
    method: 'studentised range with infinite degrees of freedom, on mean ranks',
    topics,
    meanRanks,
    rankDifferences,
    pValues: rankDifferences.map((difference) => distribution.upperTail(Math.abs(difference) / standardError)),
    criticalDifference: standardError * distribution.upperQuantile(1 - level),
    level,
  };
}
