import { bootstrapInterval, bootstrapTest } from './bootstrap.js';
import type { Alternative, Values } from './checks.js';
import { randomizationTest } from './randomization.js';
import { createResampler } from './resampling.js';
import { signTest } from './sign-test.js';
import { pairedTTest } from './t-test.js';
import { wilcoxonSignedRank } from './wilcoxon.js';

/** The tests that compare two systems at a time. */
export type PairTest = 't' | 'wilcoxon' | 'sign' | 'randomization' | 'bootstrap';

/** Work that may take long, described so that any part of it can be done anywhere: it has a number of units (resamples or pairs), and
 *  what comes of a unit depends on nothing but the task and the unit's number. */
export type StatsTask =
  /** `permutedRanges`; the units are resamples */
  | { readonly kind: 'ranges'; readonly systems: readonly Values[]; readonly seed: number; readonly units: number }
  /** `bootstrapExceedances`; the units are resamples */
  | { readonly kind: 'exceedances'; readonly systems: readonly Values[]; readonly seed: number; readonly units: number }
  /** tests of pairs; the units are pairs */
  | {
      readonly kind: 'tests';
      readonly systems: readonly Values[];
      /** Two systems each, as places in `systems`. */
      readonly pairs: Int32Array;
      readonly units: number;
      readonly test: PairTest;
      readonly alternative: Alternative;
      readonly seed: number;
      readonly resamples: number | undefined;
    }
  /** bootstrap intervals of mean differences; the units are pairs, of which the second is -1 for the mean of the first alone */
  | {
      readonly kind: 'intervals';
      readonly systems: readonly Values[];
      readonly pairs: Int32Array;
      readonly units: number;
      readonly seed: number;
      readonly level: number;
    };

/** How the tests say that they were computed. In a result a method is its place in this list. */
export const testMethods: readonly string[] = [
  'Student t distribution',
  'exact',
  'sampled',
  'asymptotic',
  'asymptotic with continuity correction',
  'exact binomial',
  'shift method, studentised',
];

/** How many numbers the units `from` ≤ u < `to` come to. */
export function resultSize(task: StatsTask, from: number, to: number): number {
  if (task.kind === 'exceedances') return (task.systems.length * (task.systems.length - 1)) / 2;
  return task.kind === 'ranges' ? to - from : 2 * (to - from);
}

/** Does the units `from` ≤ u < `to`: a range each; the counts of all pairs; p-value and method each; or both limits each. */
export function runUnits(task: StatsTask, from: number, to: number, out: Float64Array): void {
  if (task.kind === 'ranges') out.set(createResampler(task.systems).permutedRanges(task.seed, from, to));
  else if (task.kind === 'exceedances') out.set(createResampler(task.systems).bootstrapExceedances(task.seed, from, to));
  else if (task.kind === 'tests') {
    const { test, alternative, seed, resamples } = task;
    const draws = resamples === undefined ? {} : { resamples };
    for (let unit = from; unit < to; unit++) {
      const { first, second } = pairOf(task, unit);
      const { pValue, method } = testPair(test, { first, second, alternative, seed, ...draws });
      out[2 * (unit - from)] = pValue;
      out[2 * (unit - from) + 1] = testMethods.indexOf(method);
    }
  } else {
    for (let unit = from; unit < to; unit++) {
      const { first, second } = pairOf(task, unit);
      const { interval } = bootstrapInterval({ first, ...(second === undefined ? {} : { second }), seed: task.seed, level: task.level });
      out[2 * (unit - from)] = interval.low;
      out[2 * (unit - from) + 1] = interval.high;
    }
  }
}

function pairOf(task: Extract<StatsTask, { kind: 'tests' }>, unit: number): { first: Values; second: Values };
function pairOf(task: Extract<StatsTask, { kind: 'intervals' }>, unit: number): { first: Values; second: Values | undefined };
function pairOf(
  { systems, pairs }: Extract<StatsTask, { pairs: Int32Array }>,
  unit: number,
): { first: Values; second: Values | undefined } {
  return { first: systems[pairs[2 * unit]], second: systems[pairs[2 * unit + 1]] };
}

interface PairOptions {
  readonly first: Values;
  readonly second: Values;
  readonly alternative: Alternative;
  readonly seed: number;
  readonly resamples?: number;
}

function testPair(test: PairTest, options: PairOptions): { readonly pValue: number; readonly method: string } {
  if (test === 'wilcoxon') return wilcoxonSignedRank(options);
  if (test === 'sign') return signTest(options);
  if (test === 'randomization') return randomizationTest(options);
  if (test === 'bootstrap') return bootstrapTest(options);
  return pairedTTest(options);
}

/** What the parts of a task come to together, in the order of their units. */
export function joinResults(task: StatsTask, parts: readonly Float64Array[]): Float64Array {
  if (parts.length === 1) return parts[0];
  if (task.kind === 'exceedances') {
    const sums = new Float64Array(resultSize(task, 0, task.units));
    for (const part of parts) for (let pair = 0; pair < sums.length; pair++) sums[pair] += part[pair];
    return sums;
  }
  const joined = new Float64Array(resultSize(task, 0, task.units));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** What it takes to begin a resample: its own generator, and topics or dice drawn with it. */
const MILLISECONDS_PER_RESAMPLE = 1e-3;

/** About how many milliseconds a task takes one thread, for deciding whether more of them pay. */
export function estimatedMilliseconds(task: StatsTask): number {
  const { systems, units } = task;
  const topics = systems[0].length;
  if (task.kind === 'ranges') return units * (MILLISECONDS_PER_RESAMPLE + systems.length * topics * 1.5e-6);
  if (task.kind === 'exceedances') return units * (MILLISECONDS_PER_RESAMPLE + systems.length * systems.length * topics * 6e-8);
  if (task.kind === 'intervals') return units * 10_000 * (MILLISECONDS_PER_RESAMPLE + topics * 4e-6);
  const resamples = task.resamples ?? (task.test === 'randomization' ? 100_000 : 1000);
  if (task.test === 'bootstrap') return units * resamples * (MILLISECONDS_PER_RESAMPLE + topics * 4e-6);
  if (task.test !== 'randomization') return units * 0.005;
  return units * (topics <= 40 ? 2 ** (topics / 2) * 3e-5 : resamples * topics * 5e-7);
}

/** A computation that hands out its long parts as tasks and goes on with their results. */
export type StatsSteps<T> = Generator<readonly StatsTask[], T, readonly Float64Array[]>;

/** Does all tasks here and now. */
export function runSteps<T>(steps: StatsSteps<T>): T {
  for (let step = steps.next(); ; ) {
    if (step.done === true) return step.value;
    step = steps.next(step.value.map(runTask));
  }
}

/** The whole of a task, in one thread. */
export function runTask(task: StatsTask): Float64Array {
  const out = new Float64Array(resultSize(task, 0, task.units));
  runUnits(task, 0, task.units, out);
  return out;
}
