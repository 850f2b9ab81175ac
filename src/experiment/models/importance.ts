/** What features are worth to a model on data, with what that is worth as a finding. */
import type { FeatureMatrix } from '../../core/feature-matrix.js';
import { type FeatureImportance, type PermutationOptions, shuffledImportance } from '../../ltr/models/importance.js';
import type { Model } from '../../ltr/ranker.js';
import { bootstrapInterval } from '../../stats/bootstrap.js';
import { correctPValues } from '../../stats/correction.js';
import type { Interval } from '../../stats/moments.js';
import { pairedTTest } from '../../stats/t-test.js';

/** Samples of the queries behind each interval: enough for limits that move by less than a pixel. */
export const INTERVAL_SAMPLES = 2000;

/** What a measure loses without a feature. */
export interface MeasuredImportance extends Omit<FeatureImportance, 'gain' | 'splits' | 'weight' | 'lossByQuery'> {
  readonly loss: number;
  /** Where samples of the queries put the loss (bootstrap, BCa); undefined where the measure is no mean over queries. */
  readonly interval?: Interval | undefined;
  /** Of no loss, by a paired t test over queries, Holm-corrected for all features that the model uses. */
  readonly correctedPValue?: number | undefined;
}

/** What the measure loses when the values of a feature are shuffled, for each feature, with intervals over queries. */
export function measuredImportance(model: Model, matrix: FeatureMatrix, options: PermutationOptions): MeasuredImportance[] {
  const found = shuffledImportance(model, matrix, options);
  const losses = found.map(({ lossByQuery }) => lossByQuery?.filter((loss) => !Number.isNaN(loss)));
  const tested = found.flatMap((_, f) => ((losses[f]?.length ?? 0) >= 2 && losses[f]?.some((loss) => loss !== 0) ? [f] : []));
  const pValues = tested.map((f) => pairedTTest({ first: losses[f] ?? [], second: new Float64Array(losses[f]?.length ?? 0) }).pValue);
  const corrected = tested.length === 0 ? [] : correctPValues({ pValues, method: 'holm' }).pValues;
  return found.map(({ id, name, loss = 0 }, f) => {
    const own = losses[f];
    const at = tested.indexOf(f);
    if (own === undefined || own.length < 2) return { id, name, loss };
    if (at < 0) return { id, name, loss, interval: { low: 0, high: 0, level: 0.95 } };
    const { interval } = bootstrapInterval({ first: own, seed: options.seed, resamples: INTERVAL_SAMPLES });
    return { id, name, loss, interval, correctedPValue: corrected[at] };
  });
}
