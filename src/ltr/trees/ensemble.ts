import type { CategorySplits, TreeScorer } from '../ranker.js';
import type { ColumnCategories } from './bins/categories.js';
import type { GrownTree } from './grown-tree.js';
import { isInSet } from './splits/category-split.js';
import type { TreeTraining } from './tree-training.js';

/** Trees of bins as trees of values: a bin's edge is the threshold, so that raw values reach the leaf that their bins reach. */
export function toScorer(
  trees: readonly GrownTree[],
  treeWeights: Float64Array,
  { edges, columns, categories }: Pick<TreeTraining, 'edges' | 'columns' | 'categories'>,
  base: number,
  divisor?: number,
): TreeScorer {
  const nodeOffsets = new Uint32Array(trees.length + 1); // fits: nodes
  trees.forEach((tree, t) => {
    nodeOffsets[t + 1] = nodeOffsets[t] + tree.numNodes;
  });
  const numNodes = nodeOffsets[trees.length];
  const scorer = {
    feature: new Int32Array(numNodes), // fits: features, at most limits.features, or -1
    threshold: new Float64Array(numNodes),
    left: new Uint32Array(numNodes), // fits: nodes
    right: new Uint32Array(numNodes), // fits: nodes
    missingLeft: new Uint8Array(numNodes), // fits: flags
    value: new Float64Array(numNodes),
    gain: new Float64Array(numNodes),
    cover: new Float64Array(numNodes),
  };
  trees.forEach((tree, t) => {
    const from = nodeOffsets[t];
    for (let n = 0; n < tree.numNodes; n++) {
      const feature = tree.feature[n];
      scorer.left[from + n] = from + tree.left[n];
      scorer.right[from + n] = from + tree.right[n];
      scorer.gain[from + n] = tree.gain[n];
      scorer.cover[from + n] = tree.cover[n];
      scorer.feature[from + n] = columns?.[feature] ?? feature;
      if (feature < 0) {
        scorer.value[from + n] = tree.value[n];
        continue;
      }
      scorer.missingLeft[from + n] = tree.missingLeft[n];
      // the last bin has no edge: every value goes left, and only missing ones go right
      scorer.threshold[from + n] = edges[feature][tree.lastLeftBin[n] - 1] ?? Number.MAX_VALUE;
    }
  });
  const sets = categorySplits(trees, nodeOffsets, categories, columns);
  if (sets === undefined) return { kind: 'trees', base, nodeOffsets, treeWeights, divisor, ...scorer };
  // values from here on down have no category
  sets.setOf.forEach((set, n) => {
    if (set >= 0) scorer.threshold[n] = -1;
  });
  return { kind: 'trees', base, nodeOffsets, treeWeights, divisor, ...scorer, categories: sets };
}

/** The sets of bins as sets of categories; undefined if there are none. */
function categorySplits(
  trees: readonly GrownTree[],
  nodeOffsets: Uint32Array,
  categories: readonly ColumnCategories[],
  columns: Uint32Array | undefined,
): CategorySplits | undefined {
  const valuesOf = new Map(categories.map(({ column, values }) => [column, values]));
  const setOf = new Int32Array(nodeOffsets[trees.length]).fill(-1); // fits: sets, of which there are at most as many as nodes
  const offsets = [0];
  const words: number[] = [];
  trees.forEach((tree, t) => {
    tree.leftSet.forEach((set, n) => {
      if (set === undefined) return;
      const known = valuesOf.get(columns?.[tree.feature[n]] ?? tree.feature[n]) ?? new Float64Array(0);
      const listed = known.filter((_, k) => isInSet(set, k + 1));
      const bits = new Uint32Array(Math.floor(Math.max(...listed) / 32) + 1); // fits: flags, 32 at a time
      for (const category of listed) {
        const word = Math.floor(category / 32);
        bits[word] = (bits[word] | (1 << (category % 32))) >>> 0;
      }
      setOf[nodeOffsets[t] + n] = offsets.length - 1;
      words.push(...bits);
      offsets.push(words.length);
    });
  });
  // fits: places among those words, and flags
  return words.length === 0 ? undefined : { setOf, offsets: Uint32Array.from(offsets), words: Uint32Array.from(words) };
}
