import type { FeatureNormalisation } from '../ranker.js';

/** Brings rows side by side in cells to a common scale, in place. Missing cells (NaN) stay missing and count for nothing.
 *  With a normalisation by query the rows must be those of one query. */
export function normaliseRows(cells: Float64Array, numRows: number, numFeatures: number, normalisation: FeatureNormalisation): void {
  if (normalisation.kind === 'global') {
    const { shift, factor } = normalisation;
    for (let row = 0, i = 0; row < numRows; row++) {
      for (let column = 0; column < numFeatures; column++, i++) cells[i] = (cells[i] - shift[column]) * factor[column];
    }
    return;
  }
  for (let column = 0; column < numFeatures; column++) normaliseColumn(cells, numRows, numFeatures, column, normalisation.method);
}

/** As RankLib does it: a deviation over n - 1, a column without any spread left alone (zscore) or made 0 (minmax). */
function normaliseColumn(cells: Float64Array, numRows: number, width: number, column: number, method: 'zscore' | 'minmax' | 'sum'): void {
  const end = numRows * width;
  let count = 0;
  let sum = 0;
  let sizes = 0;
  let least = Infinity;
  let most = -Infinity;
  for (let i = column; i < end; i += width) {
    const value = cells[i];
    if (Number.isNaN(value)) continue;
    count++;
    sum += value;
    sizes += Math.abs(value);
    if (value < least) least = value;
    if (value > most) most = value;
  }
  if (method === 'sum') {
    if (sizes > 0) for (let i = column; i < end; i += width) cells[i] /= sizes;
    return;
  }
  if (method === 'minmax') {
    const range = most - least;
    for (let i = column; i < end; i += width) if (!Number.isNaN(cells[i])) cells[i] = range > 0 ? (cells[i] - least) / range : 0;
    return;
  }
  const mean = sum / count;
  let squares = 0;
  for (let i = column; i < end; i += width) if (!Number.isNaN(cells[i])) squares += (cells[i] - mean) ** 2;
  const deviation = Math.sqrt(squares / (count - 1));
  if (deviation > 0) for (let i = column; i < end; i += width) cells[i] = (cells[i] - mean) / deviation;
}
