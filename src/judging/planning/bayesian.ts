import { seededRandom } from '../../core/numbers/random.js';
import { InputError } from '../../core/problem.js';
import { requirePaired, requireResamples, requireSeed, type Values } from '../../stats/checks.js';
import { tDistribution } from '../../stats/distributions/distributions.js';
import { differencesOf, meanOf, standardDeviationOf } from '../../stats/moments.js';
import { dirichletDraw, gammaDraw } from '../random-variates.js';

/** Two systems over the same topics, and what counts as no difference. */
export interface BayesianOptions {
  readonly first: Values;
  readonly second: Values;
  /** Mean differences up to this, in either direction, are practically none; 0 by default. */
  readonly rope?: number | undefined;
  /** 50,000 by default; the t test needs none. */
  readonly draws?: number | undefined;
  /** 1 by default. */
  readonly seed?: number | undefined;
}

/** How probable it is that the first is better, that the two are practically equal, and that the second is better. */
export interface ThreeWays {
  readonly first: number;
  readonly equivalent: number;
  readonly second: number;
}

function differencesToRight({ first, second, rope = 0 }: BayesianOptions): { differences: Float64Array; rope: number } {
  requirePaired(first, second, 2);
  if (!(rope >= 0)) {
    throw new InputError({ message: `a region of practical equivalence of ${rope} has no meaning`, wayOut: 'give a width from 0 on' });
  }
  return { differences: differencesOf(second, first), rope };
}

/** The posterior of the mean difference by Student's t (Benavoli and others, jmlr.org/papers/v18/16-305.html).
 *  @param runs For scores of the folds of a cross-validation, which are not independent: how often it was repeated. Topics need none. */
export function bayesianTTest(options: BayesianOptions & { readonly runs?: number | undefined }): ThreeWays {
  const { differences, rope } = differencesToRight(options);
  const n = differences.length;
  const { runs } = options;
  if (runs !== undefined && !(Number.isInteger(runs) && runs >= 1 && n % runs === 0 && n / runs > 1)) {
    throw new InputError({
      message: `${n} folds cannot come from ${runs} runs of a cross-validation`,
      wayOut: 'give as many folds for every run',
    });
  }
  const mean = meanOf(differences);
  const inflation = 1 / n + (runs === undefined ? 0 : 1 / (n / runs - 1));
  const scale = standardDeviationOf(differences, mean) * Math.sqrt(inflation);
  if (scale === 0) {
    if (rope === 0 && mean === 0) return { first: 0.5, equivalent: 0, second: 0.5 };
    const [first, second] = [mean < -rope ? 1 : 0, mean > rope ? 1 : 0];
    return { first, equivalent: 1 - first - second, second };
  }
  const posterior = tDistribution(n - 1);
  const first = posterior.cdf((-rope - mean) / scale);
  const second = posterior.upperTail((rope - mean) / scale);
  return { first, equivalent: rope === 0 ? 0 : Math.max(0, 1 - first - second), second };
}

/** How many differences lie on either side and between. */
export function sidesOf(options: BayesianOptions): ThreeWays {
  const { differences, rope } = differencesToRight(options);
  const first = differences.filter((difference) => difference < -rope).length;
  const second = differences.filter((difference) => difference > rope).length;
  return { first, equivalent: differences.length - first - second, second };
}

/** The share of draws in which each way is the most likely one, by the Bayesian sign test. It is not the posterior mean of the ways. */
export function bayesianSignTest(options: BayesianOptions): ThreeWays {
  const { draws = 50_000, seed = 1, rope = 0 } = options;
  const counts = sidesOf(options);
  const weights = [counts.first + 0.0001, counts.equivalent + 0.0001 + 1, counts.second + 0.0001];
  const random = seededRandom(checkedSeed(seed, draws));
  const shares = new Float64Array(3);
  const largest = new LargestCount();
  for (let draw = 0; draw < draws; draw++) {
    dirichletDraw(random, weights, shares);
    largest.add(shares[0], shares[1], shares[2]);
  }
  return largest.shares(draws, rope === 0);
}

