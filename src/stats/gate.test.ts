import { describe, expect, test } from 'vitest';
import { ScoreTable } from '../core/score-table.js';
import { type GateOptions, gateCandidate } from './gate.js';

const topics = Array.from({ length: 12 }, (_, t) => `t${t + 10}`);

/** A table of one measure: each system's scores on as many of the topics as are given. */
function tableOf(systems: Readonly<Record<string, readonly number[]>>, measure = 'RR'): ScoreTable {
  const rows = Object.values(systems);
  return new ScoreTable(
    Object.keys(systems),
    topics.slice(0, rows[0].length),
    [{ name: measure, aggregate: 'mean' }],
    Float64Array.from(rows.flat()),
  );
}

const ones = topics.map(() => 1);
/** The first `fallen` topics at a half. */
const halved = (fallen: number): number[] => topics.map((_, t) => (t < fallen ? 0.5 : 1));
const gate = (candidate: readonly number[], options: GateOptions = {}) => gateCandidate(tableOf({ old: ones, new: candidate }), options);

describe('gateCandidate', () => {
  test('reports the fall with its interval and p-value, and fails', () => {
    const result = gate(halved(6));
    const [measure] = result.measures;
    expect(result).toMatchObject({ passed: false, baseline: 'old', candidate: 'new', maxDrop: 0.01, minTopics: 10, strict: false });
    expect(measure).toMatchObject({ measure: 'RR', topics: 12, baseline: 1, candidate: 0.75, drop: 0.25, maxDrop: 0.01 });
    expect(measure).toMatchObject({ tooLarge: true, significant: true, enoughTopics: true, passed: false });
    // all 6 differences that are not 0 have one sign: 1 of 2^6 exchanges is as extreme
    expect(measure.pValue).toBe(1 / 64);
    expect(measure.correctedPValue).toBe(1 / 64);
    // scipy.stats.t.interval(0.95, 11, loc=0.25, scale=sd/sqrt(12))
    expect(measure.interval.low).toBeCloseTo(0.08409450124626641, 12);
    expect(measure.interval.high).toBeCloseTo(0.4159054987537336, 12);
    // the root of scipy.stats.nct.sf(t.isf(0.05, 11), 11, d/sd*sqrt(12)) = 0.8
    expect(measure.detectable).toBeCloseTo(0.20012086769456527, 10);
    expect(result.comparison.test).toBe('randomization');
  });

  test('passes what is too large but not significant, or significant but not too large, unless it is strict', () => {
    // 4 of 12: p = 1/16; the mean falls by 1/6
    expect(gate(halved(4)).measures[0]).toMatchObject({ pValue: 1 / 16, tooLarge: true, significant: false, passed: true });
    expect(gate(halved(4), { strict: true })).toMatchObject({ passed: false, strict: true });
    expect(gate(halved(4), { alpha: 0.07 }).passed).toBe(false);
    expect(gate(halved(6), { maxDrop: 0.3 }).measures[0]).toMatchObject({ tooLarge: false, significant: true, passed: true });
    expect(gate(halved(6), { maxDrop: 0.3, strict: true }).passed).toBe(false);
    // neither
    expect(gate(halved(1), { maxDrop: 0.3, strict: true }).passed).toBe(true);
  });

  test('a fall of exactly what is allowed passes, although it is a little more in binary, and one of any more does not', () => {
    // 0.42 - 0.41 is 0.010000000000000009
    const options = { maxDrop: 0.01, strict: true, alpha: 1e-9 };
    const fall = (to: number) =>
      gateCandidate(tableOf({ a: topics.map(() => 0.42), b: topics.map(() => to) }), options).measures[0].tooLarge;
    expect(fall(0.41)).toBe(false);
    expect(fall(0.4099999)).toBe(true);
    // nothing at all is allowed
    const none = (to: readonly number[]) => gate(to, { maxDrop: 0 }).measures[0].tooLarge;
    expect(none(ones)).toBe(false);
    expect(none(topics.map((_, t) => (t === 0 ? 1 - 1e-12 : 1)))).toBe(true);
  });

  test('measures of which less is better fall when they rise', () => {
    const table = tableOf({ old: ones, new: halved(6) }, 'Cost');
    const better = gateCandidate(table, { directions: { Cost: 'lower' } }).measures[0];
    expect(better).toMatchObject({ drop: -0.25, tooLarge: false, significant: false, passed: true, fallen: [] });
    expect(better.interval.low).toBeCloseTo(-0.4159054987537336, 12);
    const worse = gateCandidate(table, { directions: { Cost: 'lower' }, baseline: 'new', candidate: 'old' }).measures[0];
    expect(worse).toMatchObject({ baseline: 0.75, candidate: 1, drop: 0.25, pValue: 1 / 64, passed: false });
    expect(worse.fallen).toHaveLength(6);
    expect(worse.fallen[0]).toEqual({ topic: 't10', baseline: 0.5, candidate: 1, drop: 0.5 });
  });

  test('lists topics on which the candidate is worse, the largest fall first', () => {
    const candidate = [0.75, 1, 0.25, 1.5, 0.5, ...ones.slice(5)];
    expect(gate(candidate).measures[0].fallen).toEqual([
      { topic: 't12', baseline: 1, candidate: 0.25, drop: 0.75 },
      { topic: 't14', baseline: 1, candidate: 0.5, drop: 0.5 },
      { topic: 't10', baseline: 1, candidate: 0.75, drop: 0.25 },
    ]);
  });

  test('fails with fewer topics than it takes to see a fall', () => {
    const few = (count: number, options: GateOptions = {}) =>
      gateCandidate(tableOf({ a: ones.slice(0, count), b: ones.slice(0, count) }), options).measures[0];
    expect(few(9)).toMatchObject({ enoughTopics: false, passed: false, topics: 9 });
    expect(few(10)).toMatchObject({ enoughTopics: true, passed: true });
    expect(few(2, { minTopics: 2 })).toMatchObject({ enoughTopics: true, passed: true });
    expect(() => few(2, { minTopics: 1 })).toThrow('smallest number of topics');
  });

  test('has no detectable fall where all topics differ by the same amount', () => {
    expect(gate(ones).measures[0]).toMatchObject({ detectable: null, drop: 0 });
    expect(Object.is(gate(ones).measures[0].drop, 0)).toBe(true);
    const a = topics.map((_, t) => 0.1 * t + 0.3);
    const b = a.map((value) => value - 0.2);
    expect(gateCandidate(tableOf({ a, b })).measures[0].detectable).toBeNull();
  });

  test('looks at two of several systems, whichever they are', () => {
    const table = tableOf({ other: halved(12), new: halved(6), old: ones });
    const result = gateCandidate(table, { baseline: 'old', candidate: 'new' });
    expect(result).toMatchObject({ baseline: 'old', candidate: 'new' });
    expect(result.measures[0]).toMatchObject({ baseline: 1, candidate: 0.75, drop: 0.25, pValue: 1 / 64 });
    expect(() => gateCandidate(table, { baseline: 'old', candidate: 'none' })).toThrow('none is not among the systems');
  });

  test('allows single measures their own drops, and corrects over all measures', () => {
    const columns = ['A', 'B'].map((name) => ({ name, aggregate: 'mean' as const }));
    // A falls on 6 topics by 0.5, B on 8 topics by 0.25
    const after = topics.flatMap((_, t) => [t < 6 ? 0.5 : 1, t < 8 ? 0.75 : 1]);
    const table = new ScoreTable(['old', 'new'], topics, columns, Float64Array.from([...topics.flatMap(() => [1, 1]), ...after]));
    const result = gateCandidate(table, { maxDrops: { B: 0.2 } });
    expect(result.measures.map(({ maxDrop }) => maxDrop)).toEqual([0.01, 0.2]);
    expect(result.measures.map(({ tooLarge }) => tooLarge)).toEqual([true, false]);
    // Holm over both: twice 1/256, once 1/64
    expect(result.measures.map(({ correctedPValue }) => correctedPValue)).toEqual([1 / 64, 2 / 256]);
    expect(result.passed).toBe(false);
    expect(gateCandidate(table, { measures: ['B'], maxDrop: 0.2 })).toMatchObject({ passed: true, measures: [{ measure: 'B' }] });
    expect(gateCandidate(table, { correction: 'bonferroni' }).measures[0].correctedPValue).toBe(2 / 64);
    expect(() => gateCandidate(table, { measures: ['B'], maxDrops: { A: 0.1 } })).toThrow('a largest drop is given for A');
  });

  test('refuses drops that are no numbers of at least 0, and tests of many systems', () => {
    for (const maxDrop of [-0.01, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => gate(ones, { maxDrop })).toThrow('largest drop: expected');
      expect(() => gate(ones, { maxDrops: { RR: maxDrop } })).toThrow('largest drop: expected');
    }
    expect(gate(ones, { maxDrop: 0 }).passed).toBe(true);
    expect(() => gate(ones, { alpha: 1 })).toThrow('alpha');
    expect(() => gate(ones, { test: 'tukey' })).toThrow('tukey compares many systems');
  });

  test('a topic that one of the systems lacks is refused, left out or counted as 0', () => {
    const table = tableOf({ old: [Number.NaN, ...ones.slice(1)], new: halved(6) });
    expect(() => gateCandidate(table)).toThrow();
    expect(gateCandidate(table, { missing: 'skip' }).measures[0]).toMatchObject({ topics: 11, baseline: 1, pValue: 1 / 32 });
  });
});
