import { kernelLoader, kernelMemory, startKernel } from '../../core/kernel.js';
import type { TreeScorer } from '../ranker.js';
import { treeScoringWasm } from './kernels/tree-scoring.wasm.js';

type ScoreRows = (
  rows: number,
  width: number,
  numRows: number,
  trees: number,
  numTrees: number,
  nodes: number,
  values: number,
  scores: number,
  missing: boolean,
  single: boolean,
) => void;

/** Documents that are scored together; the rows of a block and one tree stay in the nearest caches. */
const BLOCK_ROWS = 64;
const NODE_BYTES = 16;
/** Beyond this the ensemble is scored in TypeScript. */
const MOST_BYTES = 2 ** 30;

const loadKernel = kernelLoader(treeScoringWasm);

/** An ensemble laid out for the WebAssembly kernel. */
export interface BlockScorer {
  readonly blockRows: number;
  /** Where the rows of a block are put, side by side. */
  readonly cells: Float64Array;
  /** Scores the first rows of the cells. `missing` says whether any cell is NaN. */
  score(numRows: number, missing: boolean, scores: Float64Array): void;
}

/** A scorer of blocks on the WebAssembly kernel, or undefined where there is no WebAssembly, the ensemble is too large or splits
 *  by category. */
export function createTreeScoring(scorer: TreeScorer, numFeatures: number): BlockScorer | undefined {
  const module = loadKernel();
  const numNodes = scorer.feature.length;
  const numTrees = scorer.treeWeights.length;
  const width = Math.max(1, numFeatures);
  const treesAt = 16;
  const nodesAt = treesAt + 8 * numTrees + ((8 * numTrees) & 8);
  const valuesAt = nodesAt + NODE_BYTES * numNodes;
  const scoresAt = valuesAt + 8 * numNodes;
  const rowsAt = scoresAt + 8 * BLOCK_ROWS;
  const bytes = rowsAt + 8 * width * BLOCK_ROWS;
  if (module === undefined || bytes > MOST_BYTES || scorer.categories !== undefined) return undefined;
  const memory = kernelMemory(bytes);
  if (memory === undefined) return undefined;
  const { buffer } = memory;
  layOut(
    scorer,
    new Uint32Array(buffer, treesAt, 2 * numTrees), // fits: nodes
    nodesAt,
    new DataView(buffer),
    new Float64Array(buffer, valuesAt, numNodes),
  );
  const { scoreRows } = startKernel<{ scoreRows: ScoreRows }>(module, memory);
  const sums = new Float64Array(buffer, scoresAt, BLOCK_ROWS);
  const single = scorer.sums === 'float32';
  return {
    blockRows: BLOCK_ROWS,
    cells: new Float64Array(buffer, rowsAt, width * BLOCK_ROWS),
    score(numRows, missing, scores) {
      sums.fill(scorer.base);
      // rows beyond the last are scored too, whatever they hold, and left
      const rounded = (numRows + 7) & ~7;
      scoreRows(rowsAt, 8 * width, rounded, treesAt, numTrees, nodesAt, valuesAt, scoresAt, missing, single);
      const { divisor } = scorer;
      for (let row = 0; row < numRows; row++) scores[row] = divisor === undefined ? sums[row] : sums[row] / divisor;
    },
  };
}

/** Puts the nodes of every tree level by level, so that branches are neighbours. */
function layOut(scorer: TreeScorer, trees: Uint32Array, nodesAt: number, view: DataView, values: Float64Array): void {
  const { nodeOffsets, treeWeights, feature, threshold, left, right, missingLeft, value } = scorer;
  const order = new Uint32Array(scorer.feature.length); // fits: nodes
  const level = new Uint32Array(scorer.feature.length); // fits: nodes
  for (let tree = 0; tree < treeWeights.length; tree++) {
    const start = nodeOffsets[tree];
    let end = start + 1;
    let depth = 0;
    order[start] = start;
    level[start] = 0;
    for (let place = start; place < end; place++) {
      const node = order[place];
      const at = nodesAt + NODE_BYTES * place;
      const isLeaf = feature[node] < 0;
      view.setFloat64(at, isLeaf ? Infinity : threshold[node], true);
      view.setUint32(at + 8, isLeaf ? 0 : (8 * feature[node]) | (missingLeft[node] === 1 ? 0 : 1), true);
      view.setUint32(at + 12, nodesAt + NODE_BYTES * (isLeaf ? place : end), true);
      values[place] = treeWeights[tree] * value[node];
      depth = level[place];
      if (isLeaf) continue;
      order[end] = left[node];
      order[end + 1] = right[node];
      level[end] = depth + 1;
      level[end + 1] = depth + 1;
      end += 2;
    }
    trees[2 * tree] = nodesAt + NODE_BYTES * start;
    trees[2 * tree + 1] = depth;
  }
}
