import { lengthened } from '../../core/growing-arrays.js';
import type { Ids } from '../../core/ids.js';
import { fixedLength, formatFixedInto } from '../../core/numbers/print.js';
import { bytesOf } from '../byte-text.js';
import type { Column } from './columns.js';
import type { TrecEvalHost } from './host.js';
import { gradeString, isPatched, type ValueTable } from './value-table.js';

const TAB = 9;
const LF = 10;
const NAME_WIDTH = 22;
const FLUSH_AT = 1 << 17;
const LONGEST_NUMBER = fixedLength(4, 6);
const ALL: Uint8Array = Uint8Array.of(97, 108, 108);

/** What is printed, and in which of trec_eval's layouts. */
export interface PrintRules {
  readonly perTopic: boolean;
  /** The values over all topics; undefined if they are not wanted. */
  readonly summary: Float64Array | undefined;
  /** Values are z-scores: counts have decimals too, and the names begin with Z. */
  readonly zscores: boolean;
}

/** Prints the table as the tool prints it: `name TAB topic TAB value`, first the topics, then all together. */
export async function printTable(table: ValueTable, topicIds: Ids, rules: PrintRules, host: TrecEvalHost): Promise<void> {
  const printer = new TablePrinter(table, topicIds, rules);
  if (rules.perTopic) {
    for (let t = 0; t < table.topics.length; t++) {
      printer.printTopic(t);
      if (printer.length < FLUSH_AT) continue;
      await host.writeOut(printer.pending());
      printer.clear();
    }
  }
  if (rules.summary !== undefined) printer.printSummary(rules.summary);
  if (printer.length > 0) await host.writeOut(printer.pending());
}

/** A line of each topic. */
interface TopicLine {
  /** The padded name, up to and with the tab. */
  readonly head: Uint8Array;
  /** Place of the value in the topic's row. */
  readonly place: number;
  readonly decimals: number;
  readonly width: number;
  /** The column, if it shows a string of grades. */
  readonly textColumn: number;
}

class TablePrinter {
  /** Bytes that wait to be written. */
  length = 0;
  private bytes: Uint8Array = new Uint8Array(FLUSH_AT / 2); // fits: bytes
  private readonly table: ValueTable;
  private readonly topicIds: Ids;
  private readonly rules: PrintRules;
  private readonly lines: readonly TopicLine[];
  /** Room that the lines of a topic take at most, its id not counted. */
  private readonly blockRoom: number;
  // where the topic before stands, and in it the ids and values of its lines
  private blockStart = -1;
  private blockLength = 0;
  private idLength = -1;
  private readonly idAt: Uint32Array;
  private readonly valueAt: Uint32Array;
  private readonly valueEnd: Uint32Array;

  constructor(table: ValueTable, topicIds: Ids, rules: PrintRules) {
    this.table = table;
    this.topicIds = topicIds;
    this.rules = rules;
    const { columns, places } = table.layout;
    this.lines = columns.flatMap((column, c) => {
      if (!column.row.perTopic) return [];
      const isText = column.stringLength !== undefined;
      return [{ head: this.head(column), place: places[c], ...this.numberForm(column), textColumn: isText ? c : -1 }];
    });
    this.blockRoom = this.lines.reduce((room, { head }) => room + head.length + LONGEST_NUMBER + 2, 0);
    this.idAt = new Uint32Array(this.lines.length); // fits: places in the text of one topic, which is in memory
    this.valueAt = new Uint32Array(this.lines.length); // fits: places in the text of one topic, which is in memory
    this.valueEnd = new Uint32Array(this.lines.length); // fits: places in the text of one topic, which is in memory
  }

