import {
  type ColumnFacts,
  type DenseFeatures,
  type FeatureColumns,
  type FeatureMatrix,
  type Features,
  INFINITE_WAY_OUT,
  numQueries,
  queryText,
  type SparseFeatures,
  toDense,
} from '../core/feature-matrix.js';
import { checkFilledCells } from '../core/limits.js';
import { InputError } from '../core/problem.js';
import type { FeatureNormalisation, TrainingSet } from './ranker.js';
import { normaliseRows } from './scoring/normalise.js';

/** Ways of bringing features to a common scale, by the names that people choose them by. */
export const normalisationNames = ['query-sum', 'query-zscore', 'query-minmax', 'zscore', 'minmax'] as const;
/** The ways to bring features to a common scale. */
export type NormalisationName = (typeof normalisationNames)[number];

/** The features of a matrix, which must have been read with them. */
export function featuresOf(matrix: FeatureMatrix): Features {
  if (matrix.features === undefined) throw new InputError('the data was read without its features');
  return matrix.features;
}

/** The columns of a matrix, which must have been read with its features or their bins. */
function columnsOf(matrix: FeatureMatrix): FeatureColumns {
  return matrix.binned ?? featuresOf(matrix);
}

/** Finds the scale on the training data, where it is not found again for every query. A column without any spread becomes 0:
 *  nothing can have been learnt from it. Missing cells (NaN) count for nothing. */
export function fitNormalisation(matrix: FeatureMatrix, name: NormalisationName, missing = 0): FeatureNormalisation {
  if (name === 'query-sum') return { kind: 'query', method: 'sum' };
  if (name === 'query-zscore') return { kind: 'query', method: 'zscore' };
  if (name === 'query-minmax') return { kind: 'query', method: 'minmax' };
  const { values, numFeatures } = toDense(featuresOf(matrix), missing);
  const shift = new Float64Array(numFeatures);
  const factor = new Float64Array(numFeatures);
  const { count, sum, least, most } = columnFacts(values, numFeatures);
  if (name === 'minmax') {
    for (let c = 0; c < numFeatures; c++) {
      const range = most[c] - least[c];
      shift[c] = range > 0 ? least[c] : 0;
      factor[c] = range > 0 ? 1 / range : 0;
    }
    return { kind: 'global', method: name, shift, factor };
  }
  const squares = new Float64Array(numFeatures);
  for (let c = 0; c < numFeatures; c++) shift[c] = count[c] > 0 ? sum[c] / count[c] : 0;
  for (let i = 0; i < values.length; ) {
    for (let c = 0; c < numFeatures; c++, i++) if (!Number.isNaN(values[i])) squares[c] += (values[i] - shift[c]) ** 2;
  }
  for (let c = 0; c < numFeatures; c++) {
    const deviation = most[c] > least[c] ? Math.sqrt(squares[c] / (count[c] - 1)) : 0;
    factor[c] = deviation > 0 ? 1 / deviation : 0;
  }
  return { kind: 'global', method: name, shift, factor };
}

interface SummedFacts extends ColumnFacts {
  readonly sum: Float64Array;
}

/** The same of sparse rows, whose left-out cells have the value `missing`, or none if that is NaN. */
function sparseColumnFacts({ numFeatures, columns, values }: SparseFeatures, numRows: number, missing: number): SummedFacts {
  const facts = columnFacts(new Float64Array(0), numFeatures);
  const { count, sum, least, most } = facts;
  const given = new Uint32Array(numFeatures); // fits: entries
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    const c = columns[i];
    given[c]++;
    if (Number.isNaN(value)) continue;
    count[c]++;
    sum[c] += value;
    if (value < least[c]) least[c] = value;
    if (value > most[c]) most[c] = value;
  }
  for (let c = 0; c < numFeatures; c++) {
    if (given[c] === numRows || Number.isNaN(missing)) continue;
    count[c] += numRows - given[c];
    sum[c] += missing * (numRows - given[c]);
    least[c] = Math.min(least[c], missing);
    most[c] = Math.max(most[c], missing);
  }
  return facts;
}

function factsOf(features: Features, numRows: number, missing: number): ColumnFacts {
  return features.layout === 'dense' ? columnFacts(features.values, features.numFeatures) : sparseColumnFacts(features, numRows, missing);
}

function columnFacts(values: Float64Array | Float32Array, numFeatures: number): SummedFacts {
  const count = new Uint32Array(numFeatures); // fits: entries
  const sum = new Float64Array(numFeatures);
  const least = new Float64Array(numFeatures).fill(Infinity);
  const most = new Float64Array(numFeatures).fill(-Infinity);
  for (let i = 0; i < values.length; ) {
    for (let c = 0; c < numFeatures; c++, i++) {
      const value = values[i];
      if (Number.isNaN(value)) continue;
      count[c]++;
      sum[c] += value;
      if (value < least[c]) least[c] = value;
      if (value > most[c]) most[c] = value;
    }
  }
  return { count, sum, least, most };
}

