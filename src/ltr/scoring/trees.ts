import type { TreeScorer } from '../ranker.js';

/** Scores of rows side by side in cells, as an ensemble of trees gives them. Tree after tree over all rows, so that a tree
 *  is read from the nearest cache; each row's sum still runs over the trees in order. */
export function scoreTrees(scorer: TreeScorer, cells: Float64Array, numRows: number, width: number, scores: Float64Array): void {
  const { nodeOffsets, treeWeights, feature, threshold, left, right, missingLeft, value, divisor } = scorer;
  const single = scorer.sums === 'float32';
  scores.fill(scorer.base, 0, numRows);
  for (let tree = 0; tree < treeWeights.length; tree++) {
    const root = nodeOffsets[tree];
    const weight = treeWeights[tree];
    for (let row = 0, at = 0; row < numRows; row++, at += width) {
      let node = root;
      for (let column = feature[node]; column >= 0; column = feature[node]) {
        const cell = cells[at + column];
        const goesLeft = cell <= threshold[node] || (Number.isNaN(cell) && missingLeft[node] === 1);
        node = goesLeft ? left[node] : right[node];
      }
      const sum = scores[row] + weight * value[node];
      scores[row] = single ? Math.fround(sum) : sum;
    }
  }
  if (divisor !== undefined) for (let row = 0; row < numRows; row++) scores[row] /= divisor;
}
