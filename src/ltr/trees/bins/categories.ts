import { type DenseFeatures, type Features, toDense } from '../../../core/feature-matrix.js';

/** The categories of one column: bin b (from 1 on) holds the category values[b - 1]; whatever is not there has bin 0. */
export interface ColumnCategories {
  readonly column: number;
  readonly values: Float64Array;
}

/** Bins with categories, so that with the one for everything else a bin is one byte. */
export const MOST_CATEGORIES = 255;
/** Share of the documents that frequent categories must cover before rare ones may be dropped. */
const COVERED = 0.99;

/** The category of a value, which is a whole number from 0 on; NaN for a value that has none. */
export function categoryOf(value: number): number {
  const whole = Math.trunc(value);
  return whole >= 0 ? whole + 0 : Number.NaN;
}

/** The categories of a column by how many rows have them, the most frequent first and of equals the lowest. Rare ones are dropped as
 *  LightGBM does it: when nearly all rows are covered and there are as many bins as may be, or when they have too few rows.
 *  @param minDocs  rows that a category must have, from the third on */
export function findCategories(features: Features, column: number, maxBins: number, minDocs: number): ColumnCategories {
  const { values, numFeatures } = toDense(features);
  const counts = new Map<number, number>();
  let given = 0;
  let missing = 0;
  for (let i = column; i < values.length; i += numFeatures) {
    const category = categoryOf(values[i]);
    if (Number.isNaN(category)) {
      missing++;
      continue;
    }
    given++;
    counts.set(category, (counts.get(category) ?? 0) + 1);
  }
  const byCount = [...counts].sort(([a, countA], [b, countB]) => countB - countA || a - b);
  const mostBins = Math.min(byCount.length + (missing > 0 ? 1 : 0), maxBins);
  const enough = Math.round(given * COVERED);
  const kept: number[] = [];
  let covered = 0;
  for (const [category, count] of byCount) {
    if ((covered >= enough && kept.length + 1 >= mostBins) || kept.length >= MOST_CATEGORIES) break;
    if (count < minDocs && kept.length > 1) break;
    kept.push(category);
    covered += count;
  }
  return { column, values: Float64Array.from(kept) };
}

/** A copy of the data with the number of its bin in the place of each category, and NaN where a value has none. */
export function encodeCategories(features: Features, categories: readonly ColumnCategories[]): DenseFeatures {
  const dense = toDense(features);
  const { numFeatures } = dense;
  const size = dense.values.length * 8;
  const { buffer } = dense.values;
  const isShared = typeof SharedArrayBuffer !== 'undefined' && buffer instanceof SharedArrayBuffer;
  const values = new Float64Array(isShared ? new SharedArrayBuffer(size) : new ArrayBuffer(size));
  values.set(dense.values);
  for (const { column, values: known } of categories) {
    const binOf = new Map(Array.from(known, (category, k): [number, number] => [category, k + 1]));
    for (let i = column; i < values.length; i += numFeatures) values[i] = binOf.get(categoryOf(values[i])) ?? Number.NaN;
  }
  return { ...dense, values };
}

/** Where the bins of encoded categories end. */
export function categoryEdges({ values }: ColumnCategories): Float64Array {
  return Float64Array.from({ length: Math.max(0, values.length - 1) }, (_, k) => k + 1.5);
}
