import type { Features } from '../../core/feature-matrix.js';
import type { PreparedObjective } from '../objectives/objective.js';
import { MAX_BINS } from './bin-edges.js';
import { binSome, type CellSource, findSomeEdges } from './binned-data.js';
import { copyColumns } from './cells.js';
import { CONTROL_NUMBERS, CONTROL_WORDS, JOB, JobControl } from './job-control.js';
import { createKernel, type KernelMemory, type TreeKernel } from './kernel.js';
import { BLOCK_ROWS, GROUP, HISTOGRAM_SPACING, type Layout, SPLIT_BYTES, SUM_BYTES } from './layout.js';
import { distanceRule, type PairRules, pairGradientsBySwaps, queryFactor } from './pair-gradients.js';
import type { CategoryRules } from './splits/category-split.js';
import { ColumnSplits } from './splits/column-splits.js';
import type { LeafRules } from './splits/leaf-value.js';

/** What a thread needs to take part; plain data. */
export interface ThreadSetup {
  readonly memory: KernelMemory;
  readonly layout: Layout;
  /** Without WebAssembly. */
  readonly plain: boolean;
  readonly gradients: GradientRule;
  readonly limits: SplitLimits;
  /** Bits of the count in packed sums. */
  readonly countBits: number;
  /** What is to be put into bins; undefined in a thread that does not share its memory. */
  readonly cells: CellSource | undefined;
}

/** Where gradients come from: pairs of documents under a measure, or the distance from the labels. */
export type GradientRule = { readonly kind: 'labels' } | (PairRules & { readonly kind: 'discounted' | 'swaps' });

/** What a split must leave on either side, and how leaves are held back. */
export interface SplitLimits extends LeafRules {
  readonly minDocs: number;
  readonly minHessian: number;
  /** For each feature 1 where scores must not fall as it grows, -1 where they must not rise; undefined if none is bound. */
  readonly monotone: Int8Array | undefined;
  /** Whether documents on either side are estimated from second derivatives instead of being counted. */
  readonly countsByHessian: boolean;
  /** Only one split by each feature is tried, which is drawn. */
  readonly extraTrees: boolean;
  /** 1 for each feature that has categories, and how leaves are split by them; undefined if none has. */
  readonly categorical: { readonly isCategory: Uint8Array; readonly rules: CategoryRules } | undefined;
}

/** Queries of a part of the work on gradients, and rows of a part of packing. */
export const QUERIES_PER_PART = 16;
/** How many rows are one part of the work: enough that claiming it costs nothing. */
export const ROWS_PER_PART = 32768;
/** Rows whose bins stay in the second cache while all features are gone through. */
const ROWS_IN_CACHE = 2048;
/** Arrays that work on a query needs room for. */
const NUM_ROOMS = 9;

/** Puts values of one column into bins, which stand `stride` bytes apart. */
export function binColumn(
  kernel: TreeKernel,
  { values, valueStride, edges, numBins }: Readonly<Record<'values' | 'valueStride' | 'edges' | 'numBins', number>>,
  count: number,
  bins: number,
  stride: number,
): void {
  // edges are one fewer than bins with values, and those are one fewer than bins
  let span = 1;
  while (span < numBins - 1) span *= 2;
  kernel.binValues(values, valueStride, count, edges, span, bins, stride);
}

/** What one thread sees of the memory in which trees are grown, and its share of the work: it performs parts of the job at hand. */
export class TreeThread {
  readonly layout: Layout;
  readonly control: JobControl;
  readonly kernel: TreeKernel;
  readonly bytes: Uint8Array;
  readonly words: Uint32Array;
  readonly reals: Float64Array;
  private readonly setup: ThreadSetup;
  private readonly scratch: number;
  /** Where those arrays are. */
  private readonly rooms: readonly number[];
  private readonly prepared: PreparedObjective | undefined;
  private readonly splits: ColumnSplits;

  /** @param number    which thread this is, from 0
   *  @param prepared  the objective, where gradients come from swaps */
  constructor(setup: ThreadSetup, number: number, prepared: PreparedObjective | undefined) {
    const { layout, memory } = setup;
    this.setup = setup;
    this.layout = layout;
    this.prepared = prepared;
    this.kernel = createKernel(memory, setup.plain);
    this.control = new JobControl(
      // fits: numbers of jobs and of their parts, at most one for each row, which memory for trees has fewer of than 2^31
      new Int32Array(memory.buffer, layout.control, CONTROL_WORDS),
      new Float64Array(memory.buffer, layout.numbers, CONTROL_NUMBERS),
    );
    this.bytes = new Uint8Array(memory.buffer); // fits: bins, of which there are at most 256, and flags
    this.words = new Uint32Array(memory.buffer); // fits: entries
    this.reals = new Float64Array(memory.buffer);
    this.scratch = layout.scratch + number * layout.scratchBytes;
    this.splits = new ColumnSplits(this, setup.limits, setup.countBits, this.scratch);
    this.rooms = Array.from({ length: NUM_ROOMS }, (_, k) => this.scratch + k * (layout.longest + 2) * 8);
  }

