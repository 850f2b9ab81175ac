import { scratchFor } from './growing-arrays.js';
import { hashText } from './hash.js';
import { equalIds, type Ids, IdTable } from './ids.js';
import type { Run } from './run.js';
import { compareBytes, compareTexts, equalBytes, isTextOf } from './text.js';
import type { TextRun } from './text-run.js';

/** The lines of one topic of a run, wherever they are kept: their scores, the hashes of their document ids, and how to
 *  compare these ids. Comparing is called only where hashes or scores are equal. */
export interface TopicLines {
  readonly numLines: number;
  /** The score of line i is scores[scoreStart + i]. */
  readonly scores: Float64Array;
  readonly scoreStart: number;
  readonly docHash: Uint32Array;
  /** What the input says about the rank of line i, at ranks[scoreStart + i], where it says anything. */
  readonly ranks?: Float64Array | undefined;
  sameDoc(lineA: number, lineB: number): boolean;
  /** True if the line's document is this one of the judgements'. */
  isJudgedDoc(line: number, docs: Ids, doc: number): boolean;
  /** Byte order of the document ids. */
  compareDocs(lineA: number, lineB: number): number;
}

/** The lines of a topic in a run that is in memory. */
export class RunTopicLines implements TopicLines {
  readonly scores: Float64Array;
  readonly ranks: Float64Array | undefined;
  scoreStart = 0;
  numLines = 0;
  docHash: Uint32Array = new Uint32Array(0);
  private readonly run: Run;

  constructor(run: Run) {
    this.run = run;
    this.scores = run.scores;
    this.ranks = run.ranks;
  }

  /** Moves to the rows `from` to `to`. */
  moveTo(from: number, to: number): void {
    const { docOf, docs } = this.run;
    this.scoreStart = from;
    this.numLines = to - from;
    this.docHash = scratchFor(this.docHash, this.numLines);
    const { docHash } = this;
    const { hashes } = docs;
    for (let line = 0; line < this.numLines; line++) docHash[line] = hashes[docOf[from + line]];
  }

  private docAt(line: number): number {
    return this.run.docOf[this.scoreStart + line];
  }

  /** The document of a line, for messages. */
  docOf(line: number): { readonly docs: Ids; readonly doc: number } {
    return { docs: this.run.docs, doc: this.docAt(line) };
  }

  sameDoc(lineA: number, lineB: number): boolean {
    return this.docAt(lineA) === this.docAt(lineB);
  }

  isJudgedDoc(line: number, docs: Ids, doc: number): boolean {
    return equalIds(this.run.docs, this.docAt(line), docs, doc);
  }

  compareDocs(lineA: number, lineB: number): number {
    const { bytes, offsets } = this.run.docs;
    const a = this.docAt(lineA);
    const b = this.docAt(lineB);
    return compareBytes(bytes, offsets[a], offsets[a + 1], bytes, offsets[b], offsets[b + 1]);
  }
}

/** The lines of a topic in a run of texts. */
export class TextTopicLines implements TopicLines {
  scores: Float64Array = new Float64Array(0);
  ranks: Float64Array | undefined;
  scoreStart = 0;
  numLines = 0;
  docHash: Uint32Array = new Uint32Array(0);
  private docs: readonly string[] = [];

  /** Goes on with another run, in the same space. */
  show(run: TextRun): void {
    this.docs = run.docs;
    this.scores = run.scores;
    this.ranks = run.ranks;
  }

  /** Moves to the rows `from` to `to`. */
  moveTo(from: number, to: number): void {
    const { docs } = this;
    this.scoreStart = from;
    this.numLines = to - from;
    this.docHash = scratchFor(this.docHash, this.numLines);
    const { docHash } = this;
    for (let line = 0; line < this.numLines; line++) docHash[line] = hashText(docs[from + line]);
  }

  sameDoc(lineA: number, lineB: number): boolean {
    return this.docs[this.scoreStart + lineA] === this.docs[this.scoreStart + lineB];
  }

  isJudgedDoc(line: number, { bytes, offsets }: Ids, doc: number): boolean {
    return isTextOf(this.docs[this.scoreStart + line], bytes, offsets[doc], offsets[doc + 1]);
  }

