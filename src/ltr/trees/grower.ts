import type { Random } from '../../core/numbers/random.js';
import { MAX_BINS } from './bin-edges.js';
import { GrownTree } from './grown-tree.js';
import type { GrowthRules } from './growth-limits.js';
import { JOB, LEAF_NUMBER } from './job-control.js';
import type { JobRunner } from './job-runner.js';
import { sumCount, sumGradient, sumHessian } from './kernel-js.js';
import { HISTOGRAM_SPACING, SET_BYTES, SPLIT_BYTES } from './layout.js';
import { setsOneApart } from './splits/category-split.js';
import { Leaf, type Split } from './splits/growing-leaf.js';
import { leafValue, scoreOf } from './splits/leaf-value.js';
import { columnOf, markLeftBins } from './splits/left-bins.js';
import { allowsAll, markAllowed, markUseful } from './splits/node-features.js';
import { powerBelow } from './splits/power-below.js';
import { ROWS_PER_PART, type TreeThread } from './tree-thread.js';

/** Below this it is not worth waking other threads: rows to move, and rows to add times groups of features, where looking
 *  through a histogram takes as long as adding so many rows. */
const SMALL_LEAF = 6000;
const SMALL_WORK = 10_000;
const ROWS_OF_A_LOOK = 500;
/** What rounding alone can seem to gain, as a share. */
const ROUNDING = 1e-12;

/** Grows trees on the rows of buffer 0, the leaf with the greatest gain first. */
export class Grower {
  private readonly thread: TreeThread;
  private readonly runner: JobRunner;
  private readonly rules: GrowthRules;
  private readonly countBits: number;
  private gradientUnit = 1;
  private hessianUnit = 1;
  private freeHistograms: number[] = [];
  private tree: GrownTree = new GrownTree();
  private leaves: Leaf[] = [];
  private hessians: Float64Array = new Float64Array(0);
  private random: Random | undefined;
  /** What the threads divide rows by. */
  private readonly isLeft: Uint8Array;

  constructor(thread: TreeThread, runner: JobRunner, rules: GrowthRules, countBits: number) {
    this.thread = thread;
    this.runner = runner;
    this.rules = rules;
    this.countBits = countBits;
    this.isLeft = thread.bytes.subarray(thread.layout.isLeft, thread.layout.isLeft + MAX_BINS);
  }

  /** Grows one tree on the first `numRows` rows of buffer 0 from the gradients and hessians in memory. Leaves hold Newton steps.
   *  @param random  what splits and features of leaves are drawn from, where rules say so */
  grow(numRows: number, random?: Random): GrownTree {
    const { thread, rules } = this;
    this.random = random;
    this.tree = new GrownTree();
    this.freeHistograms = Array.from({ length: thread.layout.numHistograms }, (_, k) => k).reverse();
    if (rules.byDocuments) this.putAsideHessians();
    this.pack(numRows);
    const root = this.makeRoot(numRows);
    this.leaves = [root];
    if (this.mayBeSplit(root)) {
      root.histogram = this.takeHistogram();
      this.findSplits(root, undefined, false);
    }
    while (this.leaves.length < rules.maxLeaves) {
      const best = this.bestLeaf();
      if (best === undefined) break;
      this.split(best);
    }
    if (rules.byDocuments) this.takeNewtonSteps();
    return this.tree;
  }

  /** Leaves a 1 for every document in their place. */
  private putAsideHessians(): void {
    const { layout, reals } = this.thread;
    const hessians = reals.subarray(layout.hessians / 8, layout.hessians / 8 + layout.numRows);
    if (this.hessians.length === 0) this.hessians = new Float64Array(layout.numRows);
    this.hessians.set(hessians);
    hessians.fill(1);
  }

