import { limits } from '../../core/limits.js';

const LF = 10;

/** Watches over the length of lines while a text comes in pieces. It looks at little more than one byte per line of the longest
 *  length that is allowed, so it costs next to nothing. */
export class LineLengths {
  /** How much has come of the line that the last piece left unfinished. */
  private begun = 0;

  /** Where in the next piece, bytes[start..end), the first line begins that is longer than allowed, `start` for one that began in
   *  an earlier piece; -1 if there is none. */
  firstTooLong(bytes: Uint8Array, start: number, end: number): number {
    const { lineBytes } = limits;
    let from = start;
    let most = lineBytes - this.begun;
    while (end - from > most) {
      // of all lines that end in time the last will do, for those before it are shorter still
      const lineEnd = bytes.lastIndexOf(LF, from + most);
      if (lineEnd < from) return from;
      from = lineEnd + 1;
      most = lineBytes;
    }
    const lastLineEnd = end > start ? bytes.lastIndexOf(LF, end - 1) : -1;
    this.begun = lastLineEnd >= from ? end - 1 - lastLineEnd : lineBytes - most + end - from;
    return -1;
  }
}

/** What to do about a line that is too long. */
export const CHECK_TEXT = 'check that this is a text file with one record per line';

/** What is wrong with such a line. */
export function tooLong(): string {
  return `is longer than ${limits.lineBytes} bytes`;
}
