import { InputError } from '../../core/problem.js';
import { type ByteSource, readText } from '../../formats/source.js';
import {
  type BradleyTerry,
  bradleyTerry,
  decidingTopics,
  eloOverOrders,
  estimatedMeans,
  estimatedStrengths,
  fewestTopicsToReverse,
  meansOf,
  type Preference,
  type RankSet,
  type RankSets,
  type ResampledStrengths,
  rankSets,
  ranksOfMeans,
  resampleRanks,
  resampleStrengths,
  scoreMatrix,
  winTable,
} from '../../judging/index.js';
import { alignedScores } from '../../stats/alignment.js';
import { normalDistribution } from '../../stats/distributions/distributions.js';
import { meanInterval } from '../../stats/effect-size.js';
import { type Interval, meanOf } from '../../stats/moments.js';
import { groupsToDraw } from '../board/groups.js';
import type { ComparableScores } from '../comparison.js';
import { directionsOf } from '../names.js';
import { type OrderStability, type OrderUnderCondition, orderStability } from './order-stability.js';

/** How sure ranks are to be. */
export interface LeaderboardRequest {
  readonly alpha?: number | undefined;
  readonly resamples?: number | undefined;
  readonly quantile?: 'student' | 'normal' | undefined;
  readonly singleStep?: boolean | undefined;
  readonly top?: number | undefined;
  readonly seed?: number | undefined;
  /** Also say how far the other measures keep each order, and these scores of the same systems by other rules, such as those for ties. */
  readonly stability?: readonly { readonly rule: string; readonly scores: ComparableScores }[] | undefined;
}

/** One line of a leaderboard. */
export interface RankedSystem {
  readonly system: string;
  readonly rank: number;
  readonly mean: number;
  readonly interval: Interval;
  /** Ranks of all systems that hold together. */
  readonly set: RankSet;
  /** Ranks of this system that hold for it alone. */
  readonly marginal: RankSet;
  /** Share of samples of topics in which it was best. */
  readonly probabilityBest: number;
  /** Percentiles of its rank over samples of topics: a description, too narrow for a confidence set. */
  readonly resampled: RankSet;
  /** The fewest topics without which the next system would be level or ahead; null for the last, and where no number of them is enough. */
  readonly lostWithout: number | null;
  /** Its ranks under the other measures and tie rules, where they were asked for. */
  readonly ranksElsewhere?: RankSet | undefined;
}

/** How rank sets were made. */
export type RankSetMethod = Omit<RankSets, 'sets' | 'marginal' | 'isToldApart'>;

/** A leaderboard by one measure. */
export interface Leaderboard {
  readonly measure: string;
  readonly systems: readonly RankedSystem[];
  /** Systems whose set holds rank 1. */
  readonly notToldApart: readonly string[];
  /** Sets of systems that cannot be told apart, the best first; of many systems only that of the best. */
  readonly groups: readonly (readonly string[])[];
  /** How far other measures and tie rules keep the order, where it was asked for. */
  readonly stability?: readonly OrderUnderCondition[] | undefined;
  /** Topics without which any of the first would be another. */
  readonly decidingTopics: readonly string[];
  readonly numTopics: number;
  readonly method: RankSetMethod;
  readonly notes: readonly string[];
}

