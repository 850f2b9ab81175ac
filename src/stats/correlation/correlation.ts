import { InputError } from '../../core/problem.js';
import { requirePaired, type Values } from '../checks.js';
import { allEqual, meanOf } from '../moments.js';
import { averageRanks } from '../ranks.js';

/** Two values for each thing compared: two measures' scores of the same systems, two systems' scores on the same topics. */
export interface CorrelationOptions {
  readonly first: Values;
  readonly second: Values;
}

/** Pearson's product-moment correlation. */
export function pearsonCorrelation(options: CorrelationOptions): number {
  const { first, second } = options;
  requirePaired(first, second, 2);
  requireSpread(first, second, 'a correlation');
  const meanFirst = meanOf(first);
  const meanSecond = meanOf(second);
  let products = 0;
  let squaresFirst = 0;
  let squaresSecond = 0;
  for (let i = 0; i < first.length; i++) {
    const x = first[i] - meanFirst;
    const y = second[i] - meanSecond;
    products += x * y;
    squaresFirst += x * x;
    squaresSecond += y * y;
  }
  return Math.max(-1, Math.min(1, products / (Math.sqrt(squaresFirst) * Math.sqrt(squaresSecond))));
}

/** Spearman's rank correlation: Pearson's of the ranks, with the average rank for equal values. */
export function spearmanCorrelation(options: CorrelationOptions): number {
  const { first, second } = options;
  requirePaired(first, second, 2);
  requireSpread(first, second, 'a rank correlation');
  return pearsonCorrelation({ first: averageRanks(first).ranks, second: averageRanks(second).ranks });
}

/** Root of the mean squared difference. */
export function rootMeanSquareError(options: CorrelationOptions): number {
  const { first, second } = options;
  requirePaired(first, second, 1);
  let squares = 0;
  for (let i = 0; i < first.length; i++) squares += (first[i] - second[i]) ** 2;
  return Math.sqrt(squares / first.length);
}

/** Nothing correlates with a constant; a number would be made up. */
export function requireSpread(first: Values, second: Values, what: string): void {
  for (const [name, values] of [
    ['first', first],
    ['second', second],
  ] as const) {
    if (allEqual(values)) {
      throw new InputError({
        message: `all ${values.length} values of the ${name} are equal, so ${what} is not defined`,
        wayOut: 'compare values that differ',
      });
    }
  }
}
