/** A difference from a baseline, losses counting 1 + alpha times. */
export function riskTransform(difference: number, alpha: number): number {
  return difference >= 0 ? difference : (1 + alpha) * difference;
}
