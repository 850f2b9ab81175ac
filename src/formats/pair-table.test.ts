import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PairTable } from './pair-table.js';

const anyPair = fc.oneof(
  fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 20 })),
  fc.tuple(fc.integer({ min: 0, max: 2 ** 32 - 2 }), fc.integer({ min: 0, max: 2 ** 32 - 2 })),
);

test('PairTable.intern numbers pairs as a Map does that counts them as they come', () => {
  fc.assert(
    fc.property(fc.array(anyPair, { maxLength: 2000 }), (pairs) => {
      const table = new PairTable();
      const expected = new Map<string, number>();
      for (const [a, b] of pairs) {
        const key = `${a} ${b}`;
        if (!expected.has(key)) expected.set(key, expected.size);
        expect(table.intern(a, b)).toBe(expected.get(key));
      }
      expect(table.size).toBe(expected.size);
    }),
  );
});
