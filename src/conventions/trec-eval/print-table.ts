import type { Ids } from '../../core/ids.js';
import { fixedLength, formatFixedInto } from '../../core/print.js';
import { bytesOf } from './byte-text.js';
import type { TrecEvalHost } from './host.js';
import { gradeString, isPatched, type ValueTable } from './value-table.js';

const TAB = 9;
const LF = 10;
const QUOTE = 39;
const NAME_WIDTH = 22;
const CHUNK = 1 << 18;
const LONGEST_NUMBER = fixedLength(4, 6);

/** Lines of `name TAB topic TAB value`, collected in one array and handed on when it is full. */
class LineWriter {
  private bytes: Uint8Array = new Uint8Array(CHUNK * 2);
  private at = 0;
  private readonly host: TrecEvalHost;

  constructor(host: TrecEvalHost) {
    this.host = host;
  }

  get full(): boolean {
    return this.at >= CHUNK;
  }

  async flush(): Promise<void> {
    if (this.at === 0) return;
    await this.host.writeOut(this.bytes.subarray(0, this.at));
    this.at = 0;
  }

  /** Writes name and topic, and leaves room for a value of this length. */
  startLine(name: Uint8Array, topic: Uint8Array, topicStart: number, topicEnd: number, valueLength: number): void {
    const needed = this.at + name.length + (topicEnd - topicStart) + valueLength + 2;
    if (needed > this.bytes.length) this.grow(needed);
    const { bytes } = this;
    let at = this.at;
    for (let i = 0; i < name.length; i++) bytes[at++] = name[i];
    for (let i = topicStart; i < topicEnd; i++) bytes[at++] = topic[i];
    bytes[at++] = TAB;
    this.at = at;
  }

  endWithNumber(value: number, decimals: number, width: number): void {
    this.at = formatFixedInto(this.bytes, this.at, value, decimals, width, '-nan');
    this.bytes[this.at++] = LF;
  }

  endWithBytes(value: Uint8Array): void {
    this.bytes.set(value, this.at);
    this.at += value.length;
    this.bytes[this.at++] = LF;
  }

  private grow(needed: number): void {
    const larger = new Uint8Array(needed * 2);
    larger.set(this.bytes);
    this.bytes = larger;
  }
}

export interface PrintRules {
  readonly perTopic: boolean;
  /** The values over all topics; undefined if they are not wanted. */
  readonly summary: Float64Array | undefined;
  /** Values are z-scores: counts have decimals too, and the names begin with Z. */
  readonly zscores: boolean;
}

/** Prints the table as the tool prints it. */
export async function printTable(table: ValueTable, topicIds: Ids, rules: PrintRules, host: TrecEvalHost): Promise<void> {
  const { layout, topics, answered, values } = table;
  const { columns, measures, places } = layout;
  const width = measures.length;
  const writer = new LineWriter(host);
  const heads = columns.map(({ row, name, stringLength }) => {
    const isText = row.summary === 'run' || stringLength !== undefined;
    return bytesOf(`${rules.zscores && !isText ? 'Z' : ''}${name.padEnd(NAME_WIDTH)}\t`);
  });
  const isCount = columns.map(({ row }) => !rules.zscores && (row.summary === 'sum' || row.summary === 'topics'));

  if (rules.perTopic) {
    const shown = columns.flatMap(({ row }, c) => (row.perTopic ? [c] : []));
    for (let t = 0; t < topics.length; t++) {
      const idStart = topicIds.offsets[topics[t]];
      const idEnd = topicIds.offsets[topics[t] + 1];
      for (const c of shown) {
        if (columns[c].stringLength === undefined) {
          writer.startLine(heads[c], topicIds.bytes, idStart, idEnd, LONGEST_NUMBER);
          if (isCount[c]) writer.endWithNumber(values[t * width + places[c]], 0, 0);
          else writer.endWithNumber(values[t * width + places[c]], 4, 6);
          continue;
        }
        const text = answered[t] === 0 && isPatched(columns[c].name) ? '' : gradeString(table, c, t);
        writer.startLine(heads[c], topicIds.bytes, idStart, idEnd, text.length + 2);
        writer.endWithBytes(quoted(text));
      }
      if (writer.full) await writer.flush();
    }
  }
  if (rules.summary !== undefined) {
    const all = bytesOf('all');
    for (const [c, { row }] of columns.entries()) {
      if (row.summary === 'none') continue;
      writer.startLine(heads[c], all, 0, all.length, Math.max(LONGEST_NUMBER, table.runTag.length));
      if (row.summary === 'run') writer.endWithBytes(table.runTag);
      else if (isCount[c]) writer.endWithNumber(rules.summary[c], 0, 0);
      else writer.endWithNumber(rules.summary[c], 4, 6);
    }
  }
  await writer.flush();
}

function quoted(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length + 2);
  bytes[0] = QUOTE;
  for (let i = 0; i < text.length; i++) bytes[i + 1] = text.charCodeAt(i);
  bytes[text.length + 1] = QUOTE;
  return bytes;
}