  compareDocs(lineA: number, lineB: number): number {
    return compareTexts(this.docs[this.scoreStart + lineA], this.docs[this.scoreStart + lineB]);
  }

  /** The document of a line, for messages. */
  docOf(line: number): { readonly docs: Ids; readonly doc: number } {
    return { docs: IdTable.of([this.docs[this.scoreStart + line]]), doc: 0 };
  }
}

/** What a scanner of lines holds of the topic at hand: where each document id stands in the text, its hash, its score. */
export interface ScannedTopic {
  readonly bytes: Uint8Array;
  readonly docStart: Uint32Array;
  readonly docEnd: Uint32Array;
  readonly docHash: Uint32Array;
  readonly numbers: Float64Array;
  readonly numLines: number;
}

/** The lines of a topic as they stand in the text, to be judged before the text is gone. */
export class ScannedTopicLines implements TopicLines {
  readonly scoreStart: number = 0;
  private readonly scanned: ScannedTopic;

  constructor(scanned: ScannedTopic) {
    this.scanned = scanned;
  }

  get numLines(): number {
    return this.scanned.numLines;
  }

  get scores(): Float64Array {
    return this.scanned.numbers;
  }

  get docHash(): Uint32Array {
    return this.scanned.docHash;
  }

  sameDoc(lineA: number, lineB: number): boolean {
    const { bytes, docStart, docEnd } = this.scanned;
    return equalBytes(bytes, docStart[lineA], docEnd[lineA], bytes, docStart[lineB], docEnd[lineB]);
  }

  isJudgedDoc(line: number, docs: Ids, doc: number): boolean {
    const { bytes, docStart, docEnd } = this.scanned;
    return equalBytes(bytes, docStart[line], docEnd[line], docs.bytes, docs.offsets[doc], docs.offsets[doc + 1]);
  }

  compareDocs(lineA: number, lineB: number): number {
    const { bytes, docStart, docEnd } = this.scanned;
    return compareBytes(bytes, docStart[lineA], docEnd[lineA], bytes, docStart[lineB], docEnd[lineB]);
  }
}

/** Of a topic that the run does not answer. */
export const noLines: TopicLines = {
  numLines: 0,
  scores: new Float64Array(0),
  scoreStart: 0,
  docHash: new Uint32Array(0),
  sameDoc: () => false,
  isJudgedDoc: () => false,
  compareDocs: () => 0,
};

/** The first line whose document has this id, or -1. */
export function lineOf(lines: TopicLines, ids: IdTable, id: number): number {
  const hash = ids.hashes[id];
  for (let line = 0; line < lines.numLines; line++) {
    if (lines.docHash[line] === hash && lines.isJudgedDoc(line, ids, id)) return line;
  }
  return -1;
}

/** The lines of a topic but for one of them, those after it one place up. */
export class LinesWithout implements TopicLines {
  readonly scoreStart: number = 0;
  readonly numLines: number;
  readonly scores: Float64Array;
  readonly docHash: Uint32Array;
  readonly ranks: Float64Array | undefined;
  private readonly given: TopicLines;
  private readonly dropped: number;

  constructor(given: TopicLines, dropped: number) {
    const { numLines, scores, scoreStart, docHash, ranks } = given;
    this.given = given;
    this.dropped = dropped;
    this.numLines = numLines - 1;
    const isKept = (_: number, line: number): boolean => line !== dropped;
    this.scores = scores.subarray(scoreStart, scoreStart + numLines).filter(isKept);
    this.docHash = docHash.subarray(0, numLines).filter(isKept);
    this.ranks = ranks?.subarray(scoreStart, scoreStart + numLines).filter(isKept);
  }

  sameDoc(lineA: number, lineB: number): boolean {
    return this.given.sameDoc(this.givenLine(lineA), this.givenLine(lineB));
  }

  isJudgedDoc(line: number, docs: Ids, doc: number): boolean {
    return this.given.isJudgedDoc(this.givenLine(line), docs, doc);
  }

  compareDocs(lineA: number, lineB: number): number {
    return this.given.compareDocs(this.givenLine(lineA), this.givenLine(lineB));
  }

  private givenLine(line: number): number {
    return line < this.dropped ? line : line + 1;
  }
}
