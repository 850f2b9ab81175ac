import { limits } from '../core/limits.js';
import { InputError } from '../core/problem.js';
import type { ScoreTable } from '../core/score-table.js';
import { type AlignedScores, alignedScores, type MissingPolicy, requireDistinct } from './alignment.js';
import { type Alternative, requireAlternative, requireFraction, requireOneOf, requireResamples, requireSeed } from './checks.js';
import { type CorrectionMethod, correctPValues } from './correction.js';
import { effectSizes, meanInterval, type StandardizedDifference } from './effect-size.js';
import type { Interval } from './moments.js';
import {
  COMPARISON_TESTS,
  type ComparisonTest,
  isJointTest,
  type PairTestPlan,
  type SystemPair,
  testPairs,
  testTasks,
} from './pair-tests.js';
import { type WinTieLoss, winTieLoss } from './sign-test.js';
import { runSteps, type StatsSteps, type StatsTask } from './tasks.js';

/** Which way a measure is good; *higher* if nothing is said. */
export type Direction = 'higher' | 'lower';

/** What to compare and how; everything has a default. */
export interface CompareOptions {
  /** Measures of the table to compare by; all of them by default. */
  readonly measures?: readonly string[] | undefined;
  /** Compare every other system with this one only; every pair by default. */
  readonly baseline?: string | undefined;
  /** *t* by default, which holds its level well on retrieval scores (Urbano, Lima and Hanjalic, doi:10.1145/3331184.3331259). */
  readonly test?: ComparisonTest | undefined;
  /** *holm* by default for tests of single pairs; the joint tests take none but *none*. */
  readonly correction?: CorrectionMethod | 'none' | undefined;
  /** What is corrected together: the pairs of each measure (*measure*, the default), or all tests that are made (*all*). */
  readonly family?: 'measure' | 'all' | undefined;
  /** Chance of a false claim, 0.05 by default; intervals have the level 1 − alpha. */
  readonly alpha?: number | undefined;
  /** For tests of single pairs: which way the difference is expected to go, in terms of better (*greater*) and worse (*less*). */
  readonly alternative?: Alternative | undefined;
  /** *t* (the default) or *bootstrap* (BCa). */
  readonly interval?: 't' | 'bootstrap' | undefined;
  /** Seed of everything that is drawn at random, 1 by default. */
  readonly seed?: number | undefined;
  /** Draws of a resampling test, if not that test's own default. */
  readonly resamples?: number | undefined;
  /** *error* by default. */
  readonly missing?: MissingPolicy | undefined;
  /** Whether effect sizes get intervals, which for thousands of pairs take most of the time; true by default. */
  readonly effectIntervals?: boolean | undefined;
  /** Measures of which less is better. */
  readonly directions?: Readonly<Record<string, Direction>> | undefined;
}

/** One system's mean under a measure, and which systems it is significantly better than. */
export interface ComparedSystem {
  readonly system: string;
  readonly mean: number;
  readonly interval: Interval;
  /** Systems that this one is significantly better than, as places in the list of systems. */
  readonly better: readonly number[];
}

/** One pair, as places in the list of systems. The difference is system − against, in the measure's own unit. */
export interface ComparedPair extends WinTieLoss {
  readonly system: number;
  readonly against: number;
  readonly difference: number;
  readonly interval: Interval;
  readonly cohenDz: StandardizedDifference;
  readonly hedgesG: StandardizedDifference;
  readonly pValue: number;
  readonly correctedPValue: number;
  /** Whether the corrected p-value is at most alpha. */
  readonly significant: boolean;
}

/** The systems under one measure, each pair tested. */
export interface MeasureComparison {
  readonly measure: string;
  readonly direction: Direction;
  readonly topics: readonly string[];
  readonly undefinedTopics: readonly string[];
  readonly incompleteTopics: readonly string[];
  readonly systems: readonly ComparedSystem[];
  readonly pairs: readonly ComparedPair[];
  /** The test's own account of how it was computed. */
  readonly method: string;
  /** For *friedman*: whether there is any difference at all. */
  readonly omnibusPValue: number | null;
}

