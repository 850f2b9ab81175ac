import { InputError } from '../core/problem.js';
import { ScoreTable } from '../core/score-table.js';
import { alignedScores, type MissingPolicy } from './alignment.js';
import { requireFraction, requireWhole } from './checks.js';
import { type Comparison, compareSteps, type Direction } from './compare.js';
import type { CorrectionMethod } from './correction.js';
import { differencesOf, type Interval, standardDeviationOf } from './moments.js';
import { type ComparisonTest, isJointTest } from './pair-tests.js';
import { detectableDifference } from './power.js';
import { runSteps, type StatsSteps } from './tasks.js';

/** When a candidate is to be turned down, compared with a baseline. */
export interface GateOptions {
  /** Names of the two systems in the table; its first and second by default. */
  readonly baseline?: string | undefined;
  readonly candidate?: string | undefined;
  readonly measures?: readonly string[] | undefined;
  /** A mean may fall by this much, in the measure's own unit; 0.01 by default. */
  readonly maxDrop?: number | undefined;
  /** The same for single measures, by name. */
  readonly maxDrops?: Readonly<Record<string, number>> | undefined;
  /** 0.05 by default. */
  readonly alpha?: number | undefined;
  /** A test of single pairs, *randomization* by default. It is one-sided: only a fall counts. */
  readonly test?: ComparisonTest | undefined;
  /** Over all measures of the gate; *holm* by default. */
  readonly correction?: CorrectionMethod | 'none' | undefined;
  /** Fail if a mean falls by more than `maxDrop`, or if it falls significantly; by default both must be so. */
  readonly strict?: boolean | undefined;
  /** With fewer topics the gate fails, because it could not see a fall; 10 by default. */
  readonly minTopics?: number | undefined;
  readonly seed?: number | undefined;
  readonly resamples?: number | undefined;
  readonly missing?: MissingPolicy | undefined;
  readonly directions?: Readonly<Record<string, Direction>> | undefined;
}

/** A topic on which the candidate is worse than the baseline. */
export interface FallenTopic {
  readonly topic: string;
  readonly baseline: number;
  readonly candidate: number;
  /** How much worse the candidate is. */
  readonly drop: number;
}

/** One measure's verdict, with all that it rests on. */
export interface GatedMeasure {
  readonly measure: string;
  readonly topics: number;
  readonly baseline: number;
  readonly candidate: number;
  /** How much worse the candidate's mean is; below 0 if it is better. */
  readonly drop: number;
  readonly interval: Interval;
  readonly pValue: number;
  readonly correctedPValue: number;
  /** How much the mean may fall. */
  readonly maxDrop: number;
  /** It fell by more than that. */
  readonly tooLarge: boolean;
  /** The fall cannot be explained by chance. */
  readonly significant: boolean;
  readonly enoughTopics: boolean;
  readonly passed: boolean;
  /** The fall that so many topics would show with 80% chance, by a t test without correction; null if the systems differ by the
   *  same amount everywhere. */
  readonly detectable: number | null;
  /** Topics on which the candidate is worse, the largest fall first. */
  readonly fallen: readonly FallenTopic[];
}

/** Whether a candidate may replace a baseline, measure by measure. */
export interface GateResult {
  /** Whether all measures passed. */
  readonly passed: boolean;
  readonly baseline: string;
  readonly candidate: string;
  readonly maxDrop: number;
  readonly minTopics: number;
  readonly strict: boolean;
  readonly measures: readonly GatedMeasure[];
  readonly comparison: Comparison;
}

/** A mean that fell by exactly what is allowed passes, although 0.42 − 0.41 is a little more than 0.01 in binary. */
const ROUNDING = 1e-9;

/** Decides whether a candidate may take the place of a baseline: no if a measure's mean fell by more than `maxDrop` and the fall is
 *  significant. */
export function gateCandidate(table: ScoreTable, options: GateOptions = {}): GateResult {
  return runSteps(gateSteps(table, options));
}

