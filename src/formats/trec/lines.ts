import { isWhite } from '../../core/text.js';
import { addNumberProblem, type ReadingLog, SKIPS_LINES } from '../reading-log.js';
import { createLineScanner } from '../text/create-line-scanner.js';
import { parseDecimal } from '../text/decimal.js';
import { CHECK_TEXT, LineLengths, tooLong } from '../text/line-lengths.js';
import { type LineLayout, type LineScanner, resolveOddNumbers, SCAN_BAD, SCAN_END, SCAN_TOPIC } from '../text/line-scanner.js';
import type { TopicRows } from '../topic-rows.js';

const LF = 10;
/** Text is scanned in pieces of this many bytes: large enough to make the calls cheap, small enough to stay in cache. */
const PIECE = 1 << 18;

/** A line-oriented format as Gradus reads it, as opposed to any tool. */
export interface StrictLayout extends LineLayout {
  /** The fields of a line, for messages. */
  readonly shape: string;
  /** What to tell someone whose lines have so many fields. */
  readonly likely?: Readonly<Record<number, string>> | undefined;
}

/** Exactly the fields of the format on each line, numbers of any kind, comments and blank lines anywhere. */
export const strictLines: Pick<LineLayout, 'exact' | 'integers' | 'blankIsBad' | 'comments'> = {
  exact: true,
  integers: false,
  blankIsBad: false,
  comments: 'any',
};

/** Lines that a scanner has collected: all of one topic, or, where topics are scattered, of any. */
export class ScannedLines {
  scanner: LineScanner;
  /** Which of the kept columns says where the topic of each line stands; undefined where all are of one. */
  topicColumn: number | undefined;
  /** Whether they stand one directly after the other, with no blank lines or comments between. */
  consecutive = true;
  private firstLine = 0;
  /** Where line ends have been counted up to, and what came of it. */
  private countedTo = 0;
  private countedLine = 0;

  constructor(scanner: LineScanner) {
    this.scanner = scanner;
  }

  /** Where the topic of the scanner's line i begins and ends. */
  topicStart(i: number): number {
    return this.topicColumn === undefined ? this.scanner.topicStart : this.scanner.keptStart[this.topicColumn][i];
  }

  topicEnd(i: number): number {
    return this.topicColumn === undefined ? this.scanner.topicEnd : this.scanner.keptEnd[this.topicColumn][i];
  }

  /** Describes the lines that were found in the text from `start` on, which begins with this line of the file. */
  describe(start: number, firstLine: number): void {
    this.consecutive = this.scanner.linesSeen + 1 - firstLine === this.scanner.numLines;
    this.firstLine = firstLine;
    this.countedTo = start;
    this.countedLine = firstLine;
  }

  /** The line in the file on which the scanner's line i stands; to be asked in ascending order. */
  lineOf(i: number): number {
    if (this.consecutive) return this.firstLine + i;
    const { bytes, docStart } = this.scanner;
    for (; this.countedTo < docStart[i]; this.countedTo++) if (bytes[this.countedTo] === LF) this.countedLine++;
    return this.countedLine;
  }
}

/** After so many stretches of one topic they are looked at; shorter than this on average, they are not worth a call each. */
const STRETCHES_SEEN = 64;
const SHORT_STRETCH = 4;
/** How many fields of every line a scanner can keep. */
const MOST_KEPT = 2;

/** Feeds a scanner with chunks of a file and hands the lines on as soon as they are scanned, so that no more text than
 *  one piece and an unfinished line is in memory. */
export class LineFeed {
  private scanner: LineScanner;
  private readonly lines: ScannedLines;
  private readonly layout: StrictLayout;
  private readonly log: ReadingLog;
  private readonly take: (lines: ScannedLines) => void;
  private readonly lengths: LineLengths = new LineLengths();
  private end = 0;
  /** The first NUL byte in the text not yet scanned, or -1. */
  private nulAt = -1;
  /** Stretches of one topic that ended where another began, and their lines. */
  private numStretches = 0;
  private numLines = 0;
  private readonly wasm: boolean | undefined;
  private readonly mixes: boolean;
  sawBytes = false;

