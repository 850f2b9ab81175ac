import { InputError } from '../../core/problem.js';
import {
  bayesianSignedRankTest,
  bayesianTTest,
  type DecisionStudy,
  decisionStudy,
  differenceVariance,
  meansOf,
  type PilotVariance,
  scoreMatrix,
  scoreVariance,
  someSystems,
  strongerSystems,
  type ThreeWays,
  topicsForAnova,
  topicsForInterval,
  topicsForTTest,
  type VarianceComponents,
  varianceComponents,
} from '../../judging/index.js';
import { alignedScores } from '../../stats/alignment.js';
import { chiSquaredDistribution } from '../../stats/distributions/distributions.js';
import { powerOf as powerAt } from '../../stats/power.js';
import type { ComparableScores } from '../comparison.js';
import { directionsOf } from '../names.js';

/** What a collection is planned for. */
export interface TopicPlanRequest {
  readonly difference?: number | undefined;
  readonly power?: number | undefined;
  readonly alpha?: number | undefined;
  readonly pairs?: number | undefined;
  readonly width?: number | undefined;
}

/** How many topics a collection needs, by one measure of a pilot. */
export interface TopicPlan {
  readonly measure: string;
  readonly pilotTopics: number;
  readonly pilotSystems: number;
  /** Variance of the difference of two systems, the mean over all pairs, with its 95% interval. */
  readonly differenceVariance: PilotVariance & { readonly low: number; readonly high: number };
  readonly scoreVariance: PilotVariance;
  /** The level of one test, and how many pairs it was divided by. */
  readonly alpha: number;
  readonly pairs: number;
  /** Topics of a paired t test, and at the limits of the variance. */
  readonly tTest: { readonly topics: number; readonly low: number; readonly high: number; readonly power: number };
  /** Topics of an analysis of variance of all systems; null with two. */
  readonly anova: { readonly topics: number; readonly power: number } | null;
  /** Topics for an interval of the wanted width, and at the limits of the variance. */
  readonly interval: { readonly topics: number; readonly low: number; readonly high: number; readonly width: number };
  readonly curve: readonly { readonly topics: number; readonly power: number }[];
}

/** Plans the number of topics from the scores of a pilot. */
export function planTopics({ table, measures, missing }: ComparableScores, request: TopicPlanRequest = {}): TopicPlan[] {
  const { difference = 0.02, power = 0.8, pairs = 1, width = 0.05 } = request;
  const alpha = (request.alpha ?? 0.05) / pairs;
  return measures.map((measure) => {
    const { systems, topics } = alignedScores(table, measure, missing);
    const spread = differenceVariance(systems);
    if (spread.variance === 0) {
      throw new InputError({
        message: `${measure}: all systems of the pilot have the same differences on every topic, so there is no spread to plan with`,
        wayOut: 'give pilot scores of other systems',
      });
    }
    const df = spread.degreesOfFreedom;
    const chiSquared = chiSquaredDistribution(df);
    const [low, high] = [0.975, 0.025].map((p) => (df * spread.variance) / chiSquared.quantile(p));
    const needed = (variance: number): { topics: number; reached: number } =>
      topicsForTTest(alpha, power, difference / Math.sqrt(variance));
    const wide = (variance: number): { topics: number; reached: number } => topicsForInterval(alpha, width, variance);
    const single = scoreVariance(systems);
    const found = needed(spread.variance);
    const anova = systems.length > 2 ? topicsForAnova(alpha, power, systems.length, difference / Math.sqrt(single.variance)) : undefined;
    const interval = wide(spread.variance);
    return {
      measure,
      pilotTopics: topics.length,
      pilotSystems: systems.length,
      differenceVariance: { ...spread, low, high },
      scoreVariance: single,
      alpha,
      pairs,
      tTest: { topics: found.topics, low: needed(low).topics, high: needed(high).topics, power: found.reached },
      anova: anova === undefined ? null : { topics: anova.topics, power: anova.reached },
      interval: { topics: interval.topics, low: wide(low).topics, high: wide(high).topics, width: interval.reached },
      curve: curveTopics(found.topics).map((n) => ({
        topics: n,
        power: powerAt({ standardDeviation: Math.sqrt(spread.variance), difference, alpha, topics: n }).power,
      })),
    };
  });
}

