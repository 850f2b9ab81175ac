import { hashBytes } from './hash.js';
import { compareBytes, equalBytes, readLatin1, readText, textCapacity, writeText } from './text.js';

/** A set of ids, each with a small whole number of its own: 0, 1, 2 … in the order they were first seen. The bytes of
 *  all ids lie end to end in one array, so a table can be handed to another thread as it is. */
export interface Ids {
  readonly size: number;
  readonly bytes: Uint8Array;
  /** Id number i occupies bytes[offsets[i]] to bytes[offsets[i + 1]]; one more entry than there are ids. */
  readonly offsets: Uint32Array;
}

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

export function equalIds(a: Ids, idA: number, b: Ids, idB: number): boolean {
  return equalBytes(a.bytes, a.offsets[idA], a.offsets[idA + 1], b.bytes, b.offsets[idB], b.offsets[idB + 1]);
}

/** All id numbers in ascending byte order. */
export function sortedIds(ids: Ids): Uint32Array {
  const { bytes, offsets, size } = ids;
  const order = new Uint32Array(size);
  let sorted = true;
  for (let id = 0; id < size; id++) {
    order[id] = id;
    if (id > 0 && sorted && compareIds(ids, id - 1, ids, id) > 0) sorted = false;
  }
  if (sorted) return order;
  // four leading bytes decide most comparisons without a walk over both ids
  const heads = new Uint32Array(size);
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

export interface IdTableParts extends Ids {
  readonly hashes: Uint32Array;
  readonly slots: Uint32Array;
}

/** Bytes moved at once where a column of ids is taken in. */
const WORD = 4;

/** Ids that can be looked up and added to: a hash table over bytes, open addressing, at most half full. */
export class IdTable implements Ids {
  size = 0;
  bytes: Uint8Array;
  offsets: Uint32Array;
  /** The hash of each id, for callers who look ids up in tables of their own. */
  hashes: Uint32Array;
  private slots: Uint32Array;
  private scratch: Uint8Array = new Uint8Array(64);

  constructor(expectedIds = 16, expectedBytes: number = expectedIds * 12) {
    const capacity = Math.max(16, expectedIds);
    this.bytes = new Uint8Array(Math.max(64, expectedBytes));
    this.offsets = new Uint32Array(capacity + 1);
    this.hashes = new Uint32Array(capacity);
    this.slots = new Uint32Array(2 ** Math.ceil(Math.log2(capacity * 2)));
  }

  /** A table over ids that came from elsewhere, such as another thread. */
  static from(ids: Ids): IdTable {
    if (ids instanceof IdTable) return ids;
    const table = new IdTable(ids.size, 0);
    table.bytes = ids.bytes;
    table.offsets = ids.offsets;
    table.size = ids.size;
    for (let id = 0; id < ids.size; id++) table.hashes[id] = hashBytes(ids.bytes, ids.offsets[id], ids.offsets[id + 1]);
    table.fillSlots();
    return table;
  }

  /** The table's arrays, cut to what is in use and copied with `copy`, from which `fromParts` makes the same table in
   *  another thread without hashing anything again. */
  parts(copy: <T extends Uint8Array | Uint32Array>(array: T) => T): IdTableParts {
    const { size, bytes, offsets, hashes, slots } = this;
    return {
      size,
      bytes: copy(bytes.subarray(0, offsets[size])),
      offsets: copy(offsets.subarray(0, size + 1)),
      hashes: copy(hashes.subarray(0, size)),
      slots: copy(slots),
    };
  }

  static fromParts(parts: IdTableParts): IdTable {
    const table = new IdTable(0, 0);
    table.size = parts.size;
    table.bytes = parts.bytes;
    table.offsets = parts.offsets;
    table.hashes = parts.hashes;
    table.slots = parts.slots;
    return table;
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
    if (id === this.hashes.length) this.growIds();
    const from = this.offsets[id];
    const to = from + (end - start);
    if (to > this.bytes.length) this.growBytes(to);
    for (let at = from, read = start; at < to; at++, read++) this.bytes[at] = source[read];
    this.offsets[id + 1] = to;
    this.hashes[id] = hash;
    this.size = id + 1;
    const mask = this.slots.length - 1;
    let slot = hash & mask;
    while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
    this.slots[slot] = id + 1;
    return id;
  }

  /** Interns a column of ids: the one in source[starts[i]..ends[i]) has hashes[i], and its number goes to
   *  numbers[offset + i]. Twice as fast as one after another: the slots are all fetched before the first is needed, so
   *  that waiting for memory overlaps, and bytes are moved four at a time. */
  internColumn(
    source: Uint8Array,
    starts: Uint32Array,
    ends: Uint32Array,
    hashesOf: Uint32Array,
    count: number,
    numbers: Uint32Array,
    offset: number,
  ): void {
    while (this.size + count > this.hashes.length) this.growIds();
    let numBytes = this.offsets[this.size] + WORD;
    for (let i = 0; i < count; i++) numBytes += ends[i] - starts[i];
    if (numBytes > this.bytes.length) this.growBytes(numBytes);

    const { slots, hashes, bytes, offsets } = this;
    const mask = slots.length - 1;
    for (let i = 0; i < count; i++) numbers[offset + i] = slots[hashesOf[i] & mask];

    const from = new DataView(source.buffer, source.byteOffset, source.length);
    const to = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    let size = this.size;
    let at = offsets[size];
    for (let i = 0; i < count; i++) {
      const hash = hashesOf[i];
      const start = starts[i];
      const length = ends[i] - start;
      let slot = hash & mask;
      let id: number;
      for (; ; slot = (slot + 1) & mask) {
        const entry = slots[slot];
        if (entry === 0) {
          id = size++;
          slots[slot] = size;
          hashes[id] = hash;
          // up to three bytes too many, which the next id overwrites
          if (start + length + WORD <= source.length) {
            for (let k = 0; k < length; k += WORD) to.setInt32(at + k, from.getInt32(start + k, true), true);
          } else for (let k = 0; k < length; k++) bytes[at + k] = source[start + k];
          at += length;
          offsets[size] = at;
          break;
        }
        id = entry - 1;
        if (hashes[id] !== hash) continue;
        const known = offsets[id];
        if (offsets[id + 1] - known !== length) continue;
        let k = 0;
        while (k + WORD <= length && to.getInt32(known + k, true) === from.getInt32(start + k, true)) k += WORD;
        while (k < length && bytes[known + k] === source[start + k]) k++;
        if (k >= length) break;
      }
      numbers[offset + i] = id;
    }
    this.size = size;
  }

  private encode(text: string): number {
    if (textCapacity(text) > this.scratch.length) this.scratch = new Uint8Array(textCapacity(text) * 2);
    return writeText(this.scratch, 0, text);
  }

  private growIds(): void {
    const capacity = Math.max(16, this.hashes.length * 2);
    const offsets = new Uint32Array(capacity + 1);
    offsets.set(this.offsets);
    this.offsets = offsets;
    const hashes = new Uint32Array(capacity);
    hashes.set(this.hashes);
    this.hashes = hashes;
    this.slots = new Uint32Array(2 ** Math.ceil(Math.log2(capacity * 2)));
    this.fillSlots();
  }

  private growBytes(needed: number): void {
    const bytes = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    bytes.set(this.bytes);
    this.bytes = bytes;
  }

  private fillSlots(): void {
    const mask = this.slots.length - 1;
    for (let id = 0; id < this.size; id++) {
      let slot = this.hashes[id] & mask;
      while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
      this.slots[slot] = id + 1;
    }
  }
}
