import { describe, expect, test } from 'vitest';
import { featureLists } from '../../../test/helpers/feature-lists.js';
import type { Model } from '../../ltr/ranker.js';
import { parseMeasure } from '../../measures/parse.js';
import { dependenceIntervals } from './dependence.js';
import { exampleOf } from './example.js';
import { measuredImportance } from './importance.js';

const linear = (...weights: number[]): Model => ({
  learner: 'linear-regression',
  firstFeature: 1,
  numFeatures: weights.length,
  missing: 0,
  scorer: { kind: 'linear', weights: Float64Array.from(weights), bias: 0 },
});

/** Six queries of five documents; the first feature puts the relevant one first, the second is noise, the third is not used. */
const matrix = featureLists(
  Array.from({ length: 6 }, (_, q) =>
    Array.from({ length: 5 }, (_, place) => ({ label: place === 0 ? 1 : 0, cells: [5 - place, (q * 7 + place * 3) % 5, place] })),
  ),
);

describe('measuredImportance', () => {
  const found = measuredImportance(linear(1, 0.01, 0), matrix, { measure: parseMeasure('RR'), seed: 1 });

  test('has intervals around losses, and none for features that are not used', () => {
    expect(found.map(({ id }) => id)).toEqual([1, 2, 3]);
    const { low, high, level } = found[0].interval!;
    expect(level).toBe(0.95);
    expect(low).toBeGreaterThan(0);
    expect(low).toBeLessThan(found[0].loss);
    expect(high).toBeGreaterThan(found[0].loss);
    expect(found[2]).toEqual({ id: 3, name: undefined, loss: 0, interval: { low: 0, high: 0, level: 0.95 } });
    expect(found[2].correctedPValue).toBeUndefined();
  });

  test('with other seeds the interval holds the same truth', () => {
    // shuffled over all documents, a first feature of five equally frequent values ranks at random: RR is about (1 + 1/2 + … + 1/5) / 5
    const chance = 1 - (1 + 1 / 2 + 1 / 3 + 1 / 4 + 1 / 5) / 5;
    for (let seed = 1; seed <= 5; seed++) {
      const [{ interval }] = measuredImportance(linear(1, 0.01, 0), matrix, { measure: parseMeasure('RR'), seed, repeats: 40 });
      expect(interval!.low).toBeLessThan(chance + 0.1);
      expect(interval!.high).toBeGreaterThan(chance - 0.1);
    }
  });
});

test('intervals of a curve: of two queries, the ends are the curves of one query alone', () => {
  // samples are the first query twice, the second twice, or both, a quarter, a quarter and a half of the time
  const intervals = dependenceIntervals(
    { values: Float64Array.of(0, 1), changesByQuery: Float64Array.of(2, -4, 30, 10), documentsByQuery: Float64Array.of(2, 10) },
    5,
  );
  expect(intervals).toEqual([
    [1, 3],
    [-2, 1],
  ]);
});

describe('exampleOf', () => {
  const lists = featureLists([
    // RR 1, 1/2 and 1/3
    [5, 1, 1].map((score, i) => ({ label: i === 0 ? 1 : 0, cells: [score] })),
    [1, 5, 0].map((score, i) => ({ label: i === 0 ? 1 : 0, cells: [score] })),
    [1, 5, 4].map((score, i) => ({ label: i === 0 ? 1 : 0, cells: [score] })),
  ]);

  test('takes the query in the middle, and the pair whose exchange would gain most', () => {
    const example = exampleOf(linear(1), lists, parseMeasure('RR'), undefined, 1);
    expect([example?.ranking.query, example?.value]).toEqual(['2', 0.5]);
    expect([example?.pair?.above.document, example?.pair?.below.document]).toEqual(['line 5', 'line 4']);
    expect(example?.pair?.measure.exchanged).toBe(1);
  });

  test('or the query that is asked for; where all is right, the first two', () => {
    expect(exampleOf(linear(1), lists, parseMeasure('RR'), '3', 1)?.value).toBeCloseTo(1 / 3, 12);
    const { pair } = exampleOf(linear(1), lists, parseMeasure('RR'), '1', 1)!;
    expect([pair?.above.rank, pair?.below.rank]).toEqual([1, 2]);
  });

  test('needs a query that a ranking can change', () => {
    expect(exampleOf(linear(1), featureLists([[{ label: 1, cells: [1] }]]), parseMeasure('RR'), undefined, 1)).toBeUndefined();
  });
});
