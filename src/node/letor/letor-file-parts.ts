import { readSync } from 'node:fs';
import { limits } from '../../core/limits.js';
import { SHARED_PARTS_WORDS, SharedParts } from '../../core/shared-parts.js';
import { nameWords, type SharedWord } from '../../core/shared-words.js';
import { LetorLines } from '../../formats/letor/lines.js';
import type { LetorOptions } from '../../formats/letor/options.js';
import { type FeatureRoom, type LetorPart, partOf, valuesOf } from '../../formats/letor/parts.js';
import { createLetorRowKernel } from '../../formats/letor/row.js';
import { LineLengths, tooLong } from '../../formats/text/line-lengths.js';
import { tellRead } from '../reading-watch.js';

const LF = 10;

/** A feature file divided into parts of equal size. Plain data: threads of one process can use the same open file. */
export interface DividedFile {
  readonly file: number;
  /** Where the text begins and where the file ends. */
  readonly textStart: number;
  readonly size: number;
  readonly partBytes: number;
}

/** What a thread needs to read parts along with others. */
export interface PartTask {
  readonly source: DividedFile;
  readonly options: LetorOptions;
  /** What `partControl` names the words of. */
  readonly control: Int32Array;
  /** How many values have been placed in the room; only for the thread whose turn it is. */
  readonly numPlaced: Float64Array;
  readonly room: FeatureRoom;
}

/** Tells whoever watches how far a file has been read by all threads: parts are taken in their order. */
export class PartProgress {
  private readonly source: DividedFile;
  private numTold = 0;

  constructor(source: DividedFile) {
    this.source = source;
  }

  /** This part was taken, and those before it. */
  took(part: number): void {
    const { textStart, size, partBytes } = this.source;
    const numBytes = Math.min(size - textStart, (part + 1) * partBytes);
    if (numBytes > this.numTold) tellRead(numBytes - this.numTold);
    this.numTold = Math.max(this.numTold, numBytes);
  }
}

/** What threads agree by: which parts are taken, and the part whose values are to be placed next. */
export interface PartControl {
  readonly parts: SharedParts;
  readonly turn: SharedWord;
}

/** Memory for that, in which nothing is taken yet. */
export function partControlWords(): Int32Array {
  // fits: numbers of parts of some MiB each, and flags
  return new Int32Array(new SharedArrayBuffer((SHARED_PARTS_WORDS + 1) * 4));
}

/** The words by which threads that read one file agree whose turn it is. */
export function partControl(words: Int32Array): PartControl {
  return { parts: new SharedParts(words), ...nameWords(words, ['turn'], SHARED_PARTS_WORDS) };
}

/** The turn when a thread has failed: nobody's. */
const NOBODY = -1;

/** The parts that one thread has read, by their parts. */
export type NumberedParts = [part: number, part: LetorPart][];

/** How many parts the text of a file is divided into. */
export function numParts({ textStart, size, partBytes }: DividedFile): number {
  return Math.ceil((size - textStart) / partBytes);
}

/** What is read at a time, while the end of a line is looked for in the bytes behind these. */
function readAhead(numBytes: number): number {
  return Math.max(4096, numBytes >>> 6);
}

/** Reads the lines that begin in a part: a line belongs to the part where it begins, however far it reaches. */
export class PartParser {
  readonly lines: LetorLines;
  private readonly source: DividedFile;
  /** Room for a part and the end of a line of usual length; longer ones get other room, where the kernel cannot read. */
  private readonly usualRoom: Uint8Array;
  private bytes: Uint8Array;

  constructor(source: DividedFile, options: LetorOptions) {
    this.source = source;
    const length = source.partBytes + 2 * readAhead(source.partBytes);
    const kernel = createLetorRowKernel(length, options.firstFeature ?? 1);
    this.lines = new LetorLines(options, kernel);
    this.usualRoom = kernel?.text ?? new Uint8Array(length);
    this.bytes = this.usualRoom;
  }

  parse(part: number): LetorLines {
    const { lines } = this;
    const { textStart, size, partBytes } = this.source;
    lines.reset();
    this.bytes = this.usualRoom;
    const begin = textStart + part * partBytes;
    // the byte before tells whether a line begins with the part
    const from = part === 0 ? begin : begin - 1;
    let length = this.read(0, from, Math.min(begin + partBytes, size));
    const start = part === 0 ? 0 : this.bytes.subarray(0, length).indexOf(LF) + 1;
    if (start === length || (start === 0 && part > 0)) return lines;
    const lastLine = this.bytes.subarray(0, length).lastIndexOf(LF) + 1;
    while (this.bytes[length - 1] !== LF && length - lastLine <= limits.lineBytes) {
      const more = this.read(length, from + length, Math.min(from + length + readAhead(length), size));
      const lineEnd = this.bytes.subarray(length, length + more).indexOf(LF);
      length += lineEnd < 0 ? more : lineEnd + 1;
      // the last line need not have an end
      if (more === 0) this.bytes[length++] = LF;
    }
    // whoever reads the lines in order can say which one it is
    if (new LineLengths().firstTooLong(this.bytes, start, length) >= 0) throw new RangeError(`a line ${tooLong()}`);
    lines.parseLines(this.bytes, start, length);
    return lines;
  }

  /** Reads from..to of the file to this place; tells how many bytes there were, fewer only at the end of the file. */
  private read(at: number, from: number, to: number): number {
    const wanted = to - from;
    // one byte more, for an end of line that the file may lack
    if (at + wanted + 1 > this.bytes.length) {
      const larger = new Uint8Array(Math.max(at + wanted + 1, this.bytes.length * 2));
      larger.set(this.bytes.subarray(0, at));
      this.bytes = larger;
    }
    let length = 0;
    while (length < wanted) {
      const numRead = readSync(this.source.file, this.bytes, at + length, wanted - length, from + length);
      if (numRead === 0) break;
      length += numRead;
    }
    return length;
  }
}

/** Whether it is the turn of a part, for which this waits so many milliseconds, or until the turn changes.
 *  @throws if another thread has failed, because the turn would never come */
export function isTurnOf(part: number, { turn }: Pick<PartControl, 'turn'>, milliseconds?: number): boolean {
  const current = turn.load();
  if (current === NOBODY) throw new Error('a thread that reads other lines has failed');
  if (current === part) return true;
  turn.waitWhile(current, milliseconds);
  return false;
}

/** Puts the values of a part, whose turn it must be, behind those of the parts before. Where there is no room left they are
 *  kept apart, and so are those of all parts that follow. */
export function placePart(
  part: number,
  lines: LetorLines,
  { numPlaced, room }: Pick<PartTask, 'numPlaced' | 'room'>,
  { turn }: Pick<PartControl, 'turn'>,
): LetorPart {
  const { values, columns } = valuesOf(lines);
  const from = numPlaced[0];
  const fits = from + values.length <= room.values.length;
  numPlaced[0] = fits ? from + values.length : Number.POSITIVE_INFINITY;
  turn.replace(part, part + 1);
  turn.notify();
  if (!fits) return partOf(lines, false);
  room.values.set(values, from);
  if (columns !== undefined) room.columns.set(columns, from);
  return partOf(lines, true);
}

/** Lets the others know that there is nothing more to wait for. */
export function giveUp({ parts, turn }: PartControl): void {
  parts.stop();
  turn.store(NOBODY);
  turn.notify();
}
