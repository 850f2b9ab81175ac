import { riskTransform } from '../core/numbers/risk-transform.js';
import { normalDistribution, tDistribution } from './distributions/distributions.js';

/** How much a system may lose against a baseline, topic by topic. */
export interface BaselineRisk {
  /** The mean difference, losses counting 1 + alpha times: the higher, the safer (Wang, Bennett and Collins-Thompson 2012,
   *  doi:10.1145/2348283.2348385). */
  readonly uRisk: number;
  /** URisk over its standard error: beyond 2 in size it is more than chance (Dinçer, Macdonald and Ounis 2014,
   *  doi:10.1145/2600428.2609625). Null where all weighted differences are the same. */
  readonly tRisk: number | null;
  /** Of TRisk, by Student's t distribution, two-sided. */
  readonly pValue: number | null;
  /** Topics on which the system is better, and worse. */
  readonly wins: number;
  readonly losses: number;
}

/** URisk and TRisk of the values of a system against those of a baseline on the same topics.
 *
 *      baselineRisk([0.5, 0.2], [0.4, 0.4], 1).uRisk; // (0.1 - 2 · 0.2) / 2
 */
export function baselineRisk(values: ArrayLike<number>, baseline: ArrayLike<number>, alpha: number): BaselineRisk {
  const count = values.length;
  const weighted = Float64Array.from({ length: count }, (_, q) => riskTransform(values[q] - baseline[q], alpha));
  const uRisk = weighted.reduce((sum, value) => sum + value, 0) / count;
  const squares = weighted.reduce((sum, value) => sum + (value - uRisk) ** 2, 0);
  const error = Math.sqrt(squares / (count - 1) / count);
  const tRisk = error > 0 ? uRisk / error : null;
  return {
    uRisk,
    tRisk,
    pValue: tRisk === null ? null : Math.min(1, 2 * tDistribution(count - 1).upperTail(Math.abs(tRisk))),
    wins: weighted.filter((value) => value > 0).length,
    losses: weighted.filter((value) => value < 0).length,
  };
}

/** What a system risks beside all others, without a baseline: the others, together, are what is expected. */
export interface GeoRisk {
  /** Standardised differences from what systems and topics let expect, losses counting 1 + alpha times. */
  readonly zRisk: number;
  /** √(mean · Φ(zRisk / topics)): effectiveness and safety in one number (Dinçer, Macdonald and Ounis 2016,
   *  doi:10.1145/2911451.2911511). */
  readonly geoRisk: number;
}

/** ZRisk and GeoRisk of each system.
 *  @param systems  one list of values per system, on the same topics, none negative */
export function geoRisks(systems: readonly ArrayLike<number>[], alpha: number): GeoRisk[] {
  const topics = systems[0]?.length ?? 0;
  const bySystem = systems.map((values) => Array.from(values).reduce((sum, value) => sum + value, 0));
  const byTopic = Array.from({ length: topics }, (_, q) => systems.reduce((sum, values) => sum + values[q], 0));
  const total = bySystem.reduce((sum, value) => sum + value, 0);
  return systems.map((values, i) => {
    let zRisk = 0;
    for (let q = 0; q < topics; q++) {
      const expected = (bySystem[i] * byTopic[q]) / total;
      // where nobody found anything, nothing was risked
      if (expected > 0) zRisk += riskTransform((values[q] - expected) / Math.sqrt(expected), alpha);
    }
    return { zRisk, geoRisk: Math.sqrt((bySystem[i] / topics) * normalDistribution.cdf(zRisk / topics)) };
  });
}
