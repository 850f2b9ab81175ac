import { lengthened } from '../../core/growing-arrays.js';
import { IdTable } from '../../core/ids.js';
import { readText } from '../../core/text.js';
import { shown } from '../reading-log.js';
import { type ColumnUse, columnUse, roles } from './columns.js';
import type { JsonHandler } from './json-tokens.js';
import { RecordFields, type Table } from './table.js';

const TOPIC = roles.indexOf('topic');
const DOC = roles.indexOf('doc');
const SCORE = roles.indexOf('score');
const RANK = roles.indexOf('rank');

/** Field names looked up once; a file with more different ones than this is not worth remembering them. */
const MAX_NAMES = 1000;

/** Makes rows of JSON: of `{ topic: { document: number } }`, for runs of `{ topic: [document, …] }` with the best one first, or of
 *  records with named fields. */
export class JsonRecords<Reading> implements JsonHandler {
  private readonly table: Table<Reading>;
  private readonly lineNow: () => number;
  private readonly valueRole: number;
  /** Whether the outermost value is a record itself. */
  private readonly bare: boolean;
  private nested = false;
  /** Whether we are in the list of a topic's documents, and how many of them have come. */
  private listing = false;
  private numListed = 0;
  /** How many entries of a topic have come, good or bad. */
  private numEntries = 0;
  /** 1 inside the outermost container, 2 inside a topic or a record. */
  private level = 0;
  /** How many containers deep we are in something that is of no use. */
  private skipping = 0;

  private readonly fields: RecordFields = new RecordFields();
  /** The bytes of the fields at hand. */
  private text: Uint8Array = new Uint8Array(256); // fits: bytes
  private textLength = 0;
  private topicEnd = 0;
  private docEnd = 0;

  /** A rank as it would be written. */
  private readonly digits: Uint8Array = new Uint8Array(16); // fits: bytes, those of digits
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
    table.fieldNames = () => Array.from({ length: this.names.size }, (_, n) => this.names.text(n));
  }

  /** Gets ready for another text. */
  restart(): void {
    this.level = this.bare ? 1 : 0;
    this.skipping = 0;
    this.isPending = false;
  }

  begin(container: 'object' | 'array'): void {
    this.numEntries += this.level === 2 ? 1 : 0;
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
      else this.fields.starts[RANK] = -1;
      return true;
    }
    if (this.level === 1 && this.nested && this.table.kind === 'run') {
      this.listing = true;
      this.numListed = 0;
      this.fields.starts[SCORE] = -1;
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
    else if (this.level === 2 && this.numEntries === 0) this.table.addTopic(this.text, 0, this.topicEnd);
    this.listing = false;
    this.level--;
  }

  key(bytes: Uint8Array, start: number, end: number): void {
    if (this.skipping > 0) return;
    if (!this.nested) this.use = this.useOf(bytes, start, end);
    else if (this.level === 1) {
      this.topicEnd = this.keep(TOPIC, 0, bytes, start, end);
      this.numEntries = 0;
    } else this.docEnd = this.keep(DOC, this.topicEnd, bytes, start, end);
  }

  scalar(isString: boolean, bytes: Uint8Array, start: number, end: number): void {
    if (this.skipping > 0) return;
    this.numEntries++;
    if (this.level < 2) this.addShapeProblem(shown(bytes, start, end));
    else if (this.listing) this.addListed(isString, bytes, start, end);
    else if (this.nested) {
      this.keep(this.valueRole, this.docEnd, bytes, start, end);
      this.table.add(this.fields, this.lineNow());
    } else if (this.use !== undefined) this.addField(this.use, isString, bytes, start, end);
  }

  /** Adds the next document of a list, whose rank is its place. */
  private addListed(isString: boolean, bytes: Uint8Array, start: number, end: number): void {
    this.numListed++;
    if (!isString && bytes[start] > 57) {
      const topic = shown(this.text, 0, this.topicEnd);
      const found = readText(bytes, start, end);
      this.addProblem(`topic ${topic}: rank ${this.numListed} is ${found}, expected a document id`);
      return;
    }
    this.docEnd = this.keep(DOC, this.topicEnd, bytes, start, end);
    const digits = this.digits;
    let at = digits.length;
    for (let rest = this.numListed; rest > 0; rest = Math.floor(rest / 10)) digits[--at] = 48 + (rest % 10);
    this.keep(RANK, this.docEnd, digits, at, digits.length);
    this.table.add(this.fields, this.lineNow());
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
    if (to > this.text.length) this.text = lengthened(this.text, to * 2);
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
    const name = readText(bytes, start, Math.min(end, start + 1000));
    const use = columnUse(name, this.table.kind, this.table.columns);
    if (use?.role === 'rank' || use?.role === 'score') this.table.choices[use.role] = `${use.role}=${name}`;
    if (use !== undefined && this.table.columns?.[use.role] === name) this.table.onColumn?.(use.role);
    if (this.names.size < MAX_NAMES) this.uses[this.names.internBytes(bytes, start, end)] = use;
    return use;
  }

  private addShapeProblem(found: string): void {
    const value = this.table.kind === 'run' ? 'score' : 'grade';
    const expected =
      this.level === 0
        ? `an object of topics or an array of records`
        : this.level === 1
          ? this.nested
            ? `an object of documents and ${value}s${this.table.kind === 'run' ? ' or a list of documents' : ''} for topic ${shown(this.text, 0, this.topicEnd)}`
            : 'a record'
          : this.listing
            ? `document ids for topic ${shown(this.text, 0, this.topicEnd)}`
            : this.nested
              ? `a finite number as ${value} of document ${shown(this.text, this.topicEnd, this.docEnd)}`
              : `text or a number as ${this.use?.role ?? 'field'}`;
    this.addProblem(`expected ${expected}, found ${found}`);
  }

  private addProblem(message: string): void {
    this.recordIsBad = true;
    this.table.log.add('wrong shape', this.lineNow(), () => message, '--lenient skips such entries');
  }
}
