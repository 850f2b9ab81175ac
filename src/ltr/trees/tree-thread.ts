import type { PreparedObjective } from '../objectives/objective.js';
import { MAX_BINS } from './bin-edges.js';
import { binSome, type CellSource, findSomeEdges } from './binned-data.js';
import { findBoundedSplit } from './bounded-split.js';
import { type Columns, copyColumns } from './cells.js';
import { ARGUMENTS, JOB } from './jobs.js';
import { createKernel, type KernelMemory, type TreeKernel } from './kernel.js';
import { CHUNK, CONTROL_NUMBERS, CONTROL_WORDS, GROUP, HISTOGRAM_SPACING, type Layout, SPLIT_BYTES, SUM_BYTES } from './layout.js';
import { distanceRule, type PairRules, pullBySwaps, queryFactor } from './pair-gradients.js';

/** What a thread needs to take part; plain data. */
export interface BenchSetup {
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

export interface SplitLimits {
  readonly minDocs: number;
  readonly minHessian: number;
  readonly l2: number;
  /** For each feature 1 where scores must not fall as it grows, -1 where they must not rise; undefined if none is bound. */
  readonly monotone: Int8Array | undefined;
}

/** Queries per unit of work on gradients, and rows per unit of packing. */
export const QUERIES_PER_UNIT = 16;
export const ROWS_PER_UNIT = 32768;
/** Rows whose bins stay in the second cache while all features are gone through. */
const ROWS_IN_CACHE = 2048;
/** Arrays that work on a query needs room for. */
const ROOMS = [0, 1, 2, 3, 4, 5, 6, 7, 8];

/** One thread's place at the work: performs units of the job that the control array describes. */
export class Workbench {
  readonly layout: Layout;
  readonly control: Int32Array;
  readonly numbers: Float64Array;
  readonly kernel: TreeKernel;
  readonly bytes: Uint8Array;
  readonly words: Uint32Array;
  readonly reals: Float64Array;
  private readonly setup: BenchSetup;
  private readonly scratch: number;
  private readonly prepared: PreparedObjective | undefined;

  /** @param number    which thread this is, from 0
   *  @param prepared  the objective, where gradients come from swaps */
  constructor(setup: BenchSetup, number: number, prepared: PreparedObjective | undefined) {
    const { layout, memory } = setup;
    this.setup = setup;
    this.layout = layout;
    this.prepared = prepared;
    this.kernel = createKernel(memory, setup.plain);
    // fits: numbers of jobs and of their units, at most one for each row, which memory for trees has fewer of than 2^31
    this.control = new Int32Array(memory.buffer, layout.control, CONTROL_WORDS);
    this.numbers = new Float64Array(memory.buffer, layout.numbers, CONTROL_NUMBERS);
    this.bytes = new Uint8Array(memory.buffer); // fits: bins, of which there are at most 256, and flags
    this.words = new Uint32Array(memory.buffer); // fits: entries
    this.reals = new Float64Array(memory.buffer);
    this.scratch = layout.scratch + number * layout.scratchBytes;
  }

  perform(job: number, unit: number): void {
    if (job === JOB.gradients) this.computeGradients(unit);
    else if (job === JOB.pack) this.pack(unit);
    else if (job === JOB.histograms) this.findSplits(unit);
    else if (job === JOB.partition) this.partition(unit);
    else if (job === JOB.scores) this.addScores(unit);
    else if (job === JOB.edges && this.setup.cells !== undefined) findSomeEdges(this.setup.cells, this, unit);
    else if (job === JOB.bin && this.setup.cells !== undefined) binSome(this.setup.cells, this, unit);
    else throw new Error(`job ${job} cannot be done`);
  }

