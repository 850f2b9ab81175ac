/** How the values of the topics become one number, by name. */
export type AggregateName = 'mean' | 'sum' | 'geometric' | 'harmonic' | 'median' | 'min' | 'max' | 'sd' | 'se';

/** The words that `AggregateName` allows. */
export const aggregateNames: readonly AggregateName[] = ['mean', 'sum', 'geometric', 'harmonic', 'median', 'min', 'max', 'sd', 'se'];

/** Values below this count as this in a geometric mean, so that one failed topic does not erase all others. */
export const GEOMETRIC_FLOOR: number = 0.00001;

/** One number for values[start], values[start + step] … Sums run in the order of the values, plainly, so that published
 *  numbers come out to the last digit. Without values a sum is 0 and everything else NaN. `floor` is what smaller values
 *  count as in a geometric or harmonic mean. */
export function aggregateValues(
  kind: AggregateName,
  values: Float64Array,
  start: number,
  step: number,
  count: number,
  floor: number = kind === 'geometric' ? GEOMETRIC_FLOOR : 0,
): number {
  const reduce = (add: (sum: number, value: number) => number, from: number): number => {
    let result = from;
    for (let i = 0; i < count; i++) result = add(result, values[start + i * step]);
    return result;
  };
  if (count === 0 && kind !== 'sum') return Number.NaN;
  switch (kind) {
    case 'sum':
      return reduce((sum, value) => sum + value, 0);
    case 'mean':
      return reduce((sum, value) => sum + value, 0) / count;
    case 'geometric':
      return Math.exp(reduce((sum, value) => sum + Math.log(Math.max(value, floor)), 0) / count);
    case 'harmonic':
      return count / reduce((sum, value) => sum + 1 / Math.max(value, floor), 0);
    case 'median': {
      const sorted = Float64Array.from({ length: count }, (_, i) => values[start + i * step]).sort();
      return (sorted[(count - 1) >> 1] + sorted[count >> 1]) / 2;
    }
    case 'min':
      return reduce(Math.min, Infinity);
    case 'max':
      return reduce(Math.max, -Infinity);
    case 'sd':
    case 'se': {
      if (count === 1) return 0;
      const mean = reduce((sum, value) => sum + value, 0) / count;
      const variance = reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1);
      return Math.sqrt(kind === 'sd' ? variance : variance / count);
    }
  }
}
