import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { atol, strtod } from './strtod.js';

const rows = readFileSync(new URL('../../../test/golden/strtod/expected.tsv', import.meta.url), 'latin1')
  .trimEnd()
  .split('\n')
  .map((row) => row.split('\t') as [text: string, bits: string, integer: string]);

test.each(rows)('%s is read as the C library reads it', (text, bits, integer) => {
  const bytes = Uint8Array.from(text, (c) => c.charCodeAt(0));
  // toBe tells -0 from 0 and takes all NaNs for one
  expect(strtod(bytes, 0, bytes.length)).toBe(doubleOf(bits));
  expect(atol(bytes, 0, bytes.length)).toBe(Number(BigInt(integer)));
});

test('bytes outside the range are not looked at', () => {
  const bytes = Uint8Array.from('11.5e38', (c) => c.charCodeAt(0));
  expect(strtod(bytes, 1, 6)).toBe(1500);
  expect(strtod(bytes, 1, 5)).toBe(1.5);
  expect(strtod(bytes, 1, 1)).toBe(0);
  expect(atol(bytes, 0, 1)).toBe(1);
  expect(atol(bytes, 1, 1)).toBe(0);
});

function doubleOf(bits: string): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(`0x${bits}`));
  return view.getFloat64(0);
}
