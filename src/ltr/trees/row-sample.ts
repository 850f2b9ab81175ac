import type { FeatureMatrix } from '../../core/feature-matrix.js';
import { type Random, shuffleInPlace } from '../../core/numbers/random.js';
import type { BoostingValues } from './options.js';
import { rowsOf, type TreeTraining } from './tree-training.js';

/** The rows to grow the next tree on, ascending. */
export function drawRows(
  training: TreeTraining,
  options: BoostingValues,
  train: FeatureMatrix,
  iteration: number,
  random: Random,
): Uint32Array {
  const { rowSample, sampleBy } = options;
  if (sampleBy === 'gradient') return drawByGradient(training, options, iteration, random);
  if (rowSample >= 1) return training.rows;
  const from = sampleBy === 'query' ? training.queries : training.rows;
  const drawn = Uint32Array.from(from); // fits: entries
  shuffleInPlace(random, drawn);
  const some = drawn.subarray(0, Math.max(1, Math.round(rowSample * drawn.length))).sort();
  return sampleBy === 'query' ? rowsOf(some, train.queryOffsets) : some;
}

/** One-side sampling by gradients (Ke and others, LightGBM, 2017): the documents that are farthest off are kept, and a few of the others are
 *  drawn, whose gradients are made larger so that they stand for all of them. The first trees see everything. */
function drawByGradient(
  training: TreeTraining,
  { rate, topSample, otherSample }: BoostingValues,
  iteration: number,
  random: Random,
): Uint32Array {
  const { rows } = training;
  if (iteration <= Math.floor(1 / rate)) return rows;
  const { gradients, hessians } = training.gradients;
  return drawTopAndOthers(rows, gradients, hessians, topSample, otherSample, random);
}

/** The part of that which needs no training.
 *  @param gradients  and hessians: those of the drawn others are made larger here */
export function drawTopAndOthers(
  rows: Uint32Array,
  gradients: Float64Array,
  hessians: Float64Array,
  topSample: number,
  otherSample: number,
  random: Random,
): Uint32Array {
  const numTop = Math.max(1, Math.floor(topSample * rows.length));
  const numOthers = Math.min(rows.length - numTop, Math.floor(otherSample * rows.length));
  const size = (row: number): number => Math.abs(gradients[row] * hessians[row]);
  // fits: entries; of equals the first
  const bySize = Uint32Array.from(rows).sort((a, b) => size(b) - size(a) || a - b);
  const others = bySize.subarray(numTop);
  shuffleInPlace(random, others);
  const factor = numOthers > 0 ? (rows.length - numTop) / numOthers : 1;
  for (const row of others.subarray(0, numOthers)) {
    gradients[row] *= factor;
    hessians[row] *= factor;
  }
  return bySize.slice(0, numTop + numOthers).sort();
}
