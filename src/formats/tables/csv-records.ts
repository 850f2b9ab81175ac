import { lengthened } from '../../core/growing-arrays.js';
import { limits } from '../../core/limits.js';

/** What a CSV text holds, record by record. */
export interface CsvHandler {
  /** The fields lie end to end: field k is text[ends[k - 1]..ends[k]), the first from 0. Only valid during the call. */
  record(text: Uint8Array, ends: Uint32Array, numFields: number, line: number): void;
  /** A line that is left out because it begins with `#`. */
  comment?(line: number): void;
  /** A record whose quotes are not as they should be. */
  broken(message: string, line: number): void;
  /** The error for a record that nothing can be made of, lenient or not. */
  fatal(message: string, wayOut: string, line: number): Error;
}

const PIECE = 1 << 16;
const LF = 10;
const CR = 13;
const QUOTE = 34;
const HASH_SIGN = 35;

const RECORD_START = 0;
const FIELD_START = 1;
const PLAIN = 2;
const QUOTED = 3;
/** Behind a quote in a quoted field: its end, or the first of two that stand for one. */
const QUOTE_SEEN = 4;
const CR_AFTER_QUOTE = 5;
/** In a comment, or behind a mistake. */
const IGNORED = 6;

/** Takes CSV apart as RFC 4180 describes it, in chunks of any size; beyond it, any byte may part the fields, LF alone ends
 *  a line, and blank lines and lines that begin with `#` are left out. */
export class CsvRecords {
  private readonly handler: CsvHandler;
  private readonly delimiter: number;
  private readonly quote: number;
  private state = RECORD_START;
  private text: Uint8Array = new Uint8Array(1024); // fits: bytes
  private length = 0;
  private ends: Uint32Array = new Uint32Array(64); // fits: places in a record, at most limits.recordBytes
  private numFields = 0;
  private line = 1;
  private recordLine = 1;

  /** @param quotes Whether a double quote at the start of a field has a meaning. */
  constructor(handler: CsvHandler, delimiter: number, quotes: boolean) {
    this.handler = handler;
    this.delimiter = delimiter;
    this.quote = quotes ? QUOTE : -1;
  }

  push(chunk: Uint8Array): void {
    for (let from = 0; from < chunk.length; from += PIECE) this.pushPiece(chunk.subarray(from, from + PIECE));
  }

  finish(): void {
    if (this.state === QUOTED) this.handler.broken('opens a quote that is never closed', this.recordLine);
    else if (this.state !== RECORD_START && this.state !== IGNORED) this.endLine();
  }

  private pushPiece(piece: Uint8Array): void {
    const { delimiter, quote } = this;
    this.makeRoom(piece.length);
    const { text } = this;
    for (let i = 0; i < piece.length; i++) {
      const byte = piece[i];
      if (this.state === PLAIN) {
        if (byte === delimiter) this.endField();
        else if (byte === LF) this.endLine();
        else text[this.length++] = byte;
      } else if (this.state === QUOTED) {
        if (byte === QUOTE) this.state = QUOTE_SEEN;
        else {
          text[this.length++] = byte;
          if (byte === LF) this.line++;
        }
      } else if (this.state === QUOTE_SEEN || this.state === CR_AFTER_QUOTE) {
        if (byte === LF) this.endLine();
        else if (this.state === CR_AFTER_QUOTE) this.breakOff();
        else if (byte === delimiter) this.endField();
        else if (byte === CR) this.state = CR_AFTER_QUOTE;
        else if (byte === QUOTE) {
          text[this.length++] = byte;
          this.state = QUOTED;
        } else this.breakOff();
      } else if (this.state === IGNORED) {
        if (byte === LF) this.startRecord();
      } else if (byte === quote) this.state = QUOTED;
      else if (byte === HASH_SIGN && this.state === RECORD_START) {
        this.handler.comment?.(this.line);
        this.state = IGNORED;
      } else {
        this.state = PLAIN;
        i--; // the byte belongs to the field
      }
    }
    this.checkLength();
  }

  private endField(): void {
    if (this.numFields === limits.columns) {
      throw this.handler.fatal(`has more than ${limits.columns} fields`, 'check that this is a CSV file', this.recordLine);
    }
    if (this.numFields === this.ends.length) this.ends = lengthened(this.ends, this.numFields * 2);
    this.ends[this.numFields++] = this.length;
    this.state = FIELD_START;
  }

  private endLine(): void {
    const fieldStart = this.numFields === 0 ? 0 : this.ends[this.numFields - 1];
    const wasPlain = this.state === PLAIN;
    if (wasPlain && this.length > fieldStart && this.text[this.length - 1] === CR) this.length--;
    this.checkLength();
    const isBlank = wasPlain && this.numFields === 0 && this.length === 0;
    this.endField();
    if (!isBlank) this.handler.record(this.text, this.ends, this.numFields, this.recordLine);
    this.startRecord();
  }

  private breakOff(): void {
    this.handler.broken('has text behind the closing quote of a field', this.recordLine);
    this.state = IGNORED;
  }

  /** Steps to the next line, where a record starts. */
  private startRecord(): void {
    this.line++;
    this.recordLine = this.line;
    this.length = 0;
    this.numFields = 0;
    this.state = RECORD_START;
  }

  private checkLength(): void {
    // what parts the fields belongs to the record as well
    const length = this.length + this.numFields;
    if (length <= limits.recordBytes) return;
    const wayOut = this.state === QUOTED ? 'the quote that it opens may never be closed' : 'check that this is a CSV file';
    throw this.handler.fatal(`is longer than ${limits.recordBytes} bytes`, wayOut, this.recordLine);
  }

  private makeRoom(more: number): void {
    const needed = this.length + more;
    if (needed > this.text.length) this.text = lengthened(this.text, Math.max(needed, this.text.length * 2));
  }
}