/** The same documents with their features on the scale, as `scoreMatrix` brings them there when it uses the model. */
export function normaliseMatrix(matrix: FeatureMatrix, normalisation: FeatureNormalisation, missing = 0): FeatureMatrix {
  const dense = toDense(featuresOf(matrix), missing);
  const { numFeatures } = dense;
  const values = Float64Array.from(dense.values);
  if (normalisation.kind === 'global') normaliseRows(values, matrix.numRows, numFeatures, normalisation);
  else {
    for (let q = 0; q < numQueries(matrix); q++) {
      const from = matrix.queryOffsets[q];
      const to = matrix.queryOffsets[q + 1];
      normaliseRows(values.subarray(from * numFeatures, to * numFeatures), to - from, numFeatures, normalisation);
    }
  }
  return { ...matrix, features: { ...dense, values } };
}

/** The same documents, a cell that the input left out being missing (NaN) and not 0. */
export function withMissingCells(matrix: FeatureMatrix): TrainingSet {
  return { ...matrix, features: toDense(featuresOf(matrix), Number.NaN) };
}

/** Whether any value is missing, which some learners refuse. */
export function hasMissingCells(matrix: FeatureMatrix): boolean {
  if (matrix.binned !== undefined) return matrix.binned.facts.count.some((count) => count < matrix.numRows);
  const { values } = featuresOf(matrix);
  if (areFinite(values)) return false;
  // a loop without calls: there may be a hundred million cells
  for (let i = 0; i < values.length; i++) if (Number.isNaN(values[i])) return true;
  return false;
}

/** Other data with exactly the columns of the training data: columns by name where both have names, otherwise by id. Columns
 *  at the end that no line of the other data mentions are filled; features that the training data does not have are refused,
 *  because nothing could be learnt about them. */
export function withColumnsOf(matrix: FeatureMatrix, train: FeatureMatrix, role: string, missing = 0): TrainingSet {
  const features = featuresOf(matrix);
  const wanted = columnsOf(train);
  if (wanted.names !== undefined && features.names !== undefined) return { ...matrix, features: byName(features, wanted.names, role) };
  const shift = features.firstFeature - wanted.firstFeature;
  if (shift !== 0) {
    throw new InputError({
      message: `the ${role} data counts its features from ${features.firstFeature}, the training data from ${wanted.firstFeature}`,
      wayOut: 'number the features of all files alike',
    });
  }
  const last = (from: FeatureColumns): number => from.firstFeature + from.numFeatures - 1;
  if (features.numFeatures > wanted.numFeatures) {
    throw new InputError({
      message: `the ${role} data has features up to ${last(features)}, the training data up to ${last(wanted)}`,
      wayOut: 'check that the files have the same features; --num-features says how many there are where training documents lack some',
    });
  }
  if (features.numFeatures === wanted.numFeatures) return { ...matrix, features };
  if (features.layout === 'sparse') return { ...matrix, features: { ...features, numFeatures: wanted.numFeatures } };
  const { numRows } = matrix;
  checkFilledCells(numRows, wanted.numFeatures, features.values.length);
  const values = new Float64Array(numRows * wanted.numFeatures).fill(missing);
  for (let row = 0; row < numRows; row++) {
    values.set(features.values.subarray(row * features.numFeatures, (row + 1) * features.numFeatures), row * wanted.numFeatures);
  }
  return { ...matrix, features: { ...features, numFeatures: wanted.numFeatures, values } };
}

function byName(features: Features, names: readonly string[], role: string): DenseFeatures {
  const columns = names.map((name) => features.names?.indexOf(name) ?? -1);
  const absent = names.filter((_, c) => columns[c] < 0);
  if (absent.length > 0) {
    throw new InputError({
      message: `the ${role} data has no feature ${absent.slice(0, 5).join(', ')}${absent.length > 5 ? ` and ${absent.length - 5} more` : ''}, which the training data has`,
      wayOut: 'check that the files have the same columns',
    });
  }
  const dense = toDense(features, Number.NaN);
  const numRows = dense.values.length / dense.numFeatures;
  const values = new Float64Array(numRows * names.length);
  for (let row = 0; row < numRows; row++) {
    for (let c = 0; c < names.length; c++) values[row * names.length + c] = dense.values[row * dense.numFeatures + columns[c]];
  }
  return { ...dense, numFeatures: names.length, names, values };
}

