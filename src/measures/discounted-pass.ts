import { scratchFor } from '../core/growing-arrays.js';
import type { TopicView } from '../core/judging/judge.js';
import { lnOfInteger, logTable } from '../core/numbers/logarithm.js';
import type { GainPass } from './gain-pass.js';
import type { Pass } from './passes.js';

/** What a gain at rank i is divided by. */
export interface DiscountRule {
  /** *log2*: log2(i + 1); *jk*: the logarithm of i to the base, and nothing for ranks below the base; *ln*: ln(i + 1); *rank*:
   *  i; *none*: nothing. */
  readonly discount: 'log2' | 'jk' | 'ln' | 'rank' | 'none';
  readonly base: number;
  /** How a logarithm to a base takes part, which matters in the last bit only: *divide* by it; by the *ratio* of two natural
   *  logarithms; multiply by the *inverse* of that ratio; or as the *product* of gain and ln(base), divided by the other. */
  readonly term: 'divide' | 'ratio' | 'inverse' | 'product';
}

/** The usual discount, by the binary logarithm of the rank plus one. */
export const log2Discount: DiscountRule = { discount: 'log2', base: 2, term: 'divide' };

/** A text that is the same for the same rule, so that measures with one rule share one pass. */
export function discountKey({ discount, base, term }: DiscountRule): string {
  return `${discount} ${base} ${term}`;
}

/** Discounted cumulated gain at every rank. */
export class DiscountedPass implements Pass {
  readonly gains: GainPass;
  private readonly rule: DiscountRule;
  /** What the gain at rank index i is divided or multiplied by. */
  factors: Float64Array = new Float64Array(0);
  /** sums[k] is the discounted gain of the first k documents. */
  sums: Float64Array = new Float64Array(1025);
  /** idealSums[k] is that of the ideal ranking; it stops growing at numIdeal. */
  idealSums: Float64Array = new Float64Array(1025);

  constructor(gains: GainPass, rule: DiscountRule) {
    this.gains = gains;
    this.rule = rule.discount === 'log2' ? { ...rule, base: 2 } : rule;
  }

  update(_topic: TopicView): void {
    const { ranked, numRetrieved, ideal, numIdeal } = this.gains;
    this.sums = scratchFor(this.sums, numRetrieved + 1);
    this.idealSums = scratchFor(this.idealSums, numIdeal + 1);
    const deepest = Math.max(numRetrieved, numIdeal);
    if (this.factors.length < deepest) this.factors = discountFactors(this.rule, Math.max(1024, 2 * deepest));
    const { discount, base, term } = this.rule;
    const logarithmic = discount === 'log2' || discount === 'jk';
    if (logarithmic && term === 'inverse') {
      addUp(ranked, numRetrieved, this.sums, (gain, i) => gain * this.factors[i]);
      addUp(ideal, numIdeal, this.idealSums, (gain, i) => gain * this.factors[i]);
    } else if (logarithmic && term === 'product') {
      const free = discount === 'jk' ? Math.ceil(base) - 1 : 0;
      const lnBase = lnOf(base);
      const product = (gain: number, i: number): number => (i < free ? gain : (gain * lnBase) / this.factors[i]);
      addUp(ranked, numRetrieved, this.sums, product);
      addUp(ideal, numIdeal, this.idealSums, product);
    } else {
      divideAndAddUp(ranked, numRetrieved, this.sums, this.factors);
      divideAndAddUp(ideal, numIdeal, this.idealSums, this.factors);
    }
  }
}

function divideAndAddUp(gains: Float64Array, count: number, sums: Float64Array, divisors: Float64Array): void {
  let sum = 0;
  for (let i = 0; i < count; i++) {
    if (gains[i] !== 0) sum += gains[i] / divisors[i];
    sums[i + 1] = sum;
  }
}

function addUp(gains: Float64Array, count: number, sums: Float64Array, term: (gain: number, i: number) => number): void {
  let sum = 0;
  for (let i = 0; i < count; i++) {
    if (gains[i] !== 0) sum += term(gains[i], i);
    sums[i + 1] = sum;
  }
}

/** The factor of each rank index below n. */
export function discountFactors({ discount, base, term }: DiscountRule, n: number): Float64Array {
  if (discount === 'log2' && term === 'divide') return logTable(n + 1, 2).subarray(2);
  const logarithm = discount === 'ln' ? logarithmTo(base, 'product', n + 1) : logarithmTo(base, term, n + 1);
  return Float64Array.from({ length: n }, (_, i) => {
    switch (discount) {
      case 'log2':
      case 'ln':
        return logarithm(i + 2);
      case 'jk':
        return i + 1 < base ? 1 : logarithm(i + 1);
      case 'rank':
        return i + 1;
      case 'none':
        return 1;
    }
  });
}

/** Logarithms of whole numbers up to `most`, as a term takes them: to the base, one over that, or natural for a *product*. */
function logarithmTo(base: number, term: DiscountRule['term'], most: number): (k: number) => number {
  const logs = logTable(most, term === 'divide' && base === 2 ? 2 : 'e');
  if (term === 'product' || (term === 'divide' && base === 2)) return (k) => logs[k];
  const lnBase = lnOf(base);
  if (term === 'inverse') return (k) => 1 / (logs[k] / lnBase);
  return (k) => logs[k] / lnBase;
}

/** The natural logarithm; for whole numbers the same bits on every platform. */
export function lnOf(base: number): number {
  return Number.isSafeInteger(base) ? lnOfInteger(base) : Math.log(base);
}
