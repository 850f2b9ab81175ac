import { lengthened } from '../../core/growing-arrays.js';
import { limits } from '../../core/limits.js';
import { printable } from '../../core/problem.js';
import { readLatin1 } from '../../core/text.js';

/** What stands in a JSON text, in the order it stands there. The bytes are only valid during the call. */
export interface JsonHandler {
  begin(container: 'object' | 'array'): void;
  end(): void;
  key(bytes: Uint8Array, start: number, end: number): void;
  /** A string without its quotes and escapes, or a number, `true`, `false`, `null` (and `NaN`, `Infinity`, which are not
   *  JSON but which Python writes) as it is spelt. */
  scalar(isString: boolean, bytes: Uint8Array, start: number, end: number): void;
}

/** A text that is not JSON. The message says what was expected. */
export class JsonError extends Error {}

const LF = 10;
const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BACKSLASH = 92;

// what is expected next
const VALUE = 0;
const FIRST_VALUE = 1; // or the end of an array
const KEY = 2;
const FIRST_KEY = 3; // or the end of an object
const COLON_NEXT = 4;
const COMMA_OR_END = 5;
const NOTHING = 6;
// what we are in the middle of
const STRING = 7;
const ESCAPE = 8;
const HEX = 9;
const WORD = 10;

const words: ReadonlySet<string> = new Set(['true', 'false', 'null', 'NaN', 'Infinity', '-Infinity']);
const numberForm = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/;
const simpleEscapes: ReadonlyMap<number, number> = new Map(
  Object.entries({ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }).map(([letter, meaning]) => [
    letter.charCodeAt(0),
    meaning.charCodeAt(0),
  ]),
);

/** Bytes of numbers and bare words. */
const wordBytes = new Uint8Array(256); // fits: flags
for (const character of '+-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz') wordBytes[character.charCodeAt(0)] = 1;

/** Takes a JSON text apart as its bytes come in, in chunks of any size. `JSON.parse` will not do: it needs the text as
 *  one string, whose length is limited, silently drops all but the last of equal keys, and sorts keys that look like
 *  numbers. */
export class JsonTokens {
  private readonly handler: JsonHandler;
  private state = VALUE;
  /** The containers we are in: 1 for an object. */
  private readonly stack: Uint8Array = new Uint8Array(limits.jsonNesting); // fits: flags
  private depth = 0;
  /** The token at hand, as far as it came in earlier chunks or behind escapes. */
  private token: Uint8Array = new Uint8Array(256); // fits: bytes
  private tokenLength = 0;
  private isKey = false;
  private hexDigits = 0;
  private hexValue = 0;
  private highSurrogate = 0;
  line = 1;

  constructor(handler: JsonHandler) {
    this.handler = handler;
  }

  /** Forgets everything but the line number, to read another text. */
  restart(): void {
    this.state = VALUE;
    this.depth = 0;
    this.tokenLength = 0;
    this.highSurrogate = 0;
  }

  /** Whether a text has begun and is not complete yet. */
  get isOpen(): boolean {
    return this.state !== NOTHING && !this.isUntouched;
  }

  get isUntouched(): boolean {
    return this.state === VALUE && this.depth === 0;
  }

  push(bytes: Uint8Array, start: number, end: number): void {
    let i = start;
    while (i < end) {
      switch (this.state) {
        case STRING:
          i = this.string(bytes, i, end);
          break;
        case WORD:
          i = this.word(bytes, i, end);
          break;
        case ESCAPE:
          this.escape(bytes[i++]);
          break;
        case HEX:
          this.hexDigit(bytes[i++]);
          break;
        default: {
          const byte = bytes[i];
          if (byte === LF) this.line++;
          if (byte === 32 || byte === LF || byte === 13 || byte === 9) i++;
          else if (byte === QUOTE || wordBytes[byte] !== 0) {
            this.beginScalar(byte);
            if (byte === QUOTE) i++;
          } else {
            this.structure(byte);
            i++;
          }
        }
      }
    }
  }

  /** Says that the text ends here. */
  end(): void {
    if (this.state === WORD) this.endWord(this.token, 0, this.tokenLength);
    if (this.state === STRING || this.state === ESCAPE || this.state === HEX) throw new JsonError('the text ends within a string');
    if (this.isOpen) throw new JsonError(`the text ends too early: ${this.expectation()}`);
  }

