import type { Run } from '../../core/run.js';
import { isWhite } from '../../core/text.js';
import { type ChunkReader, type ReadOptions, type RunReading, readSized } from '../reader.js';
import { areCounted, type Columns, roles, wantedRoles } from '../tables/columns.js';
import { RecordFields, RunTable } from '../tables/table.js';
import { byRank, rowsOfRun } from '../tables/written-rows.js';
import { checkingStart } from '../text/text-start.js';
import { WholeLines } from '../text/whole-lines.js';
import { writeLines } from './writer.js';

const LF = 10;
const HASH_SIGN = 35;
const TAB = 9;
const SCORE = roles.indexOf('score');
const shape = 'topic document rank';
const wayOut = 'say what it is: --columns topic=1,doc=2,rank=3 if 1 is best, --columns topic=1,doc=2,score=3 if larger is better';

/** Reads a run from lines of topic, document and rank without a header, as MS MARCO's tools write them, or of topic,
 *  document, rank and score, as ColBERT does (perhaps with a label behind), separated by tabs, or by blanks if the first line has no tab.
 *  Lines of topic and document alone are ranked as they stand. Three columns can be other things too: if the third does not hold the ranks of each topic from 1 (or 0) on, the file is refused,
 *  unless `columns` counts the columns, in which case they may be any of the columns there are. */
export function parseRankLines(content: Uint8Array | string, options: ReadOptions = {}): RunReading {
  return readSized(createRankLinesReader, content, options);
}

/** Reads a run of `topic document rank` lines, as MS MARCO has them, chunk by chunk. */
export function createRankLinesReader(options: ReadOptions = {}): ChunkReader<RunReading> {
  return checkingStart(new RankLinesReader(options), options);
}

/** Writes a run as lines of topic, document and rank, parted by tabs, the best document of a topic first. Ranks are counted out by
 *  score; neither scores nor the run's name are written. */
export function* writeRankLines(run: Run): Generator<Uint8Array> {
  const rows = rowsOfRun(run);
  let order: Uint32Array = new Uint32Array(0);
  yield* writeLines(rows, [{ table: run.docs, of: run.docOf, what: 'document' }], (writer, row, topic) => {
    const start = run.offsets[topic];
    if (row === start) order = byRank(run.scores, start, run.offsets[topic + 1]);
    writer.byte(TAB);
    writer.id(run.docs, run.docOf[order[row - start]]);
    writer.byte(TAB);
    writer.number(row - start + 1);
  });
}

class RankLinesReader implements ChunkReader<RunReading> {
  private readonly table: RunTable;
  private readonly lines: WholeLines = new WholeLines(
    (bytes, start, end) => this.take(bytes, start, end),
    (message) => this.table.log.fatal(message, undefined, this.line + 1),
  );
  private readonly fields: RecordFields = new RecordFields();
  /** The role of each column, or -1. */
  private readonly roleOf: Int32Array;
  private readonly isTold: boolean;
  private numFields: number;
  private sawLine = false;
  /** Whether tabs part the fields, as in the first line, or any white space. */
  private hasTabs: boolean | undefined;
  private line = 0;

  constructor(options: ReadOptions) {
    const told = areCounted(options.columns, 'run') ? options.columns : undefined;
    this.isTold = told !== undefined;
    const columns: Columns = told ?? { topic: 1, doc: 2, rank: 3, score: 4 };
    // what was not given shows in the first line: ranks alone, or ranks and scores
    this.table = new RunTable({ ...options, columns: told });
    const places = roles.map((role) => (wantedRoles.run.includes(role) && typeof columns[role] === 'number' ? columns[role] : 0));
    if (told !== undefined) for (const [role, place] of places.entries()) if (place > 0) options.onColumn?.(roles[role]);
    this.numFields = Math.max(...places);
    this.roleOf = new Int32Array(this.numFields).fill(-1); // fits: roles, of which there are six, or -1
    for (const [role, place] of places.entries()) if (place > 0) this.roleOf[place - 1] = role;
    const ids = `topic=${columns.topic},doc=${columns.doc}`;
    if (columns.rank !== undefined) this.table.choices.rank = `${ids},rank=${columns.rank}`;
    if (columns.score !== undefined) this.table.choices.score = `${ids},score=${columns.score}`;
  }

