import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bigLn } from '../../../test/helpers/big-logarithm.js';
import { type LogBase, lnOfInteger, log2OfInteger, logByWholeNumbers, logTable, twofoldLog } from './logarithm.js';

const recorded = readFileSync(new URL('../../../test/golden/numbers/logarithms.tsv', import.meta.url), 'latin1')
  .trimEnd()
  .split('\n')
  .map((line) => line.split('\t'));
const single = recorded.filter(([k]) => !k.includes('-'));

function bitsOf(x: number): string {
  return new BigUint64Array(Float64Array.of(x).buffer)[0].toString(16).padStart(16, '0');
}

/** FNV-1a over the little-endian bits of the logarithms of 1 … 20,000, as the recording script has it. */
function hashOf(table: Float64Array): string {
  let hash = 0x811c9dc5;
  for (const byte of new Uint8Array(table.slice(1, 20001).buffer)) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}

describe('logarithms of whole numbers are correctly rounded', () => {
  test('lnOfInteger and log2OfInteger equal mpmath for recorded k up to 2^53', () => {
    expect(single.length).toBeGreaterThan(4000);
    const wrong = single.filter(([k, ln, log2]) => bitsOf(lnOfInteger(Number(k))) !== ln || bitsOf(log2OfInteger(Number(k))) !== log2);
    expect(wrong).toEqual([]);
  });

  test('logTable equals mpmath for all k up to 20,000', () => {
    const [, lnHash, log2Hash] = recorded.find(([k]) => k === '1-20000')!;
    expect(hashOf(logTable(20000, 'e'))).toBe(lnHash);
    expect(hashOf(logTable(20000, 2))).toBe(log2Hash);
  });

  test('logByWholeNumbers, the judge of close cases, equals mpmath too', () => {
    const wrong = single.filter(([k, ln, log2], i) => {
      return i % 5 === 0 && (bitsOf(logByWholeNumbers(Number(k), 'e')) !== ln || bitsOf(logByWholeNumbers(Number(k), 2)) !== log2);
    });
    expect(wrong).toEqual([]);
  });

  test('the fast way agrees with whole-number arithmetic', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 53 - 1 }), (k) => {
        expect(lnOfInteger(k)).toBe(logByWholeNumbers(k, 'e'));
        expect(log2OfInteger(k)).toBe(logByWholeNumbers(k, 2));
      }),
      { numRuns: 2000 },
    );
  });

  test('powers of two have whole binary logarithms', () => {
    for (let e = 0; e <= 53; e++) {
      expect(log2OfInteger(2 ** e)).toBe(e);
      expect(logByWholeNumbers(2 ** e, 2)).toBe(e);
    }
  });
});

test('twofoldLog is as accurate as the rounding to a double relies on', () => {
  const bits = 160;
  const ln2 = bigLn(2, bits);
  let worst = 0;
  const compare = (k: number, base: LogBase): void => {
    const exact = base === 2 ? (bigLn(k, bits) << BigInt(bits)) / ln2 : bigLn(k, bits);
    const [high, low] = twofoldLog(k, base);
    const error = scaled(high, bits) + scaled(low, bits) - exact;
    worst = Math.max(worst, Math.abs(Number(error)) / Number(exact));
  };
  for (let k = 2; k < 400; k++) for (const base of ['e', 2] as const) compare(k, base);
  for (const [k] of single.filter((_, i) => i % 20 === 0 && i > 0)) for (const base of ['e', 2] as const) compare(Number(k), base);
  expect(Math.log2(worst)).toBeLessThan(-95);
});

/** x * 2^bits, cut off. */
function scaled(x: number, bits: number): bigint {
  const whole = BigInt(Math.trunc(x * 2 ** 60));
  return (whole << BigInt(bits - 60)) + BigInt(Math.trunc((x * 2 ** 60 - Number(whole)) * 2 ** (bits - 60)));
}

test('the values that engines and libraries get wrong', () => {
  // ln 3 = 1.09861228866810969139…, ln 9170 = 9.12369238…: V8 and glibc 2.36 are one unit off
  expect(lnOfInteger(3)).toBe(1.0986122886681098);
  expect(bitsOf(lnOfInteger(9170))).toBe(single.find(([k]) => k === '9170')![1]);
});

const LOG2_OF_3 = 1.584962500721156; // 1.58496250072115618145…

test('logTable grows and keeps what it had', () => {
  const small = logTable(4, 2);
  expect([...small]).toEqual([-Infinity, 0, 1, LOG2_OF_3, 2]);
  const large = logTable(50_000, 2);
  expect(large.length).toBe(50_001);
  expect([...large.subarray(0, 5)]).toEqual([...small]);
  expect(logTable(4, 2).length).toBe(5);
});

test.each([0, -1, 1.5, NaN, Infinity, 2 ** 53 + 2])('lnOfInteger(%d) is refused', (k) => {
  expect(() => lnOfInteger(k)).toThrow(RangeError);
  expect(() => logByWholeNumbers(k, 2)).toThrow(RangeError);
});
