import type { SchemaElement } from 'hyparquet';
import { type Ids, IdTable, idText } from '../../core/ids.js';
import type { ScoreTable } from '../../core/score-table.js';
import { contradiction, isRank, OrderWitness, RANK_WORDS, scoreOfRank, withoutScores } from '../../core/stated-ranks.js';
import { type EngineKindName, kindOfTable } from '../engines/kinds.js';
import type { TableRecord } from '../engines/record-tables.js';
import { kindOfColumns } from '../head.js';
import { type ByteParts, type QrelsReading, type ReadOptions, type RunReading, readAll, sourceOf } from '../reader.js';
import { ReadingLog, SKIPS_LINES } from '../reading-log.js';
import { createScoreTableReader, isScoreTable, noScores, type ScoreFileOptions } from '../scores/score-file.js';
import { type GroupRows, QrelsRows, RunRows, type TopicRows } from '../topic-rows.js';
import {
  type Columns,
  checkColumns,
  columnChoice,
  columnsAdvice,
  lackingText,
  missingRoles,
  neededText,
  placeColumns,
  type Role,
  ranksDecide,
  type TableKind,
} from './columns.js';
import { GradeReader } from './grade-words.js';
import { OpenParquet } from './parquet-table.js';
import { keepsContradiction } from './table.js';

/** Reads a run from Parquet. The columns are found by their names, or `columns` tells them.
 *  @throws An `InputError` that tells every problem; also if the package hyparquet is not installed. */
export async function parseParquetRun(content: Uint8Array | ByteParts, options: ReadOptions = {}): Promise<RunReading> {
  const opened = await OpenParquet.open(content, sourceOf(options));
  const records = await recordsIn(opened, options);
  if (records !== undefined) return (await import('../engines/read.js')).readRecordRun(records.kind, records.rows, options);
  const table = new ParquetTable(opened, 'run', options);
  const rows = new RunRows({ ...options, ranks: options.ranks === true && table.has('rank') }, table.expectedRows);
  const witness = new OrderWitness();
  const ranksOnly = ranksDecide(options.columns) || !table.has('score');
  await table.read(rows, ranksOnly ? 'rank' : 'score', {
    rank: (value, line, topic, score) => {
      const rank = ranksOnly ? 0 - score : value === null ? Number.NaN : Number(value);
      rows.ranks?.push(ranksOnly || Number.isNaN(rank) ? rank : table.number(value, 'rank', line));
      if (!ranksOnly) witness.see(topic, rank, score);
    },
  });
  const run = rows.finish(options.name ?? 'run', table.log, ranksOnly);
  const choices = { rank: table.choiceOf('rank'), score: table.choiceOf('score') };
  const problem = contradiction(witness, rows.topics.size, choices);
  if (problem !== undefined && !keepsContradiction(options)) throw table.log.fatal(problem.message, problem.wayOut);
  const notes = witness.notes(withoutScores(choices.rank));
  return { run: { ...run, notes }, skipped: table.close(run.scores.length) };
}

/** Reads judgements from Parquet. */
export async function parseParquetQrels(content: Uint8Array | ByteParts, options: ReadOptions = {}): Promise<QrelsReading> {
  const opened = await OpenParquet.open(content, sourceOf(options));
  const records = await recordsIn(opened, options);
  if (records !== undefined) return (await import('../engines/read.js')).readRecordQrels(records.kind, records.rows, options);
  const table = new ParquetTable(opened, 'qrels', options);
  const rows = new QrelsRows(options, table.expectedRows);
  const keep = (column: GroupRows | undefined) => (value: unknown) => {
    if (value === null || value === '') column?.addNone();
    else column?.addText(String(value));
  };
  await table.read(rows, 'grade', { group: keep(rows.groups), subgroup: keep(rows.subgroups) });
  const words = rows.numRows === 0 && options.lenient !== true ? table.words.problem() : undefined;
  if (words !== undefined) throw table.log.only(words.message, words.wayOut, words.line);
  const qrels = rows.finish(table.log);
  return { qrels, skipped: table.close(qrels.grades.length) };
}

/** The rows of a table that holds lists of retrieved and expected documents; undefined if it holds something else. */
async function recordsIn(
  table: OpenParquet,
  options: ReadOptions,
): Promise<{ readonly kind: EngineKindName; readonly rows: readonly TableRecord[] } | undefined> {
  if (options.columns !== undefined) return undefined;
  const kind = kindOfTable(table.names)?.name;
  if (kind === undefined) return undefined;
  return { kind, rows: (await import('../engines/record-tables.js')).recordsOfRows(await table.rows()) };
}

