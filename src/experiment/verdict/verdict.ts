import { InputError } from '../../core/problem.js';
import { differenceVariance } from '../../judging/planning/topic-set-size.js';
import type {
  Verdict,
  VerdictCaveat,
  VerdictEquivalence,
  VerdictPair,
  VerdictState,
  VerdictTopic,
  VerdictTopics,
} from '../../report/verdict/model.js';
import { alignedScores } from '../../stats/alignment.js';
import { bootstrapTest } from '../../stats/bootstrap.js';
import type { Alternative } from '../../stats/checks.js';
import type { ComparedPair, Comparison, MeasureComparison } from '../../stats/compare.js';
import { standardDeviationOf } from '../../stats/moments.js';
import { type ComparisonTest, isJointTest } from '../../stats/pair-tests.js';
import { detectableDifference, topicsNeeded } from '../../stats/power.js';
import { randomizationTest } from '../../stats/randomization.js';
import { signTest } from '../../stats/sign-test.js';
import { pairedTTest } from '../../stats/t-test.js';
import { wilcoxonSignedRank } from '../../stats/wilcoxon.js';
import type { ComparableScores } from '../comparison.js';

/** With fewer topics than this nothing is claimed. */
export const FEWEST_TOPICS = 10;
/** With fewer topics than this only large differences are found: TREC's usual size (Buckley and Voorhees, doi:10.1145/345508.345543). */
const USUAL_TOPICS = 50;
/** A share of unjudged documents that a reader should know of. */
const MANY_UNJUDGED = 0.2;
/** Of planning: a true difference is found four times in five. */
const POWER = 0.8;
/** A number of topics that nobody would call a plan. */
const MOST_PLANNED = 100_000;
/** A difference of so many standard deviations is found by the fewest topics there are; larger ones need not be looked at. */
const LARGE_EFFECT = 10;
const MOST_GAINS = 5;
const MOST_LOSSES = 2;

/** What was found by scoring the same runs by other rules, in the order of the compared systems. What was not looked at is left out, and
 *  then nothing is said of it. */
export interface VerdictChecks {
  /** Share of the first documents that nobody judged, by mean over topics. */
  readonly unjudged?: { readonly cutoff: number; readonly shares: readonly number[] } | undefined;
  /** Means of the measure with unjudged documents taken out. */
  readonly judgedOnly?: readonly number[] | undefined;
  /** Means of the measure with equal scores in the most and in the least favourable order. */
  readonly ties?: { readonly best: readonly number[]; readonly worst: readonly number[] } | undefined;
  /** Judged topics that each run does not answer. */
  readonly missingTopics?: readonly number[] | undefined;
}

/** What a verdict is made from. */
export interface VerdictRequest {
  /** The scores that were compared. */
  readonly scores: Pick<ComparableScores, 'table'>;
  readonly comparison: Comparison;
  /** The measure that decides; the first by default. */
  readonly measure?: string | undefined;
  /** The smallest difference that matters, set before looking: systems whose difference is certainly smaller are called equivalent. */
  readonly margin?: number | undefined;
  readonly checks?: VerdictChecks | undefined;
  /** Texts of the queries by topic. */
  readonly queries?: ReadonlyMap<string, string> | undefined;
}

/** What everything below works with: one measure, its systems from best to worst, and their values turned so that more is better. */
interface Ground {
  readonly comparison: Comparison;
  readonly measure: MeasureComparison;
  readonly order: readonly number[];
  readonly sign: number;
  readonly values: readonly Float64Array[];
  readonly oriented: readonly Float64Array[];
  readonly pairOf: (first: number, second: number) => ComparedPair | undefined;
}

/** The verdict of a comparison, as data; `verdictWords` words it.
 *  @throws An `InputError` if there is no such measure, or the margin is not above 0. */
