import type { Features, SparseFeatures } from '../../core/feature-matrix.js';

/** The columns of sparse data that could set so many of these rows apart, ascending, and at least one; undefined if that is all of
 *  them. Nearly all rows of any other column hold the value 0, and wherever such a column is split, one side gets too few rows: it needs
 *  neither bins nor histograms.
 *  @param minDocs  rows that a split must leave on either side */
export function usableColumns(features: Features, rows: Uint32Array, minDocs: number): Uint32Array | undefined {
  if (features.layout === 'dense') return undefined;
  const { numFeatures, rowOffsets, columns, values } = features;
  const others = new Uint32Array(numFeatures); // fits: numbers of documents, at most the rows
  for (const row of rows) {
    for (let i = rowOffsets[row]; i < rowOffsets[row + 1]; i++) if (values[i] !== 0) others[columns[i]]++;
  }
  const usable: number[] = [];
  for (let c = 0; c < numFeatures; c++) if (others[c] >= minDocs) usable.push(c);
  if (usable.length === numFeatures) return undefined;
  return Uint32Array.from(usable.length === 0 ? [0] : usable); // fits: entries
}

/** Some columns of sparse data, which must ascend, as data of their own. */
export function selectColumns(features: Features, selected: Uint32Array): SparseFeatures {
  if (features.layout === 'dense') throw new Error('columns are only taken out of sparse data');
  const { rowOffsets, columns, values, numFeatures, firstFeature } = features;
  const placeOf = new Int32Array(numFeatures).fill(-1); // fits: columns, at most limits.features
  selected.forEach((column, place) => {
    placeOf[column] = place;
  });
  let kept = 0;
  for (let i = 0; i < columns.length; i++) if (placeOf[columns[i]] >= 0) kept++;
  const numRows = rowOffsets.length - 1;
  const offsets = new Uint32Array(bufferLike(rowOffsets, (numRows + 1) * 4)); // fits: entries
  const places = new Uint32Array(bufferLike(columns, kept * 4)); // fits: entries
  const isSingle = values instanceof Float32Array;
  // fits: values that are of this width already
  const numbers = isSingle ? new Float32Array(bufferLike(values, kept * 4)) : new Float64Array(bufferLike(values, kept * 8));
  let to = 0;
  for (let row = 0; row < numRows; row++) {
    for (let i = rowOffsets[row]; i < rowOffsets[row + 1]; i++) {
      const place = placeOf[columns[i]];
      if (place < 0) continue;
      places[to] = place;
      numbers[to++] = values[i];
    }
    offsets[row + 1] = to;
  }
  return {
    layout: 'sparse',
    numFeatures: selected.length,
    firstFeature,
    numGiven: kept,
    rowOffsets: offsets,
    columns: places,
    values: numbers,
  };
}

/** Memory that other threads see where they see that of an array. */
function bufferLike({ buffer }: ArrayBufferView, bytes: number): ArrayBufferLike {
  const isShared = typeof SharedArrayBuffer !== 'undefined' && buffer instanceof SharedArrayBuffer;
  return isShared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes);
}
