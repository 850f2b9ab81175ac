import { readSync } from 'node:fs';
import { type IdTableParts, partsOfTable, tableFromParts } from '../../core/id-columns.js';
import { IdTable } from '../../core/ids.js';
import type { JudgingRules } from '../../core/judging/judge.js';
import type { Qrels } from '../../core/qrels.js';
import { SharedParts } from '../../core/shared-parts.js';
import { equalBytes } from '../../core/text.js';
import { ScannedTopicLines } from '../../core/topic-lines.js';
import { createLineScanner } from '../../formats/text/create-line-scanner.js';
import { parseDecimal } from '../../formats/text/decimal.js';
import { type LineLayout, type LineScanner, runLines } from '../../formats/text/line-scanner.js';
import { strtod } from '../../formats/text/strtod.js';
import { type ByteInput, STREAM_BAD, STREAM_END, TOPIC_DONE, TOPIC_LAST, TopicStream } from '../../formats/trec/topic-stream.js';
import type { Measure, Params } from '../../measures/measure.js';
import type { PlanOptions } from '../../measures/plan.js';
import { allMeasures } from '../../measures/registry.js';
import { TopicScores, type ValueRows } from './topic-scores.js';

/** How a run file is read: by our own grammar, which wants every line right, or as C programs read it. */
export type RunGrammar = 'strict' | 'c';

/** How parts of a run file are evaluated, and which. */
export interface StreamWork {
  readonly grammar: RunGrammar;
  /** Lines that begin with `#` are left out. */
  readonly comments: boolean;
  /** Where each part begins, and the end of the last; every one begins with a line. */
  readonly boundaries: Float64Array;
  readonly rules: JudgingRules;
  readonly planOptions: PlanOptions;
  /** Shared by all threads: the parts to take, which end when somebody finds the file unfit. Progress is counted in MiB, so that 32
   *  bits are enough for 2 PiB. */
  readonly control: Int32Array;
  /** Shared by all threads: the values, and which topics somebody has met. A topic that is met again came in parts. */
  readonly rows: ValueRows;
  /** How many parts a thread takes at most. */
  readonly partsPerThread: number;
}

/** Measures and judgements in a form that can be sent to another thread. */
export interface SentQuestion {
  readonly measures: readonly { readonly name: string; readonly params: Params }[];
  readonly qrels: QrelsParts;
}

/** Work that can be sent to another thread, with everything that belongs to it. */
export interface StreamTask extends StreamWork, SentQuestion {
  /** The file, opened: threads of one process can use the same. */
  readonly file: number;
}

/** Judgements as arrays only. */
export interface QrelsParts {
  readonly topics: IdTableParts;
  readonly docs: IdTableParts;
  readonly offsets: Uint32Array;
  readonly docOf: Uint32Array;
  readonly grades: Float64Array;
}

/** What one thread found. */
export interface StreamResult {
  /** The topics met that have no judgements. One that another thread met too came in parts. */
  readonly unjudged: IdTableParts;
  /** The tag on the last line of the file, from the thread that read it. */
  readonly tag: Uint8Array | undefined;
  readonly numLines: number;
  /** How many parts it has evaluated. */
  readonly numParts: number;
  /** True if it met a topic whose lines are not together. */
  readonly isScattered: boolean;
}

/** Prepares what is asked for other threads: judgements are copied into shared memory, so that every thread reads the same bytes. */
export function sent({ measures, qrels }: { readonly measures: readonly Measure[]; readonly qrels: Qrels }): SentQuestion {
  const share = <T extends Uint8Array | Uint32Array | Float64Array>(array: T): T => {
    const shared = new SharedArrayBuffer(array.byteLength);
    const copy = new (array.constructor as new (buffer: SharedArrayBuffer) => T)(shared);
    copy.set(array);
    return copy;
  };
  const { topics, docs, offsets, docOf, grades } = qrels;
  return {
    measures: measures.map(({ def, params }) => ({ name: def.name, params })),
    qrels: {
      topics: partsOfTable(topics, share),
      docs: partsOfTable(docs, share),
      offsets: share(offsets),
      docOf: share(docOf),
      grades: share(grades),
    },
  };
}

/** What was asked, in the thread that received it. */
export function received({ measures, qrels }: SentQuestion): { readonly measures: Measure[]; readonly qrels: Qrels } {
  return {
    measures: findMeasures(measures),
    qrels: { ...qrels, topics: tableFromParts(qrels.topics), docs: tableFromParts(qrels.docs) },
  };
}

/** True if another thread can find every one of the measures by its name. */
export function canBeSent(measures: readonly Measure[]): boolean {
  return measures.every(({ def }) => allMeasures.includes(def));
}

/** The measures behind a description that came from another thread. */
function findMeasures(described: SentQuestion['measures']): Measure[] {
  return described.map(({ name, params }) => {
    const def = allMeasures.find((known) => known.name === name);
    if (def === undefined) throw new Error(`no measure ${name}`);
    return { def, params, text: name };
  });
}

/** Bytes that are scanned at a time. */
export const CHUNK: number = 1 << 20;

/** A scanner for the lines of run files. */
export function runScanner({ grammar, comments }: Pick<StreamWork, 'grammar' | 'comments'>, layout: LineLayout = runLines): LineScanner {
  return createLineScanner({
    ...layout,
    // further fields are the thorough reader's to refuse; C programs pass over them
    exact: grammar === 'strict',
    comments: comments ? 'any' : 'none',
    capacity: 2 * CHUNK + 1,
    lines: 2048,
  });
}

