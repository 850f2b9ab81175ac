import { beforeAll, describe, expect, test } from 'vitest';
import { seededRandom } from '../../core/numbers/random.js';
import { InputError } from '../../core/problem.js';
import { toRun } from '../../core/run.js';
import { parseFeatureParquet } from '../letor/feature-parquet.js';
import { parquetColumnNames, parseParquetQrels, parseParquetRun, parseParquetScores } from './parquet.js';
import { formatParquetRun } from './parquet-writer.js';

let whole: Uint8Array;
let footerStart: number;
beforeAll(async () => {
  const docs = Array.from({ length: 200 }, (_, d): [string, number] => [`doc${d}`, 200 - d]);
  whole = await formatParquetRun(toRun({ q1: Object.fromEntries(docs), q2: Object.fromEntries(docs) }, 'r'));
  footerStart = whole.length - 8 - new DataView(whole.buffer, whole.byteOffset).getUint32(whole.length - 8, true);
});

const asFile = (bytes: Uint8Array) => ({
  byteLength: bytes.length,
  slice: (start: number, end = bytes.length) => bytes.slice(start, end).buffer as ArrayBuffer,
});

async function messageOf(bytes: Uint8Array): Promise<string> {
  return await parseParquetRun(bytes, { source: 'f' }).then(
    () => 'read',
    (error: Error) => error.message,
  );
}

/** A number as Parquet writes it in footers and headers: seven bits to a byte, the sign in the lowest bit. */
function zigzag(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = 2 * value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest % 128) | 128);
  }
}

/** The file with one run of bytes in the footer, or before it, replaced by another; the length of the footer is mended. */
function replaced(from: number[], to: number[], inFooter: boolean, all = true): Uint8Array {
  const start = inFooter ? footerStart : 0;
  const end = inFooter ? whole.length - 8 : footerStart;
  const out: number[] = [];
  let found = 0;
  for (let i = 0; i < whole.length; ) {
    const fits = i >= start && i + from.length <= end && from.every((byte, k) => whole[i + k] === byte) && (all || found === 0);
    if (fits) {
      out.push(...to);
      found++;
      i += from.length;
    } else out.push(whole[i++]);
  }
  expect(found).toBeGreaterThan(0);
  const bytes = Uint8Array.from(out);
  const grown = bytes.length - whole.length;
  if (inFooter) new DataView(bytes.buffer).setUint32(bytes.length - 8, whole.length - 8 - footerStart + grown, true);
  return bytes;
}

describe('a Parquet file that is not as it says', () => {
  test('is refused in our own words, and in no time, whatever bytes are changed', async () => {
    const random = seededRandom(5);
    const below = (n: number): number => random.below(n);
    const readers: readonly ((bytes: Uint8Array) => Promise<unknown>)[] = [
      (bytes) => parseParquetRun(bytes, { source: 'f' }),
      (bytes) => parseParquetQrels(bytes, { source: 'f' }),
      (bytes) => parseParquetScores(bytes, { source: 'f' }),
      (bytes) => parseFeatureParquet(asFile(bytes), { source: 'f' }),
      (bytes) => parquetColumnNames(bytes, 'f'),
    ];
    const broken: unknown[] = [];
    const count = (error: unknown): void => void broken.push(error);
    process.on('unhandledRejection', count);
    for (let i = 0; i < 400; i++) {
      const bytes = whole.slice(0, below(20) === 0 ? below(whole.length) : whole.length);
      for (let k = 0; k <= below(4); k++) {
        const at = below(2) === 0 ? footerStart + below(whole.length - footerStart) : below(bytes.length);
        if (below(3) > 0) bytes[at] = below(256);
        else bytes.set([255, 255, 255, 255, 15].slice(0, Math.max(0, bytes.length - at)), Math.min(at, bytes.length));
      }
      for (const read of readers) {
        const error = await read(bytes).then(
          () => undefined,
          (reason: unknown) => reason,
        );
        if (error === undefined) continue;
        expect(error).toBeInstanceOf(InputError);
        expect((error as Error).message).not.toMatch(/undefined|\bmap\b|typed array|BigInt|DataView|is not a function|thrift|destructure/);
      }
    }
    // what is left behind shows after a turn of the loop
    await new Promise((resolve) => setTimeout(resolve, 20));
    process.off('unhandledRejection', count);
    expect(broken).toEqual([]);
  });

  test('does not make room for rows that only its footer has', async () => {
    const many = zigzag(2 ** 40);
    expect(await messageOf(replaced(zigzag(400), many, true))).toMatch(
      /f: cannot be read as Parquet: its footer declares 1099511627776 rows, more than \d+ bytes can hold; the file is damaged or incomplete; fetch or make it again/,
    );
    expect(await messageOf(replaced(zigzag(400), zigzag(500), true, false))).toMatch(
      /its footer declares \d+ rows, and its row groups \d+/,
    );
  });

  test('is reported to be encrypted, or not to be Parquet at all', async () => {
    const encrypted = whole.slice();
    encrypted.set(new TextEncoder().encode('PARE'), whole.length - 4);
    expect(await messageOf(encrypted)).toBe('f: is an encrypted Parquet file, which is not supported; decrypt it first');
    expect(await messageOf(whole.slice(0, -1))).toContain('it does not begin and end with PAR1');
    expect(await messageOf(new Uint8Array(3))).toContain('it does not begin and end with PAR1');
  });
});
