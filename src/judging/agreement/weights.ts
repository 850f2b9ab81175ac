/** How much of an agreement two grades are. */
export const WEIGHT_SCHEMES = ['identity', 'linear', 'quadratic', 'ordinal'] as const;
/** *identity*: only equal grades agree. *linear* and *quadratic*: agreement falls with the distance of the grades or its square.
 *  *ordinal*: Gwet's, which falls with the number of pairs of places between them. */
export type WeightScheme = (typeof WEIGHT_SCHEMES)[number];
/** Whether distances are those of the grades themselves or of their places on the scale. */
export type GradeDistance = 'grade' | 'position';

/** A matrix with a row and a column per category: 1 on the diagonal, 0 for the two that are furthest apart. */
export function agreementWeights(categories: ArrayLike<number>, scheme: WeightScheme, distance: GradeDistance = 'grade'): Float64Array {
  const q = categories.length;
  const at = (k: number): number => (distance === 'grade' ? categories[k] : k);
  const weights = new Float64Array(q * q);
  const range = q === 0 ? 0 : at(q - 1) - at(0);
  for (let k = 0; k < q; k++) {
    for (let l = 0; l < q; l++) weights[k * q + l] = k === l ? 1 : weightOf(scheme, Math.abs(at(k) - at(l)) / range, Math.abs(k - l), q);
  }
  return weights;
}

function weightOf(scheme: WeightScheme, share: number, places: number, q: number): number {
  if (scheme === 'identity') return 0;
  if (scheme === 'linear') return 1 - share;
  if (scheme === 'quadratic') return 1 - share * share;
  return 1 - (places * (places + 1)) / (q * (q - 1));
}
