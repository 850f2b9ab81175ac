import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareBytes, compareTexts, equalBytes, isTextOf, readLatin1, readText, textCapacity, writeText } from './text.js';

/** Units at the edges of what one, two, three and four bytes hold, both kinds of surrogates among them. */
const unit = fc.constantFrom(
  0x00,
  0x41,
  0x7f,
  0x80,
  0xe9,
  0x7ff,
  0x800,
  0x20ac,
  0xd7ff,
  0xd800,
  0xdbff,
  0xdc00,
  0xdfff,
  0xe000,
  0xfeff,
  0xfffd,
  0xffff,
);
const text = fc.array(unit, { maxLength: 40 }).map((units) => String.fromCharCode(...units));

function bytesOf(string: string): Uint8Array {
  const bytes = new Uint8Array(textCapacity(string) + 2).fill(0x42);
  const end = writeText(bytes, 1, string);
  return bytes.slice(1, end);
}

describe('writeText and readText', () => {
  test('nothing is lost, whatever units a string is made of', () => {
    fc.assert(
      fc.property(text, (string) => {
        const bytes = bytesOf(string);
        const within = Uint8Array.from([0x43, ...bytes, 0x44, 0xc3]);
        expect(readText(within, 1, 1 + bytes.length)).toBe(string);
      }),
      { numRuns: 500, seed: 14 },
    );
  });

  test('text is written as TextEncoder writes it', () => {
    const encoder = new TextEncoder();
    for (const string of ['', 'a', 'é', '߿', 'ࠀ', '€', '퟿', '\ue000', '\uffff', '𐀀', '😀b', '􏿿', 'x'.repeat(30), 'é'.repeat(20)]) {
      expect([...bytesOf(string)]).toEqual([...encoder.encode(string)]);
      expect(readText(encoder.encode(string), 0, encoder.encode(string).length)).toBe(string);
    }
  });

  test('bytes that are no text are read as TextDecoder reads them, where they are no surrogate', () => {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    const byte = fc.constantFrom(0x41, 0x80, 0x9f, 0xa0, 0xbf, 0xc0, 0xc3, 0xe0, 0xed, 0xf0, 0xff);
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 40 }), (list) => {
        const bytes = Uint8Array.from(list);
        const isSurrogate = list.some((value, i) => value === 0xed && list[i + 1] >= 0xa0 && list[i + 1] < 0xc0 && list[i + 2] >> 6 === 2);
        if (!isSurrogate) expect(readText(bytes, 0, bytes.length)).toBe(decoder.decode(bytes));
      }),
      { numRuns: 500, seed: 14 },
    );
  });

  test('a byte-order mark is a letter like any other', () => {
    const string = `\ufeff${'x'.repeat(30)}`;
    expect(readText(bytesOf(string), 0, 33)).toBe(string);
    expect(readText(bytesOf('\ufeffa'), 0, 4)).toBe('\ufeffa');
  });

  test('a lone surrogate has three bytes, also before and after other letters', () => {
    expect([...bytesOf('\ud800')]).toEqual([0xed, 0xa0, 0x80]);
    expect([...bytesOf('\udfff')]).toEqual([0xed, 0xbf, 0xbf]);
    expect([...bytesOf('€\udc00')]).toEqual([0xe2, 0x82, 0xac, 0xed, 0xb0, 0x80]);
    expect([...bytesOf('\ud800€')]).toEqual([0xed, 0xa0, 0x80, 0xe2, 0x82, 0xac]);
  });

  test('bytes that are no text become U+FFFD', () => {
    expect(readText(Uint8Array.of(0x61, 0xff, 0x62), 0, 3)).toBe('a\ufffdb');
    expect(readText(Uint8Array.of(0xed, 0xa0), 0, 2)).toMatch(/^\ufffd+$/);
    expect(readText(Uint8Array.of(0xed, 0xa0, 0x41), 0, 3)).toMatch(/^\ufffd+A$/);
  });
});

test('readLatin1 has one letter per byte, however many', () => {
  for (const length of [0, 1, 4095, 4096, 4097, 9000]) {
    const bytes = Uint8Array.from({ length: length + 2 }, (_, i) => (i * 7) % 256);
    const found = readLatin1(bytes, 1, 1 + length);
    expect(found).toHaveLength(length);
    expect(Array.from(found, (letter) => letter.charCodeAt(0))).toEqual([...bytes.subarray(1, 1 + length)]);
  }
});

test('compareBytes and equalBytes agree with the comparison of Buffer', () => {
  const bytes = fc.array(fc.constantFrom(0, 1, 0x7f, 0x80, 0xff), { maxLength: 5 });
  fc.assert(
    fc.property(bytes, bytes, fc.nat(2), (a, b, start) => {
      const padded = (list: readonly number[]) => Uint8Array.from([...Array<number>(start).fill(9), ...list, 9]);
      const args = [padded(a), start, start + a.length, padded(b), start, start + b.length] as const;
      expect(Math.sign(compareBytes(...args))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      expect(equalBytes(...args)).toBe(Buffer.from(a).equals(Buffer.from(b)));
    }),
    { numRuns: 500, seed: 14 },
  );
});

describe('texts that are never written out', () => {
  test('are ordered as their bytes', () => {
    fc.assert(
      fc.property(text, text, text, (shared, a, b) => {
        const [first, second] = [bytesOf(shared + a), bytesOf(shared + b)];
        const expected = compareBytes(first, 0, first.length, second, 0, second.length);
        expect(Math.sign(compareTexts(shared + a, shared + b))).toBe(Math.sign(expected));
      }),
    );
  });

  test('are the same as bytes if these are theirs', () => {
    fc.assert(
      fc.property(text, text, fc.nat(3), (string, other, cut) => {
        const bytes = bytesOf(string);
        expect(isTextOf(string, bytes, 0, bytes.length)).toBe(true);
        expect(isTextOf(other, bytes, 0, bytes.length)).toBe(string === other);
        expect(isTextOf(string, bytes, 0, Math.max(0, bytes.length - cut))).toBe(cut === 0 || bytes.length === 0);
      }),
    );
  });
});