export function verdictOf(request: VerdictRequest): Verdict {
  const { comparison, margin, checks = {} } = request;
  const ground = groundOf(request);
  const { measure, order, pairOf } = ground;
  const names = comparison.systems;
  const best = order[0];
  const others = order.slice(1);
  const tested = others.flatMap((system) => pairOf(best, system) ?? []);
  const isTold = (pair: ComparedPair): boolean => pair.significant && pair.difference !== 0;
  const otherOf = ({ system, against }: ComparedPair): number => (system === best ? against : system);
  const chosen = tested.find(isTold) ?? tested[0];
  const second = otherOf(chosen);
  const pair = verdictPair(ground, best, second, chosen);
  const equivalence = margin === undefined ? null : equivalenceOf(ground, best, second, margin);
  return {
    state: stateOf(ground, tested.map(isTold), pair, equivalence),
    measure: measure.measure,
    direction: measure.direction,
    numTopics: measure.topics.length,
    numPairs: measure.pairs.length,
    test: comparison.test,
    correction: comparison.correction,
    alpha: comparison.alpha,
    resamples: comparison.resamples,
    baseline: comparison.baseline,
    systems: order.map((s) => {
      const { mean, interval } = measure.systems[s];
      return { system: names[s], mean: finite(mean), low: finite(interval.low), high: finite(interval.high) };
    }),
    notToldApart: tested.filter((one) => !isTold(one)).map((one) => names[otherOf(one)]),
    beaten: tested.filter(isTold).map((one) => verdictPair(ground, best, otherOf(one), one)),
    againstBaseline: againstBaseline(ground),
    pair,
    topics: topicsOf(ground, best, second, pair, request.queries),
    equivalence,
    caveats: caveatsOf(ground, best, second, pair, checks),
  };
}

function groundOf({ scores, comparison, measure: asked }: VerdictRequest): Ground {
  const measure = asked === undefined ? comparison.measures[0] : comparison.measures.find((one) => one.measure === asked);
  if (measure === undefined) {
    const known = comparison.measures.map((one) => one.measure).join(', ');
    throw new InputError({ message: `the systems were not compared by ${asked}`, wayOut: `choose one of ${known}` });
  }
  const sign = measure.direction === 'lower' ? -1 : 1;
  const { systems: values } = alignedScores(scores.table, measure.measure, comparison.missing);
  const places = new Map(measure.pairs.map((pair) => [key(pair.system, pair.against), pair]));
  return {
    comparison,
    measure,
    order: systemsByMean(measure),
    sign,
    values,
    oriented: sign > 0 ? values : values.map((own) => own.map((value) => -value)),
    pairOf: (first, second) => places.get(key(first, second)),
  };
}

function key(first: number, second: number): string {
  return `${Math.min(first, second)} ${Math.max(first, second)}`;
}

/** Places of the systems, the best mean first; equal ones stay in their order, and those without a mean come last. */
export function systemsByMean({ systems, direction }: MeasureComparison): number[] {
  const sign = direction === 'lower' ? 1 : -1;
  const value = (s: number): number => (Number.isNaN(systems[s].mean) ? Number.POSITIVE_INFINITY : sign * systems[s].mean);
  return systems.map((_, s) => s).sort((a, b) => (value(a) === value(b) ? a - b : value(a) - value(b)));
}

/** A tested pair seen from its better system. */
function verdictPair({ comparison, sign }: Ground, best: number, other: number, pair: ComparedPair): VerdictPair {
  const isTurned = pair.system !== best;
  const { low, high } = pair.interval;
  const turned: Readonly<Record<Alternative, Alternative>> = { 'two-sided': 'two-sided', greater: 'less', less: 'greater' };
  const { wins, ties, losses, pValue, correctedPValue, significant } = pair;
  return {
    system: comparison.systems[best],
    against: comparison.systems[other],
    difference: isTurned ? 0 - pair.difference : pair.difference,
    low: finite(isTurned ? 0 - high : low),
    high: finite(isTurned ? 0 - low : high),
    effectSize: pair.cohenDz.value === null ? null : finite(isTurned ? 0 - pair.cohenDz.value : pair.cohenDz.value),
    pValue,
    correctedPValue: Math.min(1, correctedPValue),
    significant: significant && sign * (isTurned ? -pair.difference : pair.difference) > 0,
    alternative: isTurned ? turned[comparison.alternative] : comparison.alternative,
    better: isTurned ? losses : wins,
    worse: isTurned ? wins : losses,
    equal: ties,
  };
}

function stateOf(
  { comparison, measure }: Ground,
  told: readonly boolean[],
  pair: VerdictPair,
  equivalence: VerdictEquivalence | null,
): VerdictState {
  const numTopics = measure.topics.length;
  const isAboutPair = told.length === 1;
  if (isAboutPair && pair.equal === numTopics) return 'identical';
  if (numTopics < FEWEST_TOPICS) return 'too-few-topics';
  if (!isAboutPair) return told.every(Boolean) ? 'clear-winner' : 'no-clear-winner';
  if (comparison.systems.length === 2 && equivalence?.holds === true) return 'equivalent';
  return pair.significant ? 'better' : 'not-told-apart';
}