/** Systems compared under every measure, with all that is needed to say how. */
export interface Comparison {
  readonly systems: readonly string[];
  readonly measures: readonly MeasureComparison[];
  readonly baseline: string | null;
  readonly test: ComparisonTest;
  readonly alternative: Alternative;
  readonly correction: CorrectionMethod | 'none';
  readonly family: 'measure' | 'all';
  readonly alpha: number;
  readonly interval: 't' | 'bootstrap';
  readonly missing: MissingPolicy;
  readonly seed: number;
  /** Draws of the test; null if nothing was drawn. */
  readonly resamples: number | null;
  readonly notes: readonly string[];
}

const DEFAULT_RESAMPLES: Readonly<Partial<Record<ComparisonTest, number>>> = {
  randomization: 100_000,
  bootstrap: 1000,
  'randomized-tukey': 10_000,
};

/** Compares systems by their scores on the same topics: means with intervals, and for every pair, or for every system against a
 *  baseline, difference, effect size, p-value and corrected p-value. */
export function compareSystems(table: ScoreTable, options: CompareOptions = {}): Comparison {
  return runSteps(compareSteps(table, options));
}

/** `compareSystems` with its resampling left to whoever runs the steps, perhaps in several threads. */
export function* compareSteps(table: ScoreTable, options: CompareOptions = {}): StatsSteps<Comparison> {
  const { test = 't', family = 'measure', alpha = 0.05, alternative = 'two-sided', interval = 't', seed = 1, missing = 'error' } = options;
  const { measures = table.measures, directions = {} } = options;
  requireOneOf('test', test, COMPARISON_TESTS);
  requireOneOf('family', family, ['measure', 'all']);
  requireFraction('alpha', alpha);
  requireAlternative(alternative);
  requireOneOf('interval', interval, ['t', 'bootstrap']);
  requireSeed(seed);
  const correction = options.correction ?? (isJointTest(test) ? 'none' : 'holm');
  refuseContradictions(test, correction, alternative);
  requireDistinct('system', table.systems);
  if (table.systems.length < 2) {
    throw new InputError({ message: `found ${table.systems.length} system, expected at least 2`, wayOut: 'add a run to compare with' });
  }
  if (measures.length === 0) throw new InputError('found no measure to compare by');
  const resamples = options.resamples ?? DEFAULT_RESAMPLES[test];
  if (resamples !== undefined) requireResamples(resamples);
  const plan: Plan = { test, alpha, alternative, interval, seed, resamples, effectIntervals: options.effectIntervals ?? true };
  checkComparisons(table.systems.length, measures.length, options.baseline);
  const pairs = pairsToCompare(table.systems, options.baseline);
  const prepared = measures.map((measure) => {
    const direction = directions[measure] ?? 'higher';
    const scores = alignedScores(table, measure, missing);
    refuseWhatCannotBeTested(measure, direction, scores, missing);
    return prepareMeasure(measure, direction, scores, pairs, plan);
  });
  const results = yield prepared.flatMap(({ tasks }) => tasks);
  let done = 0;
  const drafts = prepared.map((one) => {
    const own = results.slice(done, done + one.tasks.length);
    done += own.length;
    return compareByMeasure(one, own, table.systems, pairs, plan);
  });
  const corrected = correctFamilies(drafts, correction, family);
  return {
    systems: table.systems,
    measures: drafts.map((draft, m) => finishMeasure(draft, corrected[m], alpha)),
    baseline: options.baseline ?? null,
    test,
    alternative,
    correction,
    family,
    alpha,
    interval,
    missing,
    seed,
    resamples: drafts.some(({ drawn }) => drawn) ? (resamples ?? null) : null,
    notes: drafts.flatMap((draft) => notesOn(table, draft, missing)),
  };
}

interface Plan extends PairTestPlan {
  readonly alpha: number;
  readonly interval: 't' | 'bootstrap';
  readonly effectIntervals: boolean;
}

