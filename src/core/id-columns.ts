import { evaluationLimits } from './evaluation-limits.js';
import { type Ids, IdTable } from './ids.js';

/** Bytes moved at once. */
const WORD = 4;

/** Interns a column of ids: the one in source[starts[i]..ends[i]) has hashesOf[i], and its number goes to
 *  numbers[offset + i]. Twice as fast as one after another: the slots are all fetched before the first is needed, so
 *  that waiting for memory overlaps, and bytes are moved four at a time. */
export function internColumn(
  table: IdTable,
  source: Uint8Array,
  starts: Uint32Array,
  ends: Uint32Array,
  hashesOf: Uint32Array,
  count: number,
  numbers: Uint32Array,
  offset: number,
): void {
  let numBytes = WORD;
  for (let i = 0; i < count; i++) numBytes += ends[i] - starts[i];
  if (!mayHold(table, count, numBytes)) {
    // most of them may be known already
    for (let i = 0; i < count; i++) numbers[offset + i] = table.internHashed(source, starts[i], ends[i], hashesOf[i]);
    return;
  }
  table.reserve(count, numBytes);

  const { slots, hashes, bytes, offsets } = table;
  const mask = slots.length - 1;
  for (let i = 0; i < count; i++) numbers[offset + i] = slots[hashesOf[i] & mask];

  const from = new DataView(source.buffer, source.byteOffset, source.length);
  const to = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let { size } = table;
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
  table.size = size;
}

/** The arrays of a table of ids, in a form that can be sent to another thread. */
export interface IdTableParts extends Ids {
  readonly hashes: Uint32Array;
  readonly slots: Uint32Array;
}

/** The table's arrays, cut to what is in use and copied with `copy`, from which `tableFromParts` makes the same table in
 *  another thread without hashing anything again. */
export function partsOfTable(table: IdTable, copy: <T extends Uint8Array | Uint32Array>(array: T) => T): IdTableParts {
  const { size, bytes, offsets, hashes, slots } = table;
  return {
    size,
    bytes: copy(bytes.subarray(0, offsets[size])),
    offsets: copy(offsets.subarray(0, size + 1)),
    hashes: copy(hashes.subarray(0, size)),
    slots: copy(slots),
  };
}

/** Puts a table of ids together again in the thread that received it. */
export function tableFromParts({ size, bytes, offsets, hashes, slots }: IdTableParts): IdTable {
  return Object.assign(new IdTable(0, 0), { size, bytes, offsets, hashes, slots });
}

/** Whether this many more ids of so many bytes in all can be numbered. */
export function mayHold({ size, offsets }: Ids, numIds: number, numBytes: number): boolean {
  return size + numIds <= evaluationLimits.ids && offsets[size] + numBytes <= evaluationLimits.entries;
}
