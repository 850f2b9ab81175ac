import { describe, expect, test } from 'vitest';
import { seededRandom, shuffleInPlace } from '../../core/numbers/random.js';
import { chanceCorrected, fleissTest } from './chance-corrected.js';
import { agreementByTopic, binaryAgreement, judgeBias } from './judge-bias.js';
import { confusionMatrix, weightedKappa } from './kappa.js';
import { krippendorffAlpha, weightedAlpha } from './krippendorff.js';
import { pairAgreement } from './pair-agreement.js';
import { codedRatings, majorityGrades, onScale, ratingsOf, ratingsTable } from './ratings.js';
import { resampleTopics } from './topic-resampling.js';
import { agreementWeights } from './weights.js';

/** Four judges, twelve units, from the manual of the R package irr. */
const fourJudges = [
  [1, 2, 3, 3, 2, 1, 4, 1, 2, null, null, null],
  [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, null, 3],
  [null, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, null],
  [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, null],
];
const twoJudges = [
  [0, 0, 1, 1, 2, 2, 3, 3, 0, 1],
  [0, 1, 1, 1, 2, 3, 3, 2, 0, 0],
];
const coded = (rows: readonly (readonly (number | null)[])[]) => codedRatings(ratingsTable(rows));

describe("Krippendorff's alpha", () => {
  test.each([
    ['nominal', 0.743421052631579],
    ['ordinal', 0.8153875037548814],
    ['interval', 0.8491071428571428],
    ['ratio', 0.7974027747116121],
  ] as const)('is that of krippendorff 0.9.0 and irr 0.84.1 on the %s level', (level, expected) => {
    expect(krippendorffAlpha(coded(fourJudges), level)).toBeCloseTo(expected, 12);
  });

  test('has the standard error of irrCAC 0.4.4, and is not ordinal with its ordinal weights', () => {
    const ratings = coded(fourJudges);
    const ordinal = weightedAlpha(ratings, agreementWeights(ratings.categories, 'ordinal'));
    expect(ordinal?.value).toBeCloseTo(0.8336380256, 9);
    expect(ordinal?.standardError).toBeCloseTo(0.1310734303, 9);
    expect(weightedAlpha(ratings, agreementWeights(ratings.categories, 'quadratic'))?.interval?.low).toBeCloseTo(0.5613876493, 9);
  });

  test('does not change when categories are renamed, shifted or scaled, by level', () => {
    const moved = (change: (grade: number) => number) => coded(fourJudges.map((row) => row.map((g) => (g === null ? g : change(g)))));
    const names = [0, 4, 1, 5, 2, 3];
    expect(
      krippendorffAlpha(
        moved((g) => names[g]),
        'nominal',
      ),
    ).toBeCloseTo(0.743421052631579, 12);
    expect(
      krippendorffAlpha(
        moved((g) => 3 * g - 7),
        'interval',
      ),
    ).toBeCloseTo(0.8491071428571428, 12);
    expect(
      krippendorffAlpha(
        moved((g) => 2.5 * g),
        'ratio',
      ),
    ).toBeCloseTo(0.7974027747116121, 12);
  });

  test('is not defined for equal labels, and refused without a unit that two judges graded', () => {
    expect(
      krippendorffAlpha(
        coded([
          [2, 2, 2],
          [2, 2, 2],
        ]),
        'ordinal',
      ),
    ).toBeNull();
    expect(() =>
      krippendorffAlpha(
        coded([
          [1, null],
          [null, 2],
        ]),
        'nominal',
      ),
    ).toThrow('no document of any topic was graded by two judges');
    expect(() =>
      krippendorffAlpha(
        coded([
          [-1, 2],
          [1, 2],
        ]),
        'ratio',
      ),
    ).toThrow('grade -1 is negative');
  });
});

