import { meansOf, ranksOfMeans, type ScoreMatrix, TIED_MEANS } from './ranks.js';

/** The order of systems without one topic. */
export interface WithoutTopic {
  readonly topic: number;
  readonly means: Float64Array;
  readonly ranks: Uint32Array;
}

/** The means and ranks without each topic. */
export function jackknifeRanks(scores: ScoreMatrix): WithoutTopic[] {
  const { numSystems, numTopics, values } = scores;
  if (numTopics < 2) return [];
  return Array.from({ length: numTopics }, (_, left) => {
    const means = new Float64Array(numSystems);
    for (let t = 0; t < numTopics; t++) {
      if (t !== left) for (let j = 0; j < numSystems; j++) means[j] += values[t * numSystems + j];
    }
    for (let j = 0; j < numSystems; j++) means[j] /= numTopics - 1;
    return { topic: left, means, ranks: ranksOfMeans(means) };
  });
}

/** Topics without which the best system, or any of the first `top`, would be another. */
export function decidingTopics(scores: ScoreMatrix, top = 1): number[] {
  const before = ranksOfMeans(meansOf(scores));
  const changed = ({ ranks }: WithoutTopic): boolean => ranks.some((rank, j) => rank !== before[j] && (rank <= top || before[j] <= top));
  return jackknifeRanks(scores)
    .filter(changed)
    .map(({ topic }) => topic);
}

/** What the lead of one system over another rests on. */
export interface OrderReversal {
  /** Mean difference. */
  readonly difference: number;
  /** The fewest topics without which the first is no longer ahead; null if it is not ahead, or ahead on every topic. */
  readonly fewest: number | null;
  /** The topic that does most for the first system. */
  readonly mostDeciding: number;
  /** Whether the two are then equal. */
  readonly tiedAfter: boolean;
  /** The topics to take away, the most deciding first. */
  readonly topics: readonly number[];
  /** How much the difference would change without each topic. */
  readonly influence: Float64Array;
}

/** The fewest topics to take away for the order to change: the largest differences first, which is exact since the sign of a mean is
 *  that of the sum. */
export function fewestTopicsToReverse(better: ArrayLike<number>, worse: ArrayLike<number>): OrderReversal {
  const n = better.length;
  const differences = Float64Array.from({ length: n }, (_, t) => better[t] - worse[t]);
  const order = Array.from({ length: n }, (_, t) => t).sort((a, b) => differences[b] - differences[a] || a - b);
  const sum = differences.reduce((total, difference) => total + difference, 0);
  const tolerance = TIED_MEANS * n;
  let left = sum;
  let taken = 0;
  while (left > tolerance && taken < n) left -= differences[order[taken++]];
  const reversed = sum > tolerance && taken < n;
  return {
    difference: sum / n,
    fewest: reversed ? taken : null,
    mostDeciding: order[0],
    tiedAfter: reversed && Math.abs(left) <= tolerance,
    topics: reversed ? order.slice(0, taken) : [],
    influence: differences.map((difference) => (n < 2 ? 0 : (sum / n - difference) / (n - 1))),
  };
}
