import { describe, expect, test } from 'vitest';
import { withLimits } from '../../test/helpers/lowered-limits.js';
import { ScoreTable } from '../core/score-table.js';
import { type CompareOptions, compareSystems } from './compare.js';
import { gateCandidate } from './gate.js';
import { COMPARISON_TESTS } from './pair-tests.js';

const none = Number.NaN;

/** Three systems on twelve topics by two measures: c is better than b by about 0.1, and b better than a. */
const topics = Array.from({ length: 12 }, (_, t) => `t${t}`);
const systems = ['a', 'b', 'c'];
const values = systems.flatMap((_, s) => topics.flatMap((_topic, t) => [0.1 * s + 0.01 * ((t * (s + 3)) % 7), 0.02 * ((t * (s + 2)) % 5)]));
const table = new ScoreTable(
  systems,
  topics,
  [
    { name: 'AP', aggregate: 'mean' },
    { name: 'GM', aggregate: 'geometric' },
  ],
  Float64Array.from(values),
);
const ap = (options: CompareOptions = {}) => compareSystems(table, { measures: ['AP'], ...options });

describe('a comparison says how it was made', () => {
  test('with nothing said', () => {
    expect(ap()).toMatchObject({
      systems,
      baseline: null,
      test: 't',
      alternative: 'two-sided',
      correction: 'holm',
      family: 'measure',
      alpha: 0.05,
      interval: 't',
      missing: 'error',
      seed: 1,
      resamples: null,
      notes: [],
    });
    const [{ pairs, systems: means }] = ap().measures;
    expect(pairs.map(({ interval, cohenDz }) => [interval.level, cohenDz.interval?.level])).toEqual(pairs.map(() => [0.95, 0.95]));
    expect(means.map(({ interval }) => interval.level)).toEqual([0.95, 0.95, 0.95]);
  });

  test('with everything said', () => {
    const options = {
      baseline: 'b',
      test: 'bootstrap',
      alternative: 'greater',
      correction: 'bonferroni',
      family: 'all',
      alpha: 0.1,
      interval: 'bootstrap',
      missing: 'skip',
      seed: 7,
      resamples: 20,
    } as const;
    const found = ap({ ...options, effectIntervals: false });
    expect(found).toMatchObject(options);
    const [{ pairs }] = found.measures;
    expect(pairs.map(({ interval, cohenDz, hedgesG }) => [interval.level, cohenDz.interval, hedgesG.interval])).toEqual([
      [0.9, null, null],
      [0.9, null, null],
    ]);
    expect(found.measures[0].systems.map(({ interval }) => interval.level)).toEqual([0.9, 0.9, 0.9]);
  });

  test.each(COMPARISON_TESTS)('by %s: the draws that it made, its correction, and the test of all systems if it has one', (name) => {
    const drawn: Partial<Record<string, number>> = { bootstrap: 1000, 'randomized-tukey': 10_000 };
    const joint = ['tukey', 'randomized-tukey', 'friedman'].includes(name);
    const found = ap({ test: name });
    // twelve topics are few enough for an exact count of the randomisation test
    expect([found.resamples, found.correction]).toEqual([drawn[name] ?? null, joint ? 'none' : 'holm']);
    const [{ omnibusPValue, pairs, method }] = found.measures;
    expect(typeof omnibusPValue).toBe(name === 'friedman' ? 'number' : 'object');
    expect(method).not.toBe('');
    for (const { pValue, correctedPValue } of pairs) {
      expect(pValue >= 0 && pValue <= 1 && correctedPValue >= pValue).toBe(true);
      if (joint) expect(correctedPValue).toBe(pValue);
    }
  });

  test('the bootstrap of all pairs has the p-values of each pair by itself', () => {
    const all = ap({ test: 'bootstrap', resamples: 200, correction: 'none' }).measures[0].pairs;
    for (const { system, against, pValue } of all) {
      const pair = compareSystems(
        new ScoreTable(
          [systems[against], systems[system]],
          topics,
          [{ name: 'AP', aggregate: 'mean' }],
          Float64Array.from([against, system].flatMap((s) => [...table.column('AP', s)])),
        ),
        { test: 'bootstrap', resamples: 200, correction: 'none', baseline: systems[against] },
      );
      expect(pair.measures[0].pairs[0].pValue).toBe(pValue);
    }
  });

  test('a randomisation test of many topics is drawn', () => {
    const many = Array.from({ length: 42 }, (_, t) => t + 1);
    const one = new ScoreTable(
      ['a', 'b'],
      many.map(String),
      [{ name: 'AP', aggregate: 'mean' }],
      Float64Array.from([...many.map((t) => 1 / t), ...many.map((t) => 2 / (t + 5))]),
    );
    expect(compareSystems(one, { test: 'randomization', resamples: 500 })).toMatchObject({ resamples: 500 });
    expect(compareSystems(one, { test: 'randomization', resamples: 500 }).measures[0].method).toBe('sampled');
  });
});

