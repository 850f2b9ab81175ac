import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withLimits } from '../../test/helpers/lowered-limits.js';
import { mayHold, partsOfTable, tableFromParts } from './id-columns.js';
import { compareIds, equalIds, IdTable, idLatin1, idText, sortedIds } from './ids.js';

const encoder = new TextEncoder();
/** Byte order by the book. */
const inByteOrder = (a: string, b: string): number => Buffer.compare(encoder.encode(a), encoder.encode(b));
const texts = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'ä', '中', '\u{1f600}', '\uffee'), maxLength: 6 }), { maxLength: 60 });

describe('IdTable', () => {
  test('numbers ids as they come, finds them again and nothing else', () => {
    fc.assert(
      fc.property(texts, texts, (ids, others) => {
        const known = [...new Set(ids)];
        const table = IdTable.of(ids);
        expect(table.size).toBe(known.length);
        expect(known.map((id) => table.find(id))).toEqual(known.map((_, i) => i));
        expect(ids.map((id) => table.intern(id))).toEqual(ids.map((id) => known.indexOf(id)));
        expect(Array.from({ length: table.size }, (_, i) => table.text(i))).toEqual(known);
        expect(others.map((id) => table.find(id))).toEqual(others.map((id) => known.indexOf(id)));
      }),
      { seed: 3 },
    );
  });

  test.each([0, 1, 16, 17, 5000])('grows from room for %i ids to any number of any length', (expected) => {
    const table = new IdTable(expected, expected);
    const ids = Array.from({ length: 5000 }, (_, i) => (i % 1000 === 7 ? `${i}`.repeat(300) : `doc-${i}`));
    expect(ids.map((id) => table.intern(id))).toEqual(ids.map((_, i) => i));
    expect(ids.map((id) => table.find(id))).toEqual(ids.map((_, i) => i));
    expect(table.text(2007)).toBe('2007'.repeat(300));
    // half of the slots are free, so that looking for what is not there comes to an end
    expect(table.slots.filter((slot) => slot > 0)).toHaveLength(5000);
    expect(table.slots.length).toBeGreaterThanOrEqual(2 * table.hashes.length);
  });

  test('is the same in another thread, and grows there', () => {
    for (const ids of [[], ['a'], Array.from({ length: 100 }, (_, i) => `d${i}`)]) {
      const copy = tableFromParts(partsOfTable(IdTable.of(ids), (array) => array.slice() as typeof array));
      expect(ids.map((id) => copy.find(id))).toEqual(ids.map((_, i) => i));
      expect(copy.find('new')).toBe(-1);
      expect(['new', 'newer', 'new'].map((id) => copy.intern(id))).toEqual([ids.length, ids.length + 1, ids.length]);
      for (let i = 0; i < 200; i++) copy.intern(`more-${i}`);
      expect(copy.find('more-199')).toBe(ids.length + 201);
      expect(ids.map((id) => copy.find(id))).toEqual(ids.map((_, i) => i));
    }
  });

  test('tells what still has a place, and refuses more', async () => {
    await withLimits({ ids: 3, entries: 20 }, () => {
      const table = IdTable.of(['abc', 'def']);
      expect([mayHold(table, 1, 14), mayHold(table, 1, 15), mayHold(table, 2, 1)]).toEqual([true, false, false]);
      expect(table.intern('g')).toBe(2);
      expect(table.intern('abc')).toBe(0);
      expect(() => table.intern('h')).toThrow('found more than 3 different ids; divide the file by topics, and take the parts one by one');
    });
  });

  test('shows bytes that are no text letter by letter', () => {
    const table = new IdTable();
    table.internBytes(Uint8Array.of(0x61, 0xe4, 0x62), 0, 3);
    expect([idText(table, 0), idLatin1(table, 0)]).toEqual(['a\ufffdb', 'aäb']);
  });
});

test('sortedIds and compareIds follow the bytes', () => {
  fc.assert(
    fc.property(texts, (ids) => {
      const known = [...new Set(ids)];
      const table = IdTable.of(known);
      const reversed = IdTable.of(known.toReversed());
      expect([...sortedIds(table)].map((id) => table.text(id))).toEqual(known.toSorted(inByteOrder));
      for (const [a, one] of known.entries()) {
        for (const [b, other] of known.entries()) {
          const found = compareIds(table, a, reversed, known.length - 1 - b);
          expect(Math.sign(found)).toBe(Math.sign(inByteOrder(one, other)));
          expect(equalIds(table, a, reversed, known.length - 1 - b)).toBe(a === b);
        }
      }
    }),
    { seed: 3, numRuns: 40 },
  );
});

test('sortedIds leaves a list in order as it is, and puts a prefix first', () => {
  for (const ids of [[], ['a'], ['a', 'b', 'c'], ['b', 'a'], ['abcde', 'abcd', 'abc'], ['abcdz', 'abcda', 'b', 'abcdf']]) {
    const table = IdTable.of(ids);
    expect([...sortedIds(table)].map((id) => table.text(id))).toEqual(ids.toSorted());
  }
});
