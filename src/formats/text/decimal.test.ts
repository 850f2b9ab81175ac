import { describe, expect, test } from 'vitest';
import { latin1Bytes } from '../../../test/helpers/slow-lines.js';
import { type Random, seededRandom } from '../../core/numbers/random.js';
import { createLineScanner } from './create-line-scanner.js';
import { parseDecimal } from './decimal.js';
import { resolveOddNumbers, runLines, SCAN_END } from './line-scanner.js';

const doubleView = new DataView(new ArrayBuffer(8));

/** Any finite double, all exponents alike. */
function anyDouble(random: Random): number {
  for (;;) {
    doubleView.setUint32(0, random.uint32());
    doubleView.setUint32(4, random.uint32());
    const value = doubleView.getFloat64(0);
    if (Number.isFinite(value)) return value;
  }
}

function digitString(random: Random, length: number): string {
  let digits = '';
  while (digits.length < length) digits += String(random.below(1e9)).padStart(9, '0');
  return digits.slice(0, length);
}

/** Ways a score may be written; each gives texts whose value JavaScript's own `Number` tells. */
const ways: [string, (random: Random) => string][] = [
  ['six decimals', (random) => (random.normal() * 20).toFixed(6)],
  ['shortest form of a score', (random) => String(random.float() * 30)],
  ['17 digits', (random) => (random.normal() * 100).toPrecision(17)],
  ['20 decimals', (random) => (random.normal() * 5).toFixed(20)],
  ['tiny probabilities', (random) => String(Math.exp(-100 * random.float()))],
  ['19 digits and a point somewhere', (random) => withPoint(digitString(random, 19), random.below(20))],
  ['up to 40 digits', (random) => withPoint(digitString(random, 1 + random.below(40)), random.below(20))],
  ['leading and trailing zeros', (random) => `000${digitString(random, 1 + random.below(5))}.000${digitString(random, 9)}0000`],
  ['any double in shortest form', (random) => String(anyDouble(random))],
  ['any double with 19 digits', (random) => anyDouble(random).toExponential(18)],
  ['digits with any exponent', (random) => `${digitString(random, 1 + random.below(19))}e${random.below(700) - 370}`],
  // 54 bits and a trailing 1: exactly half way between two doubles, so that rounding to even decides
  ['half way, whole', (random) => String((1n << 53n) + 2n * BigInt(random.uint32()) + 1n)],
  ['half way, 1 decimal', (random) => `${(1n << 52n) + BigInt(random.uint32())}.5`],
  ['half way, 2 decimals', (random) => `${(1n << 51n) + BigInt(random.uint32())}.${random.below(2) ? '25' : '75'}`],
  ['half way, 3 decimals', (random) => `${(1n << 50n) + BigInt(random.uint32())}.${['125', '375', '625', '875'][random.below(4)]}`],
  ['almost half way', (random) => `${(1n << 51n) + BigInt(random.uint32())}.${['24', '26', '74', '76'][random.below(4)]}9`],
  ['short', (random) => `${['', '-', '+'][random.below(3)]}${['7', '.5', '5.', '0', '0.0', '12', '1e3', '1E-2', '00'][random.below(9)]}`],
];

function withPoint(digits: string, position: number): string {
  return position <= digits.length ? `${digits.slice(0, position)}.${digits.slice(position)}` : digits;
}

describe.each(ways)('numbers written as %s', (_, write) => {
  const random = seededRandom(20260);
  const texts = Array.from({ length: 60_000 }, () => (random.below(4) === 0 ? '-' : '') + write(random)).filter(
    (text) => !/^-[+-]/.test(text),
  );
  const expected = texts.map(Number);

  test('are read as Number reads them', () => {
    const wrong = texts.filter((text, i) => !Object.is(parseDecimal(latin1Bytes(text), 0, text.length), expected[i]));
    expect(wrong).toEqual([]);
  });

  test('are read as Number reads them by the WebAssembly scanner', () => {
    const file = latin1Bytes(texts.map((text) => `1 Q0 d 1 ${text} t\n`).join(''));
    const scanner = createLineScanner({ ...runLines, capacity: file.length, lines: texts.length, wasm: true });
    scanner.bytes.set(file);
    expect(scanner.scan(file.length)).toBe(SCAN_END);
    resolveOddNumbers(scanner, parseDecimal);
    expect(scanner.numLines).toBe(texts.length);
    const wrong = texts.filter((_text, i) => !Object.is(scanner.numbers[i], expected[i]));
    expect(wrong).toEqual([]);
  });
});

const notDecimal = [
  '',
  '.',
  '-',
  '+',
  '+.',
  'e5',
  '1e',
  '1e+',
  '1e-',
  '1.2.3',
  '--1',
  '+-1',
  '1 ',
  ' 1',
  '1,5',
  '0x10',
  'inf',
  'Infinity',
  'nan',
  '1_0',
  '1e5.',
  '1ee5',
  '\u00b9',
];

test.each(notDecimal)('%j is not a plain decimal', (text) => {
  expect(parseDecimal(latin1Bytes(text), 0, text.length)).toBeNaN();
});

test('the range is respected, and overflow and underflow are those of doubles', () => {
  const parse = (text: string): number => parseDecimal(latin1Bytes(text), 0, text.length);
  expect(parseDecimal(latin1Bytes('x12.5y'), 1, 5)).toBe(12.5);
  expect(parse('1e400')).toBe(Number.POSITIVE_INFINITY);
  expect(parse('-1e99999999999999999999')).toBe(Number.NEGATIVE_INFINITY);
  expect(parse('1e-400')).toBe(0);
  expect(parse('-1e-99999999999999999999')).toBe(-0);
  expect(parse(`0.${'0'.repeat(400)}1e401`)).toBe(1);
});