describe('a comparison says what a reader should know', () => {
  const gaps = (missing: 'skip' | 'zero', nothing: readonly string[], some: readonly string[]) => {
    const shown = topics.flatMap((topic, t) => [nothing.includes(topic) || some.includes(topic) ? none : 0.1 * t]);
    const others = topics.flatMap((topic, t) => [nothing.includes(topic) ? none : 0.1 + 0.05 * ((t * t) % 7)]);
    const one = new ScoreTable(
      ['a', 'b'],
      topics,
      [{ name: 'P', aggregate: 'mean', empty: 'skip' }],
      Float64Array.from([...shown, ...others]),
    );
    return compareSystems(one, { missing });
  };

  test.each([
    [
      'skip',
      ['t1'],
      ['t2', 't4'],
      ['P: 1 topic left out, no system has a value there', 'P: 2 topics without a value for some system, left out for all systems'],
    ],
    [
      'zero',
      ['t1', 't3'],
      ['t2'],
      ['P: 2 topics left out, no system has a value there', 'P: 1 topic without a value for some system, counted as 0 where there is none'],
    ],
    ['skip', [], [], []],
  ] as const)('about topics without a value, under %s', (missing, nothing, some, notes) => {
    const found = gaps(missing, nothing, some);
    expect(found.notes).toEqual(notes);
    const [{ undefinedTopics, incompleteTopics, topics: kept }] = found.measures;
    expect([undefinedTopics, incompleteTopics]).toEqual([nothing, some]);
    expect(kept).toEqual(
      topics.filter(
        (topic) => !(nothing as readonly string[]).includes(topic) && (missing === 'zero' || !(some as readonly string[]).includes(topic)),
      ),
    );
  });

  test('about measures that are not means', () => {
    expect(compareSystems(table).notes).toEqual([
      'GM: compared by the mean over topics, although it is usually given as another summary (geometric)',
    ]);
  });

  test('which systems are better, in their order, also where less is', () => {
    const better = (options: CompareOptions) => ap(options).measures[0].systems.map((one) => one.better);
    expect(better({})).toEqual([[], [0], [0, 1]]);
    expect(better({ directions: { AP: 'lower' } })).toEqual([[1, 2], [2], []]);
    expect(better({ baseline: 'b' })).toEqual([[], [0], [1]]);
    // equal systems are never better, whatever a test says
    const same = new ScoreTable(
      ['a', 'b'],
      topics,
      [{ name: 'AP', aggregate: 'mean' }],
      Float64Array.from([...topics, ...topics].map((_, i) => i % 12)),
    );
    expect(compareSystems(same, { alpha: 0.999 }).measures[0].systems.map((one) => one.better)).toEqual([[], []]);
  });
});

test('more comparisons than the limit are refused, with a way out that helps', async () => {
  await withLimits({ comparisons: 3 }, () => {
    expect(ap().measures[0].pairs).toHaveLength(3);
    expect(compareSystems(table, { baseline: 'a', measures: ['AP'] }).measures[0].pairs).toHaveLength(2);
    expect(() => compareSystems(table)).toThrow(
      '3 systems by 2 measures are 6 comparisons, expected at most 3 comparisons; name a baseline, or compare fewer systems or measures at a time',
    );
    expect(() => compareSystems(table, { baseline: 'a' })).toThrow(
      '3 systems by 2 measures are 4 comparisons, expected at most 3 comparisons; compare fewer systems or measures at a time',
    );
  });
  await withLimits({ comparisons: 2 }, () => {
    expect(() => ap()).toThrow('3 systems by 1 measure are 3 comparisons, expected at most 2 comparisons');
  });
});

test('a gate says how it decided, with nothing said', () => {
  const found = gateCandidate(table, { measures: ['AP'] });
  expect(found).toMatchObject({ baseline: 'a', candidate: 'b', maxDrop: 0.01, minTopics: 10, strict: false, passed: true });
  expect(found.comparison).toMatchObject({
    test: 'randomization',
    alternative: 'less',
    family: 'all',
    alpha: 0.05,
    missing: 'error',
    systems: ['a', 'b'],
  });
  const [gated] = found.measures;
  expect(gated.topics).toBe(12);
  // means by hand: a is better by less than nothing
  expect(gated.drop).toBeCloseTo(gated.baseline - gated.candidate, 12);
  expect(gated.interval.low < gated.drop && gated.drop < gated.interval.high).toBe(true);
});