/** The share of draws in which each way is the most likely one, by the Bayesian signed-rank test (Benavoli and others, ICML 2014). */
export function bayesianSignedRankTest(options: BayesianOptions): ThreeWays {
  const { differences, rope } = differencesToRight(options);
  const { draws = 50_000, seed = 1 } = options;
  // a difference of 0 with half the weight of a topic is the prior
  const values = Float64Array.from([0, ...differences]);
  const order = Array.from(values.keys()).sort((a, b) => values[a] - values[b]);
  const sorted = Float64Array.from(order, (i) => values[i]);
  const shapes = Float64Array.from(order, (i) => (i === 0 ? 0.5 : 1));
  const pairs = new PairSums(sorted, 2 * rope);
  const weights = new Float64Array(values.length);
  const random = seededRandom(checkedSeed(seed, draws));
  const largest = new LargestCount();
  for (let draw = 0; draw < draws; draw++) {
    let total = 0;
    for (let i = 0; i < weights.length; i++) {
      // an exponential draw is a gamma draw of shape 1
      weights[i] = shapes[i] === 1 ? -Math.log(1 - random.float()) : gammaDraw(random, shapes[i]);
      total += weights[i];
    }
    for (let i = 0; i < weights.length; i++) weights[i] /= total;
    const { left, right } = pairs.shares(weights);
    largest.add(left, rope === 0 ? 0 : 1 - left - right, right);
  }
  return largest.shares(draws, rope === 0);
}

function checkedSeed(seed: number, draws: number): number {
  requireSeed(seed);
  requireResamples(draws);
  return seed;
}

/** The weight of pairs of differences whose sum is beyond a bar on either side, half where it is on the bar. Which pairs these are does not
 *  change from draw to draw, and for a sorted row they are a stretch of the columns, so that sums of weights up to a place are all it takes. */
class PairSums {
  private readonly above: Uint32Array;
  private readonly atLeast: Uint32Array;
  private readonly below: Uint32Array;
  private readonly atMost: Uint32Array;
  private readonly cumulated: Float64Array;

  constructor(sorted: Float64Array, bar: number) {
    const n = sorted.length;
    const place = (test: (sum: number) => boolean): Uint32Array =>
      // fits: entries
      Uint32Array.from(sorted, (own) => {
        let at = 0;
        while (at < n && !test(own + sorted[at])) at++;
        return at;
      });
    this.above = place((sum) => sum > bar);
    this.atLeast = place((sum) => sum >= bar);
    this.below = place((sum) => sum >= -bar);
    this.atMost = place((sum) => sum > -bar);
    this.cumulated = new Float64Array(n + 1);
  }

  shares(weights: Float64Array): { left: number; right: number } {
    const { cumulated } = this;
    for (let i = 0; i < weights.length; i++) cumulated[i + 1] = cumulated[i] + weights[i];
    const total = cumulated[weights.length];
    let left = 0;
    let right = 0;
    for (let i = 0; i < weights.length; i++) {
      right += weights[i] * (total - (cumulated[this.above[i]] + cumulated[this.atLeast[i]]) / 2);
      left += (weights[i] * (cumulated[this.below[i]] + cumulated[this.atMost[i]])) / 2;
    }
    return { left, right };
  }
}

/** Counts which of three ways is the largest, ties divided equally. */
class LargestCount {
  private first = 0;
  private equivalent = 0;
  private second = 0;

  add(first: number, equivalent: number, second: number): void {
    const most = Math.max(first, equivalent, second);
    // sums in different orders may differ in their last digits
    const bar = most - 1e-12;
    const tied = (first >= bar ? 1 : 0) + (equivalent >= bar ? 1 : 0) + (second >= bar ? 1 : 0);
    if (first >= bar) this.first += 1 / tied;
    if (equivalent >= bar) this.equivalent += 1 / tied;
    if (second >= bar) this.second += 1 / tied;
  }

  shares(draws: number, sidesOnly: boolean): ThreeWays {
    const sides = this.first + this.second;
    // without a region of equivalence there are two ways only
    if (sidesOnly && sides > 0) return { first: this.first / sides, equivalent: 0, second: this.second / sides };
    if (sidesOnly) return { first: 0.5, equivalent: 0, second: 0.5 };
    return { first: this.first / draws, equivalent: this.equivalent / draws, second: this.second / draws };
  }
}
