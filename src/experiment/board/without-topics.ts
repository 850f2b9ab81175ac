import { pairedTTest } from '../../stats/t-test.js';

/** What is left of a difference without the topics that speak most for it. */
export interface WithoutTopics {
  /** How many were left out. */
  readonly count: number;
  readonly difference: number;
  readonly low: number;
  readonly high: number;
  /** Of a two-sided paired t test over the other topics, not corrected for anything. */
  readonly pValue: number;
}

/** A difference with 0, 1, 2 … of its most favourable topics left out, the most favourable first. It shows how much a result owes to
 *  single topics; it is no reason to leave any out.
 *  @param values Of two systems on the same topics, turned so that more is better.
 *  @param most Topics to leave out at most; as many as leave 2 to test.
 *  @param level Of the intervals. */
export function withoutBestTopics(
  [first, second]: readonly [ArrayLike<number>, ArrayLike<number>],
  most = 10,
  level = 0.95,
): WithoutTopics[] {
  const order = Array.from({ length: first.length }, (_, t) => t).sort((a, b) => first[b] - second[b] - (first[a] - second[a]) || a - b);
  return Array.from({ length: Math.max(0, Math.min(most, first.length - 2) + 1) }, (_, count) => {
    const kept = order.slice(count);
    const { meanDifference, interval, pValue } = pairedTTest({
      first: Float64Array.from(kept, (t) => first[t]),
      second: Float64Array.from(kept, (t) => second[t]),
      level,
    });
    return { count, difference: meanDifference, low: interval.low, high: interval.high, pValue };
  });
}
