import { InputError } from '../../core/problem.js';
import { requireFinite, requireFraction, type Values } from '../../stats/checks.js';
import { normalDistribution, tDistribution } from '../../stats/distributions/distributions.js';
import { type Interval, meanOf, squaresAround } from '../../stats/moments.js';
import { correctedShareInterval, isShare, plainShareInterval } from './share-interval.js';

/** How an interval allows for small samples. *normal* is the published form, which is too narrow below a hundred items. *student* takes sample
 *  variances and Student's t with one degree of freedom less than there are items. *fitted* takes away one degree more where lambda was tuned
 *  on the same items, as a regression does for its slope: a tuned lambda makes the values by people look closer to those of the judge than
 *  they are, by one part in n (Lavenberg and Welch, Management Science 27(3), 1981, pages 322 to 335, on control variates whose weight is
 *  estimated). */
export const CORRECTION_QUANTILES = ['fitted', 'student', 'normal'] as const;
/** One of `CORRECTION_QUANTILES`. */
export type CorrectionQuantile = (typeof CORRECTION_QUANTILES)[number];
/** How an interval was made: *shares* where all values are 0 or 1, and no distribution was asked for. */
export type CorrectedIntervalMethod = CorrectionQuantile | 'shares';

/** Values by people on some items, and values by a judge on these and on further ones. */
export interface PredictionPoweredOptions {
  /** What people say, on a random sample of all items. */
  readonly human: Values;
  /** What the judge says on the same items, in the same order. */
  readonly judged: Values;
  /** What the judge says on items that people did not look at. */
  readonly judgedElsewhere: Values;
  /** How far the judge is followed: 0 not at all, 1 fully; by default the share that makes the interval shortest. */
  readonly lambda?: number | 'tuned' | undefined;
  /** The distribution of the interval; by default *fitted* below 100 items and *normal* from there on, and for values that are all 0 or 1,
   *  unless lambda is given, the shares of ones among the items that the judge calls 1 and among the others. */
  readonly quantile?: CorrectionQuantile | undefined;
  /** 0.95 by default. */
  readonly level?: number | undefined;
}

/** A mean, corrected by what people say. */
export interface CorrectedMean {
  readonly estimate: number;
  readonly standardError: number;
  readonly interval: Interval;
  readonly lambda: number;
  readonly quantile: CorrectedIntervalMethod;
  readonly humanItems: number;
  readonly judgeItems: number;
  /** Whether nearly all values by people are the same, so that an interval around their mean may be too short. */
  readonly hasFewValues: boolean;
  readonly notes: readonly string[];
}

/** From which sample size on the normal distribution is used. */
const LARGE_SAMPLE = 100;
/** Below this many items an interval depends on the shape of the scores. */
export const FEW_ITEMS = 20;
/** With fewer values by people than this that differ from the most frequent one, an interval around their mean knows too little. */
const FEW_OTHERS = 5;

/** Prediction-powered inference for a mean: Angelopoulos and others, doi:10.1126/science.adi6000, with the tuning of arXiv 2311.01453. The
 *  items that people looked at must be a random sample of all. */
