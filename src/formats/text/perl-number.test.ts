import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { perlNumber } from './perl-number.js';

const rows = readFileSync(new URL('../../../test/golden/perl-numbers/read.tsv', import.meta.url), 'latin1')
  .trimEnd()
  .split('\n');

test('perlNumber makes of every recorded text what Perl makes of it', () => {
  expect(rows.length).toBeGreaterThan(800);
  const wrong = rows.filter((row) => {
    const [hex, expected] = row.split('\t');
    const text = Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
    // digits on both sides, which must not be looked at
    const bytes = Uint8Array.of(49, ...text, 49, 35);
    const value = perlNumber(bytes, 1, bytes.length - 2);
    const bits = Number.isNaN(value) ? 'nan' : new BigUint64Array(Float64Array.of(value).buffer)[0].toString(16).padStart(16, '0');
    return bits !== expected;
  });
  expect(wrong).toEqual([]);
});