  /** The values of all leaves anew, by the hessians that were put aside. A leaf of hardly any curvature takes no longer a step than
   *  one that holds the least. */
  private takeNewtonSteps(): void {
    const { rules, hessians } = this;
    const { layout, words } = this.thread;
    for (const leaf of this.leaves) {
      const rows = layout.rows[leaf.buffer] / 4 + leaf.start;
      let hessian = 0;
      for (let i = rows; i < rows + leaf.count; i++) hessian += hessians[words[i]];
      const curvature = Math.max(hessian, rules.minHessian) + rules.l2;
      this.tree.value[leaf.node] = leafValue(rules, leaf.gradient * this.gradientUnit, curvature, leaf.count, 0, leaf.lower, leaf.upper);
    }
  }

  /** Adds `factor` times the value of its leaf to the score of every row that the tree was grown on. */
  addToScores(factor: number): void {
    const { layout, words, reals } = this.thread;
    this.leaves.forEach((leaf, i) => {
      words[layout.leafRows / 4 + i * 2] = layout.rows[leaf.buffer] + leaf.start * 4;
      words[layout.leafRows / 4 + i * 2 + 1] = leaf.count;
      reals[layout.leafValues / 8 + i] = factor * this.tree.value[leaf.node];
    });
    this.runner.run(JOB.scores, this.leaves.length);
  }

  /** Brings gradients and hessians into whole numbers: sums of those are exact, whatever the order. The scales are powers of
   *  two, as fine as the largest value and the number of rows allow. */
  private pack(numRows: number): void {
    const { thread, countBits } = this;
    const { layout, kernel } = thread;
    const gradientScale = powerBelow(2 ** (51 - countBits) / kernel.largestOf(layout.gradients, layout.numRows));
    // counts take their bits twice: in the packed number, and because so many hessians are added
    const hessianBits = Math.min(51 - countBits, 62 - 2 * countBits);
    const hessianScale = powerBelow(2 ** hessianBits / kernel.largestOf(layout.hessians, layout.numRows));
    this.gradientUnit = 1 / gradientScale;
    this.hessianUnit = 1 / hessianScale;
    thread.control.pack.numRows.value = numRows;
    thread.control.scales.set([gradientScale, hessianScale]);
    this.runner.run(JOB.pack, Math.ceil(numRows / ROWS_PER_PART));
  }

  private makeRoot(numRows: number): Leaf {
    const { thread, countBits } = this;
    const { layout, words } = thread;
    const total = layout.splits[0];
    thread.kernel.addSums(layout.sums[0], numRows, total);
    const gradient = sumGradient(words, total / 4);
    const hessian = sumHessian(words, total / 4, countBits);
    const count = sumCount(words, total / 4, countBits);
    // the root comes from nowhere: drawn to its own value, it stays where it is
    const own = { ...this.rules, smoothing: 0 };
    const value = leafValue(own, gradient * this.gradientUnit, hessian * this.hessianUnit + own.l2, count, 0, -Infinity, Infinity);
    return new Leaf(this.tree.addLeaf(value, count), 0, 0, count, 0, gradient, hessian, -Infinity, Infinity);
  }

  private makeLeaf(
    buffer: number,
    start: number,
    count: number,
    depth: number,
    gradient: number,
    hessian: number,
    lower: number,
    upper: number,
    l2: number,
    origin: number,
    docs: number,
  ): Leaf {
    const value = leafValue(this.rules, gradient * this.gradientUnit, hessian * this.hessianUnit + l2, docs, origin, lower, upper);
    return new Leaf(this.tree.addLeaf(value, count), buffer, start, count, depth, gradient, hessian, lower, upper);
  }

  private mayBeSplit({ count, depth }: Leaf): boolean {
    const { minDocs, maxDepth, maxLeaves } = this.rules;
    return maxLeaves > 1 && count >= 2 * Math.max(1, minDocs) && (maxDepth === 0 || depth < maxDepth);
  }

