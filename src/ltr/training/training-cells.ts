import { checkFilledCells } from '../../core/limits.js';
import { InputError } from '../../core/problem.js';
import type { TrainingSet } from '../ranker.js';

/** Documents as learners see them that look at every cell: each is a finite number, row by row. Cells that the input left out
 *  or gave as NaN are 0, which is also what the models of these learners say about missing features. */
export interface TrainingCells {
  readonly numRows: number;
  readonly numQueries: number;
  readonly numFeatures: number;
  readonly firstFeature: number;
  readonly featureNames: readonly string[] | undefined;
  readonly queryOffsets: Uint32Array;
  readonly labels: Float64Array;
  /** Column c of row r is cells[r * numFeatures + c]. */
  readonly cells: Float64Array;
}

/** The cells of all documents, those that are left out too. */
export function cellsOf({ features, numRows, labels, queryOffsets }: TrainingSet): TrainingCells {
  const { numFeatures, firstFeature } = features;
  checkFilledCells(numRows, numFeatures, features.layout === 'dense' ? features.values.length : features.numGiven);
  const cells = new Float64Array(numRows * numFeatures);
  if (features.layout === 'dense') copyNumbers(features.values, cells);
  else {
    const { rowOffsets, columns, values } = features;
    for (let row = 0; row < numRows; row++) {
      for (let i = rowOffsets[row]; i < rowOffsets[row + 1]; i++) {
        const value = values[i];
        if (!Number.isNaN(value)) cells[row * numFeatures + columns[i]] = value;
      }
    }
  }
  return {
    numRows,
    numQueries: queryOffsets.length - 1,
    numFeatures,
    firstFeature,
    featureNames: features.names,
    queryOffsets,
    labels,
    cells,
  };
}

/** Copies all but NaN, which becomes 0. */
function copyNumbers(from: Float64Array | Float32Array, to: Float64Array): void {
  for (let i = 0; i < to.length; i++) {
    const value = from[i];
    to[i] = Number.isNaN(value) ? 0 : value;
  }
}

/** The same cells column by column: row r of column c is at c * numRows + r. */
export function columnsOf({ cells, numRows, numFeatures }: TrainingCells): Float64Array {
  const columns = new Float64Array(cells.length);
  for (let row = 0; row < numRows; row++) {
    const base = row * numFeatures;
    for (let c = 0; c < numFeatures; c++) columns[c * numRows + row] = cells[base + c];
  }
  return columns;
}

/** scores[r] = bias + sum of weights[c] * cell (r, c), added from column 0 on, as models do it. */
export function linearScores(data: TrainingCells, weights: Float64Array, scores: Float64Array, bias = 0): void {
  const { cells, numRows, numFeatures } = data;
  for (let row = 0, i = 0; row < numRows; row++) {
    let score = bias;
    for (let c = 0; c < numFeatures; c++) score += weights[c] * cells[i++];
    scores[row] = score;
  }
}

/** A common scale for features: (value - shift) * factor has mean 0 and deviation 1 over the training documents. A feature
 *  that never changes gets the factor 0, so that it teaches nothing. */
export interface Scale {
  readonly shift: Float64Array;
  readonly factor: Float64Array;
}

/** What brings each feature to mean 0 and deviation 1; a constant one becomes 0. */
export function standardScale({ cells, numRows, numFeatures }: TrainingCells): Scale {
  const shift = new Float64Array(numFeatures);
  const factor = new Float64Array(numFeatures);
  for (let c = 0; c < numFeatures; c++) {
    let sum = 0;
    for (let i = c; i < cells.length; i += numFeatures) sum += cells[i];
    const mean = sum / numRows;
    let squares = 0;
    for (let i = c; i < cells.length; i += numFeatures) squares += (cells[i] - mean) ** 2;
    const deviation = Math.sqrt(squares / numRows);
    shift[c] = mean;
    // differences that are only rounding of the mean are no differences
    factor[c] = deviation > 1e-12 * Math.abs(mean) ? 1 / deviation : 0;
  }
  return { shift, factor };
}

/** The scale that leaves everything as it is. */
export function noScale(numFeatures: number): Scale {
  return { shift: new Float64Array(numFeatures), factor: new Float64Array(numFeatures).fill(1) };
}

/** A copy of the data on another scale. */
export function scaled(data: TrainingCells, { shift, factor }: Scale): TrainingCells {
  const { numFeatures } = data;
  const cells = new Float64Array(data.cells.length);
  for (let i = 0; i < cells.length; ) {
    for (let c = 0; c < numFeatures; c++, i++) cells[i] = (data.cells[i] - shift[c]) * factor[c];
  }
  return { ...data, cells };
}

/** The columns of which any cell is not 0, ascending: no others can matter to what is a sum of weighted cells. */
export function usedColumns({ cells, numFeatures }: TrainingCells): Uint32Array {
  const isUsed = new Uint8Array(numFeatures); // fits: flags
  for (let i = 0; i < cells.length; ) {
    for (let c = 0; c < numFeatures; c++, i++) if (cells[i] !== 0) isUsed[c] = 1;
  }
  return Uint32Array.from([...isUsed.keys()].filter((c) => isUsed[c] === 1)); // fits: entries
}

/** The cells of these columns only. */
export function cellsOfColumns({ cells, numRows, numFeatures }: TrainingCells, columns: Uint32Array): Float64Array {
  const kept = new Float64Array(numRows * columns.length);
  for (let row = 0, i = 0; row < numRows; row++) {
    for (let k = 0; k < columns.length; k++) kept[i++] = cells[row * numFeatures + columns[k]];
  }
  return kept;
}

/** The queries named, in this order. */
export function queriesOf(data: TrainingCells, queries: readonly number[]): TrainingCells {
  const { numFeatures } = data;
  const sizes = queries.map((q) => data.queryOffsets[q + 1] - data.queryOffsets[q]);
  const numRows = sizes.reduce((sum, size) => sum + size, 0);
  const queryOffsets = new Uint32Array(queries.length + 1); // fits: entries
  const labels = new Float64Array(numRows);
  const cells = new Float64Array(numRows * numFeatures);
  queries.forEach((q, at) => {
    const from = data.queryOffsets[q];
    const to = data.queryOffsets[q + 1];
    labels.set(data.labels.subarray(from, to), queryOffsets[at]);
    cells.set(data.cells.subarray(from * numFeatures, to * numFeatures), queryOffsets[at] * numFeatures);
    queryOffsets[at + 1] = queryOffsets[at] + to - from;
  });
  return { ...data, numRows, numQueries: queries.length, queryOffsets, labels, cells };
}

/** 1 for each query with documents of different labels: only those hold pairs of which one is to come first. */
export function queriesWithPairs({ labels, queryOffsets, numQueries }: TrainingCells): Uint8Array {
  const holdsPairs = new Uint8Array(numQueries); // fits: flags
  for (let q = 0; q < numQueries; q++) {
    for (let row = queryOffsets[q] + 1; row < queryOffsets[q + 1]; row++) {
      if (labels[row] !== labels[row - 1]) holdsPairs[q] = 1;
    }
  }
  return holdsPairs;
}

/** Refuses data of which nothing can be learnt. */
export function requireTeaching(teaches: Uint8Array, why: string): void {
  if (teaches.includes(1)) return;
  throw new InputError({ message: `the training data teach nothing: ${why}`, wayOut: 'give queries with documents of different labels' });
}

/** What pairwise learners say to data that holds no pair to learn from. */
export const NO_PAIRS = 'no query has two documents with different labels';
