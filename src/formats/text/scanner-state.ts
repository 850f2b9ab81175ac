import { InputError } from '../../core/problem.js';
import type { LineLayout, LineScanner } from './line-scanner.js';

const LF = 10;

/** What both scanners share: the columns and counters, and everything that is done between two calls of `scan`. */
export abstract class ScannerState implements LineScanner {
  bytes: Uint8Array = new Uint8Array(0);
  docStart: Uint32Array = new Uint32Array(0);
  docEnd: Uint32Array = new Uint32Array(0);
  docHash: Uint32Array = new Uint32Array(0);
  numbers: Float64Array = new Float64Array(0);
  keptStart: Uint32Array[] = [];
  keptEnd: Uint32Array[] = [];
  odd: Uint32Array = new Uint32Array(0);
  oddStart: Uint32Array = new Uint32Array(0);
  oddEnd: Uint32Array = new Uint32Array(0);
  numLines = 0;
  numOdd = 0;
  topicStart = 0;
  topicEnd = 0;
  tagStart = 0;
  tagEnd = 0;
  position = 0;
  recordsSeen = 0;
  linesSeen = 0;
  /** Where the line after the last comment starts: only there does the `single` rule ask what came before. */
  protected commentEnd = -1;

  abstract scan(end: number): number;
  abstract reserve(numBytes: number): void;
  abstract reserveLines(numLines: number): void;

  startTopic(): void {
    this.numLines = 0;
    this.numOdd = 0;
  }

  startFile(): void {
    this.startTopic();
    this.position = 0;
    this.recordsSeen = 0;
    this.linesSeen = 0;
    this.topicStart = 0;
    this.topicEnd = 0;
    this.tagStart = 0;
    this.tagEnd = 0;
    this.commentEnd = -1;
  }

  skipLine(end: number): boolean {
    // what lies behind the end may be long, and is none of ours
    const length = this.bytes.subarray(this.position, end).indexOf(LF);
    if (length < 0) return false;
    this.position += length + 1;
    this.recordsSeen++;
    this.linesSeen++;
    return true;
  }

  discardBefore(offset: number, end: number): number {
    if (offset === 0) return end;
    this.bytes.copyWithin(0, offset, end);
    for (const column of [this.docStart, this.docEnd, ...this.keptStart, ...this.keptEnd]) moveDown(column, this.numLines, offset);
    moveDown(this.oddStart, this.numOdd, offset);
    moveDown(this.oddEnd, this.numOdd, offset);
    this.topicStart -= offset;
    this.topicEnd -= offset;
    this.tagStart -= offset;
    this.tagEnd -= offset;
    this.commentEnd -= offset;
    this.position -= offset;
    return end - offset;
  }
}

function moveDown(column: Uint32Array, length: number, offset: number): void {
  for (let i = 0; i < length; i++) column[i] -= offset;
}

/** What a text calls for that has no line ends, or more lines of one topic than memory holds. */
export function outOfMemory(numBytes: number): InputError {
  return new InputError({
    message: `one topic, or one line, takes ${numBytes} bytes or more, which do not fit into memory`,
    wayOut: 'check that this is a text file with one record per line',
  });
}

/** Throws on a layout no scanner can follow. Layouts are written by programmers, not users, hence no InputError. */
export function checkLayout(layout: LineLayout): void {
  const named = [layout.topic ?? 0, layout.doc, layout.number, layout.tag ?? 0, ...(layout.kept ?? [])];
  if (!(layout.fields >= 1 && layout.fields <= 16)) throw new RangeError(`invalid number of fields: ${layout.fields}`);
  for (const field of named) {
    if (!(Number.isInteger(field) && field >= 0 && field < layout.fields)) throw new RangeError(`no such field: ${field}`);
  }
  if (named.length > 6) throw new RangeError('at most two fields can be kept');
}
