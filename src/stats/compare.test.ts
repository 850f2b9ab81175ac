import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectRelative, statsGolden } from '../../test/helpers/stats-golden.js';
import { InputError } from '../core/problem.js';
import { ScoreTable } from '../core/score-table.js';
import { alignTables } from './alignment.js';
import { type CompareOptions, compareSystems } from './compare.js';
import { CORRECTION_METHODS, type CorrectionMethod, findCorrection } from './correction.js';

interface Compared {
  readonly pairs: readonly {
    readonly pair: [number, number];
    readonly difference: number;
    readonly interval: [number, number];
    readonly dz: number;
    readonly winTieLoss: [number, number, number];
    readonly t: number;
    readonly tLess: number;
    readonly sign: number;
  }[];
  readonly corrected: Readonly<Record<CorrectionMethod, readonly number[]>>;
}

const golden = statsGolden<{ tables: { systems: number[][]; allPairs: Compared; baseline: Compared }[] }>('comparison.json');
const manySystems = statsGolden<{
  matrices: { systems: number[][]; tukeyTwoWay: number[]; nemenyi: number[]; friedman: { pValue: number } }[];
}>('many-systems.json');

const TOLERANCE = 1e-9;

/** One measure; topics t1, t2, … and systems s0, s1, … */
function tableOf(systems: readonly (readonly number[])[], topics = systems[0].map((_, t) => `t${t + 1}`)): ScoreTable {
  const names = systems.map((_, s) => `s${s}`);
  return new ScoreTable(names, topics, [{ name: 'AP', aggregate: 'mean' }], Float64Array.from(systems.flat()));
}

function pValues(table: ScoreTable, options: CompareOptions = {}): number[] {
  return compareSystems(table, options).measures[0].pairs.map(({ pValue }) => pValue);
}

