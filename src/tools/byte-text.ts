import { textCapacity, writeText } from '../core/text.js';
import { atol, strtod } from '../formats/text/strtod.js';

/** The tool never looks at an encoding: names, paths and ids are bytes that it copies. Here a *byte text* is a string with
 *  one character per byte, so that lengths, cuts and comparisons are those of the bytes. */

/** The bytes of an argument, as a byte text. */
export function toByteText(argument: string): string {
  if (isPlain(argument)) return argument;
  const bytes = new Uint8Array(textCapacity(argument)); // fits: bytes
  const end = writeText(bytes, 0, argument);
  return String.fromCharCode(...bytes.subarray(0, end));
}

/** The argument that `toByteText` was given. */
export function fromByteText(text: string): string {
  return isPlain(text) ? text : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytesOf(text));
}

/** The bytes of a text in which every character stands for one byte. */
export function bytesOf(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length); // fits: bytes; only texts of characters below 256 come here
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** A number as C's `atof` reads it. */
export function doubleOf(text: string): number {
  return strtod(bytesOf(text), 0, text.length);
}

/** A whole number as C's `atol` reads it. Beyond 2^53 it is rounded. */
export function longOf(text: string): number {
  return atol(bytesOf(text), 0, text.length);
}

/** The same number without rounding. */
export function exactLongOf(text: string): bigint {
  const digits = /^[ \t\n\v\f\r]*([+-]?)(\d+)/.exec(text);
  if (digits === null) return 0n;
  const size = BigInt(digits[2]);
  const negative = digits[1] === '-';
  if (size > LONG_MAX) return negative ? -LONG_MAX - 1n : LONG_MAX;
  return negative ? -size : size;
}

const LONG_MAX = 2n ** 63n - 1n;

function isPlain(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}
