import { growingFloats } from '../../core/growing-arrays.js';
import { IdTable, sortedIds } from '../../core/ids.js';
import { InputError, namingSource, type Problem, printable } from '../../core/problem.js';
import { emptyScores, ScoreTable } from '../../core/score-table.js';
import { readText } from '../../core/text.js';
import { startsWith } from '../compression.js';
import { type Head, headOf, type Recognition } from '../head.js';
import { PairTable } from '../pair-table.js';
import { type ChunkReader, sourceOf, wholeFile } from '../reader.js';
import { roleOf } from '../tables/columns.js';
import type { CsvHandler } from '../tables/csv-records.js';
import { CsvText, replaceDecimalComma } from '../tables/csv-text.js';
import { byteOrderMark } from '../text/text-start.js';

/** What a table of scores does not say about itself. */
export interface ScoreFileOptions {
  /** What the file is called in messages; `input` by default. */
  readonly source?: string | undefined;
  /** What the system is called if the file does not say so. */
  readonly name?: string | undefined;
  /** What the scores of a topic × system table are scores of, which such a table does not say; `score` by default. */
  readonly measure?: string | undefined;
}

/** The row over all topics in files that have one beside the rows of topics. */
const ALL = 'all';
const MOST_PROBLEMS = 20;
const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const noValue: ReadonlySet<string> = new Set(['', 'nan', 'na', 'n/a', 'null', 'none', '-nan']);
const systemNames: ReadonlySet<string> = new Set(['run', 'system', 'model', 'name', 'runid', 'run_id']);

function isSystemColumn(name: string): boolean {
  return systemNames.has(name.trim().toLowerCase());
}

