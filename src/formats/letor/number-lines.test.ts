import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { perlNumber } from '../text/perl-number.js';
import { createPredictionsReader, type NumberLinesOptions, parsePredictions } from './number-lines.js';

function read(text: string, options: NumberLinesOptions = {}): number[] {
  return [...parsePredictions(text, { source: 'pred.txt', ...options })];
}

describe('parsePredictions', () => {
  test('reads one number per line, whatever the line ends', () => {
    expect(read('6\r\n5.25\r\n -1e-3 \n+.5\n1.2345678901234567')).toEqual([6, 5.25, -0.001, 0.5, 1.2345678901234567]);
    expect(read('inf\n-Infinity\n')).toEqual([Infinity, -Infinity]);
    expect(read('')).toEqual([]);
  });

  test('refuses everything else, naming the lines', () => {
    expect(() => read('1\nnan\n\n6 9\n0x10\n')).toThrow(
      [
        'pred.txt:2: expected a number as prediction, found "nan"; each line must hold one number and nothing else',
        'pred.txt:3: expected a number as prediction, found a blank line; each line must hold one number and nothing else',
        'pred.txt:4: expected a number as prediction, found "6 9"; each line must hold one number and nothing else',
        'pred.txt:5: expected a number as prediction, found "0x10"; each line must hold one number and nothing else',
      ].join('\n'),
    );
  });

  test('passes over blank lines, or reads as Perl does, when asked', () => {
    expect(read('1\n\n \r\n2\n', { skipBlank: true })).toEqual([1, 2]);
    expect(read('6 9\nabc\n\n4x\n', { read: perlNumber })).toEqual([6, 0, 0, 4]);
  });

  test('gives back what was printed, in pieces of any size', () => {
    const number = fc.oneof(fc.double({ noNaN: true }), fc.integer());
    fc.assert(
      fc.property(fc.array(number, { maxLength: 30 }), fc.integer({ min: 1, max: 40 }), (numbers, size) => {
        const bytes = new TextEncoder().encode(numbers.map((x) => `${Object.is(x, -0) ? '-0' : x}\n`).join(''));
        const reader = createPredictionsReader();
        for (let i = 0; i < bytes.length; i += size) reader.push(bytes.subarray(i, i + size));
        expect([...reader.finish()]).toEqual(numbers);
      }),
    );
  });
});
