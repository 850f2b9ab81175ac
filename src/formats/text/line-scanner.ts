/** Where the fields of a line-oriented format stand. Fields are counted from 0 and parted by white space: space, TAB, VT,
 *  FF and CR. LF alone ends a line. */
export interface LineLayout {
  /** Field with the topic id; undefined where lines are collected whatever their topics are. */
  readonly topic: number | undefined;
  /** Field with the document id. */
  readonly doc: number;
  /** Field with the score or level. */
  readonly number: number;
  /** Field whose place is remembered for the last line only, such as the run tag. */
  readonly tag?: number | undefined;
  /** Further fields whose place is remembered for every line, such as judgment groups; at most two. */
  readonly kept?: readonly number[] | undefined;
  /** Number of fields a line must have, at most 16. */
  readonly fields: number;
  /** Whether a line with more fields is bad; otherwise the further fields are ignored. */
  readonly exact: boolean;
  /** Whether the number is a C integer, so that `1.9` and `2e3` are left to the caller; otherwise any decimal is read. */
  readonly integers: boolean;
  /** Whether a line of white space only stops the scan as a bad line; otherwise it is skipped. */
  readonly blankIsBad: boolean;
  /** Which lines are comments. `any`: those whose first non-white byte is `#`. `single`: those whose first byte is `#`,
   *  except directly after another comment, where `#` is data (trec_eval 10.0 reads relevance files so). */
  readonly comments: 'none' | 'any' | 'single';
}

/** A run: topic, ignored, document, ignored, score, tag. */
export const runLines: LineLayout = {
  topic: 0,
  doc: 2,
  number: 4,
  tag: 5,
  fields: 6,
  exact: false,
  integers: false,
  blankIsBad: false,
  comments: 'none',
};

/** Judgments: topic, group or ignored, document, level. */
export const qrelsLines: LineLayout = {
  topic: 0,
  doc: 2,
  number: 3,
  fields: 4,
  exact: true,
  integers: true,
  blankIsBad: true,
  comments: 'none',
};

/** Preferences: topic, group, sub-group, document, level. */
export const prefsLines: LineLayout = { ...qrelsLines, kept: [1, 2], doc: 3, number: 4, fields: 5, integers: false };

/** What lines look like, and how much room a scanner makes for them. */
export interface LineScannerOptions extends LineLayout {
  /** Bytes of text to make room for at first. */
  readonly capacity?: number | undefined;
  /** Lines per topic to make room for at first. */
  readonly lines?: number | undefined;
  /** false forces the TypeScript scanner; true insists on WebAssembly; otherwise the faster one that runs here. */
  readonly wasm?: boolean | undefined;
}

/** No complete line is left before the end; `position` is the start of the unfinished line. */
export const SCAN_END = 0;
/** The line at `position` belongs to another topic than the lines collected; it is not consumed. */
export const SCAN_TOPIC = 1;
/** The columns are full; `reserveLines` or `startTopic` makes room. */
export const SCAN_FULL = 2;
/** The line at `position` has the wrong number of fields; it is not consumed. */
export const SCAN_BAD = 3;

/** Collects the lines of one topic after another into columns. Text is put into `bytes`, `scan` is called until it
 *  returns `SCAN_END`, and then the finished part of the text is discarded and more is added:
 *
 *  - every offset (`docStart`, `topicStart`, …) counts from the start of `bytes`, whose earlier content must stay in
 *    place until the topic is done; `discardBefore` moves the text and the offsets together;
 *  - `reserve` and `reserveLines` replace the arrays, so do not hold on to them;
 *  - at the end of a file that lacks its last LF the caller adds one. */
export interface LineScanner {
  /** The text; what lies behind the `end` given to `scan` may be anything. */
  readonly bytes: Uint8Array;
  readonly docStart: Uint32Array;
  readonly docEnd: Uint32Array;
  /** `hashBytes` of the document id. */
  readonly docHash: Uint32Array;
  /** Scores or levels; NaN on odd lines. */
  readonly numbers: Float64Array;
  /** One column for each entry of the layout's `kept`. */
  readonly keptStart: readonly Uint32Array[];
  readonly keptEnd: readonly Uint32Array[];
  /** Lines collected for the current topic. */
  readonly numLines: number;
  /** Where the id of the current topic stands; meaningful once a line is collected. */
  readonly topicStart: number;
  readonly topicEnd: number;
  /** Where the tag of the last line collected stands. */
  readonly tagStart: number;
  readonly tagEnd: number;
  /** Odd lines are those whose number was not read here: not a plain decimal (or short integer), or not finite. */
  readonly numOdd: number;
  /** Lines, as indices into the columns, in ascending order. */
  readonly odd: Uint32Array;
  /** Where the number stands on the odd lines. */
  readonly oddStart: Uint32Array;
  readonly oddEnd: Uint32Array;
  /** Where `scan` goes on. */
  position: number;
  /** Data lines consumed since creation; blank lines and comments do not count. */
  readonly recordsSeen: number;
  /** Lines of any kind consumed since creation; may be set, to go on where another scanner has stopped. */
  linesSeen: number;

  /** Collects lines from `position` on and before `end`, until something needs the caller: `SCAN_END`, `SCAN_TOPIC`,
   *  `SCAN_FULL` or `SCAN_BAD`. */
  scan(end: number): number;
  /** Forgets the lines collected. */
  startTopic(): void;
  /** Forgets everything but the room reserved: the next file starts at position 0, with all counts at 0. */
  startFile(): void;
  /** Steps over the line at `position`, such as a bad one, and counts it as a record. Returns false, and does nothing, if the line is not complete. */
  skipLine(end: number): boolean;
  /** Moves bytes[offset..end) to the start of `bytes` and all offsets with them; returns the new end. */
  discardBefore(offset: number, end: number): number;
  /** Makes room for at least this many bytes, keeping the content. */
  reserve(numBytes: number): void;
  /** Makes room for at least this many lines per topic, keeping those collected. */
  reserveLines(numLines: number): void;
}

/** Fills in the numbers of the odd lines of the current topic, with the caller's reading of them. */
export function resolveOddNumbers(scanner: LineScanner, parse: (bytes: Uint8Array, start: number, end: number) => number): void {
  const { bytes, numbers, odd, oddStart, oddEnd, numOdd } = scanner;
  for (let k = 0; k < numOdd; k++) numbers[odd[k]] = parse(bytes, oddStart[k], oddEnd[k]);
}
