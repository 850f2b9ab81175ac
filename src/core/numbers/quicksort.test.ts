import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { RankingScratch } from '../order.js';
import { quicksortOrder } from './quicksort.js';

function orderOf(scores: readonly number[], sorts: number): number[] {
  const scratch = new RankingScratch();
  // some numbers before and after that do not belong to the list
  const inOrder = quicksortOrder(scratch, Float64Array.from([7, 7, ...scores, 7]), 2, scores.length, sorts);
  return inOrder ? scores.map((_, row) => row) : [...scratch.order.subarray(0, scores.length)];
}

const few = fc.constantFrom(0, 1, 2, 3, -1, 0.5);
const many = fc.double({ noNaN: true });
const scoreLists = fc.oneof(
  ...[few, many, fc.constant(1), fc.constantFrom(1, Number.NaN)].flatMap((score) =>
    [15, 40, 300].map((maxLength) => fc.array(score, { maxLength })),
  ),
);

test('every list comes out in descending order, NaN last, with each row once', () => {
  fc.assert(
    fc.property(scoreLists, fc.constantFrom(1, 2), (scores, sorts) => {
      const order = orderOf(scores, sorts);
      expect(order.toSorted((a, b) => a - b)).toEqual(scores.map((_, row) => row));
      const ranked = order.map((row) => scores[row]);
      const numbers = ranked.filter((score) => !Number.isNaN(score));
      expect(ranked.slice(0, numbers.length)).toEqual(numbers);
      for (let i = 1; i < numbers.length; i++) expect(numbers[i - 1] >= numbers[i]).toBe(true);
    }),
    { seed: 8, numRuns: 200 },
  );
});

test('up to 15 documents keep the order of equal scores, however often they are sorted', () => {
  fc.assert(
    fc.property(fc.array(few, { maxLength: 15 }), fc.constantFrom(1, 2), (scores, sorts) => {
      const stable = scores.map((_, row) => row).sort((a, b) => scores[b] - scores[a]);
      expect(orderOf(scores, sorts)).toEqual(stable);
    }),
    { seed: 8 },
  );
});

test('16 equal scores: the middle is set aside, all others change places about it, and the short parts stay', () => {
  // by hand: the pivot is row 7, which the last row, 15, replaces; i and j meet after 7 exchanges (0, 14) (1, 13) … (6, 8), both
  // stop at place 7, where 15 gives way to the pivot
  expect(
    orderOf(
      Array.from({ length: 16 }, () => 1),
      1,
    ),
  ).toEqual([14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 15]);
});