  /** Puts a chunk of rows into bins; tells where an infinite value was met, or -1. */
  bin(columns: Columns, chunk: number, numRows: number, bins: number): number {
    const { layout, kernel, reals, scratch } = this;
    const { numFeatures, numBins, edges, binStride } = layout;
    const from = chunk * CHUNK;
    const count = Math.min(CHUNK, numRows - from);
    const { features, shift } = columns;
    // cells that stand as they are needed, row by row, are moved as one; the columns are then picked out by the kernel
    const isWhole = features.layout === 'dense' && shift === 0 && features.numFeatures === numFeatures;
    const copy = (): number => copyColumns(columns, from, count, 0, numFeatures, reals, scratch / 8, CHUNK);
    const infinite = isWhole ? -1 : copy();
    if (isWhole) reals.set(features.values.subarray(from * numFeatures, (from + count) * numFeatures), scratch / 8);
    const columnStride = isWhole ? 8 : CHUNK * 8;
    const valueStride = isWhole ? numFeatures * 8 : 8;
    let odd = 0;
    for (let f = 0; f < numFeatures; f++) {
      const target = bins + from * binStride + f;
      // edges are one fewer than bins with values, and those are one fewer than bins
      let span = 1;
      while (span < numBins[f] - 1) span *= 2;
      odd |= kernel.binValues(scratch + f * columnStride, valueStride, count, edges + f * MAX_BINS * 8, span, target, binStride);
    }
    return isWhole && odd !== 0 ? copy() : infinite;
  }

