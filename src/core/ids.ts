import { evaluationLimits } from './evaluation-limits.js';
import { lengthened } from './growing-arrays.js';
import { hashBytes } from './hash.js';
import { InputError } from './problem.js';
import { roomFor } from './room.js';
import { compareBytes, equalBytes, readLatin1, readText, textCapacity, writeText } from './text.js';

/** A set of ids, each with a small whole number of its own: 0, 1, 2 … in the order they were first seen. The bytes of
 *  all ids lie end to end in one array, so a table can be handed to another thread as it is. */
export interface Ids {
  readonly size: number;
  readonly bytes: Uint8Array;
  /** Id number i occupies bytes[offsets[i]] to bytes[offsets[i + 1]]; one more entry than there are ids. */
  readonly offsets: Uint32Array;
}

/** An id as text, for printing; bytes that are not UTF-8 are replaced. */
export function idText(ids: Ids, id: number): string {
  return readText(ids.bytes, ids.offsets[id], ids.offsets[id + 1]);
}

/** The id with one character per byte, for output that must repeat the input's bytes whatever their encoding. */
export function idLatin1(ids: Ids, id: number): string {
  return readLatin1(ids.bytes, ids.offsets[id], ids.offsets[id + 1]);
}

/** Byte order, as `strcmp`: for valid text this is the order of code points, which JavaScript's `<` is not. */
export function compareIds(a: Ids, idA: number, b: Ids, idB: number): number {
  return compareBytes(a.bytes, a.offsets[idA], a.offsets[idA + 1], b.bytes, b.offsets[idB], b.offsets[idB + 1]);
}

/** Whether ids of two tables have the same bytes. */
export function equalIds(a: Ids, idA: number, b: Ids, idB: number): boolean {
  return equalBytes(a.bytes, a.offsets[idA], a.offsets[idA + 1], b.bytes, b.offsets[idB], b.offsets[idB + 1]);
}

/** All id numbers in ascending byte order. */
export function sortedIds(ids: Ids): Uint32Array {
  const { bytes, offsets, size } = ids;
  const order = new Uint32Array(size); // fits: entries
  let sorted = true;
  for (let id = 0; id < size; id++) {
    order[id] = id;
    if (id > 0 && sorted && compareIds(ids, id - 1, ids, id) > 0) sorted = false;
  }
  if (sorted) return order;
  // four leading bytes decide most comparisons without a walk over both ids
  const heads = new Uint32Array(size); // fits: four bytes, made unsigned by >>> 0
  for (let id = 0; id < size; id++) {
    let head = 0;
    for (let i = 0; i < 4; i++) {
      const at = offsets[id] + i;
      head = (head << 8) | (at < offsets[id + 1] ? bytes[at] : 0);
    }
    heads[id] = head >>> 0;
  }
  return order.sort((a, b) => heads[a] - heads[b] || compareIds(ids, a, ids, b));
}

/** Ids that can be looked up and added to: a hash table over bytes, open addressing, at most half full. */
export class IdTable implements Ids {
  size = 0;
  bytes: Uint8Array;
  offsets: Uint32Array;
  /** The hash of each id, for callers who look ids up in tables of their own. */
  hashes: Uint32Array;
  /** For each place of the hash table: the number of the id there plus one, or 0. */
  slots: Uint32Array;
  private scratch: Uint8Array = new Uint8Array(64);

  constructor(expectedIds = 16, expectedBytes: number = expectedIds * 12) {
    const capacity = Math.min(evaluationLimits.ids, Math.max(16, expectedIds));
    this.bytes = new Uint8Array(Math.max(64, expectedBytes)); // fits: bytes
    this.offsets = new Uint32Array(capacity + 1); // fits: entries
    this.hashes = new Uint32Array(capacity); // fits: hashes
    // fits: entries, and one more for none, which evaluationLimits.ids leaves room for
    this.slots = new Uint32Array(2 ** Math.ceil(Math.log2(capacity * 2)));
  }

