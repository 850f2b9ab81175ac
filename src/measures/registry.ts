import * as cutoff from './cutoff.js';
import * as averagePrecision from './families/average-precision.js';
import * as blended from './families/blended.js';
import * as cascade from './families/cascade.js';
import * as counts from './families/counts.js';
import * as cumulatedGain from './families/cumulated-gain.js';
import * as diversity from './families/diversity.js';
import * as firstAnswer from './families/first-answer.js';
import * as graded from './families/graded.js';
import * as incomplete from './families/incomplete.js';
import * as overlap from './families/overlap.js';
import * as preferences from './families/preferences.js';
import * as rankBiased from './families/rank-biased.js';
import * as sets from './families/sets.js';
import * as userModels from './families/user-models.js';
import * as userOriented from './families/user-oriented.js';
import type { MeasureDef } from './measure.js';

/** A family of measures: a heading of the reference, and its members in reading order. */
export interface MeasureFamily {
  readonly title: string;
  readonly measures: readonly MeasureDef[];
}

// lists first and headings after, so that a program which needs no headings does not carry them
const counted: readonly MeasureDef[] = [
  counts.numQ,
  counts.numRet,
  counts.numRel,
  counts.numRelRet,
  counts.numNonRelJudgedRet,
  counts.gradeAt,
  counts.best,
];
const averaged: readonly MeasureDef[] = [
  averagePrecision.averagePrecision,
  averagePrecision.interpolatedPrecision,
  averagePrecision.interpolatedAverage,
  averagePrecision.yaap,
  averagePrecision.binG,
];
const topOfRanking: readonly MeasureDef[] = [
  cutoff.precision,
  cutoff.recall,
  cutoff.averageRecall,
  cutoff.fMeasure,
  cutoff.success,
  cutoff.relativePrecision,
  cutoff.rPrecision,
  cutoff.rPrecisionMultiple,
  cutoff.accuracy,
];
const firstAnswers: readonly MeasureDef[] = [firstAnswer.reciprocalRank, firstAnswer.firstRelevant, firstAnswer.expectedSearchLength];
const cumulated: readonly MeasureDef[] = [
  cumulatedGain.ndcg,
  cumulatedGain.meanNdcg,
  cumulatedGain.cumulatedGain,
  cumulatedGain.dcg,
  cumulatedGain.idealDcg,
  cumulatedGain.ndcgRel,
  cumulatedGain.rNdcg,
  cumulatedGain.gMeasure,
];
const gradedAverages: readonly MeasureDef[] = [graded.gap, graded.gradedPrecision, graded.gradedRecall, graded.gradedInterpolated];
const readersModelled: readonly MeasureDef[] = [
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
];
const blendedRatios: readonly MeasureDef[] = [blended.qMeasure, blended.oMeasure, blended.pMeasure, blended.pPlus, blended.ncu];
const incompletelyJudged: readonly MeasureDef[] = [incomplete.bpref, incomplete.inferredAp, cutoff.judgedAt, cutoff.unjudged];
const retrievedSet: readonly MeasureDef[] = [
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
];
const diverse: readonly MeasureDef[] = [
  diversity.alphaNdcg,
  diversity.alphaDcg,
  diversity.errIa,
  diversity.nErrIa,
  diversity.nrbp,
  diversity.nNrbp,
  diversity.apIa,
  diversity.pIa,
  diversity.stRecall,
];
const readersKnowledge: readonly MeasureDef[] = [
  userOriented.coverage,
  userOriented.novelty,
  userOriented.relativeRecall,
  userOriented.recallEffort,
];
const idealLike: readonly MeasureDef[] = [overlap.compat];
const preferred: readonly MeasureDef[] = [
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
];

/** Every measure Gradus knows, by family. */
export const measureFamilies: readonly MeasureFamily[] = [
  { title: 'Counts', measures: counted },
  { title: 'Average precision', measures: averaged },
  { title: 'The top of the ranking', measures: topOfRanking },
  { title: 'The first answer', measures: firstAnswers },
  { title: 'Cumulated gain', measures: cumulated },
  { title: 'Graded average precision', measures: gradedAverages },
  { title: 'User models', measures: readersModelled },
  { title: 'Blended ratio', measures: blendedRatios },
  { title: 'Incomplete judgements', measures: incompletelyJudged },
  { title: 'The retrieved set', measures: retrievedSet },
  { title: 'Diversity', measures: diverse },
  { title: 'The reader’s knowledge', measures: readersKnowledge },
  { title: 'Likeness to an ideal ranking', measures: idealLike },
  { title: 'Preferences', measures: preferred },
];

/** Every built-in measure, family by family. */
export const allMeasures: readonly MeasureDef[] = [
  ...counted,
  ...averaged,
  ...topOfRanking,
  ...firstAnswers,
  ...cumulated,
  ...gradedAverages,
  ...readersModelled,
  ...blendedRatios,
  ...incompletelyJudged,
  ...retrievedSet,
  ...diverse,
  ...readersKnowledge,
  ...idealLike,
  ...preferred,
];