/** `gateCandidate` with its resampling left to whoever runs the steps. */
export function* gateSteps(table: ScoreTable, options: GateOptions = {}): StatsSteps<GateResult> {
  const { baseline = table.systems[0], candidate = table.systems[1], maxDrop = 0.01, alpha = 0.05, test = 'randomization' } = options;
  const { minTopics = 10, strict = false, missing = 'error', directions = {}, maxDrops = {} } = options;
  for (const most of [maxDrop, ...Object.values(maxDrops)]) {
    if (!(most >= 0 && most < Number.POSITIVE_INFINITY)) {
      throw new InputError(`invalid largest drop: ${String(most)}, expected a finite number of at least 0`);
    }
  }
  requireFraction('alpha', alpha);
  requireWhole('smallest number of topics', minTopics, 2);
  if (isJointTest(test)) {
    throw new InputError({
      message: `${test} compares many systems, a gate only two`,
      wayOut: 'use randomization, t, wilcoxon, sign or bootstrap',
    });
  }
  const measures = options.measures ?? table.measures;
  const idle = Object.keys(maxDrops).filter((name) => !measures.includes(name));
  if (idle.length > 0) {
    throw new InputError({
      message: `a largest drop is given for ${idle.join(', ')}, which the gate does not look at`,
      wayOut: `it looks at ${measures.join(', ')}`,
    });
  }
  const pair = table.systems.length === 2 ? table : only(table, [baseline, candidate]);
  const comparison = yield* compareSteps(pair, {
    measures,
    baseline,
    test,
    alpha,
    alternative: 'less',
    family: 'all',
    correction: options.correction,
    seed: options.seed,
    resamples: options.resamples,
    missing,
    directions,
  });
  const gated = comparison.measures.map((compared): GatedMeasure => {
    const { measure, direction } = compared;
    const [{ difference, interval, pValue, correctedPValue, significant }] = compared.pairs;
    const sign = direction === 'higher' ? -1 : 1;
    const drop = sign * difference;
    const scores = alignedScores(pair, measure, missing);
    const before = scores.systems[pair.systems.indexOf(baseline)];
    const after = scores.systems[pair.systems.indexOf(candidate)];
    const found = standardDeviationOf(differencesOf(before, after));
    // equal differences differ in their last bits
    const spread = found <= 1e-12 * Math.abs(drop) ? 0 : found;
    const most = Object.hasOwn(maxDrops, measure) ? maxDrops[measure] : maxDrop;
    const tooLarge = drop > most * (1 + ROUNDING) + Number.EPSILON;
    const enoughTopics = scores.topics.length >= minTopics;
    const fell = strict ? tooLarge || significant : tooLarge && significant;
    return {
      measure,
      topics: scores.topics.length,
      baseline: compared.systems[pair.systems.indexOf(baseline)].mean,
      candidate: compared.systems[pair.systems.indexOf(candidate)].mean,
      drop: drop === 0 ? 0 : drop,
      interval: direction === 'higher' ? { ...interval, low: -interval.high, high: -interval.low } : interval,
      pValue,
      correctedPValue,
      maxDrop: most,
      tooLarge,
      significant,
      enoughTopics,
      passed: enoughTopics && !fell,
      detectable:
        spread === 0
          ? null
          : detectableDifference({ standardDeviation: spread, alpha, alternative: 'greater', topics: scores.topics.length }).difference,
      fallen: scores.topics
        .map((topic, t) => ({ topic, baseline: before[t], candidate: after[t], drop: sign * (after[t] - before[t]) }))
        .filter(({ drop: fall }) => fall > 0)
        .sort((a, b) => b.drop - a.drop),
    };
  });
  return { passed: gated.every(({ passed }) => passed), baseline, candidate, maxDrop, minTopics, strict, measures: gated, comparison };
}

function only(table: ScoreTable, systems: readonly string[]): ScoreTable {
  const width = table.topics.length * table.columns.length;
  const values = new Float64Array(systems.length * width);
  for (const [row, system] of systems.entries()) {
    const s = table.systems.indexOf(system);
    if (s < 0) {
      throw new InputError({ message: `${system} is not among the systems`, wayOut: `choose one of ${table.systems.join(', ')}` });
    }
    values.set(table.values.subarray(s * width, (s + 1) * width), row * width);
  }
  return new ScoreTable(systems, table.topics, table.columns, values);
}
