import { describe, expect, test } from 'vitest';
import { bootstrapInterval } from './bootstrap.js';
import { randomizationTest } from './randomization.js';
import { signTest } from './sign-test.js';
import { estimatedMilliseconds, joinResults, type PairTest, resultSize, runTask, runUnits, type StatsTask, testMethods } from './tasks.js';
import { wilcoxonSignedRank } from './wilcoxon.js';

const systems = [
  [0.1, 0.5, 0.3, 0.9, 0.7, 0.2, 0.4, 0.6],
  [0.2, 0.4, 0.1, 0.5, 0.6, 0.2, 0.1, 0.8],
  [0.9, 0.5, 0.8, 0.7, 0.9, 0.6, 0.4, 0.7],
].map((values) => Float64Array.from(values));

const pairs = Int32Array.of(0, 1, 2, 0, 1, 2);
const testTask = (test: PairTest): Extract<StatsTask, { kind: 'tests' }> => ({
  kind: 'tests',
  systems,
  pairs,
  units: 3,
  test,
  alternative: 'two-sided',
  seed: 3,
  resamples: undefined,
});
const others: readonly StatsTask[] = [
  { kind: 'ranges', systems, seed: 5, units: 6 },
  { kind: 'exceedances', systems, seed: 5, units: 6 },
  { kind: 'intervals', systems, pairs: Int32Array.of(0, 1, 2, -1, 1, 2), units: 3, seed: 5, level: 0.9 },
];

describe('runTask', () => {
  test('gives p-value and method of each pair by its own test', () => {
    for (const [unit, [a, b]] of [
      [0, 1],
      [2, 0],
      [1, 2],
    ].entries()) {
      const options = { first: systems[a], second: systems[b], seed: 3 };
      const by = (name: PairTest): [number, string] => {
        const [pValue, method] = runTask(testTask(name)).subarray(2 * unit, 2 * unit + 2);
        return [pValue, testMethods[method]];
      };
      expect(by('sign')).toEqual([signTest(options).pValue, 'exact binomial']);
      const wilcoxon = wilcoxonSignedRank(options);
      expect(by('wilcoxon')).toEqual([wilcoxon.pValue, wilcoxon.method]);
      expect(by('randomization')).toEqual([randomizationTest(options).pValue, 'exact']);
      expect(by('t')[1]).toBe('Student t distribution');
      expect(by('bootstrap')[1]).toBe('shift method, studentised');
    }
  });

  test('the alternative and the number of draws reach the test', () => {
    const [less] = runTask({ ...testTask('sign'), alternative: 'less' });
    const [greater] = runTask({ ...testTask('sign'), alternative: 'greater' });
    // of 7 topics that differ 5 are better: 1 - P(X < 5), P(X <= 5) with 1/2 each, in 128ths
    expect([greater, less]).toEqual([29 / 128, 120 / 128]);
    // a bootstrap p-value is a whole number of its draws
    const [p] = runTask({ ...testTask('bootstrap'), resamples: 10 });
    expect(Math.abs(p * 10 - Math.round(p * 10)) < 1e-9 || Math.abs(p * 11 - Math.round(p * 11)) < 1e-9).toBe(true);
  });

  test('gives both limits of each pair, or of one system alone', () => {
    const limits = runTask(others[2]);
    const pair = bootstrapInterval({ first: systems[0], second: systems[1], seed: 5, level: 0.9 }).interval;
    const alone = bootstrapInterval({ first: systems[2], seed: 5, level: 0.9 }).interval;
    expect([...limits.subarray(0, 4)]).toEqual([pair.low, pair.high, alone.low, alone.high]);
    expect(limits).toHaveLength(6);
  });
});

describe('parts of a task', () => {
  test.each([testTask('wilcoxon'), ...others].map((task) => [task.kind, task] as const))('%s: joined they are the whole', (_, task) => {
    const whole = runTask(task);
    for (const cuts of [
      [0, 1, task.units],
      [0, 1, 2, task.units],
      [0, task.units],
    ]) {
      const parts = cuts.slice(1).map((to, i) => {
        const out = new Float64Array(resultSize(task, cuts[i], to));
        runUnits(task, cuts[i], to, out);
        return out;
      });
      expect([...joinResults(task, parts)]).toEqual([...whole]);
    }
  });

  test('have a number per resample, per pair of systems, or two per pair', () => {
    expect(resultSize(others[0], 2, 6)).toBe(4);
    expect(resultSize(others[1], 2, 6)).toBe(3);
    expect(resultSize(others[2], 1, 3)).toBe(4);
  });
});

describe('estimatedMilliseconds', () => {
  test('grows with the units, and with what a unit takes', () => {
    const task = testTask('randomization');
    for (const one of [task, testTask('bootstrap'), testTask('t'), ...others]) {
      expect(estimatedMilliseconds({ ...one, units: 2 * one.units })).toBeCloseTo(2 * estimatedMilliseconds(one), 9);
    }
    const withTopics = (topics: number, resamples?: number) =>
      estimatedMilliseconds({ ...task, systems: [new Float64Array(topics), new Float64Array(topics)], resamples });
    // up to 40 topics all 2^n exchanges are counted in 2^(n/2) steps, then 100,000 are drawn
    expect(withTopics(40) / withTopics(20)).toBeCloseTo(2 ** 10, 6);
    expect(withTopics(41)).toBeCloseTo(withTopics(41, 100_000), 9);
    expect(withTopics(82) / withTopics(41)).toBeCloseTo(2, 9);
    expect(withTopics(41, 50_000)).toBeCloseTo(withTopics(41) / 2, 9);
    const bootstrap = (resamples?: number) => estimatedMilliseconds({ ...testTask('bootstrap'), resamples });
    expect(bootstrap()).toBeCloseTo(bootstrap(1000), 9);
    expect(bootstrap(2000)).toBeCloseTo(2 * bootstrap(), 9);
    expect(estimatedMilliseconds(testTask('t'))).toBeLessThan(bootstrap());
    // all pairs of twice as many systems are four times as many, and topics count in full, beside what a resample costs anyway
    const allPairs = (count: number, topics: number) =>
      estimatedMilliseconds({
        kind: 'exceedances',
        systems: Array.from({ length: count }, () => new Float64Array(topics)),
        seed: 1,
        units: 1,
      });
    const anyway = allPairs(2, 0);
    expect((allPairs(40, 50) - anyway) / (allPairs(20, 50) - anyway)).toBeCloseTo(4, 9);
    expect((allPairs(20, 100) - anyway) / (allPairs(20, 50) - anyway)).toBeCloseTo(2, 9);
    // an interval takes 10,000 draws
    expect(estimatedMilliseconds(others[2])).toBeCloseTo(bootstrap(10_000), 9);
  });
});
