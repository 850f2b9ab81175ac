import { correctedVariance, type LabelsNeeded, labelsNeeded } from '../../judging/index.js';
import { pearsonCorrelation } from '../../stats/correlation/correlation.js';
import { chiSquaredDistribution, normalDistribution, tDistribution } from '../../stats/distributions/distributions.js';
import type { Interval } from '../../stats/moments.js';
import { standardDeviationOf } from '../../stats/moments.js';
import type { Platform } from '../platform.js';
import { type CorrectionSample, type CorrectRequest, correctionSamples } from './correct.js';

/** How many topics people have to judge beside a machine, for the corrected score of one system. */
export interface SystemLabels {
  readonly system: string;
  /** Of the scores by people, with a 95% interval from the chi-squared distribution. */
  readonly standardDeviation: { readonly value: number; readonly interval: Interval };
  /** Of the scores by people and by the machine, with a 95% interval by Fisher's transformation; the interval is null below 4 topics. */
  readonly correlation: { readonly value: number; readonly interval: Interval | null };
  /** Null where nothing varies. */
  readonly needed: LabelsNeeded | null;
  /** The numbers at the limits: little spread and a good machine, much spread and a poor one. */
  readonly neededAtLimits: readonly [number, number] | null;
  /** Half widths that numbers of topics give. */
  readonly curve: readonly { readonly topics: number; readonly halfWidth: number }[];
}

/** How many topics people have to judge, by each measure. */
export interface LabelPlans {
  readonly pilotTopics: number;
  readonly machineTopics: number;
  readonly halfWidth: number;
  readonly measures: readonly { readonly measure: string; readonly systems: readonly SystemLabels[] }[];
  readonly notes: readonly string[];
}

/** Plans how many topics people have to judge, from a pilot that people and a machine judged. */
export async function planLabels(request: CorrectRequest, platform: Platform): Promise<LabelPlans> {
  const { halfWidth = 0.05 } = request;
  const { humanTopics: pilotTopics, machineTopics, systems, measures, notes } = await correctionSamples(request, platform);
  return {
    pilotTopics,
    machineTopics,
    halfWidth,
    measures: measures.map(({ measure, samples }) => ({
      measure,
      systems: samples.map((sample, s) => ({ system: systems[s], ...labelsOf(sample, halfWidth) })),
    })),
    notes,
  };
}

function labelsOf({ human, judged, judgedElsewhere }: CorrectionSample, halfWidth: number): Omit<SystemLabels, 'system'> {
  const n = human.length;
  const sd = standardDeviationOf(human);
  const chiSquared = chiSquaredDistribution(n - 1);
  const [low, high] = [0.975, 0.025].map((p) => sd * Math.sqrt((n - 1) / chiSquared.quantile(p)));
  const varied = sd > 0 && judged.some((value) => value !== judged[0]);
  const rho = varied ? pearsonCorrelation({ first: human, second: judged }) : 0;
  const half = normalDistribution.upperQuantile(0.025) / Math.sqrt(Math.max(1, n - 3));
  const limits = n > 3 && varied ? { low: Math.tanh(Math.atanh(rho) - half), high: Math.tanh(Math.atanh(rho) + half), level: 0.95 } : null;
  const judgeItems = judgedElsewhere.length;
  const plan = { standardDeviation: sd, correlation: rho, judgeItems };
  const needed = sd === 0 ? null : labelsNeeded(plan, halfWidth);
  // what helps is the size of the correlation, whatever its sign
  const sizes =
    limits === null
      ? [0, 1]
      : [Math.min(Math.abs(limits.low), Math.abs(limits.high)), Math.max(Math.abs(limits.low), Math.abs(limits.high))];
  const weakest = limits !== null && limits.low < 0 && limits.high > 0 ? 0 : sizes[0];
  return {
    standardDeviation: { value: sd, interval: { low, high, level: 0.95 } },
    correlation: { value: rho, interval: limits },
    needed,
    neededAtLimits:
      needed === null
        ? null
        : [
            labelsNeeded({ standardDeviation: low, correlation: sizes[1], judgeItems }, halfWidth).humanItems,
            labelsNeeded({ standardDeviation: high, correlation: weakest, judgeItems }, halfWidth).humanItems,
          ],
    curve:
      needed === null
        ? []
        : [...new Set([0.25, 0.5, 1, 2, 4].map((share) => Math.max(2, Math.round(share * needed.humanItems))))].map((topics) => ({
            topics,
            halfWidth: tDistribution(topics - 1).upperQuantile(0.025) * Math.sqrt(correctedVariance(plan, topics)),
          })),
  };
}
