import { join, resolve } from 'node:path';
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { unrelatedTopics } from '../../core/common-topics.js';
import { limits } from '../../core/limits.js';
import { orAdvice } from '../../core/optional-packages.js';
import { InputError, printable } from '../../core/problem.js';
import type { EngineRequest, EngineRun } from '../../experiment/engine.js';
import { ChosenColumns } from '../../formats/tables/chosen-columns.js';
import { areCounted, type TableKind } from '../../formats/tables/columns.js';
import { compileSql, type TableSource } from '../../sql/compile.js';
import { duckdb } from '../../sql/dialects/duckdb.js';
import { badRankError, checkSql, factsOf, refuseBadTables, repeatedDocument, scoreTableOf, type TopicRow } from '../../sql/result.js';
import { withTemporaryFolder } from '../cleanup.js';
import { sha256 } from './sha256.js';
import { type ColumnPlaces, columnNames, columnPlaces, findTableFiles, hasColumns, nameOfFiles, type TableFiles } from './table-files.js';
import { NO_DELIMITER, refuseOtherLines, refuseOtherShape, shapeOfSeparated } from './text-shape.js';

/** How often progress is looked at, in milliseconds. */
const PROGRESS_EVERY = 250;

/** Evaluates runs with DuckDB inside this process, within a limit of memory: what does not fit goes to temporary files. */
export async function evaluateWithDuckdb(request: EngineRequest): Promise<EngineRun[]> {
  const { version } = await loadDuckdb();
  const qrelsFiles = findTableFiles(request.qrels, 'qrels');
  const runFiles = request.runs.map((path) => findTableFiles(path, 'run'));
  return await withTemporaryFolder('duckdb', async (folder) => {
    const instance = await openDuckdb(folder, [qrelsFiles, ...runFiles], request);
    const connection = await instance.connect();
    try {
      const session = new Session(connection, request);
      const qrels = await session.open(qrelsFiles, 'qrels', 'judgements');
      const runs: EngineRun[] = [];
      for (const files of runFiles) {
        runs.push(await session.evaluate(files, qrels, await session.open(files, 'run', `run ${runs.length}`), `${version()}`));
      }
      session.chosen.refuseUnused();
      return runs;
    } finally {
      // a database with a connection stays open
      connection.closeSync();
      instance.closeSync();
    }
  });
}

/** A database in a folder of its own that can read these files and nothing else: no other file, no network, no extension that is not
 *  built in. An address opens the network, and has to be allowed. */
export async function openDuckdb(
  folder: string,
  tables: readonly TableFiles[],
  { threads, memoryLimit, allowNetwork }: Pick<EngineRequest, 'threads' | 'memoryLimit' | 'allowNetwork'> = {},
): Promise<DuckDBInstance> {
  const addresses = tables.filter(({ files }) => files.length === 0);
  if (addresses.length > 0 && allowNetwork !== true) {
    throw new InputError(
      addresses.map(({ source }) => ({
        source,
        message: 'is an address, and DuckDB may not use the network',
        wayOut: 'add --allow-network to let it read addresses, and fetch its extension for that',
      })),
    );
  }
  const { DuckDBInstance } = await loadDuckdb();
  const mayFetch = String(addresses.length > 0);
  const instance = await DuckDBInstance.create(join(folder, 'tables.duckdb'), {
    temp_directory: join(folder, 'spilled'),
    preserve_insertion_order: 'false',
    autoinstall_known_extensions: mayFetch,
    autoload_known_extensions: mayFetch,
    allow_community_extensions: 'false',
    ...(threads === undefined ? {} : { threads: String(threads) }),
    ...(memoryLimit === undefined ? {} : { memory_limit: memoryLimit }),
  }).catch((error: unknown) => Promise.reject(asInputError(error, 'DuckDB')));
  const connection = await instance.connect();
  if (addresses.length === 0) {
    // DuckDB asks for what it was given and for what it found
    const allowed = tables.flatMap(({ files }) => files.flatMap((file) => [duckdb.literal(resolve(file)), exactly(file)]));
    await connection.run(`SET allowed_paths = [${allowed.join(', ')}]`);
    await connection.run('SET enable_external_access = false');
  }
  await connection.run('SET lock_configuration = true');
  connection.closeSync();
  return instance;
}

