import { seededRandom, shuffleInPlace } from '../../core/numbers/random.js';
import type { TreeScorer } from '../ranker.js';

/** What a tree ensemble makes of each feature: the sum of the gains of its splits, and how many there are. Gains are undefined
 *  where a model file did not tell them. */
export interface TreeImportance {
  readonly gain: Float64Array | undefined;
  readonly split: Float64Array;
}

/** How much each feature did for a model: the gain of its splits, where the model knows it, and their number. */
export function treeImportance(scorer: TreeScorer, numFeatures: number): TreeImportance {
  const split = new Float64Array(numFeatures);
  const gain = scorer.gain === undefined ? undefined : new Float64Array(numFeatures);
  for (let node = 0; node < scorer.feature.length; node++) {
    const f = scorer.feature[node];
    if (f < 0) continue;
    split[f]++;
    if (gain !== undefined) gain[f] += scorer.gain?.[node] ?? 0;
  }
  return { gain, split };
}

/** Data and a measure, for finding what is lost when a feature is shuffled. */
export interface PermutationRequest {
  /** Every cell, row by row. Left as it was. */
  readonly cells: Float64Array;
  readonly numFeatures: number;
  /** The value of a ranking of all rows by what a model makes of these cells: a measure's mean, for example. */
  readonly value: (cells: Float64Array) => number;
  readonly seed: number;
  /** How often each column is shuffled; the mean loss counts. */
  readonly repeats?: number | undefined;
}

/** What the value loses when one column is shuffled over all rows, for every column, with any scorer (Breiman, doi:10.1023/A:1010933404324). */
export function permutationImportance({ cells, numFeatures, value, seed, repeats = 5 }: PermutationRequest): Float64Array {
  const numRows = cells.length / numFeatures;
  const whole = value(cells);
  const losses = new Float64Array(numFeatures);
  const shuffled = Float64Array.from(cells);
  const column = new Float64Array(numRows);
  for (let f = 0; f < numFeatures; f++) {
    for (let repeat = 0; repeat < repeats; repeat++) {
      for (let row = 0; row < numRows; row++) column[row] = cells[row * numFeatures + f];
      shuffleInPlace(seededRandom(seed, f * repeats + repeat), column);
      for (let row = 0; row < numRows; row++) shuffled[row * numFeatures + f] = column[row];
      losses[f] += (whole - value(shuffled)) / repeats;
    }
    for (let row = 0; row < numRows; row++) shuffled[row * numFeatures + f] = cells[row * numFeatures + f];
  }
  return losses;
}
