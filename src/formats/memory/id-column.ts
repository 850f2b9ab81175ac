import { internColumn } from '../../core/id-columns.js';
import { IdTable } from '../../core/ids.js';
import { InputError } from '../../core/problem.js';
import { IdScanner, roomForPlaces } from './id-scanner.js';

/** A column of ids as bytes in UTF-8: with the place where each begins, with a byte between two of them, or as numbers of a smaller
 *  column that holds each id once. */
export type IdColumn =
  /** Id i is bytes[offsets[i]] to bytes[offsets[i + 1]]. */
  | { readonly bytes: Uint8Array; readonly offsets: Uint32Array }
  /** So many ids, with this byte between them. */
  | { readonly bytes: Uint8Array; readonly separator: number; readonly count: number }
  /** Row i has id codes[i] of another column. */
  | { readonly codes: Uint32Array; readonly dictionary: IdColumn };

/** The ids of a column, each with a number, and the number of each row. */
export interface NumberedIds {
  readonly table: IdTable;
  readonly numbers: Uint32Array;
}

/** Rows that are looked at together: their hashes and places stay in the cache. */
const BLOCK = 4096;

/** Gives the ids of a column numbers.
 *  @param what What they are ids of, for messages.
 *  @throws An `InputError` if an id is empty, or the parts of the column do not fit together. */
export function numberIds(column: IdColumn, what: string): NumberedIds {
  if ('codes' in column) return byCodes(column.codes, numberIds(column.dictionary, what), what);
  const table = new IdTable(1024, column.bytes.length + 4);
  const scanner = new IdScanner(column, what);
  const numbers = new Uint32Array(scanner.count); // fits: entries
  const places = roomForPlaces(BLOCK);
  for (let row = 0; row < numbers.length; row += BLOCK) {
    const count = Math.min(BLOCK, numbers.length - row);
    scanner.take(count, places);
    internColumn(table, column.bytes, places.starts, places.ends, places.hashes, count, numbers, row);
  }
  return { table, numbers };
}

function byCodes(codes: Uint32Array, { table, numbers: known }: NumberedIds, what: string): NumberedIds {
  const numbers = new Uint32Array(codes.length); // fits: entries
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row];
    if (code >= known.length) {
      throw new InputError(`row ${row + 1}: the ${what} has number ${code}, expected one below ${known.length}`);
    }
    numbers[row] = known[code];
  }
  return usedIds({ table, numbers });
}

/** The ids that rows have, numbered in the order of the rows: those of a dictionary may be more, and in another order. */
export function usedIds({ table, numbers }: NumberedIds): NumberedIds {
  const used = new IdTable(Math.min(table.size, numbers.length));
  // fits: entries, and one more for none, which evaluationLimits.ids leaves room for
  const places = new Uint32Array(table.size);
  const ordered = new Uint32Array(numbers.length); // fits: entries
  for (let row = 0; row < numbers.length; row++) {
    const id = numbers[row];
    if (places[id] === 0) places[id] = used.internBytes(table.bytes, table.offsets[id], table.offsets[id + 1]) + 1;
    ordered[row] = places[id] - 1;
  }
  return { table: used, numbers: ordered };
}
