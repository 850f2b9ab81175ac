import type { Features } from '../../core/feature-matrix.js';
import { findEdges, MAX_BINS } from './bin-edges.js';
import { lightgbmEdges } from './bins/lightgbm-edges.js';
import { copyColumns } from './cells.js';
import { JOB } from './job-control.js';
import type { JobRunner } from './job-runner.js';
import { BLOCK_ROWS, GROUP, type Layout } from './layout.js';
import { DoubleSorter } from './sort-doubles.js';
import type { TreeThread } from './tree-thread.js';

/** What is put into bins. Plain data: threads that share its memory can help. */
export interface CellSource {
  /** Undefined where they are in bins already. */
  readonly training: Features | undefined;
  readonly validation: Features | undefined;
  /** Rows of the training data that the edges of bins are found from. */
  readonly sample: Uint32Array;
  readonly maxValueBins: number;
  readonly binning: BinRule;
}

/** Where bins end. */
export interface BinRule {
  readonly rule: 'even' | 'lightgbm';
  /** Documents of a bin at least, where that is a part of the rule. */
  readonly minDocs: number;
}

/** Rows that the edges of bins are found from: enough to place 254 edges well. */
export const SAMPLE_ROWS: number = 1 << 16;
/** Sampled cells of sparse data that are held at a time: every time all of them have to be gone through. */
const SAMPLE_CELLS = 1 << 20;
/** Blocks of rows that make one part of the work, and cells for which it does not pay to call others. */
const BLOCKS_PER_PART = 8;
const FEW_CELLS = 1 << 16;

/** Every how manieth row the edges are found from: a power of two, so that it can be found out while rows are counted. */
export function sampleStep(numRows: number): number {
  let step = 1;
  while (Math.ceil(numRows / step) > SAMPLE_ROWS) step *= 2;
  return step;
}

/** The rows that edges are found from: of few rows those that teach, of many evenly spaced ones.
 *  @param teaching  the rows that teach
 *  @param numRows   how many rows there are
 *  @param shared    in memory that other threads see */
export function sampleOf(teaching: Uint32Array, numRows: number, shared: boolean): Uint32Array {
  const step = sampleStep(numRows);
  const count = step === 1 ? teaching.length : Math.ceil(numRows / step);
  const sample = new Uint32Array(shared ? new SharedArrayBuffer(count * 4) : new ArrayBuffer(count * 4)); // fits: entries
  for (let i = 0; i < count; i++) sample[i] = step === 1 ? teaching[i] : i * step;
  return sample;
}

/** How many features a part of the work on edges has. */
function featuresPerPart({ training, sample }: CellSource): number {
  return training?.layout === 'dense' ? GROUP : Math.max(1, Math.floor(SAMPLE_CELLS / Math.max(1, sample.length)));
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

/** Takes edges that are known for those of the training data. */
export function placeEdges({ layout, reals }: TreeThread, edges: readonly Float64Array[]): readonly Float64Array[] {
  edges.forEach((ofFeature, f) => {
    writeEdges(reals, layout.edges, layout.numBins, f, ofFeature);
  });
  return edges;
}

/** Writes the edges of a feature where the kernel reads them, and how many bins it has. */
export function writeEdges(reals: Float64Array, address: number, numBins: Uint16Array, feature: number, edges: Float64Array): void {
  const at = address / 8 + feature * MAX_BINS;
  reals.fill(Infinity, at, at + MAX_BINS);
  reals.set(edges, at);
  numBins[feature] = edges.length + 2;
}

/** One part of that: writes edges where the kernel reads them. */
export function findSomeEdges(source: CellSource, { layout, reals }: TreeThread, part: number): void {
  const { training, sample, maxValueBins, binning } = source;
  if (training === undefined) return;
  const count = sample.length;
  const from = part * featuresPerPart(source);
  const to = Math.min(from + featuresPerPart(source), layout.numFeatures);
  const cells = new Float64Array((to - from) * count);
  copyColumns(training, sample, count, from, to, cells, 0, count);
  const sorter = new DoubleSorter();
  for (let f = from; f < to; f++) {
    const values = cells.subarray((f - from) * count, (f - from + 1) * count);
    writeEdges(reals, layout.edges, layout.numBins, f, edgesOf(values, maxValueBins, sorter, binning));
  }
}

/** The edges of one column, of which a sample is given, NaN for missing values; the sample is brought into another order. */
export function edgesOf(sample: Float64Array, maxValueBins: number, sorter: DoubleSorter, binning?: BinRule): Float64Array {
  const given = sample.subarray(0, withoutNaN(sample));
  sorter.sort(given);
  if (binning?.rule !== 'lightgbm') return findEdges(given, maxValueBins);
  // there missing values take one of the bins
  return lightgbmEdges(given, maxValueBins - (given.length < sample.length ? 1 : 0), binning.minDocs);
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
