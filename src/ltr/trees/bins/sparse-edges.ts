import type { SparseFeatures } from '../../../core/feature-matrix.js';
import { countValues, edgesOfCounts, type ValueCounts } from '../bin-edges.js';
import { DoubleSorter } from '../sort-doubles.js';

/** Sampled values that are brought into columns at a time: every time all of the sample has to be gone through. */
const VALUES_AT_A_TIME = 1 << 22;

/** The edges of all columns of sparse data: those that `findEdges` finds when all the zeros are written out.
 *  @param sample  rows that edges are found from */
export function sparseEdges(features: SparseFeatures, sample: Uint32Array, maxValueBins: number): Float64Array[] {
  const { numFeatures, rowOffsets, columns, values } = features;
  // of each column the values that are not 0, NaN among them
  const given = new Uint32Array(numFeatures); // fits: numbers of rows
  for (const row of sample) {
    for (let i = rowOffsets[row]; i < rowOffsets[row + 1]; i++) if (values[i] !== 0) given[columns[i]]++;
  }
  const edges: Float64Array[] = [];
  const sorter = new DoubleSorter();
  const ends = new Float64Array(numFeatures);
  for (let from = 0, to = 0; from < numFeatures; from = to) {
    let size = 0;
    while (to < numFeatures && (to === from || size + given[to] <= VALUES_AT_A_TIME)) {
      ends[to] = size;
      size += given[to++];
    }
    const found = new Float64Array(size);
    for (const row of sample) {
      for (let i = rowOffsets[row]; i < rowOffsets[row + 1]; i++) {
        const c = columns[i];
        if (c >= from && c < to && values[i] !== 0) found[ends[c]++] = values[i];
      }
    }
    for (let c = from; c < to; c++) {
      const ofColumn = withoutNaN(found.subarray(ends[c] - given[c], ends[c]));
      sorter.sort(ofColumn);
      const numZeros = sample.length - given[c];
      edges.push(edgesOfCounts(withZeros(countValues(ofColumn), numZeros), ofColumn.length + numZeros, maxValueBins));
    }
  }
  return edges;
}

function withoutNaN(values: Float64Array): Float64Array {
  let kept = 0;
  for (const value of values) if (!Number.isNaN(value)) values[kept++] = value;
  return values.subarray(0, kept);
}

/** Counted values with so many zeros among them. */
function withZeros({ values, counts }: ValueCounts, numZeros: number): ValueCounts {
  if (numZeros === 0) return { values, counts };
  const at = values.findIndex((value) => value > 0);
  const place = at < 0 ? values.length : at;
  const all = { values: new Float64Array(values.length + 1), counts: new Uint32Array(values.length + 1) }; // fits: numbers of rows
  all.values.set(values.subarray(0, place));
  all.values.set(values.subarray(place), place + 1);
  all.counts.set(counts.subarray(0, place));
  all.counts[place] = numZeros;
  all.counts.set(counts.subarray(place), place + 1);
  return all;
}