/** Ranks systems by each measure, with how sure the ranks are. */
export function leaderboardsOf(scored: ComparableScores, request: LeaderboardRequest = {}): Leaderboard[] {
  const { table, measures, missing, notes } = scored;
  const { alpha = 0.05, resamples = 10_000, quantile, singleStep, top = 1, seed } = request;
  const directions = directionsOf(measures);
  return measures.map((measure) => {
    const aligned = alignedScores(table, measure, missing);
    const sign = directions[measure] === 'lower' ? -1 : 1;
    const scores = scoreMatrix(aligned.systems.map((own) => own.map((value) => sign * value)));
    const level = 1 - alpha;
    const { sets, marginal, isToldApart, ...method } = rankSets(estimatedMeans(scores), {
      level,
      draws: resamples,
      seed,
      quantile,
      singleStep,
      marginal: true,
    });
    const drawn = resampleRanks(scores, { resamples, seed, level });
    const ranks = ranksOfMeans(meansOf(scores));
    const order = Array.from(ranks.keys()).sort((a, b) => ranks[a] - ranks[b] || a - b);
    const elsewhere = request.stability === undefined ? undefined : stabilityOf(scored, measure, request.stability);
    const systems = order.map((j, place): RankedSystem => {
      const { mean, interval } = meanInterval({ values: aligned.systems[j], level });
      const next = order[place + 1];
      const column = (s: number): Float64Array => aligned.systems[s].map((value) => sign * value);
      return {
        system: table.systems[j],
        rank: ranks[j],
        mean,
        interval,
        set: sets[j],
        marginal: marginal?.[j] ?? sets[j],
        probabilityBest: drawn.probabilityBest[j],
        resampled: { low: drawn.percentileLow[j], high: drawn.percentileHigh[j] },
        lostWithout: next === undefined ? null : fewestTopicsToReverse(column(j), column(next)).fewest,
        ranksElsewhere: elsewhere?.ranks[j],
      };
    });
    return {
      measure,
      systems,
      notToldApart: systems.filter(({ set }) => set.low === 1).map(({ system }) => system),
      groups: groupsToDraw(order.length, (a, b) => isToldApart(order[a], order[b])).map((group) =>
        group.map((place) => table.systems[order[place]]),
      ),
      stability: elsewhere?.conditions,
      decidingTopics: decidingTopics(scores, top).map((t) => aligned.topics[t]),
      numTopics: aligned.topics.length,
      method,
      notes: [...notes, ...(aligned.topics.length < 10 ? [`${measure}: sets from ${aligned.topics.length} topics are rough`] : [])],
    };
  });
}

/** The order by one measure, set against those by the others and by other rules for it. */
function stabilityOf(
  scored: ComparableScores,
  measure: string,
  others: readonly { readonly rule: string; readonly scores: ComparableScores }[],
): OrderStability {
  const directions = directionsOf(scored.measures);
  const meansBy = ({ table, missing }: ComparableScores, name: string): Float64Array => {
    const sign = directions[name] === 'lower' ? -1 : 1;
    return Float64Array.from(alignedScores(table, name, missing).systems, (own) => sign * meanOf(own));
  };
  return orderStability(scored.table.systems, meansBy(scored, measure), [
    ...scored.measures.filter((name) => name !== measure).map((name) => ({ name, means: meansBy(scored, name) })),
    ...others.map(({ rule, scores }) => ({ name: `${measure}, ${rule}`, means: meansBy(scores, measure) })),
  ]);
}

/** Systems by preferences. */
export interface PreferenceBoard {
  readonly systems: readonly {
    readonly system: string;
    readonly rank: number;
    readonly strength: number;
    readonly standardError: number;
    /** Percentiles over samples of topics or comparisons; by the standard error where too few samples have strengths. */
    readonly interval: Interval;
    readonly elo: number;
    readonly set: RankSet;
    /** Share of samples in which it was best; null where no sample has strengths. */
    readonly probabilityBest: number | null;
    /** Elo's numbers over random orders of the comparisons, where they were asked for: mean and standard deviation. */
    readonly eloInSequence?: { readonly mean: number; readonly standardDeviation: number } | undefined;
  }[];
  readonly comparisons: number;
  readonly method: RankSetMethod;
  /** How intervals were made. */
  readonly resampled: Pick<ResampledStrengths, 'unit' | 'units' | 'resamples' | 'undefinedSamples'> & { readonly isUsed: boolean };
}

/** Samples in which strengths are fitted again. */
const MOST_FITTED = 1000;

