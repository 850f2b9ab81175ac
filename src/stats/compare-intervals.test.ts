import { expect, test } from 'vitest';
import { ScoreTable } from '../core/score-table.js';
import { bootstrapInterval } from './bootstrap.js';
import { compareSystems } from './compare.js';
import { pairedTTest } from './t-test.js';

const scores = [
  [0.1, 0.5, 0.3, 0.9, 0.7, 0.2, 0.4, 0.6],
  [0.2, 0.4, 0.1, 0.5, 0.6, 0.2, 0.1, 0.8],
  [0.9, 0.5, 0.8, 0.7, 0.9, 0.6, 0.4, 0.7],
];
const topics = scores[0].map((_, t) => `t${t}`);
const table = new ScoreTable(['a', 'b', 'c'], topics, [{ name: 'M', aggregate: 'mean' }], Float64Array.from(scores.flat()));
/** Later systems against earlier ones. */
const pairs = [
  [1, 0],
  [2, 0],
  [2, 1],
] as const;

test("interval='bootstrap' gives every pair and every system its own BCa interval", () => {
  const [measure] = compareSystems(table, { interval: 'bootstrap', seed: 7, alpha: 0.1 }).measures;
  for (const [i, [first, second]] of pairs.entries()) {
    const { interval } = bootstrapInterval({ first: scores[first], second: scores[second], seed: 7, level: 0.9 });
    expect(measure.pairs[i]).toMatchObject({ system: first, against: second });
    expect(measure.pairs[i].interval.low).toBe(interval.low);
    expect(measure.pairs[i].interval.high).toBe(interval.high);
    expect(measure.pairs[i].interval.level).toBeCloseTo(0.9, 15);
  }
  for (const [s, first] of scores.entries()) {
    const { interval } = bootstrapInterval({ first, seed: 7, level: 0.9 });
    expect(measure.systems[s].interval.low).toBe(interval.low);
    expect(measure.systems[s].interval.high).toBe(interval.high);
  }
});

test("interval='t' is that of the paired t test", () => {
  const [measure] = compareSystems(table, { alpha: 0.1 }).measures;
  for (const [i, [first, second]] of pairs.entries()) {
    const { interval, pValue } = pairedTTest({ first: scores[first], second: scores[second], level: 1 - 0.1 });
    expect(measure.pairs[i].interval).toEqual(interval);
    expect(measure.pairs[i].pValue).toBe(pValue);
  }
});