/** Refuses more tests than anybody could look at: pairs grow with the square of the systems. */
function checkComparisons(numSystems: number, numMeasures: number, baseline: string | undefined): void {
  const numTests = (baseline === undefined ? (numSystems * (numSystems - 1)) / 2 : numSystems - 1) * numMeasures;
  if (numTests <= limits.comparisons) return;
  const tests = `${numSystems} systems by ${numMeasures} ${numMeasures === 1 ? 'measure' : 'measures'} are ${numTests} comparisons`;
  throw new InputError({
    message: `${tests}, expected at most ${limits.comparisons} comparisons`,
    wayOut:
      baseline === undefined
        ? 'name a baseline, or compare fewer systems or measures at a time'
        : 'compare fewer systems or measures at a time',
  });
}

/** Later systems against earlier ones, so that a gain of what came later is positive. */
function pairsToCompare(systems: readonly string[], baseline: string | undefined): SystemPair[] {
  if (baseline !== undefined) {
    const against = systems.indexOf(baseline);
    if (against < 0) {
      throw new InputError({ message: `the baseline ${baseline} is not among the systems`, wayOut: `choose one of ${systems.join(', ')}` });
    }
    return systems.flatMap((_, system): SystemPair[] => (system === against ? [] : [[system, against]]));
  }
  return systems.flatMap((_, against) => systems.slice(against + 1).map((_later, k): SystemPair => [against + 1 + k, against]));
}

function refuseContradictions(test: ComparisonTest, correction: string, alternative: Alternative): void {
  if (!isJointTest(test)) return;
  if (correction !== 'none') {
    throw new InputError({
      message: `the p-values of ${test} hold for all pairs together already, expected no correction, found ${correction}`,
      wayOut: 'use correction none, or a test of single pairs such as t',
    });
  }
  if (alternative !== 'two-sided') {
    throw new InputError({ message: `${test} takes no side, found the alternative ${alternative}`, wayOut: 'use a test of single pairs' });
  }
}

function refuseWhatCannotBeTested(measure: string, direction: Direction, scores: AlignedScores, missing: MissingPolicy): void {
  if (direction === 'lower' && missing === 'zero' && scores.incompleteTopics.length > 0) {
    throw new InputError({
      message: `${measure}: a missing value cannot count as 0, because 0 would be the best value there is`,
      wayOut: 'leave such topics out with the policy skip',
    });
  }
  if (scores.topics.length < 2) {
    const lost = scores.incompleteTopics.length + scores.undefinedTopics.length;
    throw new InputError({
      message: `${measure}: found ${scores.topics.length} ${scores.topics.length === 1 ? 'topic' : 'topics'} with values for all systems, expected at least 2${lost > 0 ? ` (${lost} are not complete)` : ''}`,
      wayOut: 'add topics',
    });
  }
}

/** Everything about one measure but what needs the p-values of the others. */
interface Draft {
  readonly measure: string;
  readonly direction: Direction;
  readonly scores: AlignedScores;
  readonly systems: readonly Omit<ComparedSystem, 'better'>[];
  readonly pairs: readonly Omit<ComparedPair, 'correctedPValue' | 'significant'>[];
  readonly method: string;
  readonly omnibusPValue: number | null;
  readonly drawn: boolean;
}

/** One measure's values, and the work to be done on them. */
interface Prepared {
  readonly measure: string;
  readonly direction: Direction;
  readonly scores: AlignedScores;
  /** The values turned round where less is better: a test asks for better and worse, whichever way the numbers go. */
  readonly oriented: readonly Float64Array[];
  /** What is tested, unless that takes no time, and the intervals, if they are resampled. */
  readonly tasks: readonly StatsTask[];
}

function prepareMeasure(measure: string, direction: Direction, scores: AlignedScores, pairs: readonly SystemPair[], plan: Plan): Prepared {
  const oriented = direction === 'higher' ? scores.systems : scores.systems.map((values) => values.map((value) => -value));
  const tasks: StatsTask[] = testTasks(oriented, pairs, plan);
  if (plan.interval === 'bootstrap') {
    const alone = scores.systems.map((_, system): SystemPair => [system, -1]);
    const both = Int32Array.from([...pairs, ...alone].flat()); // fits: systems, at most evaluationLimits.scores of them, or -1
    tasks.push({ kind: 'intervals', systems: scores.systems, pairs: both, units: both.length / 2, seed: plan.seed, level: 1 - plan.alpha });
  }
  return { measure, direction, scores, oriented, tasks };
}

