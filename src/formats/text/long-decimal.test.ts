import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseLongDecimal } from './long-decimal.js';

function parse(text: string): number {
  const bytes = new TextEncoder().encode(`x${text}y`);
  return parseLongDecimal(bytes, 1, bytes.length - 1);
}

/** Number(), but only for plain decimal numbers. */
function plain(text: string): number {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
}

test.each([
  '0.03703703703703703',
  '6.520804200793011e-08',
  '1e-23',
  '0.1000000000000000055511151231257827',
  '9007199254740993',
  '9007199254740993.0',
  '9007199254740992.9999',
  '1844674407370955161.5',
  '0000000000000000000000.1234567890123456789',
  '-0.0',
  '-0.000000000000000000000000000000000000000000001',
  '1.7976931348623159e308',
  '0.5e-99',
  '.5',
  '5.',
  '',
  '-',
  '.',
  'e-5',
  '1e-',
  '1e-5x',
  '1.2.3',
  '+1.5',
  '12345678901234567890123e-10',
])('parseLongDecimal reads %s as Number does', (text) => {
  expect(parse(text)).toBe(plain(text));
});

test('parseLongDecimal equals Number for the shortest spelling of any double', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (x) => {
      expect(parse(String(x))).toBe(Number(String(x)));
    }),
    { numRuns: 3000 },
  );
  fc.assert(
    fc.property(fc.double({ min: 1e-12, max: 1e6, noNaN: true }), fc.integer({ min: 10, max: 20 }), (x, digits) => {
      for (const text of [x.toPrecision(digits), x.toExponential(digits - 1), x.toFixed(digits)]) expect(parse(text)).toBe(Number(text));
    }),
    { numRuns: 5000 },
  );
});

test('parseLongDecimal equals Number for decimals next to the middle between two doubles', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-6, max: 1e4, noNaN: true }), fc.integer({ min: -2, max: 2 }), (x, units) => {
      // the middle above x, to 19 significant digits, and its neighbours
      const next = Float64Array.of(x);
      new BigInt64Array(next.buffer)[0] += 1n;
      const places = 18 - Math.floor(Math.log10(x));
      const scaled = (scaledExactly(x, places) + scaledExactly(next[0], places)) / 2n + BigInt(units);
      const text = `${scaled}e-${places}`;
      expect(parse(text)).toBe(Number(text));
    }),
    { numRuns: 5000 },
  );
});

/** x * 10^places, rounded down. */
function scaledExactly(x: number, places: number): bigint {
  const bits = new BigUint64Array(Float64Array.of(x).buffer)[0];
  const mantissa = (bits & 0xfffffffffffffn) | (1n << 52n);
  const exponent = Number(bits >> 52n) - 1075;
  return (mantissa * 10n ** BigInt(places)) >> BigInt(-exponent);
}