  private beginScalar(byte: number): void {
    const { state } = this;
    if (state === KEY || state === FIRST_KEY) {
      if (byte !== QUOTE) throw this.unexpected(byte);
      this.isKey = true;
    } else if (state === VALUE || state === FIRST_VALUE) this.isKey = false;
    else throw this.unexpected(byte);
    this.tokenLength = 0;
    this.state = byte === QUOTE ? STRING : WORD;
  }

  private structure(byte: number): void {
    const { state, handler } = this;
    if ((byte === 123 || byte === 91) && (state === VALUE || state === FIRST_VALUE)) {
      if (this.depth === this.stack.length) throw new JsonError(`expected at most ${this.stack.length} levels of nesting, found more`);
      const isObject = byte === 123;
      this.stack[this.depth++] = isObject ? 1 : 0;
      this.state = isObject ? FIRST_KEY : FIRST_VALUE;
      handler.begin(isObject ? 'object' : 'array');
    } else if (byte === 125 && this.inObject() && (state === FIRST_KEY || state === COMMA_OR_END)) this.endContainer();
    else if (byte === 93 && this.inArray() && (state === FIRST_VALUE || state === COMMA_OR_END)) this.endContainer();
    else if (byte === COLON && state === COLON_NEXT) this.state = VALUE;
    else if (byte === COMMA && state === COMMA_OR_END) this.state = this.inObject() ? KEY : VALUE;
    else throw this.unexpected(byte);
  }

  private endContainer(): void {
    this.depth--;
    this.afterValue();
    this.handler.end();
  }

  private afterValue(): void {
    this.state = this.depth === 0 ? NOTHING : COMMA_OR_END;
  }

  private inObject(): boolean {
    return this.depth > 0 && this.stack[this.depth - 1] === 1;
  }

  private inArray(): boolean {
    return this.depth > 0 && this.stack[this.depth - 1] === 0;
  }

  /** Goes on with a string from `start`; returns where it stopped. */
  private string(bytes: Uint8Array, start: number, end: number): number {
    let i = start;
    while (i < end && bytes[i] !== QUOTE && bytes[i] !== BACKSLASH && bytes[i] >= 32) i++;
    if (this.highSurrogate !== 0 && (i > start || bytes[i] === QUOTE)) this.flushSurrogate();
    if (i === end) {
      this.append(bytes, start, end);
      return end;
    }
    if (bytes[i] === QUOTE) {
      if (this.tokenLength === 0) this.emit(true, bytes, start, checkedEnd(start, i));
      else {
        this.append(bytes, start, i);
        this.emit(true, this.token, 0, this.tokenLength);
      }
    } else if (bytes[i] === BACKSLASH) {
      this.append(bytes, start, i);
      this.state = ESCAPE;
    } else if (bytes[i] === 10 || bytes[i] === 13) throw new JsonError('the line ends within a string');
    else throw new JsonError(`expected no control characters in a string, found ${byteName(bytes[i])}`);
    return i + 1;
  }

  private escape(byte: number): void {
    if (byte === 117) {
      this.hexDigits = 0;
      this.hexValue = 0;
      this.state = HEX;
      return;
    }
    const meaning = simpleEscapes.get(byte);
    if (meaning === undefined) throw new JsonError(`expected an escape such as \\n in a string, found \\${byteName(byte)}`);
    this.flushSurrogate();
    this.appendByte(meaning);
    this.state = STRING;
  }

  private hexDigit(byte: number): void {
    const digit = Number.parseInt(String.fromCharCode(byte), 16);
    if (Number.isNaN(digit)) throw new JsonError(`expected four hexadecimal digits after \\u, found ${byteName(byte)}`);
    this.hexValue = this.hexValue * 16 + digit;
    if (++this.hexDigits < 4) return;
    this.state = STRING;
    const code = this.hexValue;
    if (this.highSurrogate !== 0 && code >= 0xdc00 && code < 0xe000) {
      const high = this.highSurrogate;
      this.highSurrogate = 0;
      this.appendCode(0x10000 + ((high - 0xd800) << 10) + (code - 0xdc00));
      return;
    }
    this.flushSurrogate();
    if (code >= 0xd800 && code < 0xdc00) this.highSurrogate = code;
    else this.appendCode(code);
  }

