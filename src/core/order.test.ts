import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seededRandom } from './numbers/random.js';
import { mergeSort, RankingScratch, sortDescendingInPlace, type TieOrder } from './order.js';

/** Ids whose byte order differs from their row order: row r has the id (r * 7919) mod 10007. */
const idOf = (row: number): number => (row * 7919) % 10007;
const compareIds = (a: number, b: number): number => idOf(a) - idOf(b);

/** What `rank` is to give, by the sorting of the language, which is stable. */
function slowOrder(scores: readonly number[], ties: TieOrder): number[] {
  const byId = ties === 'docno' ? (a: number, b: number) => idOf(b) - idOf(a) : ties === 'file' ? () => 0 : compareIds;
  return scores.map((_, row) => row).sort((a, b) => scores[b] - scores[a] || byId(a, b));
}

/** The order that `rank` finds, in a list that begins at `start` of a longer one. */
function ranked(scratch: RankingScratch, scores: readonly number[], ties: TieOrder, start = 0): number[] {
  const all = Float64Array.from([...Array<number>(start).fill(1e9), ...scores, 1e9, 1e9]);
  const untouched = scratch.rank(all, start, scores.length, ties, compareIds);
  return untouched ? scores.map((_, row) => row) : Array.from(scratch.order.subarray(0, scores.length));
}

const tieOrders: readonly TieOrder[] = ['docno', 'docno-ascending', 'file'];

describe('RankingScratch.rank', () => {
  test('orders random lists as the obvious sort does, few or many distinct scores, any length', () => {
    const list = fc.oneof(
      fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 90 }),
      fc.array(fc.integer({ min: 0, max: 1000 }), { maxLength: 90 }),
    );
    const scratch = new RankingScratch();
    fc.assert(
      fc.property(list, fc.constantFrom(...tieOrders), fc.nat(3), (scores, ties, start) => {
        expect(ranked(scratch, scores, ties, start)).toEqual(slowOrder(scores, ties));
      }),
      { numRuns: 300, seed: 14 },
    );
  });

  test.each([11, 12, 13, 24, 25, 26, 48, 49, 96, 97, 1023, 1024, 1025, 3000])('orders lists of %i, rising, falling and mixed', (n) => {
    const random = seededRandom(n);
    const lists = [
      Array.from({ length: n }, (_, i) => i),
      Array.from({ length: n }, (_, i) => -i),
      Array.from({ length: n }, () => random.below(n)),
      Array.from({ length: n }, () => random.below(4)),
      Array.from({ length: n }, () => 7),
      // falling but for the last, which belongs to the top
      Array.from({ length: n }, (_, i) => (i === n - 1 ? 1 : -i)),
    ];
    const scratch = new RankingScratch();
    for (const scores of lists) for (const ties of tieOrders) expect(ranked(scratch, scores, ties)).toEqual(slowOrder(scores, ties));
  });

  test('orders long lists of any numbers: signed zeros, infinities, and numbers that differ in their last bits only', () => {
    const any = fc.oneof(fc.double({ noNaN: true }), fc.constantFrom(0, -0, Infinity, -Infinity, 5e-324, -5e-324, Number.MAX_VALUE));
    const close = fc.tuple(fc.constantFrom(1, -1, 1e-300, -1e300), fc.nat(40)).map(([scale, step]) => scale * (1 + step * 2 ** -50));
    const list = fc.oneof(any, close).chain((one) => fc.array(fc.oneof(any, close, fc.constant(one)), { minLength: 90, maxLength: 300 }));
    const scratch = new RankingScratch();
    fc.assert(
      fc.property(list, fc.constantFrom(...tieOrders), (scores, ties) => {
        expect(ranked(scratch, scores, ties)).toEqual(slowOrder(scores, ties));
      }),
      { numRuns: 200, seed: 15 },
    );
  });

  test('says that strictly falling scores are in order, and writes nothing', () => {
    const scratch = new RankingScratch();
    scratch.order.fill(77);
    expect(scratch.rank(Float64Array.of(5, 4, 3), 0, 3, 'docno', compareIds)).toBe(true);
    expect(scratch.rank(Float64Array.of(5), 0, 1, 'docno', compareIds)).toBe(true);
    expect(scratch.rank(Float64Array.of(), 0, 0, 'docno', compareIds)).toBe(true);
    expect(scratch.order[0]).toBe(77);
    expect(scratch.rank(Float64Array.of(5, 5), 0, 2, 'file', compareIds)).toBe(false);
    expect(scratch.rank(Float64Array.of(Number.NaN, 5), 0, 2, 'file', compareIds)).toBe(false);
  });

  test('never calls for ids where no scores are equal, or where ties stay as they are in the file', () => {
    const refuse = (): number => {
      throw new Error('asked for ids');
    };
    const scratch = new RankingScratch();
    expect(scratch.rank(Float64Array.of(1, 2, 3), 0, 3, 'docno', refuse)).toBe(false);
    expect(scratch.rank(Float64Array.of(1, 2, 2), 0, 3, 'file', refuse)).toBe(false);
    expect(Array.from(scratch.order.subarray(0, 3))).toEqual([1, 2, 0]);
  });

  test('NaN goes where glibc’s merge sort of the list by id puts it', () => {
    const nan = Number.NaN;
    const scores = [1, nan, 3, 2, nan, 4];
    for (const ties of tieOrders) {
      const byId = scores.map((_, row) => row);
      if (ties !== 'file') byId.sort(compareIds);
      const tie = ties === 'docno' ? (a: number, b: number) => compareIds(b, a) : ties === 'file' ? () => 0 : compareIds;
      const compare = (a: number, b: number): number => (scores[a] > scores[b] ? -1 : scores[a] < scores[b] ? 1 : tie(a, b));
      // halves of 3, split into 1 and 2, merged by hand
      const merge = (left: number[], right: number[]): number[] => {
        const out: number[] = [];
        while (left.length > 0 && right.length > 0) out.push(compare(left[0], right[0]) <= 0 ? left.shift()! : right.shift()!);
        return [...out, ...left, ...right];
      };
      const [a, b, c, d, e, f] = byId;
      const expected = merge(merge([a], merge([b], [c])), merge([d], merge([e], [f])));
      expect(ranked(new RankingScratch(), scores, ties)).toEqual(expected);
    }
  });
});

