import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createNumberListsReader, formatNumberLists, type NumberLists, parseNumberLists } from './number-lists.js';

function asArrays({ offsets, values }: NumberLists): number[][] {
  return Array.from({ length: offsets.length - 1 }, (_, q) => [...values.subarray(offsets[q], offsets[q + 1])]);
}

test('parseNumberLists reads a line for each query; a blank line is an empty one', () => {
  expect(asArrays(parseNumberLists('0 1 2\n\n4  3\t2 \r\n-1 +7'))).toEqual([[0, 1, 2], [], [4, 3, 2], [-1, 7]]);
  expect(asArrays(parseNumberLists(''))).toEqual([]);
});

test('parseNumberLists refuses what is not a whole number', () => {
  for (const bad of ['2.0', 'x', '1e3', '-', '--1', '9007199254740993', '1,2']) {
    expect(() => parseNumberLists(`1 2\n3 ${bad} 4\n`, { source: 'ranks.txt' })).toThrow(
      `ranks.txt:2: expected whole numbers parted by spaces, found "${bad}"; each line must hold the numbers of one query`,
    );
  }
});

test('parseNumberLists gives back what formatNumberLists wrote, in pieces of any size', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.integer(), { maxLength: 5 }), { maxLength: 8 }), fc.integer({ min: 1, max: 20 }), (lists, size) => {
      const offsets = Uint32Array.from([0, ...lists.map((_, q) => lists.slice(0, q + 1).flat().length)]);
      const bytes = formatNumberLists({ offsets, values: Float64Array.from(lists.flat()) });
      const reader = createNumberListsReader();
      for (let i = 0; i < bytes.length; i += size) reader.push(bytes.subarray(i, i + size));
      expect(asArrays(reader.finish())).toEqual(lists);
    }),
  );
});
