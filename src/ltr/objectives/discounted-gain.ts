import { emptyView } from '../../core/judging/judge-topic.js';
import { lnOfInteger } from '../../core/numbers/logarithm.js';
import { InputError } from '../../core/problem.js';
import type { DiscountRule } from '../../measures/discounted-pass.js';
import { discountRule, gainRule, ndcg } from '../../measures/families/cumulated-gain.js';
import { depthOf, type Measure } from '../../measures/measure.js';
import { Passes } from '../../measures/passes.js';
import type { PreparedObjective } from './objective.js';
import { codesOf, longestList, preparedWith, settleQueries, varies } from './settled.js';

/** nDCG and DCG: a sum of gain times weight of the rank, so that a swap needs the two documents only. */
export function prepareDiscountedGain(measure: Measure, labels: Float64Array, queryOffsets: Uint32Array): PreparedObjective {
  const { params } = measure;
  const cutoff = depthOf(params);
  const normalised = measure.def === ndcg;
  const needsAll = params.short === 'zero' && cutoff < Infinity;
  const rule = discountRule(params);
  const passes = new Passes();
  const discounted = passes.discounted(gainRule(params), rule);
  const codes = codesOf(labels);
  const gains = new Float64Array(codes.length);
  const norms = new Float64Array(queryOffsets.length - 1);
  const terms = new DiscountTerms(rule, longestList(queryOffsets));

  const settled = settleQueries(measure, codes, queryOffsets, passes, (q, { numRetrieved }) => {
    const from = queryOffsets[q];
    for (let i = 0; i < numRetrieved; i++) gains[from + i] = discounted.gains.ranked[i];
    refuseInfinite(measure, gains, codes, from, from + numRetrieved);
    const depth = Math.min(cutoff, numRetrieved);
    const norm = normalised ? discounted.idealSums[Math.min(cutoff, discounted.gains.numIdeal)] : 1;
    norms[q] = norm;
    if ((needsAll && numRetrieved < cutoff) || !(norm > 0)) return 0;
    // the sum depends on the order if neither gains nor weights are all the same
    const weightsVary = depth < numRetrieved || varies(terms.weights, 0, depth);
    return weightsVary && varies(gains, from, from + numRetrieved) ? 'ordered' : discounted.sums[depth] / norm;
  });

  let fixed: Uint32Array = new Uint32Array(0);
  let fixedFrom = 0;
  let fixedNorm = 1;
  const { weights, multipliers, divisors } = terms;
  return preparedWith(settled, {
    value(q, order) {
      const from = queryOffsets[q];
      const depth = Math.min(cutoff, queryOffsets[q + 1] - from);
      let sum = 0;
      for (let i = 0; i < depth; i++) {
        const gain = gains[from + order[i]];
        if (gain !== 0) sum += (gain * multipliers[i]) / divisors[i];
      }
      return sum / norms[q];
    },
    fixOrder(q, order) {
      fixed = order;
      fixedFrom = queryOffsets[q];
      fixedNorm = norms[q];
    },
    swapDelta(a, b) {
      if (a >= cutoff) return 0;
      const lost = b < cutoff ? weights[a] - weights[b] : weights[a];
      return ((gains[fixedFrom + fixed[b]] - gains[fixedFrom + fixed[a]]) * lost) / fixedNorm;
    },
    discounted: { gains, norms, weights: weights.map((weight, rank) => (rank < cutoff ? weight : 0)) },
  });
}

function refuseInfinite(measure: Measure, gains: Float64Array, codes: Float64Array, from: number, to: number): void {
  for (let row = from; row < to; row++) {
    if (gains[row] < Infinity) continue;
    throw new InputError({
      message: `label ${codes[row]} has no finite gain in ${measure.text}`,
      wayOut: "take another gain, as in nDCG(gain='linear')",
    });
  }
}

/** Each rank's part of the sum, (gain * multiplier) / divisor: in the very operations that the evaluation uses, so that the
 *  last bit agrees, whichever way a tool writes the logarithm. */
class DiscountTerms {
  readonly multipliers: Float64Array;
  readonly divisors: Float64Array;
  /** What a gain of 1 adds. */
  readonly weights: Float64Array;

  constructor(rule: DiscountRule, longest: number) {
    const { discount, term } = rule;
    const base = discount === 'log2' ? 2 : rule.base;
    const passes = new Passes();
    const probe = passes.discounted({ gain: 'linear' }, rule);
    const codes = new Float64Array(longest).fill(1);
    passes.update({ ...emptyView(), codes, numRetrieved: longest, judged: codes, numJudged: longest });
    const factors = probe.factors.subarray(0, longest);
    const logarithmic = discount === 'log2' || discount === 'jk';
    const ones = new Float64Array(longest).fill(1);
    this.multipliers = ones;
    this.divisors = ones;
    if (logarithmic && term === 'inverse') this.multipliers = factors;
    else {
      this.divisors = factors;
      if (logarithmic && term === 'product') {
        const lnBase = Number.isInteger(base) ? lnOfInteger(base) : Math.log(base);
        const free = discount === 'jk' ? Math.ceil(base) - 1 : 0;
        this.multipliers = ones.map((one, i) => (i < free ? one : lnBase));
      }
    }
    this.weights = ones.map((_, i) => this.multipliers[i] / this.divisors[i]);
  }
}
