import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { hashOf, refusalBy } from '../../../test/helpers/decoded-bytes.js';
import { bytesSource, plainChunks } from '../source.js';
import { Checksum32 } from './checksum.js';
import { Lz4Decoder } from './decoder.js';

const golden: { files: { name: string; sha256: string; base64: string }[] } = JSON.parse(
  readFileSync(new URL('../../../test/golden/lz4/files.json', import.meta.url), 'utf8'),
);
const files = golden.files.map(({ name, sha256, base64 }) => ({ name, sha256, bytes: Uint8Array.from(Buffer.from(base64, 'base64')) }));

function decode(bytes: Uint8Array, pieceLength = bytes.length): Uint8Array {
  const decoder = new Lz4Decoder({ source: 'a.lz4' });
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += pieceLength) {
    for (const part of decoder.push(bytes.subarray(at, at + pieceLength))) parts.push(part.slice());
  }
  decoder.finish();
  return Uint8Array.from(Buffer.concat(parts));
}

const refusalOf = (bytes: Uint8Array | readonly number[]): string => refusalBy(decode, bytes);

const checked = files.filter(({ name }) => name === 'two lines, with checksums and size')[0].bytes;

/** Independent blocks of up to 64 KiB, no checksums but that of the header. */
const PLAIN = [0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82];
const END = [0, 0, 0, 0];
const block = (...content: number[]): number[] => [content.length, 0, 0, 0, ...content];

describe('Lz4Decoder', () => {
  test.each(files)('reads what lz4 writes: $name', ({ bytes, sha256 }) => {
    for (const length of [bytes.length, 1, 7, 1000]) expect(hashOf(decode(bytes, length))).toBe(sha256);
  });

  test('reads several frames, and frames to skip between them', () => {
    const skipped = [0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3];
    const both = Uint8Array.from([...files[0].bytes, ...skipped, ...files[1].bytes, ...skipped]);
    expect(Buffer.from(decode(both)).toString()).toBe('q1 Q0 d1 1 2.5 t\nq1 Q0 d2 2 1.5 t\n'.repeat(2));
  });

  test('refuses a frame that is cut off anywhere, and one with anything behind it', () => {
    for (let end = 0; end < checked.length; end++) expect(refusalOf(checked.subarray(0, end))).toContain('the LZ4 frame is cut off');
    expect(refusalOf([...checked, 1])).toContain('there are 1 bytes behind the last LZ4 frame');
    expect(refusalOf([...checked, 1, 2, 3, 4])).toContain('is no LZ4 frame');
  });

  test('refuses every flip of a bit in a frame with checksums', () => {
    for (let at = 0; at < checked.length; at++) {
      for (let bit = 0; bit < 8; bit++) {
        const flipped = checked.slice();
        flipped[at] ^= 1 << bit;
        expect(refusalOf(flipped), `byte ${at}, bit ${bit}`).not.toBe('accepted');
      }
    }
  });

  test.each<[string, number[], string]>([
    ['a match before the start', [...PLAIN, ...block(0x10, 97, 2, 0, 0x00), ...END], 'a match that reaches before the start'],
    ['a match at distance 0', [...PLAIN, ...block(0x10, 97, 0, 0, 0x00), ...END], 'a match that reaches before the start'],
    ['literals that are cut off', [...PLAIN, ...block(0x50, 97), ...END], 'literals that are cut off'],
    ['a match at the end', [...PLAIN, ...block(0x11, 97), ...END], 'a match that is cut off'],
    ['half a distance', [...PLAIN, ...block(0x10, 97, 1), ...END], 'a match that is cut off'],
    ['no literals at the end', [...PLAIN, ...block(0x10, 97, 1, 0), ...END], 'no literals at its end'],
    ['a length that is cut off', [...PLAIN, ...block(0xf0, 255), ...END], 'a length that is cut off'],
    ['a long match', [...PLAIN, ...block(0x1f, 97, 1, 0, ...new Array(200).fill(255).concat([0]), 0), ...END], 'accepted'],
    ['too much content', [...PLAIN, 0x06, 0x02, 0, 0, 0x1f, 97, 1, 0, ...new Array(513).fill(255), 0, ...END], 'more content than'],
    ['a block that is too large', [...PLAIN, 1, 0, 1, 0], 'has 65537 bytes, expected 1 to 65536'],
    ['another version', [0x04, 0x22, 0x4d, 0x18, 0xa0, 0x40, 0x82], 'has version 2, expected 1'],
    ['reserved bits', [0x04, 0x22, 0x4d, 0x18, 0x62, 0x40, 0x82], 'reserved bits'],
    ['a header that was damaged', [0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x83], 'header of the LZ4 frame does not match'],
    ['a dictionary', [0x04, 0x22, 0x4d, 0x18, 0x61, 0x40, 0, 0, 0, 0, 0], 'decompress it with lz4 -dc -D DICTIONARY'],
  ])('%s', (_, bytes, expected) => expect(refusalOf(bytes)).toContain(expected));
});

test('Checksum32 is what xxhsum -H32 prints', () => {
  // XXH32 of nothing is 02cc5d05, of "abc" 32d153ff, of "Nobody inspects the spammish repetition" e2293b2f
  const sumOf = (text: string, pieceLength: number): string => {
    const bytes = Buffer.from(text);
    const checksum = new Checksum32();
    for (let at = 0; at < bytes.length; at += pieceLength) checksum.update(bytes, at, Math.min(bytes.length, at + pieceLength));
    return checksum.value().toString(16).padStart(8, '0');
  };
  for (const length of [1, 5, 16, 100]) {
    expect(sumOf('', length)).toBe('02cc5d05');
    expect(sumOf('abc', length)).toBe('32d153ff');
    expect(sumOf('Nobody inspects the spammish repetition', length)).toBe('e2293b2f');
  }
});

test('a frame within a frame is undone as well, as ranx writes them', async () => {
  const stored = (content: Uint8Array): Uint8Array =>
    Uint8Array.from([...PLAIN, content.length & 255, content.length >> 8, 0, 0x80, ...content, ...END]);
  for (const text of ['q1 Q0 d1 1 2.5 t\n', 'abc', '']) {
    const once = stored(Buffer.from(text));
    for (const bytes of text === '' ? [] : [once, stored(once)]) {
      const parts: Uint8Array[] = [];
      for await (const chunk of plainChunks(bytesSource(bytes, 'x.lz4'))) parts.push(chunk.slice());
      expect(Buffer.concat(parts).toString()).toBe(text);
    }
  }
});