  /** A high surrogate that no low one follows stands for itself. */
  private flushSurrogate(): void {
    const code = this.highSurrogate;
    if (code === 0) return;
    this.highSurrogate = 0;
    this.appendCode(code);
  }

  private appendCode(code: number): void {
    if (code < 0x80) this.appendByte(code);
    else if (code < 0x800) this.appendByte(0xc0 | (code >> 6));
    else if (code < 0x10000) this.appendByte(0xe0 | (code >> 12));
    else this.appendByte(0xf0 | (code >> 18));
    if (code >= 0x10000) this.appendByte(0x80 | ((code >> 12) & 63));
    if (code >= 0x800) this.appendByte(0x80 | ((code >> 6) & 63));
    if (code >= 0x80) this.appendByte(0x80 | (code & 63));
  }

  private word(bytes: Uint8Array, start: number, end: number): number {
    let i = start;
    while (i < end && wordBytes[bytes[i]] !== 0) i++;
    if (i === end) this.append(bytes, start, end);
    else if (this.tokenLength === 0) this.endWord(bytes, start, checkedEnd(start, i));
    else {
      this.append(bytes, start, i);
      this.endWord(this.token, 0, this.tokenLength);
    }
    return i;
  }

  private endWord(bytes: Uint8Array, start: number, end: number): void {
    if (!isPlainNumber(bytes, start, end)) {
      const text = readLatin1(bytes, start, end);
      if (!words.has(text) && !numberForm.test(text)) throw new JsonError(`expected a value, found ${printable(text, 60)}`);
    }
    this.emit(false, bytes, start, end);
  }

  private emit(isString: boolean, bytes: Uint8Array, start: number, end: number): void {
    if (this.isKey) {
      this.state = COLON_NEXT;
      this.handler.key(bytes, start, end);
    } else {
      this.afterValue();
      this.handler.scalar(isString, bytes, start, end);
    }
  }

  private append(bytes: Uint8Array, start: number, end: number): void {
    this.makeRoom(end - start);
    this.token.set(bytes.subarray(start, end), this.tokenLength);
    this.tokenLength += end - start;
  }

  private appendByte(byte: number): void {
    this.makeRoom(1);
    this.token[this.tokenLength++] = byte;
  }

  private makeRoom(more: number): void {
    const needed = checkedEnd(0, this.tokenLength + more);
    if (needed > this.token.length) this.token = lengthened(this.token, Math.max(needed, this.token.length * 2));
  }

  private unexpected(byte: number): JsonError {
    return new JsonError(`${this.expectation()}, found ${byteName(byte)}`);
  }

  private expectation(): string {
    switch (this.state) {
      case KEY:
      case FIRST_KEY:
        return 'expected a key in quotes';
      case COLON_NEXT:
        return 'expected a colon';
      case COMMA_OR_END:
        return this.inObject() ? 'expected a comma or }' : 'expected a comma or ]';
      case NOTHING:
        return 'expected nothing more';
      default:
        return 'expected a value';
    }
  }
}

/** Digits with at most one point among them, and not so many that it would not be short: what most numbers are. */
function isPlainNumber(bytes: Uint8Array, start: number, end: number): boolean {
  const first = bytes[start] === 45 ? start + 1 : start;
  // what lies behind the end is left from an earlier token
  if (first === end || bytes[first] < 49 || bytes[first] > 57) return false;
  let points = 0;
  for (let i = first + 1; i < end; i++) {
    if (bytes[i] === 46) points++;
    else if (bytes[i] < 48 || bytes[i] > 57) return false;
  }
  return points === 0 || (points === 1 && bytes[end - 1] !== 46);
}

/** The end of a token that is not too long. */
function checkedEnd(start: number, end: number): number {
  const { jsonTokenBytes } = limits;
  if (end - start > jsonTokenBytes) throw new JsonError(`expected strings of at most ${jsonTokenBytes} bytes, found a longer one`);
  return end;
}

function byteName(byte: number): string {
  return byte > 32 && byte < 127 ? String.fromCharCode(byte) : `the byte ${byte}`;
}