function curveTopics(needed: number): number[] {
  return [...new Set([0.25, 0.5, 0.75, 1, 1.5, 2].map((share) => Math.max(2, Math.round(share * needed))))];
}

/** How reliable scores are, by one measure. */
export interface ReliabilityPlan {
  readonly measure: string;
  readonly components: VarianceComponents;
  readonly dropped: readonly string[];
  /** For the topics at hand, and for more or fewer. */
  readonly studies: readonly DecisionStudy[];
}

/** Where the spread of scores comes from, and how many topics make them reliable. */
export function planReliability(
  { table, measures, missing }: ComparableScores,
  { stability = 0.95, drop = 0 }: { readonly stability?: number | undefined; readonly drop?: number | undefined } = {},
): ReliabilityPlan[] {
  return measures.map((measure) => {
    const { systems } = alignedScores(table, measure, missing);
    const all = scoreMatrix(systems);
    const kept = strongerSystems(all, drop);
    const components = varianceComponents(someSystems(all, kept));
    const n = components.numTopics;
    return {
      measure,
      components,
      dropped: table.systems.filter((_, s) => !kept.includes(s)),
      studies: [...new Set([Math.max(2, Math.round(n / 2)), n, 2 * n, 4 * n])].map((numTopics) =>
        decisionStudy(components, { numTopics, stability }),
      ),
    };
  });
}

/** A pair of systems, with how probable it is that one is better by more than the region of practical equivalence. */
export interface BayesianPair {
  readonly measure: string;
  readonly first: string;
  readonly second: string;
  readonly firstMean: number;
  readonly secondMean: number;
  /** By the t posterior of the mean difference. */
  readonly t: ThreeWays;
  /** Share of draws in which each way was the most likely, by signed ranks; null where there are too many pairs to draw for each. */
  readonly signedRank: ThreeWays | null;
}

/** Pairs of systems by each measure, with the width to either side that counts as no difference. */
export interface BayesianComparison {
  readonly rope: number;
  readonly seed: number;
  readonly pairs: readonly BayesianPair[];
}

/** Which pairs are compared, and what counts as no difference. */
export interface BayesianRequest {
  readonly rope?: number | undefined;
  readonly seed?: number | undefined;
  /** Each system with this one; every pair by default. */
  readonly baseline?: string | undefined;
  /** Only the first two systems. */
  readonly onlyFirstTwo?: boolean | undefined;
}

/** More pairs than this are compared by the t posterior only. */
const MOST_DRAWN_PAIRS = 20;

/** Compares systems by probabilities in the place of p-values (Benavoli and others, jmlr.org/papers/v18/16-305.html). */
export function bayesianComparison({ table, measures, missing }: ComparableScores, request: BayesianRequest = {}): BayesianComparison {
  const { rope = 0.01, seed = 1, baseline, onlyFirstTwo } = request;
  const directions = directionsOf(measures);
  if (table.systems.length < 2) {
    throw new InputError({
      message: `found the scores of ${table.systems[0]} only, and two systems are compared`,
      wayOut: 'give those of another system too',
    });
  }
  const places = onlyFirstTwo === true ? [[0, 1] as const] : pairsOf(table.systems, baseline);
  const pairs = measures.flatMap((measure) => {
    const { systems } = alignedScores(table, measure, missing);
    const means = meansOf(scoreMatrix(systems));
    // what is better when it is lower is turned round, so that the first probability is always that of a better first system
    const sign = directions[measure] === 'lower' ? -1 : 1;
    const turned = systems.map((own) => own.map((value) => sign * value));
    return places.map(([s, o]): BayesianPair => {
      const pair = { first: turned[s], second: turned[o], rope };
      return {
        measure,
        first: table.systems[s],
        second: table.systems[o],
        firstMean: means[s],
        secondMean: means[o],
        t: bayesianTTest(pair),
        signedRank: places.length > MOST_DRAWN_PAIRS ? null : bayesianSignedRankTest({ ...pair, seed }),
      };
    });
  });
  return { rope, seed, pairs };
}

function pairsOf(systems: readonly string[], baseline: string | undefined): (readonly [number, number])[] {
  const reference = baseline === undefined ? -1 : systems.indexOf(baseline);
  if (reference >= 0) return systems.flatMap((_, s) => (s === reference ? [] : [[s, reference] as const]));
  return systems.flatMap((_, s) => systems.slice(s + 1).map((__, more) => [s, s + 1 + more] as const));
}