/** The lines of a file, topic by topic as they come, or by stretches of a scanner for lines of any topic. */
export function topicStream(scanner: LineScanner, source: ByteInput, from: number, grammar: RunGrammar, isMixed = false): TopicStream {
  scanner.position = 0;
  return new TopicStream(scanner, source, CHUNK, from, grammar === 'strict' ? hasNoNul : undefined, isMixed);
}

/** Evaluates parts of a run file, until none is left or the file turns out to need the thorough reader. */
export class StreamEvaluator {
  private readonly task: StreamWork;
  private readonly qrels: Qrels;
  private readonly scores: TopicScores;
  private readonly lines: ScannedTopicLines;
  private readonly scanner: LineScanner;
  private readonly unjudged = new IdTable();
  private isScattered = false;
  /** The judged topic that was met last, or -1. */
  private lastTopic = -1;
  private numLines = 0;
  private numParts = 0;
  private tag: Uint8Array | undefined;

  constructor(task: StreamWork, measures: readonly Measure[], qrels: Qrels) {
    this.task = task;
    this.qrels = qrels;
    this.scores = new TopicScores(task, measures, qrels);
    this.scanner = runScanner(task);
    this.lines = new ScannedTopicLines(this.scanner);
  }

  /** Takes parts one by one, as other threads do at the same time. */
  work(open: (from: number) => ByteInput, onProgress?: () => void): void {
    const { control, boundaries, partsPerThread } = this.task;
    const parts = new SharedParts(control);
    parts.takeEach((part) => {
      if (!this.evaluatePart(open(boundaries[part]), part)) {
        parts.stop();
        return;
      }
      this.numParts++;
      parts.advance(Math.round((boundaries[part + 1] - boundaries[part]) / 2 ** 20));
      onProgress?.();
    }, partsPerThread);
  }

  result(): StreamResult {
    return {
      unjudged: partsOfTable(this.unjudged, (array) => array),
      tag: this.tag,
      numLines: this.numLines,
      numParts: this.numParts,
      isScattered: this.isScattered,
    };
  }

  /** The topic that is at hand where a part begins is finished by whoever came from above and skipped here; in return a
   *  part goes on until it has finished the topic at hand where the next one begins. */
  private evaluatePart(source: ByteInput, part: number): boolean {
    const { grammar, boundaries } = this.task;
    const end = part === boundaries.length - 2 ? Infinity : boundaries[part + 1];
    const stream = topicStream(this.scanner, source, boundaries[part], grammar);
    if (part > 0) {
      const status = stream.next();
      if (status === STREAM_BAD) return false;
      if (status === TOPIC_LAST) this.rememberTag();
      if (status !== TOPIC_DONE || stream.offset > end) return true;
    }
    return this.evaluateTopics(stream, end);
  }

  private evaluateTopics(stream: TopicStream, end: number): boolean {
    for (;;) {
      const status = stream.next();
      if (status === STREAM_BAD) return false;
      if (status === STREAM_END) return true;
      if (!this.evaluateTopic()) return false;
      if (status === TOPIC_LAST) {
        this.rememberTag();
        return true;
      }
      if (stream.offset > end) return true;
    }
  }

  private evaluateTopic(): boolean {
    const { scanner } = this;
    const { grammar, rows } = this.task;
    this.numLines += scanner.numLines;
    if (!resolveOdd(scanner, grammar)) return false;
    const topic = this.findTopic();
    if (topic < 0 && grammar === 'c') return true;
    if (topic >= 0 ? Atomics.exchange(rows.answered, rows.rowOf[topic], 1) === 1 : !this.addUnjudged()) {
      this.isScattered = true;
      return false;
    }
    return this.scores.add(topic, this.lines);
  }

  /** The number of the topic at hand, or -1. Runs mostly have their topics in the order of the judgements, so the next is tried first. */
  private findTopic(): number {
    const { bytes, topicStart, topicEnd } = this.scanner;
    const { topics } = this.qrels;
    const next = this.lastTopic + 1;
    const isNext =
      next < topics.size && equalBytes(topics.bytes, topics.offsets[next], topics.offsets[next + 1], bytes, topicStart, topicEnd);
    const topic = isNext ? next : topics.findBytes(bytes, topicStart, topicEnd);
    if (topic >= 0) this.lastTopic = topic;
    return topic;
  }

  /** False if this thread has met the topic before. */
  private addUnjudged(): boolean {
    const { bytes, topicStart, topicEnd } = this.scanner;
    const numBefore = this.unjudged.size;
    return this.unjudged.internBytes(bytes, topicStart, topicEnd) === numBefore;
  }

  private rememberTag(): void {
    const { bytes, tagStart, tagEnd } = this.scanner;
    this.tag = bytes.slice(tagStart, tagEnd);
  }
}

/** Numbers that the scanner left alone: what C reads out of them, or, in our own grammar, only what is a number. */
export function resolveOdd({ bytes, numbers, odd, oddStart, oddEnd, numOdd }: LineScanner, grammar: RunGrammar): boolean {
  const parse = grammar === 'c' ? strtod : parseDecimal;
  for (let k = 0; k < numOdd; k++) {
    const value = parse(bytes, oddStart[k], oddEnd[k]);
    if (grammar === 'strict' && !Number.isFinite(value)) return false;
    numbers[odd[k]] = value;
  }
  return true;
}

/** A buffer looks for a byte ten times as fast as other arrays of bytes. */
function hasNoNul(bytes: Uint8Array, from: number, to: number): boolean {
  return !Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).includes(0);
}

/** An open file, read from an offset on. */
export function fileInput(file: number, from: number): ByteInput {
  let position = from;
  return {
    read(target, offset, length) {
      const read = readSync(file, target, offset, length, position);
      position += read;
      return read;
    },
  };
}
