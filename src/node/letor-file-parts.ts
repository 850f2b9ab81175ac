import { readSync } from 'node:fs';
import { limits } from '../core/limits.js';
import { LetorLines } from '../formats/letor-lines.js';
import type { LetorOptions } from '../formats/letor-options.js';
import { type FeatureRoom, type LetorPart, partOf, valuesOf } from '../formats/letor-parts.js';
import { createLetorRowKernel } from '../formats/letor-row.js';
import { LineLengths, tooLong } from '../formats/line-lengths.js';

const LF = 10;

/** A feature file divided into segments of equal size. Plain data: threads of one process can use the same open file. */
export interface SegmentedFile {
  readonly file: number;
  /** Where the text begins and where the file ends. */
  readonly textStart: number;
  readonly size: number;
  readonly segmentBytes: number;
}

/** What a thread needs to read segments along with others. */
export interface SegmentTask {
  readonly source: SegmentedFile;
  readonly options: LetorOptions;
  readonly control: Int32Array;
  /** How many values have been placed in the room; only for the thread whose turn it is. */
  readonly numPlaced: Float64Array;
  readonly room: FeatureRoom;
}

/** Words of the control array: the next segment that nobody has taken; the segment whose values are to be placed next. */
export const NEXT_SEGMENT = 0;
export const TURN = 1;
export const CONTROL_WORDS = 2;
/** The turn when a thread has failed: nobody's. */
const NOBODY = -1;

/** The parts that one thread has read, by their segments. */
export type NumberedParts = [segment: number, part: LetorPart][];

export function numSegments({ textStart, size, segmentBytes }: SegmentedFile): number {
  return Math.ceil((size - textStart) / segmentBytes);
}

/** What is read at a time, while the end of a line is looked for in the bytes behind these. */
function pieceOf(numBytes: number): number {
  return Math.max(4096, numBytes >>> 6);
}

/** Reads the lines that begin in a segment: a line belongs to the segment where it begins, however far it reaches. */
export class SegmentParser {
  readonly lines: LetorLines;
  private readonly source: SegmentedFile;
  /** Room for a segment and the end of a line of usual length; longer ones get other room, where the kernel cannot read. */
  private readonly usualRoom: Uint8Array;
  private bytes: Uint8Array;

  constructor(source: SegmentedFile, options: LetorOptions) {
    this.source = source;
    const length = source.segmentBytes + 2 * pieceOf(source.segmentBytes);
    const kernel = createLetorRowKernel(length, options.firstFeature ?? 1);
    this.lines = new LetorLines(options, kernel);
    this.usualRoom = kernel?.text ?? new Uint8Array(length);
    this.bytes = this.usualRoom;
  }

  parse(segment: number): LetorLines {
    const { lines } = this;
    const { textStart, size, segmentBytes } = this.source;
    lines.reset();
    this.bytes = this.usualRoom;
    const begin = textStart + segment * segmentBytes;
    // the byte before tells whether a line begins with the segment
    const from = segment === 0 ? begin : begin - 1;
    let length = this.read(0, from, Math.min(begin + segmentBytes, size));
    const start = segment === 0 ? 0 : this.bytes.subarray(0, length).indexOf(LF) + 1;
    if (start === length || (start === 0 && segment > 0)) return lines;
    const lastLine = this.bytes.subarray(0, length).lastIndexOf(LF) + 1;
    while (this.bytes[length - 1] !== LF && length - lastLine <= limits.lineBytes) {
      const more = this.read(length, from + length, Math.min(from + length + pieceOf(length), size));
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

/** Whether it is the turn of a segment, for which this waits so many milliseconds.
 *  @throws if another thread has failed, because the turn would never come */
export function isTurnOf(segment: number, { control }: SegmentTask, milliseconds: number): boolean {
  const turn = Atomics.load(control, TURN);
  if (turn === NOBODY) throw new Error('a thread that reads other lines has failed');
  if (turn === segment) return true;
  Atomics.wait(control, TURN, turn, milliseconds);
  return false;
}

/** Puts the values of a segment, whose turn it must be, behind those of the segments before. Where there is no room left they are
 *  kept apart, and so are those of all segments that follow. */
export function placeSegment(segment: number, lines: LetorLines, { control, numPlaced, room }: SegmentTask): LetorPart {
  const { values, columns } = valuesOf(lines);
  const from = numPlaced[0];
  const fits = from + values.length <= room.values.length;
  numPlaced[0] = fits ? from + values.length : Number.POSITIVE_INFINITY;
  Atomics.compareExchange(control, TURN, segment, segment + 1);
  Atomics.notify(control, TURN);
  if (!fits) return partOf(lines, false);
  room.values.set(values, from);
  if (columns !== undefined) room.columns.set(columns, from);
  return partOf(lines, true);
}

/** Lets the others know that there is nothing more to wait for. */
export function giveUp({ control }: SegmentTask): void {
  Atomics.store(control, TURN, NOBODY);
  Atomics.notify(control, TURN);
}
