import { tDistribution } from '../../stats/distributions/distributions.js';
import type { Interval } from '../../stats/moments.js';
import type { CodedRatings } from './ratings.js';
import { type AgreementSums, countGrades, totalSums } from './sums.js';
import { agreementWeights, type GradeDistance, type WeightScheme } from './weights.js';

/** A coefficient of agreement: how much of the agreement that chance leaves open was reached. */
export interface ChanceCorrected {
  /** Null where it is not defined. */
  readonly value: number | null;
  /** Agreement observed, on units with two grades. */
  readonly observed: number | null;
  /** Agreement to expect by chance. */
  readonly expected: number | null;
  /** Standard error, where units are independent of each other. */
  readonly standardError: number | null;
  /** Interval by Student's t with as many degrees of freedom as units less one. */
  readonly interval: Interval | null;
}

/** What chance alone would do: *fleiss* draws grades by their shares, *gwet* lets only part of the grades be random, *uniform* takes every
 *  category for equally likely (Randolph's free-marginal kappa). */
export type ChanceModel = 'fleiss' | 'gwet' | 'uniform';

/** How agreement is weighed. */
export interface ChanceCorrectedOptions {
  /** *identity* by default. */
  readonly weights?: WeightScheme | undefined;
  readonly distance?: GradeDistance | undefined;
  /** Level of the interval, 0.95 by default. */
  readonly level?: number | undefined;
}

/** The value alone, from sums: fast enough to be resampled. NaN where it is not defined. */
export function chanceCorrectedValue(sums: AgreementSums, weights: ArrayLike<number>, model: ChanceModel): number {
  const observed = observedAgreement(sums, weights);
  const expected = expectedAgreement(sums, weights, model);
  return ratioOf(observed, expected);
}

function ratioOf(observed: number, expected: number): number {
  return expected < 1 - 1e-15 ? (observed - expected) / (1 - expected) : Number.NaN;
}

function observedAgreement(sums: AgreementSums, weights: ArrayLike<number>): number {
  let agreed = 0;
  for (let c = 0; c < sums.pairShares.length; c++) agreed += weights[c] * sums.pairShares[c];
  return agreed / sums.pairedUnits;
}

function expectedAgreement(sums: AgreementSums, weights: ArrayLike<number>, model: ChanceModel): number {
  const { numCategories: q, shares, units } = sums;
  let expected = 0;
  if (model === 'fleiss') {
    for (let k = 0; k < q; k++) for (let l = 0; l < q; l++) expected += weights[k * q + l] * shares[k] * shares[l];
    return expected / (units * units);
  }
  const total = totalOf(weights);
  if (model === 'uniform' || q === 1) return total / (q * q);
  for (let k = 0; k < q; k++) expected += (shares[k] / units) * (1 - shares[k] / units);
  return (total / (q * (q - 1))) * expected;
}

function totalOf(weights: ArrayLike<number>): number {
  let total = 0;
  for (let c = 0; c < weights.length; c++) total += weights[c];
  return total;
}

/** A coefficient with its standard error by the formula for independent units. Fleiss' kappa (doi:10.1037/h0031619), Gwet's AC1 and AC2
 *  (doi:10.1348/000711006X126600), Randolph's kappa; all of them with any weights, any number of judges and missing grades. */
export function chanceCorrected(coded: CodedRatings, model: ChanceModel, options: ChanceCorrectedOptions = {}): ChanceCorrected {
  const { weights: scheme = 'identity', distance, level = 0.95 } = options;
  const weights = agreementWeights(coded.categories, scheme, distance);
  const sums = totalSums(coded);
  const nothing = { value: null, observed: null, expected: null, standardError: null, interval: null };
  if (sums.units === 0) return nothing;
  const expected = expectedAgreement(sums, weights, model);
  if (sums.pairedUnits === 0) return { ...nothing, expected };
  const observed = observedAgreement(sums, weights);
  // one category only: AC1 takes none of the agreement for random, all others have nothing left to reach
  if (coded.categories.length === 1) return { ...nothing, value: model === 'gwet' && scheme === 'identity' ? 1 : null, observed, expected };
  const value = chanceCorrectedValue(sums, weights, model);
  if (!Number.isFinite(value)) return { ...nothing, observed, expected };
  const standardError = standardErrorOf(coded, sums, weights, model, value, expected);
  return { value, observed, expected, standardError, interval: intervalOf(value, standardError, sums.units, level) };
}

