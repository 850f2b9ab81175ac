import { InputError } from '../core/problem.js';
import { requireOneOf, type Values } from './checks.js';
import { ascendingOrder } from './ranks.js';

/** *bonferroni*, *sidak*, *holm* and *hochberg* hold the chance of any false claim; *bh* (Benjamini and Hochberg) and *by* (Benjamini
 *  and Yekutieli, valid under any dependence) hold the expected share of false claims. *hochberg* and *bh* assume tests that are
 *  independent or positively dependent, *sidak* independent ones. */
export type CorrectionMethod = 'bonferroni' | 'sidak' | 'holm' | 'hochberg' | 'bh' | 'by';

/** The words that `CorrectionMethod` allows. */
export const CORRECTION_METHODS: readonly CorrectionMethod[] = ['bonferroni', 'sidak', 'holm', 'hochberg', 'bh', 'by'];

/** Names that statsmodels uses. */
const OTHER_NAMES: Readonly<Record<string, CorrectionMethod | 'none'>> = {
  b: 'bonferroni',
  s: 'sidak',
  h: 'holm',
  'simes-hochberg': 'hochberg',
  sh: 'hochberg',
  fdr_bh: 'bh',
  fdr_i: 'bh',
  fdr_p: 'bh',
  fdr_by: 'by',
  fdr_n: 'by',
  none: 'none',
};

/** The correction with this name, also as statsmodels spells it.
 *  @throws An `InputError` for any other name. */
export function findCorrection(name: string): CorrectionMethod | 'none' {
  const plain = name.toLowerCase();
  if (!Object.hasOwn(OTHER_NAMES, plain)) requireOneOf('correction', plain, [...CORRECTION_METHODS, 'none']);
  return Object.hasOwn(OTHER_NAMES, plain) ? OTHER_NAMES[plain] : (plain as CorrectionMethod);
}

/** The p-values of one family of tests, and how to correct them. */
export interface CorrectionOptions {
  readonly pValues: Values;
  readonly method: CorrectionMethod;
}

/** The p-values after correction for having been looked for among several. */
export interface CorrectionResult {
  readonly method: CorrectionMethod;
  /** Adjusted p-values in the order given: a hypothesis is rejected at α if its adjusted p-value is at most α. */
  readonly pValues: Float64Array;
}

/** Adjusts p-values for having made several tests. */
export function correctPValues(options: CorrectionOptions): CorrectionResult {
  const { pValues, method } = options;
  requireOneOf('correction', method, CORRECTION_METHODS);
  for (let i = 0; i < pValues.length; i++) {
    if (!(pValues[i] >= 0 && pValues[i] <= 1)) {
      throw new InputError({
        message: `p-value ${i + 1} is ${String(pValues[i])}, expected a number from 0 to 1`,
        wayOut: 'leave out tests that could not be made',
      });
    }
  }
  return { method, pValues: adjust(pValues, method) };
}

function adjust(pValues: Values, method: CorrectionMethod): Float64Array {
  const m = pValues.length;
  const out = new Float64Array(m);
  if (method === 'bonferroni' || method === 'sidak') {
    for (let i = 0; i < m; i++) out[i] = method === 'sidak' ? sidak(pValues[i], m) : Math.min(1, m * pValues[i]);
    return out;
  }
  const order = ascendingOrder(pValues);
  if (method === 'holm') {
    // step down: from the smallest p-value on, never less than the one before
    let largest = 0;
    for (let k = 0; k < m; k++) {
      largest = Math.max(largest, Math.min(1, (m - k) * pValues[order[k]]));
      out[order[k]] = largest;
    }
    return out;
  }
  // step up: from the largest p-value on, never more than the one before
  let harmonic = 1;
  if (method === 'by') {
    harmonic = 0;
    for (let k = 1; k <= m; k++) harmonic += 1 / k;
  }
  let smallest = 1;
  for (let k = m - 1; k >= 0; k--) {
    const factor = method === 'hochberg' ? m - k : (harmonic * m) / (k + 1);
    smallest = Math.min(smallest, factor * pValues[order[k]]);
    out[order[k]] = smallest;
  }
  return out;
}

/** 1 − (1 − p)^m without losing small p. */
function sidak(p: number, m: number): number {
  return p === 1 ? 1 : -Math.expm1(m * Math.log1p(-p));
}
