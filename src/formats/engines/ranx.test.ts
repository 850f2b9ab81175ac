import { expect, test } from 'vitest';
import { readJudgements, readRun } from '../read.js';
import { bytesSource } from '../source.js';

const text = (value: string): number[] => [0x60 + value.length, ...Buffer.from(value)];
const float64 = (value: number): number[] => [0xfb, ...Buffer.from(new Uint8Array(new Float64Array([value]).buffer).reverse())];
const source = (...bytes: number[]) => bytesSource(Uint8Array.from(bytes), 'x.lz4', 'x.lz4');

/** The map of RFC 8949 in its several notations: {"q1": {"d1": 2.5, "d2": 1}}, once with lengths and once without. */
const sized = [0xa1, ...text('q1'), 0xa2, ...text('d1'), ...float64(2.5), ...text('d2'), 0x01];
const open = [
  0xbf,
  ...text('q1'),
  0xbf,
  0x7f,
  ...text('d'),
  ...text('1'),
  0xff,
  0xf9,
  0x41,
  0x00,
  ...text('d2'),
  0xfa,
  0x3f,
  0x80,
  0,
  0,
  0xff,
  0xff,
];

test.each([
  ['with lengths', sized],
  ['without lengths, in shorter numbers', open],
  ['as a file of the hub', [0xa2, ...text('metadata'), 0xa1, ...text('k'), 0xf6, ...text('run'), ...sized]],
])('topics, documents and numbers in CBOR, %s', async (_, bytes) => {
  const { run } = await readRun(source(...bytes));
  expect([run.name, run.topics.text(0), run.docs.text(0), run.docs.text(1), ...run.scores]).toEqual(['x', 'q1', 'd1', 'd2', 2.5, 1]);
});

test('judgements, and grades below 0', async () => {
  const { qrels } = await readJudgements(source(0xa1, ...text('q1'), 0xa2, ...text('d1'), 0x18, 0x20, ...text('d2'), 0x20));
  expect([...qrels.grades]).toEqual([32, -1]);
});

test.each<[string, number[], string]>([
  ['cut off', sized.slice(0, -2), 'is not CBOR: it is cut off; fetch or make the file again'],
  ['with more behind it', [...sized, 0], 'is not CBOR: there are 1 bytes behind its end'],
  ['with a key twice', [0xa2, ...text('q1'), 0xa0, ...text('q1'), 0xa0], 'the key q1 occurs twice'],
  ['with a list as key', [0xa2, ...text('q1'), 0xa0, 0x80, 0xa0], 'it has a key that is no text'],
  ['with a number instead of documents', [0xa1, ...text('q1'), 0x01], 'topic q1: expected documents with numbers, found 1'],
  ['with a score that is none', [0xa1, ...text('q1'), 0xa1, ...text('d1'), 0xf6], 'topic q1, document d1: expected a score, found null'],
])('refuses a file %s', async (_, bytes, message) => {
  await expect(readRun(source(...bytes))).rejects.toThrow(message);
});
