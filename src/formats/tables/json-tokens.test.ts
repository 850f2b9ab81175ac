import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { messageOf } from '../../../test/helpers/rows.js';
import { readText } from '../../core/text.js';
import { textBytes } from '../reader.js';
import { type JsonHandler, JsonTokens } from './json-tokens.js';

/** Builds the value again, from the tokens; objects as lists of pairs, because keys may repeat. */
class Rebuilder implements JsonHandler {
  value: unknown;
  private readonly open: { list: unknown[]; key: string | undefined; isObject: boolean }[] = [];

  begin(container: 'object' | 'array'): void {
    this.open.push({ list: [], key: undefined, isObject: container === 'object' });
  }
  end(): void {
    const closed = this.open.pop();
    this.put(closed?.isObject ? { pairs: closed.list } : closed?.list);
  }
  key(bytes: Uint8Array, start: number, end: number): void {
    const top = this.open.at(-1);
    if (top !== undefined) top.key = readText(bytes, start, end);
  }
  scalar(isString: boolean, bytes: Uint8Array, start: number, end: number): void {
    const text = readText(bytes, start, end);
    this.put(isString ? text : JSON.parse(text));
  }
  private put(value: unknown): void {
    const top = this.open.at(-1);
    if (top === undefined) this.value = value;
    else top.list.push(top.isObject ? [top.key, value] : value);
  }
}

function rebuild(text: string | Uint8Array, sizes: readonly number[] = [1000]): unknown {
  const bytes = typeof text === 'string' ? textBytes(text) : text;
  const rebuilder = new Rebuilder();
  const tokens = new JsonTokens(rebuilder);
  let at = 0;
  for (let k = 0; at < bytes.length; k++) {
    const chunk = bytes.slice(at, at + sizes[k % sizes.length]);
    tokens.push(chunk, 0, chunk.length);
    at += chunk.length;
    chunk.fill(0x78);
  }
  tokens.end();
  return rebuilder.value;
}

/** The same shape as `Rebuilder` makes it. */
function asPairs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asPairs);
  if (typeof value !== 'object' || value === null) return value;
  return { pairs: Object.entries(value).map(([key, part]) => [key, asPairs(part)]) };
}

const sizes = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 });

describe('JsonTokens', () => {
  test('finds in any JSON what JSON.parse finds, in chunks of any size', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.integer({ min: 0, max: 3 }), sizes, (value, indent, chunkSizes) => {
        const text = JSON.stringify(value, undefined, indent);
        expect(rebuild(text, chunkSizes)).toEqual(asPairs(JSON.parse(text)));
      }),
      { numRuns: 500 },
    );
  });

  test('refuses a minus alone, whatever the token before it was', () => {
    for (const size of [1, 2, 1000]) expect(() => rebuild('["25",-]', [size])).toThrow('expected a value, found -');
  });

  test('takes and refuses what JSON.parse takes and refuses', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      '\\',
      '\\u',
      '0',
      '1',
      '-',
      '.',
      '5',
      'e',
      'E',
      '+',
      'true',
      'null',
      ' ',
      '\n',
      'x',
      '\t',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), sizes, (pieces, chunkSizes) => {
        const text = pieces.join('');
        let expected: unknown;
        try {
          expected = asPairs(JSON.parse(text));
        } catch {
          if (text.trim() !== '') expect(() => rebuild(text, chunkSizes), text).toThrow();
          return;
        }
        // JSON.parse drops repeated keys, which are the reason for not using it
        if (!/"a".*"a"/s.test(text)) expect(rebuild(text, chunkSizes)).toEqual(expected);
      }),
      { numRuns: 3000 },
    );
  });

  test('keeps every one of repeated keys, in order, and keys that look like numbers where they are', () => {
    expect(rebuild('{"b": 1, "10": 2, "9": 3, "b": 4, "__proto__": 5}')).toEqual({
      pairs: [
        ['b', 1],
        ['10', 2],
        ['9', 3],
        ['b', 4],
        ['__proto__', 5],
      ],
    });
  });

  test('reads escapes as JSON.parse does, at every split', () => {
    const text = String.raw`["\"\\\/\b\f\n\r\t", "\u00e9\u65e5\ud83d\ude00", "\ud83d", "\ude00\ud83d", "\ud83d\ud83d\ude00", "\ud83dx", "\ud83d\n", "\u0000"]`;
    for (let size = 1; size < text.length; size++) expect(rebuild(text, [size])).toEqual(JSON.parse(text));
  });

  test('keeps bytes that are not UTF-8', () => {
    const bytes: number[] = [];
    const collect: JsonHandler = {
      begin: () => undefined,
      end: () => undefined,
      key: () => undefined,
      scalar: (_, text, start, end) => void bytes.push(...text.subarray(start, end)),
    };
    const tokens = new JsonTokens(collect);
    tokens.push(Uint8Array.of(34, 0xff, 0xc3, 34), 0, 4);
    expect(bytes).toEqual([0xff, 0xc3]);
  });

  const broken: [string, string][] = [
    ['{', 'the text ends too early: expected a key in quotes'],
    ['{"a"', 'the text ends too early: expected a colon'],
    ['{"a":', 'the text ends too early: expected a value'],
    ['{"a":1', 'the text ends too early: expected a comma or }'],
    ['[1', 'the text ends too early: expected a comma or ]'],
    ['"abc', 'the text ends within a string'],
    ['"a\\', 'the text ends within a string'],
    ['{a:1}', 'expected a key in quotes, found a'],
    ['{"a" 1}', 'expected a colon, found 1'],
    ['[1 2]', 'expected a comma or ], found 2'],
    ['[1,]', 'expected a value, found ]'],
    ['[1}', 'expected a comma or ], found }'],
    ['{"a":1,}', 'expected a key in quotes, found }'],
    ['1 2', 'expected nothing more, found 2'],
    ['"a\nb"', 'the line ends within a string'],
    ['"a\tb"', 'expected no control characters in a string, found the byte 9'],
    ['"\\x"', 'expected an escape such as \\n in a string, found \\x'],
    ['"\\u12g4"', 'expected four hexadecimal digits after \\u, found g'],
    ['[nope]', 'expected a value, found nope'],
    ['01', 'expected a value, found 01'],
    ['\xef', 'expected a value, found the byte 195'],
    ['['.repeat(65), 'expected at most 64 levels of nesting, found more'],
  ];
  test.each(broken)('says what is wrong with %j', (text, message) => {
    expect(messageOf(() => rebuild(text))).toBe(message);
    expect(messageOf(() => rebuild(text, [1]))).toBe(message);
  });

  test('knows the words that Python writes for numbers JSON does not have', () => {
    const words: string[] = [];
    const collect: JsonHandler = {
      begin: () => undefined,
      end: () => undefined,
      key: () => undefined,
      scalar: (_, text, start, end) => void words.push(readText(text, start, end)),
    };
    const tokens = new JsonTokens(collect);
    const bytes = textBytes('[NaN, Infinity, -Infinity, 1e999]');
    tokens.push(bytes, 0, bytes.length);
    expect(words).toEqual(['NaN', 'Infinity', '-Infinity', '1e999']);
  });
});
