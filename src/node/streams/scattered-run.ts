import { lengthened } from '../../core/growing-arrays.js';
import { partsOfTable } from '../../core/id-columns.js';
import { IdTable } from '../../core/ids.js';
import type { Qrels } from '../../core/qrels.js';
import { roomFor } from '../../core/room.js';
import { type ScannedTopic, ScannedTopicLines } from '../../core/topic-lines.js';
import type { LineScanner } from '../../formats/text/line-scanner.js';
import { type ByteInput, STREAM_BAD, STREAM_END, TOPIC_LAST } from '../../formats/trec/topic-stream.js';
import type { Measure } from '../../measures/measure.js';
import { resolveOdd, runScanner, type StreamResult, type StreamWork, TopicScores, topicStream } from './stream-task.js';

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
  }
  const none = partsOfTable(new IdTable(), (array) => array);
  return { ...scores.result(), unjudged: none, tag, numLines: lines.numLines, numParts: 1, isScattered: true };
}

/** Where the document ids of all lines stand in the text, their hashes, their scores and their topics. */
class ScatteredLines {
  readonly topics: IdTable = new IdTable(1024);
  numLines = 0;
  private readonly text: Uint8Array;
  private topicOf: Uint32Array;
  private docStart: Uint32Array;
  private docEnd: Uint32Array;
  private docHash: Uint32Array;
  private numbers: Float64Array;

  constructor(text: Uint8Array) {
    this.text = text;
    const room = Math.ceil(text.length / SHORT_LINE) + 1;
    this.topicOf = new Uint32Array(room); // fits: entries
    this.docStart = new Uint32Array(room); // fits: places in the text, which is smaller than GROUPED_BELOW
    this.docEnd = new Uint32Array(room); // fits: places in the text, as docStart
    this.docHash = new Uint32Array(room); // fits: hashes
    this.numbers = new Float64Array(room);
  }

  /** Reads the text, and answers with the tag on its last line; undefined if it cannot be read. */
  read({ grammar, comments }: StreamWork): Uint8Array | undefined {
    const scanner = runScanner({ grammar, comments });
    const stream = topicStream(scanner, memoryInput(this.text), 0, grammar);
    for (;;) {
      const status = stream.next();
      if (status === STREAM_END) return new Uint8Array(0);
      if (status === STREAM_BAD || !resolveOdd(scanner, grammar)) return undefined;
      this.add(scanner, stream.offset - scanner.position);
      if (status === TOPIC_LAST) return scanner.bytes.slice(scanner.tagStart, scanner.tagEnd);
    }
  }

  /** @param base Where the scanner's bytes begin in the text. */
  private add(scanner: LineScanner, base: number): void {
    const { numLines, bytes, topicStart, topicEnd, docStart, docEnd, docHash, numbers } = scanner;
    const topic = this.topics.internBytes(bytes, topicStart, topicEnd);
    const from = this.numLines;
    if (from + numLines > this.topicOf.length) this.grow(from + numLines);
    for (let line = 0; line < numLines; line++) {
      const at = from + line;
      this.topicOf[at] = topic;
      this.docStart[at] = base + docStart[line];
      this.docEnd[at] = base + docEnd[line];
      this.docHash[at] = docHash[line];
      this.numbers[at] = numbers[line];
    }
    this.numLines = from + numLines;
  }

  private grow(needed: number): void {
    const room = roomFor(needed, needed * 2, 'lines');
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

/** Few lines are shorter than this many bytes. */
const SHORT_LINE = 24;

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