function againstBaseline({ comparison, measure, order, sign }: Ground): Verdict['againstBaseline'] {
  const { baseline, systems } = comparison;
  if (baseline === null || systems.length === 2) return null;
  const pairs = new Map(measure.pairs.map((pair) => [pair.system, pair]));
  const found = { better: [] as string[], worse: [] as string[], notToldApart: [] as string[] };
  for (const s of order) {
    const pair = pairs.get(s);
    if (pair === undefined) continue;
    const side = !pair.significant || pair.difference === 0 ? found.notToldApart : sign * pair.difference > 0 ? found.better : found.worse;
    side.push(systems[s]);
  }
  return found;
}

/** Two one-sided t tests (Schuirmann, doi:10.1007/BF01068419): the interval of level 1 − 2 alpha has to lie inside the margin. */
function equivalenceOf({ comparison, values }: Ground, best: number, second: number, margin: number): VerdictEquivalence {
  if (!(margin > 0) || !Number.isFinite(margin)) throw new InputError(`expected a margin above 0, found ${margin}`);
  const level = 1 - 2 * comparison.alpha;
  const first = values[best];
  const against = values[second];
  const { low, high } = pairedTTest({ first, second: against, level }).interval;
  const shifted = (by: number): Float64Array => against.map((value) => value + by);
  const above = pairedTTest({ first, second: shifted(-margin), alternative: 'greater' }).pValue;
  const below = pairedTTest({ first, second: shifted(margin), alternative: 'less' }).pValue;
  const pValue = Math.max(above, below);
  return { margin, low, high, level, pValue, holds: pValue <= comparison.alpha };
}

/** The topics that decide the pair: the largest gains and losses, and what would be left without the gains. */
function topicsOf(ground: Ground, best: number, second: number, pair: VerdictPair, queries?: ReadonlyMap<string, string>): VerdictTopics {
  const { measure, values, sign, comparison } = ground;
  const all = measure.topics.map((topic, t): VerdictTopic => {
    const [system, against] = [values[best][t], values[second][t]];
    const query = queries?.get(topic);
    return { topic, ...(query === undefined ? {} : { query }), system, against, difference: system - against };
  });
  const places = all.map((_, t) => t).sort((a, b) => sign * (all[b].difference - all[a].difference) || a - b);
  const gains = places.filter((t) => sign * all[t].difference > 0);
  const losses = places.filter((t) => sign * all[t].difference < 0).reverse();
  const five = gains.slice(0, MOST_GAINS);
  const rest = places.slice(five.length);
  return {
    gains: five.map((t) => all[t]),
    losses: losses.slice(0, MOST_LOSSES).map((t) => all[t]),
    without:
      five.length === 0 || rest.length < 2
        ? null
        : {
            topics: five.length,
            difference: rest.reduce((sum, t) => sum + all[t].difference, 0) / rest.length,
            pValue: pWith(ground, best, second, pair.alternative, rest),
            test: testOfTwo(comparison.test),
          },
    fewestToTip: pair.significant ? fewestToTip(ground, best, second, pair.alternative, places, gains.length) : null,
  };
}

/** The test of one pair by itself; the joint tests need all systems, and the t test stands in for them. */
function testOfTwo(test: ComparisonTest): ComparisonTest {
  return isJointTest(test) ? 't' : test;
}

/** The p-value, not corrected, over some of the topics. */
function pWith({ comparison, oriented }: Ground, best: number, other: number, alternative: Alternative, topics: readonly number[]): number {
  const first = Float64Array.from(topics, (t) => oriented[best][t]);
  const second = Float64Array.from(topics, (t) => oriented[other][t]);
  const both = { first, second, alternative };
  const { seed, resamples } = comparison;
  const drawn = { ...both, seed, ...(resamples === null ? {} : { resamples }) };
  switch (testOfTwo(comparison.test)) {
    case 'wilcoxon':
      return wilcoxonSignedRank(both).pValue;
    case 'sign':
      return signTest(both).pValue;
    case 'randomization':
      return randomizationTest(drawn).pValue;
    case 'bootstrap':
      return bootstrapTest(drawn).pValue;
    default:
      return pairedTTest(both).pValue;
  }
}

/** Takes away the most favourable topics one by one; not for tests that draw, where each step takes as long as the whole comparison. */
function fewestToTip(
  ground: Ground,
  best: number,
  second: number,
  alternative: Alternative,
  places: readonly number[],
  numGains: number,
): number | null {
  const { test, alpha } = ground.comparison;
  if (test === 'randomization' || test === 'bootstrap') return null;
  for (let k = 1; k <= Math.min(numGains, places.length - 2); k++) {
    if (pWith(ground, best, second, alternative, places.slice(k)) > alpha) return k;
  }
  return null;
}

