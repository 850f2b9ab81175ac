import { seededRandom, shuffleInPlace } from '../../core/numbers/random.js';
import { ELO_SCALE } from './bradley-terry.js';
import type { Preference } from './preferences.js';

/** How Elo's numbers are kept. */
export interface EloOptions {
  /** How far a surprise moves a number; 4 by default. */
  readonly k?: number | undefined;
  /** 1000 by default. */
  readonly start?: number | undefined;
}

/** Elo's numbers after a sequence of comparisons, which depend on its order. */
export function eloInSequence(preferences: readonly Preference[], names: readonly string[], options: EloOptions = {}): Float64Array {
  const { k = 4, start = 1000 } = options;
  const placeOf = new Map(names.map((name, i) => [name, i]));
  const ratings = new Float64Array(names.length).fill(start);
  for (const { first, second, outcome, weight = 1 } of preferences) {
    const i = placeOf.get(first) ?? 0;
    const j = placeOf.get(second) ?? 0;
    const expected = 1 / (1 + Math.exp((ratings[j] - ratings[i]) / ELO_SCALE));
    const surprise = (outcome === 'tie' ? 0.5 : outcome === 'first' ? 1 : 0) - expected;
    ratings[i] += k * weight * surprise;
    ratings[j] -= k * weight * surprise;
  }
  return ratings;
}

/** Elo's numbers over random orders of the same comparisons. */
export function eloOverOrders(
  preferences: readonly Preference[],
  names: readonly string[],
  options: EloOptions & { readonly shuffles: number; readonly seed?: number | undefined },
): { readonly mean: Float64Array; readonly standardDeviation: Float64Array } {
  const { shuffles, seed = 1 } = options;
  const mean = new Float64Array(names.length);
  const squares = new Float64Array(names.length);
  for (let shuffle = 0; shuffle < shuffles; shuffle++) {
    const order = [...preferences];
    shuffleInPlace(seededRandom(seed, shuffle), order);
    const ratings = eloInSequence(order, names, options);
    for (let i = 0; i < names.length; i++) {
      const before = ratings[i] - mean[i];
      mean[i] += before / (shuffle + 1);
      squares[i] += before * (ratings[i] - mean[i]);
    }
  }
  return { mean, standardDeviation: squares.map((sum) => (shuffles < 2 ? 0 : Math.sqrt(sum / (shuffles - 1)))) };
}
