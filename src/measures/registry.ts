import * as averagePrecision from './average-precision.js';
import * as counts from './counts.js';
import * as cumulatedGain from './cumulated-gain.js';
import * as cutoff from './cutoff.js';
import * as firstAnswer from './first-answer.js';
import * as incomplete from './incomplete.js';
import type { MeasureDef } from './measure.js';
import * as preferences from './preferences.js';
import * as rankBiased from './rank-biased.js';
import * as sets from './sets.js';

/** A family of measures: a heading of the reference, and its members in reading order. */
export interface MeasureFamily {
  readonly title: string;
  readonly measures: readonly MeasureDef[];
}

/** Every measure Gradus knows. */
export const measureFamilies: readonly MeasureFamily[] = [
  {
    title: 'Counts',
    measures: [counts.numQ, counts.numRet, counts.numRel, counts.numRelRet, counts.numNonRelJudgedRet, counts.gradeAt],
  },
  {
    title: 'Average precision',
    measures: [
      averagePrecision.averagePrecision,
      averagePrecision.interpolatedPrecision,
      averagePrecision.interpolatedAverage,
      averagePrecision.inferredAp,
      averagePrecision.yaap,
      averagePrecision.binG,
    ],
  },
  {
    title: 'The top of the ranking',
    measures: [
      cutoff.precision,
      cutoff.recall,
      cutoff.fMeasure,
      cutoff.success,
      cutoff.relativePrecision,
      cutoff.rPrecision,
      cutoff.rPrecisionMultiple,
      cutoff.judgedAt,
      cutoff.unjudged,
    ],
  },
  { title: 'The first answer', measures: [firstAnswer.reciprocalRank] },
  {
    title: 'Cumulated gain',
    measures: [
      cumulatedGain.ndcg,
      cumulatedGain.dcg,
      cumulatedGain.idealDcg,
      cumulatedGain.ndcgRel,
      cumulatedGain.rNdcg,
      cumulatedGain.gMeasure,
    ],
  },
  { title: 'User models', measures: [rankBiased.rbp, rankBiased.rbpResidual] },
  { title: 'Incomplete judgements', measures: [incomplete.bpref] },
  {
    title: 'The retrieved set',
    measures: [sets.setPrecision, sets.setRecall, sets.setF, sets.setAveragePrecision, sets.setRelativePrecision, sets.utility],
  },
  {
    title: 'Preferences',
    measures: [
      preferences.prefsPossible,
      preferences.prefsFulfilled,
      preferences.prefsFulfilledRet,
      preferences.prefsSimp,
      preferences.prefsPair,
      preferences.prefsAvg,
      preferences.prefsAvgRNonRel,
      preferences.prefsSimpRet,
      preferences.prefsPairRet,
      preferences.prefsAvgRet,
      preferences.prefsAvgRNonRelRet,
      preferences.prefsSimpImp,
      preferences.prefsPairImp,
      preferences.prefsAvgImp,
    ],
  },
];

export const allMeasures: readonly MeasureDef[] = measureFamilies.flatMap((family) => family.measures);
