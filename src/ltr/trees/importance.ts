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
  /** What rankings by these cells are worth: one number, or one for each query. */
  readonly values: (cells: Float64Array) => Float64Array;
  readonly seed: number;
  /** How often each column is shuffled; the mean loss counts. */
  readonly repeats?: number | undefined;
  /** Where queries begin and end, to shuffle values within each query only. */
  readonly queryOffsets?: Uint32Array | undefined;
  /** Which columns can matter, one flag each; the others lose nothing and are not shuffled. All of them by default. */
  readonly used?: ArrayLike<number> | undefined;
}

/** What the values lose when one column is shuffled over all rows, or within queries, for every column, with any scorer (Breiman,
 *  doi:10.1023/A:1010933404324). */
export function permutationImportance(request: PermutationRequest): Float64Array[] {
  const { cells, numFeatures, values, seed, repeats = 5, used } = request;
  const numRows = cells.length / numFeatures;
  const queryOffsets = request.queryOffsets ?? Uint32Array.of(0, numRows); // fits: entries
  const whole = values(cells);
  const shuffled = Float64Array.from(cells);
  const column = new Float64Array(numRows);
  return Array.from({ length: numFeatures }, (_, f) => {
    const losses = new Float64Array(whole.length);
    if (used?.[f] === 0) return losses;
    for (let repeat = 0; repeat < repeats; repeat++) {
      const random = seededRandom(seed, f * repeats + repeat);
      for (let row = 0; row < numRows; row++) column[row] = cells[row * numFeatures + f];
      for (let q = 0; q + 1 < queryOffsets.length; q++) shuffleInPlace(random, column.subarray(queryOffsets[q], queryOffsets[q + 1]));
      for (let row = 0; row < numRows; row++) shuffled[row * numFeatures + f] = column[row];
      const left = values(shuffled);
      for (let i = 0; i < losses.length; i++) losses[i] += (whole[i] - left[i]) / repeats;
    }
    for (let row = 0; row < numRows; row++) shuffled[row * numFeatures + f] = cells[row * numFeatures + f];
    return losses;
  });
}
