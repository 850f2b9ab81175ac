import type { Features } from '../../core/feature-matrix.js';
import { findEdges, MAX_BINS } from './bin-edges.js';
import { copyColumns } from './cells.js';
import { JOB } from './job-control.js';
import type { JobRunner } from './job-runner.js';
import { BLOCK_ROWS, GROUP, type Layout } from './layout.js';
import { DoubleSorter } from './sort-doubles.js';
import type { TreeThread } from './tree-thread.js';

/** What is put into bins. Plain data: threads that share its memory can help. */
export interface CellSource {
  readonly training: Features;
  readonly validation: Features | undefined;
  /** Rows of the training data that the edges of bins are found from. */
  readonly sample: Uint32Array;
  readonly maxValueBins: number;
}

/** Rows that the edges of bins are found from: enough to place 254 edges well. */
const SAMPLE_ROWS = 1 << 16;
/** Sampled cells of sparse data that are held at a time: every time all of them have to be gone through. */
const SAMPLE_CELLS = 1 << 20;
/** Blocks of rows that make one part of the work, and cells for which it does not pay to call others. */
const BLOCKS_PER_PART = 8;
const FEW_CELLS = 1 << 16;

/** Rows evenly spaced among those that teach.
 *  @param shared  in memory that other threads see */
export function sampleOf(rows: Uint32Array, shared: boolean): Uint32Array {
  const count = Math.min(rows.length, SAMPLE_ROWS);
  const sample = new Uint32Array(shared ? new SharedArrayBuffer(count * 4) : new ArrayBuffer(count * 4)); // fits: entries
  for (let i = 0; i < count; i++) sample[i] = rows[Math.floor((i * rows.length) / count)];
  return sample;
}

/** How many features a part of the work on edges has. */
function featuresPerPart({ training, sample }: CellSource): number {
  return training.layout === 'dense' ? GROUP : Math.max(1, Math.floor(SAMPLE_CELLS / Math.max(1, sample.length)));
}

/** Finds the edges of all features, and how many bins each has: one for missing values, and one more than edges.
 *  @param alone  whether no other thread sees the data */
export function findAllEdges(runner: JobRunner, { layout, reals }: TreeThread, source: CellSource, alone: boolean): Float64Array[] {
  const { numFeatures, numBins } = layout;
  const isSmall = alone || source.sample.length * numFeatures < FEW_CELLS;
  runner.run(JOB.edges, Math.ceil(numFeatures / featuresPerPart(source)), isSmall);
  return Array.from({ length: numFeatures }, (_, f) => {
    const at = layout.edges / 8 + f * MAX_BINS;
    return reals.slice(at, at + numBins[f] - 2);
  });
}

/** One part of that: writes edges where the kernel reads them. */
export function findSomeEdges(source: CellSource, { layout, reals }: TreeThread, part: number): void {
  const { training, sample, maxValueBins } = source;
  const count = sample.length;
  const from = part * featuresPerPart(source);
  const to = Math.min(from + featuresPerPart(source), layout.numFeatures);
  const cells = new Float64Array((to - from) * count);
  copyColumns(training, sample, count, from, to, cells, 0, count);
  const sorter = new DoubleSorter();
  for (let f = from; f < to; f++) {
    const values = cells.subarray((f - from) * count, (f - from + 1) * count);
    const given = values.subarray(0, withoutNaN(values));
    sorter.sort(given);
    const edges = findEdges(given, maxValueBins);
    const at = layout.edges / 8 + f * MAX_BINS;
    reals.fill(Infinity, at, at + MAX_BINS);
    reals.set(edges, at);
    layout.numBins[f] = edges.length + 2;
  }
}

/** Moves the numbers that are not NaN to the front; tells how many they are. */
function withoutNaN(values: Float64Array): number {
  let given = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (!Number.isNaN(value)) values[given++] = value;
  }
  return given;
}

/** Where a data set is, and where its bins go. */
function target(source: CellSource, layout: Layout, isValidation: boolean) {
  return isValidation
    ? { features: source.validation, numRows: layout.numValidationRows, bins: layout.validationBins }
    : { features: source.training, numRows: layout.numRows, bins: layout.bins };
}

/** Puts every cell of a data set into its bin.
 *  @param alone  whether no other thread sees the data */
export function binAll(runner: JobRunner, thread: TreeThread, source: CellSource, isValidation: boolean, alone: boolean): void {
  const { control, layout } = thread;
  const { features, numRows } = target(source, layout, isValidation);
  if (features === undefined) return;
  const numBlocks = Math.ceil(numRows / BLOCK_ROWS);
  control.bin.isValidation.value = isValidation ? 1 : 0;
  runner.run(JOB.bin, Math.ceil(numBlocks / BLOCKS_PER_PART), alone || numRows * layout.numFeatures < FEW_CELLS);
}

/** One part of that. */
export function binSome(source: CellSource, thread: TreeThread, part: number): void {
  const { control, layout } = thread;
  const { features, numRows, bins } = target(source, layout, control.bin.isValidation.value === 1);
  if (features === undefined) return;
  for (let block = part * BLOCKS_PER_PART; block < (part + 1) * BLOCKS_PER_PART && block * BLOCK_ROWS < numRows; block++) {
    thread.bin(features, block, numRows, bins);
  }
}
