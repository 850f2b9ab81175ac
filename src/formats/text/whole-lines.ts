import { lengthened } from '../../core/growing-arrays.js';
import { LineLengths, tooLong } from './line-lengths.js';

const LF = 10;

/** Cuts a text that comes in pieces into whole lines. What is handed on ends with a LF; so does the last line, whether it
 *  had one or not. Complete lines are handed on where they are, only those that two pieces share are copied. */
export class WholeLines {
  sawBytes = false;
  private readonly lengths: LineLengths = new LineLengths();
  private readonly tooLong: (message: string) => Error;
  private readonly take: (bytes: Uint8Array, start: number, end: number) => void;
  /** A line of which only the beginning has come. */
  private begun: Uint8Array = new Uint8Array(0);
  private begunLength = 0;

  /** @param take     takes whole lines
   *  @param tooLong  makes an error for the line after those that have been taken, which is longer than allowed */
  constructor(take: (bytes: Uint8Array, start: number, end: number) => void, tooLong: (message: string) => Error) {
    this.take = take;
    this.tooLong = tooLong;
  }

  push(bytes: Uint8Array): void {
    const longLine = this.lengths.firstTooLong(bytes, 0, bytes.length);
    this.pushAllowed(longLine < 0 ? bytes : bytes.subarray(0, longLine));
    if (longLine >= 0) throw this.tooLong(tooLong());
  }

  private pushAllowed(bytes: Uint8Array): void {
    const end = bytes.length;
    if (end === 0) return;
    this.sawBytes = true;
    let from = 0;
    if (this.begunLength > 0) {
      const lineEnd = bytes.indexOf(LF);
      from = lineEnd < 0 ? end : lineEnd + 1;
      this.keep(bytes, 0, from);
      if (lineEnd < 0) return;
      this.takeBegun();
    }
    const lastLineEnd = bytes.lastIndexOf(LF);
    if (lastLineEnd >= from) this.take(bytes, from, lastLineEnd + 1);
    if (lastLineEnd + 1 < end) this.keep(bytes, Math.max(from, lastLineEnd + 1), end);
  }

  finish(): void {
    if (this.begunLength === 0) return;
    this.keep(Uint8Array.of(LF), 0, 1);
    this.takeBegun();
  }

  private takeBegun(): void {
    const length = this.begunLength;
    this.begunLength = 0;
    this.take(this.begun, 0, length);
  }

  private keep(bytes: Uint8Array, start: number, end: number): void {
    const length = this.begunLength + (end - start);
    if (length > this.begun.length) this.begun = lengthened(this.begun, Math.max(length, 2 * this.begun.length, 4096));
    this.begun.set(bytes.subarray(start, end), this.begunLength);
    this.begunLength = length;
  }
}