  perform(job: number, part: number): void {
    if (job === JOB.gradients) this.computeGradients(part);
    else if (job === JOB.pack) this.pack(part);
    else if (job === JOB.histograms) this.findSplits(part);
    else if (job === JOB.partition) this.partition(part);
    else if (job === JOB.scores) this.addScores(part);
    else if (job === JOB.edges && this.setup.cells !== undefined) findSomeEdges(this.setup.cells, this, part);
    else if (job === JOB.bin && this.setup.cells !== undefined) binSome(this.setup.cells, this, part);
    else throw new Error(`job ${job} cannot be done`);
  }

  /** Puts a block of rows into bins. */
  bin(features: Features, block: number, numRows: number, bins: number): void {
    const { layout, kernel, reals, scratch } = this;
    const { numBins, edges, binStride, sources } = layout;
    const { numFeatures } = features;
    const from = block * BLOCK_ROWS;
    const count = Math.min(BLOCK_ROWS, numRows - from);
    // cells that stand as they are needed, row by row, are moved as one; the columns are then picked out by the kernel
    const isWhole = features.layout === 'dense';
    if (isWhole) reals.set(features.values.subarray(from * numFeatures, (from + count) * numFeatures), scratch / 8);
    else copyColumns(features, from, count, 0, numFeatures, reals, scratch / 8, BLOCK_ROWS);
    const columnStride = isWhole ? 8 : BLOCK_ROWS * 8;
    const valueStride = isWhole ? numFeatures * 8 : 8;
    for (let f = 0; f < layout.numFeatures; f++) {
      const column = {
        values: scratch + (sources?.[f] ?? f) * columnStride,
        valueStride,
        edges: edges + f * MAX_BINS * 8,
        numBins: numBins[f],
      };
      binColumn(kernel, column, count, bins + from * binStride + f, binStride);
    }
  }

  private computeGradients(part: number): void {
    const { layout, words } = this;
    const { gradients } = this.setup;
    const to = Math.min((part + 1) * QUERIES_PER_PART, layout.numQueries);
    for (let q = part * QUERIES_PER_PART; q < to; q++) {
      const from = words[layout.queryOffsets / 4 + q];
      const count = words[layout.queryOffsets / 4 + q + 1] - from;
      if (gradients.kind === 'labels') this.compareWithLabels(q, from, count);
      else this.comparePairs(q, from, count, gradients);
      if (layout.weighsDocuments === true) this.weighDocuments(from, count);
    }
  }

  private weighDocuments(from: number, count: number): void {
    const { layout, reals } = this;
    for (let row = from; row < from + count; row++) {
      const weight = reals[layout.documentWeights / 8 + row];
      reals[layout.gradients / 8 + row] *= weight;
      reals[layout.hessians / 8 + row] *= weight;
    }
  }

  private compareWithLabels(q: number, from: number, count: number): void {
    const { layout, reals } = this;
    const weight = reals[layout.queryWeights / 8 + q];
    for (let row = from; row < from + count; row++) {
      reals[layout.gradients / 8 + row] = weight * (reals[layout.scores / 8 + row] - reals[layout.labels / 8 + row]);
      reals[layout.hessians / 8 + row] = weight;
    }
  }

  private comparePairs(q: number, from: number, count: number, rules: PairRules & { readonly kind: string }): void {
    const { layout, kernel, reals, words } = this;
    const scale = reals[layout.queryScales / 8 + q];
    if (scale === 0) return;
    const order = layout.order + from * 4;
    const [keys, spareKeys, spareOrder, gains, byScore, curvatures, weights, places, placed] = this.rooms;
    kernel.sortByScore(layout.scores + from * 8, order, keys, spareOrder, spareKeys, count);
    let size: number;
    let spread = order;
    if (this.prepared === undefined) {
      const { nearness, slope } = distanceRule(rules, reals[keys / 8] === reals[keys / 8 + count - 1]);
      const level = Math.min(rules.truncation, count - 1);
      const { positionFactors } = layout;
      kernel.arrangeByGain(order, layout.byGain + from * 4, count, level, spareOrder, places, placed);
      kernel.gatherByOrder(places, count, layout.gains + from * 8, gains);
      kernel.gatherByOrder(places, count, layout.scores + from * 8, keys);
      kernel.gatherByOrder(placed, count, layout.weights, weights);
      spread = places;
      size = kernel.addPairGradients(
        count,
        level,
        keys,
        gains,
        weights,
        byScore,
        curvatures,
        positionFactors,
        scale,
        rules.sigma,
        nearness,
        slope,
      );
    } else {
      const view = (address: number, length: number): Float64Array => reals.subarray(address / 8, address / 8 + length);
      size = pairGradientsBySwaps(
        this.prepared,
        q,
        words.subarray(order / 4, order / 4 + count),
        view(keys, count),
        view(byScore, count),
        view(curvatures, count),
        view(layout.positionFactors, count),
        scale,
        rules,
      );
    }
    const factor = queryFactor(rules, size) * reals[layout.queryWeights / 8 + q];
    kernel.spreadByOrder(spread, count, byScore, factor, layout.gradients + from * 8);
    kernel.spreadByOrder(spread, count, curvatures, factor, layout.hessians + from * 8);
  }

