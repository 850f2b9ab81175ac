import { lengthened } from '../../core/growing-arrays.js';
import { hashBytes } from '../../core/hash.js';
import { internColumn, tableFromParts } from '../../core/id-columns.js';
import { type Ids, IdTable } from '../../core/ids.js';
import type { Qrels } from '../../core/qrels.js';
import { roomFor } from '../../core/room.js';
import { equalBytes } from '../../core/text.js';
import type { LineScanner } from '../../formats/text/line-scanner.js';

/** Bytes moved at once. */
const WORD = 4;

/** Document ids as they come, one for each line, without asking whether an id was there before. Looking each of them up in
 *  a table of millions is most of the work of reading large judgements, and whoever goes through the judgements topic by
 *  topic has no use for it. */
export class DocColumn {
  private size = 0;
  private bytes: Uint8Array = new Uint8Array(1 << 14); // fits: bytes
  private offsets: Uint32Array = new Uint32Array(1 << 11); // fits: entries
  private hashes: Uint32Array = new Uint32Array(1 << 11); // fits: hashes
  /** Where words are read, and where they are written. */
  private source: Uint8Array | undefined;
  private from: DataView = viewOf(this.bytes);
  private to: DataView = viewOf(this.bytes);

  /** Adds the lines of a scanner; the first gets the number that is returned, the others follow. */
  add({ bytes: source, docStart, docEnd, docHash, numLines }: LineScanner): number {
    const first = this.size;
    this.reserve(numLines, docEnd[numLines - 1] - docStart[0] + WORD);
    const { bytes, offsets, hashes } = this;
    if (this.source !== source) {
      this.source = source;
      this.from = viewOf(source);
    }
    const { from, to } = this;
    let at = offsets[first];
    for (let line = 0; line < numLines; line++) {
      const start = docStart[line];
      const length = docEnd[line] - start;
      // up to three bytes too many, which the next id overwrites
      if (start + length + WORD <= source.length) {
        for (let k = 0; k < length; k += WORD) to.setInt32(at + k, from.getInt32(start + k, true), true);
      } else for (let k = 0; k < length; k++) bytes[at + k] = source[start + k];
      at += length;
      hashes[first + line] = docHash[line];
      offsets[first + line + 1] = at;
    }
    this.size = first + numLines;
    return first;
  }

  /** Adds one id, and returns its number. */
  addId(source: Uint8Array, start: number, end: number): number {
    const number = this.size;
    this.reserve(1, end - start);
    const { bytes, offsets } = this;
    let at = offsets[number];
    for (let i = start; i < end; i++) bytes[at++] = source[i];
    this.hashes[number] = hashBytes(source, start, end);
    offsets[number + 1] = at;
    this.size = number + 1;
    return number;
  }

  /** Adds the ids to a table, each once, and returns their numbers there. */
  internInto(table: IdTable): Uint32Array {
    const { size, bytes, offsets, hashes } = this;
    const numberOf = new Uint32Array(size); // fits: entries
    internColumn(table, bytes, offsets, offsets.subarray(1), hashes, size, numberOf, 0);
    return numberOf;
  }

  /** The ids as a table, in which none can be found by its text. */
  finish(): IdTable {
    const { size, bytes, offsets, hashes } = this;
    return tableFromParts({ size, bytes, offsets, hashes, slots: new Uint32Array(1) }); // fits: hashes
  }

  private reserve(numIds: number, numBytes: number): void {
    const size = this.size + numIds + 1;
    if (size > this.offsets.length) {
      this.offsets = lengthened(this.offsets, 2 * size);
      this.hashes = lengthened(this.hashes, 2 * size);
    }
    const needed = this.offsets[this.size] + numBytes;
    if (needed > this.bytes.length) {
      this.bytes = lengthened(this.bytes, roomFor(needed, 2 * needed, 'bytes of ids'));
      this.to = viewOf(this.bytes);
    }
  }
}

function viewOf({ buffer, byteOffset, length }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, length);
}

/** The same judgements with one number for each different document. */
export function withDistinctDocs(qrels: Qrels): Qrels {
  const { bytes, offsets, hashes, size } = qrels.docs;
  const docs = new IdTable(1024);
  const numberOf = new Uint32Array(size); // fits: entries
  internColumn(docs, bytes, offsets, offsets.subarray(1), hashes, size, numberOf, 0);
  return { ...qrels, docs, docOf: qrels.docOf.map((listed) => numberOf[listed]) };
}

/** Whether some topic lists a document twice, in judgements with a document number for each line. */
export function repeatsListedDoc({ docs, docOf, offsets, topics }: Qrels): boolean {
  let slots = new Uint32Array(256); // fits: entries, and one more for none, which evaluationLimits.ids leaves room for
  for (let topic = 0; topic < topics.size; topic++) {
    const from = offsets[topic];
    const to = offsets[topic + 1];
    if (to - from <= FEW_DOCS) {
      if (repeatsAmongFew(docs, docOf, from, to)) return true;
      continue;
    }
    const wanted = 2 ** Math.ceil(Math.log2(2 * (to - from) + 1));
    if (slots.length < wanted) slots = new Uint32Array(wanted); // fits: entries, and one more for none, which evaluationLimits.ids leaves room for
    const mask = wanted - 1;
    slots.fill(0, 0, wanted);
    for (let row = from; row < to; row++) {
      const doc = docOf[row];
      let slot = docs.hashes[doc] & mask;
      for (; slots[slot] !== 0; slot = (slot + 1) & mask) if (sameDoc(docs, slots[slot] - 1, doc)) return true;
      slots[slot] = doc + 1;
    }
  }
  return false;
}

/** So many documents are compared with each other before a table of them would be made. */
const FEW_DOCS = 6;

function repeatsAmongFew(docs: Ids & { readonly hashes: Uint32Array }, docOf: Uint32Array, from: number, to: number): boolean {
  for (let row = from + 1; row < to; row++) {
    for (let other = from; other < row; other++) if (sameDoc(docs, docOf[other], docOf[row])) return true;
  }
  return false;
}

function sameDoc(docs: Ids & { readonly hashes: Uint32Array }, a: number, b: number): boolean {
  if (docs.hashes[a] !== docs.hashes[b]) return false;
  return equalBytes(docs.bytes, docs.offsets[a], docs.offsets[a + 1], docs.bytes, docs.offsets[b], docs.offsets[b + 1]);
}