/** Reads scores that were computed before from Parquet: a row per topic, or per run and topic, and a column per measure. */
export async function parseParquetScores(content: Uint8Array | ByteParts, options: ScoreFileOptions = {}): Promise<ScoreTable> {
  const source = options.source ?? 'input';
  const table = await OpenParquet.open(content, source);
  const { names } = table;
  const rows = await table.rows();
  // such tables are small, and the reader of CSV knows what may be wrong with them
  const cell = (value: unknown): string => `"${String(value ?? '').replaceAll('"', '""')}"`;
  const [header, ...lines] = [names.map(cell), ...rows.map((row) => names.map((name) => cell(row[name])))].map((line) => line.join(','));
  if (!isScoreTable(names)) throw noScores(source, header);
  return readAll(createScoreTableReader({ ...options, source }), [header, ...lines].join('\n'));
}

/** The names of the columns, in their order. */
export async function parquetColumnNames(content: Uint8Array | ByteParts, source = 'input'): Promise<string[]> {
  return (await OpenParquet.open(content, source)).names;
}

/** What the columns say that a file holds; undefined if they do not say. */
export async function parquetContent(content: Uint8Array | ByteParts, source?: string): Promise<TableKind | 'scores' | undefined> {
  const names = await parquetColumnNames(content, source);
  return isScoreTable(names) ? 'scores' : kindOfColumns(names)?.content;
}

type Decoded = ArrayLike<unknown>;

/** Takes a cell of a row, with the row's number of the topic and its value. */
type CellKeeper = (value: unknown, line: number, topic: number, rowValue: number) => void;

/** A column that is read for what it is: ids as numbers of a table, anything else as it stands. */
interface Column {
  readonly role: Role;
  readonly name: string;
  read(rowStart: number, rowEnd: number): Promise<Decoded>;
}

class ParquetTable {
  readonly log: ReadingLog;
  readonly words: GradeReader;
  readonly numRows: number;
  /** What to make room for; a file of few bytes may still have many rows, but only if they are much alike. */
  readonly expectedRows: number;
  private readonly table: OpenParquet;
  private readonly kind: TableKind;
  private readonly options: ReadOptions;
  private readonly places: ReadonlyMap<Role, number>;
  private readonly elements: readonly SchemaElement[];

  constructor(table: OpenParquet, kind: TableKind, options: ReadOptions) {
    checkColumns(options.columns);
    this.log = new ReadingLog(options);
    this.words = new GradeReader(options);
    this.table = table;
    this.kind = kind;
    this.options = options;
    this.numRows = table.numRows;
    this.expectedRows = Math.min(table.numRows, table.byteLength);
    this.elements = table.columns;
    this.places = this.findColumns(options.columns);
  }

  private findColumns(columns: Columns | undefined): ReadonlyMap<Role, number> {
    const names = this.elements.map(({ name }) => name);
    const places = placeColumns(names, this.kind, columns, this.options.onColumn);
    const missing = missingRoles(this.kind, (role) => this.elements[places.get(role) ?? -1] !== undefined, columns);
    if (missing.length === 0) return places;
    throw this.log.fatal(lackingText(missing, names), columnsAdvice(missing, columns, { kind: this.kind, names }));
  }

  has(role: Role): boolean {
    return this.places.has(role);
  }

  /** What `--columns` takes to choose the column of a role. */
  choiceOf(role: Role): string {
    const place = this.places.get(role) ?? -1;
    return columnChoice(role, this.elements[place]?.name ?? role, place);
  }

  /** Reads one stretch of rows after another, as they are stored.
   *  @param valueRole The column of numbers that rows are made with; of ranks the negated ones. */
  async read(rows: TopicRows, valueRole: Role, others: Partial<Record<Role, CellKeeper>>): Promise<void> {
    await this.readStretches(rows, valueRole, others);
    if (rows.numRows === 0 && this.options.topics !== undefined) await this.nameFirstTopic(rows);
  }

  private async readStretches(rows: TopicRows, valueRole: Role, others: Partial<Record<Role, CellKeeper>>): Promise<void> {
    // topics are numbered in the order of their first rows, which need not be that of a dictionary in the file
    const names = new IdTable();
    const numbersOf: number[] = [];
    const topics = await this.column('topic', (bytes) => names.internBytes(bytes, 0, bytes.length));
    const docs = await this.column('doc', (bytes) => rows.docs.internBytes(bytes, 0, bytes.length));
    const values = await this.column(valueRole);
    const extra: { column: Column; keep: CellKeeper | undefined }[] = [];
    for (const role of Object.keys(others) as Role[]) {
      if (this.has(role)) extra.push({ column: await this.column(role), keep: others[role] });
    }
    const { topics: wantedTopics } = this.options;
    for (const { rowStart, rowEnd } of topics.ranges) {
      const read: Decoded[] = [];
      for (const column of [topics, docs, values, ...extra.map(({ column }) => column)]) read.push(await column.read(rowStart, rowEnd));
      const [topicOf, docOf, numbers, ...extras] = read;
      for (let i = 0; i < rowEnd - rowStart; i++) {
        const line = rowStart + i + 1;
        const name = idOf(topicOf[i], (text) => names.intern(text));
        if (wantedTopics !== undefined && name >= 0 && !this.isWanted(names, name)) continue;
        const doc = idOf(docOf[i], (text) => rows.docs.intern(text));
        if (name < 0 || doc < 0 || isEmptyId(names, name) || isEmptyId(rows.docs, doc)) {
          this.log.add('empty id', line, () => `expected a topic and a document id, found nothing`);
          continue;
        }
        const value = valueRole === 'rank' ? scoreOfRank(this.rank(numbers[i], line)) : this.number(numbers[i], valueRole, line);
        if (Number.isNaN(value)) continue;
        numbersOf[name] ??= rows.topics.internBytes(names.bytes, names.offsets[name], names.offsets[name + 1]);
        for (const [e, { keep }] of extra.entries()) keep?.(extras[e][i], line, numbersOf[name], value);
        rows.lines.set(rows.numRows, line);
        rows.add(numbersOf[name], doc, value);
      }
    }
  }

