import { internColumn } from '../../core/id-columns.js';
import { InputError } from '../../core/problem.js';
import type { RowCollector } from '../../core/run.js';
import { createLineScanner } from '../../formats/text/create-line-scanner.js';
import { CHECK_TEXT, LineLengths, tooLong } from '../../formats/text/line-lengths.js';
import type { LineLayout, LineScanner } from '../../formats/text/line-scanner.js';
import { STREAM_BAD, STREAM_END, TopicStream } from '../../formats/trec/topic-stream.js';

const CHUNK = 1 << 20;

/** What a walk over a file came to. */
export interface ScannedFile {
  /** The number of the first record with the wrong number of fields, from 1; 0 if all are well. */
  readonly badRecord: number;
  /** The tag field of the last record. */
  readonly tag: Uint8Array;
}

/** Walks over a file that is in memory and shows the caller its stretches of lines with the same topic. */
export function scanFile(file: Uint8Array, path: string, layout: LineLayout, visit: (scanner: LineScanner) => void): ScannedFile {
  if (new LineLengths().firstTooLong(file, 0, file.length) >= 0) {
    throw new InputError({ source: path, message: `has a line that ${tooLong()}`, wayOut: CHECK_TEXT });
  }
  const chunk = Math.min(CHUNK, file.length);
  const scanner = createLineScanner({ ...layout, capacity: chunk + 1 });
  let taken = 0;
  const source = {
    read(target: Uint8Array, offset: number, length: number): number {
      const part = file.subarray(taken, taken + length);
      target.set(part, offset);
      taken += part.length;
      return part.length;
    },
  };
  const stream = new TopicStream(scanner, source, chunk);
  for (;;) {
    const state = stream.next();
    if (state === STREAM_BAD) return { badRecord: scanner.recordsSeen + 1, tag: new Uint8Array(0) };
    if (state === STREAM_END) break;
    visit(scanner);
  }
  return { badRecord: 0, tag: scanner.bytes.slice(scanner.tagStart, scanner.tagEnd) };
}

/** Adds stretches of lines to rows, with room for the numbers of their documents. */
export class RowAdder {
  private readonly rows: RowCollector;
  private numberOf: Uint32Array = new Uint32Array(1024); // fits: entries

  constructor(rows: RowCollector) {
    this.rows = rows;
  }

  add({ bytes, docStart, docEnd, docHash, numbers, numLines, topicStart, topicEnd }: LineScanner): void {
    const { rows } = this;
    if (this.numberOf.length < numLines) this.numberOf = new Uint32Array(2 * numLines); // fits: entries
    const { numberOf } = this;
    const topic = rows.topics.internBytes(bytes, topicStart, topicEnd);
    internColumn(rows.docs, bytes, docStart, docEnd, docHash, numLines, numberOf, 0);
    for (let line = 0; line < numLines; line++) rows.add(topic, numberOf[line], numbers[line]);
  }
}
