import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { IdTable } from '../../src/core/ids.js';
import { InputError } from '../../src/core/problem.js';
import type { GroupColumn, Qrels } from '../../src/core/qrels.js';
import type { Run } from '../../src/core/run.js';
import type { Format, WrittenChunks } from '../../src/formats/format.js';
import { type ChunkReader, type ReadOptions, textBytes } from '../../src/formats/reader.js';
import { joinChunks } from '../../src/formats/text/byte-writer.js';
import { readInChunks, rowsOfQrels, rowsOfRun } from '../helpers/rows.js';

/** What every format that holds runs or judgements has to do. */
export interface FormatTraits {
  /** Ids of any kind that the format can write. */
  readonly ids: fc.Arbitrary<Uint8Array>;
  /** Whether it can write this one, which is text. */
  readonly canHold: (id: Uint8Array) => boolean;
  /** Group columns that the format keeps. */
  readonly numGroups: 0 | 1 | 2;
}

export const anyBytes: fc.Arbitrary<Uint8Array> = fc.uint8Array({ min: 1, max: 255, minLength: 1, maxLength: 12 });
export const anyText: fc.Arbitrary<Uint8Array> = fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }).map(textBytes);
const awkward = fc
  .constantFrom('__proto__', 'constructor', '=1+1', '-1', '@x', '日本', '0', '#', '"', "'", 'NaN', '\ud83d', 'a'.repeat(300))
  .map(textBytes);

interface Row {
  topic: Uint8Array;
  doc: Uint8Array;
  value: number;
  rank: number;
  group: Uint8Array;
  subgroup: Uint8Array;
}

/** Rows grouped by topic, no document twice in one. */
function tables(ids: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Row[]> {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true });
  const row = fc.record({ topic: ids, doc: ids, value: number, rank: fc.integer({ min: 1, max: 1000 }), group: ids, subgroup: ids });
  return fc.array(row, { minLength: 1, maxLength: 12 }).map((rows) => {
    const seen = new Set<string>();
    const unique = rows.filter(({ topic, doc }) => {
      const key = `${topic} ${doc}`;
      return !seen.has(key) && seen.add(key);
    });
    const topics = new IdTable();
    for (const { topic } of unique) topics.internBytes(topic, 0, topic.length);
    const numberOf = ({ topic }: Row): number => topics.findBytes(topic, 0, topic.length);
    return unique.sort((a, b) => numberOf(a) - numberOf(b));
  });
}

function columnOf(rows: readonly Row[], field: 'topic' | 'doc' | 'group' | 'subgroup'): GroupColumn {
  const ids = new IdTable();
  return { ids, of: Uint32Array.from(rows, (row) => ids.internBytes(row[field], 0, row[field].length)) };
}

function shapeOf(rows: readonly Row[]): { topics: IdTable; docs: IdTable; offsets: Uint32Array; docOf: Uint32Array } {
  const topics = columnOf(rows, 'topic');
  const docs = columnOf(rows, 'doc');
  const offsets = new Uint32Array(topics.ids.size + 1);
  for (const topic of topics.of) offsets[topic + 1]++;
  for (let topic = 0; topic < topics.ids.size; topic++) offsets[topic + 1] += offsets[topic];
  return { topics: topics.ids, docs: docs.ids, offsets, docOf: docs.of };
}

function makeRun(rows: readonly Row[], ranked: boolean): Run {
  const scores = Float64Array.from(rows, (row) => row.value);
  return { ...shapeOf(rows), name: 'name', scores, ranks: ranked ? Float64Array.from(rows, (row) => row.rank) : undefined };
}

function makeQrels(rows: readonly Row[], numGroups: number): Qrels {
  const groups = numGroups > 0 ? columnOf(rows, 'group') : undefined;
  const subgroups = numGroups > 1 ? columnOf(rows, 'subgroup') : undefined;
  return { ...shapeOf(rows), grades: Float64Array.from(rows, (row) => row.value), groups, subgroups };
}

/** The same, whatever the chunks: every boundary in turn, byte by byte, and all at once. */
function readEverySplit<Reading>(createReader: () => ChunkReader<Reading>, bytes: Uint8Array, check: (reading: Reading) => void): void {
  for (let split = 1; split < Math.min(bytes.length, 250); split++) check(readInChunks(createReader(), bytes, [split, bytes.length]));
  check(readInChunks(createReader(), bytes, [1]));
  check(readInChunks(createReader(), bytes, [bytes.length]));
}

/** Readers of chunks; those of other kinds have tests of their own. */
function inOrder<Reading>(
  reader: { inOrder: (options: ReadOptions) => ChunkReader<Reading> } | object | undefined,
): ((options?: ReadOptions) => ChunkReader<Reading>) | undefined {
  return reader !== undefined && 'inOrder' in reader ? (options = {}) => reader.inOrder(options) : undefined;
}

