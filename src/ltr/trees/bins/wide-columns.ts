import type { Features } from '../../../core/feature-matrix.js';
import { MAX_BINS } from '../bin-edges.js';
import { type BinRule, edgesOf } from '../binned-data.js';
import { copyColumns } from '../cells.js';
import { DoubleSorter } from '../sort-doubles.js';

/** Edges of one column at most: a bin is one byte, and one bin is for missing values. */
const MOST_EDGES = MAX_BINS - 2;

/** Columns with more bins than fit into a byte, each as several: every one of them has a stretch of the edges, and what lies before or
 *  behind that stretch is in its first or last bin. Whatever split one column with all the edges allowed, one of these does. */
export interface WideColumns {
  /** The column of the data that each of these is a part of; ascending. */
  readonly sources: Uint32Array;
  readonly edges: readonly Float64Array[];
}

/** Finds the edges of all columns and divides them.
 *  @param sample  rows that edges are found from
 *  @param known   edges that are known already, by column */
export function wideColumns(
  features: Features,
  sample: Uint32Array,
  maxValueBins: number,
  binning: BinRule,
  known: ReadonlyMap<number, Float64Array>,
): WideColumns {
  const sources: number[] = [];
  const edges: Float64Array[] = [];
  const values = new Float64Array(sample.length);
  const sorter = new DoubleSorter();
  for (let column = 0; column < features.numFeatures; column++) {
    copyColumns(features, sample, sample.length, column, column + 1, values, 0, sample.length);
    const all = known.get(column) ?? edgesOf(values, maxValueBins, sorter, binning);
    for (let from = 0; from === 0 || from < all.length; from += MOST_EDGES) {
      sources.push(column);
      edges.push(all.slice(from, from + MOST_EDGES));
    }
  }
  return { sources: Uint32Array.from(sources), edges }; // fits: columns, at most limits.features times 258
}
