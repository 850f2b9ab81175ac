import { InputError } from '../core/problem.js';
import type { ScoreTable } from '../core/score-table.js';
import { bootstrapAllPairs } from '../stats/bootstrap.js';
import { drawTopics } from '../stats/resampler.js';
import { randomizedTukeyHsd } from '../stats/tukey-hsd.js';

/** How pairs of systems are tested, and which. */
export interface PowerOptions {
  /** 1 by default. */
  readonly seed?: number | undefined;
  /** Samples of the topics, the same for all pairs and all measures; 1,000 by default, or 10,000 for *tukey*. */
  readonly resamples?: number | undefined;
  /** A pair counts as significant if its achieved significance level is below this; 0.05 by default. */
  readonly alpha?: number | undefined;
  /** *bootstrap* treats each pair by itself; *tukey* is the randomised test that takes into account how many pairs there are. */
  readonly method?: 'bootstrap' | 'tukey' | undefined;
  /** Only the best so many systems by each measure, all by default. */
  readonly top?: number | undefined;
}

/** How well a measure tells systems apart. */
export interface MeasurePower {
  readonly measure: string;
  readonly systems: readonly string[];
  /** Levels of all pairs, from the highest down: the curve that is drawn. */
  readonly levels: Float64Array;
  /** How many of the pairs are significant, and their share in all. */
  readonly significant: number;
  readonly share: number;
  /** The difference of means from which on every pair would have been significant. */
  readonly differenceNeeded: number;
  /** The level of every pair, in the order of `pairNumber` over `systems`. */
  readonly pairLevels: Float64Array;
}

/** How many pairs of systems each measure tells apart, on the same topics and samples. */
export interface DiscriminativePower {
  readonly method: string;
  readonly topics: number;
  readonly pairs: number;
  readonly resamples: number;
  readonly seed: number;
  readonly alpha: number;
  readonly measures: readonly MeasurePower[];
}

/** Discriminative power of each measure of a table: the share of pairs of systems that a test tells apart. Sakai, Evaluating
 *  evaluation metrics based on the bootstrap, SIGIR 2006, doi 10.1145/1148170.1148261; with `tukey`, Carterette, Multiple testing
 *  in statistical analysis of systems-based information retrieval experiments, TOIS 30(1), 2012, doi 10.1145/2094072.2094076. */
export function discriminativePower(table: ScoreTable, options: PowerOptions): DiscriminativePower {
  const { seed = 1, alpha = 0.05, method = 'bootstrap', resamples = method === 'tukey' ? 10_000 : 1000, top } = options;
  if (table.systems.length < 2) {
    throw new InputError({
      message: `discriminative power needs two systems or more, found ${table.systems.length}`,
      wayOut: 'give several runs',
    });
  }
  if (table.topics.length < 2) {
    throw new InputError({ message: `discriminative power needs two topics or more, found ${table.topics.length}` });
  }
  if (!(alpha > 0 && alpha < 1)) throw new InputError({ message: `alpha must lie between 0 and 1, found ${alpha}` });
  const measures = table.columns.map((_, column) => powerOf(table, column, { seed, resamples, alpha, method, top }));
  const numSystems = measures[0]?.systems.length ?? 0;
  return {
    method: method === 'bootstrap' ? 'bootstrap, shift method, studentised, shared samples' : 'randomised Tukey HSD',
    topics: table.topics.length,
    pairs: (numSystems * (numSystems - 1)) / 2,
    resamples,
    seed,
    alpha,
    measures,
  };
}

function powerOf(
  table: ScoreTable,
  column: number,
  options: { readonly seed: number; readonly resamples: number; readonly alpha: number } & Pick<PowerOptions, 'method' | 'top'>,
): MeasurePower {
  const { seed, resamples, alpha, method, top } = options;
  const order = Array.from(table.systems, (_, s) => s);
  if (top !== undefined && top < order.length) {
    const means = order.map((s) => table.aggregate(column, s));
    order.sort((a, b) => means[b] - means[a] || a - b);
    order.length = Math.max(2, top);
  }
  const systems = order.map((s) => table.column(column, s));
  const measure = table.columns[column].name;
  for (const [i, values] of systems.entries()) {
    const missing = values.findIndex(Number.isNaN);
    if (missing >= 0) {
      throw new InputError({
        message: `${measure} has no value for topic ${table.topics[missing]} of ${table.systems[order[i]]}`,
        wayOut: 'choose topics that every system has a value for',
      });
    }
  }
  const names = order.map((s) => table.systems[s]);
  if (method === 'tukey') {
    const { pValues, criticalDifference } = randomizedTukeyHsd({ systems, seed, resamples, level: 1 - alpha });
    return described(measure, names, pValues, alpha, criticalDifference);
  }
  const { pValues } = bootstrapAllPairs({ systems, seed, resamples });
  return described(measure, names, pValues, alpha, differenceNeeded(systems, seed, resamples, alpha));
}

function described(measure: string, systems: readonly string[], pairLevels: Float64Array, alpha: number, needed: number): MeasurePower {
  const levels = pairLevels.slice().sort().reverse();
  const significant = levels.reduce((count, level) => count + (level < alpha ? 1 : 0), 0);
  return { measure, systems, levels, significant, share: significant / levels.length, differenceNeeded: needed, pairLevels };
}

/** For each pair the size that a share of `alpha` of the resampled differences of means reach when there is no true one; of these
 *  the largest. */
function differenceNeeded(systems: readonly Float64Array[], seed: number, resamples: number, alpha: number): number {
  const numTopics = systems[0].length;
  const drawn = new Uint32Array(numTopics); // fits: entries
  // how far each system's mean moves in each sample
  const shifts = systems.map(() => new Float64Array(resamples));
  const means = systems.map((values) => values.reduce((sum, value) => sum + value, 0) / numTopics);
  for (let r = 0; r < resamples; r++) {
    drawTopics(seed, r, drawn);
    for (const [s, values] of systems.entries()) {
      let sum = 0;
      for (let t = 0; t < numTopics; t++) sum += values[drawn[t]];
      shifts[s][r] = sum / numTopics - means[s];
    }
  }
  const rank = Math.min(resamples, Math.max(1, Math.floor(resamples * alpha)));
  const sizes = new Float64Array(resamples);
  let needed = 0;
  for (let i = 0; i < systems.length; i++) {
    for (let j = i + 1; j < systems.length; j++) {
      let beyond = 0;
      for (let r = 0; r < resamples; r++) {
        sizes[r] = Math.abs(shifts[i][r] - shifts[j][r]);
        if (sizes[r] > needed) beyond++;
      }
      // only a pair with enough of them beyond the largest so far can change it
      if (beyond >= rank) needed = largestNth(sizes, rank);
    }
  }
  return needed;
}

function largestNth(values: Float64Array, n: number): number {
  const sorted = values.slice().sort();
  return sorted[sorted.length - n];
}
