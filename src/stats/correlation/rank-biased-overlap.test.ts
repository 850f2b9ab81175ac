import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { overlapBounds, overlapSum, untiedOrders } from '../../../test/helpers/brute-force-stats.js';
import { overlapAt, rankWithoutTies, rankWithTies } from './overlap.js';
import { rankBiasedOverlap } from './rank-biased-overlap.js';

const list = (text: string): string[][] => (text.match(/\([^)]*\)|\S+/g) ?? []).map((group) => group.replace(/[()]/g, '').split(' '));

/** Two rankings of letters, possibly uneven, with tie groups. */
const ranking = fc
  .tuple(fc.shuffledSubarray([...'abcdefg'], { minLength: 1 }), fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 7, maxLength: 7 }))
  .map(([ids, sizes]) => {
    const groups: string[][] = [];
    for (let at = 0, k = 0; at < ids.length; at += sizes[k], k++) groups.push(ids.slice(at, at + sizes[k]));
    return groups;
  });

describe('rankBiasedOverlap', () => {
  test('of lists worked by hand: a b against b a, p = 0.5', () => {
    const found = rankBiasedOverlap({ first: list('a b'), second: list('b a'), p: 0.5 });
    // agreement 0, 1, 1, 1 …: everything but the first half of the weight
    expect(found.ext).toBeCloseTo(0.5, 14);
    expect(found.max).toBeCloseTo(0.5, 14);
    // Σ_{d>2} 2/d·p^d = 2(ln 2 − 1/2 − 1/8), and agreement 1 at depth 2
    expect(found.min).toBeCloseTo(0.25 + 2 * (Math.log(2) - 0.625), 14);
    expect(found.res).toBeCloseTo(found.max - found.min, 14);
  });

  test('min and max without ties are the extremes over all continuations', () => {
    for (const [first, second] of [
      ['a b', 'b a'],
      ['a b', 'c d'],
      ['a', 'b a'],
      ['a b', 'c'],
      ['a b', 'b'],
    ]) {
      const p = 0.6;
      const found = rankBiasedOverlap({ first: list(first), second: list(second), p });
      const depth = 4;
      const bounds = overlapBounds(first.split(' '), second.split(' '), p, depth);
      // what lies below the enumerated depth: nothing new at best for the bound below, full agreement at most for the one above
      expect(found.min).toBeGreaterThanOrEqual(bounds.min - 1e-12);
      expect(found.min).toBeLessThanOrEqual(bounds.min + p ** depth);
      expect(found.max).toBeLessThanOrEqual(bounds.max + 1e-12);
      expect(found.max).toBeGreaterThanOrEqual(bounds.max - p ** depth);
    }
  });

  test('ties a of lists of the same ids: min and ext are means over all orders of the tied', () => {
    const sameIds = fc
      .tuple(fc.integer({ min: 2, max: 5 }), fc.nat(1e6), fc.double({ min: 0.1, max: 0.95, noNaN: true }))
      .chain(([n, , p]) =>
        fc.tuple(
          fc.constant(p),
          fc.shuffledSubarray([...'abcde'].slice(0, n), { minLength: n, maxLength: n }),
          fc.shuffledSubarray([...'abcde'].slice(0, n), { minLength: n, maxLength: n }),
          fc.integer({ min: 1, max: 3 }),
          fc.integer({ min: 1, max: 3 }),
        ),
      );
    fc.assert(
      fc.property(sameIds, ([p, x, y, sizeX, sizeY]) => {
        const group = (ids: string[], size: number): string[][] =>
          ids.reduce<string[][]>((groups, id, i) => {
            if (i % size === 0) groups.push([id]);
            else groups[groups.length - 1].push(id);
            return groups;
          }, []);
        const first = group(x, sizeX);
        const second = group(y, sizeY);
        const found = rankBiasedOverlap({ first, second, p, ties: 'a' });
        const orders = untiedOrders(first).flatMap((one) => untiedOrders(second).map((other) => overlapSum(one, other, p)));
        const mean = orders.reduce((sum, value) => sum + value, 0) / orders.length;
        // equal ids: full agreement from their end on
        expect(found.ext).toBeCloseTo(mean + p ** x.length, 10);
      }),
      { numRuns: 100, seed: 2 },
    );
  });

  test('is symmetric, lies between its bounds, and is the same in all treatments without ties', () => {
    fc.assert(
      fc.property(ranking, ranking, fc.double({ min: 0.05, max: 0.98, noNaN: true }), (first, second, p) => {
        for (const ties of ['w', 'a', 'b'] as const) {
          const found = rankBiasedOverlap({ first, second, p, ties });
          const back = rankBiasedOverlap({ first: second, second: first, p, ties });
          for (const value of ['ext', 'min', 'max', 'res'] as const) expect(found[value]).toBeCloseTo(back[value], 12);
          expect(found.min).toBeLessThanOrEqual(found.max + 1e-12);
          expect(found.ext).toBeGreaterThanOrEqual(found.min - 1e-12);
        }
        const untied = { first: rankWithoutTies(first.flat()), second: rankWithoutTies(second.flat()), p };
        const w = rankBiasedOverlap({ ...untied, ties: 'w' });
        for (const ties of ['a', 'b'] as const) {
          const other = rankBiasedOverlap({ ...untied, ties });
          for (const value of ['ext', 'min', 'max', 'res'] as const) expect(other[value]).toBeCloseTo(w[value], 12);
        }
      }),
      { numRuns: 200, seed: 6 },
    );
  });

  test('of a list with itself is 1 under w and b, and less under a where there are ties', () => {
    const first = list('a (b c) d (e f)');
    expect(rankBiasedOverlap({ first, second: first, p: 0.9, ties: 'w' }).ext).toBeCloseTo(1, 14);
    expect(rankBiasedOverlap({ first, second: first, p: 0.9, ties: 'b' }).ext).toBeCloseTo(1, 14);
    expect(rankBiasedOverlap({ first, second: first, p: 0.9, ties: 'a' }).ext).toBeLessThan(0.99);
  });

  test('of uneven tied lists has the published values', () => {
    // the first two rows of the tied lists published with the paper
    const rows = [
      {
        first: '(i5 i9 i13 i15 i16 i19 i20) (i3 i8)',
        second: 'i6 (i4 i18) i2 i7 i8 i17 i14 (i11 i12) i1',
        p: 0.958074765324023,
        w: [0.0816485573277354, 0.0370062754797617, 0.59493569657566, 0.557929421095898],
        a: [0.0808189832771587, 0.0354671825076603, 0.593396603603558, 0.557929421095898],
        b: [0.0813693619867344, 0.0356267307324464, 0.593556151828344, 0.557929421095898],
      },
      {
        first: 'i13 (i1 i4 i5 i6)',
        second: 'i3 i14 i11 (i10 i15) i12 (i6 i9) i4 i2',
        p: 0.92238320668128,
        w: [0.117578490431637, 0.0763135264223449, 0.53999366118093, 0.463680134758586],
        a: [0.114619469221414, 0.0733545052121218, 0.537945108035391, 0.464590602823269],
        b: [0.11474835409049, 0.0734833900811979, 0.538589532380772, 0.465106142299574],
      },
    ];
    for (const row of rows) {
      for (const ties of ['w', 'a', 'b'] as const) {
        const found = rankBiasedOverlap({ first: list(row.first), second: list(row.second), p: row.p, ties });
        [found.ext, found.min, found.max, found.res].forEach((value, i) => {
          expect(value).toBeCloseTo(row[ties][i], 12);
        });
        expect(found.method).toBe(`rank-biased overlap, ties ${ties}`);
      }
    }
  });

  test('refuses empty lists, repeated ids and a persistence outside (0, 1)', () => {
    const options = { first: list('a b'), second: list('b a'), p: 0.9 };
    expect(() => rankBiasedOverlap({ ...options, second: [] })).toThrow('the second list is empty; leave the topic out');
    expect(() => rankBiasedOverlap({ ...options, first: list('a (b a)') })).toThrow(
      'the first list has a twice, expected every id once; keep its first occurrence',
    );
    expect(() => rankBiasedOverlap({ ...options, first: [['a'], []] })).toThrow('the first list has an empty tie group');
    expect(() => rankBiasedOverlap({ ...options, p: 1 })).toThrow('p: expected a number between 0 and 1, both excluded, found 1');
  });
});

describe('overlapAt', () => {
  test('is the shared share of the first places, also where a list is short', () => {
    const first = ['a', 'b', 'c', 'd'];
    const second = ['b', 'x', 'a'];
    expect(overlapAt({ first, second, cutoff: 1 })).toBe(0);
    expect(overlapAt({ first, second, cutoff: 2 })).toBe(1 / 2);
    expect(overlapAt({ first, second, cutoff: 3 })).toBe(2 / 3);
    expect(overlapAt({ first, second, cutoff: 10 })).toBe(2 / 10);
    expect(() => overlapAt({ first, second, cutoff: 0 })).toThrow('cutoff: expected a whole number from 1, found 0');
  });

  test('rankWithTies(ids, scores) groups equal scores, best first', () => {
    expect(rankWithTies(['a', 'b', 'c', 'd'], [1, 3, 1, 2])).toEqual([['b'], ['d'], ['a', 'c']]);
    expect(() => rankWithTies(['a'], [1, 2])).toThrow('found 1 ids and 2 scores, expected as many of each');
    expect(() => rankWithTies(['a'], [Number.NaN])).toThrow('the scores has NaN at position 1');
  });
});
