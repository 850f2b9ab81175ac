import type { BayesianComparison, BayesianPair } from '../../experiment/index.js';
import type { ThreeWays } from '../../judging/index.js';
import type { Grid } from './output.js';

/** The probability from which a verdict is given. */
const ENOUGH = 0.95;

function verdict({ first, second }: BayesianPair, ways: ThreeWays): string {
  if (ways.first >= ENOUGH) return `${first} is better`;
  if (ways.second >= ENOUGH) return `${second} is better`;
  return ways.equivalent >= ENOUGH ? 'practically equal' : 'open';
}

/** Pairs of systems with three probabilities each, and a verdict only where one of them is large. */
export function bayesianGrid({ pairs }: BayesianComparison, text: (value: number) => string): Grid {
  const right = (name: string) => ({ name, numeric: true });
  return {
    columns: [
      { name: 'measure' },
      { name: 'first' },
      { name: 'second' },
      { name: 'by' },
      right('mean of first'),
      right('of second'),
      right('P(first better)'),
      right('P(equal)'),
      right('P(second better)'),
      { name: 'verdict' },
    ],
    *rows() {
      for (const pair of pairs) {
        const { measure, first, second, firstMean, secondMean, t, signedRank } = pair;
        for (const [name, ways] of [
          ['t', t],
          ['signed ranks', signedRank],
        ] as const) {
          if (ways === null) continue;
          const numbers = [firstMean, secondMean, ways.first, ways.equivalent, ways.second].map(text);
          yield [measure, first, second, name, ...numbers, verdict(pair, ways)];
        }
      }
    },
  };
}

/** How the probabilities came about. */
export function bayesianWords({ rope, seed, pairs }: BayesianComparison): string {
  const drawn = pairs.some(({ signedRank }) => signedRank !== null);
  return `Bayesian comparison with a region of practical equivalence of ${rope} to either side (Benavoli and others 2017): by the t posterior of the mean difference${
    drawn ? `, and by signed ranks the share of 50000 draws (seed ${seed}) in which each way was the most likely` : ''
  }. A verdict is given from ${ENOUGH} on.`;
}
