import { InputError } from '../core/problem.js';
import { ScoreTable } from '../core/score-table.js';
import { alignedScores, type MissingPolicy } from './alignment.js';
import { requireFraction, requireNotNegative, requireWhole } from './checks.js';
import { type Comparison, compareSteps, type Direction } from './compare.js';
import type { CorrectionMethod } from './correction.js';
import { differencesOf, type Interval, standardDeviationOf } from './moments.js';
import { type ComparisonTest, isJointTest } from './pair-tests.js';
import { detectableDifference } from './power.js';
import { runSteps, type StatsSteps } from './tasks.js';

/** How much something may fall: so much in its own unit, or such a share of what it was. */
export type AllowedDrop = number | { readonly share: number };

/** Why a topic speaks against a candidate whatever the means say. */
export interface FailedTopic extends FallenTopic {
  /** It fell by more than a topic may, it may not fall at all, or it is below what it must reach. */
  readonly reason: 'drop' | 'guarded' | 'floor';
  /** How much it may fall, or the value that it must reach. */
  readonly limit: number;
}

/** When a candidate is to be turned down, compared with a baseline. */
export interface GateOptions {
  /** Names of the two systems in the table; its first and second by default. */
  readonly baseline?: string | undefined;
  readonly candidate?: string | undefined;
  readonly measures?: readonly string[] | undefined;
  /** A mean may fall by this much; 0.01 by default. */
  readonly maxDrop?: AllowedDrop | undefined;
  /** The same for single measures, by name. */
  readonly maxDrops?: Readonly<Record<string, AllowedDrop>> | undefined;
  /** No topic may fall by more than this; topics are not looked at one by one if undefined. */
  readonly maxTopicDrop?: AllowedDrop | undefined;
  /** Topics that may not fall at all (null), or whose first measure must reach a value. */
  readonly guarded?: ReadonlyMap<string, number | null> | undefined;
  /** What topics weigh in the means; 1 for those that are not named, and 0 leaves a topic out. */
  readonly weights?: ReadonlyMap<string, number> | undefined;
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
  /** The share of the baseline's mean that the largest allowed fall is; null if it was given as it is. */
  readonly maxDropShare: number | null;
  /** Topics that fail by themselves. */
  readonly failedTopics: readonly FailedTopic[];
}

