import { drawTopics } from '../../src/stats/resampler.js';

/** Slow and obvious versions of what `src/stats` does fast. */

/** All 2^n sums of ±differences. */
export function allSignedSums(differences: readonly number[]): number[] {
  let sums = [0];
  for (const difference of differences) sums = sums.flatMap((sum) => [sum - difference, sum + difference]);
  return sums;
}

/** Student's t of the mean, by the book. */
export function tOf(values: readonly number[]): number {
  const n = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1);
  return mean / Math.sqrt(variance / n);
}

/** The bootstrap test for one pair: shift, draw, studentise, compare. */
export function bootstrapCount(first: readonly number[], second: readonly number[], seed: number, from: number, to: number): number {
  const differences = first.map((value, i) => value - second[i]);
  const mean = differences.reduce((sum, value) => sum + value, 0) / differences.length;
  const observed = Math.abs(tOf(differences));
  let count = 0;
  for (let resample = from; resample < to; resample++) {
    const drawn = new Uint32Array(differences.length);
    drawTopics(seed, resample, drawn);
    const sample = Array.from(drawn, (topic) => differences[topic] - mean);
    if (Math.abs(tOf(sample)) >= observed) count++;
  }
  return count;
}

/** Concordant minus discordant pairs, and the pairs tied in each. */
export function kendallPairs(
  first: readonly number[],
  second: readonly number[],
): { score: number; tiedFirst: number; tiedSecond: number } {
  let score = 0;
  let tiedFirst = 0;
  let tiedSecond = 0;
  for (let i = 0; i < first.length; i++) {
    for (let j = 0; j < i; j++) {
      score += Math.sign(first[i] - first[j]) * Math.sign(second[i] - second[j]);
      if (first[i] === first[j]) tiedFirst++;
      if (second[i] === second[j]) tiedSecond++;
    }
  }
  return { score, tiedFirst, tiedSecond };
}

/** All orders of an array. */
export function permutationsOf<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, i) => permutationsOf([...items.slice(0, i), ...items.slice(i + 1)]).map((rest) => [item, ...rest]));
}

/** All rankings that a ranking with ties may stand for. */
export function untiedOrders(ranking: readonly (readonly string[])[]): string[][] {
  return ranking.reduce<string[][]>((done, group) => done.flatMap((head) => permutationsOf(group).map((tail) => [...head, ...tail])), [[]]);
}

/** Rank-biased overlap of two lists without ties down to the length of the longer: (1 − p)/p · Σ agreement(d)·p^d. */
export function overlapSum(first: readonly string[], second: readonly string[], p: number): number {
  const depth = Math.max(first.length, second.length);
  let sum = 0;
  for (let d = 1; d <= depth; d++) {
    const shared = first.slice(0, d).filter((id) => second.slice(0, d).includes(id)).length;
    sum += (shared / d) * p ** d;
  }
  return (sum * (1 - p)) / p;
}

/** The largest and the smallest overlap over all ways in which two lists without ties may continue to `depth` places, each with ids
 *  the other has or with new ones. */
export function overlapBounds(first: readonly string[], second: readonly string[], p: number, depth: number): { min: number; max: number } {
  const tail = p ** depth;
  const values: { low: number; high: number }[] = [];
  const pool = [...new Set([...first, ...second]), 'new1', 'new2', 'new3'];
  const extend = (list: readonly string[], other: string): string[][] =>
    list.length >= depth
      ? [[...list]]
      : [...pool.filter((id) => !list.includes(id)), `${other}${list.length}`].flatMap((id) => extend([...list, id], other));
  for (const longFirst of extend(first, 'x')) {
    for (const longSecond of extend(second, 'y')) {
      const low = overlapSum(longFirst, longSecond, p);
      values.push({ low, high: low + tail });
    }
  }
  return { min: Math.min(...values.map((value) => value.low)), max: Math.max(...values.map((value) => value.high)) };
}
