/** CBOR (RFC 8949) as the same tree that JSON becomes. */
import { limits } from '../../core/limits.js';
import { readText } from '../../core/text.js';
import { type JsonValue, JsonWord } from './json-value.js';

/** What is wrong with data that are not CBOR. */
export class BrokenCbor extends Error {}

const UNSIGNED = 0;
const NEGATIVE = 1;
const BYTES = 2;
const TEXT = 3;
const ARRAY = 4;
const MAP = 5;
const TAG = 6;
const INDEFINITE = -1;
const BREAK = 0xff;

class CborReader {
  private at = 0;
  private readonly bytes: Uint8Array;
  private readonly view: DataView;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  whole(): JsonValue {
    const value = this.value(0);
    if (this.at < this.bytes.length) throw new BrokenCbor(`there are ${this.bytes.length - this.at} bytes behind its end`);
    return value;
  }

  private value(depth: number): JsonValue {
    if (depth > limits.jsonNesting) throw new BrokenCbor(`it is nested more than ${limits.jsonNesting} deep`);
    const initial = this.bytes[this.take(1)];
    const major = initial >> 5;
    if (major === 7) return this.simple(initial & 31);
    const argument = this.argument(initial & 31);
    switch (major) {
      case UNSIGNED:
        return new JsonWord(String(argument));
      case NEGATIVE:
        return new JsonWord(String(-1 - argument));
      case BYTES:
      case TEXT:
        return this.text(argument, major);
      case ARRAY:
        return this.array(argument, depth);
      case MAP:
        return this.map(argument, depth);
      default:
        // what a tag says about its value does not matter here
        if (major !== TAG) throw new BrokenCbor('it has an unknown type');
        return this.value(depth + 1);
    }
  }

  private array(length: number, depth: number): JsonValue {
    const items: JsonValue[] = [];
    for (let i = 0; length === INDEFINITE ? !this.isBreak() : i < length; i++) items.push(this.value(depth + 1));
    return items;
  }

  private map(length: number, depth: number): JsonValue {
    const map = new Map<string, JsonValue>();
    for (let i = 0; length === INDEFINITE ? !this.isBreak() : i < length; i++) {
      const key = this.value(depth + 1);
      const name = typeof key === 'string' ? key : key instanceof JsonWord ? key.spelling : undefined;
      if (name === undefined) throw new BrokenCbor('it has a key that is no text');
      if (map.has(name)) throw new BrokenCbor(`the key ${name} occurs twice in one map`);
      map.set(name, this.value(depth + 1));
    }
    return map;
  }

  private text(length: number, major: number): string {
    if (length !== INDEFINITE) {
      const start = this.take(length);
      return readText(this.bytes, start, start + length);
    }
    let whole = '';
    while (!this.isBreak()) {
      const initial = this.bytes[this.take(1)];
      if (initial >> 5 !== major) throw new BrokenCbor('a text is in pieces that are no text');
      whole += this.text(this.argument(initial & 31), major);
    }
    return whole;
  }

  private simple(kind: number): JsonValue {
    if (kind === 20 || kind === 21) return new JsonWord(kind === 21 ? 'true' : 'false');
    if (kind === 25) return new JsonWord(String(this.half()));
    if (kind === 26) return new JsonWord(String(this.view.getFloat32(this.take(4))));
    if (kind === 27) return new JsonWord(String(this.view.getFloat64(this.take(8))));
    if (kind === 31) throw new BrokenCbor('it ends a list that it has not begun');
    if (kind === 24) this.take(1);
    return new JsonWord('null');
  }

  /** A number of 16 bits. */
  private half(): number {
    const bits = this.view.getUint16(this.take(2));
    const sign = bits >> 15 === 1 ? -1 : 1;
    const exponent = (bits >> 10) & 31;
    const fraction = bits & 1023;
    if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
    return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25));
  }

  private argument(kind: number): number {
    if (kind < 24) return kind;
    if (kind === 24) return this.bytes[this.take(1)];
    if (kind === 25) return this.view.getUint16(this.take(2));
    if (kind === 26) return this.view.getUint32(this.take(4));
    if (kind === 27) return Number(this.view.getBigUint64(this.take(8)));
    if (kind === 31) return INDEFINITE;
    throw new BrokenCbor('it has a length of an unknown kind');
  }

  private isBreak(): boolean {
    if (this.bytes[this.at] !== BREAK) return false;
    this.at++;
    return true;
  }

  /** Where the next `length` bytes are. */
  private take(length: number): number {
    if (length > this.bytes.length - this.at) throw new BrokenCbor('it is cut off');
    const start = this.at;
    this.at += length;
    return start;
  }
}

/** The value that the bytes are.
 *  @throws `BrokenCbor` */
export function cborValue(bytes: Uint8Array): JsonValue {
  return new CborReader(bytes).whole();
}
