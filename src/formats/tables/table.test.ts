import { expect, test } from 'vitest';
import { RecordFields } from './table.js';

test('RecordFields finds a field beyond the first 2 GiB of the bytes at hand', () => {
  const fields = new RecordFields();
  fields.set(1, 2 ** 31, 2 ** 32 + 5);
  expect([fields.starts[1], fields.ends[1]]).toEqual([2 ** 31, 2 ** 32 + 5]);
  expect(fields.starts[0]).toBe(-1);
});
