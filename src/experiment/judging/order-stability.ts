import type { RankSet } from '../../judging/index.js';
import { ranksOfMeans } from '../../judging/index.js';
import { apCorrelation } from '../../stats/correlation/ap-correlation.js';
import { kendallTau } from '../../stats/correlation/kendall-tau.js';

/** Means of systems under some other measure or rule, the larger the better. */
export interface OrderCondition {
  readonly name: string;
  readonly means: Float64Array;
}

/** How far another measure or rule keeps the order of systems. */
export interface OrderUnderCondition {
  readonly condition: string;
  /** Null where all systems are level under either. */
  readonly tau: number | null;
  /** Errors near the top weigh more. */
  readonly tauAp: number | null;
  /** Pairs of systems in the opposite order. */
  readonly swapped: number | null;
  readonly best: readonly string[];
}

/** The order of systems under other measures and rules. */
export interface OrderStability {
  readonly conditions: readonly OrderUnderCondition[];
  /** The lowest and the highest rank of each system over all of them and the order itself. */
  readonly ranks: readonly RankSet[];
}

/** Compares an order of systems with those under other conditions. */
export function orderStability(systems: readonly string[], means: Float64Array, others: readonly OrderCondition[]): OrderStability {
  const isFlat = (values: Float64Array): boolean => values.every((value) => value === values[0]);
  const ranks = [means, ...others.map((other) => other.means)].map((values) => ranksOfMeans(values));
  return {
    conditions: others.map(({ name, means: other }, i): OrderUnderCondition => {
      const isLevel = isFlat(means) || isFlat(other);
      const { tau, discordant } = isLevel ? { tau: null, discordant: null } : kendallTau({ first: means, second: other });
      return {
        condition: name,
        tau,
        tauAp: isLevel ? null : apCorrelation({ truth: means, estimate: other, ties: 'b' }).tau,
        swapped: discordant,
        best: systems.filter((_, s) => ranks[i + 1][s] === 1),
      };
    }),
    ranks: systems.map((_, s) => ({ low: Math.min(...ranks.map((own) => own[s])), high: Math.max(...ranks.map((own) => own[s])) })),
  };
}
