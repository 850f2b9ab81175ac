import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashBytes, hashText } from './hash.js';
import { textCapacity, writeText } from './text.js';

// from mmh3 5.3.1 for Python: mmh3.hash(text, 0, signed=False)
const published: [Uint8Array, number][] = [
  [latin1(''), 0],
  [latin1('a'), 0x3c2569b2],
  [latin1('ab'), 0x9bbfd75f],
  [latin1('abc'), 0xb3dd93fa],
  [latin1('abcd'), 0x43ed676a],
  [latin1('abcde'), 0xe89b9af6],
  [latin1('7187158'), 0x1c896aeb],
  [latin1('msmarco_doc_12_3456789'), 0x0f9d32f1],
  [latin1('\x00'), 0x514e28b7],
  [latin1('\x00\x00\x00\x00'), 0x2362f9de],
  [latin1('\xff\xfe\x80\x00\x81'), 0xa22dcc40],
  [Uint8Array.from({ length: 256 }, (_, i) => i), 0xe40a0e56],
];

test.each(published)('the hash of %j is MurmurHash3 with seed 0', (bytes, expected) => {
  expect(hashBytes(bytes, 0, bytes.length)).toBe(expected);
});

test('the hash of a text is that of its bytes, whatever its characters and its length', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', '7', '\x7f', '\x80', 'é', '\u20ac', '\ud83d', '\ude00'), maxLength: 12 }),
      (text) => {
        const bytes = new Uint8Array(textCapacity(text));
        expect(hashText(text)).toBe(hashBytes(bytes, 0, writeText(bytes, 0, text)));
      },
    ),
  );
  expect(hashText('msmarco_doc_12_3456789')).toBe(0x0f9d32f1);
});

test('only the bytes of the range count', () => {
  const padded = latin1('xx7187158yy');
  expect(hashBytes(padded, 2, 9)).toBe(0x1c896aeb);
});

test('numbered ids spread evenly over a small power-of-two table by their low bits', () => {
  for (const idOf of [(i: number) => String(7_000_000 + i), (i: number) => `clueweb09-en0000-00-${String(i).padStart(5, '0')}`]) {
    const slots = new Uint32Array(256);
    for (let i = 0; i < 25_600; i++) {
      const id = latin1(idOf(i));
      slots[hashBytes(id, 0, id.length) & 255]++;
    }
    // chi squared with 255 degrees of freedom: 99.99 % of random fillings lie between 176 and 352
    const chiSquared = slots.reduce((sum, count) => sum + (count - 100) ** 2 / 100, 0);
    expect(chiSquared).toBeGreaterThan(176);
    expect(chiSquared).toBeLessThan(352);
  }
});

function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (c) => c.charCodeAt(0));
}
