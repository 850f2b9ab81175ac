import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { skippableFrame, zstdMutants } from '../../../scripts/zstd-mutants.mjs';
import { hashOf, refusalBy } from '../../../test/helpers/decoded-bytes.js';
import { seededRandom } from '../../core/numbers/random.js';
import { InputError } from '../../core/problem.js';
import { decompressZstd, ZstdDecoder } from './decoder.js';

function golden(name: string) {
  return JSON.parse(readFileSync(new URL(`../../../test/golden/zstd/${name}.json`, import.meta.url), 'utf8'));
}

const files: { name: string; content: string | null; bytes: Uint8Array }[] = golden('files').files.map(
  ({ name, content, base64 }: { name: string; content: string | null; base64: string }) => ({
    name,
    content,
    bytes: Uint8Array.from(Buffer.from(base64, 'base64')),
  }),
);

function decode(bytes: Uint8Array, pieceLength = bytes.length): Uint8Array {
  const decoder = new ZstdDecoder({ source: 'a.zst' });
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += pieceLength) {
    for (const part of decoder.push(bytes.subarray(at, at + pieceLength))) parts.push(part.slice());
  }
  decoder.finish();
  return Uint8Array.from(Buffer.concat(parts));
}

function textOf(bytes: Uint8Array | number[]): string {
  return Buffer.from(decode(Uint8Array.from(bytes))).toString('latin1');
}

const refusalOf = (bytes: Uint8Array | readonly number[]): string => refusalBy(decode, bytes);

const MAGIC = [0x28, 0xb5, 0x2f, 0xfd];
/** Neither content size nor checksum, and a window of 1 KiB. */
const PLAIN = [...MAGIC, 0x00, 0x00];
const LAST = 1;

function block(kind: 'raw' | 'repeated' | 'compressed' | 'reserved', size: number, content: readonly number[], last = LAST): number[] {
  const header = (size << 3) | (['raw', 'repeated', 'compressed', 'reserved'].indexOf(kind) << 1) | last;
  return [header & 0xff, (header >> 8) & 0xff, header >> 16, ...content];
}

const compressed = (...content: number[]): number[] => [...PLAIN, ...block('compressed', content.length, content)];
const raw = (text: string, last = LAST): number[] => block('raw', text.length, [...Buffer.from(text)], last);
/** Three literals as they are: the header of a section, and its content. */
const ABC = [3 << 3, 97, 98, 99];

describe('ZstdDecoder reads what zstd writes', () => {
  test.each(files.filter(({ content }) => content !== null))('$name', ({ bytes, content }) => {
    expect(hashOf(decode(bytes))).toBe(content);
    for (const length of [1, 7, 1000]) expect(hashOf(decode(bytes, length))).toBe(content);
  });

  test('a file of several frames, one after another, and frames to skip wherever they stand', () => {
    const [one, two] = files.filter(({ name }) => name.startsWith('level 3, with')).map(({ bytes }) => bytes);
    const expected = Buffer.concat([decode(one), decode(two), decode(one)]);
    for (const between of [[], skippableFrame(''), skippableFrame('x'.repeat(300), 9)]) {
      const bytes = Buffer.concat([Uint8Array.from(between), one, Uint8Array.from(between), two, one, Uint8Array.from(between)]);
      expect(Buffer.compare(decode(bytes), expected)).toBe(0);
      expect(Buffer.compare(decode(bytes, 3), expected)).toBe(0);
    }
    expect(decode(skippableFrame('alone'))).toHaveLength(0);
  });
});

