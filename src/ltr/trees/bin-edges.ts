/** Bins of one feature: 0 is for missing values, the others hold values in ascending order. */
export const MAX_BINS = 256;

/** Different values, ascending, and how often each occurs. */
export interface ValueCounts {
  readonly values: Float64Array;
  readonly counts: Uint32Array;
}

/** Places between neighbouring values where bins end: a value belongs to the first bin whose edge it does not exceed. With
 *  few different values each has a bin of its own; otherwise frequent values do, and the others share bins of about equal size.
 *
 *  @param sorted    values of a sample, ascending, without NaN
 *  @param maxValueBins  how many bins for values there may be; there is one edge fewer */
export function findEdges(sorted: Float64Array, maxValueBins: number): Float64Array {
  return edgesOfCounts(countValues(sorted), sorted.length, maxValueBins);
}

/** How often each value occurs; +0 and -0 are one value. */
export function countValues(sorted: Float64Array): ValueCounts {
  const values = new Float64Array(sorted.length);
  const counts = new Uint32Array(sorted.length); // fits: numbers of values, at most as many as there are rows
  let numValues = 0;
  for (let i = 0; i < sorted.length; i++) {
    if (numValues === 0 || sorted[i] !== values[numValues - 1]) values[numValues++] = sorted[i];
    counts[numValues - 1]++;
  }
  return { values: values.subarray(0, numValues), counts: counts.subarray(0, numValues) };
}

/** The same edges for values that were counted.
 *  @param count  how many they are in all */
export function edgesOfCounts({ values, counts }: ValueCounts, count: number, maxValueBins: number): Float64Array {
  const share = count / maxValueBins;
  let binsLeft = maxValueBins;
  let rowsLeft = count;
  for (const often of counts) {
    if (often < share) continue;
    binsLeft--;
    rowsLeft -= often;
  }
  const edges: number[] = [];
  const all = values.length <= maxValueBins;
  let inBin = 0;
  for (let v = 0; v + 1 < values.length && (all || edges.length < maxValueBins - 1); v++) {
    const isFrequent = counts[v] >= share;
    inBin += counts[v];
    const target = rowsLeft / Math.max(1, binsLeft);
    // a bin also ends before a frequent value, unless hardly anything is in it
    if (all || isFrequent || inBin >= target || (counts[v + 1] >= share && inBin >= target / 2)) {
      edges.push(between(values[v], values[v + 1]));
      if (!isFrequent) {
        binsLeft--;
        rowsLeft -= inBin;
      }
      inBin = 0;
    }
  }
  return Float64Array.from(edges);
}

/** A number x with low <= x < high, in the middle if it can be. */
function between(low: number, high: number): number {
  const middle = low / 2 + high / 2;
  return middle >= low && middle < high ? middle : low;
}
