import { seededRandom } from '../../core/numbers/random.js';
import { InputError } from '../../core/problem.js';
import { requireFraction, requireResamples, requireSeed } from '../../stats/checks.js';
import type { Interval } from '../../stats/moments.js';
import { bradleyTerry } from './bradley-terry.js';
import type { Preference } from './preferences.js';
import { ranksOfMeans } from './ranks.js';

/** How comparisons are drawn again. */
export interface PreferenceResamplingOptions {
  /** 1,000 by default. */
  readonly resamples?: number | undefined;
  readonly seed?: number | undefined;
  readonly level?: number | undefined;
  /** Virtual ties between every two systems. */
  readonly prior?: number | undefined;
}

/** What became of the strengths when topics, or comparisons, were drawn again. */
export interface ResampledStrengths {
  /** *topics* where every comparison names one: comparisons of one topic are alike. */
  readonly unit: 'topics' | 'comparisons';
  readonly units: number;
  /** Percentiles of each strength; undefined where fewer than half of the samples have strengths. */
  readonly intervals: readonly Interval[] | undefined;
  /** How often each system was best, a tie divided equally. */
  readonly probabilityBest: Float64Array;
  readonly resamples: number;
  /** Samples in which some systems never lost to others, so that there are no strengths; they are left out. */
  readonly undefinedSamples: number;
}

/** Bradley–Terry strengths over samples of topics or of comparisons.
 *  @param names Systems in the order wanted. */
export function resampleStrengths(
  preferences: readonly Preference[],
  names: readonly string[],
  options: PreferenceResamplingOptions = {},
): ResampledStrengths {
  const { resamples = 1000, seed = 1, level = 0.95, prior = 0 } = options;
  requireResamples(resamples, 20);
  requireSeed(seed);
  requireFraction('level', level);
  const n = names.length;
  const hasTopics = preferences.every(({ topic }) => topic !== undefined && topic !== '');
  const units = winsByUnit(preferences, names, hasTopics);
  const random = seededRandom(seed);
  const found = names.map(() => new Float64Array(resamples));
  const best = new Float64Array(n);
  let defined = 0;
  for (let sample = 0; sample < resamples; sample++) {
    const wins = new Float64Array(n * n);
    for (let i = 0; i < units.length; i++) {
      const { cells, amounts } = units[random.below(units.length)];
      for (let c = 0; c < cells.length; c++) wins[cells[c]] += amounts[c];
    }
    const strengths = strengthsOf(names, wins, prior);
    if (strengths === undefined) continue;
    const ranks = ranksOfMeans(strengths);
    const first = ranks.reduce((count, rank) => count + (rank === 1 ? 1 : 0), 0);
    for (let j = 0; j < n; j++) {
      found[j][defined] = strengths[j];
      if (ranks[j] === 1) best[j] += 1 / first;
    }
    defined++;
  }
  const tail = (1 - level) / 2;
  const percentile = (sorted: Float64Array, share: number): number =>
    sorted[Math.min(defined - 1, Math.max(0, Math.ceil(share * defined) - 1))];
  return {
    unit: hasTopics ? 'topics' : 'comparisons',
    units: units.length,
    intervals:
      defined < resamples / 2
        ? undefined
        : found.map((own) => {
            const sorted = own.subarray(0, defined).slice().sort();
            return { low: percentile(sorted, tail), high: percentile(sorted, 1 - tail), level };
          }),
    probabilityBest: best.map((count) => (defined === 0 ? Number.NaN : count / defined)),
    resamples,
    undefinedSamples: resamples - defined,
  };
}

/** The wins of one topic, or of one comparison, as cells of the table that they add to. */
interface UnitWins {
  readonly cells: number[];
  readonly amounts: number[];
}

function winsByUnit(preferences: readonly Preference[], names: readonly string[], hasTopics: boolean): UnitWins[] {
  const placeOf = new Map(names.map((name, i) => [name, i]));
  const units = new Map<string, UnitWins>();
  for (const [at, { first, second, outcome, topic, weight = 1 }] of preferences.entries()) {
    const key = hasTopics ? (topic ?? '') : String(at);
    const unit = units.get(key) ?? { cells: [], amounts: [] };
    units.set(key, unit);
    const [i, j] = [placeOf.get(first) ?? 0, placeOf.get(second) ?? 0];
    const share = outcome === 'tie' ? 0.5 : outcome === 'first' ? 1 : 0;
    unit.cells.push(i * names.length + j, j * names.length + i);
    unit.amounts.push(share * weight, (1 - share) * weight);
  }
  return [...units.values()];
}

function strengthsOf(names: readonly string[], wins: Float64Array, prior: number): Float64Array | undefined {
  try {
    return bradleyTerry({ names, wins }, prior).strengths;
  } catch (error) {
    // a sample in which nobody beat the best has no strengths
    if (error instanceof InputError) return undefined;
    throw error;
  }
}
