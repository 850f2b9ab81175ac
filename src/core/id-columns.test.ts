import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hashBytes } from './hash.js';
import { internColumn } from './id-columns.js';
import { IdTable } from './ids.js';

/** Few different letters and lengths, so that ids repeat and begin alike. */
const idBytes = fc.uint8Array({ min: 97, max: 99, maxLength: 11 });

/** Ids end to end in one array, with nothing behind the last. */
function column(ids: readonly Uint8Array[]): { source: Uint8Array; starts: Uint32Array; ends: Uint32Array; hashes: Uint32Array } {
  const source = Uint8Array.from(ids.flatMap((id) => [...id]));
  const starts = new Uint32Array(ids.length);
  const ends = new Uint32Array(ids.length);
  let at = 0;
  for (const [i, id] of ids.entries()) {
    starts[i] = at;
    at += id.length;
    ends[i] = at;
  }
  return { source, starts, ends, hashes: Uint32Array.from(ids, (_, i) => hashBytes(source, starts[i], ends[i])) };
}

describe('internColumn', () => {
  test('numbers ids as a Map does that counts them as they come', () => {
    fc.assert(
      fc.property(fc.array(fc.array(idBytes, { maxLength: 60 }), { maxLength: 5 }), (columns) => {
        const table = new IdTable(1);
        const expected = new Map<string, number>();
        for (const ids of columns) {
          const { source, starts, ends, hashes } = column(ids);
          const numbers = new Uint32Array(ids.length + 3);
          internColumn(table, source, starts, ends, hashes, ids.length, numbers, 3);
          const texts = ids.map((id) => String.fromCharCode(...id));
          for (const text of texts) if (!expected.has(text)) expected.set(text, expected.size);
          expect([...numbers.subarray(3)]).toEqual(texts.map((text) => expected.get(text)));
        }
        expect(table.size).toBe(expected.size);
        for (const [text, id] of expected) {
          expect(table.text(id)).toBe(text);
          expect(table.find(text)).toBe(id);
        }
      }),
    );
  });

  test('agrees with intern in the same table, in any order of the two', () => {
    const table = IdTable.of(['a', 'bb', 'ccccc']);
    const { source, starts, ends, hashes } = column(['ccccc', 'new', 'a', ''].map((text) => new TextEncoder().encode(text)));
    const numbers = new Uint32Array(4);
    internColumn(table, source, starts, ends, hashes, 4, numbers, 0);
    expect([...numbers]).toEqual([2, 3, 0, 4]);
    expect(table.intern('new')).toBe(3);
    expect(table.intern('newer')).toBe(5);
  });

  test('grows for more ids than were expected', () => {
    const ids = Array.from({ length: 5000 }, (_, i) => new TextEncoder().encode(`document-${i % 4000}`));
    const { source, starts, ends, hashes } = column(ids);
    const numbers = new Uint32Array(5000);
    const table = new IdTable(1, 1);
    internColumn(table, source, starts, ends, hashes, 5000, numbers, 0);
    expect(table.size).toBe(4000);
    expect(numbers[4999]).toBe(999);
    expect(table.text(3999)).toBe('document-3999');
  });
});
