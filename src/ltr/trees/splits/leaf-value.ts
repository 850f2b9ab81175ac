/** How far the values of leaves are held back. */
export interface LeafRules {
  /** Gradients count only beyond this. */
  readonly l1: number;
  readonly l2: number;
  /** No value is farther from 0 than this; 0: any may be. */
  readonly maxStep: number;
  /** Documents of a leaf by which its own value and that of the leaf it came from weigh alike; 0: only its own counts. */
  readonly smoothing: number;
}

/** What is left of a gradient under a penalty on the sizes of values. */
export function shrunkGradient(gradient: number, l1: number): number {
  if (l1 === 0) return gradient;
  return Math.sign(gradient) * Math.max(0, Math.abs(gradient) - l1);
}

/** The value of a leaf: the best step, held back by the rules, drawn to the value of the leaf it came from, and kept between bounds.
 *  @param hessian  with the penalty on squares
 *  @param origin   the value of the leaf that it was a part of; the root's own, which is drawn nowhere */
export function leafValue(
  { l1, maxStep, smoothing }: LeafRules,
  gradient: number,
  hessian: number,
  count: number,
  origin: number,
  lower: number,
  upper: number,
): number {
  let value = hessian > 0 ? -shrunkGradient(gradient, l1) / hessian : 0;
  if (maxStep > 0) value = Math.min(maxStep, Math.max(-maxStep, value));
  if (smoothing > 0) {
    const share = count / smoothing;
    value = (value * share + origin) / (share + 1);
  }
  return Math.min(upper, Math.max(lower, value));
}

/** Twice what a value takes off the loss; the square of the shrunk gradient through the hessian for the best one. */
export function scoreOf(gradient: number, hessian: number, value: number, l1: number): number {
  return -(2 * shrunkGradient(gradient, l1) * value + hessian * value * value);
}
