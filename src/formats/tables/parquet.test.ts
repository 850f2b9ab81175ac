import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { InputError } from '../../core/problem.js';
import { ScoreTable } from '../../core/score-table.js';
import { parseRun } from '../read.js';
import { parseTrecQrelsGroups } from '../trec/qrels.js';
import { formatTrecRun, parseTrecRun } from '../trec/run.js';
import { parquetColumnNames, parquetContent, parseParquetQrels, parseParquetRun, parseParquetScores } from './parquet.js';
import { formatParquetQrels, formatParquetRun, formatParquetScores } from './parquet-writer.js';

const folder = mkdtempSync(join(tmpdir(), 'gradus-parquet-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A Parquet file as DuckDB writes it. */
async function written(select: string, options = ''): Promise<Uint8Array> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const path = join(folder, 'written.parquet');
  await connection.run(`COPY (${select}) TO '${path}' (FORMAT parquet${options})`);
  connection.closeSync();
  return new Uint8Array(readFileSync(path));
}

const text = 'q1 Q0 a 1 2.5 t\nq1 Q0 b 2 1 t\nq2 Q0 a 1 0.1 t\n';

describe('Parquet', () => {
  test('runs come back as they were', async () => {
    const { run } = parseTrecRun(text, { ranks: true });
    const bytes = await formatParquetRun(run);
    expect(await parquetColumnNames(bytes)).toEqual(['query_id', 'doc_id', 'score', 'rank']);
    expect(await parquetContent(bytes)).toBe('run');
    const back = await parseParquetRun(bytes, { name: 't', ranks: true });
    expect(new TextDecoder().decode(formatTrecRun(back.run))).toBe(text);
    expect(back.run.ranks).toEqual(run.ranks);
  });

  test('any run comes back: ids of any characters, scores to the last bit', async () => {
    const id = fc.string({ unit: 'binary', minLength: 1, maxLength: 8 });
    const row = fc.record({ topic: id, doc: id, score: fc.double({ noNaN: true, noDefaultInfinity: true }) });
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(row, { selector: ({ topic, doc }) => JSON.stringify([topic, doc]), minLength: 1, maxLength: 30 }),
        async (rows) => {
          const { toRun } = await import('../../core/run.js');
          const run = toRun(rows, 'run');
          const back = (await parseParquetRun(await formatParquetRun(run))).run;
          const listed = (r: typeof run) =>
            Array.from({ length: r.topics.size }, (_, t) =>
              Array.from({ length: r.offsets[t + 1] - r.offsets[t] }, (_, i) => [
                r.topics.text(t),
                r.docs.text(r.docOf[r.offsets[t] + i]),
                r.scores[r.offsets[t] + i],
              ]),
            ).flat();
          expect(listed(back)).toEqual(listed(run));
        },
      ),
      { numRuns: 40 },
    );
  });

  test('judgements come back with their groups', async () => {
    const { qrels } = parseTrecQrelsGroups('q1 A d1 1\nq1 B d1 0\nq2 A d2 2\n');
    const back = (await parseParquetQrels(await formatParquetQrels(qrels), { groups: true })).qrels;
    expect(Array.from(back.grades)).toEqual([1, 0, 2]);
    expect(Array.from(back.groups?.of ?? [], (group) => back.groups?.ids.text(group))).toEqual(['A', 'B', 'A']);
  });

  test('scores come back', async () => {
    const columns = [
      { name: 'nDCG@10', aggregate: 'mean' as const },
      { name: 'AP', aggregate: 'mean' as const },
    ];
    const table = new ScoreTable(['one', 'two'], ['q1', 'q2'], columns, Float64Array.of(0.1, 0.2, 0.3, 1 / 3, 0.5, 0.6, 0.7, 0.8));
    const back = await parseParquetScores(await formatParquetScores(table));
    expect(back.systems).toEqual(['one', 'two']);
    expect(back.value('q2', 'AP', 'one')).toBe(1 / 3);
    expect(back.value('q2', 'AP', 'two')).toBe(0.8);
  });

  test("DuckDB's files: whole numbers as ids, 32-bit scores, zstd, topics in any order", async () => {
    const bytes = await written(
      'SELECT * FROM (VALUES (7::INTEGER, 100::BIGINT, 0.5::FLOAT), (3, 101, 1.5), (7, 102, 0.25)) v(qid, docno, score)',
      ', COMPRESSION zstd',
    );
    const { run } = await parseParquetRun(bytes, { name: 'r' });
    expect(new TextDecoder().decode(formatTrecRun(run))).toBe('7 Q0 100 1 0.5 r\n7 Q0 102 2 0.25 r\n3 Q0 101 1 1.5 r\n');
  });

  test('columns can be named', async () => {
    const bytes = await written("SELECT 'q' AS a, 'd' AS b, 2 AS \"c d\"");
    const { run } = await parseParquetRun(bytes, { columns: { topic: 'a', doc: 'b', score: 'c d' } });
    expect(run.scores[0]).toBe(2);
    await expect(parseParquetRun(bytes, { source: 'x.parquet' })).rejects.toThrow(
      'x.parquet: has no column for the topic, the document and the score or rank; it has a, b, c d; say which they are: --columns topic=NAME,doc=NAME,score=NAME (rank=NAME instead of score=NAME if 1 is best)',
    );
  });

  test('only the parts of the file are read that hold topics which are wanted', async () => {
    const bytes = await written(
      "SELECT 'q' || lpad(CAST(i // 5000 AS VARCHAR), 3, '0') AS topic, 'd' || i AS doc, i AS score FROM range(100000) r(i) ORDER BY i",
      ', ROW_GROUP_SIZE 5000',
    );
    const read = async (topics?: ReadonlySet<string>): Promise<{ numBytes: number; numRows: number; topics: string[] }> => {
      let numBytes = 0;
      const file = {
        byteLength: bytes.length,
        slice(start: number, end: number = bytes.length) {
          numBytes += end - start;
          return bytes.slice(start, end).buffer;
        },
      };
      const { run } = await parseParquetRun(file, { topics });
      return { numBytes, numRows: run.scores.length, topics: Array.from({ length: run.topics.size }, (_, t) => run.topics.text(t)) };
    };
    const all = await read();
    const some = await read(new Set(['q003', 'missing']));
    expect(all.numRows).toBe(100_000);
    expect(some).toMatchObject({ numRows: 5000, topics: ['q003'] });
    expect(some.numBytes).toBeLessThan(all.numBytes / 2);
  });

  test('problems are reported with their row', async () => {
    const bytes = await written(
      "SELECT * FROM (VALUES ('q', 'd', 1.0), (NULL, 'd', 1.0), ('q', 'e', 'nan'::DOUBLE), ('q', 'd', 2.0)) v(topic, doc, score)",
    );
    const error = await parseParquetRun(bytes, { source: 'r.parquet' }).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(InputError);
    expect((error as InputError).problems.map(({ line, message }) => `${line}: ${message}`)).toEqual([
      '2: expected a topic and a document id, found nothing',
      '3: expected a finite number as score, found "NaN"',
      '4: topic "q" has document "d" already on line 1 (ranks 1 and 2)',
    ]);
    expect((await parseParquetRun(bytes, { lenient: true })).skipped.count).toBe(3);
  });

  test('ids that are not text are refused, because they would come back as others', async () => {
    const bytes = Uint8Array.from(Buffer.from('1 Q0 \xff 1 1 t\n1 Q0 \xfe 2 1 t\n', 'latin1'));
    await expect(formatParquetRun(parseTrecRun(bytes).run)).rejects.toThrow(
      'id "\ufffd" is not valid UTF-8, which Parquet cannot hold; TREC files and CSV can hold any bytes',
    );
    await expect(formatParquetRun(parseRun('{"1":{"a\\ud83d":1}}').run)).rejects.toThrow(
      'holds half of a character, which Parquet cannot hold',
    );
  });

  test('a damaged file is reported by name', async () => {
    const bytes = await written("SELECT 'q' AS topic, 'd' AS doc, 1.0 AS score");
    await expect(parseParquetRun(bytes.subarray(0, bytes.length - 20), { source: 'r.parquet' })).rejects.toThrow(
      /^r\.parquet: cannot be read as Parquet: /,
    );
    expect(() => parseRun(bytes)).toThrow(
      'is parquet, which cannot be read at once; await readRun, readJudgements or readScores of bytesSource(bytes)',
    );
  });
});