  private bestLeaf(): Leaf | undefined {
    let best: Leaf | undefined;
    for (const leaf of this.leaves) {
      if (leaf.split !== undefined && (best?.split === undefined || leaf.split.gain > best.split.gain)) best = leaf;
    }
    return best;
  }

  private split(leaf: Leaf): void {
    const { tree, rules, thread } = this;
    const { split, buffer, start, count, node } = leaf;
    if (split === undefined) return;
    const { partition } = thread.control;
    partition.buffer.value = buffer;
    partition.start.value = start;
    partition.count.value = count;
    partition.numLeft.value = split.leftCount;
    partition.column.value = columnOf(thread.layout, split.feature);
    markLeftBins(thread.layout, split, this.isLeft);
    this.runner.run(JOB.partition, 2, count < SMALL_LEAF);

    const { leftCount, leftDocs, leftGradient, leftHessian, l2 } = split;
    const origin = tree.value[node];
    const direction = rules.monotone?.[split.feature] ?? 0;
    // under a split by a bound feature the values of both sides must keep to their side of the middle
    const middle = direction === 0 ? 0 : this.middleOf(leaf, split);
    const left = this.makeLeaf(
      1 - buffer,
      start,
      leftCount,
      leaf.depth + 1,
      leftGradient,
      leftHessian,
      direction < 0 ? middle : leaf.lower,
      direction > 0 ? middle : leaf.upper,
      l2,
      origin,
      leftDocs,
    );
    const right = this.makeLeaf(
      1 - buffer,
      start + leftCount,
      count - leftCount,
      leaf.depth + 1,
      leaf.gradient - leftGradient,
      leaf.hessian - leftHessian,
      direction > 0 ? middle : leaf.lower,
      direction < 0 ? middle : leaf.upper,
      l2,
      origin,
      count - leftDocs,
    );
    tree.feature[node] = split.feature;
    tree.lastLeftBin[node] = split.lastLeftBin;
    tree.missingLeft[node] = split.missingLeft;
    tree.leftSet[node] = split.leftSet;
    left.useless = right.useless = leaf.useless;
    if (rules.interactions !== undefined) left.path = right.path = [...leaf.path, split.feature];
    tree.left[node] = left.node;
    tree.right[node] = right.node;
    tree.gain[node] = split.gain;
    this.leaves.splice(this.leaves.indexOf(leaf), 1, left);
    this.leaves.push(right);

    const isLast = this.leaves.length >= rules.maxLeaves;
    if (isLast || (!this.mayBeSplit(left) && !this.mayBeSplit(right))) this.giveBack(leaf);
    else this.lookFurther(leaf, left, right);
  }

  /** The mean of the values that both sides of a split would have. */
  private middleOf(leaf: Leaf, { leftGradient, leftHessian, leftDocs, l2 }: Split): number {
    const { gradientUnit, hessianUnit, rules } = this;
    const origin = this.tree.value[leaf.node];
    const value = (gradient: number, hessian: number, count: number): number =>
      leafValue(rules, gradient * gradientUnit, hessian * hessianUnit + l2, count, origin, leaf.lower, leaf.upper);
    const right = value(leaf.gradient - leftGradient, leaf.hessian - leftHessian, leaf.count - leftDocs);
    return (value(leftGradient, leftHessian, leftDocs) + right) / 2;
  }

  /** Histograms of two new leaves: the smaller one's is computed, and the larger one's is what the parent's leaves over. */
  private lookFurther(parent: Leaf, left: Leaf, right: Leaf): void {
    const [smaller, larger] = left.count <= right.count ? [left, right] : [right, left];
    const inherits = parent.histogram >= 0;
    larger.histogram = inherits ? parent.histogram : this.takeHistogram();
    parent.histogram = -1;
    smaller.histogram = this.takeHistogram(larger);
    this.findSplits(smaller, larger, inherits);
  }

