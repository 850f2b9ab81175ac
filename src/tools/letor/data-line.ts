import type { LineGrammar } from '../../conventions/letor-scripts.js';
import { isWhite } from '../../core/text.js';

const QID = [32, 113, 105, 100, 58]; // ' qid:'

/** Where the parts of one data line are. Each reading overwrites the last. */
export class DataLine {
  /** The label as a number if it is one digit, otherwise -1: no script knows a longer one. */
  label = -1;
  queryStart = 0;
  queryEnd = 0;
  keyStart = 0;
  keyEnd = 0;
  private readonly endings: readonly (readonly number[])[];

  constructor(grammar: LineGrammar) {
    this.endings = grammar.endings.map((text) => Array.from(text, (letter) => letter.charCodeAt(0)));
  }

  /** Reads bytes[start..end), a line without its end; false if it is none of this grammar. */
  read(bytes: Uint8Array, start: number, end: number): boolean {
    let i = start;
    while (i < end && bytes[i] >= 48 && bytes[i] <= 57) i++;
    if (i === start) return false;
    this.label = i - start === 1 ? bytes[start] - 48 : -1;
    for (const letter of QID) if (i >= end || bytes[i++] !== letter) return false;
    this.queryStart = i;
    while (i < end && !isWhite(bytes[i])) i++;
    this.queryEnd = i;
    return this.readEndings(bytes, end) && this.queryEnd > this.queryStart;
  }

  /** From the right, because a run without white space after a word that ends in a space can only begin in one place. */
  private readEndings(bytes: Uint8Array, end: number): boolean {
    let right = end;
    for (const word of this.endings) {
      let left = right;
      while (left > this.queryStart && !isWhite(bytes[left - 1])) left--;
      if (left === right || left - word.length < this.queryStart) return false;
      this.keyStart = left;
      this.keyEnd = right;
      right = left - word.length;
      for (let i = 0; i < word.length; i++) if (bytes[right + i] !== word[i]) return false;
    }
    // the query id may run into what follows; then it ends where that begins
    if (right < this.queryEnd) this.queryEnd = right;
    return true;
  }
}
