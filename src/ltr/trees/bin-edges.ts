/** Bins of one feature: 0 is for missing values, the others hold values in ascending order. */
export const MAX_BINS = 256;

/** Places between neighbouring values where bins end: a value belongs to the first bin whose edge it does not exceed. With
 *  few different values each has a bin of its own; otherwise frequent values do, and the others share bins of about equal size.
 *
 *  @param sorted    values of a sample, ascending, without NaN
 *  @param maxValueBins  how many bins for values there may be; there is one edge fewer */
export function findEdges(sorted: Float64Array, maxValueBins: number): Float64Array {
  const values: number[] = [];
  const counts: number[] = [];
  for (let i = 0; i < sorted.length; i++) {
    // +0 and -0 are one value
    if (i === 0 || sorted[i] !== sorted[i - 1]) {
      values.push(sorted[i]);
      counts.push(0);
    }
    counts[counts.length - 1]++;
  }
  const edges: number[] = [];
  if (values.length <= maxValueBins) {
    for (let i = 1; i < values.length; i++) edges.push(between(values[i - 1], values[i]));
    return Float64Array.from(edges);
  }
  const share = sorted.length / maxValueBins;
  const isFrequent = counts.map((count) => count >= share);
  let binsLeft = maxValueBins;
  let rowsLeft = sorted.length;
  for (let i = 0; i < values.length; i++) {
    if (!isFrequent[i]) continue;
    binsLeft--;
    rowsLeft -= counts[i];
  }
  let inBin = 0;
  for (let i = 0; i < values.length - 1 && edges.length < maxValueBins - 1; i++) {
    inBin += counts[i];
    const target = rowsLeft / Math.max(1, binsLeft);
    // a bin also ends before a frequent value, unless hardly anything is in it
    if (!isFrequent[i] && inBin < target && !(isFrequent[i + 1] && inBin >= target / 2)) continue;
    edges.push(between(values[i], values[i + 1]));
    if (!isFrequent[i]) {
      binsLeft--;
      rowsLeft -= inBin;
    }
    inBin = 0;
  }
  return Float64Array.from(edges);
}

/** A number x with low <= x < high, in the middle if it can be. */
function between(low: number, high: number): number {
  const middle = low / 2 + high / 2;
  return middle >= low && middle < high ? middle : low;
}
