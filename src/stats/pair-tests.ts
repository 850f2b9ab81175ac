/** The tests that a comparison can make, and what each says of pairs of systems. */
import { bootstrapAllPairs } from './bootstrap.js';
import type { Alternative, Values } from './checks.js';
import { friedmanTest, nemenyiTest } from './friedman.js';
import { pairNumber } from './resampling.js';
import { type StatsTask, testMethods } from './tasks.js';
import { randomizedTukeyHsd, tukeyHsd } from './tukey-hsd.js';

/** *t*, *wilcoxon*, *sign*, *randomization* and *bootstrap* test pair by pair; *tukey*, *randomized-tukey* and *friedman* (followed by
 *  Nemenyi's comparison of mean ranks) look at all systems at once, and their p-values need no further correction. */
export type ComparisonTest = 't' | 'wilcoxon' | 'sign' | 'randomization' | 'bootstrap' | 'tukey' | 'randomized-tukey' | 'friedman';

/** The words that `ComparisonTest` allows, the default first. */
export const COMPARISON_TESTS: readonly ComparisonTest[] = [
  't',
  'wilcoxon',
  'sign',
  'randomization',
  'bootstrap',
  'tukey',
  'randomized-tukey',
  'friedman',
];

/** Whether a test looks at all systems together, so that its p-values need no further correction. */
export function isJointTest(test: ComparisonTest): boolean {
  return test === 'tukey' || test === 'randomized-tukey' || test === 'friedman';
}

/** Two systems by their places. */
export type SystemPair = readonly [system: number, against: number];

/** How pairs are tested. */
export interface PairTestPlan {
  readonly test: ComparisonTest;
  readonly alternative: Alternative;
  readonly seed: number;
  readonly resamples: number | undefined;
}

/** What a test says of each pair. */
export interface PairTests {
  readonly pValues: ArrayLike<number>;
  readonly method: string;
  /** Whether random numbers were drawn. */
  readonly drawn: boolean;
  readonly omnibusPValue: number | null;
}

/** The bootstrap of all pairs shares its samples; tests of some pairs, or of one side, go pair by pair. */
function sharesSamples(systems: readonly Values[], pairs: readonly SystemPair[], { test, alternative }: PairTestPlan): boolean {
  return test === 'bootstrap' && alternative === 'two-sided' && pairs.length === (systems.length * (systems.length - 1)) / 2;
}

/** The work of a test that may take long. */
export function testTasks(systems: readonly Values[], pairs: readonly SystemPair[], plan: PairTestPlan): StatsTask[] {
  const { test, seed, alternative, resamples } = plan;
  if (test === 'tukey' || test === 'friedman') return [];
  if (test === 'randomized-tukey') return [{ kind: 'ranges', systems, seed, units: resamples ?? 0 }];
  if (sharesSamples(systems, pairs, plan)) return [{ kind: 'exceedances', systems, seed, units: resamples ?? 0 }];
  // fits: systems, at most evaluationLimits.scores of them, or -1
  return [{ kind: 'tests', systems, pairs: Int32Array.from(pairs.flat()), units: pairs.length, test, alternative, seed, resamples }];
}

/** The p-values of pairs of systems.
 *  @param result What the task of the test came to, where there was one. */
export function testPairs(systems: readonly Values[], pairs: readonly SystemPair[], plan: PairTestPlan, result: Float64Array): PairTests {
  const { test, seed } = plan;
  const draws = plan.resamples === undefined ? {} : { resamples: plan.resamples };
  const ofPairs = (all: ArrayLike<number>): number[] =>
    pairs.map(([i, j]) => all[pairNumber(Math.min(i, j), Math.max(i, j), systems.length)]);
  if (test === 'tukey') {
    const { pValues, method } = tukeyHsd({ systems });
    return { pValues: ofPairs(pValues), method, drawn: false, omnibusPValue: null };
  }
  if (test === 'randomized-tukey') {
    const { pValues, method } = randomizedTukeyHsd({ systems, seed, ranges: result, ...draws });
    return { pValues: ofPairs(pValues), method, drawn: true, omnibusPValue: null };
  }
  if (test === 'friedman') {
    const { pValues, method } = nemenyiTest({ systems });
    return { pValues: ofPairs(pValues), method, drawn: false, omnibusPValue: friedmanTest({ systems }).pValue };
  }
  if (sharesSamples(systems, pairs, plan)) {
    const { pValues, method } = bootstrapAllPairs({ systems, seed, exceedances: result, ...draws });
    return { pValues: ofPairs(pValues), method, drawn: true, omnibusPValue: null };
  }
  const methods = [...new Set(pairs.map((_, i) => testMethods[result[2 * i + 1]]))];
  return {
    pValues: pairs.map((_, i) => result[2 * i]),
    method: methods.join('; '),
    drawn: test === 'bootstrap' || methods.includes('sampled'),
    omnibusPValue: null,
  };
}
