import { expect, test } from 'vitest';
import { DamagedParquet } from './parquet-error.js';
import { checkRuns } from './parquet-runs.js';

/** Levels of width 1 behind their length, then numbers of a dictionary behind their width. */
const page = (levels: readonly number[], ...values: readonly number[]): Uint8Array =>
  Uint8Array.of(levels.length, 0, 0, 0, ...levels, ...values);
const shape = { numValues: 4, levels: [1], values: 'dictionary' } as const;

test('checkRuns passes runs of as many values as the page has, repeated or packed', () => {
  // header 8: four times the value that follows; header 3: one group of eight values in as many bits as are wide
  expect(() => checkRuns(page([8, 1], 2, 8, 3), shape)).not.toThrow();
  expect(() => checkRuns(page([3, 0b1111], 2, 3, 0, 0), shape)).not.toThrow();
});

test('checkRuns refuses a run of billions, in levels and in values', () => {
  const billions = [0xfe, 0xff, 0xff, 0xff, 0x0f];
  const sentence = 'has a page with a run of 2147483647 values, where there is room for 4';
  expect(() => checkRuns(page([...billions, 1], 2, 8, 3), shape)).toThrow(new DamagedParquet(sentence));
  expect(() => checkRuns(page([8, 1], 2, ...billions, 3), shape)).toThrow(new DamagedParquet(sentence));
});

test('checkRuns leaves it to the library to miss what lies behind the end', () => {
  expect(() => checkRuns(page([8]), shape)).not.toThrow();
  expect(() => checkRuns(Uint8Array.of(9), shape)).not.toThrow();
});
