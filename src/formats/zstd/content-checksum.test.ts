import { expect, test } from 'vitest';
import { ContentChecksum } from './content-checksum.js';

function checksumOf(bytes: Uint8Array, pieceLength = Math.max(1, bytes.length)): number {
  const checksum = new ContentChecksum();
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < bytes.length; at += pieceLength) checksum.update(bytes, at, Math.min(at + pieceLength, bytes.length), view);
  return checksum.low32();
}

/** XXH64 as its description states it, in whole numbers of any size. */
function xxh64(bytes: Uint8Array): bigint {
  const [p1, p2, p3, p4, p5] = [0x9e3779b185ebca87n, 0xc2b2ae3d27d4eb4fn, 0x165667b19e3779f9n, 0x85ebca77c2b2ae63n, 0x27d4eb2f165667c5n];
  const cut = (x: bigint): bigint => BigInt.asUintN(64, x);
  const turn = (x: bigint, by: bigint): bigint => cut((x << by) | (x >> (64n - by)));
  const read = (at: number, length: number): bigint => {
    let word = 0n;
    for (let i = length - 1; i >= 0; i--) word = (word << 8n) | BigInt(bytes[at + i]);
    return word;
  };
  const round = (lane: bigint, word: bigint): bigint => cut(turn(cut(lane + word * p2), 31n) * p1);
  let at = 0;
  let hash = p5;
  if (bytes.length >= 32) {
    const lanes = [cut(p1 + p2), p2, 0n, cut(-p1)];
    for (; at + 32 <= bytes.length; at += 32) for (let i = 0; i < 4; i++) lanes[i] = round(lanes[i], read(at + 8 * i, 8));
    hash = cut(turn(lanes[0], 1n) + turn(lanes[1], 7n) + turn(lanes[2], 12n) + turn(lanes[3], 18n));
    for (const lane of lanes) hash = cut((hash ^ round(0n, lane)) * p1 + p4);
  }
  hash = cut(hash + BigInt(bytes.length));
  for (; at + 8 <= bytes.length; at += 8) hash = cut(turn(hash ^ round(0n, read(at, 8)), 27n) * p1 + p4);
  for (; at + 4 <= bytes.length; at += 4) hash = cut(turn(hash ^ cut(read(at, 4) * p1), 23n) * p2 + p3);
  for (; at < bytes.length; at++) hash = cut(turn(hash ^ cut(read(at, 1) * p5), 11n) * p1);
  hash = cut((hash ^ (hash >> 33n)) * p2);
  hash = cut((hash ^ (hash >> 29n)) * p3);
  return hash ^ (hash >> 32n);
}

test('ContentChecksum is what xxhsum prints', () => {
  // XXH64 of nothing is ef46db3751d8e999, of "abc" 44bc2cf5ad770999
  expect(checksumOf(new Uint8Array(0))).toBe(0x51d8e999);
  expect(checksumOf(Uint8Array.from(Buffer.from('abc')))).toBe(0xad770999);
});

test('ContentChecksum is what the description of XXH64 gives, for any length and pieces', () => {
  for (let length = 0; length < 200; length++) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 151 + length * 7) & 0xff);
    const expected = Number(xxh64(bytes) & 0xffffffffn);
    for (const piece of [1, 5, 32, 33, 200]) expect([length, piece, checksumOf(bytes, piece)]).toEqual([length, piece, expected]);
  }
});