describe('RankingScratch.reserve', () => {
  test('grows to at least twice its size, and not while there is room', () => {
    const scratch = new RankingScratch();
    const { order } = scratch;
    scratch.reserve(1024);
    expect(scratch.order).toBe(order);
    scratch.reserve(1025);
    expect(scratch.order.length).toBe(2048);
    scratch.reserve(10_000);
    expect(scratch.order.length).toBe(10_000);
  });
});

describe('mergeSort', () => {
  test('keeps the order of equal items and leaves its input alone', () => {
    const items = ['b1', 'a1', 'c1', 'a2', 'b2', 'a3', 'c2'];
    const before = items.slice();
    expect(mergeSort(items, (x, y) => x.charCodeAt(0) - y.charCodeAt(0))).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'c1', 'c2']);
    expect(items).toEqual(before);
    const one = ['x'];
    expect(mergeSort(one, () => 0)).not.toBe(one);
    expect(mergeSort([], () => 0)).toEqual([]);
  });

  test('asks in the order of glibc: the smaller half first', () => {
    const asked: string[] = [];
    mergeSort([1, 2, 3, 4, 5], (a, b) => {
      asked.push(`${a}${b}`);
      return a - b;
    });
    // 2 and 3: (1 2), then 3 (4 5), then both
    expect(asked).toEqual(['12', '45', '34', '13', '23']);
  });
});

describe('sortDescendingInPlace', () => {
  test('sorts a part and leaves the rest, whether it counts or compares', () => {
    const value = fc.oneof(fc.integer({ min: 0, max: 5 }), fc.constantFrom(-1, 0.5, 6, 7, 3.25));
    fc.assert(
      fc.property(fc.array(value, { maxLength: 20 }), fc.nat(3), (list, start) => {
        const values = Float64Array.from([...Array<number>(start).fill(-9), ...list, 99, -3]);
        sortDescendingInPlace(values, start, start + list.length, new Uint32Array(6).fill(8));
        const expected = list.slice().sort((a, b) => b - a);
        expect(Array.from(values)).toEqual([...Array<number>(start).fill(-9), ...expected, 99, -3]);
      }),
      { numRuns: 200, seed: 14 },
    );
  });
});
