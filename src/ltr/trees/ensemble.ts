import type { TreeScorer } from '../ranker.js';
import type { GrownTree } from './grown-tree.js';
import type { TreeTraining } from './tree-training.js';

/** Trees of bins as trees of values: a bin's edge is the threshold, so that raw values reach the leaf that their bins reach. */
export function toScorer(
  trees: readonly GrownTree[],
  treeWeights: Float64Array,
  { edges, columns }: Pick<TreeTraining, 'edges' | 'columns'>,
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
  return { kind: 'trees', base, nodeOffsets, treeWeights, divisor, ...scorer };
}
