import { hashBytes } from '../../core/hash.js';
import { InputError } from '../../core/problem.js';
import type { IdColumn } from './id-column.js';

/** A column that holds its ids itself, and no numbers of another column. */
export type PlainIdColumn = Exclude<IdColumn, { readonly codes: Uint32Array }>;

/** Where ids stand in the bytes of a column, and their hashes. */
export interface IdPlaces {
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly hashes: Uint32Array;
}

/** Room for the places of so many ids. */
export function roomForPlaces(count: number): IdPlaces {
  const starts = new Uint32Array(count); // fits: bytes
  const ends = new Uint32Array(count); // fits: bytes
  return { starts, ends, hashes: new Uint32Array(count) }; // fits: hashes
}

/** Goes through a column of ids once, as many at a time as are asked for, so that what is found of them stays in the cache. */
export class IdScanner {
  /** How many ids the column has. */
  readonly count: number;
  private readonly column: PlainIdColumn;
  private readonly what: string;
  private readonly view: DataView;
  private row = 0;
  /** Where the next id begins, in a column with separators. */
  private at = 0;

  /** @param what What they are ids of, for messages. */
  constructor(column: PlainIdColumn, what: string) {
    this.column = column;
    this.what = what;
    const { bytes } = column;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.count = 'offsets' in column ? Math.max(0, column.offsets.length - 1) : column.count;
  }

  /** Finds the next ids.
   *  @throws An `InputError` if an id is empty, or the parts of the column do not fit together. */
  take(count: number, { starts, ends, hashes }: IdPlaces): void {
    const { column } = this;
    if (count > this.count - this.row) throw new InputError(`expected ${this.row + count} ${this.what} ids, found ${this.count}`);
    if ('offsets' in column) this.byOffsets(column.offsets, count, starts, ends, hashes);
    else this.bySeparator(column.separator, count, starts, ends, hashes);
    for (let i = 0; i < count; i++) {
      if (starts[i] === ends[i]) throw new InputError(`row ${this.row + i + 1}: expected a ${this.what} id, found nothing`);
    }
    this.row += count;
  }

  private byOffsets(offsets: Uint32Array, count: number, starts: Uint32Array, ends: Uint32Array, hashes: Uint32Array): void {
    const { bytes } = this.column;
    for (let i = 0; i < count; i++) {
      const start = offsets[this.row + i];
      const end = offsets[this.row + i + 1];
      if (start > end || end > bytes.length) {
        throw new InputError(
          `the offsets of the ${this.what} ids lead to bytes ${start} to ${end}, expected ascending places up to ${bytes.length}`,
        );
      }
      starts[i] = start;
      ends[i] = end;
      hashes[i] = hashBytes(bytes, start, end);
    }
  }

  private bySeparator(separator: number, count: number, starts: Uint32Array, ends: Uint32Array, hashes: Uint32Array): void {
    const { bytes } = this.column;
    const next = hashUpTo(this.view, bytes, separator, this.at, count, starts, ends, hashes);
    const isAtEnd = count > 0 && ends[count - 1] === bytes.length;
    const last = isAtEnd ? this.row + ends.indexOf(bytes.length) + 1 : this.row + count;
    if (isAtEnd && last < this.count) this.refuseCount(last);
    if (!isAtEnd && last === this.count && count > 0) this.refuseCount('more');
    this.at = next;
  }

  private refuseCount(found: number | 'more'): never {
    throw new InputError(`expected ${this.count} ${this.what} ids, found ${found} between the separators`);
  }
}

/** `hashBytes` of ids with a byte between them, which are found on the way: four bytes are looked at in a step, and each once. The answer is
 *  where the id after them begins. */
function hashUpTo(
  view: DataView,
  bytes: Uint8Array,
  separator: number,
  from: number,
  count: number,
  starts: Uint32Array,
  ends: Uint32Array,
  hashes: Uint32Array,
): number {
  const { length } = bytes;
  const lastWord = length - 4;
  const pattern = Math.imul(separator & 0xff, 0x01010101);
  let at = from;
  for (let i = 0; i < count; i++) {
    const start = Math.min(at, length);
    at = start;
    let hash = 0;
    let tail = 0;
    for (;;) {
      if (at > lastWord) {
        // too near to the end for a word
        const rest = at;
        while (at < length && bytes[at] !== separator) {
          tail |= bytes[at] << (8 * (at - rest));
          at++;
        }
        break;
      }
      const word = view.getInt32(at, true);
      const differing = word ^ pattern;
      // the highest bit of the first byte that is the separator, and maybe of later ones
      const found = (differing - 0x01010101) & ~differing & 0x80808080;
      if (found !== 0) {
        const numBytes = (31 - Math.clz32(found & -found)) >> 3;
        tail = word & ((1 << (8 * numBytes)) - 1);
        at += numBytes;
        break;
      }
      at += 4;
      hash = mixed(hash, word);
      hash = (hash << 13) | (hash >>> 19);
      hash = (Math.imul(hash, 5) + 0xe6546b64) | 0;
    }
    // a rest of zeros changes nothing
    hash = mixed(hash, tail) ^ (at - start);
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    starts[i] = start;
    ends[i] = at;
    hashes[i] = (hash ^ (hash >>> 16)) >>> 0;
    at++;
  }
  return at;
}

function mixed(hash: number, word: number): number {
  const first = Math.imul(word, 0xcc9e2d51);
  return hash ^ Math.imul((first << 15) | (first >>> 17), 0x1b873593);
}