  private computeGradients(unit: number): void {
    const { layout, words } = this;
    const { gradients } = this.setup;
    const to = Math.min((unit + 1) * QUERIES_PER_UNIT, layout.numQueries);
    for (let q = unit * QUERIES_PER_UNIT; q < to; q++) {
      const from = words[layout.queryOffsets / 4 + q];
      const count = words[layout.queryOffsets / 4 + q + 1] - from;
      if (gradients.kind === 'labels') this.compareWithLabels(q, from, count);
      else this.pullDocuments(q, from, count, gradients);
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

  private pullDocuments(q: number, from: number, count: number, rules: PairRules & { readonly kind: string }): void {
    const { layout, kernel, reals, words, scratch } = this;
    const scale = reals[layout.queryScales / 8 + q];
    if (scale === 0) return;
    const order = layout.order + from * 4;
    const room = (layout.longest + 2) * 8;
    const [keys, spareKeys, spareOrder, gains, pulls, curvatures, weights, places, placed] = ROOMS.map((k) => scratch + k * room);
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
      size = kernel.pullPairs(count, level, keys, gains, weights, pulls, curvatures, positionFactors, scale, rules.sigma, nearness, slope);
    } else {
      const view = (address: number, length: number): Float64Array => reals.subarray(address / 8, address / 8 + length);
      size = pullBySwaps(
        this.prepared,
        q,
        words.subarray(order / 4, order / 4 + count),
        view(keys, count),
        view(pulls, count),
        view(curvatures, count),
        view(layout.positionFactors, count),
        scale,
        rules,
      );
    }
    const factor = queryFactor(rules, size) * reals[layout.queryWeights / 8 + q];
    kernel.spreadByOrder(spread, count, pulls, factor, layout.gradients + from * 8);
    kernel.spreadByOrder(spread, count, curvatures, factor, layout.hessians + from * 8);
  }

  /** Arguments: how many rows. Numbers: the scales of gradients and hessians. */
  private pack(unit: number): void {
    const { layout, kernel, control, numbers } = this;
    const from = unit * ROWS_PER_UNIT;
    const count = Math.min(ROWS_PER_UNIT, control[ARGUMENTS] - from);
    kernel.packGradients(
      layout.rows[0] + from * 4,
      count,
      layout.gradients,
      layout.hessians,
      layout.sums[0] + from * SUM_BYTES,
      numbers[0],
      numbers[1],
      this.setup.countBits,
    );
  }

  /** Histograms of some groups of features for a leaf (the first), and for its sibling (the second) what is left of their
   *  parent's; then the best split of both for each feature.
   *  Arguments: buffer, start and count of the first; its histogram; whether to look for splits of it; the same of the second;
   *  whether the second's histogram is its parent's until now; how many groups a unit has. Numbers: units, then
   *  for each leaf gradient, hessian, count, least gain, lower and upper bound of its value. */
  private findSplits(unit: number): void {
    const { layout, control } = this;
    const unitGroups = control[ARGUMENTS + 11];
    const firstGroup = unit * unitGroups;
    const lastGroup = Math.min(firstGroup + unitGroups, layout.numGroups);
    this.buildHistograms(firstGroup, lastGroup, 0);
    const hasSecond = control[ARGUMENTS + 5 + 3] >= 0;
    const subtracts = control[ARGUMENTS + 10] === 1;
    if (hasSecond && !subtracts) this.buildHistograms(firstGroup, lastGroup, 1);
    for (let f = firstGroup * GROUP; f < Math.min(lastGroup * GROUP, layout.numFeatures); f++) {
      // what an earlier leaf or tree found is not to be taken for this one's
      for (const splits of layout.splits) this.reals[(splits + f * SPLIT_BYTES) / 8 + 6] = 0;
      if (this.bytes[layout.active + f] === 0) continue;
      if (hasSecond && subtracts) {
        this.kernel.subtractHistogram(this.histogram(1, f), this.histogram(0, f), layout.numBins[f] * SUM_BYTES);
      }
      if (control[ARGUMENTS + 4] === 1) this.findSplit(f, 0);
      if (hasSecond && control[ARGUMENTS + 5 + 4] === 1) this.findSplit(f, 1);
    }
  }

  private histogram(leaf: number, feature: number): number {
    const { layout, control } = this;
    return layout.histograms + control[ARGUMENTS + leaf * 5 + 3] * layout.histogramBytes + feature * HISTOGRAM_SPACING;
  }

  /** Some rows at a time, whose bins are read from the nearest cache for one group after the other. */
  private buildHistograms(firstGroup: number, lastGroup: number, leaf: number): void {
    const { layout, control, bytes, kernel } = this;
    const { bins, binStride } = layout;
    const at = ARGUMENTS + leaf * 5;
    const buffer = control[at];
    const start = control[at + 1];
    const count = control[at + 2];
    const base = this.histogram(leaf, 0);
    bytes.fill(0, base + firstGroup * GROUP * HISTOGRAM_SPACING, base + lastGroup * GROUP * HISTOGRAM_SPACING);
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

  /** Whether the tree at hand may use one of the features of a group. */
  private mayUse(first: number): boolean {
    const { active, numFeatures } = this.layout;
    for (let f = first; f < Math.min(first + GROUP, numFeatures); f++) if (this.bytes[active + f] === 1) return true;
    return false;
  }

  private findSplit(feature: number, leaf: number): void {
    const { layout, numbers, kernel } = this;
    const { minDocs, minHessian, l2, monotone } = this.setup.limits;
    const best = layout.splits[leaf] + feature * SPLIT_BYTES;
    if (this.bytes[layout.active + feature] === 0) return;
    const at = 2 + leaf * 6;
    const histogram = this.histogram(leaf, feature);
    if (monotone !== undefined) {
      findBoundedSplit(this.words, this.reals, {
        histogram,
        numBins: layout.numBins[feature],
        countBits: this.setup.countBits,
        gradientUnit: numbers[0],
        hessianUnit: numbers[1],
        totalGradient: numbers[at],
        totalHessian: numbers[at + 1],
        totalCount: numbers[at + 2],
        least: numbers[at + 3],
        lower: numbers[at + 4],
        upper: numbers[at + 5],
        direction: monotone[feature],
        minDocs,
        minHessian,
        l2,
        best,
      });
      return;
    }
    kernel.findSplit(
      histogram,
      layout.numBins[feature],
      this.setup.countBits,
      numbers[0],
      numbers[1],
      numbers[at],
      numbers[at + 1],
      numbers[at + 2],
      minDocs,
      minHessian,
      l2,
      numbers[at + 3],
      best,
    );
  }

  /** Two units: the front half forwards and the back half backwards, so that neither needs to know what the other finds.
   *  Arguments: buffer, start and count of the leaf, how many go left, feature, last bin of the left, whether missing go right. */
  private partition(unit: number): void {
    const { layout, kernel, control } = this;
    const [buffer, start, count, numLeft, feature, lastLeftBin, shift] = control.subarray(ARGUMENTS, ARGUMENTS + 7);
    const middle = start + (count >>> 1);
    const move = unit === 0 ? kernel.partitionForward : kernel.partitionBackward;
    move(
      layout.bins + feature,
      layout.binStride,
      layout.rows[buffer],
      layout.sums[buffer],
      layout.rows[1 - buffer],
      layout.sums[1 - buffer],
      unit === 0 ? start : middle,
      unit === 0 ? middle : start + count,
      unit === 0 ? start : start + numLeft,
      unit === 0 ? start + numLeft : start + count,
      lastLeftBin,
      shift,
    );
  }

  private addScores(leaf: number): void {
    const { layout, words, reals } = this;
    const at = layout.leafRows / 4 + leaf * 2;
    this.kernel.addToScores(words[at], words[at + 1], layout.scores, reals[layout.leafValues / 8 + leaf]);
  }
}
