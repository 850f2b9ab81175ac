import { seededIntegers } from '../../../core/numbers/random.js';
import { sumCount, sumGradient, sumHessian } from '../kernel-js.js';
import { type LeafRules, leafValue, scoreOf } from './leaf-value.js';

/** A leaf and a feature to split it by. */
export interface LeafToSplit {
  readonly histogram: number;
  readonly numBins: number;
  readonly countBits: number;
  readonly gradientUnit: number;
  readonly hessianUnit: number;
  readonly totalGradient: number;
  readonly totalHessian: number;
  readonly totalCount: number;
  /** What both sides together must exceed. */
  readonly least: number;
  /** The values of leaves below must stay between these. */
  readonly lower: number;
  readonly upper: number;
  /** The value that the leaf has itself. */
  readonly value: number;
  readonly minDocs: number;
  readonly minHessian: number;
  /** Documents on either side are estimated from second derivatives, as if all had the mean one. */
  readonly countsByHessian: boolean;
  readonly rules: LeafRules;
  /** Where the one split that is tried is drawn from, and for which feature; undefined: all are tried. */
  readonly draw: { readonly seed: number; readonly feature: number } | undefined;
  /** Where the split is described, as the kernel does it. */
  readonly best: number;
}

/** `findSplit` of the kernel for leaves whose values are held back, or bound by a feature that scores must not fall or must not rise with,
 *  and for splits that are drawn. Number 7 of the description is how many documents the left side is taken to have. A value that had to be
 *  moved gains less than the free one. Of equal splits the first wins; LightGBM looks from the last bin to the first, but for the splits
 *  that send missing values right.
 *  @param direction  1: the right side must not be lower; -1: it must not be higher; 0: free */
export function findHeldSplit(words: Uint32Array, reals: Float64Array, leaf: LeafToSplit, direction: number): void {
  const base = leaf.histogram / 4;
  reals[leaf.best / 8 + 6] = 0;
  const missing = sumCount(words, base, leaf.countBits);
  // behind the last bin nothing is left but missing values
  const choices = Math.max(1, leaf.numBins - (missing > 0 ? 1 : 2));
  const drawn = leaf.draw === undefined ? 0 : drawnOf(leaf.draw, choices) + 1;
  if (leaf.countsByHessian) {
    const last = scan(words, reals, leaf, { direction, drawn, missingLeft: missing > 0, descends: true }, leaf.least);
    if (missing > 0) scan(words, reals, leaf, { direction, drawn, missingLeft: false, descends: false }, last);
    return;
  }
  const first = scan(words, reals, leaf, { direction, drawn, missingLeft: false, descends: false }, leaf.least);
  if (missing > 0) scan(words, reals, leaf, { direction, drawn, missingLeft: true, descends: false }, first);
}

interface Scan {
  readonly direction: number;
  /** The only last bin of the left side that is tried; 0: all are. */
  readonly drawn: number;
  readonly missingLeft: boolean;
  /** From the last bin to the first. */
  readonly descends: boolean;
}

/** Tries the splits of one leaf in one order; returns what the best of them gains, or what was to be exceeded. */
function scan(
  words: Uint32Array,
  reals: Float64Array,
  leaf: LeafToSplit,
  { direction, drawn, missingLeft, descends }: Scan,
  least: number,
): number {
  const { countBits, totalGradient, totalHessian, totalCount, gradientUnit, hessianUnit, minDocs, minHessian, numBins } = leaf;
  const base = leaf.histogram / 4;
  let best = least;
  // sums of the side that grows as bins are added to it: the left one, or the right one if the last bins come first
  let gradient = 0;
  let hessian = 0;
  let count = 0;
  let docs = 0;
  const add = (bin: number): boolean => {
    const at = base + bin * 4;
    const here = sumCount(words, at, countBits);
    if (here === 0) return false;
    const ownHessian = sumHessian(words, at, countBits);
    gradient += sumGradient(words, at);
    hessian += ownHessian;
    count += here;
    docs += leaf.countsByHessian ? estimatedCount(ownHessian, leaf) : here;
    return true;
  };
  if (missingLeft !== descends) add(0);
  for (let step = 1; step < numBins; step++) {
    const bin = descends ? numBins - step : step;
    const isAdded = add(bin);
    const lastLeft = descends ? bin - 1 : bin;
    if (lastLeft === 0 || (drawn === 0 ? !isAdded : lastLeft !== drawn)) continue;
    const leftGradient = descends ? totalGradient - gradient : gradient;
    const leftHessian = descends ? totalHessian - hessian : hessian;
    const leftDocs = descends ? totalCount - docs : docs;
    if (leftDocs < minDocs || totalCount - leftDocs < minDocs || count === 0 || count === totalCount) continue;
    if (leftHessian * hessianUnit < minHessian || (totalHessian - leftHessian) * hessianUnit < minHessian) continue;
    const gain = gainOf(leaf, leaf.rules.l2, leftGradient * gradientUnit, leftHessian * hessianUnit, leftDocs, {
      gradient: (totalGradient - leftGradient) * gradientUnit,
      hessian: (totalHessian - leftHessian) * hessianUnit,
      direction,
    });
    if (!(gain > best)) continue;
    best = gain;
    const leftCount = descends ? totalCount - count : count;
    reals.set([gain, leftGradient, leftHessian, leftCount, lastLeft, missingLeft ? 1 : 0, 1, leftDocs], leaf.best / 8);
  }
  return best;
}

/** How many documents LightGBM takes to be in one bin: it does not count them, and shares them out by second derivatives. */
export function estimatedCount(hessian: number, { totalCount, totalHessian }: LeafToSplit): number {
  return Math.floor((hessian * totalCount) / totalHessian + 0.5);
}

/** What both sides of a split take off the loss together; -Infinity if their values would stand the wrong way round. */
export function gainOf(
  { totalCount, value, lower, upper, rules }: LeafToSplit,
  l2: number,
  gradient: number,
  hessian: number,
  count: number,
  right: { readonly gradient: number; readonly hessian: number; readonly direction: number },
): number {
  const leftValue = leafValue(rules, gradient, hessian + l2, count, value, lower, upper);
  const rightValue = leafValue(rules, right.gradient, right.hessian + l2, totalCount - count, value, lower, upper);
  if (right.direction * (rightValue - leftValue) < 0) return -Infinity;
  return scoreOf(gradient, hessian + l2, leftValue, rules.l1) + scoreOf(right.gradient, right.hessian + l2, rightValue, rules.l1);
}

/** One of so many, the same whichever thread asks. */
export function drawnOf({ seed, feature }: { readonly seed: number; readonly feature: number }, choices: number): number {
  return seededIntegers(seed, feature).below(choices);
}
