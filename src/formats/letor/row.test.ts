import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLetorRowKernel, type LetorRowKernel } from './row.js';

const kernelFrom = (firstFeature: number): LetorRowKernel => {
  const kernel = createLetorRowKernel(4096, firstFeature);
  if (kernel === undefined) throw new Error('there is WebAssembly with SIMD in every Node that is supported');
  return kernel;
};

/** What the kernel reads of a line: the values, and what it leaves. */
function readLine(kernel: LetorRowKernel, line: string): { values: number[]; rest: string } {
  // what stood there before must not matter
  kernel.text.fill(57);
  kernel.values.fill(Number.NaN);
  for (let i = 0; i < line.length; i++) kernel.text[i] = line.charCodeAt(i);
  const end = kernel.read(0, 0);
  return { values: [...kernel.values.subarray(0, kernel.told[0])], rest: line.slice(end) };
}

/** The same by a regular expression and `Number`. */
function slowLine(line: string, firstFeature: number): { values: number[]; rest: string } {
  const values: number[] = [];
  let rest = line;
  for (;;) {
    const word = / (\d+):(-?(?:\d+\.?\d*|\.\d+))(?=[ \n\r])/y.exec(rest);
    if (word === null || word[1] !== String(firstFeature + values.length) || word[2].length > 15) return { values, rest };
    values.push(Number(word[2]));
    rest = rest.slice(word[0].length);
  }
}

/** What the kernel reads of a line with any ascending ids. */
function readSparseLine(kernel: LetorRowKernel, line: string): { values: number[]; columns: number[]; nextId: number; rest: string } {
  kernel.text.fill(57);
  kernel.values.fill(Number.NaN);
  for (let i = 0; i < line.length; i++) kernel.text[i] = line.charCodeAt(i);
  const end = kernel.readSparse(0, 0);
  const [numRead, nextId] = kernel.told;
  return {
    values: [...kernel.values.subarray(0, numRead)],
    columns: [...kernel.columns.subarray(0, numRead)],
    nextId,
    rest: line.slice(end),
  };
}

function slowSparseLine(line: string, firstFeature: number): { values: number[]; columns: number[]; nextId: number; rest: string } {
  const values: number[] = [];
  const columns: number[] = [];
  let nextId = firstFeature;
  let rest = line;
  for (;;) {
    const word = / (\d{1,7}):(-?(?:\d+\.?\d*|\.\d+))(?=[ \n\r])/y.exec(rest);
    if (word === null || Number(word[1]) < nextId || word[2].length > 15) return { values, columns, nextId, rest };
    values.push(Number(word[2]));
    columns.push(Number(word[1]) - firstFeature);
    nextId = Number(word[1]) + 1;
    rest = rest.slice(word[0].length);
  }
}

describe('the kernel that reads rows of features', () => {
  const digits = fc.array(fc.constantFrom(...'0123456789'), { maxLength: 16 }).map((some) => some.join(''));
  const number = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.tuple(fc.constantFrom('', '', '-'), digits, fc.constantFrom('', '.'), digits).map((parts) => parts.join('')),
    },
    { weight: 4, arbitrary: fc.double({ min: -1000, max: 1000, noNaN: true }).map((x) => x.toFixed(6)) },
    { weight: 4, arbitrary: fc.integer({ min: -9, max: 99_999 }).map(String) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '',
        '-',
        '.',
        '-.',
        '+1',
        '1e5',
        '1..2',
        '1-',
        '--1',
        'nan',
        '123456789012345',
        '-99999999999999',
        '-0',
        '0x1',
      ),
    },
  );
  const line = fc
    .tuple(
      fc.array(number, { maxLength: 12 }),
      fc.constantFrom('\n', '\r\n', ' \n', '#x\n', ' # x\n', '\t\n'),
      fc.integer({ min: 0, max: 30 }),
    )
    .map(([numbers, end, odd]) =>
      [numbers.map((text, i) => `${odd === i ? '  ' : ' '}${i + (odd === i + 20 ? 2 : 1)}:${text}`).join(''), end].join(''),
    );

  it('reads what Number reads, to the last bit, and stops before anything else', () => {
    const kernel = kernelFrom(1);
    fc.assert(
      fc.property(line, (text) => {
        expect(readLine(kernel, text)).toEqual(slowLine(text, 1));
      }),
      { numRuns: 3000 },
    );
  });

  it('reads ids of up to seven digits that ascend', () => {
    const id = fc.oneof(
      { weight: 8, arbitrary: fc.integer({ min: 0, max: 400 }).map(String) },
      { weight: 2, arbitrary: fc.integer({ min: 0, max: 99_999_999 }).map(String) },
      { weight: 1, arbitrary: fc.constantFrom('007', '0', '', '-1', '1a', '/1', '1/', '12;', '+3', '9999999', '10000000', '٣') },
    );
    const words = fc.array(fc.tuple(id, number), { maxLength: 10 });
    const order = fc.constantFrom('as they are', 'ascending', 'ascending');
    const end = fc.constantFrom('\n', '\r\n', ' \n', ' #\n');
    for (const first of [0, 1]) {
      const kernel = kernelFrom(first);
      fc.assert(
        fc.property(words, order, end, (some, how, last) => {
          const sorted = how === 'ascending' ? some.toSorted((a, b) => Number(a[0]) - Number(b[0])) : some;
          const text = sorted.map(([k, value]) => ` ${k}:${value}`).join('') + last;
          expect(readSparseLine(kernel, text)).toEqual(slowSparseLine(text, first));
        }),
        { numRuns: 2000 },
      );
    }
  });

  it('knows ids from 0 or 1 on, up to four digits', () => {
    for (const first of [0, 1]) {
      const ids = Array.from({ length: 1100 }, (_, i) => first + i);
      const kernel = createLetorRowKernel(16_384, first);
      const text = `${ids.map((id) => ` ${id}:${id / 4}`).join('')}\n`;
      expect(readLine(kernel!, text)).toEqual({ values: ids.map((id) => id / 4), rest: '\n' });
      expect(readLine(kernel!, ` ${1 - first}:5\n`).values).toEqual([]);
    }
  });

  it('stops when there is no more room for values', () => {
    const kernel = kernelFrom(1);
    for (const [i, character] of [...' 1:1 2:2 3:3\n'].entries()) kernel.text[i] = character.charCodeAt(0);
    expect(kernel.read(0, kernel.values.length - 2)).toBe(8);
    expect(kernel.told[0]).toBe(2);
  });
});
