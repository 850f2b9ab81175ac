import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FeatureMatrix } from '../../core/feature-matrix.js';
import { parseLetor } from './reader.js';
import { formatLetor, type LetorWriteOptions } from './writer.js';

function rewritten(text: string, options: LetorWriteOptions = {}, precision: 'double' | 'single' = 'double'): string {
  return new TextDecoder().decode(formatLetor(parseLetor(text, { precision }).matrix, options));
}

const letor4 =
  '2 qid:10 1:0.056537 2:0.000000 3:0.031250 #docid = GX029-35-5894638 inc = 1 prob = 0.139842\r\n0 qid:7 1:1.000000 2:0.000000 3:-2.500000\r\n';

test('formatLetor gives back the LETOR file that was read', () => {
  expect(rewritten(letor4, { decimals: 6, lineEnd: '\r\n' })).toBe(letor4);
});

test('formatLetor writes shortest numbers, leaves out zeros and comments when asked', () => {
  expect(rewritten(letor4)).toBe(
    '2 qid:10 1:0.056537 2:0 3:0.03125 #docid = GX029-35-5894638 inc = 1 prob = 0.139842\n0 qid:7 1:1 2:0 3:-2.5\n',
  );
  expect(rewritten(letor4, { zeros: false, comments: false })).toBe('2 qid:10 1:0.056537 3:0.03125\n0 qid:7 1:1 3:-2.5\n');
  expect(rewritten('1 qid:1 1:0.1 2:16777217 3:1e-30\n', {}, 'single')).toBe('1 qid:1 1:0.1 2:16777216 3:1e-30\n');
});

test('formatLetor refuses ids and labels that would not come back', () => {
  const { matrix } = parseLetor('1 qid:1\n');
  const withId = (text: string): FeatureMatrix => ({
    ...matrix,
    queries: { size: 1, bytes: new TextEncoder().encode(text), offsets: Uint32Array.of(0, text.length) },
  });
  for (const id of ['', 'a b', 'a#b', 'a\n']) expect(() => formatLetor(withId(id))).toThrow('cannot write the query id');
  expect(() => formatLetor({ ...matrix, labels: Float64Array.of(Number.NaN) })).toThrow('row 1: cannot write NaN as label');
});

test('what formatLetor writes reads back the same, in both layouts and precisions', () => {
  const value = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(0, -0, 1, Infinity, -Infinity, NaN));
  const row = fc.tuple(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom('a', 'b', '17'),
    fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 9 }), value), { selector: ([id]) => id, maxLength: 9 }),
    fc.constantFrom('', ' x ', 'docid = 5'),
  );
  const options = fc.record({
    features: fc.constantFrom('dense' as const, 'sparse' as const),
    precision: fc.constantFrom('single' as const, 'double' as const),
  });
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 8 }), options, (rows, { features, precision }) => {
      const text = rows.map(([label, query, cells, comment]) => {
        const words = cells.map(([id, cell]) => `${id}:${Object.is(cell, -0) ? '-0' : cell}`);
        return `${[label, `qid:${query}`, ...words].join(' ')}${comment && `#${comment}`}\n`;
      });
      const settings = { features, precision, nonFinite: true, missing: Number.NaN };
      const { matrix } = parseLetor(text.join(''), settings);
      const again = parseLetor(formatLetor(matrix), settings).matrix;
      // lines move when queries are brought together, and a dense matrix has every value given
      const essence = ({ lines, records, numRecords, ...rest }: FeatureMatrix): unknown => ({
        ...rest,
        features: { ...rest.features, numGiven: 0 },
      });
      expect(essence(again)).toEqual(essence(matrix));
    }),
    { numRuns: 500 },
  );
});