describe('ZstdDecoder and the real zstd', () => {
  const { seed, verdicts }: { seed: number; verdicts: (string | null)[] } = golden('verdicts');
  const mutants = zstdMutants(
    files.map(({ bytes }) => bytes),
    verdicts.length,
    seededRandom(seed),
  );
  /** Rules of the standard that version 1.5.4 does not check where there is no checksum. */
  const checkedByUsOnly = /bits are not used up exactly|bits end too early|without its end mark|reserved bit|an offset of zero/;

  test('agree on damaged files: what is refused there is refused here, and what is read is the same', () => {
    let [numRefused, numRead, numRefusedHere] = [0, 0, 0];
    for (const [i, bytes] of mutants.entries()) {
      let found: string | null = null;
      let reason = '';
      try {
        found = hashOf(decode(bytes));
      } catch (error) {
        expect(error).toBeInstanceOf(InputError);
        reason = (error as InputError).message;
      }
      if (found !== null || verdicts[i] === null) expect([i, found]).toEqual([i, verdicts[i]]);
      else {
        expect([i, reason]).toEqual([i, expect.stringMatching(checkedByUsOnly)]);
        numRefusedHere++;
      }
      if (verdicts[i] === null) numRefused++;
      else numRead++;
    }
    // the recorded files are of all sorts
    expect(numRefused).toBeGreaterThan(300);
    expect(numRead).toBeGreaterThan(80);
    expect(numRefusedHere).toBeLessThan(mutants.length / 20);
  });
});

