import { expect, test } from 'vitest';
import { hashBytes } from '../../core/hash.js';
import { seededRandom } from '../../core/numbers/random.js';
import { IdScanner, roomForPlaces } from './id-scanner.js';

/** Ids of any bytes but the separator, from one byte to a dozen. */
function drawn(seed: number, separator: number): number[][] {
  const random = seededRandom(seed);
  const byte = (): number => {
    const found = [0, 1, 0x7f, 0x80, 0xff, random.below(256)][random.below(6)];
    return found === separator ? (found + 3) % 256 : found;
  };
  return Array.from({ length: 1 + random.below(40) }, () => Array.from({ length: 1 + random.below(12) }, byte));
}

test.each(Array.from({ length: 60 }, (_, seed) => seed))('IdScanner finds ids and their hashes as byte by byte (%i)', (seed) => {
  const separator = [0, 10, 0x80, 0xff][seed % 4];
  const ids = drawn(seed, separator);
  const joined = ids.flatMap((id, i) => (i === 0 ? id : [separator, ...id]));
  // not at the beginning of its buffer, and with bytes behind it that are not its own
  const bytes = Uint8Array.from([7, ...joined, separator, 1, 2, 3, 4]).subarray(1, joined.length + 1);
  const ends = ids.map((_, i) => ids.slice(0, i + 1).reduce((sum, id) => sum + id.length, i));
  const expected = ids.map((id, i) => ({ start: ends[i] - id.length, end: ends[i], hash: hashBytes(Uint8Array.from(id), 0, id.length) }));
  for (const step of [1, 3, ids.length]) {
    const scanner = new IdScanner({ bytes, separator, count: ids.length }, 'document');
    const found: typeof expected = [];
    for (let row = 0; row < ids.length; row += step) {
      const count = Math.min(step, ids.length - row);
      const { starts, ends: until, hashes } = roomForPlaces(count);
      scanner.take(count, { starts, ends: until, hashes });
      for (let i = 0; i < count; i++) found.push({ start: starts[i], end: until[i], hash: hashes[i] });
    }
    expect(found).toEqual(expected);
  }
});

test('IdScanner refuses to find more ids than the column has', () => {
  const scanner = new IdScanner({ bytes: Uint8Array.of(65), separator: 0, count: 1 }, 'document');
  expect(() => scanner.take(2, roomForPlaces(2))).toThrow('expected 2 document ids, found 1');
});
