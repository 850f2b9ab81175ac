import { InputError } from '../../core/problem.js';
import { requireFraction, requirePositive } from '../../stats/checks.js';
import { tDistribution } from '../../stats/distributions/distributions.js';
import { smallestWhole } from '../planning/smallest.js';

/** What people and judge are like, and what is wanted. */
export interface LabelPlan {
  /** Standard deviation of the values by people. */
  readonly standardDeviation: number;
  /** Correlation of the values by people with those of the judge. */
  readonly correlation: number;
  /** Items with a value of the judge only. */
  readonly judgeItems: number;
  readonly level?: number | undefined;
}

/** How many items people should look at. */
export interface LabelsNeeded {
  readonly humanItems: number;
  /** How many it would be without the judge. */
  readonly withoutJudge: number;
  /** How many items by people alone would be as good. */
  readonly effectiveItems: number;
  readonly halfWidth: number;
}

/** The variance of a corrected mean with the best lambda. */
export function correctedVariance({ standardDeviation, correlation, judgeItems }: LabelPlan, humanItems: number): number {
  const explained = correlation * correlation;
  return standardDeviation ** 2 * ((1 - explained) / humanItems + explained / (humanItems + judgeItems));
}

/** The fewest items that people have to look at for an interval of the given half width. */
export function labelsNeeded(plan: LabelPlan, halfWidth: number): LabelsNeeded {
  const { correlation, judgeItems, level = 0.95 } = plan;
  requirePositive('standard deviation', plan.standardDeviation);
  requirePositive('half width', halfWidth);
  requireFraction('level', level);
  if (!(correlation >= -1 && correlation <= 1) || !(judgeItems >= 0)) {
    throw new InputError({
      message: `a correlation of ${correlation} with ${judgeItems} further items has no meaning`,
      wayOut: 'give a correlation from -1 to 1 and a number of items from 0 on',
    });
  }
  const needed = (own: LabelPlan): number =>
    smallestWhole(
      2,
      (n) => tDistribution(n - 1).upperQuantile((1 - level) / 2) * Math.sqrt(correctedVariance(own, n)) <= halfWidth,
      `an interval of ${halfWidth} to either side`,
    );
  const humanItems = needed(plan);
  return {
    humanItems,
    withoutJudge: needed({ ...plan, correlation: 0 }),
    effectiveItems: plan.standardDeviation ** 2 / correctedVariance(plan, humanItems),
    halfWidth,
  };
}
