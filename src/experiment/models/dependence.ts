import type { PartialDependence } from '../../ltr/explanations/partial-dependence.js';
import { percentileLimits } from '../../stats/bootstrap.js';
import { drawTopics } from '../../stats/resampler.js';
import { INTERVAL_SAMPLES } from './importance.js';

/** Where samples of the queries put each point of a curve: 95 % of them, by percentiles. Queries count by their documents, as in the
 *  curve itself. */
export function dependenceIntervals(
  { values, changesByQuery, documentsByQuery }: Pick<PartialDependence, 'values' | 'changesByQuery' | 'documentsByQuery'>,
  seed: number,
): [low: number, high: number][] {
  const points = values.length;
  const numQueries = documentsByQuery.length;
  const sample = new Uint32Array(numQueries); // fits: entries
  const sampled = Array.from({ length: points }, () => new Float64Array(INTERVAL_SAMPLES));
  const sums = new Float64Array(points);
  for (let r = 0; r < INTERVAL_SAMPLES; r++) {
    drawTopics(seed, r, sample);
    sums.fill(0);
    let documents = 0;
    for (const q of sample) {
      documents += documentsByQuery[q];
      for (let v = 0; v < points; v++) sums[v] += changesByQuery[q * points + v];
    }
    for (let v = 0; v < points; v++) sampled[v][r] = sums[v] / documents;
  }
  return sampled.map((changes) => {
    const { low, high } = percentileLimits(changes.sort(), 0.95);
    return [low, high];
  });
}
