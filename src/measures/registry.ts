import * as averagePrecision from './average-precision.js';
import * as blended from './blended.js';
import * as cascade from './cascade.js';
import * as counts from './counts.js';
import * as cumulatedGain from './cumulated-gain.js';
import * as cutoff from './cutoff.js';
import * as diversity from './diversity.js';
import * as firstAnswer from './first-answer.js';
import * as graded from './graded.js';
import * as incomplete from './incomplete.js';
import type { MeasureDef } from './measure.js';
import * as overlap from './overlap.js';
import * as preferences from './preferences.js';
import * as rankBiased from './rank-biased.js';
import * as sets from './sets.js';
import * as userModels from './user-models.js';
import * as userOriented from './user-oriented.js';

/** A family of measures: a heading of the reference, and its members in reading order. */
export interface MeasureFamily {
  readonly title: string;
  readonly measures: readonly MeasureDef[];
}

/** Every measure Gradus knows. */
export const measureFamilies: readonly MeasureFamily[] = [
  {
    title: 'Counts',
    measures: [counts.numQ, counts.numRet, counts.numRel, counts.numRelRet, counts.numNonRelJudgedRet, counts.gradeAt, counts.best],
  },
  {
    title: 'Average precision',
    measures: [
      averagePrecision.averagePrecision,
      averagePrecision.interpolatedPrecision,
      averagePrecision.interpolatedAverage,
      averagePrecision.yaap,
      averagePrecision.binG,
    ],
  },
  {
    title: 'The top of the ranking',
    measures: [
      cutoff.precision,
      cutoff.recall,
      cutoff.averageRecall,
      cutoff.fMeasure,
      cutoff.success,
      cutoff.relativePrecision,
      cutoff.rPrecision,
      cutoff.rPrecisionMultiple,
      cutoff.accuracy,
    ],
  },
  { title: 'The first answer', measures: [firstAnswer.reciprocalRank, firstAnswer.firstRelevant, firstAnswer.expectedSearchLength] },
  {
    title: 'Cumulated gain',
    measures: [
      cumulatedGain.ndcg,
      cumulatedGain.meanNdcg,
      cumulatedGain.cumulatedGain,
      cumulatedGain.dcg,
      cumulatedGain.idealDcg,
      cumulatedGain.ndcgRel,
      cumulatedGain.rNdcg,
      cumulatedGain.gMeasure,
    ],
  },
  {
    title: 'Graded average precision',
    measures: [graded.gap, graded.gradedPrecision, graded.gradedRecall],
  },
  {
    title: 'User models',
    measures: [
      rankBiased.rbp,
      rankBiased.rbpResidual,
      cascade.err,
      cascade.nErr,
      userModels.inst,
      userModels.insq,
      userModels.bpm,
      userModels.sdcg,
      userModels.nerr8,
      userModels.nerr9,
      userModels.nerr10,
      userModels.nerr11,
      userModels.uMeasure,
      userModels.ift,
      cascade.timeBiasedGain,
    ],
  },
  {
    title: 'Blended ratio',
    measures: [blended.qMeasure, blended.oMeasure, blended.pMeasure, blended.pPlus, blended.ncu],
  },
  {
    title: 'Incomplete judgements',
    measures: [incomplete.bpref, incomplete.inferredAp, cutoff.judgedAt, cutoff.unjudged],
  },
  {
    title: 'The retrieved set',
    measures: [
      sets.setPrecision,
      sets.setRecall,
      sets.setF,
      sets.setAveragePrecision,
      sets.setRelativePrecision,
      sets.setAccuracy,
      sets.fallout,
      sets.satisfaction,
      sets.frustration,
      sets.utility,
    ],
  },
  {
    title: 'Diversity',
    measures: [
      diversity.alphaNdcg,
      diversity.alphaDcg,
      diversity.errIa,
      diversity.nErrIa,
      diversity.nrbp,
      diversity.nNrbp,
      diversity.apIa,
      diversity.pIa,
      diversity.stRecall,
    ],
  },
  {
    title: 'The reader’s knowledge',
    measures: [userOriented.coverage, userOriented.novelty, userOriented.relativeRecall, userOriented.recallEffort],
  },
  { title: 'Likeness to an ideal ranking', measures: [overlap.compat] },
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