describe("Cohen's kappa", () => {
  test.each([
    ['identity', 0.459459459459, 2.48234705638],
    ['linear', 0.672131147541, 2.95814987835],
    ['quadratic', 0.834710743802, 2.63958713783],
  ] as const)('with %s weights is that of irr 0.84.1, with its z', (scheme, value, z) => {
    const ratings = coded(twoJudges);
    const found = weightedKappa(confusionMatrix(ratings), agreementWeights(ratings.categories, scheme));
    expect(found.value).toBeCloseTo(value, 10);
    expect((found.value ?? 0) / (found.standardErrorAtZero ?? 0)).toBeCloseTo(z, 9);
  });

  test('takes distances of grades, and of places if asked to', () => {
    // pairs (0,0), (4,4), (0,1), (1,4); observed linear agreement (1 + 1 + 3/4 + 1/4) / 4 by grade, (1 + 1 + 1/2 + 1/2) / 4 by place: both 3/4;
    // margins 0 ½, 1 ¼, 4 ¼ and 0 ¼, 1 ¼, 4 ½: expected by grade (2·1 + 2·¾ + 4·0 + 1·¾ + 1·1 + 2·¼ + 1·0 + 1·¼ + 2·1) / 16 = ½
    const ratings = coded([
      [0, 4, 0, 1],
      [0, 4, 1, 4],
    ]);
    const kappa = (distance: 'grade' | 'position') =>
      weightedKappa(confusionMatrix(ratings), agreementWeights(ratings.categories, 'linear', distance));
    expect(kappa('grade').expected).toBeCloseTo(0.5, 12);
    expect(kappa('grade').value).toBeCloseTo(0.5, 12);
    // by place (2·1 + 2·½ + 0 + 1·½ + 1·1 + 2·½ + 0 + 1·½ + 2·1) / 16 = ½
    expect(kappa('position').expected).toBeCloseTo(0.5, 12);
  });

  test('is exactly 0 beside a judge who always says the same, and not defined if both do', () => {
    for (const scheme of ['identity', 'linear', 'quadratic', 'ordinal'] as const) {
      const one = coded([
        [1, 1, 1],
        [0, 1, 3],
      ]);
      expect(weightedKappa(confusionMatrix(one), agreementWeights(one.categories, scheme)).value).toBe(0);
      const both = coded([
        [1, 1, 1],
        [1, 1, 1],
      ]);
      const kappa = weightedKappa(confusionMatrix(both), agreementWeights(both.categories, scheme));
      expect(kappa).toMatchObject({ value: null, observed: 1 });
    }
  });
});

describe("Fleiss' kappa and Gwet's coefficients", () => {
  test('are those of irrCAC 0.4.4 with missing grades', () => {
    const gwet = chanceCorrected(coded(fourJudges), 'gwet', { weights: 'quadratic' });
    expect(gwet.value).toBeCloseTo(0.9140007236, 9);
    expect(gwet.standardError).toBeCloseTo(0.1039622446, 9);
    expect(gwet.interval?.low).toBeCloseTo(0.6851813659, 9);
    expect(gwet.interval?.high).toBe(1);
    const fleiss = chanceCorrected(coded(fourJudges), 'fleiss', { weights: 'linear' });
    expect(fleiss.value).toBeCloseTo(0.8179447671, 9);
    expect(fleiss.standardError).toBeCloseTo(0.1485043555, 9);
  });

  test('are those of statsmodels and irr for judges who graded everything', () => {
    const three = [
      [0, 1, 2, 3, 0, 1, 2, 3, 0, 0, 1, 2],
      [0, 1, 2, 3, 1, 1, 2, 2, 0, 0, 2, 2],
      [0, 2, 2, 3, 0, 0, 3, 3, 0, 1, 1, 1],
    ];
    expect(chanceCorrected(coded(three), 'fleiss').value).toBeCloseTo(0.3987473903966596, 12);
    expect(chanceCorrected(coded(three), 'uniform').value).toBeCloseTo(0.4074074074074073, 12);
    expect(fleissTest(coded(three))?.z).toBeCloseTo(4.07457813359, 9);
    const isTwo = coded(three.map((row) => row.map((grade) => (grade === 2 ? 1 : 0))));
    expect(chanceCorrected(isTwo, 'fleiss').value).toBeCloseTo(0.308, 3);
  });

  test('with one category AC1 is 1 and the others are not defined', () => {
    const same = coded([
      [2, 2, 2],
      [2, 2, 2],
    ]);
    expect(chanceCorrected(same, 'gwet').value).toBe(1);
    expect(chanceCorrected(same, 'gwet', { weights: 'ordinal' }).value).toBeNull();
    expect(chanceCorrected(same, 'fleiss').value).toBeNull();
  });

  test('do not change when judges are exchanged or a unit without grades is added', () => {
    const before = chanceCorrected(coded(fourJudges), 'gwet').value;
    expect(chanceCorrected(coded([...fourJudges].reverse()), 'gwet').value).toBeCloseTo(before ?? 0, 14);
    expect(chanceCorrected(coded(fourJudges.map((row) => [...row, null])), 'gwet').value).toBe(before);
  });
});

