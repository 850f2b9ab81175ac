import { nextDouble } from '../../models/float32.js';

/** Values of at most this size are 0. */
const ZERO = 1e-35;

interface Distinct {
  readonly value: number;
  readonly count: number;
}

/** Edges of bins by the rule of LightGBM: 0 has a bin of its own, and what is below and above it shares the others by number; bins of
 *  many different values hold about equally many, and at least `minDocs`.
 *
 *  @param sorted        values of a sample, ascending, without NaN
 *  @param maxValueBins  how many bins for values there may be; there is one edge fewer */
export function lightgbmEdges(sorted: Float64Array, maxValueBins: number, minDocs: number): Float64Array {
  const distinct = distinctOf(sorted);
  const below = distinct.filter(({ value }) => value <= -ZERO);
  const above = distinct.filter(({ value }) => value > ZERO);
  const numBelow = countOf(below);
  const numAbove = countOf(above);
  const edges: number[] = [];
  if (below.length > 0 && maxValueBins > 1) {
    const share = Math.max(1, Math.trunc((numBelow / (numBelow + numAbove)) * (maxValueBins - 1)));
    edges.push(...evenEdges(below, share, numBelow, minDocs), -ZERO);
  }
  const left = maxValueBins - 1 - edges.length;
  if (above.length > 0 && left > 0) edges.push(ZERO, ...evenEdges(above, left, numAbove, minDocs));
  return Float64Array.from(edges);
}

/** Neighbours that only the last bit tells apart are one value, the larger of them. */
function distinctOf(sorted: Float64Array): Distinct[] {
  const distinct: { value: number; count: number }[] = [];
  for (const value of sorted) {
    const last = distinct.at(-1);
    if (last !== undefined && value <= nextDouble(last.value)) {
      last.value = value;
      last.count++;
    } else distinct.push({ value, count: 1 });
  }
  return distinct;
}

const countOf = (distinct: readonly Distinct[]): number => distinct.reduce((sum, { count }) => sum + count, 0);

/** Edges between values of one sign. */
function evenEdges(distinct: readonly Distinct[], maxBins: number, total: number, minDocs: number): number[] {
  const edges: number[] = [];
  const cut = (i: number): boolean => {
    const edge = nextDouble((distinct[i].value + distinct[i + 1].value) / 2);
    const last = edges.at(-1);
    if (last !== undefined && edge <= nextDouble(last)) return false;
    edges.push(edge);
    return true;
  };
  let inBin = 0;
  if (distinct.length <= maxBins) {
    for (let i = 0; i + 1 < distinct.length; i++) {
      inBin += distinct[i].count;
      if (inBin >= minDocs && cut(i)) inBin = 0;
    }
    return edges;
  }
  const bins = Math.max(1, Math.min(maxBins, Math.floor(total / Math.max(1, minDocs))));
  const isFrequent = distinct.map(({ count }) => count >= total / bins);
  let binsLeft = bins - isFrequent.filter(Boolean).length;
  let rowsLeft = total - countOf(distinct.filter((_, i) => isFrequent[i]));
  let size = rowsLeft / binsLeft;
  let numCuts = 0;
  for (let i = 0; i + 1 < distinct.length && numCuts < bins - 1; i++) {
    if (!isFrequent[i]) rowsLeft -= distinct[i].count;
    inBin += distinct[i].count;
    const endsBeforeFrequent = isFrequent[i + 1] && inBin >= Math.max(1, size / 2);
    if (!(isFrequent[i] || inBin >= size || endsBeforeFrequent)) continue;
    cut(i);
    numCuts++;
    inBin = 0;
    if (isFrequent[i]) continue;
    binsLeft--;
    size = rowsLeft / binsLeft;
  }
  return edges;
}
