import type { FeatureMatrix } from '../../core/feature-matrix.js';
import { findEdges, MAX_BINS } from './bin-edges.js';
import { type Columns, copyColumns, refuseInfinite } from './cells.js';
import { CHUNK, type Layout } from './layout.js';
import { DoubleSorter } from './sort-doubles.js';
import type { Workbench } from './workbench.js';

/** Rows that the edges of bins are found from: enough to place 254 edges well. */
const SAMPLE_ROWS = 1 << 16;
/** Sampled cells that are held at a time. */
const SAMPLE_CELLS = 1 << 20;

/** Edges of the bins of every column, from rows evenly spaced among those that teach. */
export function findAllEdges(columns: Columns, rows: Uint32Array, maxValueBins: number): Float64Array[] {
  const count = Math.min(rows.length, SAMPLE_ROWS);
  const sample = Uint32Array.from({ length: count }, (_, i) => rows[Math.floor((i * rows.length) / count)]);
  const { numColumns } = columns;
  const atATime = Math.max(1, Math.min(numColumns, Math.floor(SAMPLE_CELLS / Math.max(1, count))));
  const cells = new Float64Array(atATime * count);
  const sorter = new DoubleSorter();
  const edges: Float64Array[] = [];
  for (let from = 0; from < numColumns; from += atATime) {
    const to = Math.min(from + atATime, numColumns);
    copyColumns(columns, sample, count, from, to, cells, 0, count);
    for (let c = from; c < to; c++) {
      const values = cells.subarray((c - from) * count, (c - from + 1) * count);
      const given = values.subarray(0, withoutNaN(values));
      sorter.sort(given);
      edges.push(findEdges(given, maxValueBins));
    }
  }
  return edges;
}

/** Moves the numbers that are not NaN to the front; tells how many they are. */
function withoutNaN(values: Float64Array): number {
  let given = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (!Number.isNaN(value)) values[given++] = value;
  }
  return given;
}

/** How many bins each feature has: one for missing values, and one more than it has edges. */
export function countBins(edges: readonly Float64Array[]): Uint16Array {
  return Uint16Array.from(edges, ({ length }) => length + 2);
}

/** Writes the edges where the kernel reads them. */
export function placeEdges(edges: readonly Float64Array[], { layout, reals }: Workbench): void {
  edges.forEach((ofFeature, f) => {
    const at = layout.edges / 8 + f * MAX_BINS;
    reals.fill(Infinity, at, at + MAX_BINS);
    reals.set(ofFeature, at);
  });
}

/** Puts every cell of a data set into its bin. */
export function binAll(bench: Workbench, matrix: FeatureMatrix, columns: Columns, role: 'training' | 'validation', layout: Layout): void {
  const bins = role === 'training' ? layout.bins : layout.validationBins;
  const { numRows } = matrix;
  const firstFeature = columns.features.firstFeature - columns.shift;
  for (let chunk = 0; chunk * CHUNK < numRows; chunk++) {
    refuseInfinite(matrix, role, bench.bin(columns, chunk, numRows, bins), columns.numColumns, firstFeature);
  }
}