describe('compareSystems(table)', () => {
  test.each(golden.tables.map((table, i) => ({ i, ...table })))(
    'agrees with scipy and statsmodels on table $i',
    ({ systems, allPairs, baseline }) => {
      const table = tableOf(systems);
      for (const [expected, against] of [
        [allPairs, undefined],
        [baseline, 's0'],
      ] as const) {
        for (const correction of CORRECTION_METHODS) {
          const { pairs } = compareSystems(table, { correction, baseline: against }).measures[0];
          expect(pairs.map(({ system, against: other }) => [system, other])).toEqual(expected.pairs.map(({ pair }) => pair));
          for (const [i, pair] of pairs.entries()) {
            const reference = expected.pairs[i];
            expectRelative(pair.difference, reference.difference, TOLERANCE, 'difference');
            expectRelative(pair.interval.low, reference.interval[0], TOLERANCE, 'low');
            expectRelative(pair.interval.high, reference.interval[1], TOLERANCE, 'high');
            expectRelative(pair.cohenDz.value ?? 0, reference.dz, TOLERANCE, 'd_z');
            expectRelative(pair.pValue, reference.t, TOLERANCE, 'p');
            expectRelative(pair.correctedPValue, expected.corrected[correction][i], TOLERANCE, correction);
            expect(pair.significant).toBe(expected.corrected[correction][i] <= 0.05);
            expect([pair.wins, pair.ties, pair.losses]).toEqual(reference.winTieLoss);
          }
        }
        const signs = pValues(table, { test: 'sign', baseline: against });
        for (const [i, p] of signs.entries()) expectRelative(p, expected.pairs[i].sign, TOLERANCE, 'sign');
        const less = pValues(table, { alternative: 'less', baseline: against });
        for (const [i, p] of less.entries()) expectRelative(p, expected.pairs[i].tLess, TOLERANCE, 'less');
      }
    },
  );

  test.each(manySystems.matrices.map((matrix, i) => ({ i, ...matrix })))(
    'gives the joint p-values of scipy on matrix $i, uncorrected',
    ({ systems, tukeyTwoWay, nemenyi, friedman }) => {
      const table = tableOf(systems);
      const tukey = compareSystems(table, { test: 'tukey' });
      expect(tukey.correction).toBe('none');
      for (const [i, { pValue, correctedPValue }] of tukey.measures[0].pairs.entries()) {
        // scipy keeps no relative accuracy in this tail
        expect(Math.abs(pValue - tukeyTwoWay[i])).toBeLessThan(1e-6 * tukeyTwoWay[i] + 1e-12);
        expect(correctedPValue).toBe(pValue);
      }
      const ranks = compareSystems(table, { test: 'friedman' }).measures[0];
      for (const [i, { pValue }] of ranks.pairs.entries()) expect(Math.abs(pValue - nemenyi[i])).toBeLessThan(1e-6 * nemenyi[i] + 1e-12);
      expectRelative(ranks.omnibusPValue ?? 0, friedman.pValue, TOLERANCE, 'Friedman');
    },
  );

  test('counts all exchanges of five topics by hand', () => {
    // all five differences are 0.1: of 2^5 exchanges only the observed one and its mirror are as extreme
    const table = tableOf([
      [0.1, 0.2, 0.3, 0.4, 0.5],
      [0.2, 0.3, 0.4, 0.5, 0.6],
    ]);
    expect(pValues(table, { test: 'randomization' })).toEqual([2 / 32]);
    expect(pValues(table, { test: 'randomization', alternative: 'greater' })).toEqual([1 / 32]);
    expect(pValues(table, { test: 'wilcoxon' })).toEqual([2 / 32]);
  });

  test('marks the better system, also where less is better', () => {
    const table = tableOf([
      [0.1, 0.2, 0.3, 0.2, 0.1, 0.3],
      [0.8, 0.9, 0.7, 0.8, 0.9, 0.8],
    ]);
    expect(compareSystems(table).measures[0].systems.map(({ better }) => better)).toEqual([[], [0]]);
    const lower = compareSystems(table, { directions: { AP: 'lower' } }).measures[0];
    expect(lower.systems.map(({ better }) => better)).toEqual([[1], []]);
    // the later system loses on all topics
    expect([lower.pairs[0].wins, lower.pairs[0].losses]).toEqual([0, 6]);
  });

  test('corrects within each measure, or over all', () => {
    const { systems } = golden.tables[0];
    const names = systems.map((_, s) => `s${s}`);
    const columns = [
      { name: 'A', aggregate: 'mean' },
      { name: 'B', aggregate: 'mean' },
    ] as const;
    // the same values twice
    const values = systems.flatMap((own) => own.flatMap((value) => [value, value]));
    const table = new ScoreTable(
      names,
      systems[0].map((_, t) => `t${t}`),
      columns,
      Float64Array.from(values),
    );
    const raw = golden.tables[0].allPairs.pairs.map(({ t }) => t);
    const within = compareSystems(table, { correction: 'bonferroni' }).measures;
    const over = compareSystems(table, { correction: 'bonferroni', family: 'all' }).measures;
    for (const m of [0, 1]) {
      for (const [i, p] of raw.entries()) {
        expectRelative(within[m].pairs[i].correctedPValue, Math.min(1, 3 * p), TOLERANCE, 'within');
        expectRelative(over[m].pairs[i].correctedPValue, Math.min(1, 6 * p), TOLERANCE, 'over');
      }
    }
  });

  test.each(['randomization', 'bootstrap', 'randomized-tukey'] as const)(
    '%s gives the same for the same seed, and something else for another',
    (name) => {
      // 50 topics are too many for an exact count
      const table = tableOf(golden.tables[2].systems);
      const options = { test: name, resamples: 500 };
      const once = JSON.stringify(compareSystems(table, { ...options, seed: 7 }));
      expect(JSON.stringify(compareSystems(table, { ...options, seed: 7 }))).toBe(once);
      expect(JSON.stringify(compareSystems(table, { ...options, seed: 8 }).measures)).not.toBe(JSON.stringify(JSON.parse(once).measures));
      expect(JSON.parse(once)).toMatchObject({ seed: 7, resamples: 500 });
    },
  );

  test('says that nothing was drawn when the count was exact', () => {
    expect(compareSystems(tableOf(golden.tables[0].systems), { test: 'randomization' }).resamples).toBe(null);
  });

  test.each([
    [{ baseline: 'x' }, 'the baseline x is not among the systems'],
    [{ test: 'tukey', correction: 'holm' }, 'hold for all pairs together already'],
    [{ test: 'friedman', alternative: 'less' }, 'friedman takes no side'],
    [{ alpha: 1 }, 'alpha: expected'],
    [{ measures: ['P@5'] }, 'no measure P@5'],
    [{ measures: [] }, 'found no measure'],
  ] as [CompareOptions, string][])('refuses %j', (options, message) => {
    expect(() => compareSystems(tableOf(golden.tables[0].systems), options)).toThrow(message);
  });
});

