import { lengthened } from '../../core/growing-arrays.js';
import { internColumn, tableFromParts } from '../../core/id-columns.js';
import { type Ids, IdTable } from '../../core/ids.js';
import type { Qrels } from '../../core/qrels.js';
import { roomFor } from '../../core/room.js';
import { equalBytes } from '../../core/text.js';
import type { LineScanner } from '../../formats/text/line-scanner.js';

/** Document ids as they come, one for each line, without asking whether an id was there before. Looking each of them up in
 *  a table of millions is most of the work of reading large judgements, and whoever goes through the judgements topic by
 *  topic has no use for it. */
export class DocColumn {
  private size = 0;
  private bytes: Uint8Array = new Uint8Array(1 << 14); // fits: bytes
  private offsets: Uint32Array = new Uint32Array(1 << 11); // fits: entries
  private hashes: Uint32Array = new Uint32Array(1 << 11); // fits: hashes

  /** Adds the lines of a scanner; the first gets the number that is returned, the others follow. */
  add({ bytes: source, docStart, docEnd, docHash, numLines }: LineScanner): number {
    const first = this.size;
    this.reserve(numLines, docEnd[numLines - 1] - docStart[0]);
    const { bytes, offsets, hashes } = this;
    let at = offsets[first];
    for (let line = 0; line < numLines; line++) {
      const end = docEnd[line];
      for (let i = docStart[line]; i < end; i++) bytes[at++] = source[i];
      hashes[first + line] = docHash[line];
      offsets[first + line + 1] = at;
    }
    this.size = first + numLines;
    return first;
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
    if (needed > this.bytes.length) this.bytes = lengthened(this.bytes, roomFor(needed, 2 * needed, 'bytes of ids'));
  }
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