  /** A histogram to write to; when all are taken, the leaf that is least likely to be split next gives its own away. */
  private takeHistogram(except?: Leaf): number {
    const free = this.freeHistograms.pop();
    if (free !== undefined) return free;
    let victim: Leaf | undefined;
    for (const leaf of this.leaves) {
      if (leaf.histogram < 0 || leaf === except) continue;
      if (victim === undefined || (leaf.split?.gain ?? -1) < (victim.split?.gain ?? -1)) victim = leaf;
    }
    if (victim === undefined) throw new Error('no histogram to give away');
    const { histogram } = victim;
    victim.histogram = -1;
    return histogram;
  }

  private giveBack(leaf: Leaf): void {
    if (leaf.histogram >= 0) this.freeHistograms.push(leaf.histogram);
    leaf.histogram = -1;
  }

  private findSplits(first: Leaf, second: Leaf | undefined, subtracts: boolean): void {
    const { thread } = this;
    const { control, layout } = thread;
    control.scales[0] = this.gradientUnit;
    control.scales[1] = this.hessianUnit;
    const score = this.announce(first, 0);
    const secondScore = second === undefined ? 0 : this.announce(second, 1);
    if (second === undefined) control.leaves[1].histogram.value = -1;
    control.splits.subtracts.value = subtracts ? 1 : 0;
    const rows = first.count + (second === undefined || subtracts ? 0 : second.count);
    const isSmall = (rows + ROWS_OF_A_LOOK) * layout.numGroups < SMALL_WORK;
    const groupsPerPart = isSmall ? layout.numGroups : layout.groupsPerPart;
    control.splits.groupsPerPart.value = groupsPerPart;
    this.runner.run(JOB.histograms, Math.ceil(layout.numGroups / groupsPerPart), isSmall);
    this.keepBest(first, 0, score);
    if (second !== undefined) this.keepBest(second, 1, secondScore);
  }

  /** Tells all threads about a leaf whose splits are to be looked for; returns what the leaf takes off the loss as it is. */
  private announce(leaf: Leaf, k: number): number {
    const { rules } = this;
    const { control } = this.thread;
    const place = control.leaves[k];
    place.histogram.value = leaf.histogram;
    place.buffer.value = leaf.buffer;
    place.start.value = leaf.start;
    place.count.value = leaf.count;
    place.looks.value = this.mayBeSplit(leaf) ? 1 : 0;
    const gradient = leaf.gradient * this.gradientUnit;
    const hessian = leaf.hessian * this.hessianUnit + rules.l2;
    // what must be exceeded is the leaf as it would be under the usual penalty, whatever split it came from; as with LightGBM, one whose
    // value was drawn to that of its origin is drawn from its own value to the best one again
    const own = this.tree.value[leaf.node];
    const value = leafValue(rules, gradient, hessian, leaf.count, own, leaf.lower, leaf.upper);
    const score = hessian > 0 ? scoreOf(gradient, hessian, value, rules.l1) : 0;
    const about = control.leafNumbers[k];
    about[LEAF_NUMBER.gradient] = leaf.gradient;
    about[LEAF_NUMBER.hessian] = leaf.hessian;
    about[LEAF_NUMBER.count] = leaf.count;
    about[LEAF_NUMBER.leastGain] = score + rules.minGain + ROUNDING * Math.abs(score);
    about[LEAF_NUMBER.lower] = leaf.lower;
    about[LEAF_NUMBER.upper] = leaf.upper;
    about[LEAF_NUMBER.value] = own;
    if (rules.extraTrees) about[LEAF_NUMBER.seed] = this.random?.uint32() ?? 0;
    this.limitFeatures(leaf, k);
    return score;
  }

