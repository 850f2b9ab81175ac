import { type Ids, IdTable, idText } from '../../core/ids.js';
import { printable } from '../../core/problem.js';
import { contradiction, isRank, OrderWitness, RANK_WORDS, scoreOfRank, withoutScores } from '../../core/stated-ranks.js';
import { isTextOf, readText } from '../../core/text.js';
import type { QrelsReading, ReadOptions, RunReading } from '../reader.js';
import { addGradeProblem, addNumberProblem, ReadingLog, shown } from '../reading-log.js';
import { parseDecimal } from '../text/decimal.js';
import { type GroupRows, QrelsRows, RunRows, type TopicRows, unratedOf } from '../topic-rows.js';
import {
  type Columns,
  checkColumns,
  columnsAdvice,
  columnUse,
  lackingText,
  missingRoles,
  type Role,
  ranksDecide,
  roles,
  type TableKind,
} from './columns.js';
import { GradeReader } from './grade-words.js';

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
  readonly starts: Float64Array = new Float64Array(roles.length).fill(-1);
  readonly ends: Float64Array = new Float64Array(roles.length);

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
  /** Called for each of `columns` that the file has. */
  readonly onColumn: ((role: Role) => void) | undefined;
  /** What `--columns` takes to say which column holds the ranks, and which the scores. */
  readonly choices: { rank: string; score: string } = { rank: 'rank=rank', score: 'score=score' };
  /** The names of fields that the records have, where their reader knows them. */
  fieldNames: () => readonly string[] = () => [];

  constructor(options: ReadOptions) {
    checkColumns(options.columns);
    this.log = new ReadingLog(options);
    this.columns = options.columns;
    this.onColumn = options.onColumn;
  }

  /** Keeps a topic of which nothing was retrieved or judged. */
  abstract addTopic(bytes: Uint8Array, start: number, end: number): void;
  /** Makes a row of a record, or tells the log why not. */
  abstract add(fields: RecordFields, line: number): void;
  abstract finish(expected: string, sawBytes: boolean, empty?: string): Reading;

  /** Adds a row, and tells the number of its topic. */
  protected addRow(rows: TopicRows, fields: RecordFields, value: number, line: number): number {
    const { bytes, starts, ends } = fields;
    rows.lines.set(rows.numRows, line);
    const topic = rows.internTopic(bytes, starts[TOPIC], ends[TOPIC]);
    rows.add(topic, rows.docs.internBytes(bytes, starts[DOC], ends[DOC]), value);
    return topic;
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

  /** Whether a record has a topic and nothing else: a query without results, or without judgements. */
  protected isTopicOnly(fields: RecordFields): boolean {
    const isEmpty = (role: number): boolean => fields.starts[role] === fields.ends[role];
    const values = (this.kind === 'run' ? [SCORE, RANK] : [GRADE]).filter((role) => fields.starts[role] >= 0);
    return (
      fields.starts[TOPIC] < fields.ends[TOPIC] && isEmpty(DOC) && fields.starts[DOC] >= 0 && values.length > 0 && values.every(isEmpty)
    );
  }

  protected addMissing(role: Role, line: number): void {
    const names = this.fieldNames();
    const isThere = (one: Role): boolean => names.some((name) => columnUse(name, this.kind, this.columns)?.role === one);
    const missing = missingRoles(this.kind, isThere, this.columns);
    // others have it, or another field that does in its place
    if (isThere(role) || missing.length === 0) {
      this.log.add(
        'missing field',
        line,
        () => `has no value for the ${role === 'doc' ? 'document' : role}`,
        '--lenient skips such records',
      );
      return;
    }
    const advice = columnsAdvice(missing, this.columns, { kind: this.kind, names });
    const message = (): string => lackingText(missing, names).replace('no column', 'no field');
    this.log.add('missing field', line, message, `${advice}; --lenient skips such records`);
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

/** Whether scores are taken although the ranks beside them say the contrary: somebody named them, wants whatever can be read, or wants
 *  both as they are. */
export function keepsContradiction({ columns, lenient, ranks }: ReadOptions): boolean {
  return lenient === true || ranks === true || columns?.score !== undefined;
}

/** Collects the records of a run, whatever format they come from. */
export class RunTable extends Table<RunReading> {
  readonly kind = 'run';
  private readonly rows: RunRows;
  private readonly name: string;
  private numRanks = 0;
  /** How many documents each topic has so far, where their places are their ranks. */
  private readonly numListed: number[] = [];
  private readonly witness: OrderWitness = new OrderWitness();
  /** Whether documents are ranked by stated ranks: if that was asked for, or if the first record has a rank and no score. */
  private ranksOnly: boolean | undefined;
  private readonly keepsContradiction: boolean;

  constructor(options: ReadOptions) {
    super(options);
    this.keepsContradiction = keepsContradiction(options);
    this.rows = new RunRows(options, (options.expectedBytes ?? 0) / TYPICAL_RECORD);
    this.name = options.name ?? 'run';
    if (ranksDecide(options.columns)) this.ranksOnly = true;
  }

  override addTopic(bytes: Uint8Array, start: number, end: number): void {
    this.rows.topics.internBytes(bytes, start, end);
  }

  override add(fields: RecordFields, line: number): void {
    if (this.isTopicOnly(fields)) {
      this.addTopic(fields.bytes, fields.starts[TOPIC], fields.ends[TOPIC]);
      return;
    }
    if (!this.hasIds(fields, line)) return;
    this.ranksOnly ??= fields.starts[SCORE] < 0 && fields.starts[RANK] >= 0;
    if (this.ranksOnly) {
      this.addRanked(fields, line);
      return;
    }
    if (fields.starts[SCORE] < 0 && fields.starts[RANK] >= 0) {
      this.addMixed('has a rank and no score, and the entries before have scores', line);
      return;
    }
    const score = this.number(fields, SCORE, line);
    if (Number.isNaN(score)) return;
    const given = fields.starts[RANK] >= 0 && fields.starts[RANK] < fields.ends[RANK];
    if (this.rows.ranks !== undefined) {
      const rank = given ? this.number(fields, RANK, line) : undefined;
      if (Number.isNaN(rank)) return;
      this.rows.ranks.push(rank ?? Number.NaN);
      if (rank !== undefined) this.numRanks++;
    }
    const topic = this.addRow(this.rows, fields, score, line);
    if (given) this.witness.see(topic, this.statedRank(fields), score);
  }

  /** Adds a row whose rank is its place among those of its topic. */
  addListed(fields: RecordFields, line: number): void {
    if (!this.hasIds(fields, line)) return;
    this.ranksOnly = true;
    const topic = this.rows.internTopic(fields.bytes, fields.starts[TOPIC], fields.ends[TOPIC]);
    const rank = (this.numListed[topic] ?? 0) + 1;
    this.numListed[topic] = rank;
    this.rows.ranks?.push(rank);
    this.numRanks++;
    this.addRow(this.rows, fields, scoreOfRank(rank), line);
  }

  /** Adds a row that has a rank, and no score that counts. */
  private addRanked(fields: RecordFields, line: number): void {
    if (fields.starts[SCORE] >= 0 && !ranksDecide(this.columns)) {
      this.addMixed('has a score, and the entries before have only ranks', line);
      return;
    }
    if (fields.starts[RANK] < 0) {
      this.addMissing('rank', line);
      return;
    }
    const rank = this.statedRank(fields);
    if (!isRank(rank)) {
      const { bytes, starts, ends } = fields;
      const found = starts[RANK] === ends[RANK] ? 'nothing' : shown(bytes, starts[RANK], ends[RANK]);
      this.log.add('not a rank', line, () => `expected ${RANK_WORDS}, found ${found}`);
      return;
    }
    this.rows.ranks?.push(rank);
    this.numRanks++;
    this.addRow(this.rows, fields, scoreOfRank(rank), line);
  }

  private addMixed(message: string, line: number): void {
    this.log.add('wrong shape', line, () => message, 'give scores to all entries or to none; --lenient skips such entries');
  }

  /** NaN where there is no number. */
  private statedRank(fields: RecordFields): number {
    fields.trim(RANK);
    return parseDecimal(fields.bytes, fields.starts[RANK], fields.ends[RANK]);
  }

  override finish(expected: string, sawBytes: boolean, empty?: string): RunReading {
    const run = this.rows.finish(this.name, this.log, this.ranksOnly);
    const skipped = this.log.close(Math.max(run.scores.length, run.topics.size), expected, sawBytes, empty);
    const problem = contradiction(this.witness, run.topics.size, this.choices);
    if (problem !== undefined && !this.keepsContradiction) throw this.log.fatal(problem.message, problem.wayOut);
    const notes = this.witness.notes(withoutScores(this.choices.rank));
    return { run: { ...run, ranks: this.numRanks === 0 ? undefined : run.ranks, notes }, skipped };
  }
}

/** Collects the records of judgements, whatever format they come from. */
export class QrelsTable extends Table<QrelsReading> {
  readonly kind = 'qrels';
  private readonly rows: QrelsRows;
  /** Topics that were named without a document. */
  private readonly named: IdTable = new IdTable();
  private readonly words: GradeReader;

  constructor(options: ReadOptions) {
    super(options);
    this.rows = new QrelsRows(options, (options.expectedBytes ?? 0) / TYPICAL_RECORD);
    this.words = new GradeReader(options);
  }

  /** A topic without judgements is none, but for tools that count it. */
  override addTopic(bytes: Uint8Array, start: number, end: number): void {
    this.named.internBytes(bytes, start, end);
  }

  override add(fields: RecordFields, line: number): void {
    if (this.isTopicOnly(fields)) {
      this.addTopic(fields.bytes, fields.starts[TOPIC], fields.ends[TOPIC]);
      return;
    }
    if (!this.hasIds(fields, line)) return;
    // nobody has judged this one
    if (fields.starts[GRADE] >= 0 && fields.starts[GRADE] === fields.ends[GRADE]) return;
    const grade = this.grade(fields, line);
    if (Number.isNaN(grade)) return;
    keepGroup(this.rows.groups, fields, GROUP);
    keepGroup(this.rows.subgroups, fields, SUBGROUP);
    this.addRow(this.rows, fields, grade, line);
  }

  /** The number in the field, or the one that its word stands for, or NaN and a problem. */
  private grade(fields: RecordFields, line: number): number {
    const { bytes, starts, ends } = fields;
    if (starts[GRADE] < 0) return this.number(fields, GRADE, line);
    fields.trim(GRADE);
    if (this.words.hasNumbers) {
      const number = this.words.numberFor(readText(bytes, starts[GRADE], ends[GRADE]));
      if (number !== undefined) return number;
    }
    const value = parseDecimal(bytes, starts[GRADE], ends[GRADE]);
    if (Number.isFinite(value)) return value;
    addGradeProblem(this.log, this.words, line, bytes, starts[GRADE], ends[GRADE]);
    return Number.NaN;
  }

  override finish(expected: string, sawBytes: boolean, empty?: string): QrelsReading {
    const words = this.rows.numRows === 0 && !this.log.lenient ? this.words.problem() : undefined;
    if (words !== undefined) throw this.log.only(words.message, words.wayOut, words.line);
    const qrels = { ...this.rows.finish(this.log), unrated: unratedOf(this.named, this.rows.topics) };
    const skipped = this.log.close(qrels.grades.length, expected, sawBytes, empty);
    const other = otherEncoding(qrels.topics);
    return other === undefined ? { qrels, skipped } : { qrels, skipped, notes: [other] };
  }
}

/** What to say of topics in another encoding, as spreadsheets on Windows write them: they look like those of a run, and are others. */
function otherEncoding(topics: Ids): string | undefined {
  for (let topic = 0; topic < topics.size; topic++) {
    const text = idText(topics, topic);
    if (text.includes('\ufffd') && !isTextOf(text, topics.bytes, topics.offsets[topic], topics.offsets[topic + 1])) {
      return `topic ${printable(text, 60)} is not UTF-8 text, and may match no topic of a run; save the table as CSV UTF-8, or convert it with iconv -f WINDOWS-1252 -t UTF-8`;
    }
  }
  return undefined;
}

function keepGroup(column: GroupRows | undefined, { bytes, starts, ends }: RecordFields, role: number): void {
  if (starts[role] < 0 || starts[role] === ends[role]) column?.addNone();
  else column?.add(bytes, starts[role], ends[role]);
}