  /** @param mixes  whether lines of any topics may be handed on together, where topics are scattered */
  constructor(layout: StrictLayout, log: ReadingLog, take: (lines: ScannedLines) => void, wasm: boolean | undefined, mixes = false) {
    this.layout = layout;
    this.log = log;
    this.take = take;
    this.wasm = wasm;
    this.mixes = mixes && layout.topic !== undefined && (layout.kept?.length ?? 0) < MOST_KEPT;
    this.scanner = createLineScanner({ ...layout, capacity: 1 << 13, lines: 1024, wasm });
    this.lines = new ScannedLines(this.scanner);
  }

  push(chunk: Uint8Array): void {
    if (chunk.length > 0) this.sawBytes = true;
    const longLine = this.lengths.firstTooLong(chunk, 0, chunk.length);
    const end = longLine < 0 ? chunk.length : longLine;
    for (let from = 0; from < end; from += PIECE) this.pushPiece(chunk.subarray(from, Math.min(end, from + PIECE)));
    if (longLine < 0) return;
    throw this.log.fatal(`${tooLong()}, expected ${this.layout.shape}`, CHECK_TEXT, this.scanner.linesSeen + 1);
  }

  finish(): void {
    // a missing last line end is supplied; one too many is a blank line
    this.pushPiece(Uint8Array.of(LF));
  }

  private pushPiece(piece: Uint8Array): void {
    const { scanner } = this;
    const needed = this.end + piece.length;
    if (needed > scanner.bytes.length) scanner.reserve(Math.max(needed, scanner.bytes.length * 2));
    scanner.bytes.set(piece, this.end);
    if (this.nulAt < 0) {
      const nul = piece.indexOf(0);
      if (nul >= 0) this.nulAt = this.end + nul;
    }
    this.end = needed;
    // looking for the end of a huge line in all of its text, piece after piece, would take for ever
    const lineEnd = piece.lastIndexOf(LF);
    if (lineEnd >= 0) this.scanLines(needed - piece.length + lineEnd + 1);
  }

  private scanLines(end: number): void {
    while (this.nulAt >= 0 && this.nulAt < end) this.scanToNul(end);
    this.scanTo(end);
    const { scanner } = this;
    const done = scanner.position;
    this.end = scanner.discardBefore(done, this.end);
    if (this.nulAt >= 0) this.nulAt -= done;
  }

  /** Scans what stands before the line with the NUL byte and steps over that line, which is complete. */
  private scanToNul(end: number): void {
    const { log } = this;
    this.scanTo(Math.max(this.scanner.position, this.scanner.bytes.lastIndexOf(LF, this.nulAt) + 1));
    const { scanner } = this;
    const line = scanner.linesSeen + 1;
    scanner.skipLine(end);
    log.add('NUL byte', line, () => `holds a NUL byte, expected text: ${this.layout.shape}`);
    const next = scanner.bytes.subarray(scanner.position, this.end).indexOf(0);
    this.nulAt = next < 0 ? -1 : scanner.position + next;
  }

  private scanTo(end: number): void {
    const { lines } = this;
    for (;;) {
      const { scanner } = this;
      const from = scanner.position;
      const firstLine = scanner.linesSeen + 1;
      const stop = scanner.scan(end);
      if (scanner.numLines > 0) {
        lines.describe(from, firstLine);
        this.take(lines);
        this.numLines += scanner.numLines;
        scanner.startTopic();
      }
      if (stop === SCAN_END) return;
      if (stop === SCAN_BAD) this.skipBadLine(end);
      if (stop !== SCAN_TOPIC || !this.mixes || ++this.numStretches % STRETCHES_SEEN !== 0) continue;
      if (this.numLines < SHORT_STRETCH * STRETCHES_SEEN) this.mixTopics();
      this.numLines = 0;
    }
  }

