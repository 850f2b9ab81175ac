import type { SharedColumns } from '../bins/shared-columns.js';
import { LEAF_NUMBER } from '../job-control.js';
import { HISTOGRAM_SPACING, MEMBER_BYTES, SET_BYTES, SPLIT_BYTES } from '../layout.js';
import type { SplitLimits, TreeThread } from '../tree-thread.js';
import { findCategorySplit } from './category-split.js';
import { findHeldSplit, type LeafToSplit } from './held-split.js';

/** Looks for the best split of a leaf by each column of bins. */
export class ColumnSplits {
  private readonly thread: TreeThread;
  private readonly limits: SplitLimits;
  private readonly countBits: number;
  /** Room for the histogram of one of the features that share a column, and for its split. */
  private readonly room: number;
  /** Whether splits by thresholds are of the kind that the kernel looks for. */
  private readonly isPlain: boolean;

  constructor(thread: TreeThread, limits: SplitLimits, countBits: number, room: number) {
    this.thread = thread;
    this.limits = limits;
    this.countBits = countBits;
    this.room = room;
    const { monotone, l1, maxStep, smoothing, extraTrees, countsByHessian } = limits;
    this.isPlain = monotone === undefined && l1 === 0 && maxStep === 0 && smoothing === 0 && !extraTrees && !countsByHessian;
  }

  /** Describes the best split by a column, if there is any.
   *  @param histogram  of that column in the leaf */
  find(column: number, leaf: number, histogram: number): void {
    const { layout, bytes, control } = this.thread;
    const { shared } = layout;
    const best = layout.splits[leaf] + column * SPLIT_BYTES;
    const isLimited = control.leaves[leaf].isLimited.value === 1;
    if (shared !== undefined) {
      const allowed = isLimited ? layout.allowed[leaf] : layout.anyFeature;
      if (this.isPlain) this.findShared(shared, column, leaf, histogram, allowed, best);
      else this.findHeldShared(shared, column, leaf, histogram, allowed, best);
      return;
    }
    if (isLimited && bytes[layout.allowed[leaf] + column] === 0) return;
    this.findOwn(column, leaf, histogram, best);
  }

  private findOwn(feature: number, leaf: number, histogram: number, best: number): void {
    const { layout, words, reals, kernel, control } = this.thread;
    const { minDocs, minHessian, l2, monotone, categorical } = this.limits;
    const numBins = layout.numBins[feature];
    if (categorical?.isCategory[feature] === 1) {
      const set = layout.splitSets[leaf] + feature * SET_BYTES;
      findCategorySplit(words, reals, this.leafToSplit(feature, leaf, histogram, numBins, best), categorical.rules, set);
      return;
    }
    if (!this.isPlain) {
      findHeldSplit(words, reals, this.leafToSplit(feature, leaf, histogram, numBins, best), monotone?.[feature] ?? 0);
      return;
    }
    const { scales } = control;
    const about = control.leafNumbers[leaf];
    kernel.findSplit(
      histogram,
      numBins,
      this.countBits,
      scales[0],
      scales[1],
      about[LEAF_NUMBER.gradient],
      about[LEAF_NUMBER.hessian],
      about[LEAF_NUMBER.count],
      minDocs,
      minHessian,
      l2,
      about[LEAF_NUMBER.leastGain],
      best,
    );
  }

  private findShared(shared: SharedColumns, column: number, leaf: number, histogram: number, allowed: number, best: number): void {
    const { layout, kernel, control } = this.thread;
    const { minDocs, minHessian, l2 } = this.limits;
    const { scales } = control;
    const about = control.leafNumbers[leaf];
    kernel.findSharedSplit(
      histogram,
      layout.members + shared.starts[column] * MEMBER_BYTES,
      shared.starts[column + 1] - shared.starts[column],
      layout.active,
      allowed,
      this.room,
      this.countBits,
      scales[0],
      scales[1],
      about[LEAF_NUMBER.gradient],
      about[LEAF_NUMBER.hessian],
      about[LEAF_NUMBER.count],
      minDocs,
      minHessian,
      l2,
      about[LEAF_NUMBER.leastGain],
      best,
    );
  }

  /** The same for splits that the kernel does not look for. */
  private findHeldShared(shared: SharedColumns, column: number, leaf: number, histogram: number, allowed: number, best: number): void {
    const { layout, bytes, words, reals, kernel, control } = this.thread;
    const { minDocs, monotone } = this.limits;
    const about = control.leafNumbers[leaf];
    const atLeast = Math.max(minDocs, 1);
    const own = this.room + HISTOGRAM_SPACING;
    for (let place = shared.starts[column]; place < shared.starts[column + 1]; place++) {
      const f = shared.members[place];
      if (bytes[layout.active + f] === 0 || bytes[allowed + f] === 0) continue;
      const numOthers = kernel.ownHistogram(
        histogram,
        layout.members + place * MEMBER_BYTES,
        this.countBits,
        about[LEAF_NUMBER.gradient],
        about[LEAF_NUMBER.hessian],
        about[LEAF_NUMBER.count],
        atLeast,
        this.room,
      );
      if (numOthers < atLeast) continue;
      findHeldSplit(words, reals, this.leafToSplit(f, leaf, this.room, shared.numBins[f], own), monotone?.[f] ?? 0);
      const isFound = reals[own / 8 + 6] === 1;
      if (!isFound || (reals[best / 8 + 6] === 1 && reals[own / 8] <= reals[best / 8])) continue;
      reals.copyWithin(best / 8, own / 8, own / 8 + 8);
      reals[best / 8 + 8] = f;
    }
  }

  private leafToSplit(feature: number, leaf: number, histogram: number, numBins: number, best: number): LeafToSplit {
    const { control } = this.thread;
    const { limits, countBits } = this;
    const about = control.leafNumbers[leaf];
    return {
      histogram,
      numBins,
      countBits,
      gradientUnit: control.scales[0],
      hessianUnit: control.scales[1],
      totalGradient: about[LEAF_NUMBER.gradient],
      totalHessian: about[LEAF_NUMBER.hessian],
      totalCount: about[LEAF_NUMBER.count],
      least: about[LEAF_NUMBER.leastGain],
      lower: about[LEAF_NUMBER.lower],
      upper: about[LEAF_NUMBER.upper],
      value: about[LEAF_NUMBER.value],
      minDocs: limits.minDocs,
      minHessian: limits.minHessian,
      countsByHessian: limits.countsByHessian,
      rules: limits,
      draw: limits.extraTrees ? { seed: about[LEAF_NUMBER.seed], feature } : undefined,
      best,
    };
  }
}
