import { describe, expect, it } from 'vitest';
import { toQrels } from '../core/qrels.js';
import { toRun } from '../core/run.js';
import { ScoreTable } from '../core/score-table.js';
import { orderAgreements, poolsWithoutEach, poolToDepth, swapRates } from './stability.js';

describe('agreement of orders', () => {
  it('counts swapped pairs', () => {
    const [{ tau, swapped, pairs, tauAp }] = orderAgreements([
      { name: 'a', values: Float64Array.of(4, 3, 2, 1) },
      { name: 'b', values: Float64Array.of(4, 3, 1, 2) },
    ]);
    expect({ swapped, pairs }).toEqual({ swapped: 1, pairs: 6 });
    // one of six pairs is the other way round: (5 - 1) / 6
    expect(tau).toBeCloseTo(4 / 6, 12);
    // the swap is at the bottom, where it weighs less
    expect(tauAp).toBeGreaterThan(tau);
  });

  it('is refused where all systems are equal', () => {
    expect(() =>
      orderAgreements([
        { name: 'a', values: Float64Array.of(1, 1) },
        { name: 'b', values: Float64Array.of(1, 2) },
      ]),
    ).toThrow('cannot be compared');
  });
});

describe('swap rates', () => {
  const table = (values: readonly number[], numTopics: number): ScoreTable =>
    new ScoreTable(
      ['x', 'y'],
      Array.from({ length: numTopics }, (_, t) => `t${t}`),
      [{ name: 'AP', aggregate: 'mean' }],
      Float64Array.from(values),
    );

  it('are 0 where one system wins every topic, and every difference is safe', () => {
    const [{ rate, safeDifference, size }] = swapRates(table([0.5, 0.6, 0.7, 0.8, 0.1, 0.2, 0.3, 0.4], 4), 0, {
      seed: 1,
      splits: 50,
      sizes: [2],
    });
    expect({ rate, size }).toEqual({ rate: 0, size: 2 });
    expect(safeDifference).toBeCloseTo(0, 12);
  });

  it('are 1 where each of two topics has another winner', () => {
    const [{ rate, classes, safeDifference }] = swapRates(table([0.5, 0.1, 0.1, 0.5], 2), 0, { seed: 1, splits: 30, sizes: [1] });
    expect(rate).toBe(1);
    expect(classes.at(-1)).toEqual({ from: 0.4, compared: 30, swapped: 30 });
    expect(safeDifference).toBeUndefined();
  });

  it('refuse sets that do not fit', () => {
    expect(() => swapRates(table([0.5, 0.1, 0.1, 0.5], 2), 0, { seed: 1, sizes: [2] })).toThrow(
      'two disjoint sets of 2 topics do not fit into 2',
    );
  });
});

describe('pools', () => {
  const qrels = toQrels({ q: { a: 1, b: 1, c: 0, d: 1 } });
  const runs = [toRun({ q: { a: 3, b: 2, c: 1 } }, 'one'), toRun({ q: { b: 3, d: 2, a: 1 } }, 'two')];
  const judged = (pool: typeof qrels): string[] => Array.from(pool.docOf, (doc) => pool.docs.text(doc));

  it('of a depth hold what some run has above it', () => {
    expect(judged(poolToDepth(qrels, runs, 1))).toEqual(['a', 'b']);
    expect(judged(poolToDepth(qrels, runs, 2))).toEqual(['a', 'b', 'd']);
  });

  it('without a run lack what only it brought', () => {
    const [withoutOne, withoutTwo] = poolsWithoutEach(qrels, runs, 2);
    // above depth 2, a is of the first run only and d of the second; c is of none and stays
    expect(judged(withoutOne)).toEqual(['b', 'c', 'd']);
    expect(judged(withoutTwo)).toEqual(['a', 'b', 'c']);
  });
});
