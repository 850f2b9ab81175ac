import { InputError } from '../core/problem.js';
import { type Alternative, requireAlternative, requireFraction, requirePositive, requireWhole } from './checks.js';
import { fDistribution, tDistribution } from './distributions/distributions.js';
import { noncentralFUpperTail, noncentralTUpperTail } from './distributions/noncentral.js';
import { rootBetween } from './distributions/root-finding.js';

/** What a comparison of systems is planned with. With two systems the plan is a paired t test and `standardDeviation` that of the
 *  per-topic differences; with more it is a one-way analysis of variance and `standardDeviation` that of one system's
 *  scores around its mean (Sakai, doi:10.1007/s10791-015-9273-z). */
export interface PowerPlan {
  readonly standardDeviation: number;
  /** Chance of a false claim, 0.05 by default. */
  readonly alpha?: number;
  /** For two systems: which side counts; two-sided by default. */
  readonly alternative?: Alternative;
  /** 2 by default. With more, `difference` is that between the best and the worst. */
  readonly systems?: number;
}

/** What a planned experiment could find: topics, difference and power belong together. */
export interface PowerResult {
  readonly method: 'paired t test, non-central t' | 'one-way analysis of variance, non-central F';
  readonly topics: number;
  readonly difference: number;
  /** Chance of finding that difference. */
  readonly power: number;
  readonly alpha: number;
  readonly systems: number;
  readonly standardDeviation: number;
}

/** No collection has more topics than this; a plan that needs them is a mistake in the units. */
const MOST_TOPICS = 10_000_000;

/** The chance of finding a true `difference` of means with `topics` topics. */
export function powerOf(options: PowerPlan & { readonly topics: number; readonly difference: number }): PowerResult {
  const plan = checkPlan(options);
  requireWhole('number of topics', options.topics, 2);
  requirePositive('difference', options.difference);
  return result(plan, options.topics, options.difference);
}

/** The smallest number of topics with which a true `difference` is found with probability `power` (0.8 by default). */
export function topicsNeeded(options: PowerPlan & { readonly difference: number; readonly power?: number }): PowerResult {
  const plan = checkPlan(options);
  const wanted = options.power ?? 0.8;
  requirePositive('difference', options.difference);
  requireFraction('power', wanted);
  const enough = (topics: number): boolean => plan.power(topics, options.difference) >= wanted;
  let high = 2;
  while (!enough(high)) {
    high *= 2;
    if (high > MOST_TOPICS) {
      throw new InputError({
        message: `a difference of ${options.difference} with standard deviation ${plan.standardDeviation} needs more than ${MOST_TOPICS} topics`,
        wayOut: 'ask for a larger difference or less power',
      });
    }
  }
  let low = high === 2 ? 1 : high / 2;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (enough(middle)) high = middle;
    else low = middle;
  }
  return result(plan, high, options.difference);
}

/** The smallest true difference that `topics` topics find with probability `power` (0.8 by default). */
export function detectableDifference(options: PowerPlan & { readonly topics: number; readonly power?: number }): PowerResult {
  const plan = checkPlan(options);
  const wanted = options.power ?? 0.8;
  requireWhole('number of topics', options.topics, 2);
  requireFraction('power', wanted);
  if (wanted <= plan.alpha) {
    throw new InputError({ message: `power ${wanted} is not above alpha ${plan.alpha}`, wayOut: 'ask for more power or a smaller alpha' });
  }
  const lacking = (difference: number): number => plan.power(options.topics, difference) - wanted;
  let high = plan.standardDeviation / Math.sqrt(options.topics);
  while (lacking(high) < 0) high *= 2;
  return result(plan, options.topics, rootBetween(lacking, high / 1e6, high));
}

interface CheckedPlan {
  readonly method: PowerResult['method'];
  readonly alpha: number;
  readonly systems: number;
  readonly standardDeviation: number;
  power(topics: number, difference: number): number;
}

function checkPlan(plan: PowerPlan): CheckedPlan {
  const { standardDeviation, alpha = 0.05, alternative = 'two-sided', systems = 2 } = plan;
  requirePositive('standard deviation', standardDeviation);
  requireFraction('alpha', alpha);
  requireAlternative(alternative);
  requireWhole('number of systems', systems, 2);
  if (systems > 2 && alternative !== 'two-sided') {
    throw new InputError(`an alternative of ${alternative} has no meaning for ${systems} systems, expected two-sided`);
  }
  const common = { alpha, systems, standardDeviation };
  if (systems === 2) {
    return {
      ...common,
      method: 'paired t test, non-central t',
      power(topics, difference) {
        const df = topics - 1;
        const noncentrality = (Math.sqrt(topics) * difference) / standardDeviation;
        if (alternative !== 'two-sided') {
          // the difference lies on the side asked for
          return noncentralTUpperTail(tDistribution(df).upperQuantile(alpha), df, noncentrality);
        }
        const critical = tDistribution(df).upperQuantile(alpha / 2);
        return noncentralTUpperTail(critical, df, noncentrality) + noncentralTUpperTail(critical, df, -noncentrality);
      },
    };
  }
  return {
    ...common,
    method: 'one-way analysis of variance, non-central F',
    power(topics, difference) {
      const df1 = systems - 1;
      const df2 = systems * (topics - 1);
      // the least favourable case: the best and the worst are this far apart, all others half way between
      const noncentrality = (topics * (difference / standardDeviation) ** 2) / 2;
      return noncentralFUpperTail(fDistribution(df1, df2).upperQuantile(alpha), df1, df2, noncentrality);
    },
  };
}

function result(plan: CheckedPlan, topics: number, difference: number): PowerResult {
  const { method, alpha, systems, standardDeviation } = plan;
  return { method, topics, difference, power: Math.min(1, plan.power(topics, difference)), alpha, systems, standardDeviation };
}
