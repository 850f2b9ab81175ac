import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../src/core/numbers/random.js';
import type { LetorOptions } from '../src/formats/letor/options.js';
import type { LetorReading } from '../src/formats/letor/parser.js';
import { parseLetor } from '../src/formats/letor/reader.js';
import type { LoadFeaturesOptions } from '../src/node/letor/load-features.js';
import type { WorkerTeam } from '../src/node/threads/team.js';
import { letorOptions, letorText } from './helpers/letor-texts.js';
import { repository } from './helpers/run-gradus.js';
import { slowLetor } from './helpers/slow-letor.js';

/** Threads load modules by themselves, so that this is about the built package. */
const built = async (path: string) => await import(`${pathToFileURL(repository).href}/dist/${path}`);

type Together = (
  path: string,
  options: LetorOptions,
  team: WorkerTeam,
  textStart: number,
  size: number,
  partBytes?: number,
) => Promise<LetorReading>;

const folder = mkdtempSync(join(tmpdir(), 'gradus-letor-'));
const path = join(folder, 'features.txt');
let teams: WorkerTeam[];
let loadTogether: Together;
let loadFeatures: (path: string, options: LoadFeaturesOptions) => Promise<LetorReading>;

beforeAll(async () => {
  const { createTeam } = await built('node/threads/team.js');
  teams = [1, 2, 3].map((threads) => createTeam(threads));
  loadTogether = (await built('node/letor/load-letor-together.js')).loadLetorTogether;
  loadFeatures = (await built('node/letor/load-features.js')).loadFeatures;
});
afterAll(async () => {
  for (const team of teams) await team.close();
  rmSync(folder, { recursive: true });
});

/** The same with a digest in place of every long array. */
function inShort(record: object | undefined): object | undefined {
  const short = (value: unknown): unknown =>
    ArrayBuffer.isView(value) && value.byteLength > 2000
      ? `${value.byteLength} bytes ${createHash('sha256')
          .update(new Uint8Array(value.buffer, value.byteOffset, value.byteLength))
          .digest('hex')}`
      : value;
  return record && Object.fromEntries(Object.entries(record).map(([name, value]) => [name, short(value)]));
}

/** What reading gave, or what it said. */
async function outcome(read: () => LetorReading | Promise<LetorReading>): Promise<unknown> {
  try {
    const { matrix, skipped } = await read();
    const { queries } = matrix;
    const ids = Array.from({ length: queries.size }, (_, q) => [...queries.bytes.subarray(queries.offsets[q], queries.offsets[q + 1])]);
    return {
      matrix: { ...inShort(matrix), queries: ids, features: inShort(matrix.features), comments: inShort(matrix.comments) },
      skipped,
    };
  } catch (error) {
    return error instanceof Error && 'problems' in error ? error.problems : error;
  }
}

const latinBytes = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0) & 255);

