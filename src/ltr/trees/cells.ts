import type { Features } from '../../core/feature-matrix.js';

/** Whether threads see the cells where they are. */
export function areShared(features: Features): boolean {
  if (typeof SharedArrayBuffer === 'undefined') return false;
  const arrays = features.layout === 'dense' ? [features.values] : [features.values, features.columns, features.rowOffsets];
  return arrays.every(({ buffer }) => buffer instanceof SharedArrayBuffer);
}

/** Rows whose cells stay in the nearest cache while one column after the other is copied. */
const BLOCK = 64;

/** Copies cells of some rows column by column, 0 where the data give none: row r of column c (both counted from the first) goes to
 *  target[start + c * stride + r]. `rowAt` says which row of the data is the r-th. */
export function copyColumns(
  features: Features,
  rowAt: Uint32Array | number,
  numRows: number,
  fromColumn: number,
  toColumn: number,
  target: Float64Array,
  start: number,
  stride: number,
): void {
  const width = features.numFeatures;
  const { values } = features;
  const isList = typeof rowAt !== 'number';
  const base = start - fromColumn * stride;
  if (features.layout === 'dense') {
    const starts = new Float64Array(BLOCK);
    for (let first = 0; first < numRows; first += BLOCK) {
      const count = Math.min(BLOCK, numRows - first);
      for (let r = 0; r < count; r++) starts[r] = (isList ? rowAt[first + r] : rowAt + first + r) * width;
      for (let c = fromColumn; c < toColumn; c++) {
        const to = base + c * stride + first;
        for (let r = 0; r < count; r++) target[to + r] = values[starts[r] + c];
      }
    }
    return;
  }
  const { rowOffsets, columns } = features;
  for (let c = fromColumn; c < toColumn; c++) target.fill(0, base + c * stride, base + c * stride + numRows);
  for (let r = 0; r < numRows; r++) {
    const row = isList ? rowAt[r] : rowAt + r;
    for (let i = rowOffsets[row]; i < rowOffsets[row + 1]; i++) {
      const c = columns[i];
      if (c >= fromColumn && c < toColumn) target[base + c * stride + r] = values[i];
    }
  }
}
