import { textCapacity, writeText } from './text.js';

const firstFactor = 0xcc9e2d51;
const secondFactor = 0x1b873593;

/** Appleby's MurmurHash3 for 32 bits with seed 0, over bytes[start..end); a whole number from 0 to 2^32 - 1.
 *  Every bit depends on every byte, so the low bits alone serve as the slot of a power-of-two table. It reads four bytes
 *  a step and needs no 64-bit products, so the WebAssembly scanner computes the same number for the same id. */
export function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0;
  const lastWhole = end - 3;
  let i = start;
  for (; i < lastWhole; i += 4) {
    let word = bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24);
    word = Math.imul(word, firstFactor);
    word = (word << 15) | (word >>> 17);
    hash ^= Math.imul(word, secondFactor);
    hash = (hash << 13) | (hash >>> 19);
    hash = (Math.imul(hash, 5) + 0xe6546b64) | 0;
  }
  if (i < end) {
    let word = bytes[i];
    if (i + 1 < end) word |= bytes[i + 1] << 8;
    if (i + 2 < end) word |= bytes[i + 2] << 16;
    word = Math.imul(word, firstFactor);
    word = (word << 15) | (word >>> 17);
    hash ^= Math.imul(word, secondFactor);
  }
  hash ^= end - start;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** `hashBytes` of the text in UTF-8, without writing it out where it is plain ASCII, as nearly every id is. */
export function hashText(text: string): number {
  const { length } = text;
  let hash = 0;
  let seen = 0;
  const lastWhole = length - 3;
  let i = 0;
  for (; i < lastWhole; i += 4) {
    const a = text.charCodeAt(i);
    const b = text.charCodeAt(i + 1);
    const c = text.charCodeAt(i + 2);
    const d = text.charCodeAt(i + 3);
    seen |= a | b | c | d;
    let word = a | (b << 8) | (c << 16) | (d << 24);
    word = Math.imul(word, firstFactor);
    word = (word << 15) | (word >>> 17);
    hash ^= Math.imul(word, secondFactor);
    hash = (hash << 13) | (hash >>> 19);
    hash = (Math.imul(hash, 5) + 0xe6546b64) | 0;
  }
  if (i < length) {
    let word = 0;
    for (let shift = 0; i < length; i++, shift += 8) {
      const code = text.charCodeAt(i);
      seen |= code;
      word |= code << shift;
    }
    word = Math.imul(word, firstFactor);
    word = (word << 15) | (word >>> 17);
    hash ^= Math.imul(word, secondFactor);
  }
  if (seen >= 0x80) {
    const bytes = new Uint8Array(textCapacity(text)); // fits: bytes
    return hashBytes(bytes, 0, writeText(bytes, 0, text));
  }
  hash ^= length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