/** A file for DuckDB, to which `*`, `?` and `[` are wildcards unless they stand in brackets. */
function exactly(file: string): string {
  return duckdb.literal(resolve(file).replace(/[*?[]/g, '[$&]'));
}

/** What DuckDB reads a table from. Nothing is taken from the names of folders such as `score=1`, unless it is asked for. */
function sourceList({ files, pattern }: TableFiles, partitioned = false): string {
  const paths = files.length === 0 ? duckdb.literal(pattern) : `[${files.map(exactly).join(', ')}]`;
  return `${paths}, hive_partitioning = ${partitioned}`;
}

async function loadDuckdb(): Promise<typeof import('@duckdb/node-api')> {
  try {
    return await import('@duckdb/node-api');
  } catch (error) {
    throw orAdvice(error, '--engine duckdb', ['@duckdb/node-api']);
  }
}

/** What DuckDB says, in one line; it adds hints and the SQL below. */
function asInputError(error: unknown, source: string): InputError {
  if (error instanceof InputError) return error;
  const words = String(error instanceof Error ? error.message : error);
  const [reason] = words.split('\n');
  if (/maximum line size/i.test(words)) {
    return new InputError({
      source,
      message: `has a line that is longer than ${limits.duckdbLineBytes} bytes, which DuckDB does not read`,
      wayOut: 'evaluate it without --engine',
    });
  }
  // the text was walked through before, so that it is DuckDB alone that cannot read it
  const [, line] = /CSV Error on Line: (\d+)/.exec(words) ?? [];
  if (line !== undefined) {
    const message = /not utf-?8/i.test(words)
      ? `line ${line} is not UTF-8, and DuckDB reads no other text`
      : `DuckDB cannot read line ${line}`;
    return new InputError({ source, message, wayOut: 'evaluate it without --engine' });
  }
  const wayOut = /out of memory/i.test(reason)
    ? 'give it more with --memory-limit, or fewer --threads, each of which needs its own'
    : undefined;
  return new InputError({ source, message: `DuckDB says: ${printable(reason)}`, wayOut });
}

class Session {
  private readonly connection: DuckDBConnection;
  private readonly request: EngineRequest;
  readonly chosen: ChosenColumns;

  constructor(connection: DuckDBConnection, request: EngineRequest) {
    this.connection = connection;
    this.request = request;
    this.chosen = new ChosenColumns(request);
  }

  /** A table of the files. Parquet is read where it lies; text is read once, into a table that may be larger than memory. */
  async open(files: TableFiles, kind: TableKind, name: string): Promise<TableSource> {
    const { columns } = this.request;
    if (files.format === 'parquet') {
      const plain = `read_parquet(${sourceList(files)})`;
      const header = await this.header(plain, files.source);
      if (files.isLiteral || hasColumns(header, kind, columns)) {
        return { relation: plain, columns: columnNames(header, kind, this.chosen, files.source) };
      }
      // what the files lack may stand in the names of their folders
      const relation = `read_parquet(${sourceList(files, true)})`;
      return { relation, columns: columnNames(await this.header(relation, files.source), kind, this.chosen, files.source) };
    }
    const relation = duckdb.identifier(name);
    const { source } = files;
    // DuckDB reads some texts differently, takes what it finds of files that are cut off, and does not look at the checksums of gzip
    const onFile = (file: string): void => this.request.onProgress?.(`checking ${file}`, undefined);
    if (files.format === 'lines') {
      await refuseOtherLines(files, onFile);
      await this.ask(`CREATE TABLE ${relation} AS ${trecLines(files, kind)}`, `reading ${source}`, source);
      return { relation };
    }
    // columns that are counted have no names in the file
    const hasHeader = !areCounted(columns, kind);
    const placesIn = (header: readonly string[]): ColumnPlaces => columnPlaces(header, kind, this.chosen, source);
    const shape = await shapeOfSeparated(files, { hasHeader, placesIn }, onFile);
    const places = placesIn(shape.header);
    const rowsOfText = separatedRows(files, kind, shape.header.length, places, hasHeader);
    await this.ask(`CREATE TABLE ${relation} AS ${rowsOfText}`, `reading ${source}`, source);
    const sums = `SELECT COUNT(*), COALESCE(SUM(COALESCE(strlen(topic), 0) + COALESCE(strlen(doc), 0)), 0) FROM ${relation}`;
    const [[rows, idBytes]] = await this.ask(sums, `counting ${source}`, source);
    refuseOtherShape(source, shape, Number(rows), Number(idBytes));
    return places.isRank ? { relation, columns: { value: 'rank', isRank: true } } : { relation };
  }

  private async header(relation: string, source: string): Promise<string[]> {
    const rows = await this.ask(`DESCRIBE SELECT * FROM ${relation}`, `looking at ${source}`, source);
    return rows.map(([name]) => String(name));
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

  async evaluate(files: TableFiles, qrels: TableSource, run: TableSource, version: string): Promise<EngineRun> {
    const { measures, rules, planOptions, trustUnique } = this.request;
    const { source } = files;
    const checks = checkSql({ dialect: duckdb, run, qrels, rules });
    const [line] = await this.ask(checks.facts, `counting ${source}`, source);
    const facts = factsOf(line);
    refuseBadTables(facts, source, this.request.qrels);
    if (facts.answeredTopics === 0) {
      const [[first, judged]] = await this.ask(checks.firstTopics, `looking at the topics of ${source}`, source);
      const names = { run: source, qrels: this.request.qrels };
      throw unrelatedTopics({ count: facts.judgedTopics, first: String(judged) }, { first: String(first) }, names);
    }
    if (trustUnique !== true) {
      const [repeated] = await this.ask(checks.repeated, `looking for documents that ${source} has twice`, source);
      if (repeated !== undefined) throw repeatedDocument(source, String(repeated[0]), String(repeated[1]));
    }
    if (checks.badRank !== undefined) {
      const [bad] = await this.ask(checks.badRank, `looking at the ranks of ${source}`, source);
      if (bad !== undefined) throw badRankError(source, String(bad[0]), Number(bad[1]), Number(bad[2]));
    }
    const options = { ...planOptions, highestGrade: planOptions?.highestGrade ?? facts.highestGrade };
    const compiled = compileSql({ dialect: duckdb, measures, run, qrels, rules, options });
    const answer = await this.ask(
      `SELECT * REPLACE ('${GUARD}' || topic AS topic) FROM (\n${compiled.text}\n)`,
      `evaluating ${source}`,
      source,
    );
    const rows = answer.map(
      ([topic, ...values]): TopicRow => ({ topic: String(topic).slice(GUARD.length), values: values as (number | null)[] }),
    );
    return {
      path: source,
      table: scoreTableOf(compiled, rows, nameOfFiles(files), options),
      facts,
      sql: compiled.text,
      origin: {
        engine: 'duckdb',
        version,
        sqlSha256: await sha256(compiled.text),
        runRows: facts.runRows,
        qrelsRows: facts.qrelsRows,
      },
    };
  }
}

/** Stands before texts of answers: the package of DuckDB takes a byte-order mark away from the start of each text. */
const GUARD = '.';

function shareOf(percentage: number): number | undefined {
  return percentage >= 0 && percentage <= 100 ? percentage / 100 : undefined;
}

/** Text as a number, or nothing where it is none to the readers: DuckDB also takes 1_000 and blanks of all kinds. */
function numberOf(text: string): string {
  const isNumber = `regexp_full_match(${text}, '[ \\t]*[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?[ \\t]*')`;
  return `CASE WHEN ${isNumber} THEN TRY_CAST(${text} AS DOUBLE) END`;
}

/** DuckDB gets what was found out about the text, which it would guess otherwise. */
function readText({ compression }: TableFiles): string {
  return `auto_detect = false, strict_mode = false, max_line_size = ${limits.duckdbLineBytes + 1}, compression = '${compression}'`;
}

/** The rows of CSV and TSV files. */
function separatedRows(files: TableFiles, kind: TableKind, numColumns: number, places: ColumnPlaces, hasHeader: boolean): string {
  const delimiter = duckdb.literal(files.format === 'tsv' ? '\t' : ',');
  const columns = Array.from({ length: numColumns }, (_, i) => `'c${i}': 'VARCHAR'`).join(', ');
  const relation = `read_csv(${sourceList(files)}, header = ${hasHeader}, columns = {${columns}}, delim = ${delimiter}, quote = '"', escape = '"', ${readText(files)})`;
  const value = places.isRank ? 'rank' : kind === 'run' ? 'score' : 'grade';
  return `SELECT c${places.topic} AS topic, c${places.doc} AS doc, ${numberOf(`c${places.value}`)} AS ${value} FROM ${relation}`;
}

/** The lines of TREC files as rows. Fields are parted by any blanks, so each line is read whole and then cut. */
function trecLines(files: TableFiles, kind: TableKind): string {
  const [numFields, doc, value] = kind === 'run' ? [6, 3, 5] : [4, 3, 4];
  const lines = `read_csv(${sourceList(files)}, header = false, columns = {'line': 'VARCHAR'}, delim = '${NO_DELIMITER}', quote = '', escape = '', ${readText(files)})`;
  const fields = `SELECT regexp_extract_all(line, '[^ \\t\\v\\f\\r]+') AS f FROM ${lines} WHERE NOT regexp_matches(line, '^[ \\t\\v\\f\\r]*(#|$)')`;
  // a line with another number of fields gives a row without a value, which is counted and refused
  const field = (at: number): string => `CASE WHEN len(f) = ${numFields} THEN f[${at}] END`;
  return `SELECT ${field(1)} AS topic, ${field(doc)} AS doc, ${numberOf(field(value))} AS ${kind === 'run' ? 'score' : 'grade'} FROM (${fields})`;
}