  private limitFeatures(leaf: Leaf, k: number): void {
    const { rules, random, thread } = this;
    const { layout, bytes, control } = thread;
    const isLimited = random !== undefined && !allowsAll(rules);
    control.leaves[k].isLimited.value = isLimited ? 1 : 0;
    if (!isLimited) return;
    const of = (address: number): Uint8Array => bytes.subarray(address, address + layout.numFeatures);
    leaf.allowed = new Uint8Array(layout.numFeatures); // fits: flags
    markAllowed(rules, layout.sources, of(layout.active), leaf.path, random, leaf.allowed);
    const tried = of(layout.allowed[k]);
    if (rules.dropsUselessFeatures) markUseful(of(layout.active), leaf.useless, tried);
    else tried.set(leaf.allowed);
  }

  private keepBest(leaf: Leaf, k: number, score: number): void {
    leaf.split = this.mayBeSplit(leaf) ? this.bestSplit(leaf, k, score) : undefined;
    if (this.rules.dropsUselessFeatures && leaf.split !== undefined) leaf.useless = this.uselessFor(leaf, k);
    if (leaf.split === undefined) this.giveBack(leaf);
  }

  /** The features that could not split a leaf, and those that were not tried for that reason. */
  private uselessFor(leaf: Leaf, k: number): ReadonlySet<number> {
    const { layout, reals, bytes } = this.thread;
    const isUseless = (f: number): boolean => reals[(layout.splits[k] + f * SPLIT_BYTES) / 8 + 6] === 0;
    const tried = [...Array(layout.numFeatures).keys()].filter((f) => bytes[layout.allowed[k] + f] === 1);
    return new Set([...leaf.useless, ...tried.filter(isUseless)]);
  }

  /** The best of all features, the first of equals. */
  private bestSplit(leaf: Leaf, k: number, score: number): Split | undefined {
    const { layout, reals, words } = this.thread;
    let best = -1;
    let feature = -1;
    for (let c = 0; c < layout.numColumns; c++) {
      const at = (layout.splits[k] + c * SPLIT_BYTES) / 8;
      if (reals[at + 6] !== 1) continue;
      const f = layout.shared === undefined ? c : reals[at + 8];
      if (leaf.allowed?.[f] === 0) continue;
      if (best >= 0 && (reals[at] < reals[best] || (reals[at] === reals[best] && f > feature))) continue;
      best = at;
      feature = f;
    }
    if (best < 0) return undefined;
    const leftCount = reals[best + 3];
    const { categorical, countsByHessian } = this.rules;
    if (categorical?.isCategory[feature] === 1) {
      const set = layout.splitSets[k] + feature * SET_BYTES;
      return {
        feature,
        gain: reals[best] - score,
        leftGradient: reals[best + 1],
        leftHessian: reals[best + 2],
        leftCount,
        leftDocs: reals[best + 7],
        lastLeftBin: 0,
        missingLeft: 0,
        leftSet: words.slice(set / 4, (set + SET_BYTES) / 4),
        l2: this.rules.l2 + (setsOneApart(layout.numBins[feature], categorical.rules) ? 0 : categorical.rules.l2),
      };
    }
    const isMissingHere = this.hasMissing(leaf, feature);
    return {
      feature,
      gain: reals[best] - score,
      leftGradient: reals[best + 1],
      leftHessian: reals[best + 2],
      leftCount,
      leftDocs: countsByHessian ? reals[best + 7] : leftCount,
      lastLeftBin: reals[best + 4],
      // where training says nothing about missing values, they go with the majority
      missingLeft: isMissingHere ? reals[best + 5] : leftCount * 2 >= leaf.count ? 1 : 0,
      leftSet: undefined,
      l2: this.rules.l2,
    };
  }

  private hasMissing(leaf: Leaf, feature: number): boolean {
    const { layout, words } = this.thread;
    const { shared } = layout;
    if (shared?.hasMissing[feature] === 0) return false;
    const histogram = layout.histograms + leaf.histogram * layout.histogramBytes + columnOf(layout, feature) * HISTOGRAM_SPACING;
    return sumCount(words, histogram / 4 + (shared?.firstCode[feature] ?? 0) * 4, this.countBits) > 0;
  }
}