/** Ranks systems by who was preferred to whom. */
export function preferenceBoardOf(
  preferences: readonly Preference[],
  request: Omit<LeaderboardRequest, 'stability'> & { readonly prior?: number | undefined; readonly shuffles?: number | undefined } = {},
): PreferenceBoard {
  const { alpha = 0.05, resamples = 10_000, seed, singleStep, prior = 0, shuffles } = request;
  const model: BradleyTerry = bradleyTerry(winTable(preferences), prior);
  const level = 1 - alpha;
  const {
    sets,
    marginal: _,
    isToldApart: __,
    ...method
  } = rankSets(estimatedStrengths(model), { level, draws: resamples, seed, singleStep, quantile: 'normal' });
  const ranks = ranksOfMeans(model.strengths);
  const order = Array.from(ranks.keys()).sort((a, b) => ranks[a] - ranks[b] || a - b);
  const z = normalDistribution.upperQuantile(alpha / 2);
  const { intervals, probabilityBest, ...resampled } = resampleStrengths(preferences, model.names, {
    resamples: Math.min(resamples, MOST_FITTED),
    seed,
    level,
    prior,
  });
  const inSequence = shuffles === undefined ? undefined : eloOverOrders(preferences, model.names, { shuffles, seed });
  return {
    systems: order.map((j) => ({
      system: model.names[j],
      rank: ranks[j],
      strength: model.strengths[j],
      standardError: model.standardErrors[j],
      interval: intervals?.[j] ?? {
        low: model.strengths[j] - z * model.standardErrors[j],
        high: model.strengths[j] + z * model.standardErrors[j],
        level,
      },
      elo: model.elo[j],
      set: sets[j],
      probabilityBest: Number.isNaN(probabilityBest[j]) ? null : probabilityBest[j],
      eloInSequence: inSequence && { mean: inSequence.mean[j], standardDeviation: inSequence.standardDeviation[j] },
    })),
    comparisons: preferences.length,
    method,
    resampled: { ...resampled, isUsed: intervals !== undefined },
  };
}

/** Reads comparisons: CSV or TSV with columns first, second and outcome, or lines of JSON with these names. */
export async function readPreferences(source: ByteSource): Promise<Preference[]> {
  const lines = (await readText(source)).split(/\r?\n/);
  const problem = (line: number, message: string): InputError =>
    new InputError({
      source: source.name,
      line: line + 1,
      message,
      wayOut: 'write a header first,second,outcome and in each line two systems and first, second or tie',
    });
  const isJson = lines[0]?.trimStart().startsWith('{') === true;
  const separator = lines[0]?.includes('\t') === true ? '\t' : ',';
  const header = isJson ? [] : (lines[0] ?? '').split(separator).map((name) => name.trim().toLowerCase());
  if (!isJson && ['first', 'second', 'outcome'].some((name) => !header.includes(name))) {
    throw problem(0, `expected a header with first, second and outcome, found ${JSON.stringify(lines[0] ?? '')}`);
  }
  const found: Preference[] = [];
  for (let i = isJson ? 0 : 1; i < lines.length; i++) {
    if (lines[i].trim() === '') continue;
    const fields = isJson ? jsonFields(lines[i], () => problem(i, 'expected an object of JSON')) : csvFields(lines[i], header, separator);
    const { first, second, outcome, topic, judge, weight } = fields;
    if (!first || !second || (outcome !== 'first' && outcome !== 'second' && outcome !== 'tie')) {
      throw problem(i, `expected two systems and first, second or tie, found ${JSON.stringify(lines[i].slice(0, 80))}`);
    }
    const counts = weight === undefined || weight.trim() === '' ? undefined : Number(weight);
    if (counts !== undefined && !(Number.isFinite(counts) && counts > 0)) {
      throw problem(i, `expected a weight above 0, found ${JSON.stringify(weight?.slice(0, 80))}`);
    }
    found.push({ first, second, outcome, topic, judge, weight: counts });
  }
  if (found.length === 0) throw problem(0, 'found no comparisons');
  return found;
}

function csvFields(line: string, header: readonly string[], separator: string): Record<string, string | undefined> {
  const cells = line.split(separator).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
  return Object.fromEntries(header.map((name, c) => [name, cells[c]]));
}

function jsonFields(line: string, problem: () => InputError): Record<string, string | undefined> {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== 'object' || value === null) throw problem();
    return Object.fromEntries(Object.entries(value).map(([name, own]) => [name, own === null ? undefined : String(own)]));
  } catch (error) {
    throw error instanceof InputError ? error : problem();
  }
}
