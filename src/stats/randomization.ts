import { seededRandom } from '../core/numbers/random.js';
import { InputError } from '../core/problem.js';
import { type Alternative, requireAlternative, requireOneOf, requirePaired, requireResamples, requireSeed, type Values } from './checks.js';
import { differencesOf, meanOf } from './moments.js';

/** Two systems over the same topics, and whether to count or to draw the exchanges between them. */
export interface RandomizationOptions {
  readonly first: Values;
  readonly second: Values;
  /** Not used when the count is exact, but always given, so that the call says all that the result depends on. */
  readonly seed: number;
  readonly alternative?: Alternative;
  /** *exact* counts all 2^n exchanges of the two systems; *sampled* draws some at random; *auto* (the default) is exact up to
   *  40 topics that differ. */
  readonly method?: 'auto' | 'exact' | 'sampled';
  /** How many exchanges are drawn when sampling; 100,000 by default. */
  readonly resamples?: number;
}

/** Whether a mean difference is larger than it would be if the two systems were interchangeable. */
export interface RandomizationResult {
  readonly test: 'randomisation';
  readonly method: 'exact' | 'sampled';
  readonly alternative: Alternative;
  readonly topics: number;
  readonly meanDifference: number;
  /** Exchanges at least as extreme as the observed one, itself included. */
  readonly asExtreme: number;
  /** Exchanges considered, the observed one included. */
  readonly considered: number;
  /** asExtreme / considered. */
  readonly pValue: number;
  /** Standard error of the sampled p-value; 0 when exact. */
  readonly standardError: number;
  readonly seed: number;
}

const EXACT_UP_TO = 40;
const EXACT_AT_MOST = 44;
/** Resamples per stream of random numbers. */
const BLOCK = 1000;
/** Sums of the same scores in another order differ by rounding only; this share of Σ|difference| is not a difference. */
const ROUNDING = 1e-12;

/** Fisher's randomisation test of the mean difference: under the null hypothesis the two systems' names could be exchanged on
 *  any topic. A sampled p-value counts the observed arrangement too, so it is never 0 and the test never rejects too often
 *  (Phipson and Smyth, doi:10.2202/1544-6115.1585). */
export function randomizationTest(options: RandomizationOptions): RandomizationResult {
  const { first, second, seed, alternative = 'two-sided', method = 'auto', resamples = 100_000 } = options;
  requirePaired(first, second, 1);
  requireSeed(seed);
  requireAlternative(alternative);
  requireOneOf('method', method, ['auto', 'exact', 'sampled']);
  requireResamples(resamples);
  const all = differencesOf(first, second);
  // topics without a difference are the same either way round
  const differences = all.filter((difference) => difference !== 0);
  const exact = method === 'exact' || (method === 'auto' && differences.length <= EXACT_UP_TO);
  if (exact && differences.length > EXACT_AT_MOST) {
    throw new InputError({
      message: `an exact randomisation test over ${differences.length} differing topics is too large, expected at most ${EXACT_AT_MOST}`,
      wayOut: 'use the sampled method',
    });
  }
  let observed = 0;
  let size = 0;
  for (const difference of differences) {
    observed += difference;
    size += Math.abs(difference);
  }
  // all signs are equally likely, so the sum that must be reached is all that depends on the alternative
  const extreme = alternative === 'greater' ? observed : alternative === 'less' ? -observed : Math.abs(observed);
  const threshold = extreme - ROUNDING * size;

  let asExtreme: number;
  let considered: number;
  if (exact) {
    considered = 2 ** differences.length;
    // the sums lie symmetrically about 0
    if (alternative !== 'two-sided') asExtreme = countAtLeast(differences, threshold);
    else asExtreme = threshold <= 0 ? considered : 2 * countAtLeast(differences, threshold);
  } else {
    considered = resamples + 1;
    asExtreme = 1 + sampleAtLeast(differences, threshold, alternative === 'two-sided', seed, resamples);
  }
  const pValue = asExtreme / considered;
  return {
    test: 'randomisation',
    method: exact ? 'exact' : 'sampled',
    alternative,
    topics: all.length,
    meanDifference: meanOf(all),
    asExtreme,
    considered,
    pValue,
    standardError: exact ? 0 : Math.sqrt((pValue * (1 - pValue)) / resamples),
    seed,
  };
}

/** How many of the 2^n signed sums reach `threshold`. The sums of each half of the differences are listed in order; for each
 *  sum of the one, a pointer into the other marks how far its partners reach: 2^(n/2) steps instead of 2^n. */
function countAtLeast(differences: Float64Array, threshold: number): number {
  const middle = differences.length >> 1;
  const left = signedSumsSorted(differences.subarray(0, middle));
  const right = signedSumsSorted(differences.subarray(middle));
  let count = 0;
  let firstPartner = right.length;
  for (let i = 0; i < left.length; i++) {
    while (firstPartner > 0 && left[i] + right[firstPartner - 1] >= threshold) firstPartner--;
    count += right.length - firstPartner;
  }
  return count;
}

/** All sums ±d1 ±d2 … in ascending order, by merging the list shifted down with the list shifted up for each difference. */
function signedSumsSorted(differences: Float64Array): Float64Array {
  let sums = new Float64Array(1);
  for (const difference of differences) {
    const shift = Math.abs(difference);
    const merged = new Float64Array(2 * sums.length);
    let down = 0;
    let up = 0;
    for (let k = 0; k < merged.length; k++) {
      const fromDown = down < sums.length && (up >= sums.length || sums[down] - shift <= sums[up] + shift);
      merged[k] = fromDown ? sums[down++] - shift : sums[up++] + shift;
    }
    sums = merged;
  }
  return sums;
}

/** How many of `resamples` random exchanges reach the threshold. Eight topics are decided by one random byte, whose 256 signed
 *  sums are tabled beforehand. */
function sampleAtLeast(differences: Float64Array, threshold: number, twoSided: boolean, seed: number, resamples: number): number {
  const bytes = (differences.length + 7) >> 3;
  const tables = new Float64Array(bytes * 256);
  for (let i = 0; i < differences.length; i++) {
    const table = (i >> 3) * 256;
    for (let pattern = 0; pattern < 256; pattern++) tables[table + pattern] += (pattern >> (i & 7)) & 1 ? differences[i] : -differences[i];
  }
  let count = 0;
  let random = seededRandom(seed, 0);
  for (let resample = 0; resample < resamples; resample++) {
    if (resample % BLOCK === 0) random = seededRandom(seed, resample / BLOCK);
    let sum = 0;
    let word = 0;
    for (let byte = 0; byte < bytes; byte++) {
      word = byte & 3 ? word >>> 8 : random.uint32();
      sum += tables[byte * 256 + (word & 255)];
    }
    if ((twoSided ? Math.abs(sum) : sum) >= threshold) count++;
  }
  return count;
}