  /** Of a file that holds none of the topics that were asked for, the first topic is known by its name, without any rows. */
  private async nameFirstTopic(rows: TopicRows): Promise<void> {
    if (this.numRows === 0) return;
    const column = await this.column('topic');
    const [first] = Array.from(await column.read(0, 1));
    if (first !== null && first !== undefined) rows.topics.intern(String(first));
  }

  /** Whether the rows of a topic are asked for; each topic is looked up once. */
  private readonly wanted: number[] = [];
  private isWanted(names: Ids, topic: number): boolean {
    this.wanted[topic] ??= this.options.topics?.has(idText(names, topic)) === true ? 1 : 0;
    return this.wanted[topic] === 1;
  }

  /** A finite number, or NaN and a problem. */
  number(value: unknown, what: string, line: number): number {
    const word = what === 'grade' && typeof value === 'string' ? value.trim() : '';
    const given = word === '' ? undefined : this.words.numberFor(word);
    if (given !== undefined) return given;
    const number = typeof value === 'number' ? value : typeof value === 'bigint' || typeof value === 'boolean' ? Number(value) : Number.NaN;
    if (Number.isFinite(number)) return number;
    const kind = typeof value === 'number' ? 'not a finite number' : 'not a number';
    this.log.add(
      kind,
      line,
      () =>
        `expected a finite number as ${what}, found ${value === null || value === undefined ? 'nothing' : `"${String(value).slice(0, 60)}"`}`,
      word === '' ? undefined : `${this.words.missing(word, line)}; ${SKIPS_LINES}`,
    );
    return Number.NaN;
  }

  /** A rank, or NaN and a problem. */
  private rank(value: unknown, line: number): number {
    const rank = typeof value === 'bigint' || typeof value === 'number' ? Number(value) : Number.NaN;
    if (isRank(rank)) return rank;
    const found = value === null || value === undefined ? 'nothing' : `"${String(value).slice(0, 60)}"`;
    this.log.add('not a rank', line, () => `expected ${RANK_WORDS}, found ${found}`);
    return Number.NaN;
  }

  /** A column, and the stretches in which it is best read. Ids come as numbers: each different one of a stretch is looked up
   *  once, without making a string of it. */
  private async column(
    role: Role,
    intern?: (bytes: Uint8Array) => number,
  ): Promise<Column & { ranges: readonly { rowStart: number; rowEnd: number }[] }> {
    const { table, options } = this;
    const { name, type } = this.elements[this.places.get(role) ?? 0];
    const isBytes = type === 'BYTE_ARRAY';
    const pruned =
      role === 'topic' && isBytes && options.topics !== undefined ? { pruningFilter: { [name]: { $in: [...options.topics] } } } : {};
    const parsers =
      intern === undefined || !isBytes
        ? {}
        : { parsers: { stringFromBytes: (bytes: Uint8Array): unknown => new InternedId(intern(bytes)) } };
    const { ranges } = await table.scan(name, pruned);
    const scan = await table.scan(name, parsers);
    return {
      role,
      name,
      ranges,
      read: (rowStart, rowEnd) => table.telling(name, () => scan.readColumn({ column: name, rowStart, rowEnd })),
    };
  }

  close(numRows: number): RunReading['skipped'] {
    // a file of other topics is for whoever asked to deal with
    const rows = this.options.topics === undefined ? numRows : this.numRows;
    return this.log.close(rows, `columns for ${neededText(this.kind)}`, true, 'holds no rows');
  }
}

/** An id that has its number, as opposed to a number that is an id. */
class InternedId {
  readonly id: number;
  constructor(id: number) {
    this.id = id;
  }
}

function idOf(value: unknown, intern: (text: string) => number): number {
  if (value instanceof InternedId) return value.id;
  return value === null || value === undefined ? -1 : intern(String(value));
}

function isEmptyId({ offsets }: Ids, id: number): boolean {
  return offsets[id] === offsets[id + 1];
}
