import { LineLengths } from '../text/line-lengths.js';
import { type LineScanner, SCAN_BAD, SCAN_END, SCAN_FULL, SCAN_TOPIC } from '../text/line-scanner.js';

/** Bytes to be had in order, at once: a file that is read part by part, or memory. */
export interface ByteInput {
  /** Puts up to `length` bytes into target[offset …] and returns how many; 0 at the end. */
  read(target: Uint8Array, offset: number, length: number): number;
}

/** A topic's lines are complete, and others follow. */
export const TOPIC_DONE = 1;
/** The topic's lines are complete, and nothing follows. */
export const TOPIC_LAST = 2;
/** Nothing is left. */
export const STREAM_END = 0;
/** The next line cannot be read. */
export const STREAM_BAD = -1;

const LF = 10;

/** Takes a line-oriented file apart into stretches of lines with the same topic, or, where the scanner's layout names no topic, into
 *  stretches of as many lines as it has room for. Only the stretch at hand is in memory. */
export class TopicStream {
  readonly scanner: LineScanner;
  private readonly source: ByteInput;
  private readonly chunk: number;
  private end = 0;
  /** Where the last complete line ends. The scanner is shown no more, lest it look at an unfinished line again and again. */
  private linesEnd = 0;
  private finished = false;
  private readonly lengths: LineLengths = new LineLengths();
  /** Bytes of the whole input that lie before bytes[0]. */
  private dropped: number;
  /** Called with each part of the text before it is scanned; false makes the stream bad. */
  private readonly accept: ((bytes: Uint8Array, from: number, to: number) => boolean) | undefined;
  private readonly isMixed: boolean;

  /** @param isMixed  whether the scanner's layout names no topic */
  constructor(
    scanner: LineScanner,
    source: ByteInput,
    chunk: number,
    offset = 0,
    accept?: (bytes: Uint8Array, from: number, to: number) => boolean,
    isMixed = false,
  ) {
    this.isMixed = isMixed;
    this.dropped = offset;
    this.scanner = scanner;
    this.source = source;
    this.chunk = chunk;
    this.accept = accept;
  }

  /** Where the next unread line begins, counted from the start of the whole input. */
  get offset(): number {
    return this.dropped + this.scanner.position;
  }

  /** Collects the next stretch of lines in the scanner's columns. */
  next(): number {
    const { scanner } = this;
    scanner.startTopic();
    for (;;) {
      switch (scanner.scan(this.linesEnd)) {
        case SCAN_TOPIC:
          return TOPIC_DONE;
        case SCAN_FULL:
          if (this.isMixed) return TOPIC_DONE;
          scanner.reserveLines(scanner.docStart.length * 2);
          break;
        case SCAN_BAD:
          return STREAM_BAD;
        case SCAN_END:
          if (this.finished) return scanner.numLines > 0 ? TOPIC_LAST : STREAM_END;
          if (this.isMixed && scanner.numLines > 0) return TOPIC_DONE;
          if (!this.fill()) return STREAM_BAD;
          break;
      }
    }
  }

  /** Makes room behind the lines still needed, and reads on until a line is complete. False if that line cannot be read, or is too
   *  long. */
  private fill(): boolean {
    const { scanner } = this;
    const needed = scanner.numLines > 0 ? scanner.topicStart : scanner.position;
    if (needed > 0) {
      this.dropped += needed;
      this.end = scanner.discardBefore(needed, this.end);
    }
    for (;;) {
      // one byte more, for a line end that the file may lack
      const room = this.end + this.chunk + 1;
      if (scanner.bytes.length < room) scanner.reserve(Math.max(room, scanner.bytes.length * 2));
      const { bytes } = scanner;
      const from = this.end;
      const read = this.source.read(bytes, from, this.chunk);
      if (this.lengths.firstTooLong(bytes, from, from + read) >= 0) return false;
      this.end += read;
      if (read === 0) {
        this.finished = true;
        if (scanner.position < from && bytes[from - 1] !== LF) bytes[this.end++] = LF;
        this.linesEnd = this.end;
        return true;
      }
      if (this.accept !== undefined && !this.accept(bytes, from, this.end)) return false;
      const lineEnd = bytes.subarray(from, this.end).lastIndexOf(LF);
      if (lineEnd >= 0) {
        this.linesEnd = from + lineEnd + 1;
        return true;
      }
    }
  }
}
