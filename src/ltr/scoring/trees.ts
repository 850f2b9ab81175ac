import type { CategorySplits, TreeScorer } from '../ranker.js';

/** Whether a value goes to the left branch of a node. */
export function goesLeft({ threshold, missingLeft, categories }: TreeScorer, node: number, cell: number): boolean {
  if (Number.isNaN(cell)) return missingLeft[node] === 1;
  if (categories === undefined || categories.setOf[node] < 0) return cell <= threshold[node];
  return cell > threshold[node] && hasCategory(categories, categories.setOf[node], Math.trunc(cell));
}

/** Whether a category, a whole number from 0, is in a set. */
export function hasCategory({ offsets, words }: CategorySplits, set: number, category: number): boolean {
  const word = offsets[set] + Math.floor(category / 32);
  return word < offsets[set + 1] && ((words[word] >>> (category % 32)) & 1) === 1;
}

/** The categories of a set, in order. */
export function categoriesOf({ offsets, words }: CategorySplits, set: number): number[] {
  const found: number[] = [];
  for (let word = offsets[set]; word < offsets[set + 1]; word++) {
    for (let bit = 0; bit < 32; bit++) if (((words[word] >>> bit) & 1) === 1) found.push((word - offsets[set]) * 32 + bit);
  }
  return found;
}

/** The leaf that a document, whose cells begin at a place, comes to in the tree of this root. */
export function leafOf(scorer: TreeScorer, root: number, cells: Float64Array, at = 0): number {
  let node = root;
  for (let column = scorer.feature[node]; column >= 0; column = scorer.feature[node]) {
    node = goesLeft(scorer, node, cells[at + column]) ? scorer.left[node] : scorer.right[node];
  }
  return node;
}

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
      if (scorer.categories !== undefined) node = leafOf(scorer, root, cells, at);
      for (let column = feature[node]; column >= 0; column = feature[node]) {
        const cell = cells[at + column];
        node = cell <= threshold[node] || (Number.isNaN(cell) && missingLeft[node] === 1) ? left[node] : right[node];
      }
      const sum = scores[row] + weight * value[node];
      scores[row] = single ? Math.fround(sum) : sum;
    }
  }
  if (divisor !== undefined) for (let row = 0; row < numRows; row++) scores[row] /= divisor;
}
