/** Bins of one feature: 0 is for missing values, the others hold values in ascending order. */
export const MAX_BINS = 256;

/** Places between neighbouring values where bins end: a value belongs to the first bin whose edge it does not exceed. With
 *  few different values each has a bin of its own; otherwise frequent values do, and the others share bins of about equal size.
 *
 *  @param sorted    values of a sample, ascending, without NaN
 *  @param maxValueBins  how many bins for values there may be; there is one edge fewer */
export function findEdges(sorted: Float64Array, maxValueBins: number): Float64Array {
  const count = sorted.length;
  const share = count / maxValueBins;
  let numValues = 0;
  let binsLeft = maxValueBins;
  let rowsLeft = count;
  for (let start = 0, end = 0; start < count; start = end) {
    end = endOfEqual(sorted, start);
    numValues++;
    if (end - start < share) continue;
    binsLeft--;
    rowsLeft -= end - start;
  }
  const edges: number[] = [];
  const all = numValues <= maxValueBins;
  let inBin = 0;
  for (let start = 0, end = endOfEqual(sorted, 0); end < count && (all || edges.length < maxValueBins - 1); ) {
    const nextEnd = endOfEqual(sorted, end);
    const isFrequent = end - start >= share;
    inBin += end - start;
    const target = rowsLeft / Math.max(1, binsLeft);
    // a bin also ends before a frequent value, unless hardly anything is in it
    if (all || isFrequent || inBin >= target || (nextEnd - end >= share && inBin >= target / 2)) {
      edges.push(between(sorted[start], sorted[end]));
      if (!isFrequent) {
        binsLeft--;
        rowsLeft -= inBin;
      }
      inBin = 0;
    }
    start = end;
    end = nextEnd;
  }
  return Float64Array.from(edges);
}

/** Where values other than the one at `start` begin; +0 and -0 are one value. */
function endOfEqual(sorted: Float64Array, start: number): number {
  const value = sorted[start];
  let end = start + 1;
  while (end < sorted.length && sorted[end] === value) end++;
  return end;
}

/** A number x with low <= x < high, in the middle if it can be. */
function between(low: number, high: number): number {
  const middle = low / 2 + high / 2;
  return middle >= low && middle < high ? middle : low;
}