describe('ZstdDecoder refuses', () => {
  const wayOut = 'the file is damaged or incomplete; fetch or make it again';

  test('every single changed bit of a file with a checksum that changes its content, and every cut', () => {
    const whole = files.find(({ name }) => name === 'level 3, with a content size')?.bytes ?? Uint8Array.of();
    const hash = hashOf(decode(whole));
    let numTaken = 0;
    for (let bit = 0; bit < whole.length * 8; bit++) {
      const changed = whole.slice();
      changed[bit >> 3] ^= 1 << (bit & 7);
      if (refusalOf(changed) === 'accepted') {
        expect(hashOf(decode(changed))).toBe(hash);
        numTaken++;
      }
    }
    // bit 4 of the descriptor means nothing, nor do codes that are not used
    expect(numTaken).toBeGreaterThan(0);
    expect(numTaken).toBeLessThan(whole.length / 10);
    for (let length = 0; length < whole.length; length++) expect(refusalOf(whole.subarray(0, length))).toMatch(/ends? |no frame/);
  });

  const broken: [string, number[], string][] = [
    ['nothing at all', [], 'the data end inside the frame at byte 0'],
    ['a reserved bit in the descriptor', [...MAGIC, 0x08, 0x00, ...raw('a')], 'the frame at byte 0 has a reserved bit that is set'],
    ['a reserved kind of block', [...PLAIN, ...block('reserved', 1, [0])], 'the block at byte 6 has a reserved type'],
    [
      'a block larger than the window',
      [...PLAIN, ...block('repeated', 1025, [97])],
      'the block at byte 6 has 1025 bytes, where at most 1024 are allowed',
    ],
    [
      'less content than is stated',
      [...MAGIC, 0x20, 3, ...raw('ab')],
      'the block at byte 9 has an end after 2 bytes, where its frame states 3',
    ],
    [
      'more content than is stated',
      [...MAGIC, 0x40, 0x00, 0, 0, ...block('repeated', 257, [97])],
      'content beyond the size that its frame states',
    ],
    [
      'something behind the last frame',
      [...PLAIN, ...raw('a'), 1, 2],
      'there are 2 bytes that are no frame behind the last frame, at byte 10',
    ],
    ['another file behind it', [...PLAIN, ...raw('a'), 0x1f, 0x8b, 8, 0], 'what begins at byte 10 is no frame'],
    ['a frame to skip that is cut off', [0x50, 0x2a, 0x4d, 0x18, 5, 0, 0, 0, 1], 'the data end inside the frame at byte 0'],
    ['an empty compressed block', compressed(), 'no content, although it is compressed'],
    ['a compressed block without sequences', compressed(...ABC), 'a block without a number of sequences'],
    ['bytes behind the sequences', compressed(...ABC, 0, 0), 'a block with something behind its end'],
    ['literals longer than the block', compressed(4 << 3, 97, 98, 99), 'literals that are longer than their block'],
    ['a Huffman table from nowhere', compressed(0x03, 0x40, 0x00, 1, 0), 'literals that use an earlier Huffman table where there is none'],
    ['a table of sequences from nowhere', compressed(...ABC, 1, 0xfc, 1), 'sequences that use an earlier table where there is none'],
    ['a reserved bit in the sequences', compressed(...ABC, 1, 0x01, 1), 'a reserved bit that is set'],
    ['sequences without an end mark', compressed(...ABC, 1, 0x00, 0), 'a stream of bits without its end mark'],
    // one symbol for each code: no literals, the last offset but one (4), a length of 3
    ['an offset beyond the content', compressed(...ABC, 1, 0x54, 0, 0, 0, 1), 'an offset that reaches beyond the content or the window'],
    ['a symbol that is too large', compressed(...ABC, 1, 0x54, 36, 0, 0, 1), 'a symbol that no sequence has'],
    ['bits that nothing uses', compressed(...ABC, 1, 0x54, 3, 0, 0, 2), 'sequences whose bits are not used up exactly'],
    ['more literals than there are', compressed(...ABC, 1, 0x54, 4, 0, 0, 1), 'a sequence that takes more literals than there are'],
    // the first offset minus one, which is zero: code 1 with one bit set, after no literals
    ['an offset of zero', [...PLAIN, ...raw('abcd', 0), ...block('compressed', 10, [...ABC, 1, 0x54, 0, 1, 0, 3])], 'an offset of zero'],
  ];
  test.each(broken)('%s', (_, bytes, reason) => {
    const message = refusalOf(bytes);
    expect(message).toMatch(/^a\.zst: cannot be decompressed as zstd: /);
    expect(message).toContain(reason);
    expect(message.endsWith(wayOut)).toBe(true);
  });

  test('nothing of what lies beside: the same frames, put right', () => {
    expect(textOf([...PLAIN, ...raw('a')])).toBe('a');
    expect(textOf([...PLAIN, ...block('repeated', 1024, [97])])).toBe('a'.repeat(1024));
    expect(textOf([...MAGIC, 0x20, 2, ...raw('ab')])).toBe('ab');
    expect(textOf(compressed(...ABC, 0))).toBe('abc');
    // three literals, then the last offset (1) for a length of 3
    expect(textOf(compressed(...ABC, 1, 0x54, 3, 0, 0, 1))).toBe('abcccc');
    // no literals, the last offset but one (4)
    expect(textOf([...PLAIN, ...raw('abcd', 0), ...block('compressed', 10, [...ABC, 1, 0x54, 0, 0, 0, 1])])).toBe('abcdabcabc');
  });

  test('a frame that needs a dictionary, with a suggestion', () => {
    const { bytes } = files.find(({ name }) => name === 'a dictionary') ?? { bytes: Uint8Array.of() };
    expect(refusalOf(bytes)).toMatch(
      /^a\.zst: cannot be decompressed as zstd: it was compressed with the dictionary number \d+; decompress it with zstd -d -D DICTIONARY FILE$/,
    );
  });

  test('a window of more than 128 MiB, and takes one of 128 MiB without setting so much memory aside', () => {
    const before = process.memoryUsage().arrayBuffers;
    const withWindow = (descriptor: number): number[] => [...MAGIC, 0x00, descriptor, ...raw('abc')];
    expect(textOf(withWindow(17 << 3))).toBe('abc');
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 << 20);
    expect(refusalOf(withWindow((17 << 3) | 1))).toMatch(
      /it needs a window of 150994944 bytes, and at most 134217728 bytes are taken; decompress it with zstd -d --memory=2048MB FILE$/,
    );
    expect(refusalOf([...MAGIC, 0xe0, 1, 0, 0, 0, 0, 0, 0, 0x80, ...raw('abc')])).toMatch(/it needs a window of \d+ bytes/);
  });

  test('the formats from before version 0.8', () => {
    for (let version = 2; version <= 7; version++) {
      expect(refusalOf([0x20 + version, 0xb5, 0x2f, 0xfd, 0, 0])).toMatch(
        /it has the format of a zstd before 0\.8; decompress it with zstd -d/,
      );
    }
  });
});

describe('decompressZstd', () => {
  test('gives exactly as many bytes as are asked for', () => {
    const bytes = Uint8Array.from([...PLAIN, ...raw('abc')]);
    expect(Buffer.from(decompressZstd(bytes, 3)).toString()).toBe('abc');
    expect(() => decompressZstd(bytes, 4)).toThrow('the zstd data give 3 bytes, expected 4');
    expect(() => decompressZstd(bytes, 2)).toThrow('the zstd data give more bytes, expected 2');
  });
});
