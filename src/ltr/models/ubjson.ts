import { InputError } from '../../core/problem.js';
import { joinChunks } from '../../formats/text/byte-writer.js';

/** Universal Binary JSON, as far as XGBoost's models use it: big-endian numbers with a marker before each, arrays and objects with or
 *  without a count, arrays of numbers with one marker for all. */

/** Deeper documents than this are not models. */
const DEEPEST = 64;

const numberSizes: Readonly<Record<string, number>> = { i: 1, U: 1, I: 2, l: 4, L: 8, d: 4, D: 8 };

/** The document that the bytes hold. */
export function readUbjson(bytes: Uint8Array): unknown {
  const reader = new UbjsonReader(bytes);
  const document = reader.value(reader.marker(), 0);
  reader.end();
  return document;
}

class UbjsonReader {
  private readonly bytes: Uint8Array;
  private readonly view: DataView;
  private at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  marker(): string {
    return String.fromCharCode(this.bytes[this.take(1)]);
  }

  value(marker: string, depth: number): unknown {
    if (depth > DEEPEST) throw new InputError(`the UBJSON document is nested more than ${DEEPEST} deep`);
    if (marker === '{') return this.object(depth);
    if (marker === '[') return this.array(depth);
    if (marker === 'S') return this.text();
    if (marker === 'T') return true;
    if (marker === 'F') return false;
    if (marker === 'Z') return null;
    return this.number(marker);
  }

  end(): void {
    if (this.at < this.bytes.length) throw new InputError(`the UBJSON document ends at byte ${this.at}, the file goes on`);
  }

  private object(depth: number): unknown {
    const members: Record<string, unknown> = {};
    const count = this.count();
    for (let i = 0; count === undefined ? !this.closes('}') : i < count; i++) {
      const name = this.text();
      // a member of its own, whatever its name is
      Object.defineProperty(members, name, { value: this.value(this.marker(), depth + 1), enumerable: true, configurable: true });
    }
    return members;
  }

  private array(depth: number): unknown {
    if (this.peek() === '$') {
      this.take(1);
      const type = this.marker();
      const count = this.count();
      if (count === undefined) throw this.unexpected('the number of values');
      const size = numberSizes[type];
      if (size === undefined) throw this.unexpected('the type of numbers', type);
      // refused before room is made for them
      if (count * size > this.bytes.length - this.at) throw this.cutOff();
      return Array.from({ length: count }, () => this.number(type));
    }
    const count = this.count();
    const values: unknown[] = [];
    for (let i = 0; count === undefined ? !this.closes(']') : i < count; i++) values.push(this.value(this.marker(), depth + 1));
    return values;
  }

  /** The count after `#`, if there is one. */
  private count(): number | undefined {
    if (this.peek() !== '#') return undefined;
    this.take(1);
    return this.length();
  }

  private length(): number {
    const length = this.number(this.marker());
    if (!Number.isInteger(length) || length < 0 || length > this.bytes.length) throw this.cutOff();
    return length;
  }

  private text(): string {
    const length = this.length();
    const start = this.take(length);
    return new TextDecoder().decode(this.bytes.subarray(start, start + length));
  }

  private number(marker: string): number {
    const size = numberSizes[marker];
    if (size === undefined) throw this.unexpected('a value', marker);
    const at = this.take(size);
    if (marker === 'i') return this.view.getInt8(at);
    if (marker === 'U') return this.view.getUint8(at);
    if (marker === 'I') return this.view.getInt16(at);
    if (marker === 'l') return this.view.getInt32(at);
    if (marker === 'd') return this.view.getFloat32(at);
    if (marker === 'D') return this.view.getFloat64(at);
    return Number(this.view.getBigInt64(at));
  }

  private peek(): string {
    return String.fromCharCode(this.bytes[this.at]);
  }

  private closes(bracket: string): boolean {
    if (this.peek() !== bracket) return false;
    this.at++;
    return true;
  }

  private take(length: number): number {
    const start = this.at;
    if (start + length > this.bytes.length) throw this.cutOff();
    this.at += length;
    return start;
  }

  private cutOff(): InputError {
    return new InputError({ message: `the UBJSON document is cut off at byte ${this.at}`, wayOut: 'save the model again' });
  }

  private unexpected(expected: string, found = this.peek()): InputError {
    return new InputError(`byte ${this.at} of the UBJSON document: found ${JSON.stringify(found)}, expected ${expected}`);
  }
}

/** Which arrays of the document have one marker for all their numbers, and which: XGBoost refuses others. */
export type TypeOfArray = (path: readonly string[]) => 'd' | 'l' | 'U' | 'L' | undefined;

/** The document as XGBoost writes it: names and texts with counts of 64 bits, arrays with counts. */
export function writeUbjson(document: unknown, typeOf: TypeOfArray): Uint8Array {
  const parts: Uint8Array[] = [];
  const mark = (text: string): void => {
    parts.push(new TextEncoder().encode(text));
  };
  const count = (value: number): void => {
    const bytes = new Uint8Array(9); // fits: bytes
    bytes[0] = 'L'.charCodeAt(0);
    new DataView(bytes.buffer).setBigInt64(1, BigInt(value));
    parts.push(bytes);
  };
  const text = (value: string): void => {
    const bytes = new TextEncoder().encode(value);
    count(bytes.length);
    parts.push(bytes);
  };
  const numbers = (values: readonly number[], type: 'd' | 'l' | 'U' | 'L'): void => {
    const size = numberSizes[type];
    const view = new DataView(new ArrayBuffer(values.length * size));
    values.forEach((value, i) => {
      if (type === 'd') view.setFloat32(i * 4, Math.fround(value));
      else if (type === 'l') view.setInt32(i * 4, value);
      else if (type === 'U') view.setUint8(i, value);
      else view.setBigInt64(i * 8, BigInt(value));
    });
    parts.push(new Uint8Array(view.buffer)); // fits: a view of bytes
  };
  const write = (value: unknown, path: readonly string[]): void => {
    if (typeof value === 'string') {
      mark('S');
      text(value);
    } else if (typeof value === 'number') {
      mark(Number.isInteger(value) ? 'L' : 'd');
      numbers([value], Number.isInteger(value) ? 'L' : 'd');
    } else if (typeof value === 'boolean') mark(value ? 'T' : 'F');
    else if (Array.isArray(value)) {
      const type = typeOf(path);
      mark(type === undefined ? '[#' : `[$${type}#`);
      count(value.length);
      if (type !== undefined) numbers(value, type);
      else for (const item of value) write(item, path);
    } else {
      mark('{');
      for (const [name, item] of Object.entries(value ?? {})) {
        text(name);
        write(item, [...path, name]);
      }
      mark('}');
    }
  };
  write(document, []);
  return joinChunks(parts);
}
