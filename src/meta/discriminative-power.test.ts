import { describe, expect, it } from 'vitest';
import { seededRandom } from '../core/numbers/random.js';
import { ScoreTable } from '../core/score-table.js';
import { drawTopics } from '../stats/resampler.js';
import { discriminativePower } from './discriminative-power.js';

/** Systems that differ by what `gaps` says, one measure. */
function someTable(gaps: readonly number[], numTopics: number, seed: number): ScoreTable {
  const random = seededRandom(seed);
  const topics = Array.from({ length: numTopics }, (_, t) => `t${t}`);
  const values = gaps.flatMap((gap) => topics.map(() => gap + 0.2 * random.normal()));
  return new ScoreTable(
    gaps.map((_, s) => `s${s}`),
    topics,
    [{ name: 'AP', aggregate: 'mean' }],
    Float64Array.from(values),
  );
}

/** Level and resampled differences of one pair, as the definition says it. */
function slowPair(first: Float64Array, second: Float64Array, seed: number, resamples: number): { level: number; differences: number[] } {
  const n = first.length;
  const z = first.map((value, t) => value - second[t]);
  const mean = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / n;
  const studentised = (values: Float64Array): number => {
    const centre = mean(values);
    const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (n - 1));
    return Math.abs(centre) / (deviation / Math.sqrt(n));
  };
  const observed = studentised(z);
  const shift = mean(z);
  const drawn = new Uint32Array(n);
  let reached = 0;
  const differences: number[] = [];
  for (let r = 0; r < resamples; r++) {
    drawTopics(seed, r, drawn);
    const sample = Float64Array.from(drawn, (t) => z[t] - shift);
    if (studentised(sample) >= observed) reached++;
    differences.push(Math.abs(mean(sample)));
  }
  return { level: reached / resamples, differences: differences.sort((a, b) => b - a) };
}

describe('discriminative power', () => {
  const table = someTable([0, 0.02, 0.1, 0.3], 20, 3);

  it('has the levels and the difference needed of the definition, pair by pair', () => {
    const { measures, pairs } = discriminativePower(table, { seed: 5, resamples: 400, alpha: 0.05 });
    expect(pairs).toBe(6);
    const slow = [0, 1, 2].flatMap((i) =>
      Array.from({ length: 3 - i }, (_, k) => slowPair(table.column(0, i), table.column(0, i + 1 + k), 5, 400)),
    );
    expect([...measures[0].pairLevels]).toEqual(slow.map(({ level }) => level));
    expect(measures[0].significant).toBe(slow.filter(({ level }) => level < 0.05).length);
    expect(measures[0].share).toBe(measures[0].significant / 6);
    // the 20th largest of 400 for each pair, and the largest of these
    expect(measures[0].differenceNeeded).toBeCloseTo(Math.max(...slow.map(({ differences }) => differences[19])), 12);
    expect([...measures[0].levels]).toEqual([...measures[0].pairLevels].sort((a, b) => b - a));
  });

  it('comes near the exact share of all samples where these can be counted', () => {
    const few = someTable([0, 0.3], 4, 8);
    const z = few.column(0, 0).map((value, t) => value - few.column(0, 1)[t]);
    const mean = z.reduce((sum, value) => sum + value, 0) / 4;
    const studentised = (values: readonly number[]): number => {
      const centre = values.reduce((sum, value) => sum + value, 0) / 4;
      const squares = values.reduce((sum, value) => sum + (value - centre) ** 2, 0);
      // a sample of one topic four times has no spread: it is as extreme as can be
      return squares === 0 ? Infinity : Math.abs(centre) / Math.sqrt(squares / 3 / 4);
    };
    let reached = 0;
    for (let sample = 0; sample < 256; sample++) {
      const values = [0, 1, 2, 3].map((k) => z[Math.floor(sample / 4 ** k) % 4] - mean);
      if (studentised(values) >= studentised([...z])) reached++;
    }
    const [{ pairLevels }] = discriminativePower(few, { seed: 2, resamples: 40_000 }).measures;
    expect(Math.abs(pairLevels[0] - reached / 256)).toBeLessThan(0.01);
  });

  it('looks at the best systems only if asked', () => {
    const [{ systems, levels }] = discriminativePower(table, { seed: 1, resamples: 50, top: 2 }).measures;
    expect(systems).toEqual(['s3', 's2']);
    expect(levels).toHaveLength(1);
  });

  it('by the randomised Tukey test tells no more pairs apart than the largest difference allows', () => {
    const { measures } = discriminativePower(table, { seed: 1, resamples: 500, method: 'tukey' });
    const means = table.systems.map((_, s) => table.aggregate(0, s));
    const beyond = means.flatMap((a, i) => means.slice(i + 1).map((b) => Math.abs(a - b))).filter((d) => d > measures[0].differenceNeeded);
    expect(measures[0].significant).toBe(beyond.length);
  });

  it('needs two systems, two topics and a value for each', () => {
    expect(() => discriminativePower(someTable([0], 5, 1), { seed: 1 })).toThrow('needs two systems or more, found 1');
    expect(() => discriminativePower(someTable([0, 1], 1, 1), { seed: 1 })).toThrow('needs two topics or more, found 1');
    const holed = someTable([0, 1], 3, 1);
    holed.values[4] = Number.NaN;
    expect(() => discriminativePower(holed, { seed: 1 })).toThrow('AP has no value for topic t1 of s1');
  });
});
