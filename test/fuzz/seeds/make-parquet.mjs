// Writes parquet.json: small Parquet files by DuckDB and by Gradus itself, in base64, for the fuzz targets to start from.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { formatParquetQrels, formatParquetRun, parseQrels, parseRun } from '../../../dist/formats/index.js';

const folder = mkdtempSync(join(tmpdir(), 'gradus-seeds-'));
const connection = await (await DuckDBInstance.create(':memory:')).connect();
const run = "SELECT 'q' || (i // 4) AS query_id, 'd' || i AS doc_id, (10 - i) / 4 AS score FROM range(9) t(i)";
const selects = [
  [run, "CODEC 'uncompressed'"],
  [run, "CODEC 'snappy'"],
  [run, "CODEC 'gzip'"],
  [run, "CODEC 'zstd'"],
  [run, "CODEC 'lz4_raw'"],
  // delta and split encodings, which only the second version of the format has
  [run, "CODEC 'uncompressed', PARQUET_VERSION V2, DICTIONARY_SIZE_LIMIT 0"],
  [
    "SELECT i AS topic, 'doc-' || i AS doc, i * 3 AS grade FROM range(200) t(i)",
    "CODEC 'uncompressed', PARQUET_VERSION V2, DICTIONARY_SIZE_LIMIT 0",
  ],
  ["SELECT i AS topic, 'x' AS doc, i % 3 AS grade, CASE WHEN i % 2 = 0 THEN 'g' END AS iteration FROM range(5) t(i)", "CODEC 'snappy'"],
  [
    'SELECT i::BIGINT AS qid, i % 3 AS label, i / 3 AS f1, CASE WHEN i = 2 THEN NULL ELSE i END AS f2 FROM range(6) t(i)',
    "CODEC 'uncompressed'",
  ],
  [
    "SELECT 't' || i AS topic, i / 10.0 AS a, i::DECIMAL(9,2) AS b, [i, i + 1] AS c, {'x': i} AS d FROM range(4) t(i)",
    "CODEC 'uncompressed'",
  ],
];
const files = [];
for (const [select, options] of selects) {
  const path = join(folder, 'seed.parquet');
  await connection.run(`COPY (${select}) TO '${path}' (FORMAT parquet, ${options})`);
  files.push(readFileSync(path));
}
files.push(await formatParquetRun(parseRun('1 Q0 a 1 2 t\n1 Q0 b 2 1 t\n2 Q0 a 1 3 t\n').run));
files.push(await formatParquetQrels(parseQrels('1 0 a 1\n1 0 b 0\n').qrels));
rmSync(folder, { recursive: true });
const base64 = files.map((file) => Buffer.from(file).toString('base64'));
writeFileSync(new URL('parquet.json', import.meta.url), `${JSON.stringify(base64, null, 2)}\n`);