  /** Goes on with a scanner that does not stop at every other topic, and keeps the place of each line's topic instead. */
  private mixTopics(): void {
    const { scanner, layout, lines, wasm } = this;
    const kept = [...(layout.kept ?? []), layout.topic ?? 0];
    const mixed = createLineScanner({ ...layout, topic: undefined, kept, capacity: scanner.bytes.length, lines: 1024, wasm });
    mixed.bytes.set(scanner.bytes.subarray(0, this.end));
    mixed.position = scanner.position;
    mixed.linesSeen = scanner.linesSeen;
    this.scanner = mixed;
    lines.scanner = mixed;
    lines.topicColumn = kept.length - 1;
  }

  private skipBadLine(end: number): void {
    const { scanner, layout, log } = this;
    const { position } = scanner;
    const line = scanner.linesSeen + 1;
    scanner.skipLine(end);
    const found = countFields(scanner.bytes, position, scanner.position);
    log.add(
      'wrong number of fields',
      line,
      () => `expected ${layout.fields} fields (${layout.shape}), found ${found}`,
      layout.likely?.[found] ?? SKIPS_LINES,
    );
  }
}

/** Makes rows of scanned lines. Lines whose number cannot be read go to the log.
 *  @param what What the number is, for messages.
 *  @param keep Keeps further fields of line i, which becomes the next row; false if they cannot be read. */
export function addLines(
  lines: ScannedLines,
  rows: TopicRows,
  log: ReadingLog,
  what: string,
  keep?: (i: number, line: number) => boolean,
): void {
  const { scanner, consecutive } = lines;
  const allNumbers = readOddNumbers(scanner);
  const { bytes, docStart, docEnd, docHash, numbers, numLines } = scanner;
  if (consecutive && allNumbers && keep === undefined) {
    rows.lines.set(rows.numRows, lines.lineOf(0));
    if (lines.topicColumn === undefined) {
      rows.addColumns(rows.topics.internBytes(bytes, scanner.topicStart, scanner.topicEnd), scanner);
    } else rows.addMixed(scanner, scanner.keptStart[lines.topicColumn], scanner.keptEnd[lines.topicColumn]);
    return;
  }
  const addOddProblem = oddProblems(log, what, scanner);
  for (let i = 0; i < numLines; i++) {
    const line = lines.lineOf(i);
    if (!Number.isFinite(numbers[i])) {
      addOddProblem(i, line);
      continue;
    }
    if (keep !== undefined && !keep(i, line)) continue;
    // only now, so that a topic of nothing but bad lines does not come into being
    const topic = rows.internTopic(bytes, lines.topicStart(i), lines.topicEnd(i));
    rows.lines.set(rows.numRows, line);
    rows.add(topic, rows.docs.internHashed(bytes, docStart[i], docEnd[i], docHash[i]), numbers[i]);
  }
}

/** Reads the numbers that the scanner left to its caller; false if one of them is not a finite number. */
export function readOddNumbers(scanner: LineScanner): boolean {
  const { numOdd, odd, numbers } = scanner;
  if (numOdd === 0) return true;
  resolveOddNumbers(scanner, parseDecimal);
  for (let k = 0; k < numOdd; k++) if (!Number.isFinite(numbers[odd[k]])) return false;
  return true;
}

/** Tells the log of lines that have no number, or not a finite one; to be called for ascending lines i. */
export function oddProblems(
  log: ReadingLog,
  what: string,
  { bytes, odd, oddStart, oddEnd }: LineScanner,
): (i: number, line: number) => void {
  let k = 0;
  return (i, line) => {
    while (odd[k] < i) k++;
    addNumberProblem(log, line, what, bytes, oddStart[k], oddEnd[k]);
  };
}

function countFields(bytes: Uint8Array, start: number, end: number): number {
  let fields = 0;
  let inField = false;
  for (let i = start; i < end; i++) {
    const byte = bytes[i];
    const white = isWhite(byte);
    if (!white && !inField) fields++;
    inField = !white;
  }
  return fields;
}