/** Whether a candidate may replace a baseline, measure by measure. */
export interface GateResult {
  /** Whether all measures passed. */
  readonly passed: boolean;
  readonly baseline: string;
  readonly candidate: string;
  readonly maxDrop: AllowedDrop;
  readonly maxTopicDrop: AllowedDrop | null;
  /** How many topics were guarded by name, and how many have a weight of their own. */
  readonly numGuarded: number;
  readonly numWeighted: number;
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
  const { maxTopicDrop, guarded = new Map(), weights = new Map() } = options;
  for (const limit of [maxDrop, ...Object.values(maxDrops), ...(maxTopicDrop === undefined ? [] : [maxTopicDrop])]) {
    requireNotNegative('largest drop', typeof limit === 'number' ? limit : limit.share);
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
  refuseUnknownTopics(pair, weights, 'a weight is given for');
  refuseUnknownTopics(pair, guarded, 'a guarded topic is');
  const weighted = weights.size === 0 ? pair : weightedTable(pair, weights, missing);
  const comparison = yield* compareSteps(weighted, {
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
    const counted = weighted === pair ? scores : alignedScores(weighted, measure, missing);
    const found = standardDeviationOf(
      differencesOf(counted.systems[pair.systems.indexOf(baseline)], counted.systems[pair.systems.indexOf(candidate)]),
    );
    // equal differences differ in their last bits
    const spread = found <= 1e-12 * Math.abs(drop) ? 0 : found;
    const limit = Object.hasOwn(maxDrops, measure) ? maxDrops[measure] : maxDrop;
    const baselineMean = compared.systems[pair.systems.indexOf(baseline)].mean;
    const most = dropWithin(limit, baselineMean);
    const tooLarge = exceeds(drop, most);
    const enoughTopics = counted.topics.length >= minTopics;
    const fell = strict ? tooLarge || significant : tooLarge && significant;
    return {
      measure,
      topics: counted.topics.length,
      baseline: baselineMean,
      candidate: compared.systems[pair.systems.indexOf(candidate)].mean,
      drop: drop === 0 ? 0 : drop,
      interval: direction === 'higher' ? { ...interval, low: -interval.high, high: -interval.low } : interval,
      pValue,
      correctedPValue,
      maxDrop: most,
      maxDropShare: typeof limit === 'number' ? null : limit.share,
      tooLarge,
      significant,
      enoughTopics,
      passed: enoughTopics && !fell,
      detectable:
        spread === 0
          ? null
          : detectableDifference({ standardDeviation: spread, alpha, alternative: 'greater', topics: counted.topics.length }).difference,
      fallen: scores.topics
        .map((topic, t) => ({ topic, baseline: before[t], candidate: after[t], drop: sign * (after[t] - before[t]) }))
        .filter(({ drop: fall }) => fall > 0)
        .sort((a, b) => b.drop - a.drop),
      failedTopics: scores.topics
        .flatMap((topic, t): FailedTopic[] => {
          const row = { topic, baseline: before[t], candidate: after[t], drop: sign * (after[t] - before[t]) };
          const failure = failureOf(row, sign, maxTopicDrop, guarded.get(topic), measure === measures[0]);
          return failure === undefined ? [] : [{ ...row, ...failure }];
        })
        .sort((a, b) => b.drop - a.drop),
    };
  });
  return {
    passed: gated.every(({ passed, failedTopics }) => passed && failedTopics.length === 0),
    baseline,
    candidate,
    maxDrop,
    maxTopicDrop: maxTopicDrop ?? null,
    numGuarded: guarded.size,
    numWeighted: weights.size,
    minTopics,
    strict,
    measures: gated,
    comparison,
  };
}

function dropWithin(limit: AllowedDrop, before: number): number {
  return typeof limit === 'number' ? limit : limit.share * Math.abs(before);
}

function exceeds(drop: number, most: number): boolean {
  return drop > most * (1 + ROUNDING) + Number.EPSILON;
}

/** What makes one topic fail, if anything does. */
function failureOf(
  { baseline, candidate, drop }: FallenTopic,
  sign: number,
  maxTopicDrop: AllowedDrop | undefined,
  floor: number | null | undefined,
  isFirst: boolean,
): Pick<FailedTopic, 'reason' | 'limit'> | undefined {
  if (floor === null && exceeds(drop, 0)) return { reason: 'guarded', limit: 0 };
  if (typeof floor === 'number' && isFirst && exceeds(sign * (candidate - floor), 0)) return { reason: 'floor', limit: floor };
  const most = maxTopicDrop === undefined ? Number.POSITIVE_INFINITY : dropWithin(maxTopicDrop, baseline);
  return exceeds(drop, most) ? { reason: 'drop', limit: most } : undefined;
}

/** A name that stands for nothing would silently do nothing. */
function refuseUnknownTopics({ topics }: ScoreTable, named: ReadonlyMap<string, unknown>, what: string): void {
  const known = new Set(topics);
  const unknown = [...named.keys()].filter((topic) => !known.has(topic));
  if (unknown.length === 0) return;
  throw new InputError({
    message: `${what} ${unknown.slice(0, 5).join(', ')}, which ${unknown.length === 1 ? 'is' : 'are'} not among the ${topics.length} topics compared`,
    wayOut: `spell it as the judgements do, such as ${topics[0]}, or remove it`,
  });
}

/** Scores whose plain means are the weighted means of the table. A topic that weighs nothing is left out. */
function weightedTable(table: ScoreTable, weights: ReadonlyMap<string, number>, missing: MissingPolicy): ScoreTable {
  const { systems, columns } = table;
  const kept = table.topics.map((topic, t) => ({ topic, t, weight: weights.get(topic) ?? 1 })).filter(({ weight }) => weight > 0);
  if (kept.length === 0) throw new InputError({ message: 'all topics have a weight of 0', wayOut: 'give some a larger one' });
  const values = new Float64Array(systems.length * kept.length * columns.length);
  for (const [m] of columns.entries()) {
    // the weights of the topics that count have a mean of 1
    const counted = kept.filter(({ t }) => missing !== 'skip' || systems.every((_, s) => !Number.isNaN(table.value(t, m, s))));
    const mean = counted.reduce((sum, { weight }) => sum + weight, 0) / Math.max(1, counted.length);
    for (const [s] of systems.entries()) {
      for (const [k, { t, weight }] of kept.entries()) {
        values[(s * kept.length + k) * columns.length + m] = table.value(t, m, s) * (weight / mean);
      }
    }
  }
  return new ScoreTable(
    systems,
    kept.map(({ topic }) => topic),
    columns,
    values,
    table.notes,
  );
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