/** Refuses numbers that no learner can use, and says where they are. */
export function checkData(matrix: FeatureMatrix, role: string): TrainingSet {
  const { labels, lines } = matrix;
  const features = matrix.binned === undefined ? featuresOf(matrix) : withoutCells(matrix.binned);
  if (features.numFeatures === 0)
    throw new InputError({ message: `the ${role} data has no features`, wayOut: 'check that it is a feature file' });
  const badLabel = labels.findIndex((label) => !Number.isFinite(label));
  if (badLabel >= 0)
    throw new InputError(`line ${lines[badLabel]} of the ${role} data has the label ${labels[badLabel]}, expected a finite number`);
  const infinite = infiniteCell(features);
  if (infinite !== undefined) {
    throw new InputError({
      message: `line ${lines[infinite.row]} of the ${role} data has an infinite feature`,
      wayOut: INFINITE_WAY_OUT,
    });
  }
  return { ...matrix, features };
}

/** The columns of binned features, as features of which no cell is there. */
function withoutCells({ numFeatures, firstFeature, numGiven, names }: FeatureColumns): DenseFeatures {
  return { layout: 'dense', numFeatures, firstFeature, numGiven, names, values: new Float64Array(0) };
}

/** Refuses features that a scale has made infinite: those that hardly differ in the training data, or that differ much more elsewhere. */
export function checkNormalised(matrix: FeatureMatrix, role: string, method: string): TrainingSet {
  const features = featuresOf(matrix);
  const infinite = infiniteCell(features);
  if (infinite !== undefined) {
    const { row, column } = infinite;
    const feature = features.names?.[column] ?? features.firstFeature + column;
    throw new InputError({
      message: `feature ${feature} differs so little in the training data that ${method} makes it infinite on line ${matrix.lines[row]} of the ${role} data`,
      wayOut: 'take the feature out, or normalise by query-minmax',
    });
  }
  return { ...matrix, features };
}

/** Where an infinite feature is; undefined if none is. */
function infiniteCell(features: Features): { readonly row: number; readonly column: number } | undefined {
  const { values, numFeatures } = features;
  if (areFinite(values)) return undefined;
  let cell = 0;
  while (cell < values.length && values[cell] !== Infinity && values[cell] !== -Infinity) cell++;
  if (cell === values.length) return undefined;
  if (features.layout === 'dense') return { row: Math.floor(cell / numFeatures), column: cell % numFeatures };
  return { row: features.rowOffsets.findIndex((offset) => offset > cell) - 1, column: features.columns[cell] };
}

/** Whether all are numbers and finite. Zero times anything else is NaN, which an addition does not lose; four sums at a time do not
 *  wait for one another. */
function areFinite(values: Float64Array | Float32Array): boolean {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  const whole = values.length - (values.length % 4);
  for (let i = 0; i < whole; i += 4) {
    a += values[i] * 0;
    b += values[i + 1] * 0;
    c += values[i + 2] * 0;
    d += values[i + 3] * 0;
  }
  for (let i = whole; i < values.length; i++) a += values[i] * 0;
  return a + b + c + d === 0;
}

/** What is worth knowing about data before it is trained on, one sentence each. */
export function notesOnData(matrix: FeatureMatrix, missing = 0): string[] {
  const notes: string[] = [];
  const { queryOffsets, labels } = matrix;
  const { numFeatures, firstFeature, names } = columnsOf(matrix);
  const { count, least, most } = matrix.binned?.facts ?? factsOf(featuresOf(matrix), matrix.numRows, missing);
  const idle: string[] = [];
  for (let c = 0; c < numFeatures; c++) {
    if (count[c] === 0 || (least[c] === most[c] && count[c] === matrix.numRows)) idle.push(names?.[c] ?? String(firstFeature + c));
  }
  if (idle.length > 0) notes.push(`${phrase(idle, 'feature')} the same for every document, and cannot tell documents apart`);
  const single: string[] = [];
  const equal: string[] = [];
  for (let q = 0; q < numQueries(matrix); q++) {
    const from = queryOffsets[q];
    const to = queryOffsets[q + 1];
    if (to - from === 1) single.push(queryText(matrix, q));
    else if (labels.subarray(from, to).every((label) => label === labels[from])) equal.push(queryText(matrix, q));
  }
  if (single.length > 0) notes.push(`${countOf(single, 'query', 'queries')} of one document, which no ranking can change`);
  if (equal.length > 0) notes.push(`${countOf(equal, 'query', 'queries')} whose documents all have the same label, and teach nothing`);
  return notes;
}

function phrase(names: readonly string[], noun: string): string {
  const shown = names.slice(0, 5).join(', ');
  if (names.length === 1) return `${noun} ${shown} is`;
  return `${names.length} ${noun}s (${shown}${names.length > 5 ? ', …' : ''}) are`;
}

function countOf(names: readonly string[], one: string, many: string): string {
  return names.length === 1
    ? `1 ${one} (${names[0]})`
    : `${names.length} ${many} (${names.slice(0, 5).join(', ')}${names.length > 5 ? ', …' : ''})`;
}