function caveatsOf(ground: Ground, best: number, second: number, pair: VerdictPair, checks: VerdictChecks): VerdictCaveat[] {
  const found = [
    unjudgedCaveat(ground, best, checks),
    topicsCaveat(ground, best, second, pair),
    tiesCaveat(ground, best, second, checks),
    missingCaveat(ground, checks),
  ].flatMap((caveat) => caveat ?? []);
  return [...found.filter(({ isWarning }) => isWarning), ...found.filter(({ isWarning }) => !isWarning)];
}

function unjudgedCaveat({ comparison, sign }: Ground, best: number, { unjudged, judgedOnly }: VerdictChecks): VerdictCaveat | undefined {
  if (unjudged === undefined) return undefined;
  const { cutoff, shares } = unjudged;
  let most = 0;
  for (let s = 1; s < shares.length; s++) if (shares[s] > shares[most] || Number.isNaN(shares[most])) most = s;
  const ranked = judgedOnly?.map((_, s) => s).sort((a, b) => sign * (judgedOnly[b] - judgedOnly[a]) || a - b);
  const changesLeader = judgedOnly !== undefined && ranked !== undefined && judgedOnly[ranked[0]] !== judgedOnly[best];
  // where the leader changes, the reader wants to know of the system that would lead
  const told = changesLeader && ranked !== undefined ? ranked[0] : most;
  const names = comparison.systems;
  return {
    kind: 'unjudged',
    isWarning: changesLeader || shares[most] > MANY_UNJUDGED,
    cutoff,
    system: names[told],
    share: shares[told],
    judgedOnly:
      judgedOnly === undefined || ranked === undefined
        ? null
        : {
            leader: names[ranked[0]],
            leaderMean: judgedOnly[ranked[0]],
            second: names[changesLeader ? best : ranked[1]],
            secondMean: judgedOnly[changesLeader ? best : ranked[1]],
          },
    changesLeader,
  };
}

function topicsCaveat({ comparison, measure, values }: Ground, best: number, second: number, pair: VerdictPair): VerdictCaveat {
  const topics = measure.topics.length;
  const differences = values[best].map((value, t) => value - values[second][t]);
  const own = standardDeviationOf(differences);
  const usual = comparison.systems.length === 2 ? own : Math.sqrt(differenceVariance(values).variance);
  const plan = { alpha: comparison.alpha, power: POWER };
  const size = Math.abs(pair.difference);
  // by the normal distribution, which is near enough to know whether it is worth to look closer
  const isPlannable = size > 0 && own > 0 && (3 * (own / size)) ** 2 < MOST_PLANNED;
  return {
    kind: 'topics',
    isWarning: topics < USUAL_TOPICS,
    topics,
    detectable:
      usual > 0 && POWER > comparison.alpha ? detectableDifference({ ...plan, standardDeviation: usual, topics }).difference : null,
    power: POWER,
    // fewer than the fewest would bring no verdict, however large the difference is
    needed: isPlannable
      ? Math.max(FEWEST_TOPICS, topicsNeeded({ ...plan, standardDeviation: own, difference: Math.min(size, LARGE_EFFECT * own) }).topics)
      : null,
  };
}

function tiesCaveat({ measure, order, sign }: Ground, best: number, second: number, { ties }: VerdictChecks): VerdictCaveat | undefined {
  if (ties === undefined) return undefined;
  const mean = (s: number): number => measure.systems[s].mean;
  const difference = mean(best) - mean(second);
  const bounds = [ties.best[best] - ties.worst[second], ties.worst[best] - ties.best[second]];
  const shift = Math.max(...bounds.map((bound) => Math.abs(bound - difference)));
  // some system could fall behind one that is below it now, if the lowest that those above can reach is below the highest of the others
  let lowest = Number.POSITIVE_INFINITY;
  let changesRank = false;
  for (const s of order) {
    if (sign * ties.best[s] > lowest) changesRank = true;
    lowest = Math.min(lowest, sign * ties.worst[s]);
  }
  return { kind: 'ties', isWarning: changesRank, shift, changesRank };
}

function missingCaveat({ comparison }: Ground, { missingTopics }: VerdictChecks): VerdictCaveat | undefined {
  if (missingTopics === undefined) return undefined;
  const topics = Math.max(0, ...missingTopics);
  return {
    kind: 'missing-topics',
    isWarning: topics > 0,
    systems: missingTopics.filter((count) => count > 0).length,
    system: topics === 0 ? null : comparison.systems[missingTopics.indexOf(topics)],
    topics,
  };
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