/** JSON of scores: what `gradus eval --json` prints, or a `ScoreTable`. */
export function recogniseScoreJson({ line, whole }: Head): Recognition | undefined {
  return line.startsWith('{') && /"(runs|systems)"\s*:\s*\[/.test(whole) ? { content: 'scores' } : undefined;
}

/** Lines of measure, topic and value, as trec_eval prints them. */
export function recogniseScoreLines({ fields }: Head): Recognition | undefined {
  const [, topic, value] = fields;
  const isScore = fields.length === 3 && (topic === ALL || decimal.test(value) || noValue.has(value.toLowerCase()));
  return isScore ? { content: 'scores' } : undefined;
}

/** Whether columns of these names are a table of scores: systems or topics first, and no documents. */
export function isScoreTable(names: readonly string[]): boolean {
  if (names.length < 2) return false;
  return (isSystemColumn(names[0]) || roleOf(names[0]) === 'topic') && !names.some((name) => roleOf(name) === 'doc');
}

/** Whether a table has a column per system and nothing else: names, and numbers below them. Its rows are topics without names. */
export function isUnnamedScoreTable({ whole }: Head, names: readonly string[], delimiter: string): boolean {
  if (names.length < 2 || isScoreTable(names) || names.some((name) => name === '' || decimal.test(name) || roleOf(name) === 'doc'))
    return false;
  const row = whole.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'))[1];
  const fields = row?.split(delimiter).map((field) => (delimiter === ';' ? field.replace(',', '.') : field).trim()) ?? [];
  return fields.length === names.length && fields.every((field) => decimal.test(field) || noValue.has(field.toLowerCase()));
}

function reader(options: ScoreFileOptions, read: (bytes: Uint8Array, cells: ScoreCells, source: string) => void): ChunkReader<ScoreTable> {
  const source = sourceOf(options);
  return wholeFile(options, (bytes) => {
    const cells = new ScoreCells(source);
    read(bytes, cells, source);
    return cells.finish();
  });
}

/** Reads what `gradus eval --json` prints, or a `ScoreTable` as JSON. */
export function createScoreJsonReader(options: ScoreFileOptions = {}): ChunkReader<ScoreTable> {
  return reader(options, (bytes, cells, source) => readJson(readText(bytes, 0, bytes.length), cells, source));
}

/** Reads scores as trec_eval prints them. */
export function createScoreLinesReader(options: ScoreFileOptions = {}): ChunkReader<ScoreTable> {
  return reader(options, (bytes, cells, source) => {
    const head = headOf(bytes);
    if (recogniseScoreLines(head) === undefined) throw noScores(source, head.line);
    readLines(readText(bytes, 0, bytes.length), cells, options.name ?? 'system');
  });
}

/** Reads a table with a row per topic and a column per system, with a row per system and topic and a column per measure, or with a row
 *  for every value. Where no column names the topics, they are numbered from 1. */
export function createScoreTableReader(options: ScoreFileOptions = {}, delimiter?: string): ChunkReader<ScoreTable> {
  return reader(options, (bytes, cells) => readTable(bytes, delimiter?.charCodeAt(0), cells, options));
}

/** The error that a file holds something else. */
export function noScores(source: string, line: string): InputError {
  return new InputError({
    source,
    message: `expected scores, found ${printable(line.slice(0, 60)) || 'nothing'}`,
    wayOut: 'give a CSV with a row per topic and a column per system, or what gradus eval -q --json or trec_eval -q prints',
  });
}

/** Values as they are found, in any order. What is kept is in proportion to their number, until the table is made. */
class ScoreCells {
  private readonly source: string;
  private readonly systems = new IdTable();
  private readonly topics = new IdTable();
  private readonly measures = new IdTable();
  /** The system and the topic of a row, and the row and the measure of a value. */
  private readonly rows = new PairTable();
  private readonly places = new PairTable();
  private readonly values = growingFloats();
  private readonly problems: Problem[] = [];
  private numProblems = 0;
  /** True if the file tells topics and the values over all of them apart by other means than a name. */
  areTopicsOnly = false;
  /** True if the file does not name its topics. */
  areTopicsNumbered = false;

  constructor(source: string) {
    this.source = source;
  }

  problem(message: string, line?: number, wayOut?: string): void {
    this.numProblems++;
    if (this.problems.length < MOST_PROBLEMS) this.problems.push({ source: this.source, line, message, wayOut });
  }

  /** A value as the file spells it. */
  addText(system: string, topic: string, measure: string, text: string, line?: number): void {
    const plain = text.trim();
    if (noValue.has(plain.toLowerCase())) this.add(system, topic, measure, Number.NaN, line);
    else if (decimal.test(plain) && Number.isFinite(Number(plain))) this.add(system, topic, measure, Number(plain), line);
    else this.problem(`expected a number for topic ${topic}, found "${plain}"`, line, 'leave the field empty if there is no value');
  }

  add(system: string, topic: string, measure: string, value: number, line?: number): void {
    const row = this.rows.intern(this.systems.intern(system), this.topics.intern(topic));
    const numBefore = this.places.size;
    if (this.places.intern(row, this.measures.intern(measure)) < numBefore) {
      this.problem(`topic ${topic} occurs twice for ${system}, ${measure}`, line, 'which of the two is meant cannot be known; remove one');
    } else this.values.push(value);
  }

  finish(): ScoreTable {
    const { problems, source } = this;
    if (this.numProblems > problems.length) problems.push({ source, message: `and ${this.numProblems - problems.length} more problems` });
    if (problems.length === 0 && this.values.length === 0) problems.push({ source, message: 'holds no scores' });
    if (problems.length > 0) throw new InputError(problems);
    const systems = textsOf(this.systems);
    const measures = textsOf(this.measures);
    // the row over all topics is not a topic, unless there is nothing else
    const all = this.areTopicsOnly || this.topics.size === 1 ? -1 : this.topics.find(ALL);
    const order = sortedIds(this.topics).filter((topic) => topic !== all);
    return new ScoreTable(
      systems,
      Array.from(order, (topic) => this.topics.text(topic)),
      measures.map((name) => ({ name, aggregate: 'mean', empty: 'skip' })),
      this.inTable(order),
      this.areTopicsNumbered ? [`${source}: the topics have no names and are numbered by row`] : [],
    );
  }

  private inTable(order: Uint32Array): Float64Array {
    const { systems, topics, measures, rows, places, source } = this;
    const table = namingSource(source, () => emptyScores(systems.size, order.length, measures.size, places.size)).fill(Number.NaN);
    const placeOf = new Int32Array(topics.size).fill(-1); // fits: topics, at most evaluationLimits.scores, or -1
    for (const [place, topic] of order.entries()) placeOf[topic] = place;
    const values = this.values.take(undefined);
    for (let i = 0; i < values.length; i++) {
      const row = places.first[i];
      const topic = placeOf[rows.second[row]];
      if (topic >= 0) table[(rows.first[row] * order.length + topic) * measures.size + places.second[i]] = values[i];
    }
    return table;
  }
}

function textsOf(ids: IdTable): string[] {
  return Array.from({ length: ids.size }, (_, id) => ids.text(id));
}

/** `measure topic value`, as trec_eval prints it; the line `runid all NAME` names the system. */
function readLines(text: string, cells: ScoreCells, fallback: string): void {
  const rows: [measure: string, topic: string, value: string, line: number][] = [];
  let name: string | undefined;
  for (const [i, line] of text
    .replace(/^\ufeff/, '')
    .split('\n')
    .entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const found = /^\s*(\S+)\s+(\S+)\s+(.*?)\s*$/.exec(line);
    if (found === null) {
      cells.problem('expected 3 fields (measure topic value)', i + 1);
      continue;
    }
    const [, measure, topic, value] = found;
    // the grades of the first documents as digits, which is a text
    if (/^relstring(_|$)/.test(measure)) continue;
    if (measure !== 'runid') rows.push([measure, topic, value, i + 1]);
    else if (name === undefined) name = value;
    else cells.problem('holds a second run, expected one', i + 1, 'give each run a file of its own, or use CSV or JSON');
  }
  for (const [measure, topic, value, line] of rows) cells.addText(name ?? fallback, topic, measure, value, line);
}

/** `topic,A,B` or `run,topic,nDCG@10,AP`, or `system,nDCG@10,AP` without topics, or `run,topic,measure,value`. */
function readTable(bytes: Uint8Array, delimiter: number | undefined, cells: ScoreCells, options: ScoreFileOptions): void {
  const source = options.source ?? 'input';
  let header: string[] | undefined;
  let numRows = 0;
  const handler: CsvHandler = {
    record(text, ends, numFields, line) {
      const fields = Array.from({ length: numFields }, (_, k) => {
        const start = k === 0 ? 0 : ends[k - 1];
        // the first column holds values only where none names the topics
        if ((k > 0 || cells.areTopicsNumbered) && records.hasDecimalCommas) replaceDecimalComma(text, start, ends[k]);
        return unguarded(readText(text, start, ends[k]));
      });
      if (header === undefined) {
        header = fields.map((name) => name.trim());
        const seen = new Set<string>();
        const repeated = header.find((name) => seen.size === seen.add(name).size);
        if (repeated !== undefined) cells.problem(`column ${repeated} occurs twice, expected every name once`, line);
        cells.areTopicsNumbered = !isScoreTable(header);
        return;
      }
      numRows++;
      if (numFields !== header.length) cells.problem(`expected ${header.length} fields as in the header, found ${numFields}`, line);
      else addRecord(header, fields, line);
    },
    broken: (message, line) => cells.problem(message, line),
    fatal: (message, wayOut, line) => new InputError({ source, line, message, wayOut }),
  };
  const addRecord = (names: readonly string[], fields: readonly string[], line: number): void => {
    if (cells.areTopicsNumbered) {
      for (const [k, field] of fields.entries()) cells.addText(names[k], String(numRows), options.measure ?? 'score', field, line);
      return;
    }
    const measureColumn = names.indexOf('measure');
    const valueColumn = names.indexOf('value');
    const bySystem = isSystemColumn(names[0]);
    const hasTopic = !bySystem || roleOf(names[1] ?? '') === 'topic';
    const topic = hasTopic ? fields[bySystem ? 1 : 0] : ALL;
    if (topic === '') {
      cells.problem('expected a topic id, found nothing', line);
      return;
    }
    if (measureColumn >= 0 && valueColumn >= 0) {
      // such tables have no row over all topics among them
      cells.areTopicsOnly = hasTopic;
      const system = bySystem ? fields[0] : (options.name ?? 'system');
      cells.addText(system, topic, fields[measureColumn], fields[valueColumn], line);
      return;
    }
    for (let k = (bySystem ? 1 : 0) + (hasTopic ? 1 : 0); k < fields.length; k++) {
      if (bySystem) cells.addText(fields[0], topic, names[k], fields[k], line);
      else cells.addText(names[k], topic, options.measure ?? 'score', fields[k], line);
    }
  };
  const start = startsWith(bytes, byteOrderMark) ? byteOrderMark.length : 0;
  const records = new CsvText(handler, delimiter, true);
  records.push(bytes.subarray(start));
  records.finish();
}

/** Takes away the apostrophe that keeps spreadsheets from taking a name for a formula. */
function unguarded(field: string): string {
  return /^'+[=+\-@\t\r]/.test(field) ? field.slice(1) : field;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What `gradus eval --json` prints, or a `ScoreTable` as JSON. */
function readJson(text: string, cells: ScoreCells, source: string): void {
  let document: unknown;
  try {
    document = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw new InputError({ source, message: `is not JSON: ${error instanceof Error ? error.message : String(error)}` });
  }
  const runs = isRecord(document) ? (document.runs ?? document.systems) : undefined;
  cells.areTopicsOnly = Array.isArray(runs) && runs.every((run) => isRecord(run) && run.perTopic !== undefined);
  for (const run of Array.isArray(runs) ? runs : []) {
    const name = isRecord(run) ? (run.run ?? run.system) : undefined;
    if (!isRecord(run) || typeof name !== 'string') {
      cells.problem('expected a name and scores for every run');
      continue;
    }
    if (run.perTopic === undefined) addScores(cells, name, ALL, run.all);
    for (const row of Array.isArray(run.perTopic) ? run.perTopic : []) {
      if (isRecord(row) && typeof row.topic === 'string') addScores(cells, name, row.topic, row.scores);
      else cells.problem(`expected a topic and scores in every row of ${name}`);
    }
  }
}

function addScores(cells: ScoreCells, system: string, topic: string, scores: unknown): void {
  if (!isRecord(scores)) {
    cells.problem(`expected scores for topic ${topic} of ${system}`);
    return;
  }
  for (const [measure, value] of Object.entries(scores)) {
    if (value === null) cells.add(system, topic, measure, Number.NaN);
    else if (typeof value === 'number' && Number.isFinite(value)) cells.add(system, topic, measure, value);
    else {
      const found = typeof value === 'number' ? 'one beyond all doubles' : printable(JSON.stringify(value), 60);
      cells.problem(`expected a number for topic ${topic} of ${system}, found ${found}`);
    }
  }
}