  private pack(part: number): void {
    const { layout, kernel, control } = this;
    const from = part * ROWS_PER_PART;
    const count = Math.min(ROWS_PER_PART, control.pack.numRows.value - from);
    kernel.packGradients(
      layout.rows[0] + from * 4,
      count,
      layout.gradients,
      layout.hessians,
      layout.sums[0] + from * SUM_BYTES,
      control.scales[0],
      control.scales[1],
      this.setup.countBits,
    );
  }

  /** Histograms of some groups of columns for a leaf (the first), and for its sibling (the second) what is left of their
   *  parent's; then the best split of both by each column. */
  private findSplits(part: number): void {
    const { layout, control } = this;
    const groupsPerPart = control.splits.groupsPerPart.value;
    const firstGroup = part * groupsPerPart;
    const lastGroup = Math.min(firstGroup + groupsPerPart, layout.numGroups);
    this.buildHistograms(firstGroup, lastGroup, 0);
    const [first, second] = control.leaves;
    const hasSecond = second.histogram.value >= 0;
    const subtracts = control.splits.subtracts.value === 1;
    const looksAtFirst = first.looks.value === 1;
    const looksAtSecond = hasSecond && second.looks.value === 1;
    if (hasSecond && !subtracts) this.buildHistograms(firstGroup, lastGroup, 1);
    for (let c = firstGroup * GROUP; c < Math.min(lastGroup * GROUP, layout.numColumns); c++) {
      // what an earlier leaf or tree found is not to be taken for this one's
      for (const splits of layout.splits) this.reals[(splits + c * SPLIT_BYTES) / 8 + 6] = 0;
      if (this.bytes[layout.activeColumns + c] === 0) continue;
      if (hasSecond && subtracts) {
        this.kernel.subtractHistogram(this.histogram(1, c), this.histogram(0, c), layout.numBins[c] * SUM_BYTES);
      }
      if (looksAtFirst) this.splits.find(c, 0, this.histogram(0, c));
      if (looksAtSecond) this.splits.find(c, 1, this.histogram(1, c));
    }
  }

  private histogram(leaf: number, column: number): number {
    const { layout, control } = this;
    return layout.histograms + control.leaves[leaf].histogram.value * layout.histogramBytes + column * HISTOGRAM_SPACING;
  }

  /** Some rows at a time, whose bins are read from the nearest cache for one group after the other. */
  private buildHistograms(firstGroup: number, lastGroup: number, leaf: number): void {
    const { layout, control, bytes, kernel } = this;
    const { bins, binStride } = layout;
    const place = control.leaves[leaf];
    const buffer = place.buffer.value;
    const start = place.start.value;
    const count = place.count.value;
    const base = this.histogram(leaf, 0);
    for (let c = firstGroup * GROUP; c < Math.min(lastGroup * GROUP, layout.numColumns); c++) {
      const histogram = base + c * HISTOGRAM_SPACING;
      bytes.fill(0, histogram, histogram + layout.numBins[c] * SUM_BYTES);
    }
    for (let from = 0; from < count; from += ROWS_IN_CACHE) {
      const some = Math.min(ROWS_IN_CACHE, count - from);
      const rows = layout.rows[buffer] + (start + from) * 4;
      const sums = layout.sums[buffer] + (start + from) * SUM_BYTES;
      for (let group = firstGroup; group < lastGroup; group++) {
        const first = group * GROUP;
        if (!this.mayUse(first)) continue;
        kernel.addToHistograms(bins + first, binStride, rows, sums, some, base + first * HISTOGRAM_SPACING);
      }
    }
  }

  /** Whether the tree at hand may use one of the columns of a group. */
  private mayUse(first: number): boolean {
    const { activeColumns, numColumns } = this.layout;
    for (let c = first; c < Math.min(first + GROUP, numColumns); c++) if (this.bytes[activeColumns + c] === 1) return true;
    return false;
  }

  /** Two parts: the front half forwards and the back half backwards, so that neither needs to know what the other finds. */
  private partition(part: number): void {
    const { layout, kernel, control } = this;
    const { partition } = control;
    const buffer = partition.buffer.value;
    const start = partition.start.value;
    const count = partition.count.value;
    const numLeft = partition.numLeft.value;
    const middle = start + (count >>> 1);
    const move = part === 0 ? kernel.partitionForward : kernel.partitionBackward;
    move(
      layout.bins + partition.column.value,
      layout.binStride,
      layout.rows[buffer],
      layout.sums[buffer],
      layout.rows[1 - buffer],
      layout.sums[1 - buffer],
      part === 0 ? start : middle,
      part === 0 ? middle : start + count,
      part === 0 ? start : start + numLeft,
      part === 0 ? start + numLeft : start + count,
      layout.isLeft,
    );
  }

  private addScores(leaf: number): void {
    const { layout, words, reals } = this;
    const at = layout.leafRows / 4 + leaf * 2;
    this.kernel.addToScores(words[at], words[at + 1], layout.scores, reals[layout.leafValues / 8 + leaf]);
  }
}
