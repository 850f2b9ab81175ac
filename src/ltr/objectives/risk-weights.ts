import { riskTransform } from '../../core/numbers/risk-transform.js';
import { normalAt } from '../soft/normal.js';

/** Risk measures that a model can be trained for. */
export const riskMeasures = ['urisk', 'trisk', 'georisk'] as const;
/** One of them. */
export type RiskMeasure = (typeof riskMeasures)[number];

/** What a change of each query is worth to a risk measure: its derivative by the transformed difference of the query (TRisk) or by its value
 *  (GeoRisk), on the scale on which their mean is 1. A query whose gain would make the measure smaller weighs nothing. */
export function riskWeights(
  measure: Exclude<RiskMeasure, 'urisk'>,
  values: Float64Array,
  baseline: Float64Array,
  alpha: number,
): Float64Array<ArrayBuffer> {
  const slopes = measure === 'trisk' ? tRiskSlopes(values, baseline, alpha) : geoRiskSlopes(values, baseline, alpha);
  const kept = slopes.map((slope) => (slope > 0 ? slope : 0));
  const mean = kept.reduce((sum, slope) => sum + slope, 0) / kept.length;
  return mean > 0 && Number.isFinite(mean) ? kept.map((slope) => slope / mean) : kept.fill(1);
}

/** The derivatives of TRisk = √n · mean / deviation by the transformed differences. */
export function tRiskSlopes(values: Float64Array, baseline: Float64Array, alpha: number): Float64Array<ArrayBuffer> {
  const count = values.length;
  const weighted = Float64Array.from(values, (value, q) => riskTransform(value - baseline[q], alpha));
  const mean = weighted.reduce((sum, value) => sum + value, 0) / count;
  const variance = weighted.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1);
  const scale = Math.sqrt(count / variance);
  return weighted.map((value) => scale * (1 / count - (mean * (value - mean)) / ((count - 1) * variance)));
}

/** The derivatives of GeoRisk of a system beside a baseline by the values of the system. */
export function geoRiskSlopes(values: Float64Array, baseline: Float64Array, alpha: number): Float64Array<ArrayBuffer> {
  const count = values.length;
  const own = values.reduce((sum, value) => sum + value, 0);
  const total = own + baseline.reduce((sum, value) => sum + value, 0);
  const roots = new Float64Array(count);
  const steep = new Float64Array(count);
  const counts = new Float64Array(count);
  let zRisk = 0;
  let shared = 0;
  for (let q = 0; q < count; q++) {
    const both = values[q] + baseline[q];
    const expected = (own * both) / total;
    if (!(expected > 0)) continue;
    const apart = (values[q] - expected) / Math.sqrt(expected);
    zRisk += riskTransform(apart, alpha);
    counts[q] = apart < 0 ? 1 + alpha : 1;
    roots[q] = 1 / Math.sqrt(expected);
    steep[q] = roots[q] + (values[q] - expected) / (2 * expected ** 1.5);
    shared += counts[q] * steep[q] * both;
  }
  const [chances, densities] = [new Float64Array(1), new Float64Array(1)];
  normalAt(Float64Array.of(zRisk / count), 1, chances, densities);
  const [chance] = chances;
  const [density] = densities;
  const geoRisk = Math.sqrt((own / count) * chance);
  return Float64Array.from({ length: count }, (_, q) => {
    const ofZ = counts[q] * (roots[q] - (steep[q] * own) / total) - (1 / total - own / total ** 2) * shared;
    return (chance + (own * density * ofZ) / count) / count / 2 / geoRisk;
  });
}