  static of(texts: Iterable<string>): IdTable {
    const table = new IdTable();
    for (const text of texts) table.intern(text);
    return table;
  }

  text(id: number): string {
    return idText(this, id);
  }

  /** The number of this id, or -1. */
  find(text: string): number {
    const end = this.encode(text);
    return this.findBytes(this.scratch, 0, end);
  }

  findBytes(source: Uint8Array, start: number, end: number): number {
    return this.findHashed(source, start, end, hashBytes(source, start, end));
  }

  /** `findBytes` for a caller who knows the id's hash already. */
  findHashed(source: Uint8Array, start: number, end: number, hash: number): number {
    const { slots, hashes, bytes, offsets } = this;
    const mask = slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const entry = slots[slot];
      if (entry === 0) return -1;
      const id = entry - 1;
      if (hashes[id] === hash && equalBytes(bytes, offsets[id], offsets[id + 1], source, start, end)) return id;
    }
  }

  /** The number of this id, which is added if it is new. */
  intern(text: string): number {
    const end = this.encode(text);
    return this.internBytes(this.scratch, 0, end);
  }

  internBytes(source: Uint8Array, start: number, end: number): number {
    return this.internHashed(source, start, end, hashBytes(source, start, end));
  }

  internHashed(source: Uint8Array, start: number, end: number, hash: number): number {
    const known = this.findHashed(source, start, end, hash);
    if (known >= 0) return known;
    const id = this.size;
    this.reserve(1, end - start);
    const from = this.offsets[id];
    const to = from + (end - start);
    for (let at = from, read = start; at < to; at++, read++) this.bytes[at] = source[read];
    this.offsets[id + 1] = to;
    this.hashes[id] = hash;
    this.size = id + 1;
    this.enter(id);
    return id;
  }

  /** Makes room for this many more ids of so many bytes in all. */
  reserve(numIds: number, numBytes: number): void {
    while (this.size + numIds > this.hashes.length) this.growIds();
    const needed = this.offsets[this.size] + numBytes;
    if (needed > this.bytes.length) this.bytes = lengthened(this.bytes, roomFor(needed, this.bytes.length * 2, 'bytes of ids'));
  }

  private encode(text: string): number {
    if (textCapacity(text) > this.scratch.length) this.scratch = new Uint8Array(textCapacity(text) * 2);
    return writeText(this.scratch, 0, text);
  }

  private growIds(): void {
    if (this.size >= evaluationLimits.ids) throw tooManyIds();
    const capacity = Math.min(evaluationLimits.ids, Math.max(16, this.hashes.length * 2));
    this.offsets = lengthened(this.offsets, capacity + 1);
    this.hashes = lengthened(this.hashes, capacity);
    // fits: entries, and one more for none, which evaluationLimits.ids leaves room for
    this.slots = new Uint32Array(2 ** Math.ceil(Math.log2(capacity * 2)));
    for (let id = 0; id < this.size; id++) this.enter(id);
  }

  /** Gives an id its place in the hash table. */
  private enter(id: number): void {
    const { slots, hashes } = this;
    const mask = slots.length - 1;
    let slot = hashes[id] & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = id + 1;
  }
}

/** Whether this is a run or judgements in typed arrays, by a column that it must have. What came from another thread, or was cloned, has
 *  lost the methods of its tables of ids, and gets them back. */
export function hasIdTables(value: unknown, column: string): boolean {
  const { topics, docs, groups, subgroups, [column]: values } = Object(value) as Partial<Record<string, { ids?: object; slots?: object }>>;
  if (!topics?.slots || !values) return false;
  for (const ids of [topics, docs, groups?.ids, subgroups?.ids]) if (ids) Object.setPrototypeOf(ids, IdTable.prototype);
  return true;
}

/** For a hash table that is full: it has two places for each id, and a mask for more places than 2 ** 31 would be a negative number. */
export function tooManyIds(): InputError {
  return new InputError({
    message: `found more than ${evaluationLimits.ids} different ids`,
    wayOut: 'divide the file by topics, and take the parts one by one',
  });
}
