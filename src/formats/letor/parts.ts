import { roomFor } from '../../core/room.js';
import type { LoggedProblems } from '../reading-log.js';
import type { LetorLines } from './lines.js';
import type { ListStarts } from './lists.js';
import { finishLetor, type LetorReading } from './parser.js';

/** What stands in some consecutive lines of a feature file, as plain data that one thread can hand to another. Lines, records
 *  and rows are counted from the first of them. The values of features are elsewhere, because there are so many. */
export interface LetorPart {
  readonly numLines: number;
  readonly numRecords: number;
  readonly numRows: number;
  readonly numColumns: number;
  /** How many values each row has where `hasColumns` is false: those of the columns 0, 1, 2 … */
  readonly width: number;
  readonly hasColumns: boolean;
  readonly labels: Float64Array;
  readonly lines: Uint32Array;
  readonly records: Uint32Array;
  readonly rowOffsets: Uint32Array;
  readonly commentBytes: Uint8Array;
  readonly commentOffsets: Uint32Array;
  readonly lists: ListStarts;
  readonly problems: LoggedProblems;
  /** The values, and their columns if it has any, where they do not stand in the room for all parts. */
  readonly apart: PartValues | undefined;
}

/** The cells of one part of a file; columns are there only if zeros are not. */
export interface PartValues {
  readonly values: Float64Array | Float32Array;
  readonly columns: Uint32Array | undefined;
}

/** Memory for the values of all parts, end to end, and for their columns, of the same length. */
export interface FeatureRoom {
  readonly values: Float64Array | Float32Array;
  readonly columns: Uint32Array;
}

/** The values that were read; only valid until more is read. */
export function valuesOf({ rows }: LetorLines): PartValues {
  const { values, columns, rowOffsets, numRows } = rows;
  const count = rowOffsets[numRows];
  return { values: values.subarray(0, count), columns: columns?.subarray(0, count) };
}

/** Everything else that was read.
 *  @param placed  whether the values are in the room for all parts, so that they need not be kept */
export function partOf({ rows, lists, log, line, numRecords, width }: LetorLines, placed: boolean): LetorPart {
  const { numRows, numColumns, values, columns, rowOffsets, commentBytes, commentOffsets } = rows;
  const count = rowOffsets[numRows];
  return {
    numLines: line,
    numRecords,
    numRows,
    numColumns,
    width,
    hasColumns: columns !== undefined,
    labels: rows.labels.slice(0, numRows),
    lines: rows.lines.slice(0, numRows),
    records: rows.records.slice(0, numRows),
    rowOffsets: rowOffsets.slice(0, numRows + 1),
    commentBytes: commentBytes.slice(0, commentOffsets[numRows]),
    commentOffsets: commentOffsets.slice(0, numRows + 1),
    lists: lists.listStarts(),
    problems: log.contents(),
    apart: placed ? undefined : { values: values.slice(0, count), columns: columns?.slice(0, count) },
  };
}

/** Puts the parts of a file together, in their order. The parts whose values are in the room must come before all others.
 *  @param whole  takes everything up; nothing has been read with it */
export function joinParts(parts: readonly LetorPart[], whole: LetorLines, room: FeatureRoom): LetorReading {
  appendParts(parts, whole, room);
  return finishLetor(whole, true);
}

/** The same, for more to be read. */
export function appendParts(parts: readonly LetorPart[], whole: LetorLines, room: FeatureRoom): void {
  const { rows } = whole;
  rows.values = room.values;
  rows.spareColumns = room.columns;
  for (const part of parts) append(part, whole);
}

function append(part: LetorPart, whole: LetorLines): void {
  const { rows } = whole;
  const { numRows, apart } = part;
  const firstRow = rows.numRows;
  while (rows.labels.length < firstRow + numRows) rows.growRows();
  const firstValue = rows.rowOffsets[firstRow];
  if (apart !== undefined) {
    while (rows.values.length < firstValue + apart.values.length) rows.growValues(0);
    rows.values.set(apart.values, firstValue);
  }
  if (numRows > 0) appendColumns(part, whole, firstValue);
  rows.labels.set(part.labels, firstRow);
  roomFor(whole.line + part.numLines, 0, 'lines');
  const firstComment = rows.commentOffsets[firstRow];
  for (let row = 0; row < numRows; row++) {
    rows.lines[firstRow + row] = whole.line + part.lines[row];
    rows.records[firstRow + row] = whole.numRecords + part.records[row];
    rows.rowOffsets[firstRow + row + 1] = firstValue + part.rowOffsets[row + 1];
    rows.commentOffsets[firstRow + row + 1] = firstComment + part.commentOffsets[row + 1];
  }
  rows.keepComments(part.commentBytes, firstComment);
  rows.numRows = firstRow + numRows;
  rows.numColumns = Math.max(rows.numColumns, part.numColumns);
  whole.lists.append(part.lists, firstRow);
  whole.log.append(part.problems, whole.line);
  whole.line += part.numLines;
  whole.numRecords += part.numRecords;
}

/** Writes down the columns of a part, unless all rows so far have the same. */
function appendColumns(part: LetorPart, whole: LetorLines, firstValue: number): void {
  const { rows } = whole;
  if (whole.width < 0) whole.width = part.width;
  if (rows.columns === undefined && !part.hasColumns && part.width === whole.width) return;
  const columns = rows.columns ?? rows.makeColumnsExplicit(firstValue);
  if (part.hasColumns) {
    // those of a part in the room stand there already
    if (part.apart?.columns !== undefined) columns.set(part.apart.columns, firstValue);
    return;
  }
  const { rowOffsets } = part;
  for (let row = 0; row < part.numRows; row++) {
    for (let i = rowOffsets[row]; i < rowOffsets[row + 1]; i++) columns[firstValue + i] = i - rowOffsets[row];
  }
}
