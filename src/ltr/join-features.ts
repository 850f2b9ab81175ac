import { type FeatureMatrix, type Features, numQueries, type RowTexts, toDense } from '../core/feature-matrix.js';
import { IdTable, idText } from '../core/ids.js';
import { InputError } from '../core/problem.js';
import { roomFor } from '../core/room.js';
import { checkData, featuresOf, withColumnsOf } from './dataset.js';

/** One of several files whose documents belong together. */
export interface FeaturePart {
  /** What it is called in messages. */
  readonly source: string;
  readonly matrix: FeatureMatrix;
}

/** The documents of several files as if they stood in one, in the order given. Where a file ends with the query that the next
 *  one begins with, it is one query, as in a file that was cut in two; a query that is elsewhere in two files is refused, because
 *  nobody knows whether the same query is meant. Columns that only some files have are filled with `missing`.
 *  @param role  what the data is for, in messages */
export function joinFeatures(parts: readonly FeaturePart[], role: string, missing = 0): FeatureMatrix {
  if (parts.length === 1) return parts[0].matrix;
  const widest = parts.reduce((most, part) => (featuresOf(part.matrix).numFeatures > featuresOf(most.matrix).numFeatures ? part : most));
  for (const { matrix, source } of parts) checkData(matrix, `${role} (${source})`);
  const matrices = parts.map(({ matrix, source }) => {
    try {
      return withColumnsOf(matrix, widest.matrix, role, missing);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      throw new InputError({
        source,
        message: `does not have the same features as ${widest.source}`,
        wayOut: 'give files that name or number their features alike',
      });
    }
  });
  const { queries, queryOf, queryOffsets } = joinQueries(parts);
  const numRows = total(matrices, (matrix) => matrix.numRows, 'rows');
  total(matrices, (matrix) => matrix.numRecords, 'lines');
  total(matrices, lastLine, 'lines');
  const labels = new Float64Array(numRows);
  const lines = new Uint32Array(numRows); // fits: entries
  const records = new Uint32Array(numRows); // fits: entries
  let row = 0;
  let record = 0;
  let line = 0;
  for (const matrix of matrices) {
    labels.set(matrix.labels, row);
    // counted on from file to file, because documents without a name go by their lines
    for (let r = 0; r < matrix.numRows; r++) lines[row + r] = line + matrix.lines[r];
    line += lastLine(matrix);
    for (let r = 0; r < matrix.numRows; r++) records[row + r] = record + (matrix.records?.[r] ?? r);
    row += matrix.numRows;
    record += matrix.numRecords;
  }
  return {
    numRows,
    numRecords: record,
    queryOffsets,
    queries,
    queryOf,
    labels,
    lines,
    records,
    comments: joinTexts(matrices, numRows),
    features: joinCells(matrices.map(featuresOf), missing),
  };
}

function lastLine({ lines }: FeatureMatrix): number {
  return lines.reduce((last, line) => Math.max(last, line), 0);
}

function joinQueries(parts: readonly FeaturePart[]): Pick<FeatureMatrix, 'queries' | 'queryOf' | 'queryOffsets'> {
  const queries = new IdTable();
  /** The part that each query is in. */
  const partOf: number[] = [];
  const queryOf: number[] = [];
  const queryOffsets: number[] = [0];
  for (const [p, { matrix, source }] of parts.entries()) {
    const base = queryOffsets[queryOffsets.length - 1];
    for (let q = 0; q < numQueries(matrix); q++) {
      const { bytes, offsets } = matrix.queries;
      const id = queries.internBytes(bytes, offsets[matrix.queryOf[q]], offsets[matrix.queryOf[q] + 1]);
      const end = base + matrix.queryOffsets[q + 1];
      if (q === 0 && p > 0 && queryOf[queryOf.length - 1] === id) {
        queryOffsets[queryOffsets.length - 1] = end;
        partOf[id] = p;
        continue;
      }
      partOf[id] ??= p;
      if (partOf[id] !== p) {
        throw new InputError({
          source,
          message: `holds query ${idText(queries, id)}, which ${parts[partOf[id]].source} holds too`,
          wayOut: 'give different queries different ids, or put the documents of a query into one file',
        });
      }
      queryOf.push(id);
      queryOffsets.push(end);
    }
  }
  return { queries, queryOf: Uint32Array.from(queryOf), queryOffsets: Uint32Array.from(queryOffsets) }; // fits: entries
}

function joinTexts(matrices: readonly FeatureMatrix[], numRows: number): RowTexts | undefined {
  if (matrices.every(({ comments }) => comments === undefined)) return undefined;
  const bytes = new Uint8Array(total(matrices, ({ comments, numRows: rows }) => comments?.offsets[rows] ?? 0, 'bytes of comments'));
  const offsets = new Uint32Array(numRows + 1); // fits: entries
  let row = 0;
  for (const { comments, numRows: rows } of matrices) {
    const base = offsets[row];
    if (comments !== undefined) bytes.set(comments.bytes.subarray(0, comments.offsets[rows]), base);
    for (let r = 0; r < rows; r++) offsets[row + r + 1] = base + (comments?.offsets[r + 1] ?? 0);
    row += rows;
  }
  return { bytes, offsets };
}

function joinCells(features: readonly Features[], missing: number): Features {
  const { numFeatures, firstFeature, names } = features[0];
  const common = { numFeatures, firstFeature, names, numGiven: sum(features, (one) => one.numGiven) };
  const Cells = features.every(({ values }) => values instanceof Float32Array) ? Float32Array : Float64Array;
  const sparse = features.filter((one) => one.layout === 'sparse');
  if (sparse.length < features.length) {
    const dense = features.map((one) => toDense(one, missing).values);
    return { ...common, layout: 'dense', values: joinNumbers(dense, new Cells(sum(dense, ({ length }) => length))) };
  }
  const numCells = total(sparse, (one) => one.rowOffsets[one.rowOffsets.length - 1], 'values');
  const rowOffsets = new Uint32Array(sum(sparse, (one) => one.rowOffsets.length - 1) + 1); // fits: entries
  const columns = new Uint32Array(numCells); // fits: entries
  const values = new Cells(numCells);
  let row = 0;
  for (const one of sparse) {
    const numRows = one.rowOffsets.length - 1;
    const base = rowOffsets[row];
    columns.set(one.columns.subarray(0, one.rowOffsets[numRows]), base);
    values.set(one.values.subarray(0, one.rowOffsets[numRows]), base);
    for (let r = 0; r < numRows; r++) rowOffsets[row + r + 1] = base + one.rowOffsets[r + 1];
    row += numRows;
  }
  return { ...common, layout: 'sparse', rowOffsets, columns, values };
}

function joinNumbers(parts: readonly (Float64Array | Float32Array)[], room: Float64Array | Float32Array): Float64Array | Float32Array {
  let at = 0;
  for (const part of parts) {
    room.set(part, at);
    at += part.length;
  }
  return room;
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}

/** The sum, refused where the files hold more together than can be numbered. */
function total<T>(list: readonly T[], value: (one: T) => number, what: string): number {
  const all = sum(list, value);
  roomFor(all, all, what);
  return all;
}