describe('topics that are missing, doubled or not a number', () => {
  const first = [0.1, 0.4, 0.35, 0.8, 0.2, 0.6];
  const second = [0.3, 0.5, 0.3, 0.9, 0.45, 0.7];
  const topics = ['1', '2', '3', '4', '5', '6'];
  const one = (values: readonly number[], ids: readonly string[], name: string): ScoreTable =>
    new ScoreTable([name], ids, [{ name: 'AP', aggregate: 'mean' }], Float64Array.from(values));
  const expected = pValues(tableOf([first, second]));

  test('the order of topics never matters', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 6 }), (order) => {
        const shuffled = one(
          order.map((t) => second[t]),
          order.map((t) => topics[t]),
          'b',
        );
        expect(pValues(alignTables([one(first, topics, 'a'), shuffled]))).toEqual(expected);
      }),
    );
  });

  test('a missing topic is refused by name, unless a policy is declared', () => {
    const table = alignTables([one(first, topics, 'a'), one(second.slice(0, 5), topics.slice(0, 5), 'b')]);
    expect(() => compareSystems(table)).toThrow(/AP: topic 6 has no value for b/);
    expect(pValues(table, { missing: 'skip' })).toEqual(pValues(tableOf([first.slice(0, 5), second.slice(0, 5)])));
    expect(pValues(table, { missing: 'zero' })).toEqual(pValues(tableOf([first, [...second.slice(0, 5), 0]])));
    expect(compareSystems(table, { missing: 'skip' }).notes).toEqual([
      'AP: 1 topic without a value for some system, left out for all systems',
    ]);
    expect(compareSystems(table, { missing: 'zero' }).notes).toEqual([
      'AP: 1 topic without a value for some system, counted as 0 where there is none',
    ]);
  });

  test('NaN is a missing value, wherever it stands', () => {
    for (const place of [0, 3, 5]) {
      const table = tableOf([first, second.map((value, t) => (t === place ? Number.NaN : value))]);
      expect(() => compareSystems(table)).toThrow(InputError);
      const kept = (values: number[]): number[] => values.filter((_, t) => t !== place);
      expect(pValues(table, { missing: 'skip' })).toEqual(pValues(tableOf([kept(first), kept(second)])));
    }
  });

  test('a topic on which nobody has a value is left out and reported, under every policy', () => {
    const table = tableOf([
      [...first, Number.NaN],
      [...second, Number.NaN],
    ]);
    for (const missing of ['error', 'skip', 'zero'] as const) {
      expect(pValues(table, { missing })).toEqual(expected);
      expect(compareSystems(table, { missing }).notes).toEqual(['AP: 1 topic left out, no system has a value there']);
    }
  });

  test('no NaN ever reaches a correction: one broken pair would spoil all', () => {
    const table = tableOf([first, second, first.map((value, t) => (t === 2 ? Number.NaN : value + 0.1))]);
    for (const missing of ['skip', 'zero'] as const) {
      const { pairs } = compareSystems(table, { missing }).measures[0];
      expect(pairs.every(({ correctedPValue }) => correctedPValue >= 0 && correctedPValue <= 1)).toBe(true);
    }
  });

  test('infinite values, doubled topics and doubled systems are refused', () => {
    expect(() => compareSystems(tableOf([first, second.map((value, t) => (t === 1 ? Infinity : value))]))).toThrow(
      's1 has Infinity on topic t2',
    );
    expect(() => compareSystems(tableOf([first, second], ['1', '2', '2', '4', '5', '6']))).toThrow('topic 2 occurs twice');
    expect(() => alignTables([one(first, topics, 'a'), one(second, topics, 'a')])).toThrow('system a occurs twice');
    expect(() => alignTables([one(first, ['1', '1', '3', '4', '5', '6'], 'a')])).toThrow('topic 1 occurs twice');
  });

  test('a missing value cannot count as 0 where 0 is the best', () => {
    const table = tableOf([first, [...second.slice(0, 5), Number.NaN]]);
    expect(() => compareSystems(table, { missing: 'zero', directions: { AP: 'lower' } })).toThrow('0 would be the best value');
  });

  test('fewer than two common topics are refused', () => {
    const table = alignTables([one([0.1, 0.2], ['1', '2'], 'a'), one([0.3, 0.4], ['2', '3'], 'b')]);
    expect(() => compareSystems(table, { missing: 'skip' })).toThrow(
      'found 1 topic with values for all systems, expected at least 2 (2 are not complete)',
    );
  });
});

describe('findCorrection(name)', () => {
  test.each([
    ['holm', 'holm'],
    ['fdr_bh', 'bh'],
    ['simes-hochberg', 'hochberg'],
    ['FDR_BY', 'by'],
    ['none', 'none'],
  ])('%s is %s', (name, method) => {
    expect(findCorrection(name)).toBe(method);
  });
  test('refuses what it does not know', () => {
    expect(() => findCorrection('hommel')).toThrow(
      'correction: expected one of bonferroni, sidak, holm, hochberg, bh, by, none, found hommel',
    );
    expect(() => findCorrection('constructor')).toThrow('correction: expected one of');
  });
});