describe('two judges', () => {
  const human = { q1: { a: 0, b: 1, c: 2, d: 0 }, q2: { a: 1, b: 1 }, q3: { x: 2 } };
  const machine = { q1: { a: 0, b: 2, c: 2, e: 1 }, q2: { b: 0, a: 1 }, q4: { x: 2 } };
  const ratings = ratingsOf([
    { name: 'human', judgements: human },
    { name: 'machine', judgements: machine },
  ]);

  test('are joined by topic and document; what one of them has is counted', () => {
    const found = pairAgreement(ratings, { resamples: 200 });
    expect(found).toMatchObject({ pairs: 5, onlyFirst: 2, onlySecond: 2, topics: 2, categories: [0, 1, 2] });
    // common: (0,0) (1,2) (2,2) (1,1) (1,0)
    expect(found.confusion).toEqual([
      [1, 0, 0],
      [1, 1, 1],
      [0, 0, 1],
    ]);
    expect(found.agreement.value).toBeCloseTo(3 / 5, 14);
    expect(found.shift.value).toBe(0);
  });

  test('by topic, by grade and by what is relevant', () => {
    const { topics } = agreementByTopic(ratings);
    expect(topics.map(({ topic, pairs, agreement }) => [topic, pairs, agreement])).toEqual([
      ['q1', 3, 2 / 3],
      ['q2', 2, 1 / 2],
    ]);
    expect(judgeBias(ratings).byGrade[1]).toEqual({ grade: 1, pairs: 3, meanGrade: 1, shareHigher: 1 / 3, shareLower: 1 / 3 });
    const binary = binaryAgreement(ratings, 1);
    // of the four that people call relevant the machine keeps three; of the one they do not, none
    expect(binary).toMatchObject({ firstRate: 4 / 5, secondRate: 3 / 5, truePositiveRate: 3 / 4, falsePositiveRate: 0 });
  });

  test('intervals resample topics: sums of topics give what the pooled units give', () => {
    const random = seededRandom(5);
    const judgesOf = (topics: number) =>
      [0, 1].map((judge) =>
        Object.fromEntries(
          Array.from({ length: topics }, (_, t) => [
            `t${t}`,
            Object.fromEntries(Array.from({ length: 8 }, (_, d) => [`d${d}`, random.below(judge + 3)])),
          ]),
        ),
      );
    const [first, second] = judgesOf(6);
    const all = ratingsOf([
      { name: 'a', judgements: first },
      { name: 'b', judgements: second },
    ]);
    // every draw again by hand: the units of the drawn topics as a table of their own
    const draws: number[] = [];
    resampleTopics(
      6,
      1,
      (times) => {
        const rows: (number | null)[][] = [[], []];
        for (const [t, number] of times.entries()) {
          for (let more = 0; more < number; more++) {
            for (let d = 0; d < 8; d++) {
              rows[0].push(first[`t${t}`][`d${d}`]);
              rows[1].push(second[`t${t}`][`d${d}`]);
            }
          }
        }
        draws.push(krippendorffAlpha(coded(rows), 'ordinal') ?? Number.NaN);
      },
      { resamples: 50, seed: 3 },
    );
    const sorted = Float64Array.from(draws).sort();
    const { alpha } = pairAgreement(all, { resamples: 50, seed: 3, level: 0.5 });
    // percentiles of 50 draws at ¼ and ¾, between the order statistics
    expect(alpha.interval?.low).toBeCloseTo(sorted[12] + 0.25 * (sorted[13] - sorted[12]), 12);
    expect(alpha.interval?.high).toBeCloseTo(sorted[36] + 0.75 * (sorted[37] - sorted[36]), 12);
  });

  test('one topic has no interval, since it can be drawn in one way only', () => {
    const ratings = ratingsOf([
      { name: 'a', judgements: { q: { d1: 1, d2: 0, d3: 1 } } },
      { name: 'b', judgements: { q: { d1: 1, d2: 1, d3: 0 } } },
    ]);
    const { kappa, agreement } = pairAgreement(ratings, { resamples: 50 });
    expect(agreement).toMatchObject({ value: 1 / 3, standardError: null, interval: null });
    expect(kappa.interval).toBeNull();
    expect(pairAgreement(ratings, { resamples: 50, interval: 'units' }).agreement.interval).not.toBeNull();
  });

  test('kappa transposes its matrix when judges are exchanged, and units can come in any order', () => {
    const units = Array.from({ length: 10 }, (_, u) => u);
    shuffleInPlace(seededRandom(1), units);
    const mixed = coded([1, 0].map((j) => units.map((u) => twoJudges[j][u])));
    const kappa = weightedKappa(confusionMatrix(mixed), agreementWeights(mixed.categories, 'identity'));
    expect(kappa.value).toBeCloseTo(0.459459459459, 10);
  });
});

describe('scales', () => {
  const ratings = ratingsTable([
    [0, 3, 5],
    [1, 2, -1],
  ]);

  test('refuse, clip or drop what is outside', () => {
    expect(() => onScale(ratings, { lowest: 0, highest: 3 })).toThrow(
      'judge 1 gave document 3 of topic 3 grade 5, expected a whole number from 0 to 3',
    );
    expect(onScale(ratings, { lowest: 0, highest: 3, outside: 'clip' })).toMatchObject({ outside: 2 });
    expect([...onScale(ratings, { lowest: 0, highest: 3, outside: 'clip' }).ratings.grades]).toEqual([0, 3, 3, 1, 2, 0]);
    expect([...onScale(ratings, { lowest: 0, highest: 3, outside: 'drop' }).ratings.grades]).toEqual([0, 3, Number.NaN, 1, 2, Number.NaN]);
  });

  test('a majority goes to the lower grade where as many gave another', () => {
    const three = ratingsTable([
      [0, 1, 2, null],
      [1, 1, 2, null],
      [2, 0, 1, null],
    ]);
    expect([...majorityGrades(three, [0, 1, 2])]).toEqual([0, 1, 2, Number.NaN]);
  });
});
