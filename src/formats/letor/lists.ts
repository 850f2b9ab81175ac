import { type Ids, IdTable } from '../../core/ids.js';
import { equalBytes } from '../../core/text.js';
import type { ReadingLog } from '../reading-log.js';

/** How rows fall into lists. */
export interface Lists {
  readonly queryOffsets: Uint32Array;
  readonly queries: Ids;
  readonly queryOf: Uint32Array;
  /** Which row of the input comes where; undefined when none has to move. */
  readonly order: Uint32Array | undefined;
}

/** Where lists begin and which ids they have, as plain data. */
export interface ListStarts {
  readonly starts: Uint32Array;
  /** The id of each, as a place among the ids. */
  readonly idOf: Uint32Array;
  /** The different ids, end to end. */
  readonly idBytes: Uint8Array;
  readonly idOffsets: Uint32Array;
}

/** Notes where the query id changes from one row to the next. */
export class ListCollector {
  private readonly ids: IdTable = new IdTable();
  private readonly starts: number[] = [];
  private readonly idOf: number[] = [];
  private current = -1;

  /** Whether the last row has this id. */
  isCurrent(bytes: Uint8Array, start: number, end: number): boolean {
    const { ids, current } = this;
    return current >= 0 && equalBytes(ids.bytes, ids.offsets[current], ids.offsets[current + 1], bytes, start, end);
  }

  isKnown(bytes: Uint8Array, start: number, end: number): boolean {
    return this.ids.findBytes(bytes, start, end) >= 0;
  }

  startList(row: number, bytes: Uint8Array, start: number, end: number): void {
    this.current = this.ids.internBytes(bytes, start, end);
    this.starts.push(row);
    this.idOf.push(this.current);
  }

  listStarts(): ListStarts {
    const { bytes, offsets, size } = this.ids;
    return {
      starts: Uint32Array.from(this.starts), // fits: entries
      idOf: Uint32Array.from(this.idOf), // fits: entries
      idBytes: bytes.slice(0, offsets[size]),
      idOffsets: offsets.slice(0, size + 1),
    };
  }

  /** Takes the lists of rows that follow, the first of which is `firstRow`. */
  append({ starts, idOf, idBytes, idOffsets }: ListStarts, firstRow: number): void {
    for (let i = 0; i < starts.length; i++) {
      const from = idOffsets[idOf[i]];
      const to = idOffsets[idOf[i] + 1];
      if (!this.isCurrent(idBytes, from, to)) this.startList(firstRow + starts[i], idBytes, from, to);
    }
  }

  /** One list for each change of the id. */
  split(numRows: number): Lists {
    return {
      queryOffsets: Uint32Array.from([...this.starts, numRows]), // fits: entries
      queries: this.ids,
      queryOf: Uint32Array.from(this.idOf), // fits: entries
      order: undefined,
    };
  }

  /** One list for each id, in order of first appearance, its rows in the order of the input. */
  group(numRows: number): Lists {
    const { ids, starts, idOf } = this;
    if (starts.length === ids.size) return this.split(numRows);
    const queryOffsets = new Uint32Array(ids.size + 1); // fits: entries
    const length = (stretch: number): number => (starts[stretch + 1] ?? numRows) - starts[stretch];
    for (let stretch = 0; stretch < starts.length; stretch++) queryOffsets[idOf[stretch] + 1] += length(stretch);
    for (let id = 0; id < ids.size; id++) queryOffsets[id + 1] += queryOffsets[id];
    const next = queryOffsets.slice();
    const order = new Uint32Array(numRows); // fits: entries
    for (let stretch = 0; stretch < starts.length; stretch++) {
      for (let k = 0; k < length(stretch); k++) order[next[idOf[stretch]]++] = starts[stretch] + k;
    }
    return { queryOffsets, queries: ids, queryOf: Uint32Array.from({ length: ids.size }, (_, id) => id), order }; // fits: entries
  }
}

/** Lists of given sizes, called 1, 2, 3 … */
export function listsOfSizes(sizes: ArrayLike<number>, numRows: number, log: ReadingLog): Lists {
  let sum = 0;
  for (let q = 0; q < sizes.length; q++) {
    if (!(Number.isInteger(sizes[q]) && sizes[q] >= 0)) throw log.fatal(`group size ${q + 1} is ${sizes[q]}, expected a number of rows`);
    sum += sizes[q];
  }
  if (sum !== numRows) {
    throw log.fatal(`the group sizes add up to ${sum} rows, found ${numRows}`, 'check that the group file belongs to this feature file');
  }
  const queryOffsets = new Uint32Array(sizes.length + 1); // fits: entries
  for (let q = 0; q < sizes.length; q++) queryOffsets[q + 1] = queryOffsets[q] + sizes[q];
  const queries = IdTable.of(Array.from({ length: sizes.length }, (_, q) => String(q + 1)));
  return { queryOffsets, queries, queryOf: Uint32Array.from({ length: sizes.length }, (_, q) => q), order: undefined }; // fits: entries
}