/** The interval of a coefficient, which cannot be more than 1. */
export function intervalOf(value: number, standardError: number | null, units: number, level: number): Interval | null {
  if (standardError === null || units < 2) return null;
  const reach = standardError === 0 ? 0 : standardError * tDistribution(units - 1).upperQuantile((1 - level) / 2);
  return { low: value - reach, high: Math.min(1, value + reach), level };
}

function standardErrorOf(
  coded: CodedRatings,
  sums: AgreementSums,
  weights: ArrayLike<number>,
  model: ChanceModel,
  value: number,
  expected: number,
): number | null {
  const { units, pairedUnits } = sums;
  if (units < 2) return null;
  const q = coded.categories.length;
  const chance = chanceOfCategories(sums, weights, model);
  const counts = new Float64Array(q);
  let squares = 0;
  for (let u = 0; u < coded.topicOf.length; u++) {
    const given = countGrades(coded, u, counts);
    if (given === 0) continue;
    const own = given < 2 ? 0 : ((units / pairedUnits) * (unitAgreement(counts, given, weights) - expected)) / (1 - expected);
    let random = 0;
    for (let k = 0; k < q; k++) random += (counts[k] / given) * chance[k];
    // a chance that does not depend on the grades has no error of its own
    const x = model === 'uniform' ? own : own - (2 * (1 - value) * (random - expected)) / (1 - expected);
    squares += (x - value) ** 2;
  }
  return Math.sqrt(squares / (units * (units - 1)));
}

function chanceOfCategories(
  { numCategories: q, shares, units }: AgreementSums,
  weights: ArrayLike<number>,
  model: ChanceModel,
): Float64Array {
  const total = totalOf(weights);
  return Float64Array.from({ length: q }, (_, k) => {
    if (model === 'gwet') return (total * (1 - shares[k] / units)) / (q * (q - 1));
    let sum = 0;
    for (let l = 0; l < q; l++) sum += ((weights[k * q + l] + weights[l * q + k]) / 2) * (shares[l] / units);
    return sum;
  });
}

function unitAgreement(counts: Float64Array, given: number, weights: ArrayLike<number>): number {
  const q = counts.length;
  let agreed = 0;
  for (let k = 0; k < q; k++) {
    if (counts[k] === 0) continue;
    let weighted = 0;
    for (let l = 0; l < q; l++) weighted += weights[k * q + l] * counts[l];
    agreed += counts[k] * (weighted - 1);
  }
  return agreed / (given * (given - 1));
}

/** The z value of Fleiss' kappa where all judges graded all units: the value divided by its standard error under the hypothesis that grades
 *  are drawn by chance (Fleiss, Nee and Landis, doi:10.1037/0033-2909.86.5.974). Null where judges graded different numbers of units. */
export function fleissTest(coded: CodedRatings): { readonly value: number; readonly z: number } | null {
  const sums = totalSums(coded);
  const m = coded.numJudges;
  if (m < 2 || sums.units < 1 || coded.codes.some((code) => code < 0)) return null;
  const q = coded.categories.length;
  const identity = Float64Array.from({ length: q * q }, (_, c) => (c % (q + 1) === 0 ? 1 : 0));
  const value = chanceCorrectedValue(sums, identity, 'fleiss');
  let spread = 0;
  let skew = 0;
  for (let k = 0; k < q; k++) {
    const share = sums.shares[k] / sums.units;
    spread += share * (1 - share);
    skew += share * (1 - share) * (1 - 2 * share);
  }
  const standardError = (Math.SQRT2 * Math.sqrt(spread * spread - skew)) / (spread * Math.sqrt(sums.units * m * (m - 1)));
  return Number.isFinite(value) && standardError > 0 ? { value, z: value / standardError } : null;
}
