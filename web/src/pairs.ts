/** Two systems side by side: which they are, and their topics in the order of the difference. */
import type { Results } from './engine/protocol.js';

export interface TopicPair {
  readonly topic: string;
  readonly query: string | null;
  readonly a: number;
  readonly b: number;
  /** Above 0 where the first system is better, whichever way the measure goes. */
  readonly gain: number;
}

/** The measure that a word of the address names by its place; the first that says which system is better otherwise. */
export function measureOf(results: Results, by: string | undefined): number {
  const asked = results.measures.findIndex(({ name, direction }) => name === by && direction !== 'neither');
  return asked >= 0
    ? asked
    : Math.max(
        0,
        results.measures.findIndex(({ direction }) => direction !== 'neither'),
      );
}

/** The system that a word of the address names by its place, counted from 1. */
export function systemOf(results: Results, word: string | undefined): number | undefined {
  const place = Number(word) - 1;
  return Number.isInteger(place) && place >= 0 && place < results.systems.length ? place : undefined;
}

/** Places of the systems, the best mean first. */
export function byMean(results: Results, measure: number): number[] {
  const sign = results.measures[measure].direction === 'lower' ? 1 : -1;
  const value = (s: number): number => {
    const mean = results.systems[s].means[measure];
    return Number.isNaN(mean) ? Number.POSITIVE_INFINITY : sign * mean;
  };
  return results.systems.map((_, s) => s).sort((x, y) => (value(x) === value(y) ? x - y : value(x) - value(y)));
}

/** The two systems of a view: those of the address, or the best two. */
export function pairOf(results: Results, measure: number, words: Readonly<Record<string, string>>): [a: number, b: number] {
  const order = byMean(results, measure);
  const a = systemOf(results, words.a) ?? order.find((s) => s !== systemOf(results, words.b)) ?? 0;
  const b = systemOf(results, words.b) ?? order.find((s) => s !== a) ?? a;
  return [a, b];
}

/** The topics of two systems, the largest gain of the first one first. */
export function topicPairs(results: Results, measure: number, a: number, b: number): TopicPair[] {
  const sign = results.measures[measure].direction === 'lower' ? -1 : 1;
  const value = (s: number, t: number): number => results.values[(s * results.topics.length + t) * results.measures.length + measure];
  return results.topics
    .map((topic, t) => {
      const own = [value(a, t), value(b, t)];
      return { topic, query: results.queries?.[t] ?? null, a: own[0], b: own[1], gain: sign * (own[0] - own[1]) };
    })
    .filter(({ gain }) => !Number.isNaN(gain))
    .sort((x, y) => y.gain - x.gain);
}

/** A topic by its place in the order by difference, counted from 1: names are data and stay out of addresses. */
export function topicWord(results: Results | undefined, by: string | undefined, a: number, b: number, topic: string): string | undefined {
  if (results === undefined) return undefined;
  const place = topicPairs(results, measureOf(results, by), a, b).findIndex((one) => one.topic === topic);
  return place < 0 ? undefined : String(place + 1);
}
