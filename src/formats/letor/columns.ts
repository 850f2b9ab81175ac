import type { Features, RowTexts } from '../../core/feature-matrix.js';
import { lengthened } from '../../core/growing-arrays.js';
import { limits } from '../../core/limits.js';
import { roomFor } from '../../core/room.js';
import type { ReadingLog } from '../reading-log.js';
import type { LetorOptions } from './options.js';

type Values = Float64Array | Float32Array;

/** The rows of a feature file while they are being read: growing columns, one entry per row or per value.
 *
 *  As long as every row gives the same features 1, 2, 3 … in order, their numbers are not stored: the values alone,
 *  end to end, are the finished dense matrix. The first row that departs from this makes the columns explicit. */
export class LetorColumns {
  numRows = 0;
  labels: Float64Array = new Float64Array(1024);
  lines: Uint32Array = new Uint32Array(1024); // fits: entries
  /** Which data line each row came from, counted from 0. */
  records: Uint32Array = new Uint32Array(1024); // fits: entries
  /** Row r has the values rowOffsets[r] to rowOffsets[r + 1]. */
  rowOffsets: Uint32Array = new Uint32Array(1025); // fits: entries
  values: Values;
  /** The column of each value, once they are not simply 0, 1, 2 … in every row. */
  columns: Uint32Array | undefined;
  /** An array for columns that is free to be used; of the length of `values`, or of no use. */
  spareColumns: Uint32Array | undefined;
  numColumns = 0;
  commentBytes: Uint8Array = new Uint8Array(0);
  commentOffsets: Uint32Array = new Uint32Array(1025); // fits: entries

  constructor(single: boolean) {
    // fits: single precision, which was asked for; stores that round say so
    this.values = single ? new Float32Array(4096) : new Float64Array(4096);
  }

  /** Forgets all rows and keeps the memory. */
  reset(): void {
    this.numRows = 0;
    this.numColumns = 0;
    this.spareColumns = this.columns ?? this.spareColumns;
    this.columns = undefined;
  }

  growRows(): void {
    const capacity = roomFor(this.labels.length + 1, this.labels.length * 2, 'rows');
    this.labels = lengthened(this.labels, capacity);
    this.lines = lengthened(this.lines, capacity);
    this.records = lengthened(this.records, capacity);
    this.rowOffsets = lengthened(this.rowOffsets, capacity + 1);
    this.commentOffsets = lengthened(this.commentOffsets, capacity + 1);
  }

  /** Makes room for more values. Knowing how much of the input is read (0 to 1, 0 if unknown), it is made for the rest. */
  growValues(share: number): void {
    const used = this.values.length;
    const expected = share > 0.01 ? Math.ceil((used / share) * 1.02) + 1024 : 0;
    const capacity = roomFor(used + 1, Math.max(expected, Math.ceil(used * (expected > 0 ? 1.1 : 2))), 'values');
    this.values = lengthened(this.values, capacity);
    if (this.columns !== undefined) this.columns = lengthened(this.columns, capacity);
  }

  /** Writes down the columns of the values so far: those of whole rows, and those of the row begun up to `count`. */
  makeColumnsExplicit(count: number): Uint32Array {
    const { spareColumns } = this;
    const columns = spareColumns?.length === this.values.length ? spareColumns : new Uint32Array(this.values.length); // fits: entries
    const { rowOffsets, numRows } = this;
    for (let row = 0; row < numRows; row++) {
      for (let i = rowOffsets[row], column = 0; i < rowOffsets[row + 1]; i++) columns[i] = column++;
    }
    for (let i = rowOffsets[numRows], column = 0; i < count; i++) columns[i] = column++;
    this.columns = columns;
    return columns;
  }

  /** Puts the values start to end, those of one row, in ascending order of columns; returns a column given twice, or -1. */
  sortRow(columns: Uint32Array, start: number, end: number): number {
    const given = columns.slice(start, end);
    const values = this.values.slice(start, end);
    const order = Array.from(given.keys()).sort((a, b) => given[a] - given[b]);
    for (let k = 0; k < order.length; k++) {
      columns[start + k] = given[order[k]];
      this.values[start + k] = values[order[k]];
      if (k > 0 && columns[start + k] === columns[start + k - 1]) return columns[start + k];
    }
    return -1;
  }

  appendComment(bytes: Uint8Array, start: number, end: number): void {
    const from = this.commentOffsets[this.numRows];
    const to = from + (end - start);
    const target = this.roomForComments(to);
    for (let at = from, read = start; at < to; at++, read++) target[at] = bytes[read];
    this.commentOffsets[this.numRows + 1] = to;
  }

  /** Takes the comments of several rows, end to end, which begin at `from` among all. */
  keepComments(bytes: Uint8Array, from: number): void {
    this.roomForComments(from + bytes.length).set(bytes, from);
  }

  private roomForComments(length: number): Uint8Array {
    if (length > this.commentBytes.length) {
      this.commentBytes = lengthened(this.commentBytes, roomFor(length, Math.max(this.commentBytes.length * 2, 4096), 'bytes of comments'));
    }
    return this.commentBytes;
  }

