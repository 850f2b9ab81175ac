import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashBytes } from '../../core/hash.js';
import { IdTable, idText } from '../../core/ids.js';
import { createLineScanner } from '../../formats/text/create-line-scanner.js';
import { qrelsLines } from '../../formats/text/line-scanner.js';
import { DocColumn } from './doc-column.js';

const encoder = new TextEncoder();
const id = fc.string({ unit: fc.constantFrom('a', 'B', '7', 'é', '😀'), minLength: 1, maxLength: 13 });

/** The ids as a scanner finds them, in a text that ends with the last line, or goes on for a while. */
function addLines(column: DocColumn, ids: readonly string[], room: number): number {
  const text = encoder.encode(ids.map((doc) => `1 0 ${doc} 1\n`).join(''));
  const scanner = createLineScanner({ ...qrelsLines, capacity: text.length + room, lines: ids.length, wasm: false });
  scanner.bytes.set(text);
  scanner.startTopic();
  scanner.scan(text.length);
  return column.add(scanner);
}

describe('DocColumn', () => {
  it('holds every id that was added, in order, with its hash, however long the ids are and wherever the text ends', () => {
    fc.assert(
      fc.property(fc.array(fc.array(id, { minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 6 }), fc.nat(9), (stretches, room) => {
        const column = new DocColumn();
        let expectedFirst = 0;
        for (const ids of stretches) {
          expect(addLines(column, ids, room)).toBe(expectedFirst);
          expectedFirst += ids.length;
        }
        const table = column.finish();
        const all = stretches.flat();
        expect(Array.from({ length: table.size }, (_, i) => idText(table, i))).toEqual(all);
        for (const [i, text] of all.entries()) {
          const bytes = encoder.encode(text);
          expect(table.hashes[i]).toBe(hashBytes(bytes, 0, bytes.length));
        }
      }),
    );
  });

  it('numbers ids that were added one by one as a table does that is asked for each of them', () => {
    fc.assert(
      fc.property(fc.array(id, { maxLength: 60 }), (ids) => {
        const column = new DocColumn();
        const expected = new IdTable();
        for (const [i, text] of ids.entries()) {
          const bytes = encoder.encode(text);
          expect(column.addId(bytes, 0, bytes.length)).toBe(i);
        }
        const numbers = ids.map((text) => expected.intern(text));
        const table = new IdTable();
        expect([...column.internInto(table)]).toEqual(numbers);
        expect(table.size).toBe(expected.size);
        for (const text of ids) expect(table.find(text)).toBe(expected.find(text));
      }),
    );
  });
});