  pending(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  clear(): void {
    this.length = 0;
    this.blockStart = -1;
  }

  printTopic(t: number): void {
    const topic = this.table.topics[t];
    const idStart = this.topicIds.offsets[topic];
    const idLength = this.topicIds.offsets[topic + 1] - idStart;
    this.reserve(this.blockRoom + this.lines.length * idLength);
    if (idLength !== this.idLength || this.blockStart < 0 || !this.printLikeBefore(t, idStart)) this.printAfresh(t, idStart, idLength);
  }

  /** Copies the lines of the topic before in one go and puts id and values in their places. Most topics have ids and values
   *  as long as those of their neighbour; where a value is not, the answer is false, and the lines have to be made afresh. */
  private printLikeBefore(t: number, idStart: number): boolean {
    const { bytes, lines, idAt, valueAt, valueEnd, idLength, length: start, table } = this;
    const { values } = table;
    const ids = this.topicIds.bytes;
    const row = t * table.layout.measures.length;
    bytes.copyWithin(start, this.blockStart, this.blockStart + this.blockLength);
    for (let l = 0; l < lines.length; l++) {
      const { textColumn, place, decimals, width } = lines[l];
      const id = start + idAt[l];
      for (let i = 0; i < idLength; i++) bytes[id + i] = ids[idStart + i];
      const end = start + valueEnd[l];
      if (textColumn >= 0) {
        const text = this.gradesInQuotes(textColumn, t);
        if (start + valueAt[l] + text.length !== end) return false;
        for (let i = 0; i < text.length; i++) bytes[start + valueAt[l] + i] = text.charCodeAt(i);
      } else if (formatFixedInto(bytes, start + valueAt[l], values[row + place], decimals, width, '-nan') !== end) return false;
      bytes[end] = LF;
    }
    this.blockStart = start;
    this.length = start + this.blockLength;
    return true;
  }

  private printAfresh(t: number, idStart: number, idLength: number): void {
    const { lines, table } = this;
    const row = t * table.layout.measures.length;
    const start = this.length;
    for (let l = 0; l < lines.length; l++) {
      const { head, textColumn, place, decimals, width } = lines[l];
      this.append(head);
      this.idAt[l] = this.length - start;
      for (let i = 0; i < idLength; i++) this.bytes[this.length++] = this.topicIds.bytes[idStart + i];
      this.bytes[this.length++] = TAB;
      this.valueAt[l] = this.length - start;
      if (textColumn < 0) this.length = formatFixedInto(this.bytes, this.length, table.values[row + place], decimals, width, '-nan');
      else this.append(bytesOf(this.gradesInQuotes(textColumn, t)));
      this.valueEnd[l] = this.length - start;
      this.bytes[this.length++] = LF;
    }
    this.blockStart = start;
    this.blockLength = this.length - start;
    this.idLength = idLength;
  }

  printSummary(summary: Float64Array): void {
    const { columns } = this.table.layout;
    for (const [c, column] of columns.entries()) {
      if (column.row.summary === 'none') continue;
      this.append(this.head(column));
      this.append(ALL);
      this.append(Uint8Array.of(TAB));
      if (column.row.summary === 'run') this.append(this.table.runTag);
      else {
        const { decimals, width } = this.numberForm(column);
        this.reserve(LONGEST_NUMBER);
        this.length = formatFixedInto(this.bytes, this.length, summary[c], decimals, width, '-nan');
      }
      this.append(Uint8Array.of(LF));
    }
  }

  private head({ row, name, stringLength }: Column): Uint8Array {
    const isText = row.summary === 'run' || stringLength !== undefined;
    return bytesOf(`${this.rules.zscores && !isText ? 'Z' : ''}${name.padEnd(NAME_WIDTH)}\t`);
  }

  private numberForm({ row }: Column): { decimals: number; width: number } {
    const isCount = !this.rules.zscores && (row.summary === 'sum' || row.summary === 'topics');
    return isCount ? { decimals: 0, width: 0 } : { decimals: 4, width: 6 };
  }

  private gradesInQuotes(column: number, t: number): string {
    const { answered, layout } = this.table;
    return answered[t] === 0 && isPatched(layout.columns[column].name) ? "''" : `'${gradeString(this.table, column, t)}'`;
  }

  private append(part: Uint8Array): void {
    this.reserve(part.length);
    this.bytes.set(part, this.length);
    this.length += part.length;
  }

  private reserve(extra: number): void {
    const needed = this.length + extra;
    if (needed > this.bytes.length) this.bytes = lengthened(this.bytes, Math.max(needed, this.bytes.length * 2));
  }
}