/** Writers that need not be waited for. */
function atOnce<Value>(write: ((value: Value) => WrittenChunks) | undefined): ((value: Value) => Iterable<Uint8Array>) | undefined {
  return (
    write &&
    ((value) => {
      const chunks = write(value);
      if (chunks instanceof Promise) throw new Error('has to be waited for');
      return chunks;
    })
  );
}

export function describeFormat(format: Format, traits: FormatTraits): void {
  const createRunReader = inOrder(format.read.run);
  const createQrelsReader = inOrder(format.read.qrels);
  const writeRun = atOnce(format.write.run);
  const writeQrels = atOnce(format.write.qrels);
  const ids = fc.oneof({ weight: 3, arbitrary: traits.ids }, awkward.filter(traits.canHold));

  describe(`format ${format.name}`, () => {
    if (createRunReader !== undefined && writeRun !== undefined) {
      test('writes runs that read back as they were', () => {
        fc.assert(
          fc.property(tables(ids), fc.boolean(), (rows, ranked) => {
            const run = makeRun(rows, ranked);
            const bytes = joinChunks(writeRun(run));
            const again = readInChunks(createRunReader({ ranks: ranked }), bytes, [bytes.length]).run;
            expect(rowsOfRun(again)).toEqual(rowsOfRun(run));
            expect(joinChunks(writeRun({ ...again, name: 'name' }))).toEqual(bytes);
          }),
        );
      });

      test('reads runs the same at every chunk boundary', () => {
        fc.assert(
          fc.property(tables(ids), (rows) => {
            const run = makeRun(rows, false);
            readEverySplit(createRunReader, joinChunks(writeRun(run)), (reading) => expect(rowsOfRun(reading.run)).toEqual(rowsOfRun(run)));
          }),
          { numRuns: 3 },
        );
      });
    }

    if (createQrelsReader !== undefined && writeQrels !== undefined) {
      const options = { groups: traits.numGroups > 0, subgroups: traits.numGroups > 1 };

      test('writes judgements that read back as they were', () => {
        fc.assert(
          fc.property(tables(ids), (rows) => {
            const qrels = makeQrels(rows, traits.numGroups);
            const bytes = joinChunks(writeQrels(qrels));
            const again = readInChunks(createQrelsReader(options), bytes, [bytes.length]).qrels;
            expect(rowsOfQrels(again)).toEqual(rowsOfQrels(qrels));
            expect(joinChunks(writeQrels(again))).toEqual(bytes);
          }),
        );
      });

      test('reads judgements the same at every chunk boundary', () => {
        fc.assert(
          fc.property(tables(ids), (rows) => {
            const qrels = makeQrels(rows, traits.numGroups);
            readEverySplit(
              () => createQrelsReader(options),
              joinChunks(writeQrels(qrels)),
              (reading) => expect(rowsOfQrels(reading.qrels)).toEqual(rowsOfQrels(qrels)),
            );
          }),
          { numRuns: 3 },
        );
      });
    }

    const readers: (() => ChunkReader<unknown>)[] = [];
    for (const lenient of [false, true]) {
      const options = { source: 'file', lenient };
      if (createRunReader !== undefined) readers.push(() => createRunReader(options));
      if (createQrelsReader !== undefined) readers.push(() => createQrelsReader(options));
    }

    test('says what is wrong with an empty file, and names it', () => {
      for (const createReader of readers) expect(() => createReader().finish()).toThrow(/^file: holds (no lines|nothing); expected /);
    });

    test('meets any bytes with a reading or an InputError', () => {
      const piece = fc.oneof(
        fc.uint8Array({ maxLength: 8 }),
        fc
          .constantFrom(
            '1 Q0 d 1 1 t\n',
            '1 0 d 1\n',
            '1 0 0 d 1\n',
            'qid,docno,score\n',
            '1,2,3\n',
            '{"1":{"d":1}}',
            '{"qid":1,',
            '"docno":2,',
            '"score":3}\n',
            '[',
            ']',
            '"',
            '\n',
            '\\u',
          )
          .map(textBytes),
      );
      fc.assert(
        fc.property(fc.array(piece, { maxLength: 12 }).map(joinChunks), fc.integer({ min: 1, max: 9 }), (bytes, size) => {
          for (const createReader of readers) {
            try {
              readInChunks(createReader(), bytes, [size]);
            } catch (error) {
              if (!(error instanceof InputError)) throw error;
              expect(error.message).toMatch(/^file(:\d+)?: /);
            }
          }
        }),
        { numRuns: 300 },
      );
    });
  });
}
