import { InputError } from '../../core/problem.js';
import { requirePaired, type Values } from '../../stats/checks.js';
import { tDistribution } from '../../stats/distributions/distributions.js';
import { meanOf, squaresAround } from '../../stats/moments.js';
import { pairedTTest, symmetricPValue } from '../../stats/t-test.js';

/** How far two scorings of the same topics are apart. */
export interface ScoreDistance {
  readonly rmse: number;
  /** Divided by the largest distance that scores from 0 to 1 could have. */
  readonly normalised: number;
}

/** Root mean square error of topic scores (Breuer and others, doi:10.1145/3397271.3401036). */
export function scoreDistance(original: Values, reproduced: Values): ScoreDistance {
  requirePaired(original, reproduced, 1);
  let squares = 0;
  let largest = 0;
  for (let t = 0; t < original.length; t++) {
    squares += (original[t] - reproduced[t]) ** 2;
    largest += Math.max(original[t], 1 - original[t]) ** 2;
  }
  return { rmse: Math.sqrt(squares / original.length), normalised: Math.sqrt(squares / largest) };
}

/** Scores of a baseline and an advanced system. */
export interface ImprovementScores {
  readonly baseline: Values;
  readonly advanced: Values;
}

/** The effect of the advanced system in the reproduction beside that in the original: 1 if it is the same, below 0 if it is reversed.
 *  @returns Null if there was no effect to reproduce. */
export function effectRatio(original: ImprovementScores, reproduced: ImprovementScores): number | null {
  const before = meanOf(original.advanced) - meanOf(original.baseline);
  return Math.abs(before) <= 1e-15 ? null : (meanOf(reproduced.advanced) - meanOf(reproduced.baseline)) / before;
}

/** The relative improvement in the original less that in the reproduction: 0 if it is the same.
 *  @returns Null if a baseline has a mean of 0. */
export function deltaRelativeImprovement(original: ImprovementScores, reproduced: ImprovementScores): number | null {
  const improvement = ({ baseline, advanced }: ImprovementScores): number => (meanOf(advanced) - meanOf(baseline)) / meanOf(baseline);
  const change = improvement(original) - improvement(reproduced);
  return Number.isFinite(change) ? change : null;
}

/** A two-sided p-value; a high one is no evidence of equality. */
export interface ReproductionTest {
  readonly pValue: number | null;
  readonly note: string | undefined;
}

/** Paired t test: the same topics. */
export function pairedReproductionTest(original: Values, reproduced: Values): ReproductionTest {
  if (original.length < 2) return { pValue: null, note: 'a test needs at least 2 topics' };
  const { pValue, standardError } = pairedTTest({ first: original, second: reproduced });
  const unmoved = standardError === 0;
  return { pValue, note: unmoved ? `all differences are ${pValue === 1 ? 'zero' : 'the same'}, so p is ${pValue}` : undefined };
}

/** Two-sample t test with equal variances: other topics. */
export function unpairedReproductionTest(original: Values, replicated: Values): ReproductionTest {
  const [n, m] = [original.length, replicated.length];
  if (n < 1 || m < 1 || n + m < 3) {
    throw new InputError({ message: `a test of ${n} against ${m} topics has no degrees of freedom`, wayOut: 'give scores of more topics' });
  }
  const [first, second] = [meanOf(original), meanOf(replicated)];
  const df = n + m - 2;
  const pooled = (squaresAround(original, first) + squaresAround(replicated, second)) / df;
  const error = Math.sqrt(pooled * (1 / n + 1 / m));
  if (error === 0) {
    const equal = first === second;
    return { pValue: equal ? 1 : 0, note: equal ? 'all scores are equal, so p is 1' : 'scores do not vary, so p is 0' };
  }
  return { pValue: symmetricPValue(tDistribution(df), (first - second) / error, 'two-sided'), note: undefined };
}