describe('a feature file read by several threads', () => {
  it('is the same matrix with the same complaints, wherever it is divided', async () => {
    const texts = letorText(40).filter((text) => text !== '');
    await fc.assert(
      fc.asyncProperty(
        texts,
        letorOptions,
        fc.boolean(),
        fc.integer({ min: 1, max: 300 }),
        fc.constantFrom('', '\u00ef\u00bb\u00bf'),
        async (text, chosen, lenient, partBytes, mark) => {
          const options: LetorOptions = {
            ...chosen,
            features: text.includes('123456789:') || chosen.features === false ? 'auto' : chosen.features,
            scattered: chosen.scattered === 'refuse' ? 'group' : chosen.scattered,
            expectedBytes: undefined,
            source: path,
            lenient,
            maxProblems: lenient ? 1000 : 3,
          };
          const bytes = latinBytes(mark + text);
          writeFileSync(path, bytes);
          const expected = await outcome(() => parseLetor(bytes, options));
          const { badLines } = slowLetor(String.fromCharCode(...latinBytes(text)), options);
          for (const team of teams) {
            const read = await outcome(() => loadTogether(path, options, team, mark.length, bytes.length, partBytes));
            expect(read).toEqual(expected);
            const told = Array.isArray(read) ? read : (read as LetorReading).skipped.problems;
            expect(told.flatMap(({ line }) => line ?? [])).toEqual(badLines.slice(0, lenient ? 1000 : 3));
          }
        },
      ),
      { numRuns: 120 },
    );
  });

  it('has room for values that the beginning did not let expect, with columns and without', async () => {
    const random = seededRandom(7);
    for (const step of [1, 3]) {
      const features = Array.from({ length: 60 }, (_, k) => `${k * step + 1}:${random.below(10)}`).join(' ');
      const sparse = Array.from({ length: 200 }, (_, q) => `0 qid:${q} 1:1 # ${'long '.repeat(20)}\n`).join('');
      const full = Array.from({ length: 400 }, (_, q) => `1 qid:${200 + (q >> 2)} ${features}\n`).join('');
      for (const text of [sparse + full, full.replaceAll('\n', '#\n') + sparse, full]) {
        const bytes = latinBytes(text);
        writeFileSync(path, bytes);
        const expected = await outcome(() => parseLetor(bytes));
        for (const team of teams) {
          expect(await outcome(() => loadTogether(path, {}, team, 0, bytes.length, 4096))).toEqual(expected);
        }
      }
    }
  });

  it('may have a line longer than several segments', async () => {
    const features = Array.from({ length: 5000 }, (_, k) => `${k + 1}:${k / 8}`).join(' ');
    const bytes = latinBytes(`0 qid:1 1:1\n1 qid:1 ${features}\n2 qid:2 2:2`);
    writeFileSync(path, bytes);
    const expected = await outcome(() => parseLetor(bytes));
    for (const team of teams) expect(await outcome(() => loadTogether(path, {}, team, 0, bytes.length, 512))).toEqual(expected);
  });

  it('is what loadFeatures gives with a team: plain and compressed, with a mark at the beginning, with bad lines', async () => {
    const random = seededRandom(11);
    const line = (row: number): string =>
      row % 5000 === 4999
        ? `${row % 5} qid:${row >> 5} 1:x`
        : `${row % 5} qid:${row >> 5} ${Array.from({ length: 12 }, (_, k) => `${k + 1}:${random.float().toFixed(random.below(9))}`).join(' ')} # d${row}`;
    const text = `\u00ef\u00bb\u00bf${Array.from({ length: 40_000 }, (_, row) => line(row)).join('\r\n')}`;
    const bytes = latinBytes(text);
    expect(bytes.length).toBeGreaterThan(4 << 20);
    const compressed = join(folder, 'features.txt.gz');
    writeFileSync(path, bytes);
    writeFileSync(compressed, gzipSync(bytes));
    const expected = await outcome(() => parseLetor(bytes, { lenient: true, source: path }));
    for (const team of teams) {
      expect(await outcome(() => loadFeatures(path, { lenient: true, team }))).toEqual(expected);
    }
    const { matrix } = await loadFeatures(path, { lenient: true, team: teams[1] });
    expect(matrix.features?.values.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(matrix.numRows).toBe(40_000 - 8);
    const unpacked = await outcome(() => loadFeatures(compressed, { lenient: true, team: teams[1], letor: {} }));
    expect(unpacked).toMatchObject({ matrix: (expected as LetorReading).matrix });
    const complaints = await outcome(() => loadFeatures(path, { team: teams[2] }));
    expect(complaints).toEqual(await outcome(() => parseLetor(bytes, { source: path })));
    expect(complaints).toMatchObject([
      { source: path, line: 5000, message: 'expected a number as feature 1, found "x"' },
      {},
      {},
      {},
      {},
      {},
      {},
      {},
    ]);
  });

  it('that cannot be read is refused by name', async () => {
    const missing = join(folder, 'nothing.txt');
    await expect(loadTogether(missing, { source: missing }, teams[1], 0, 1 << 20, 4096)).rejects.toThrow(
      `${missing}: cannot be read: no such file or directory`,
    );
  });
});

describe('a large feature file read into bins by several threads', () => {
  it('gives the same bytes for any number of threads', async () => {
    const { loadBinned } = await built('node/letor/load-binned.js');
    const random = seededRandom(3);
    const row = (_: unknown, r: number): string => `${random.below(3)} qid:${r >> 4} 1:${random.below(400)} 2:${random.float()}\n`;
    const text = Array.from({ length: 70_000 }, row).join('');
    writeFileSync(path, text);
    const readings = [];
    for (const team of teams) {
      const { matrix } = await loadBinned(path, { source: path }, team, 255, 0, text.length, 10_000);
      const { memory, address, end, ...binned } = matrix.binned;
      const bins = new Uint8Array(memory.buffer).slice(address, end);
      readings.push({ labels: inShort({ labels: matrix.labels }), binned, bins: inShort({ bins }) });
    }
    expect(readings[0].binned.edges[0].length).toBeGreaterThan(200);
    expect(readings[1]).toEqual(readings[0]);
    expect(readings[2]).toEqual(readings[0]);
  });
});
