import type { BinnedFeatures, FeatureColumns, Features } from '../../core/feature-matrix.js';
import { InputError } from '../../core/problem.js';
import type { Model } from '../ranker.js';
import type { NarrowModel } from './narrow.js';

/** LightGBM's kZeroThreshold, a 32-bit float: what is not further from zero than this counts as zero. */
export const ZERO_SIZE: number = Math.fround(1e-35);

/** What stands for a feature that the data does not give. */
export function leftOutValue({ missing, leftOut = missing }: Model): number {
  return leftOut;
}

/** Where the features of a model are found in the data: column c of the data is column target[c] of the model, or none of
 *  its business if that is negative. */
export function columnTargets(model: Model, features: FeatureColumns): Int32Array {
  const { featureNames } = model;
  const targets = new Int32Array(features.numFeatures).fill(-1); // fits: columns, at most limits.features, or -1
  if (featureNames !== undefined && features.names !== undefined) {
    const columnOf = new Map(features.names.map((name, column) => [name, column]));
    const absent = featureNames.filter((name) => !columnOf.has(name));
    if (absent.length > 0) {
      throw new InputError({
        message: `the data has no feature ${absent.slice(0, 5).join(', ')}${absent.length > 5 ? ` and ${absent.length - 5} others` : ''}, which the model was trained on`,
        wayOut: 'name the columns as in the training data',
      });
    }
    featureNames.forEach((name, target) => {
      targets[columnOf.get(name)!] = target;
    });
    return targets;
  }
  const shift = features.firstFeature - model.firstFeature;
  let found = 0;
  for (let column = 0; column < targets.length; column++) {
    const target = column + shift;
    if (target < 0 || target >= model.numFeatures) continue;
    targets[column] = target;
    found++;
  }
  if (found === 0 && model.numFeatures > 0 && features.numFeatures > 0) {
    throw new InputError({
      message: `the data has features ${span(features)}, the model was trained on ${span(model)}, and they have none in common`,
      wayOut: 'check that the model and the data belong together',
    });
  }
  return targets;
}

function span({ firstFeature, numFeatures }: { readonly firstFeature: number; readonly numFeatures: number }): string {
  return `${firstFeature} to ${firstFeature + numFeatures - 1}`;
}

/** Copies rows of the data into cells as a model wants them: its own columns in its own order, what is absent filled. */
export class RowReader {
  private readonly features: Features | undefined;
  private readonly binned: BinnedFeatures | undefined;
  private readonly targets: Int32Array;
  private readonly width: number;
  private readonly missing: number;
  private readonly leftOut: number;
  private readonly single: boolean;
  private readonly zeroIsMissing: boolean;
  /** The columns of the data are those of the model, in the same places. */
  private readonly straight: boolean;

  /** @param narrow  the model without the features that it does not use, if rows are wanted for that */
  constructor(model: Model, data: Features | BinnedFeatures, narrow?: NarrowModel) {
    this.features = 'edges' in data ? undefined : data;
    this.binned = 'edges' in data ? data : undefined;
    const targets = columnTargets(model, data);
    this.targets = narrow === undefined ? targets : targets.map((target) => (target < 0 ? target : narrow.columnOf[target]));
    this.width = narrow?.model.numFeatures ?? model.numFeatures;
    this.missing = model.missing;
    this.leftOut = leftOutValue(model);
    this.single = model.inputs === 'float32' && !(this.features?.values instanceof Float32Array);
    this.zeroIsMissing = model.scorer.kind === 'trees' && model.scorer.zeroIsMissing === true;
    this.straight = data.numFeatures === this.width && this.targets.every((target, column) => target === column);
  }

  /** Fills cells with the rows from start to end, side by side, and says whether any cell is missing (NaN). */
  read(start: number, end: number, cells: Float64Array): boolean {
    const { features, width, leftOut } = this;
    const used = cells.subarray(0, (end - start) * width);
    if (features?.layout === 'dense' && this.straight) used.set(features.values.subarray(start * width, end * width));
    else {
      used.fill(leftOut);
      if (features === undefined) this.copyBinned(start, end, used);
      else if (features.layout === 'dense') this.copyDense(start, end, used);
      else this.copySparse(start, end, used);
    }
    return this.finish(used);
  }

  private copyDense(start: number, end: number, cells: Float64Array): void {
    const { features, targets, width } = this;
    if (features === undefined) return;
    const { values, numFeatures } = features;
    for (let row = start; row < end; row++) {
      const from = row * numFeatures;
      const to = (row - start) * width;
      for (let column = 0; column < numFeatures; column++) {
        const target = targets[column];
        if (target >= 0) cells[to + target] = values[from + column];
      }
    }
  }

  private copySparse(start: number, end: number, cells: Float64Array): void {
    const { features, targets, width } = this;
    if (features?.layout !== 'sparse') return;
    const { rowOffsets, columns, values } = features;
    for (let row = start; row < end; row++) {
      const to = (row - start) * width;
      for (let i = rowOffsets[row]; i < rowOffsets[row + 1]; i++) {
        const target = targets[columns[i]];
        if (target >= 0) cells[to + target] = values[i];
      }
    }
  }

  /** For each cell a value of its bin: the greatest that the bin can hold, or the greatest of the column. */
  private copyBinned(start: number, end: number, cells: Float64Array): void {
    const { binned, targets, width } = this;
    if (binned === undefined) return;
    const { address, stride, numFeatures, edges, facts } = binned;
    const bins = new Uint8Array(binned.memory.buffer, address);
    for (let row = start; row < end; row++) {
      const to = (row - start) * width;
      for (let column = 0; column < numFeatures; column++) {
        const target = targets[column];
        if (target < 0) continue;
        const bin = bins[row * stride + column];
        cells[to + target] = bin === 0 ? Number.NaN : bin <= edges[column].length ? edges[column][bin - 1] : facts.most[column];
      }
    }
  }

  private finish(cells: Float64Array): boolean {
    if (this.single) for (let i = 0; i < cells.length; i++) cells[i] = Math.fround(cells[i]);
    if (this.zeroIsMissing) {
      for (let i = 0; i < cells.length; i++) if (Math.abs(cells[i]) <= ZERO_SIZE) cells[i] = Number.NaN;
    }
    const { missing } = this;
    if (!Number.isNaN(missing) && !this.zeroIsMissing) {
      for (let i = 0; i < cells.length; i++) if (Number.isNaN(cells[i])) cells[i] = missing;
      return false;
    }
    let someMissing = false;
    for (let i = 0; i < cells.length; i++) if (Number.isNaN(cells[i])) someMissing = true;
    return someMissing;
  }
}
