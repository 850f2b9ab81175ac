import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { InputError, printable } from '../../core/problem.js';
import type { Columns, TableKind } from '../../formats/columns.js';
import { compileSql, type TableSource } from '../../sql/compile.js';
import { duckdb } from '../../sql/dialects/duckdb.js';
import { checkSql, factsOf, refuseBadTables, repeatedDocument, scoreTableOf, type TopicRow } from '../../sql/result.js';
import { type EngineRequest, type EngineRun, isMissingModule, missingPackage, sha256 } from './engine.js';
import { columnNames, findTableFiles, nameOfFiles, type TableFiles } from './table-files.js';

/** How often progress is looked at, in milliseconds. */
const PROGRESS_EVERY = 250;

/** Evaluates runs with DuckDB inside this process, within a limit of memory: what does not fit goes to temporary files. */
export async function evaluateWithDuckdb(request: EngineRequest): Promise<EngineRun[]> {
  const { DuckDBInstance, version } = await loadDuckdb();
  const folder = await mkdtemp(join(tmpdir(), 'gradus-duckdb-'));
  try {
    const instance = await DuckDBInstance.create(join(folder, 'tables.duckdb'), {
      temp_directory: join(folder, 'spilled'),
      preserve_insertion_order: 'false',
      ...(request.threads === undefined ? {} : { threads: String(request.threads) }),
      ...(request.memoryLimit === undefined ? {} : { memory_limit: request.memoryLimit }),
    }).catch((error: unknown) => Promise.reject(asInputError(error, 'DuckDB')));
    try {
      const connection = await instance.connect();
      const session = new Session(connection, request);
      const qrels = await session.open(findTableFiles(request.qrels, 'qrels'), 'qrels', 'judgements');
      const runs: EngineRun[] = [];
      for (const path of request.runs) {
        const files = findTableFiles(path, 'run');
        runs.push(await session.evaluate(files, await session.open(files, 'run', `run ${runs.length}`), qrels, `${version()}`));
      }
      connection.closeSync();
      return runs;
    } finally {
      instance.closeSync();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function loadDuckdb(): Promise<typeof import('@duckdb/node-api')> {
  try {
    return await import('@duckdb/node-api');
  } catch (error) {
    if (isMissingModule(error)) throw missingPackage('@duckdb/node-api', '--engine duckdb');
    throw error;
  }
}

/** What DuckDB says, in one line; it adds hints and the SQL below. */
function asInputError(error: unknown, source: string): InputError {
  if (error instanceof InputError) return error;
  const [reason] = String(error instanceof Error ? error.message : error).split('\n');
  const wayOut = /out of memory/i.test(reason)
    ? 'give it more with --memory-limit, or fewer --threads, each of which needs its own'
    : undefined;
  return new InputError({ source, message: `DuckDB says: ${printable(reason)}`, wayOut });
}

class Session {
  private readonly connection: DuckDBConnection;
  private readonly request: EngineRequest;

  constructor(connection: DuckDBConnection, request: EngineRequest) {
    this.connection = connection;
    this.request = request;
  }

  /** A table of the files. Parquet is read where it lies; text is read once, into a table that may be larger than memory. */
  async open(files: TableFiles, kind: TableKind, name: string): Promise<TableSource> {
    const { columns } = this.request;
    if (files.format === 'parquet') {
      const relation = `read_parquet(${duckdb.literal(files.pattern)})`;
      return { relation, columns: columnNames(await this.header(relation, files.source), kind, columns, files.source) };
    }
    const relation = duckdb.identifier(name);
    const text = files.format === 'lines' ? trecLines(files, kind) : await this.separated(files, kind, columns);
    await this.ask(`CREATE TABLE ${relation} AS ${text}`, `reading ${files.source}`, files.source);
    return { relation };
  }

  private async header(relation: string, source: string): Promise<string[]> {
    const rows = await this.ask(`DESCRIBE SELECT * FROM ${relation}`, `looking at ${source}`, source);
    return rows.map(([name]) => String(name));
  }

  private async separated(files: TableFiles, kind: TableKind, columns: Columns | undefined): Promise<string> {
    const delimiter = files.format === 'tsv' ? '\t' : ',';
    const relation = `read_csv(${duckdb.literal(files.pattern)}, header = true, all_varchar = true, delim = ${duckdb.literal(delimiter)}, compression = '${files.compression}')`;
    const names = columnNames(await this.header(relation, files.source), kind, columns, files.source);
    const pick = (name: string, as: string): string => `${duckdb.identifier(name)} AS ${as}`;
    const value = `CAST(trim(${duckdb.identifier(names.value)}) AS DOUBLE) AS ${kind === 'run' ? 'score' : 'grade'}`;
    return `SELECT ${pick(names.topic, 'topic')}, ${pick(names.doc, 'doc')}, ${value} FROM ${relation}`;
  }

  /** All rows of an answer, or those after the first `skip` columns. */
  private async ask(sql: string, doing: string, source: string): Promise<readonly (readonly unknown[])[]> {
    const { onProgress } = this.request;
    onProgress?.(doing, undefined);
    const timer = onProgress && setInterval(() => onProgress(doing, shareOf(this.connection.progress.percentage)), PROGRESS_EVERY);
    try {
      const reader = await this.connection.runAndReadAll(sql);
      return reader.getRows();
    } catch (error) {
      throw asInputError(error, source);
    } finally {
      if (timer !== undefined) clearInterval(timer);
    }
  }

  async evaluate(files: TableFiles, run: TableSource, qrels: TableSource, version: string): Promise<EngineRun> {
    const { measures, rules, planOptions, trustUnique } = this.request;
    const { source } = files;
    const checks = checkSql({ dialect: duckdb, run, qrels, rules });
    const [line] = await this.ask(checks.facts, `counting ${source}`, source);
    const facts = factsOf(line);
    refuseBadTables(facts, source, this.request.qrels);
    if (trustUnique !== true) {
      const [repeated] = await this.ask(checks.repeated, `looking for documents that ${source} has twice`, source);
      if (repeated !== undefined) throw repeatedDocument(source, String(repeated[0]), String(repeated[1]));
    }
    const options = { ...planOptions, highestGrade: planOptions?.highestGrade ?? facts.highestGrade };
    const compiled = compileSql({ dialect: duckdb, measures, run, qrels, rules, options });
    const answer = await this.ask(compiled.text, `evaluating ${source}`, source);
    const rows = answer.map(([topic, ...values]): TopicRow => ({ topic: String(topic), values: values as (number | null)[] }));
    return {
      path: source,
      table: scoreTableOf(compiled, rows, nameOfFiles(files), options),
      facts,
      sql: compiled.text,
      provenance: {
        engine: 'duckdb',
        version,
        sqlSha256: await sha256(compiled.text),
        runRows: facts.runRows,
        qrelsRows: facts.qrelsRows,
      },
    };
  }
}

function shareOf(percentage: number): number | undefined {
  return percentage >= 0 && percentage <= 100 ? percentage / 100 : undefined;
}

/** The lines of TREC files as rows. Fields are parted by any blanks, so each line is read whole and then cut. */
function trecLines({ pattern, compression }: TableFiles, kind: TableKind): string {
  const [numFields, doc, value] = kind === 'run' ? [6, 3, 5] : [4, 3, 4];
  const lines = `read_csv(${duckdb.literal(pattern)}, header = false, auto_detect = false, columns = {'line': 'VARCHAR'}, delim = '\x01', quote = '', escape = '', strict_mode = false, max_line_size = 10000000, compression = '${compression}')`;
  const fields = `SELECT string_split_regex(trim(line, E' \\t\\r'), '[ \\t]+') AS f FROM ${lines} WHERE NOT regexp_matches(line, '^[ \\t\\r]*(#|$)')`;
  // a line with another number of fields gives a row without a value, which is counted and refused
  const field = (at: number): string => `CASE WHEN len(f) = ${numFields} THEN f[${at}] END`;
  return `SELECT ${field(1)} AS topic, ${field(doc)} AS doc, TRY_CAST(${field(value)} AS DOUBLE) AS ${kind === 'run' ? 'score' : 'grade'} FROM (${fields})`;
}
