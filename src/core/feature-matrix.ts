import { type Ids, idText } from './ids.js';
import { checkFilledCells } from './limits.js';
import { InputError } from './problem.js';
import { readText } from './text.js';

/** What to do about a feature that is infinite: leaving out its line would change the query. */
export const INFINITE_WAY_OUT = 'correct it, or leave it out and call it missing with --missing nan';

/** Documents described by numbers, grouped by query: what a learning-to-rank file holds. Rows of one query are adjacent
 *  and keep the order of the input; queries keep the order in which they first appeared. */
export interface FeatureMatrix {
  readonly numRows: number;
  /** Data lines in the input: the rows, and the lines that a lenient reading left out. */
  readonly numRecords: number;
  /** The rows of list q are queryOffsets[q] to queryOffsets[q + 1]. */
  readonly queryOffsets: Uint32Array;
  /** The different query ids, as written. */
  readonly queries: Ids;
  /** Which id each list has; with lists split wherever the id changes, several lists may share one. */
  readonly queryOf: Uint32Array;
  readonly labels: Float64Array;
  /** Line of the input that each row came from, counted from 1. */
  readonly lines: Uint32Array;
  /** Which data line each row came from, counted from 0; undefined when rows are in the order of the input. Files with
   *  one prediction per data line are read through this. */
  readonly records: Uint32Array | undefined;
  /** What stood after `#` on each row's line; undefined when no line had any, or none was asked for. */
  readonly comments: RowTexts | undefined;
  /** undefined when the features were not asked for, and when only their bins were kept. */
  readonly features: Features | undefined;
  /** The features of large data that only trees are to be grown on. */
  readonly binned?: BinnedFeatures | undefined;
}

/** The features of documents, with or without the zeros. */
export type Features = DenseFeatures | SparseFeatures;

/** What columns of features are called, and how many there are. */
export interface FeatureColumns {
  readonly numFeatures: number;
  /** The id of column 0: feature files count from 1, some from 0. */
  readonly firstFeature: number;
  /** How many values the input gave; the other cells were left out of it. */
  readonly numGiven: number;
  readonly names?: readonly string[] | undefined;
}

/** Every cell, row by row: column c of row r is values[r * numFeatures + c]. */
export interface DenseFeatures extends FeatureColumns {
  readonly layout: 'dense';
  readonly values: Float64Array | Float32Array;
}

/** The given cells only: row r has values[i] in columns[i] for i from rowOffsets[r] to rowOffsets[r + 1], columns ascending. */
export interface SparseFeatures extends FeatureColumns {
  readonly layout: 'sparse';
  readonly rowOffsets: Uint32Array;
  readonly columns: Uint32Array;
  readonly values: Float64Array | Float32Array;
}

/** Instead of every value only which of at most 255 ranges of its column it lies in, one byte each. Trees ask for no more, and it takes
 *  an eighth of the memory. */
export interface BinnedFeatures extends FeatureColumns {
  /** Where the bins are, so that trees can be grown on them where they stand: column c of row r is at address + r * stride + c. */
  readonly memory: { readonly buffer: ArrayBufferLike };
  readonly address: number;
  readonly stride: number;
  /** The first byte of that memory that is free. */
  readonly end: number;
  /** Where the ranges of each column end: a value has bin 1 + the number of edges below it; a cell without a value has bin 0. */
  readonly edges: readonly Float64Array[];
  /** How many ranges a column could have. */
  readonly maxValueBins: number;
  /** Of each column: how many values it has, the least and the greatest. */
  readonly facts: ColumnFacts;
  /** What the whole values were worth as a fingerprint. */
  readonly fingerprint: string;
}

/** What the values of each column are like; a column without values has no least and no greatest one (Infinity, -Infinity). */
export interface ColumnFacts {
  readonly count: Uint32Array | Float64Array;
  readonly least: Float64Array;
  readonly most: Float64Array;
}

/** One piece of text per row, end to end: row r has bytes[offsets[r]] to bytes[offsets[r + 1]]. */
export interface RowTexts {
  readonly bytes: Uint8Array;
  readonly offsets: Uint32Array;
}

/** How many queries the rows belong to. */
export function numQueries(matrix: FeatureMatrix): number {
  return matrix.queryOf.length;
}

/** The id of list q. */
export function queryText(matrix: FeatureMatrix, q: number): string {
  return idText(matrix.queries, matrix.queryOf[q]);
}

/** What stood after the `#` in a row's line; nothing if comments were not kept. */
export function commentText(matrix: FeatureMatrix, row: number): string {
  const { comments } = matrix;
  return comments === undefined ? '' : readText(comments.bytes, comments.offsets[row], comments.offsets[row + 1]);
}

/** A named value of a row's comment, such as the `docid`, `inc` and `prob` of `docid = GX004-93 inc = 1 prob = 0.0246`;
 *  undefined if the comment has none of that name. */
export function commentField(matrix: FeatureMatrix, row: number, name: string): string | undefined {
  const words = commentText(matrix, row).trim().split(/\s+/);
  const at = words.findIndex((word, i) => word === name && words[i + 1] === '=');
  return at < 0 ? undefined : words[at + 2];
}

/** Numbers given in the order of the input's data lines, such as predictions, brought into the order of the rows. Too few
 *  are refused; so are too many, unless the surplus is to be ignored, as the LETOR scripts and RankLib do. */
export function inRowOrder(matrix: FeatureMatrix, perRecord: Float64Array, surplus: 'refuse' | 'ignore' = 'refuse'): Float64Array {
  const { records, numRows, numRecords } = matrix;
  if (perRecord.length < numRecords || (perRecord.length > numRecords && surplus === 'refuse')) {
    throw new InputError({
      message: `expected ${numRecords} numbers, one for each data line, found ${perRecord.length}`,
      wayOut: 'check that both files belong together',
    });
  }
  if (records === undefined) return perRecord.subarray(0, numRows);
  const ordered = new Float64Array(numRows);
  for (let row = 0; row < numRows; row++) ordered[row] = perRecord[records[row]];
  return ordered;
}

/** The value of one cell; `missing` where the input gave none. For loops over many cells use the arrays. */
export function featureValue(features: Features, row: number, column: number, missing = 0): number {
  if (column < 0 || column >= features.numFeatures) return missing;
  if (features.layout === 'dense') return features.values[row * features.numFeatures + column];
  const { columns, rowOffsets, values } = features;
  let low = rowOffsets[row];
  let high = rowOffsets[row + 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (columns[middle] < column) low = middle + 1;
    else high = middle;
  }
  return low < rowOffsets[row + 1] && columns[low] === column ? values[low] : missing;
}

/** Every cell row by row, those that were not given filled with `missing`. Dense features are returned as they are. */
export function toDense(features: Features, missing = 0): DenseFeatures {
  if (features.layout === 'dense') return features;
  const { numFeatures, firstFeature, numGiven, names, rowOffsets, columns, values } = features;
  const numRows = rowOffsets.length - 1;
  checkFilledCells(numRows, numFeatures, numGiven);
  const cells = new (values instanceof Float32Array ? Float32Array : Float64Array)(numRows * numFeatures);
  if (missing !== 0) cells.fill(missing);
  for (let row = 0; row < numRows; row++) {
    const base = row * numFeatures;
    for (let i = rowOffsets[row]; i < rowOffsets[row + 1]; i++) cells[base + columns[i]] = values[i];
  }
  return { layout: 'dense', numFeatures, firstFeature, numGiven, names, values: cells };
}
