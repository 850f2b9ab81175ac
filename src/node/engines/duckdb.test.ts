import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { EngineRequest } from '../../experiment/engine.js';
import { parseMeasures } from '../../measures/parse.js';
import { evaluateWithDuckdb, openDuckdb } from './duckdb.js';
import { findTableFiles } from './table-files.js';

const folder = mkdtempSync(join(tmpdir(), 'gradus-duckdb-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function written(name: string, text: string | Uint8Array): string {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  return path;
}

const csv = (rows: string): string => `query_id,doc_id,score\n${rows}`;
const qrels = written('one.qrels', 'q1 0 d1 1\n');

async function numRet(path: string, more: Partial<EngineRequest> = {}): Promise<unknown> {
  const [{ table }] = await evaluateWithDuckdb({ qrels, runs: [path], measures: parseMeasures('NumRet'), ...more });
  return table.values[0];
}

describe('DuckDB', () => {
  test('can read the files it was given and nothing else, however it is asked', async () => {
    const run = written('only.csv', csv('q1,d1,1\n'));
    const other = written('other.csv', 'a\n1\n');
    const own = mkdtempSync(join(folder, 'own-'));
    const instance = await openDuckdb(own, [findTableFiles(run, 'run')]);
    const connection = await instance.connect();
    const ask = (sql: string): Promise<string> =>
      connection.runAndReadAll(sql).then(
        () => 'answered',
        (error: Error) => error.message.split('\n')[0],
      );
    expect(await ask(`SELECT * FROM read_csv('${run}')`)).toBe('answered');
    for (const sql of ['LOAD httpfs', 'INSTALL httpfs', 'FORCE INSTALL httpfs', 'INSTALL h3 FROM community']) {
      expect([sql, await ask(sql)]).toEqual([sql, expect.stringMatching(/disabled|not allowed|cannot/i)]);
    }
    for (const sql of [
      "SELECT * FROM 'https://example.com/x.parquet'",
      "SELECT * FROM read_parquet('s3://bucket/x.parquet')",
      `SELECT * FROM read_csv('${other}')`,
      `SELECT * FROM read_text('${other}')`,
      `SELECT * FROM glob('${folder}/*')`,
      `ATTACH '${join(folder, 'new.duckdb')}'`,
      `COPY (SELECT 1) TO '${join(folder, 'out.csv')}'`,
    ]) {
      expect([sql, await ask(sql)]).toEqual([sql, expect.stringContaining('file system operations are disabled')]);
    }
    for (const sql of ['SET enable_external_access = true', 'SET autoload_known_extensions = true', "SET allowed_paths = ['/']"]) {
      expect([sql, await ask(sql)]).toEqual([sql, expect.stringContaining('the configuration has been locked')]);
    }
    connection.closeSync();
    instance.closeSync();
    expect(existsSync(join(folder, 'out.csv'))).toBe(false);
  });

  test('still spills what does not fit into memory', async () => {
    const own = mkdtempSync(join(folder, 'own-'));
    const instance = await openDuckdb(own, [], { memoryLimit: '24MB', threads: 1 });
    const connection = await instance.connect();
    await connection.run('CREATE TABLE wide AS SELECT md5(range::VARCHAR) AS a, md5((range + 1)::VARCHAR) AS b FROM range(300000)');
    const rows = await connection.runAndReadAll('SELECT count(*) FROM (SELECT a, b, row_number() OVER (ORDER BY a) FROM wide)');
    expect(Number(rows.getRows()[0][0])).toBe(300_000);
    connection.closeSync();
    instance.closeSync();
  });

  test('refuses an address unless the network is allowed', async () => {
    for (const address of ['https://example.com/run.parquet', 's3://bucket/run.parquet', 'hf://datasets/x/y.parquet']) {
      await expect(numRet(address)).rejects.toThrow(
        `${address}: is an address, and DuckDB may not use the network; add --allow-network to let it read addresses, and fetch its extension for that`,
      );
    }
  });

  test('reads the file that has the name, not those that the name fits as a pattern', async () => {
    const two = csv('q1,d1,1\nq1,d2,2\n');
    for (const [name, similar] of [
      ['run[1].csv', 'run1.csv'],
      ['a*b.csv', 'axb.csv'],
      ['q?.csv', 'qx.csv'],
      ['[!x].csv', 'y.csv'],
      ["it's {a,b}.csv", 'a.csv'],
      ['~.csv', 'home.csv'],
      ['odd[1]/*/r.csv', 'odd1/x/r.csv'],
    ]) {
      written(similar, csv('q1,d1,1\n'));
      expect([name, await numRet(written(name, two))]).toEqual([name, 2]);
    }
  });

  test('keeps a byte order mark that begins a topic, and only the one before the text is none', async () => {
    const qrels = written('marks.qrels', 'q 0 d 1\n\ufeffq 0 d 1\n\ufeff 0 d 1\n');
    const run = written('marks.run', '\ufeffq Q0 d 1 1 t\n\ufeffq Q0 d 1 1 t\n\ufeff Q0 d 1 1 t\n');
    const [{ table }] = await evaluateWithDuckdb({ qrels, runs: [run], measures: parseMeasures('NumRet') });
    expect(table.topics).toEqual(['q', '\ufeff', '\ufeffq']);
  });

  test('takes a pattern for all files that it fits, in folders too', async () => {
    for (const name of ['p/a/1.csv', 'p/a/2.csv', 'p/b/c/3.csv']) written(name, csv(`q1,${name},1\n`));
    expect(await numRet(join(folder, 'p', 'a', '?.csv'))).toBe(2);
    expect(await numRet(join(folder, 'p', '*', '*.csv'))).toBe(2);
    expect(await numRet(join(folder, 'p', '**', '*.csv'))).toBe(3);
  });

  test('takes no column from the name of a folder if the file has it', async () => {
    const path = written('query_id=q9/run.csv', csv('q1,d1,1\n'));
    expect(await numRet(path)).toBe(1);
  });

  test('reads CSV as everything else does, or says that it would not', async () => {
    const read = async (rows: string | Uint8Array, name = 'r.csv'): Promise<unknown> => {
      try {
        return await numRet(written(name, rows));
      } catch (error) {
        return (error as Error).message.replaceAll(`${folder}/`, '');
      }
    };
    const two = 'q1,d1,1\nq1,d2,2\n';
    expect(await read(csv(two))).toBe(2);
    expect(await read(csv(`# a comment\n${two}`))).toBe(
      'r.csv:2: begins with #, which is a comment, and DuckDB would take it for data; remove the line, or evaluate it without --engine',
    );
    expect(await read(csv(two.replace('q1,d2', '"#1",d2')))).toBe(1);
    expect(await read(csv('q1,d1\rx,1\nq1,d2,2\n'))).toBe(
      'r.csv:2: has a carriage return within the line, at which DuckDB would end it; evaluate it without --engine',
    );
    expect(await read(csv('q1, "d1",1\nq1,d2,2\n'))).toMatch(/^r\.csv: DuckDB reads other ids.*; evaluate it without --engine$/);
    expect(await read(`\n${csv(two)}`)).toMatch(/^r\.csv: DuckDB reads 3 rows instead of 2.*; evaluate it without --engine$/);
    expect(await read(csv("q1,'d1',1\nq1,d1,2\n"))).toBe(2);
    expect(await read(csv('q1,d1,1\r\nq1,d2,2\n'))).toBe(2);
    expect(await read(csv('q1,d1,1_000\nq1,d2,2\n'))).toContain('1 row has no topic, document or finite score');
    expect(await read('q1 Q0 d1 1 2 t\rq1 Q0 d2 2 1 t\n', 'r.run')).toBe(
      'r.run:1: has a carriage return within the line, at which DuckDB would end it; evaluate it without --engine',
    );
    expect(await read('q1 Q0 d1 1 2 t\nq1 Q0 d2 2 1 t\x01\n', 'r.run')).toBe(
      'r.run:2: has the byte \\x01, at which DuckDB would cut it; evaluate it without --engine',
    );
    expect(await read('q1 Q0 d1 1 2 t\r\nq1 Q0 d2 2 1 t\n', 'r.run')).toBe(2);
    expect(await read('q1 Q0 d1 1 2 t\nq1 Q0 d2\0 2 1 t\x01\n', 'r.run')).toBe('r.run:2: holds a NUL byte, expected text');
    expect(await read(Buffer.from('q1 Q0 d1 1 2 t\nq1 Q0 d\xe9 2 1 t\n', 'latin1'), 'r.run')).toBe(
      'r.run: line 2 is not UTF-8, and DuckDB reads no other text; evaluate it without --engine',
    );
    expect(await read(Buffer.from(csv('q1,d1,1\nq1,d\xe9,2\n'), 'latin1'))).toBe(
      'r.csv: line 3 is not UTF-8, and DuckDB reads no other text; evaluate it without --engine',
    );
  });

  test('loses no row of a file without a header, and knows columns of one name by their places', async () => {
    const columns = { topic: 1, doc: 2, score: 3 };
    expect(await numRet(written('bare.csv', 'q1,d1,1\nq1,d2,2\n'), { columns })).toBe(2);
    const named = { topic: 'q', doc: 2, score: 's' };
    const path = written('same.csv', 'q,q,s\nq1,d1,1\nq1,d2,2\n');
    expect(await numRet(path, { columns: named })).toBe(2);
  });

  test('refuses files of a pattern that have different columns', async () => {
    written('m/1.csv', csv('q1,d1,1\n'));
    written('m/2.csv', 'doc_id,query_id,score\nd2,q1,1\n');
    await expect(numRet(join(folder, 'm', '*.csv'))).rejects.toThrow(/2\.csv: has other columns than .*1\.csv/);
  });
});
