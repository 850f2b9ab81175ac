import { constants, gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../core/numbers/random.js';
import { InputError } from '../../core/problem.js';
import { GzipDecoder } from './decoder.js';

function decode(bytes: Uint8Array, pieceLength = Math.max(1, bytes.length)): Buffer {
  const decoder = new GzipDecoder({ source: 'a.gz' });
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += pieceLength) {
    for (const part of decoder.push(bytes.subarray(at, at + pieceLength))) parts.push(part.slice());
  }
  for (const part of decoder.finish()) parts.push(part.slice());
  return Buffer.concat(parts);
}

const random = seededRandom(3);
const lines = Array.from({ length: 20_000 }, (_, i) => `${i >> 7} Q0 doc${random.below(1e6)} 1 ${random.float()} t\n`).join('');
const noise = Buffer.from(Array.from({ length: 70_000 }, () => random.below(256)));
const members = Buffer.concat([gzipSync('abc'), gzipSync(''), gzipSync('def'.repeat(999))]);
const membersText = `abc${'def'.repeat(999)}`;

describe('GzipDecoder', () => {
  test.each(['', 'a', 'ab'.repeat(40_000), lines, noise])('reads what zlib writes, at any level and in pieces of any size', (content) => {
    for (const options of [
      { level: 1 },
      { level: 9 },
      { level: 0 },
      { strategy: constants.Z_FIXED },
      { strategy: constants.Z_HUFFMAN_ONLY },
    ]) {
      const bytes = gzipSync(content, options);
      for (const length of [bytes.length, 977, 65_536]) expect(decode(bytes, length).equals(Buffer.from(content))).toBe(true);
    }
  });

  test('reads several members, and zeros behind the last', () => {
    for (const length of [1, 3, 10_000]) {
      expect(decode(members, length).toString()).toBe(membersText);
      expect(decode(Buffer.concat([members, Buffer.alloc(700)]), length).toString()).toBe(membersText);
    }
  });

  test('reads a header with a name, a comment, extra fields and a checksum of its own', () => {
    const plain = gzipSync('abc');
    const header = [0x1f, 0x8b, 8, 4 | 8 | 16, 0, 0, 0, 0, 0, 3, 2, 0, 7, 7, 110, 0, 99, 0];
    const bytes = Buffer.concat([Uint8Array.from(header), plain.subarray(10)]);
    expect(gunzipSync(bytes).toString()).toBe('abc');
    for (const length of [1, 100]) expect(decode(bytes, length).toString()).toBe('abc');
  });

  test.each([
    ['nothing', Buffer.alloc(0), 'unexpected end of file'],
    ['a file that is cut off', members.subarray(0, -1), 'unexpected end of file'],
    ['a second member that is cut off', members.subarray(0, 30), 'unexpected end of file'],
    ['something behind the last member', Buffer.concat([members, Buffer.from('more')]), 'incorrect header check'],
    ['something behind the zeros', Buffer.concat([members, Buffer.alloc(5), members]), 'data behind the zeros at its end'],
  ])('refuses %s', (_, bytes, reason) => {
    expect(() => decode(bytes)).toThrow(`a.gz: cannot be decompressed as gzip: ${reason}; the file is damaged or incomplete`);
    expect(() => decode(bytes, 1)).toThrow(`a.gz: cannot be decompressed as gzip: ${reason}`);
  });

  test('judges damaged files as zlib does, but for what stands behind zeros', () => {
    const bases = [
      gzipSync(lines.slice(0, 1500)),
      members,
      gzipSync(noise.subarray(0, 200)),
      gzipSync('ab'.repeat(99), { strategy: constants.Z_FIXED }),
    ];
    let numRead = 0;
    for (let i = 0; i < 3000; i++) {
      let bytes = Buffer.from(bases[random.below(bases.length)]);
      const kind = random.below(4);
      if (kind === 0) bytes = bytes.subarray(0, 1 + random.below(bytes.length));
      else if (kind === 1) bytes = Buffer.concat([bytes.subarray(0, random.below(bytes.length)), bases[random.below(bases.length)]]);
      else bytes[random.below(bytes.length)] ^= 1 << random.below(8);
      let found: Buffer | undefined;
      let expected: Buffer | undefined;
      let reason = '';
      try {
        found = decode(bytes, 1 + random.below(bytes.length));
      } catch (error) {
        expect(error).toBeInstanceOf(InputError);
        reason = (error as InputError).message;
      }
      try {
        expected = gunzipSync(bytes);
      } catch {}
      if (!reason.includes('behind the zeros')) expect([i, found]).toEqual([i, expected]);
      if (found !== undefined) numRead++;
    }
    expect(numRead).toBeGreaterThan(100);
  });
});
