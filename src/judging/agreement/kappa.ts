import type { CodedRatings } from './ratings.js';

/** How often the first judge gave the category of the row and the second that of the column, on units that both graded. */
export function confusionMatrix(coded: CodedRatings, first = 0, second = 1): Float64Array {
  const q = coded.categories.length;
  const units = coded.topicOf.length;
  const counts = new Float64Array(q * q);
  for (let u = 0; u < units; u++) {
    const k = coded.codes[first * units + u];
    const l = coded.codes[second * units + u];
    if (k >= 0 && l >= 0) counts[k * q + l]++;
  }
  return counts;
}

/** The confusion of each topic. */
export function confusionsByTopic(coded: CodedRatings, first = 0, second = 1): Float64Array[] {
  const q = coded.categories.length;
  const units = coded.topicOf.length;
  const counts = Array.from({ length: coded.numTopics }, () => new Float64Array(q * q));
  for (let u = 0; u < units; u++) {
    const k = coded.codes[first * units + u];
    const l = coded.codes[second * units + u];
    if (k >= 0 && l >= 0) counts[coded.topicOf[u]][k * q + l]++;
  }
  return counts;
}

/** Cohen's kappa of two judges (doi:10.1177/001316446002000104, with weights doi:10.1037/h0026256). */
export interface Kappa {
  /** Null where both judges used one and the same category only. */
  readonly value: number | null;
  readonly pairs: number;
  readonly observed: number | null;
  readonly expected: number | null;
  /** Standard error for many independent pairs (Fleiss, Cohen and Everitt, doi:10.1037/h0028106). */
  readonly standardError: number | null;
  /** The same if the true value were 0, for a test. */
  readonly standardErrorAtZero: number | null;
}

/** Kappa from a confusion matrix, with weights such as `agreementWeights` gives. */
export function weightedKappa(confusion: ArrayLike<number>, weights: ArrayLike<number>): Kappa {
  const q = Math.round(Math.sqrt(confusion.length));
  const { pairs, rows, columns, observed, expected } = moments(confusion, weights, q);
  if (pairs === 0) return { value: null, pairs, observed: null, expected: null, standardError: null, standardErrorAtZero: null };
  const value = kappaOf(rows, columns, observed, expected);
  if (Number.isNaN(value)) return { value: null, pairs, observed, expected, standardError: null, standardErrorAtZero: null };
  const rowMeans = new Float64Array(q);
  const columnMeans = new Float64Array(q);
  for (let k = 0; k < q; k++) {
    for (let l = 0; l < q; l++) {
      rowMeans[k] += columns[l] * weights[k * q + l];
      columnMeans[l] += rows[k] * weights[k * q + l];
    }
  }
  let spread = 0;
  let spreadAtZero = 0;
  for (let k = 0; k < q; k++) {
    for (let l = 0; l < q; l++) {
      const weight = weights[k * q + l];
      const margin = rowMeans[k] + columnMeans[l];
      spread += (confusion[k * q + l] / pairs) * (weight * (1 - expected) - margin * (1 - observed)) ** 2;
      spreadAtZero += rows[k] * columns[l] * (weight - margin) ** 2;
    }
  }
  const variance = (spread - (observed * expected - 2 * expected + observed) ** 2) / (pairs * (1 - expected) ** 4);
  const varianceAtZero = (spreadAtZero - expected * expected) / (pairs * (1 - expected) ** 2);
  return {
    value,
    pairs,
    observed,
    expected,
    standardError: Math.sqrt(Math.max(0, variance)),
    standardErrorAtZero: Math.sqrt(Math.max(0, varianceAtZero)),
  };
}

/** The value alone: fast enough to be resampled. NaN where it is not defined. */
export function kappaValue(confusion: ArrayLike<number>, weights: ArrayLike<number>): number {
  const q = Math.round(Math.sqrt(confusion.length));
  const { pairs, rows, columns, observed, expected } = moments(confusion, weights, q);
  return pairs === 0 ? Number.NaN : kappaOf(rows, columns, observed, expected);
}

interface Moments {
  readonly pairs: number;
  readonly rows: Float64Array;
  readonly columns: Float64Array;
  readonly observed: number;
  readonly expected: number;
}

function moments(confusion: ArrayLike<number>, weights: ArrayLike<number>, q: number): Moments {
  let pairs = 0;
  for (let c = 0; c < q * q; c++) pairs += confusion[c];
  const rows = new Float64Array(q);
  const columns = new Float64Array(q);
  let observed = 0;
  for (let k = 0; k < q; k++) {
    for (let l = 0; l < q; l++) {
      const share = confusion[k * q + l] / pairs;
      rows[k] += share;
      columns[l] += share;
      observed += weights[k * q + l] * share;
    }
  }
  let expected = 0;
  for (let k = 0; k < q; k++) for (let l = 0; l < q; l++) expected += weights[k * q + l] * rows[k] * columns[l];
  return { pairs, rows, columns, observed, expected };
}

/** A judge who always says the same agrees as often as chance does, whatever rounding makes of it. */
function kappaOf(rows: Float64Array, columns: Float64Array, observed: number, expected: number): number {
  const constantRow = used(rows);
  const constantColumn = used(columns);
  if (constantRow >= 0 || constantColumn >= 0) return constantRow === constantColumn ? Number.NaN : 0;
  return (observed - expected) / (1 - expected);
}

/** The one category that was used, or -1 if there are several. */
function used(margin: Float64Array): number {
  let found = -1;
  for (let k = 0; k < margin.length; k++) {
    if (margin[k] === 0) continue;
    if (found >= 0) return -1;
    found = k;
  }
  return found;
}
