import type { PreparedObjective } from '../objectives/objective.js';
import { exponential } from './pair-kernel-js.js';

/** How pairs of documents make gradients. */
export interface PairRules {
  /** Steepness of the loss of a pair. */
  readonly sigma: number;
  /** Only pairs with one document at these many first ranks. */
  readonly truncation: number;
  /** Pairs with distant scores count less, and all gradients of a query are scaled down by how many there are. */
  readonly normalise: boolean;
}

/** A pair counts by the inverse of this plus the distance of the scores, when gradients are normalised. */
const NEARNESS = 0.01;

/** The two constants of nearness + slope * distance, by which the gradient of a pair is divided. Where all scores are equal
 *  distances say nothing. */
export function distanceRule({ normalise }: PairRules, allEqual: boolean): { readonly nearness: number; readonly slope: number } {
  return normalise && !allEqual ? { nearness: NEARNESS, slope: 1 } : { nearness: 1, slope: 0 };
}

/** What all gradients of a query are multiplied by in the end, given the sum of the sizes over pairs. */
export function queryFactor({ normalise }: PairRules, size: number): number {
  return normalise && size > 0 ? log2OnePlus(2 * size) / (2 * size) : 1;
}

/** log2(1 + x) for x >= 0 in the same operations everywhere: `Math.log2` is left to each engine. */
export function log2OnePlus(x: number): number {
  let mantissa = 1 + x;
  let exponent = 0;
  while (mantissa > Math.SQRT2) {
    mantissa /= 2;
    exponent++;
  }
  const ratio = (mantissa - 1) / (mantissa + 1);
  const square = ratio * ratio;
  let sum = 0;
  for (let odd = 21; odd >= 1; odd -= 2) sum = sum * square + 1 / odd;
  return exponent + 2 * ratio * sum * Math.LOG2E;
}

/** The gradients of one sorted query for any measure that says what a swap changes; the form of `addPairGradients` without tables. Tells
 *  the sum of the sizes over pairs.
 *
 *  @param keys        scores in ranked order
 *  @param gradients   set to the derivative of the loss by the score of each rank's document
 *  @param curvatures  set to the second derivative */
export function pairGradientsBySwaps(
  prepared: Pick<PreparedObjective, 'fixOrder' | 'swapDelta'>,
  q: number,
  order: Uint32Array,
  keys: Float64Array,
  gradients: Float64Array,
  curvatures: Float64Array,
  positionFactors: Float64Array,
  scale: number,
  rules: PairRules,
): number {
  const count = order.length;
  gradients.fill(0, 0, count);
  curvatures.fill(0, 0, count);
  prepared.fixOrder(q, order);
  const { sigma } = rules;
  const { nearness, slope } = distanceRule(rules, keys[0] === keys[count - 1]);
  const level = Math.min(rules.truncation, count - 1);
  let size = 0;
  for (let upper = 0; upper < level; upper++) {
    const factor = scale * positionFactors[upper] * sigma;
    for (let lower = upper + 1; lower < count; lower++) {
      const delta = prepared.swapDelta(upper, lower);
      if (delta === 0) continue;
      const distance = keys[upper] - keys[lower];
      const odds = exponential(-sigma * distance);
      const whole = 1 + odds;
      const share = (Math.abs(delta) * factor) / ((nearness + slope * distance) * (whole * whole));
      const bend = share * odds * sigma;
      // where a swap would lose, the upper document is to stay above
      const force = delta < 0 ? share * whole * odds : -(share * whole);
      gradients[upper] -= force;
      gradients[lower] += force;
      curvatures[upper] += bend;
      curvatures[lower] += bend;
      size += Math.abs(force);
    }
  }
  return size;
}
