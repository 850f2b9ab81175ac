import { type LineScanner, SCAN_BAD, SCAN_END, SCAN_FULL, SCAN_TOPIC } from './line-scanner.js';

/** Bytes to be had in order, at once: a file that is read part by part, or memory. */
export interface ByteSource {
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

/** Takes a line-oriented file apart into stretches of lines with the same topic. Only the stretch at hand is in memory. */
export class TopicStream {
  readonly scanner: LineScanner;
  private readonly source: ByteSource;
  private readonly chunk: number;
  private end = 0;
  private finished = false;
  /** Bytes of the whole input that lie before bytes[0]. */
  private dropped: number;
  /** Called with each part of the text before it is scanned; false makes the stream bad. */
  private readonly accept: ((bytes: Uint8Array, from: number, to: number) => boolean) | undefined;

  constructor(
    scanner: LineScanner,
    source: ByteSource,
    chunk: number,
    offset = 0,
    accept?: (bytes: Uint8Array, from: number, to: number) => boolean,
  ) {
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
      switch (scanner.scan(this.end)) {
        case SCAN_TOPIC:
          return TOPIC_DONE;
        case SCAN_FULL:
          scanner.reserveLines(scanner.docStart.length * 2);
          break;
        case SCAN_BAD:
          return STREAM_BAD;
        case SCAN_END:
          if (this.finished) return scanner.numLines > 0 ? TOPIC_LAST : STREAM_END;
          if (!this.fill()) return STREAM_BAD;
          break;
      }
    }
  }

  /** Makes room behind the lines still needed, and reads on. */
  private fill(): boolean {
    const { scanner } = this;
    const needed = scanner.numLines > 0 ? scanner.topicStart : scanner.position;
    if (needed > 0) {
      this.dropped += needed;
      this.end = scanner.discardBefore(needed, this.end);
    }
    // one byte more, for a line end that the file may lack
    if (scanner.bytes.length < this.end + this.chunk + 1) scanner.reserve(Math.max(this.end + this.chunk + 1, scanner.bytes.length * 2));
    const read = this.source.read(scanner.bytes, this.end, this.chunk);
    if (read > 0) {
      this.end += read;
      return this.accept === undefined || this.accept(scanner.bytes, this.end - read, this.end);
    }
    this.finished = true;
    if (scanner.position < this.end && scanner.bytes[this.end - 1] !== 10) scanner.bytes[this.end++] = 10;
    return true;
  }
}
