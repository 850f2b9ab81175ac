import type { FeatureMatrix, Features } from '../../core/feature-matrix.js';
import { InputError } from '../../core/problem.js';

/** The columns of a data set as a model numbers them. */
export interface FeatureColumns {
  readonly features: Features;
  /** Column c of the model is column c - shift of the data. */
  readonly shift: number;
  readonly numColumns: number;
}

/** Whether threads see the cells where they are. */
export function areShared({ features }: FeatureColumns): boolean {
  if (typeof SharedArrayBuffer === 'undefined') return false;
  const arrays = features.layout === 'dense' ? [features.values] : [features.values, features.columns, features.rowOffsets];
  return arrays.every(({ buffer }) => buffer instanceof SharedArrayBuffer);
}

/** Rows whose cells stay in the nearest cache while one column after the other is copied. */
const BLOCK = 64;

/** Copies cells of some rows column by column, 0 where the data give none: row r of column c (both counted from the first) goes to
 *  target[start + c * stride + r]. `rowAt` says which row of the data is the r-th. Tells where it met an infinite value, the
 *  last of them, as row * numColumns + column, or -1. */
export function copyColumns(
  { features, shift, numColumns }: FeatureColumns,
  rowAt: Uint32Array | number,
  numRows: number,
  fromColumn: number,
  toColumn: number,
  target: Float64Array,
  start: number,
  stride: number,
): number {
  let infinite = -1;
  const width = features.numFeatures;
  const { values } = features;
  const isList = typeof rowAt !== 'number';
  const base = start - fromColumn * stride;
  if (features.layout === 'dense') {
    const from = Math.max(fromColumn, shift);
    const to = Math.min(toColumn, shift + width);
    for (let c = fromColumn; c < toColumn; c++) if (c < from || c >= to) target.fill(0, base + c * stride, base + c * stride + numRows);
    const starts = new Float64Array(BLOCK);
    for (let first = 0; first < numRows; first += BLOCK) {
      const count = Math.min(BLOCK, numRows - first);
      for (let r = 0; r < count; r++) starts[r] = (isList ? rowAt[first + r] : rowAt + first + r) * width - shift;
      for (let c = from; c < to; c++) {
        const to_ = base + c * stride + first;
        for (let r = 0; r < count; r++) {
          const value = values[starts[r] + c];
          target[to_ + r] = value;
          if (value === Infinity || value === -Infinity) infinite = Math.max(infinite, ((starts[r] + shift) / width) * numColumns + c);
        }
      }
    }
    return infinite;
  }
  const { rowOffsets, columns } = features;
  for (let c = fromColumn; c < toColumn; c++) target.fill(0, base + c * stride, base + c * stride + numRows);
  for (let r = 0; r < numRows; r++) {
    const row = isList ? rowAt[r] : rowAt + r;
    for (let i = rowOffsets[row]; i < rowOffsets[row + 1]; i++) {
      const c = columns[i] + shift;
      if (c < fromColumn || c >= toColumn) continue;
      const value = values[i];
      target[base + c * stride + r] = value;
      if (value === Infinity || value === -Infinity) infinite = row * numColumns + c;
    }
  }
  return infinite;
}

/** Refuses data with an infinite value, and names its line; nothing happens if `cell` is below 0, which is none. */
export function refuseInfinite(matrix: FeatureMatrix, role: string, cell: number, numColumns: number, firstFeature: number): void {
  if (cell < 0) return;
  const row = Math.floor(cell / numColumns);
  throw new InputError({
    message: `line ${matrix.lines[row]} of the ${role} data has an infinite value as feature ${firstFeature + (cell % numColumns)}, expected a finite number`,
    wayOut: 'replace infinite values, or leave them out to make them missing',
  });
}

/** The training data as columns of the model. */
export function trainingColumns(matrix: FeatureMatrix): FeatureColumns {
  const features = featuresOf(matrix, 'training');
  return { features, shift: 0, numColumns: features.numFeatures };
}

/** The validation data in the columns of the training data. */
export function validationColumns(matrix: FeatureMatrix, train: FeatureColumns): FeatureColumns {
  const features = featuresOf(matrix, 'validation');
  const trained = train.features;
  const last = features.firstFeature + features.numFeatures - 1;
  const lastTrained = trained.firstFeature + trained.numFeatures - 1;
  if (features.layout === 'dense' && (last > lastTrained || features.firstFeature < trained.firstFeature)) {
    throw new InputError({
      message: `the validation data have features ${features.firstFeature} to ${last}, the training data ${trained.firstFeature} to ${lastTrained}`,
      wayOut: 'give validation data with the same features',
    });
  }
  const stranger = features.names?.findIndex((name, c) => trained.names !== undefined && name !== trained.names[c]) ?? -1;
  if (stranger >= 0) {
    throw new InputError({
      message: `column ${stranger + 1} is '${features.names?.[stranger]}' in the validation data and '${trained.names?.[stranger] ?? 'not there'}' in the training data`,
      wayOut: 'give validation data with the same features in the same order',
    });
  }
  return { features, shift: features.firstFeature - trained.firstFeature, numColumns: train.numColumns };
}

function featuresOf(matrix: FeatureMatrix, role: string): Features {
  const { features, labels } = matrix;
  if (features === undefined) throw new InputError(`the ${role} data were read without their features`);
  if (matrix.numRows === 0) throw new InputError({ message: `the ${role} data hold no documents`, wayOut: 'check the file' });
  if (features.numFeatures === 0) throw new InputError({ message: `the ${role} data hold no features`, wayOut: 'check the file' });
  const bad = labels.findIndex((label) => !Number.isFinite(label));
  if (bad >= 0) {
    throw new InputError({
      message: `line ${matrix.lines[bad]} of the ${role} data has the label ${labels[bad]}, expected a finite number`,
      wayOut: 'correct or remove the line',
    });
  }
  return features;
}
