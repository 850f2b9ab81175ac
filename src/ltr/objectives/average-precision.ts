import { limits } from '../../core/limits.js';
import { InputError } from '../../core/problem.js';
import { averagePrecision } from '../../measures/families/average-precision.js';
import { type Thresholds, thresholdsOf } from '../../measures/families/graded.js';
import { depthOf, type Measure, numberParam } from '../../measures/measure.js';
import { Passes } from '../../measures/passes.js';
import { maxRel } from '../../measures/scale.js';
import type { PreparedObjective } from './objective.js';
import { codesOf, highestOf, longestList, preparedWith, settleQueries } from './settled.js';

/** AP and GAP. GAP is a mean of APs, one for each grade from which on users hold a document to be relevant, so a document is
 *  known by how many of these thresholds it reaches, and a swap touches only those that one of the two reaches and the other
 *  does not. AP has one threshold. */
export function prepareAveragePrecision(measure: Measure, labels: Float64Array, queryOffsets: Uint32Array): PreparedObjective {
  const { params } = measure;
  const isAp = measure.def === averagePrecision;
  const passes = new Passes({ highestGrade: highestOf(labels) });
  const atRel: Thresholds = { grades: isAp ? [numberParam(params, 'rel')] : [], shares: [1] };
  const numQueries = queryOffsets.length - 1;
  const thresholds: Thresholds[] = Array.from({ length: numQueries }, (_, q) =>
    isAp ? atRel : thresholdsOf(params, () => maxRel(params, passes), labels.subarray(queryOffsets[q], queryOffsets[q + 1])),
  );
  const denominator = isAp ? (params.denominator as 'R' | 'min' | 'list' | 'list-min' | 'found') : 'R';
  const cutoff = depthOf(params);
  const codes = codesOf(labels);

  // there are as many thresholds as grades that occur in the query, which may be any number
  const reached = new Uint32Array(codes.length); // fits: entries
  for (let q = 0; q < numQueries; q++) {
    const { grades } = thresholds[q];
    for (let row = queryOffsets[q]; row < queryOffsets[q + 1]; row++) {
      let level = 0;
      while (level < grades.length && codes[row] >= grades[level]) level++;
      reached[row] = level;
    }
  }

  const inOrderOfRows = Uint32Array.from({ length: longestList(queryOffsets) }, (_, i) => i); // fits: entries
  const divisors = new Float64Array(numQueries);
  const settled = settleQueries(measure, codes, queryOffsets, passes, (q, { numRetrieved }) => {
    const end = queryOffsets[q + 1];
    const { grades, shares } = thresholds[q];
    let divisor = 0;
    let ordered = false;
    for (let t = 0; t < grades.length; t++) {
      let hits = 0;
      for (let row = queryOffsets[q]; row < end; row++) if (reached[row] > t) hits++;
      // a threshold below 0 is reached by documents without a judgement, which are hits but not relevant
      let relevant = hits;
      if (grades[t] < 0) for (let row = queryOffsets[q]; row < end; row++) if (reached[row] > t && codes[row] < 0) relevant--;
      divisor += shares[t] * (denominator === 'R' || denominator === 'min' ? relevant : hits);
      if (shares[t] > 0 && hits > 0 && hits < numRetrieved) ordered = true;
    }
    divisors[q] = denominator === 'min' || denominator === 'list-min' ? Math.min(divisor, cutoff) : divisor;
    if (!(divisors[q] > 0)) return 0;
    return ordered ? 'ordered' : sumOf(q, inOrderOfRows) / dividedBy(q, inOrderOfRows);
  });

  /** The sums of precisions, each weighted by the share of its users. */
  function sumOf(q: number, order: Uint32Array): number {
    const from = queryOffsets[q];
    const depth = Math.min(cutoff, queryOffsets[q + 1] - from);
    const { shares } = thresholds[q];
    let total = 0;
    for (let t = 0; t < shares.length; t++) {
      if (!(shares[t] > 0)) continue;
      let hits = 0;
      let sum = 0;
      for (let i = 0; i < depth; i++) {
        if (reached[from + order[i]] <= t) continue;
        hits++;
        sum += hits / (i + 1);
      }
      total += shares[t] * sum;
    }
    return total;
  }

  /** What the sums are divided by; with *found* that depends on the order too. */
  function dividedBy(q: number, order: Uint32Array): number {
    if (denominator !== 'found') return divisors[q];
    const from = queryOffsets[q];
    const depth = Math.min(cutoff, queryOffsets[q + 1] - from);
    let hits = 0;
    for (let i = 0; i < depth; i++) if (reached[from + order[i]] > 0) hits++;
    return hits;
  }

  // for each threshold: hits above each rank, and the sum of 1/rank over hits above it, as far as the cutoff
  const stride = longestList(queryOffsets) + 1;
  const mostThresholds = thresholds.reduce((most, { grades }) => Math.max(most, grades.length), 0);
  if (stride * mostThresholds > limits.thresholdCells) {
    throw new InputError({
      message: `${mostThresholds} thresholds by queries of up to ${stride - 1} documents are more than ${limits.thresholdCells} cells`,
      wayOut: 'name the grades that matter, as in GAP(thresholds=[1,10,100])',
    });
  }
  const hitsAbove = new Uint32Array(stride * mostThresholds); // fits: entries
  const inverseAbove = new Float64Array(stride * mostThresholds);
  const fixedLevel = new Uint32Array(stride); // fits: entries
  let fixedShares: readonly number[] = [];
  let fixedDepth = 0;
  let fixedSum = 0;
  let fixedDivisor = 1;

  /** What the sum of one threshold's precisions gains when the documents at ranks a and b change places, of which the one at b
   *  is a hit and the one at a is not; the other way round it is the same with the roles of before and after exchanged. */
  function gainOfMovingUp(t: number, a: number, b: number): number {
    if (a >= fixedDepth) return 0;
    const base = t * stride;
    const hitIsAt = fixedLevel[b] > t ? b : a;
    // hits above a, and those up to b, the moving one not counted
    const above = hitsAbove[base + a];
    const until = hitsAbove[base + b] - (hitIsAt === a ? 1 : 0);
    const atTop = (above + 1) / (a + 1);
    const between = inverseAbove[base + b] - inverseAbove[base + a + 1];
    const atBottom = b < fixedDepth ? (until + 1) / (b + 1) : 0;
    return atTop + between - atBottom;
  }

  return preparedWith(settled, {
    value(q, order) {
      const divisor = dividedBy(q, order);
      return divisor > 0 ? sumOf(q, order) / divisor : 0;
    },
    fixOrder(q, order) {
      const from = queryOffsets[q];
      const length = queryOffsets[q + 1] - from;
      fixedShares = thresholds[q].shares;
      fixedDepth = Math.min(cutoff, length);
      for (let i = 0; i < length; i++) fixedLevel[i] = reached[from + order[i]];
      for (let t = 0; t < fixedShares.length; t++) {
        const base = t * stride;
        let hits = 0;
        let inverse = 0;
        for (let i = 0; i < length; i++) {
          hitsAbove[base + i] = hits;
          inverseAbove[base + i] = inverse;
          if (fixedLevel[i] <= t) continue;
          hits++;
          if (i < fixedDepth) inverse += 1 / (i + 1);
        }
        hitsAbove[base + length] = hits;
        inverseAbove[base + length] = inverse;
      }
      fixedDivisor = dividedBy(q, order);
      if (denominator === 'found') fixedSum = sumOf(q, order);
    },
    swapDelta(a, b) {
      const low = Math.min(fixedLevel[a], fixedLevel[b]);
      const high = Math.max(fixedLevel[a], fixedLevel[b]);
      if (low === high || a >= fixedDepth) return 0;
      let gained = 0;
      for (let t = low; t < high; t++) gained += fixedShares[t] * gainOfMovingUp(t, a, b);
      const change = fixedLevel[b] > fixedLevel[a] ? gained : -gained;
      if (denominator !== 'found' || b < fixedDepth) return change / fixedDivisor;
      // a hit crosses the cutoff, and is found or no longer found
      const found = fixedDivisor + (fixedLevel[b] > fixedLevel[a] ? 1 : -1);
      return (found > 0 ? (fixedSum + change) / found : 0) - (fixedDivisor > 0 ? fixedSum / fixedDivisor : 0);
    },
  });
}