  /** The comments in the given order of rows; undefined if there are none. */
  finishComments(order: Uint32Array | undefined): RowTexts | undefined {
    const { numRows, commentBytes, commentOffsets } = this;
    if (commentOffsets[numRows] === 0) return undefined;
    if (order === undefined) {
      return { bytes: commentBytes.slice(0, commentOffsets[numRows]), offsets: commentOffsets.slice(0, numRows + 1) };
    }
    const bytes = new Uint8Array(commentOffsets[numRows]);
    const offsets = new Uint32Array(numRows + 1); // fits: entries
    for (let row = 0; row < numRows; row++) {
      const from = commentOffsets[order[row]];
      const to = commentOffsets[order[row] + 1];
      bytes.set(commentBytes.subarray(from, to), offsets[row]);
      offsets[row + 1] = offsets[row] + (to - from);
    }
    return { bytes, offsets };
  }

  /** The features in the given order of rows and the wanted layout. */
  finishFeatures(order: Uint32Array | undefined, options: LetorOptions, log: ReadingLog): Features {
    const { numRows, rowOffsets } = this;
    const { features: layout = 'auto', numFeatures = this.numColumns, firstFeature = 1, missing = 0, featureNames: names } = options;
    if (numFeatures > limits.features) throw log.fatal(`expected at most ${limits.features} features, found ${numFeatures}`);
    const numGiven = rowOffsets[numRows];
    const common = { numFeatures, firstFeature, numGiven, names };
    const valueSize = this.values.BYTES_PER_ELEMENT;
    const denseIsSmaller = numRows * numFeatures * valueSize <= numGiven * (valueSize + 4);
    const complete = this.columns === undefined && this.numColumns === numFeatures;
    if (layout === 'dense' || (layout === 'auto' && (complete || denseIsSmaller))) {
      if (numRows * numFeatures > limits.cells) {
        const message = `expected at most ${limits.cells} cells, found ${numRows} rows of ${numFeatures} features`;
        throw log.fatal(message, 'the sparse layout has room for them');
      }
      if (complete && order === undefined) return { layout: 'dense', ...common, values: trimmed(this.values, numGiven) };
      return { layout: 'dense', ...common, values: this.denseValues(order, numFeatures, missing) };
    }
    const columns = this.columns ?? this.makeColumnsExplicit(numGiven);
    if (order === undefined) {
      // where others see the values, they also see whose they are
      // fits: entries
      const offsets = isShared(this.values) ? new Uint32Array(new SharedArrayBuffer((numRows + 1) * 4)) : new Uint32Array(numRows + 1);
      offsets.set(rowOffsets.subarray(0, numRows + 1));
      return {
        layout: 'sparse',
        ...common,
        rowOffsets: offsets,
        columns: trimmed(columns, numGiven),
        values: trimmed(this.values, numGiven),
      };
    }
    const orderedOffsets = new Uint32Array(numRows + 1); // fits: entries
    const orderedColumns = new Uint32Array(numGiven); // fits: entries
    const orderedValues = emptyLike(this.values, numGiven);
    for (let row = 0, at = 0; row < numRows; row++) {
      for (let i = rowOffsets[order[row]]; i < rowOffsets[order[row] + 1]; i++, at++) {
        orderedColumns[at] = columns[i];
        orderedValues[at] = this.values[i];
      }
      orderedOffsets[row + 1] = at;
    }
    return { layout: 'sparse', ...common, rowOffsets: orderedOffsets, columns: orderedColumns, values: orderedValues };
  }

  private denseValues(order: Uint32Array | undefined, numFeatures: number, missing: number): Values {
    const { numRows, rowOffsets, values, columns } = this;
    const cells = emptyLike(values, numRows * numFeatures);
    if (missing !== 0) cells.fill(missing);
    for (let row = 0; row < numRows; row++) {
      const from = order === undefined ? row : order[row];
      const base = row * numFeatures;
      const start = rowOffsets[from];
      for (let i = start; i < rowOffsets[from + 1]; i++) cells[base + (columns === undefined ? i - start : columns[i])] = values[i];
    }
    return cells;
  }
}

function emptyLike(values: Values, length: number): Values {
  const numBytes = length * values.BYTES_PER_ELEMENT;
  const buffer = isShared(values) ? new SharedArrayBuffer(numBytes) : new ArrayBuffer(numBytes);
  // fits: single precision, which was asked for; stores that round say so
  return values instanceof Float32Array ? new Float32Array(buffer) : new Float64Array(buffer);
}

function isShared({ buffer }: Uint32Array | Values): boolean {
  return typeof SharedArrayBuffer !== 'undefined' && buffer instanceof SharedArrayBuffer;
}

/** The used part: a view where little is unused, a copy where much would be kept for nothing. Shared memory is laid out for
 *  more than will come, and costs nothing where it was never written to. */
function trimmed<T extends Uint32Array | Values>(column: T, used: number): T {
  return (isShared(column) || used > column.length * 0.85 ? column.subarray(0, used) : column.slice(0, used)) as T;
}