  push(chunk: Uint8Array): void {
    this.lines.push(chunk);
  }

  finish(): RunReading {
    this.lines.finish();
    const reading = this.table.finish(`lines of ${shape}`, this.lines.sawBytes);
    if (!this.isTold && this.numFields === 3) this.refuseOtherNumbers(reading.run);
    if (!this.isTold && this.numFields === 2) {
      return { ...reading, run: { ...reading.run, notes: ['lines have no rank, so documents are ranked in the order of the lines'] } };
    }
    return reading;
  }

  private take(bytes: Uint8Array, start: number, end: number): void {
    for (let at = start; at < end; ) {
      const lineEnd = bytes.indexOf(LF, at);
      this.line++;
      this.takeLine(bytes, at, lineEnd);
      at = lineEnd + 1;
    }
  }

  private takeLine(bytes: Uint8Array, start: number, end: number): void {
    const { fields, roleOf } = this;
    let first = start;
    while (first < end && isWhite(bytes[first])) first++;
    if (first === end || bytes[first] === HASH_SIGN) return;
    this.hasTabs ??= bytes.subarray(first, end).includes(TAB);
    const { hasTabs } = this;
    let count = 0;
    for (let at = first; at < end; count++) {
      const from = at;
      while (at < end && !(hasTabs ? bytes[at] === TAB : isWhite(bytes[at]))) at++;
      let to = at;
      while (to > from && isWhite(bytes[to - 1])) to--;
      if (count < roleOf.length && roleOf[count] >= 0) fields.set(roleOf[count], from, to);
      while (at < end && isWhite(bytes[at])) at++;
    }
    if (!this.isTold && !this.sawLine) this.numFields = [2, 4, 5].includes(count) ? count : 3;
    this.sawLine = true;
    if (!this.isTold && this.numFields <= 3) fields.starts[SCORE] = -1;
    const { log } = this.table;
    if (this.isTold ? count < this.numFields : count !== this.numFields) {
      const fieldWord = hasTabs ? 'fields between tabs' : 'fields';
      const expected = this.isTold
        ? `at least ${this.numFields} ${fieldWord}`
        : `${this.numFields} ${fieldWord}${hasTabs ? '' : ` (${this.numFields === 2 ? 'topic document' : shape}${this.numFields >= 4 ? ' score' : ''}${this.numFields === 5 ? ' label' : ''})`}`;
      log.add('wrong number of fields', this.line, () => `expected ${expected}, found ${count}`);
    } else if (bytes.subarray(start, end).includes(0)) {
      log.add('NUL byte', this.line, () => 'holds a NUL byte, expected text');
    } else {
      fields.bytes = bytes;
      if (!this.isTold && this.numFields === 2) this.table.addListed(fields, this.line);
      else this.table.add(fields, this.line);
    }
  }

  /** Whole numbers in a third column may be ranks, scores or grades. They are ranks if every topic has all of 1 to n, or of 0 to
   *  n - 1, once; but not if they count down along the lines everywhere, as scores do. */
  private refuseOtherNumbers({ topics, offsets, scores }: Run): void {
    let countsDown = true;
    let anyOrder = false;
    for (let topic = 0; topic < topics.size; topic++) {
      const start = offsets[topic];
      const end = offsets[topic + 1];
      if (start === end) continue;
      const order = byRank(scores, start, end);
      const lowest = 0 - scores[order[0]];
      const highest = 0 - scores[order[order.length - 1]];
      if (lowest > 1 || highest - lowest + 1 !== end - start) {
        throw this.table.log.fatal(
          `the third column is not a rank: topic ${topics.text(topic)} has ${end - start} documents and numbers from ${lowest} to ${highest}`,
          wayOut,
        );
      }
      if (end - start < 2) continue;
      anyOrder = true;
      for (let row = start + 1; row < end && countsDown; row++) countsDown = scores[row] > scores[row - 1];
    }
    if (anyOrder && countsDown) {
      throw this.table.log.fatal('the third column counts down along the lines, and may be a rank or a score', wayOut);
    }
  }
}
