import { lengthened } from '../../core/growing-arrays.js';
import { partsOfTable } from '../../core/id-columns.js';
import { IdTable } from '../../core/ids.js';
import type { Qrels } from '../../core/qrels.js';
import { roomFor } from '../../core/room.js';
import { type ScannedTopic, ScannedTopicLines } from '../../core/topic-lines.js';
import { createLineScanner } from '../../formats/text/create-line-scanner.js';
import { type LineLayout, type LineScanner, runLines, SCAN_TOPIC } from '../../formats/text/line-scanner.js';
import { type ByteInput, STREAM_BAD, STREAM_END } from '../../formats/trec/topic-stream.js';
import type { Measure } from '../../measures/measure.js';
import { resolveOdd, runScanner, type StreamResult, type StreamWork, topicStream } from './stream-task.js';
import { TopicScores } from './topic-scores.js';

/** Scores a run whose topics are scattered over its text: the lines are noted as they come, grouped by topic in one pass, and judged in
 *  place, so that no document gets a number or a copy. The answer is undefined if some line is not right, or lists a document again. */
export function scoreScattered(work: StreamWork, measures: readonly Measure[], qrels: Qrels, text: Uint8Array): StreamResult | undefined {
  const lines = new ScatteredLines(text);
  const tag = lines.read(work);
  if (tag === undefined) return undefined;
  const { topics } = lines;
  const scores = new TopicScores(work, measures, qrels);
  for (const [topic, scanned] of lines.byTopic()) {
    const judged = qrels.topics.findBytes(topics.bytes, topics.offsets[topic], topics.offsets[topic + 1]);
    if (judged < 0 && work.grammar === 'c') continue;
    if (!scores.add(judged, new ScannedTopicLines(scanned))) return undefined;
    if (judged >= 0) work.rows.answered[work.rows.rowOf[judged]] = 1;
  }
  const none = partsOfTable(new IdTable(), (array) => array);
  return { unjudged: none, tag, numLines: lines.numLines, numParts: 1, isScattered: true };
}

/** True if the first lines show already that the topics of a file are scattered. */
export function beginsScattered(head: Uint8Array): boolean {
  const scanner = createLineScanner({ ...runLines, capacity: head.length + 1 });
  scanner.bytes.set(head);
  const topics = new IdTable();
  do {
    scanner.startTopic();
    const stop = scanner.scan(head.length);
    // the lines that follow may be of the same topic
    if (stop !== SCAN_TOPIC) return false;
    const numBefore = topics.size;
    if (topics.internBytes(scanner.bytes, scanner.topicStart, scanner.topicEnd) < numBefore) return true;
  } while (topics.size < HEAD_TOPICS);
  return false;
}

/** No more topics than this are looked at. */
const HEAD_TOPICS = 256;

/** Where the document ids of all lines stand in the text, their hashes, their scores and their topics. */
class ScatteredLines {
  readonly topics: IdTable = new IdTable(1024);
  numLines = 0;
  private readonly text: Uint8Array;
  private topicOf: Uint32Array = new Uint32Array(0); // fits: entries
  private docStart: Uint32Array = new Uint32Array(0); // fits: places in the text, which is smaller than GROUPED_BELOW
  private docEnd: Uint32Array = new Uint32Array(0); // fits: places in the text, as docStart
  private docHash: Uint32Array = new Uint32Array(0); // fits: hashes
  private numbers: Float64Array = new Float64Array(0);

  constructor(text: Uint8Array) {
    this.text = text;
  }

  /** Reads the text, and answers with the tag on its last line; undefined if it cannot be read. */
  read({ grammar, comments }: StreamWork): Uint8Array | undefined {
    const scanner = runScanner({ grammar, comments }, mixedLines);
    const stream = topicStream(scanner, memoryInput(this.text), 0, grammar, true);
    let tag = new Uint8Array(0);
    for (;;) {
      const status = stream.next();
      if (status === STREAM_END) return tag;
      if (status === STREAM_BAD || !resolveOdd(scanner, grammar)) return undefined;
      this.add(scanner, stream.offset - scanner.position);
      tag = scanner.bytes.slice(scanner.tagStart, scanner.tagEnd);
    }
  }

  /** @param base Where the scanner's bytes begin in the text. */
  private add(scanner: LineScanner, base: number): void {
    const { numLines, bytes, docStart, docEnd, docHash, numbers } = scanner;
    const [topicStart] = scanner.keptStart;
    const [topicEnd] = scanner.keptEnd;
    const from = this.numLines;
    if (from + numLines > this.topicOf.length) this.grow(base + scanner.position, numLines);
    const { topics, topicOf } = this;
    for (let line = 0; line < numLines; line++) {
      const at = from + line;
      topicOf[at] = topics.internBytes(bytes, topicStart[line], topicEnd[line]);
      this.docStart[at] = base + docStart[line];
      this.docEnd[at] = base + docEnd[line];
    }
    this.docHash.set(docHash.subarray(0, numLines), from);
    this.numbers.set(numbers.subarray(0, numLines), from);
    this.numLines = from + numLines;
  }

  /** Makes room for these lines, and for those that the rest of the text holds if they are as long.
   *  @param read  how much of the text is read */
  private grow(read: number, numLines: number): void {
    const needed = this.numLines + numLines;
    const room = roomFor(needed, Math.ceil((needed / read) * this.text.length * 1.02), 'lines');
    this.topicOf = lengthened(this.topicOf, room);
    this.docStart = lengthened(this.docStart, room);
    this.docEnd = lengthened(this.docEnd, room);
    this.docHash = lengthened(this.docHash, room);
    this.numbers = lengthened(this.numbers, room);
  }

  /** The lines of each topic together, in the order in which they stand in the text. */
  *byTopic(): Iterable<readonly [topic: number, lines: ScannedTopic]> {
    const { numLines, topicOf } = this;
    const numTopics = this.topics.size;
    const offsets = new Uint32Array(numTopics + 1); // fits: entries
    for (let line = 0; line < numLines; line++) offsets[topicOf[line] + 1]++;
    for (let topic = 0; topic < numTopics; topic++) offsets[topic + 1] += offsets[topic];
    const next = offsets.slice();
    const docStart = new Uint32Array(numLines); // fits: places in the text, as docStart above
    const docEnd = new Uint32Array(numLines); // fits: places in the text, as docStart above
    const docHash = new Uint32Array(numLines); // fits: hashes
    const numbers = new Float64Array(numLines);
    for (let line = 0; line < numLines; line++) {
      const at = next[topicOf[line]]++;
      docStart[at] = this.docStart[line];
      docEnd[at] = this.docEnd[line];
      docHash[at] = this.docHash[line];
      numbers[at] = this.numbers[line];
    }
    for (let topic = 0; topic < numTopics; topic++) {
      const from = offsets[topic];
      const to = offsets[topic + 1];
      const column = <T extends Uint32Array | Float64Array>(array: T): T => array.subarray(from, to) as T;
      const lines: ScannedTopic = {
        bytes: this.text,
        docStart: column(docStart),
        docEnd: column(docEnd),
        docHash: column(docHash),
        numbers: column(numbers),
        numLines: to - from,
      };
      yield [topic, lines];
    }
  }
}

/** Lines of a run, of any topics, with the places of their topics. */
const mixedLines: LineLayout = { ...runLines, topic: undefined, kept: [0] };

function memoryInput(text: Uint8Array): ByteInput {
  let position = 0;
  return {
    read(target, offset, length) {
      const part = text.subarray(position, position + length);
      target.set(part, offset);
      position += part.length;
      return part.length;
    },
  };
}