export function predictionPoweredMean(options: PredictionPoweredOptions): CorrectedMean {
  const { human, judged, judgedElsewhere, lambda = 'tuned', level = 0.95 } = options;
  const n = human.length;
  const others = judgedElsewhere.length;
  requireFraction('level', level);
  for (const [name, values] of Object.entries({ human, judged, judgedElsewhere })) requireFinite(name, values);
  if (judged.length !== n) {
    throw new InputError({
      message: `people gave ${n} values and the judge ${judged.length} for the same items`,
      wayOut: 'give both values of every item that people looked at',
    });
  }
  if (n < 2) {
    throw new InputError({
      message: `a correction needs values by people on at least 2 items, found ${n}`,
      wayOut: 'let people judge more topics, chosen at random',
    });
  }
  if (lambda !== 'tuned' && !(lambda >= 0 && lambda <= 1)) {
    throw new InputError({ message: `lambda is ${lambda}`, wayOut: 'choose it from 0 to 1, or leave it out to have it tuned' });
  }
  const quantile = options.quantile ?? (n < LARGE_SAMPLE ? 'fitted' : 'normal');
  const notes: string[] = [];
  if (others === 0) notes.push('the judge looked at no further items, so only the values by people count');
  if (n < FEW_ITEMS) notes.push(`with ${n} items that people looked at, the interval is rough`);
  const used = others === 0 ? 0 : lambda === 'tuned' ? tunedLambda(human, judged, judgedElsewhere) : lambda;
  const rectified = Float64Array.from({ length: n }, (_, i) => human[i] - used * judged[i]);
  const small = quantile !== 'normal';
  // what is left to estimate the spread with; two items leave one degree whatever was tuned
  const freedom = Math.max(1, n - 1 - (quantile === 'fitted' && lambda === 'tuned' && used > 0 ? 1 : 0));
  const meanElsewhere = others === 0 ? 0 : meanOf(judgedElsewhere);
  const estimate = used * meanElsewhere + meanOf(rectified);
  // a single further value tells nothing of the spread, so that of the values beside people stands for it
  const spread = small && others === 1 ? judged : judgedElsewhere;
  const varianceElsewhere = used === 0 ? 0 : (used * used * varianceOf(spread, small)) / others;
  const rectifiedVariance = squaresAround(rectified, meanOf(rectified)) / (small ? freedom : n);
  const standardError = Math.sqrt(varianceElsewhere + rectifiedVariance / n);
  const tail = (1 - level) / 2;
  const reach = standardError * (small ? tDistribution(freedom) : normalDistribution).upperQuantile(tail);
  const shares = options.quantile === undefined && (lambda === 'tuned' || lambda === 0) && isShare(human, judged, judgedElsewhere);
  const interval = !shares
    ? { low: estimate - reach, high: estimate + reach, level }
    : around(estimate, used === 0 ? plainShareInterval(human, level) : correctedShareInterval({ human, judged, judgedElsewhere }, level));
  const rare = n - mostFrequent(human);
  const hasFewValues = !shares && rare < FEW_OTHERS;
  if (hasFewValues) {
    notes.push(`only ${rare} of the ${n} values by people differ from the most frequent one, so the interval may be too short`);
  }
  return {
    estimate,
    standardError,
    interval,
    lambda: used,
    quantile: shares ? 'shares' : quantile,
    humanItems: n,
    judgeItems: others,
    hasFewValues,
    notes,
  };
}

/** The interval, with the estimate in it. */
function around(estimate: number, { low, high, level }: Interval): Interval {
  return { low: Math.min(low, estimate), high: Math.max(high, estimate), level };
}

/** How often the most frequent value occurs. */
function mostFrequent(values: Values): number {
  const counts = new Map<number, number>();
  for (let i = 0; i < values.length; i++) counts.set(values[i], (counts.get(values[i]) ?? 0) + 1);
  return Math.max(...counts.values());
}

/** The share by which the judge is followed that makes the interval shortest. */
export function tunedLambda(human: Values, judged: Values, judgedElsewhere: Values): number {
  const n = human.length;
  const others = judgedElsewhere.length;
  const [meanHuman, meanJudged] = [meanOf(human), meanOf(judged)];
  let covariance = 0;
  for (let i = 0; i < n; i++) covariance += (human[i] - meanHuman) * (judged[i] - meanJudged);
  covariance /= n;
  const all = Float64Array.from({ length: n + others }, (_, i) => (i < n ? judged[i] : judgedElsewhere[i - n]));
  const variance = varianceOf(all, true);
  return variance === 0 ? 0 : Math.min(1, Math.max(0, covariance / ((1 + n / others) * variance)));
}

function varianceOf(values: Values, sample: boolean): number {
  return squaresAround(values, meanOf(values)) / (sample ? values.length - 1 : values.length);
}
