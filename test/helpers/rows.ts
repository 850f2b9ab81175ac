import { idLatin1 } from '../../src/core/ids.js';
import type { Qrels } from '../../src/core/qrels.js';
import type { Run } from '../../src/core/run.js';
import type { ChunkReader } from '../../src/formats/reader.js';

export type PlainRow = [topic: string, doc: string, value: number, ...more: (string | number | undefined)[]];

/** A run as a plain list, in its order; ids have one character per byte. */
export function rowsOfRun(run: Run): PlainRow[] {
  const rows: PlainRow[] = [];
  for (let topic = 0; topic < run.topics.size; topic++) {
    for (let row = run.offsets[topic]; row < run.offsets[topic + 1]; row++) {
      const ranks = run.ranks === undefined ? [] : [run.ranks[row]];
      rows.push([idLatin1(run.topics, topic), idLatin1(run.docs, run.docOf[row]), run.scores[row], ...ranks]);
    }
  }
  return rows;
}

/** Judgements as a plain list, in their order; ids have one character per byte. */
export function rowsOfQrels(qrels: Qrels): PlainRow[] {
  const rows: PlainRow[] = [];
  for (let topic = 0; topic < qrels.topics.size; topic++) {
    for (let row = qrels.offsets[topic]; row < qrels.offsets[topic + 1]; row++) {
      const groups = [qrels.groups, qrels.subgroups].flatMap((column) =>
        column === undefined ? [] : [idLatin1(column.ids, column.of[row])],
      );
      rows.push([idLatin1(qrels.topics, topic), idLatin1(qrels.docs, qrels.docOf[row]), qrels.grades[row], ...groups]);
    }
  }
  return rows;
}

/** Feeds a reader with chunks of these sizes, repeated as needed. The chunks are overwritten afterwards, as those of a file
 *  may be. */
export function readInChunks<Reading>(reader: ChunkReader<Reading>, bytes: Uint8Array, sizes: readonly number[]): Reading {
  let at = 0;
  for (let k = 0; at < bytes.length; k++) {
    const chunk = bytes.slice(at, at + sizes[k % sizes.length]);
    reader.push(chunk);
    at += chunk.length;
    chunk.fill(0x78);
  }
  return reader.finish();
}

/** What a function throws, as text; fails if it does not. */
export function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof Error) return error.message;
  }
  throw new Error('nothing was thrown');
}
