import { seededRandom } from '../../core/numbers/random.js';
import type { Values } from '../../stats/checks.js';
import { betaDistribution } from '../../stats/distributions/distributions.js';
import type { Interval } from '../../stats/moments.js';
import { betaDraw } from '../random-variates.js';

/** What every share is taken to have been seen of each value beforehand: the prior of Jeffreys, whose intervals for a single share are known to
 *  hold their level well. */
const SEEN_BEFORE = 1 / 2;

/** Items that people and a judge looked at, all with values of 0 or 1. */
export interface SharesSeen {
  readonly human: Values;
  readonly judged: Values;
  readonly judgedElsewhere: Values;
}

/** How often shares are drawn, 10,000 times by default, and from which seed, 1 by default. */
export interface ShareDraws {
  readonly draws?: number | undefined;
  readonly seed?: number | undefined;
}

/** Whether all values are 0 or 1, as those of success and of precision at 1 are. */
export function isShare(...samples: readonly Values[]): boolean {
  return samples.every((values) => {
    for (let i = 0; i < values.length; i++) if (values[i] !== 0 && values[i] !== 1) return false;
    return true;
  });
}

/** An interval of the share of ones by the items of people alone. */
export function plainShareInterval(human: Values, level: number): Interval {
  const ones = countOf(human, () => true);
  const posterior = betaDistribution(ones + SEEN_BEFORE, human.length - ones + SEEN_BEFORE);
  const tail = (1 - level) / 2;
  return withinReach(posterior.quantile(tail), posterior.quantile(1 - tail), ones, human.length, level);
}

/** An interval of the share of ones among all items: the share among those that the judge calls 1, the share among the others, and how many
 *  there are of each, drawn from what is known of the three. Around a mean of zeros and ones, an interval of the form mean ± t · error is
 *  too short where few people's values are 1, or few differ from those of the judge: it knows nothing of what it has not seen. */
export function correctedShareInterval(
  { human, judged, judgedElsewhere }: SharesSeen,
  level: number,
  { draws = 10_000, seed = 1 }: ShareDraws = {},
): Interval {
  const n = human.length;
  const ones = countOf(human, () => true);
  const judgedOnes = countOf(judged, () => true);
  const both = countOf(human, (i) => judged[i] === 1);
  const judgedByAll = judgedOnes + countOf(judgedElsewhere, () => true);
  const random = seededRandom(seed);
  const share = (seen: number, of: number): number => betaDraw(random, seen + SEEN_BEFORE, of - seen + SEEN_BEFORE);
  const drawn = new Float64Array(draws);
  for (let draw = 0; draw < draws; draw++) {
    const amongOnes = share(both, judgedOnes);
    const amongZeros = share(ones - both, n - judgedOnes);
    const calledOne = share(judgedByAll, n + judgedElsewhere.length);
    drawn[draw] = calledOne * amongOnes + (1 - calledOne) * amongZeros;
  }
  drawn.sort();
  const tail = (1 - level) / 2;
  const at = (p: number): number => drawn[Math.min(draws - 1, Math.floor(p * draws))];
  return withinReach(at(tail), at(1 - tail), ones, n, level);
}

/** Where people saw no item of a kind, there may be none. */
function withinReach(low: number, high: number, ones: number, n: number, level: number): Interval {
  return { low: ones === 0 ? 0 : low, high: ones === n ? 1 : high, level };
}

function countOf(values: Values, counts: (i: number) => boolean): number {
  let count = 0;
  for (let i = 0; i < values.length; i++) if (values[i] === 1 && counts(i)) count++;
  return count;
}
