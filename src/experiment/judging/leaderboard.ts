import { InputError } from '../../core/problem.js';
import { type ByteSource, readText } from '../../formats/source.js';
import {
  type BradleyTerry,
  bradleyTerry,
  decidingTopics,
  estimatedMeans,
  estimatedStrengths,
  fewestTopicsToReverse,
  meansOf,
  type Preference,
  type RankSet,
  type RankSets,
  rankSets,
  ranksOfMeans,
  resampleRanks,
  scoreMatrix,
  winTable,
} from '../../judging/index.js';
import { alignedScores } from '../../stats/alignment.js';
import { normalDistribution } from '../../stats/distributions/distributions.js';
import { meanInterval } from '../../stats/effect-size.js';
import type { Interval } from '../../stats/moments.js';
import type { ComparableScores } from '../comparison.js';
import { directionsOf } from '../names.js';

/** How sure ranks are to be. */
export interface LeaderboardRequest {
  readonly alpha?: number | undefined;
  readonly resamples?: number | undefined;
  readonly quantile?: 'student' | 'normal' | undefined;
  readonly singleStep?: boolean | undefined;
  readonly top?: number | undefined;
  readonly seed?: number | undefined;
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
}

/** A leaderboard by one measure. */
export interface Leaderboard {
  readonly measure: string;
  readonly systems: readonly RankedSystem[];
  /** Systems whose set holds rank 1. */
  readonly notToldApart: readonly string[];
  /** Topics without which any of the first would be another. */
  readonly decidingTopics: readonly string[];
  readonly numTopics: number;
  readonly method: Omit<RankSets, 'sets' | 'marginal'>;
  readonly notes: readonly string[];
}

/** Ranks systems by each measure, with how sure the ranks are. */
export function leaderboardsOf({ table, measures, missing, notes }: ComparableScores, request: LeaderboardRequest = {}): Leaderboard[] {
  const { alpha = 0.05, resamples = 10_000, quantile, singleStep, top = 1, seed } = request;
  const directions = directionsOf(measures);
  return measures.map((measure) => {
    const aligned = alignedScores(table, measure, missing);
    const sign = directions[measure] === 'lower' ? -1 : 1;
    const scores = scoreMatrix(aligned.systems.map((own) => own.map((value) => sign * value)));
    const level = 1 - alpha;
    const { sets, marginal, ...method } = rankSets(estimatedMeans(scores), {
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
      };
    });
    return {
      measure,
      systems,
      notToldApart: systems.filter(({ set }) => set.low === 1).map(({ system }) => system),
      decidingTopics: decidingTopics(scores, top).map((t) => aligned.topics[t]),
      numTopics: aligned.topics.length,
      method,
      notes: [...notes, ...(aligned.topics.length < 10 ? [`${measure}: sets from ${aligned.topics.length} topics are rough`] : [])],
    };
  });
}

/** Systems by preferences. */
export interface PreferenceBoard {
  readonly systems: readonly {
    readonly system: string;
    readonly rank: number;
    readonly strength: number;
    readonly standardError: number;
    readonly interval: Interval;
    readonly elo: number;
    readonly set: RankSet;
  }[];
  readonly comparisons: number;
  readonly method: Omit<RankSets, 'sets' | 'marginal'>;
}

/** Ranks systems by who was preferred to whom. */
export function preferenceBoardOf(
  preferences: readonly Preference[],
  request: LeaderboardRequest & { readonly prior?: number | undefined } = {},
): PreferenceBoard {
  const { alpha = 0.05, resamples = 10_000, seed, singleStep, prior = 0 } = request;
  const model: BradleyTerry = bradleyTerry(winTable(preferences), prior);
  const level = 1 - alpha;
  const {
    sets,
    marginal: _,
    ...method
  } = rankSets(estimatedStrengths(model), { level, draws: resamples, seed, singleStep, quantile: 'normal' });
  const ranks = ranksOfMeans(model.strengths);
  const order = Array.from(ranks.keys()).sort((a, b) => ranks[a] - ranks[b] || a - b);
  const z = normalDistribution.upperQuantile(alpha / 2);
  return {
    systems: order.map((j) => ({
      system: model.names[j],
      rank: ranks[j],
      strength: model.strengths[j],
      standardError: model.standardErrors[j],
      interval: { low: model.strengths[j] - z * model.standardErrors[j], high: model.strengths[j] + z * model.standardErrors[j], level },
      elo: model.elo[j],
      set: sets[j],
    })),
    comparisons: preferences.length,
    method,
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
    found.push({ first, second, outcome, topic, judge, weight: weight === undefined || weight === '' ? undefined : Number(weight) });
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