function compareByMeasure(
  prepared: Prepared,
  results: readonly Float64Array[],
  names: readonly string[],
  pairs: readonly SystemPair[],
  plan: Plan,
): Draft {
  const { measure, direction, scores, oriented } = prepared;
  const level = 1 - plan.alpha;
  const { pValues, method, drawn, omnibusPValue } = testPairs(oriented, pairs, plan, results[0]);
  const bounds = plan.interval === 'bootstrap' ? results[results.length - 1] : undefined;
  const intervalAt = (place: number, byT: Interval): Interval =>
    bounds === undefined ? byT : { low: bounds[2 * place], high: bounds[2 * place + 1], level };
  return {
    measure,
    direction,
    scores,
    method,
    drawn,
    omnibusPValue,
    systems: names.map((system, s) => {
      const { mean, interval } = meanInterval({ values: scores.systems[s], level });
      return { system, mean, interval: intervalAt(pairs.length + s, interval) };
    }),
    pairs: pairs.map(([system, against], i) => {
      const first = scores.systems[system];
      const second = scores.systems[against];
      const { meanDifference, cohenDz, hedgesG } = effectSizes({ first, second, level, standardizedIntervals: plan.effectIntervals });
      return {
        system,
        against,
        difference: meanDifference.value,
        interval: intervalAt(i, meanDifference.interval),
        cohenDz,
        hedgesG,
        ...winTieLoss({ first: oriented[system], second: oriented[against] }),
        pValue: pValues[i],
      };
    }),
  };
}

/** The corrected p-values, measure by measure. */
function correctFamilies(drafts: readonly Draft[], correction: CorrectionMethod | 'none', family: 'measure' | 'all'): ArrayLike<number>[] {
  const raw = drafts.map(({ pairs }) => pairs.map(({ pValue }) => pValue));
  if (correction === 'none') return raw;
  if (family === 'measure') return raw.map((pValues) => correctPValues({ pValues, method: correction }).pValues);
  const { pValues } = correctPValues({ pValues: raw.flat(), method: correction });
  return raw.map((own, m) => pValues.subarray(m * own.length, (m + 1) * own.length));
}

function finishMeasure(draft: Draft, corrected: ArrayLike<number>, alpha: number): MeasureComparison {
  const { measure, direction, scores, systems, method, omnibusPValue } = draft;
  const pairs = draft.pairs.map((pair, i) => ({ ...pair, correctedPValue: corrected[i], significant: corrected[i] <= alpha }));
  const better = systems.map((): number[] => []);
  for (const { system, against, difference, significant } of pairs) {
    if (!significant || difference === 0) continue;
    const firstWins = direction === 'higher' ? difference > 0 : difference < 0;
    if (firstWins) better[system].push(against);
    else better[against].push(system);
  }
  return {
    measure,
    direction,
    topics: scores.topics,
    undefinedTopics: scores.undefinedTopics,
    incompleteTopics: scores.incompleteTopics,
    systems: systems.map((system, s) => ({ ...system, better: better[s].sort((a, b) => a - b) })),
    pairs,
    method,
    omnibusPValue,
  };
}

function notesOn(table: ScoreTable, { measure, scores }: Draft, missing: MissingPolicy): string[] {
  const notes: string[] = [];
  const { undefinedTopics, incompleteTopics } = scores;
  const topics = (count: number): string => (count === 1 ? '1 topic' : `${count} topics`);
  if (undefinedTopics.length > 0) notes.push(`${measure}: ${topics(undefinedTopics.length)} left out, no system has a value there`);
  if (incompleteTopics.length > 0) {
    const fate = missing === 'skip' ? 'left out for all systems' : 'counted as 0 where there is none';
    notes.push(`${measure}: ${topics(incompleteTopics.length)} without a value for some system, ${fate}`);
  }
  const column = table.columns.find(({ name }) => name === measure);
  if (column !== undefined && column.aggregate !== 'mean') {
    notes.push(`${measure}: compared by the mean over topics, although it is usually given as another summary (${column.aggregate})`);
  }
  return notes;
}
