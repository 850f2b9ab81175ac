import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fixedByWholeNumbers } from '../../../test/helpers/fixed-by-whole-numbers.js';
import { fixedLength, formatFixed, formatFixedInto, formatG, formatJava, formatPerl, formatShortest } from './print.js';

const golden = new URL('../../../test/golden/numbers/', import.meta.url);

function rows(file: string): string[][] {
  const lines = readFileSync(new URL(file, golden), 'latin1').split('\n');
  return lines.filter((line) => line !== '').map((line) => line.split('\t'));
}

function fromBits(hex: string): number {
  return new Float64Array(BigUint64Array.of(BigInt(`0x${hex}`)).buffer)[0];
}

function fixedAsBytes(x: number, decimals: number, width = 0, nan: 'nan' | '-nan' = 'nan'): string {
  const bytes = new Uint8Array(fixedLength(decimals, width) + 4).fill(33);
  const end = formatFixedInto(bytes, 2, x, decimals, width, nan);
  expect([bytes[0], bytes[1], bytes[end]]).toEqual([33, 33, 33]);
  return new TextDecoder().decode(bytes.subarray(2, end));
}

const recorded: Record<string, (row: string[]) => string> = {
  'c-fixed.tsv': ([bits, width, decimals]) => formatFixed(fromBits(bits), Number(decimals), Number(width)),
  'c-general.tsv': ([bits, , digits]) => formatG(fromBits(bits), Number(digits)),
  'perl.tsv': ([bits]) => formatPerl(fromBits(bits)),
  'java.tsv': ([bits]) => formatJava(fromBits(bits)),
  'python.tsv': ([bits]) => formatShortest(fromBits(bits)),
};

describe('numbers as other languages printed them', () => {
  test('every recorded file is compared', () => {
    expect(readdirSync(golden).sort()).toEqual([...Object.keys(recorded), 'logarithms.tsv'].sort());
  });

  test.each(Object.keys(recorded))('%s', (file) => {
    const all = rows(file);
    expect(all.length).toBeGreaterThan(2500);
    const wrong = all.filter((row) => recorded[file](row) !== row.at(-1));
    expect(wrong).toEqual([]);
  });

  test('formatFixedInto writes what C printed', () => {
    const wrong = rows('c-fixed.tsv').filter(([bits, width, decimals, text]) => {
      return fixedAsBytes(fromBits(bits), Number(decimals), Number(width)) !== text;
    });
    expect(wrong).toEqual([]);
  });
});

describe('formatFixed', () => {
  test.each([
    [1 / 32, 4, 6, '0.0312'],
    [3 / 32, 4, 6, '0.0938'],
    [-1 / 32, 4, 6, '-0.0312'],
    [-0, 4, 6, '-0.0000'],
    [-0.00001, 4, 6, '-0.0000'],
    [0.5, 0, 0, '0'],
    [1.5, 0, 0, '2'],
    [12.5, 1, 8, '    12.5'],
    [1e21, 1, 0, '1000000000000000000000.0'],
    [Infinity, 4, 6, '   inf'],
    [-Infinity, 4, 6, '  -inf'],
  ])('formatFixed(%d, %d, %d) is %s', (x, decimals, width, text) => {
    expect(formatFixed(x, decimals, width)).toBe(text);
    expect(fixedAsBytes(x, decimals, width)).toBe(text);
  });

  test('0/0 is spelt as asked', () => {
    expect(formatFixed(NaN, 4, 6)).toBe('   nan');
    expect(formatFixed(NaN, 4, 6, '-nan')).toBe('  -nan');
    expect(fixedAsBytes(NaN, 4, 6, '-nan')).toBe('  -nan');
  });

  test('any double, any number of decimals: as whole-number arithmetic rounds it', () => {
    const anyNumber = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.double({ min: 0, max: 1, noNaN: true }));
    fc.assert(
      fc.property(anyNumber, fc.integer({ min: 0, max: 25 }), fc.integer({ min: 0, max: 12 }), (x, decimals, width) => {
        const plain = fixedByWholeNumbers(x, decimals).padStart(width);
        expect(formatFixed(x, decimals, width)).toBe(plain);
        expect(fixedAsBytes(x, decimals, width)).toBe(plain);
      }),
      { numRuns: 3000 },
    );
  });

  test('next to a decimal half, small or large: as whole-number arithmetic rounds it', () => {
    const whole = fc.integer({ min: 1, max: 53 }).chain((bits) => fc.integer({ min: 0, max: 2 ** bits - 1 }));
    fc.assert(
      fc.property(whole, fc.integer({ min: 0, max: 12 }), fc.integer({ min: -2, max: 2 }), (n, decimals, ulps) => {
        const x = Float64Array.of((n + 0.5) / 10 ** decimals);
        new BigInt64Array(x.buffer)[0] += BigInt(ulps);
        expect(formatFixed(x[0], decimals)).toBe(fixedByWholeNumbers(x[0], decimals));
        expect(fixedAsBytes(x[0], decimals)).toBe(fixedByWholeNumbers(x[0], decimals));
      }),
      { numRuns: 5000 },
    );
  });
});

test('formatG shows what is not finite as C does, formatPerl as Perl does', () => {
  expect([NaN, Infinity, -Infinity].map((x) => formatG(x))).toEqual(['nan', 'inf', '-inf']);
  expect([NaN, Infinity, -Infinity].map((x) => formatPerl(x))).toEqual(['NaN', 'Inf', '-Inf']);
});

test('formatG takes precision 0 as 1 and more digits than JavaScript allows', () => {
  expect(formatG(25, 0)).toBe('2e+01');
  // glibc's %.120g and %.110g
  const long =
    '4.90909346529772655309577195498627564297521551249944956511154911718710525472171585646009788403733195227718357156513187851e-91';
  expect(formatG(2 ** -300, 120)).toBe(long);
  expect(formatG(0.1, 110)).toBe('0.1000000000000000055511151231257827021181583404541015625');
});

test('formatJava, formatShortest: not a number', () => {
  expect(formatJava(NaN)).toBe('NaN');
  expect(formatShortest(NaN)).toBe('nan');
});
