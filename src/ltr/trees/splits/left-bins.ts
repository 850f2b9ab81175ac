import { codeOf } from '../bins/shared-columns.js';
import type { Layout } from '../layout.js';
import { isInSet } from './category-split.js';
import type { Split } from './growing-leaf.js';

/** The column of bins that a feature is in. */
export function columnOf({ shared }: Layout, feature: number): number {
  return shared === undefined ? feature : shared.columnOf[feature];
}

/** Sets 1 for each bin of a column whose rows go left, and 0 for all others.
 *  @param isLeft  a byte for each bin */
export function markLeftBins(
  layout: Layout,
  { feature, lastLeftBin, missingLeft, leftSet }: Pick<Split, 'feature' | 'lastLeftBin' | 'missingLeft' | 'leftSet'>,
  isLeft: Uint8Array,
): void {
  const { shared, numBins } = layout;
  const goesLeft = (bin: number): number => {
    if (leftSet !== undefined) return isInSet(leftSet, bin) ? 1 : 0;
    return bin === 0 ? missingLeft : bin <= lastLeftBin ? 1 : 0;
  };
  if (shared === undefined) {
    for (let bin = 0; bin < numBins[feature]; bin++) isLeft[bin] = goesLeft(bin);
    return;
  }
  // whatever other features have in this column, this one has its usual bin there
  isLeft.fill(goesLeft(shared.usualBin[feature]));
  for (let bin = 1 - shared.hasMissing[feature]; bin < shared.numBins[feature]; bin++) {
    if (bin !== shared.usualBin[feature]) isLeft[codeOf(shared, feature, bin)] = goesLeft(bin);
  }
}
