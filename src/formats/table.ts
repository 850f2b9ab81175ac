import { type Columns, checkColumns, type Role, roles, type TableKind } from './columns.js';
import { parseDecimal } from './decimal.js';
import type { QrelsReading, ReadOptions, RunReading } from './reader.js';
import { addNumberProblem, ReadingLog } from './reading-log.js';
import { type GroupRows, QrelsRows, RunRows, type TopicRows } from './topic-rows.js';

const TOPIC = roles.indexOf('topic');
const DOC = roles.indexOf('doc');
const SCORE = roles.indexOf('score');
const RANK = roles.indexOf('rank');
const GRADE = roles.indexOf('grade');
const GROUP = roles.indexOf('group');
const SUBGROUP = roles.indexOf('subgroup');

/** Bytes, to guess the number of records from the length of a text. */
const TYPICAL_RECORD = 32;

/** The fields of one record, by role. A reader fills it in and hands it to a table, record after record. */
export class RecordFields {
  bytes: Uint8Array = new Uint8Array(0);
  /** Where the field starts in `bytes`, in the order of `roles`; -1 if the record has none. */
  readonly starts: Int32Array = new Int32Array(roles.length).fill(-1);
  readonly ends: Int32Array = new Int32Array(roles.length);

  set(role: number, start: number, end: number): void {
    this.starts[role] = start;
    this.ends[role] = end;
  }

  /** Leaves out white space around the field, which numbers may have. */
  trim(role: number): void {
    const { bytes, starts, ends } = this;
    while (starts[role] < ends[role] && bytes[starts[role]] <= 32) starts[role]++;
    while (starts[role] < ends[role] && bytes[ends[role] - 1] <= 32) ends[role]--;
  }
}

/** Where records become rows, whatever notation they came in. */
export abstract class Table<Reading> {
  abstract readonly kind: TableKind;
  readonly log: ReadingLog;
  readonly columns: Columns | undefined;

  constructor(options: ReadOptions) {
    checkColumns(options.columns);
    this.log = new ReadingLog(options);
    this.columns = options.columns;
  }

  /** Makes a row of a record, or tells the log why not. */
  abstract add(fields: RecordFields, line: number): void;
  abstract finish(expected: string, sawBytes: boolean, empty?: string): Reading;

  protected addRow(rows: TopicRows, fields: RecordFields, value: number, line: number): void {
    const { bytes, starts, ends } = fields;
    rows.lines.set(rows.numRows, line);
    rows.add(rows.internTopic(bytes, starts[TOPIC], ends[TOPIC]), rows.docs.internBytes(bytes, starts[DOC], ends[DOC]), value);
  }

  protected hasIds(fields: RecordFields, line: number): boolean {
    return this.hasId(fields, TOPIC, line) && this.hasId(fields, DOC, line);
  }

  private hasId({ starts, ends }: RecordFields, role: number, line: number): boolean {
    if (starts[role] < 0) this.addMissing(roles[role], line);
    else if (starts[role] === ends[role]) this.log.add('empty id', line, () => `expected a ${idNames[role]} id, found nothing`);
    else return true;
    return false;
  }

  private addMissing(role: Role, line: number): void {
    this.log.add(
      'missing field',
      line,
      () => `has no field for the ${role}`,
      `--columns ${role}=NAME says which it is; --lenient skips such records`,
    );
  }

  /** The number in this field, or NaN and a problem. */
  protected number(fields: RecordFields, role: number, line: number): number {
    if (fields.starts[role] < 0) {
      this.addMissing(roles[role], line);
      return Number.NaN;
    }
    fields.trim(role);
    const value = parseDecimal(fields.bytes, fields.starts[role], fields.ends[role]);
    if (Number.isFinite(value)) return value;
    addNumberProblem(this.log, line, roles[role], fields.bytes, fields.starts[role], fields.ends[role]);
    return Number.NaN;
  }
}

const idNames: Readonly<Record<number, string>> = { [TOPIC]: 'topic', [DOC]: 'document' };

export class RunTable extends Table<RunReading> {
  readonly kind = 'run';
  private readonly rows: RunRows;
  private readonly name: string;
  private numRanks = 0;

  constructor(options: ReadOptions) {
    super(options);
    this.rows = new RunRows(options.ranks ?? false, (options.expectedBytes ?? 0) / TYPICAL_RECORD);
    this.name = options.name ?? 'run';
  }

  override add(fields: RecordFields, line: number): void {
    if (!this.hasIds(fields, line)) return;
    const score = this.number(fields, SCORE, line);
    if (Number.isNaN(score)) return;
    if (this.rows.ranks !== undefined) {
      const given = fields.starts[RANK] >= 0 && fields.starts[RANK] < fields.ends[RANK];
      const rank = given ? this.number(fields, RANK, line) : undefined;
      if (Number.isNaN(rank)) return;
      this.rows.ranks.push(rank ?? Number.NaN);
      if (rank !== undefined) this.numRanks++;
    }
    this.addRow(this.rows, fields, score, line);
  }

  override finish(expected: string, sawBytes: boolean, empty?: string): RunReading {
    const run = this.rows.finish(this.name, this.log);
    const skipped = this.log.close(run.scores.length, expected, sawBytes, empty);
    return { run: this.numRanks === 0 ? { ...run, ranks: undefined } : run, skipped };
  }
}

export class QrelsTable extends Table<QrelsReading> {
  readonly kind = 'qrels';
  private readonly rows: QrelsRows;

  constructor(options: ReadOptions) {
    super(options);
    this.rows = new QrelsRows(options, (options.expectedBytes ?? 0) / TYPICAL_RECORD);
  }

  override add(fields: RecordFields, line: number): void {
    if (!this.hasIds(fields, line)) return;
    const grade = this.number(fields, GRADE, line);
    if (Number.isNaN(grade)) return;
    keepGroup(this.rows.groups, fields, GROUP);
    keepGroup(this.rows.subgroups, fields, SUBGROUP);
    this.addRow(this.rows, fields, grade, line);
  }

  override finish(expected: string, sawBytes: boolean, empty?: string): QrelsReading {
    const qrels = this.rows.finish(this.log);
    return { qrels, skipped: this.log.close(qrels.grades.length, expected, sawBytes, empty) };
  }
}

function keepGroup(column: GroupRows | undefined, { bytes, starts, ends }: RecordFields, role: number): void {
  if (starts[role] < 0 || starts[role] === ends[role]) column?.addNone();
  else column?.add(bytes, starts[role], ends[role]);
}
