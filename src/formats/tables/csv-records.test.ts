import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCsvSlowly, type SlowCsv } from '../../../test/helpers/slow-csv.js';
import { latin1Bytes, latin1Text } from '../../../test/helpers/slow-lines.js';
import { CsvRecords } from './csv-records.js';

function read(text: string, delimiter: string, quotes: boolean, sizes: readonly number[]): SlowCsv {
  const result: SlowCsv = { records: [], broken: [] };
  const records = new CsvRecords(
    {
      record(bytes, ends, numFields, line) {
        const fields = Array.from({ length: numFields }, (_, k) => latin1Text(bytes.subarray(k === 0 ? 0 : ends[k - 1], ends[k])));
        result.records.push({ fields, line });
      },
      broken: (_, line) => void result.broken.push(line),
      fatal: (message) => new Error(message),
    },
    delimiter.charCodeAt(0),
    quotes,
  );
  const bytes = latin1Bytes(text);
  let at = 0;
  for (let k = 0; at < bytes.length; k++) {
    const chunk = bytes.slice(at, at + sizes[k % sizes.length]);
    records.push(chunk);
    at += chunk.length;
    chunk.fill(0x78);
  }
  records.finish();
  return result;
}

test('CsvRecords reads as the obvious reader does, in chunks of any size', () => {
  const piece = fc.constantFrom('a', 'b,', ',', '\t', '"', '""', '"a"', '\n', '\r\n', '\r', '#', ' ', '\xff', '\n"x\ny"', ';');
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 30 }),
      fc.constantFrom(',', '\t', ';'),
      fc.boolean(),
      fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 3 }),
      (pieces, delimiter, quotes, sizes) => {
        const text = pieces.join('');
        expect(read(text, delimiter, quotes, sizes)).toEqual(readCsvSlowly(text, delimiter, quotes));
      },
    ),
    { numRuns: 3000 },
  );
});

test('CsvRecords reads what RFC 4180 describes', () => {
  const text = 'aaa,"b""bb","c\r\nc,c"\r\n,,\n"",x,\n';
  expect(read(text, ',', true, [1000]).records).toEqual([
    { fields: ['aaa', 'b"bb', 'c\r\nc,c'], line: 1 },
    { fields: ['', '', ''], line: 3 },
    { fields: ['', 'x', ''], line: 4 },
  ]);
});

test('CsvRecords takes records with more fields than it made room for', () => {
  const fields = Array.from({ length: 500 }, (_, k) => `f${k}`);
  expect(read(fields.join(','), ',', true, [7]).records).toEqual([{ fields, line: 1 }]);
});
