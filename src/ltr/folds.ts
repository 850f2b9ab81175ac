import { type FeatureMatrix, type Features, numQueries, type RowTexts } from '../core/feature-matrix.js';
import { seededRandom, shuffleInPlace } from '../core/numbers/random.js';
import { InputError } from '../core/problem.js';

/** Queries to train on, and queries to test on, by their numbers in the data. */
export interface Fold {
  readonly train: Uint32Array;
  readonly test: Uint32Array;
}

/** Cuts queries into k parts, each of which is once the one to test on. Without a seed the parts are stretches of the data
 *  in its own order, equally long but for the last, which has the remainder: as RankLib cuts. With a seed the queries are
 *  shuffled first, and sizes differ by one at most. */
export function foldsOf(numberOfQueries: number, k: number, seed?: number): Fold[] {
  if (!(Number.isInteger(k) && k >= 2)) throw new InputError({ message: `folds must be a whole number from 2, found ${k}` });
  if (numberOfQueries < k) {
    throw new InputError({ message: `${numberOfQueries} queries cannot be cut into ${k} folds`, wayOut: 'ask for fewer folds' });
  }
  const queries = Uint32Array.from({ length: numberOfQueries }, (_, q) => q); // fits: entries
  if (seed !== undefined) shuffleInPlace(seededRandom(seed), queries);
  const cut = (fold: number): number =>
    seed !== undefined ? Math.round((fold * numberOfQueries) / k) : fold === k ? numberOfQueries : fold * Math.floor(numberOfQueries / k);
  return Array.from({ length: k }, (_, fold) => {
    const test = queries.slice(cut(fold), cut(fold + 1)).sort();
    const isTest = new Uint8Array(numberOfQueries); // fits: flags
    for (const q of test) isTest[q] = 1;
    return { train: Uint32Array.from({ length: numberOfQueries }, (_, q) => q).filter((q) => isTest[q] === 0), test }; // fits: entries
  });
}

/** Cuts the data in two, the first part holding this share of the queries: with a seed of shuffled ones, otherwise the first. */
export function splitQueries(matrix: FeatureMatrix, share: number, seed?: number): { first: FeatureMatrix; rest: FeatureMatrix } {
  const all = numQueries(matrix);
  const size = Math.floor(all * share);
  if (size < 1 || size >= all) {
    throw new InputError({
      message: `found ${all} ${all === 1 ? 'query' : 'queries'} to cut into parts of ${size} and ${all - size}, and neither may be empty`,
      wayOut: all < 2 ? 'add queries' : 'take another share, between 0 and 1',
    });
  }
  const queries = Uint32Array.from({ length: all }, (_, q) => q); // fits: entries
  if (seed !== undefined) shuffleInPlace(seededRandom(seed), queries);
  return { first: selectQueries(matrix, queries.slice(0, size).sort()), rest: selectQueries(matrix, queries.slice(size).sort()) };
}

/** The data of some queries, in the order given. Ids and columns are shared with the whole. */
export function selectQueries(matrix: FeatureMatrix, queries: Uint32Array): FeatureMatrix {
  const { queryOffsets, records, comments, features } = matrix;
  const offsets = new Uint32Array(queries.length + 1); // fits: entries
  queries.forEach((q, i) => {
    offsets[i + 1] = offsets[i] + queryOffsets[q + 1] - queryOffsets[q];
  });
  const numRows = offsets[queries.length];
  const rows = new Uint32Array(numRows); // fits: entries
  queries.forEach((q, i) => {
    for (let row = queryOffsets[q], at = offsets[i]; row < queryOffsets[q + 1]; row++, at++) rows[at] = row;
  });
  return {
    numRows,
    numRecords: matrix.numRecords,
    queryOffsets: offsets,
    queries: matrix.queries,
    queryOf: queries.map((q) => matrix.queryOf[q]),
    labels: Float64Array.from(rows, (row) => matrix.labels[row]),
    lines: rows.map((row) => matrix.lines[row]),
    records: rows.map((row) => (records === undefined ? row : records[row])),
    comments: comments && textsOf(comments, rows),
    features: features && rowsOf(features, rows),
  };
}

function textsOf({ bytes, offsets }: RowTexts, rows: Uint32Array): RowTexts {
  const taken = new Uint32Array(rows.length + 1); // fits: entries
  rows.forEach((row, i) => {
    taken[i + 1] = taken[i] + offsets[row + 1] - offsets[row];
  });
  const text = new Uint8Array(taken[rows.length]);
  rows.forEach((row, i) => {
    text.set(bytes.subarray(offsets[row], offsets[row + 1]), taken[i]);
  });
  return { bytes: text, offsets: taken };
}

function rowsOf(features: Features, rows: Uint32Array): Features {
  const { numFeatures, firstFeature, names, values } = features;
  const Cells = values instanceof Float32Array ? Float32Array : Float64Array;
  if (features.layout === 'dense') {
    const cells = new Cells(rows.length * numFeatures);
    rows.forEach((row, i) => {
      cells.set(values.subarray(row * numFeatures, (row + 1) * numFeatures), i * numFeatures);
    });
    return { layout: 'dense', numFeatures, firstFeature, numGiven: cells.length, names, values: cells };
  }
  const rowOffsets = new Uint32Array(rows.length + 1); // fits: entries
  rows.forEach((row, i) => {
    rowOffsets[i + 1] = rowOffsets[i] + features.rowOffsets[row + 1] - features.rowOffsets[row];
  });
  const numGiven = rowOffsets[rows.length];
  const columns = new Uint32Array(numGiven); // fits: entries
  const cells = new Cells(numGiven);
  rows.forEach((row, i) => {
    columns.set(features.columns.subarray(features.rowOffsets[row], features.rowOffsets[row + 1]), rowOffsets[i]);
    cells.set(values.subarray(features.rowOffsets[row], features.rowOffsets[row + 1]), rowOffsets[i]);
  });
  return { layout: 'sparse', numFeatures, firstFeature, numGiven, names, rowOffsets, columns, values: cells };
}
