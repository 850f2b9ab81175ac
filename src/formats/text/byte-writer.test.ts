import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteWriter, joinChunks } from './byte-writer.js';

function written(work: (writer: ByteWriter) => void): string {
  const writer = new ByteWriter();
  work(writer);
  return new TextDecoder().decode(writer.take());
}

test('ByteWriter.number writes what reads back as the same number, as short as JavaScript does', () => {
  const numbers = [0, 1, 9, 10, 99, 100, 12345, 999_999, 1e6, 1_000_001, -1, -10, 0.5, 1e21, 1e-7, 5e-324, 2 ** 53];
  for (const number of numbers) expect(written((writer) => writer.number(number))).toBe(String(number));
  expect(written((writer) => writer.number(-0))).toBe('-0');
  fc.assert(
    fc.property(fc.oneof(fc.double({ noNaN: true }), fc.integer()), (number) => {
      expect(Object.is(Number(written((writer) => writer.number(number))), number)).toBe(true);
    }),
  );
});

test('ByteWriter grows, and hands on what is worth it', () => {
  const writer = new ByteWriter();
  expect(writer.takeFull()).toBeUndefined();
  const long = 'é'.repeat(200_000);
  writer.text(long);
  writer.byte(10);
  const chunk = writer.takeFull() ?? new Uint8Array(0);
  expect(new TextDecoder().decode(chunk)).toBe(`${long}\n`);
  expect(writer.take()).toHaveLength(0);
});

test('joinChunks puts chunks together', () => {
  expect([...joinChunks([Uint8Array.of(1, 2), Uint8Array.of(), Uint8Array.of(3)])]).toEqual([1, 2, 3]);
});
