/** Ids are kept as bytes, because that is how every tool of the field compares them. This module turns JavaScript
 *  strings into those bytes and back without losing anything: a lone surrogate is written as three bytes, so two
 *  different strings never become the same id. */

/** The largest number of bytes `writeText` can need for this string. */
export function textCapacity(text: string): number {
  return text.length * 3;
}

/** Writes the string as UTF-8 and returns the offset after its last byte. */
export function writeText(bytes: Uint8Array, offset: number, text: string): number {
  let at = offset;
  for (let i = 0; i < text.length; i++) {
    let code = text.charCodeAt(i);
    if (code < 0x80) {
      bytes[at++] = code;
      continue;
    }
    if (code < 0x800) {
      bytes[at++] = 0xc0 | (code >> 6);
      bytes[at++] = 0x80 | (code & 63);
      continue;
    }
    if (code >= 0xd800 && code < 0xdc00 && i + 1 < text.length) {
      const low = text.charCodeAt(i + 1);
      if (low >= 0xdc00 && low < 0xe000) {
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        i++;
        bytes[at++] = 0xf0 | (code >> 18);
        bytes[at++] = 0x80 | ((code >> 12) & 63);
        bytes[at++] = 0x80 | ((code >> 6) & 63);
        bytes[at++] = 0x80 | (code & 63);
        continue;
      }
    }
    bytes[at++] = 0xe0 | (code >> 12);
    bytes[at++] = 0x80 | ((code >> 6) & 63);
    bytes[at++] = 0x80 | (code & 63);
  }
  return at;
}

const decoder: TextDecoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Bytes as text for people. Bytes that are not UTF-8 appear as U+FFFD, except the lone surrogates `writeText` wrote. */
export function readText(bytes: Uint8Array, start: number, end: number): string {
  // ids are nearly always short and plain; building such a string by hand is cheaper than calling the decoder
  if (end - start <= 24) {
    let text = '';
    let at = start;
    while (at < end && bytes[at] < 0x80) text += String.fromCharCode(bytes[at++]);
    if (at === end) return text;
  }
  // the decoder does not take views of shared memory
  const part = bytes.slice(start, end);
  const text = decoder.decode(part);
  return text.includes('\ufffd') ? readWithSurrogates(part, text) : text;
}

function readWithSurrogates(bytes: Uint8Array, decoded: string): string {
  let text = '';
  let plainFrom = 0;
  for (let i = 0; i + 2 < bytes.length; i++) {
    if (bytes[i] === 0xed && bytes[i + 1] >= 0xa0 && bytes[i + 1] < 0xc0 && (bytes[i + 2] & 0xc0) === 0x80) {
      text += decoder.decode(bytes.subarray(plainFrom, i));
      text += String.fromCharCode(0xd000 | ((bytes[i + 1] & 63) << 6) | (bytes[i + 2] & 63));
      i += 2;
      plainFrom = i + 1;
    }
  }
  return plainFrom === 0 ? decoded : text + decoder.decode(bytes.subarray(plainFrom));
}

/** Bytes as a string with one character per byte: what a program that never looked at the encoding would print. */
export function readLatin1(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  let at = start;
  // letter by letter a long text would become a string of millions of parts
  for (; end - at > LATIN1_PIECE; at += LATIN1_PIECE) text += String.fromCharCode(...bytes.subarray(at, at + LATIN1_PIECE));
  for (; at < end; at++) text += String.fromCharCode(bytes[at]);
  return text;
}

const LATIN1_PIECE = 4096;

/** Compares two byte strings as C's `strcmp` does: by unsigned byte, a prefix before what it begins. */
export function compareBytes(a: Uint8Array, aStart: number, aEnd: number, b: Uint8Array, bStart: number, bEnd: number): number {
  const shared = Math.min(aEnd - aStart, bEnd - bStart);
  for (let i = 0; i < shared; i++) {
    const difference = a[aStart + i] - b[bStart + i];
    if (difference !== 0) return difference;
  }
  return aEnd - aStart - (bEnd - bStart);
}

/** Whether two stretches of bytes are the same. */
export function equalBytes(a: Uint8Array, aStart: number, aEnd: number, b: Uint8Array, bStart: number, bEnd: number): boolean {
  const length = aEnd - aStart;
  if (bEnd - bStart !== length) return false;
  for (let i = 0; i < length; i++) if (a[aStart + i] !== b[bStart + i]) return false;
  return true;
}

/** White space as C and Perl have it: the space, and the bytes from tab to carriage return. */
export function isWhite(byte: number): boolean {
  return byte === 32 || (byte >= 9 && byte <= 13);
}

/** Whether these bytes are the text, as `writeText` writes it. */
export function isTextOf(text: string, bytes: Uint8Array, start: number, end: number): boolean {
  const { length } = text;
  if (end - start < length) return false;
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0x80) return compareWithBytes(text, bytes, start, end) === 0;
    if (bytes[start + i] !== code) return false;
  }
  return end - start === length;
}

function compareWithBytes(text: string, bytes: Uint8Array, start: number, end: number): number {
  const written = new Uint8Array(textCapacity(text)); // fits: bytes
  return compareBytes(written, 0, writeText(written, 0, text), bytes, start, end);
}

/** Compares two texts by their bytes as `writeText` writes them, which JavaScript's `<` does not. */
export function compareTexts(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const codeA = a.charCodeAt(i);
    const codeB = b.charCodeAt(i);
    if (codeA === codeB) continue;
    // below the surrogates, code units are in the order of their bytes
    if (codeA < 0xd800 && codeB < 0xd800) return codeA - codeB;
    const bytes = new Uint8Array(textCapacity(b)); // fits: bytes
    return compareWithBytes(a, bytes, 0, writeText(bytes, 0, b));
  }
  return a.length - b.length;
}
