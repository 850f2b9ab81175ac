import { sumCount, sumGradient, sumHessian } from '../kernel-js.js';
import { SET_BYTES } from '../layout.js';
import { drawnOf, estimatedCount, gainOf, type LeafToSplit } from './held-split.js';

/** How leaves are split by categories. */
export interface CategoryRules {
  /** With at most so many bins, that of missing values among them, one category is set apart from all others. */
  readonly oneHotBins: number;
  /** Documents that a category must have in a leaf to be put into a set, which also flatten the order of categories. */
  readonly smoothing: number;
  /** Penalty on the squares of values on either side of a set of categories, besides the usual one. */
  readonly l2: number;
  /** Categories of a set at most. */
  readonly maxSet: number;
  /** Documents by which one set that is tried must exceed the one before it, and that must be left outside. */
  readonly minGroup: number;
}

/** Looks for the best set of categories to go left, by the rules of LightGBM; bin 0, which holds what has no category, never does.
 *  Describes it as `findHeldSplit` does, and writes the set.
 *  @param set  where: one bit for each bin */
export function findCategorySplit(words: Uint32Array, reals: Float64Array, leaf: LeafToSplit, rules: CategoryRules, set: number): void {
  reals[leaf.best / 8 + 6] = 0;
  if (setsOneApart(leaf.numBins, rules)) findOneCategory(words, reals, leaf, set);
  else findCategories(words, reals, leaf, rules, set);
}

/** Whether a feature with so many bins sets one category apart. */
export function setsOneApart(numBins: number, { oneHotBins }: CategoryRules): boolean {
  return numBins <= oneHotBins;
}

function findOneCategory(words: Uint32Array, reals: Float64Array, leaf: LeafToSplit, set: number): void {
  const { countBits, numBins, draw, minDocs, minHessian, hessianUnit, totalCount, totalHessian } = leaf;
  const drawn = draw === undefined ? 0 : 1 + drawnOf(draw, Math.max(1, numBins - 1));
  let bestGain = leaf.least;
  for (let bin = 1; bin < numBins; bin++) {
    const at = leaf.histogram / 4 + bin * 4;
    const hessian = sumHessian(words, at, countBits);
    const docs = docsIn(words, at, leaf);
    if (docs < minDocs || totalCount - docs < minDocs || (drawn > 0 && bin !== drawn)) continue;
    if (hessian * hessianUnit < minHessian || (totalHessian - hessian) * hessianUnit < minHessian) continue;
    const side = { gradient: sumGradient(words, at), hessian, count: sumCount(words, at, countBits), docs };
    const gain = gainOfSide(leaf, leaf.rules.l2, side);
    if (!(gain > bestGain)) continue;
    bestGain = gain;
    describe(words, reals, leaf, side, gain, set, [bin]);
  }
}

function findCategories(words: Uint32Array, reals: Float64Array, leaf: LeafToSplit, rules: CategoryRules, set: number): void {
  const { countBits, draw, minDocs, minHessian, hessianUnit, gradientUnit, totalCount, totalHessian } = leaf;
  const l2 = leaf.rules.l2 + rules.l2;
  const bins: { readonly bin: number; readonly at: number; readonly key: number }[] = [];
  for (let bin = 1; bin < leaf.numBins; bin++) {
    const at = leaf.histogram / 4 + bin * 4;
    if (docsIn(words, at, leaf) < Math.max(1, rules.smoothing)) continue;
    const key = (sumGradient(words, at) * gradientUnit) / (sumHessian(words, at, countBits) * hessianUnit + rules.smoothing);
    bins.push({ bin, at, key });
  }
  bins.sort((a, b) => a.key - b.key);
  const most = Math.min(rules.maxSet, Math.floor((bins.length + 1) / 2));
  const drawn = draw === undefined ? -1 : drawnOf(draw, Math.max(1, most));
  let bestGain = leaf.least;
  for (const order of [bins, [...bins].reverse()]) {
    const side = { gradient: 0, hessian: 0, count: 0, docs: 0 };
    let sinceLast = 0;
    for (let i = 0; i < most; i++) {
      const { at } = order[i];
      const docs = docsIn(words, at, leaf);
      side.gradient += sumGradient(words, at);
      side.hessian += sumHessian(words, at, countBits);
      side.count += sumCount(words, at, countBits);
      side.docs += docs;
      sinceLast += docs;
      if (side.docs < minDocs || side.hessian * hessianUnit < minHessian) continue;
      if (totalCount - side.docs < Math.max(minDocs, rules.minGroup)) break;
      if ((totalHessian - side.hessian) * hessianUnit < minHessian) break;
      if (sinceLast < rules.minGroup) continue;
      sinceLast = 0;
      if (drawn >= 0 && i !== drawn) continue;
      const gain = gainOfSide(leaf, l2, side);
      if (!(gain > bestGain)) continue;
      bestGain = gain;
      const chosen = order.slice(0, i + 1).map(({ bin }) => bin);
      describe(words, reals, leaf, side, gain, set, chosen);
    }
  }
}

interface Side {
  readonly gradient: number;
  readonly hessian: number;
  readonly count: number;
  /** The same as the limits count it. */
  readonly docs: number;
}

function docsIn(words: Uint32Array, at: number, leaf: LeafToSplit): number {
  return leaf.countsByHessian ? estimatedCount(sumHessian(words, at, leaf.countBits), leaf) : sumCount(words, at, leaf.countBits);
}

function gainOfSide(leaf: LeafToSplit, l2: number, { gradient, hessian, docs }: Side): number {
  const { gradientUnit, hessianUnit, totalGradient, totalHessian } = leaf;
  return gainOf(leaf, l2, gradient * gradientUnit, hessian * hessianUnit, docs, {
    gradient: (totalGradient - gradient) * gradientUnit,
    hessian: (totalHessian - hessian) * hessianUnit,
    direction: 0,
  });
}

function describe(
  words: Uint32Array,
  reals: Float64Array,
  { best }: LeafToSplit,
  { gradient, hessian, count, docs }: Side,
  gain: number,
  set: number,
  bins: readonly number[],
): void {
  reals.set([gain, gradient, hessian, count, 0, 0, 1, docs], best / 8);
  words.fill(0, set / 4, (set + SET_BYTES) / 4);
  for (const bin of bins) {
    const word = set / 4 + (bin >>> 5);
    words[word] = (words[word] | (1 << (bin & 31))) >>> 0;
  }
}

/** Whether a bin is in a set. */
export function isInSet(set: Uint32Array, bin: number): boolean {
  return ((set[bin >>> 5] >>> (bin & 31)) & 1) === 1;
}
