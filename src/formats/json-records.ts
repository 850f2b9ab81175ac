import { IdTable } from '../core/ids.js';
import { readText } from '../core/text.js';
import { type ColumnUse, columnUse, roles } from './columns.js';
import type { JsonHandler } from './json-tokens.js';
import { shown } from './reading-log.js';
import { RecordFields, type Table } from './table.js';

const TOPIC = roles.indexOf('topic');
const DOC = roles.indexOf('doc');

/** Field names looked up once; a file with more different ones than this is not worth remembering them. */
const MAX_NAMES = 1000;

/** Makes rows of JSON: of `{ topic: { document: number } }`, or of records with named fields. */
export class JsonRecords<Reading> implements JsonHandler {
  private readonly table: Table<Reading>;
  private readonly lineNow: () => number;
  private readonly valueRole: number;
  /** Whether the outermost value is a record itself. */
  private readonly bare: boolean;
  private nested = false;
  /** 1 inside the outermost container, 2 inside a topic or a record. */
  private level = 0;
  /** How many containers deep we are in something that is of no use. */
  private skipping = 0;

  private readonly fields: RecordFields = new RecordFields();
  /** The bytes of the fields at hand. */
  private text: Uint8Array = new Uint8Array(256);
  private textLength = 0;
  private topicEnd = 0;
  private docEnd = 0;

  private recordLine = 0;
  private recordIsBad = false;
  private isPending = false;
  private use: ColumnUse | undefined;
  private readonly doubts: Float64Array = new Float64Array(roles.length);
  private readonly names: IdTable = new IdTable();
  private readonly uses: (ColumnUse | undefined)[] = [];

  constructor(table: Table<Reading>, bare: boolean, lineNow: () => number) {
    this.table = table;
    this.bare = bare;
    this.lineNow = lineNow;
    this.valueRole = roles.indexOf(table.kind === 'run' ? 'score' : 'grade');
    this.restart();
  }

  /** Gets ready for another text. */
  restart(): void {
    this.level = this.bare ? 1 : 0;
    this.skipping = 0;
    this.isPending = false;
  }

  begin(container: 'object' | 'array'): void {
    if (this.skipping > 0 || !this.enter(container)) this.skipping++;
    else this.level++;
  }

  /** Whether there is any use for what begins here. */
  private enter(container: 'object' | 'array'): boolean {
    if (this.level === 0) {
      this.nested = container === 'object';
      return true;
    }
    if (this.level === 1 && container === 'object') {
      if (!this.nested) this.beginRecord();
      return true;
    }
    if (this.nested || this.level === 1 || this.use !== undefined) this.addShapeProblem(`an ${container}`);
    return false;
  }

  end(): void {
    if (this.skipping > 0) {
      this.skipping--;
      return;
    }
    if (this.level === 2 && !this.nested) this.endRecord();
    this.level--;
  }

  key(bytes: Uint8Array, start: number, end: number): void {
    if (this.skipping > 0) return;
    if (!this.nested) this.use = this.useOf(bytes, start, end);
    else if (this.level === 1) this.topicEnd = this.keep(TOPIC, 0, bytes, start, end);
    else this.docEnd = this.keep(DOC, this.topicEnd, bytes, start, end);
  }

  scalar(isString: boolean, bytes: Uint8Array, start: number, end: number): void {
    if (this.skipping > 0) return;
    if (this.level < 2) this.addShapeProblem(shown(bytes, start, end));
    else if (this.nested) {
      this.keep(this.valueRole, this.docEnd, bytes, start, end);
      this.table.add(this.fields, this.lineNow());
    } else if (this.use !== undefined) this.addField(this.use, isString, bytes, start, end);
  }

  private beginRecord(): void {
    this.recordLine = this.lineNow();
    this.recordIsBad = false;
    this.use = undefined;
    this.textLength = 0;
    this.fields.starts.fill(-1);
    this.doubts.fill(Number.POSITIVE_INFINITY);
  }

  private addField({ role, doubt }: ColumnUse, isString: boolean, bytes: Uint8Array, start: number, end: number): void {
    const index = roles.indexOf(role);
    const isWord = !isString && bytes[start] > 57;
    if (isWord && readText(bytes, start, end) === 'null') return;
    if (isWord && index !== this.valueRole && role !== 'rank') this.addShapeProblem(shown(bytes, start, end));
    else if (doubt === this.doubts[index]) {
      this.recordIsBad = true;
      this.table.log.add('repeated field', this.lineNow(), () => `names the ${role} twice`);
    } else if (doubt < this.doubts[index]) {
      this.doubts[index] = doubt;
      this.keep(index, this.textLength, bytes, start, end);
    }
  }

  private endRecord(): void {
    this.isPending = !this.recordIsBad;
    // of a bare record it is not yet known whether the text ends well
    if (!this.bare) this.flush();
  }

  /** Adds the last record, if there is one to add. */
  flush(): void {
    if (this.isPending) this.table.add(this.fields, this.recordLine);
    this.isPending = false;
  }

  /** Copies a field to `from` in the text at hand, behind what else is needed there; returns its end. */
  private keep(role: number, from: number, bytes: Uint8Array, start: number, end: number): number {
    const to = from + end - start;
    if (to > this.text.length) {
      const larger = new Uint8Array(to * 2);
      larger.set(this.text);
      this.text = larger;
    }
    const { text } = this;
    for (let at = from, i = start; i < end; at++, i++) text[at] = bytes[i];
    this.fields.bytes = text;
    this.fields.set(role, from, to);
    this.textLength = to;
    return to;
  }

  private useOf(bytes: Uint8Array, start: number, end: number): ColumnUse | undefined {
    const known = this.names.findBytes(bytes, start, end);
    if (known >= 0) return this.uses[known];
    const use = columnUse(readText(bytes, start, Math.min(end, start + 1000)), this.table.kind, this.table.columns);
    if (this.names.size < MAX_NAMES) this.uses[this.names.internBytes(bytes, start, end)] = use;
    return use;
  }

  private addShapeProblem(found: string): void {
    this.recordIsBad = true;
    const value = this.table.kind === 'run' ? 'score' : 'grade';
    const expected =
      this.level === 0
        ? `an object of topics or an array of records`
        : this.level === 1
          ? this.nested
            ? `an object of documents and ${value}s for topic ${shown(this.text, 0, this.topicEnd)}`
            : 'a record'
          : this.nested
            ? `a finite number as ${value} of document ${shown(this.text, this.topicEnd, this.docEnd)}`
            : `text or a number as ${this.use?.role ?? 'field'}`;
    this.table.log.add('wrong shape', this.lineNow(), () => `expected ${expected}, found ${found}`, '--lenient skips such entries');
  }
}
