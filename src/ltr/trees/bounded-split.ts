import { sumCount, sumGradient, sumHessian } from './kernel-js.js';

/** A leaf and a feature whose effect on scores is bound to one direction, or that lies under such a split. */
export interface BoundedLeaf {
  readonly histogram: number;
  readonly numBins: number;
  readonly countBits: number;
  readonly gradientUnit: number;
  readonly hessianUnit: number;
  readonly totalGradient: number;
  readonly totalHessian: number;
  readonly totalCount: number;
  readonly least: number;
  /** The values of leaves below must stay between these. */
  readonly lower: number;
  readonly upper: number;
  /** 1: the right side must not be lower; -1: it must not be higher; 0: free. */
  readonly direction: number;
  readonly minDocs: number;
  readonly minHessian: number;
  readonly l2: number;
  /** Where the split is described, as the kernel does it. */
  readonly best: number;
}

/** `findSplit` of the kernel with bounds on the values of both sides. A value that had to be moved to a bound gains less than
 *  the free one. */
export function findBoundedSplit(words: Uint32Array, reals: Float64Array, leaf: BoundedLeaf): void {
  const { countBits, totalGradient, totalHessian, totalCount, gradientUnit, hessianUnit, l2, minDocs, minHessian } = leaf;
  const base = leaf.histogram / 4;
  const to = leaf.best / 8;
  let bestGain = leaf.least;
  reals[to + 6] = 0;
  const missing = sumCount(words, base, countBits);
  for (let missingLeft = 0; missingLeft < (missing > 0 ? 2 : 1); missingLeft++) {
    let gradient = missingLeft === 1 ? sumGradient(words, base) : 0;
    let hessian = missingLeft === 1 ? sumHessian(words, base, countBits) : 0;
    let count = missingLeft === 1 ? missing : 0;
    for (let bin = 1; bin < leaf.numBins; bin++) {
      const at = base + bin * 4;
      const here = sumCount(words, at, countBits);
      if (here === 0) continue;
      gradient += sumGradient(words, at);
      hessian += sumHessian(words, at, countBits);
      count += here;
      const left = hessian * hessianUnit;
      const right = (totalHessian - hessian) * hessianUnit;
      if (count < minDocs || totalCount - count < minDocs || left < minHessian || right < minHessian) continue;
      const leftGradient = gradient * gradientUnit;
      const rightGradient = (totalGradient - gradient) * gradientUnit;
      const leftValue = boundedValue(leftGradient, left + l2, leaf.lower, leaf.upper);
      const rightValue = boundedValue(rightGradient, right + l2, leaf.lower, leaf.upper);
      if (leaf.direction * (rightValue - leftValue) < 0) continue;
      const gain = scoreOf(leftGradient, left + l2, leftValue) + scoreOf(rightGradient, right + l2, rightValue);
      if (!(gain > bestGain)) continue;
      bestGain = gain;
      reals.set([gain, gradient, hessian, count, bin, missingLeft, 1], to);
    }
  }
}

/** The best value of a leaf between its bounds. */
export function boundedValue(gradient: number, hessian: number, lower: number, upper: number): number {
  return Math.min(upper, Math.max(lower, hessian > 0 ? -gradient / hessian : 0));
}

/** Twice what a value takes off the loss; gradient² / hessian for the best one. */
export function scoreOf(gradient: number, hessian: number, value: number): number {
  return -(2 * gradient * value + hessian * value * value);
}
