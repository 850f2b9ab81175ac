/** Whether judgements, leaderboards and test collections can be trusted: agreement of judges, scores corrected by a sample of human judgements,
 *  confidence sets of ranks, the size of collections, what to judge next, and whether an experiment was reproduced. */

export {
  type ChanceCorrected,
  type ChanceCorrectedOptions,
  type ChanceModel,
  chanceCorrected,
  fleissTest,
} from './agreement/chance-corrected.js';
export {
  type ConclusionOptions,
  type Conclusions,
  conclusionsUnder,
  type ReversedPair,
  type TwoScorings,
} from './agreement/conclusions.js';
export {
  type AgreementByTopic,
  agreementByTopic,
  type BinaryAgreement,
  binaryAgreement,
  type GradeByGrade,
  type JudgeBias,
  judgeBias,
  type TopicAgreement,
} from './agreement/judge-bias.js';
export { confusionMatrix, type Kappa, weightedKappa } from './agreement/kappa.js';
export { krippendorffAlpha, MEASUREMENT_LEVELS, type MeasurementLevel, weightedAlpha } from './agreement/krippendorff.js';
export { type OrderIntervalOptions, tauInterval } from './agreement/order-interval.js';
export {
  type Coefficient,
  independentErrors,
  type JudgeAgreementOptions,
  type PairAgreement,
  pairAgreement,
} from './agreement/pair-agreement.js';
export {
  asBinary,
  type CodedRatings,
  codedRatings,
  type GradeScale,
  majorityGrades,
  type NamedJudgements,
  OUTSIDE_POLICIES,
  type OutsidePolicy,
  onScale,
  type Ratings,
  ratingsOf,
  ratingsOfJudges,
  ratingsTable,
} from './agreement/ratings.js';
export { type ResampledValue, resampleTopics, type TopicResamplingOptions } from './agreement/topic-resampling.js';
export { agreementWeights, type GradeDistance, WEIGHT_SCHEMES, type WeightScheme } from './agreement/weights.js';
export { correctedVariance, type LabelPlan, type LabelsNeeded, labelsNeeded } from './correction/labels-needed.js';
export {
  CORRECTION_QUANTILES,
  type CorrectedIntervalMethod,
  type CorrectedMean,
  type CorrectionQuantile,
  FEW_ITEMS,
  type PredictionPoweredOptions,
  predictionPoweredMean,
  tunedLambda,
} from './correction/prediction-powered.js';
export { type BradleyTerry, bradleyTerry, ELO_SCALE, estimatedStrengths } from './leaderboard/bradley-terry.js';
export {
  decidingTopics,
  fewestTopicsToReverse,
  jackknifeRanks,
  type OrderReversal,
  type WithoutTopic,
} from './leaderboard/deciding-topics.js';
export { type EloOptions, eloInSequence, eloOverOrders } from './leaderboard/elo.js';
export { jointIntervalRankSets } from './leaderboard/joint-intervals.js';
export {
  type PreferenceResamplingOptions,
  type ResampledStrengths,
  resampleStrengths,
} from './leaderboard/preference-resampling.js';
export { type Preference, strongGroups, type WinTable, winTable } from './leaderboard/preferences.js';
export { type RankResamplingOptions, type ResampledRanks, resampleRanks } from './leaderboard/rank-resampling.js';
export {
  type EstimatedMeans,
  estimatedMeans,
  type RankSet,
  type RankSetOptions,
  type RankSetStep,
  type RankSets,
  rankSets,
} from './leaderboard/rank-sets.js';
export { meansOf, ranksOfMeans, type ScoreMatrix, scoreMatrix } from './leaderboard/ranks.js';
export {
  type BayesianOptions,
  bayesianSignedRankTest,
  bayesianSignTest,
  bayesianTTest,
  sidesOf,
  type ThreeWays,
} from './planning/bayesian.js';
export {
  type DecisionOptions,
  type DecisionStudy,
  decisionStudy,
  meaningOfAbsolute,
  meaningOfRelative,
  type Reliability,
  type RoughMeaning,
  someSystems,
  strongerSystems,
  type VarianceComponents,
  varianceComponents,
} from './planning/generalisability.js';
export {
  anovaPower,
  differenceVariance,
  expectedWidth,
  type PilotVariance,
  pooledVariance,
  scoreVariance,
  type TopicSetSize,
  topicsForAnova,
  topicsForInterval,
  topicsForTTest,
} from './planning/topic-set-size.js';
export { linearDifferenceBounds, type MeasureBounds, measureBounds, outerGainBounds } from './pooling/bounds.js';
export {
  type CompletedDifference,
  type CompletedMeasure,
  type CompletedRange,
  enumerateCompletions,
  type IncompleteTopic,
  largestWeight,
  linearDifference,
  linearWeights,
  type OpenDifference,
  sumPrecisionDifference,
} from './pooling/completions.js';
export {
  documentInfluence,
  expectedAveragePrecision,
  type PooledTopic,
  RelevanceModel,
  type TopicJudgements,
} from './pooling/expected-relevance.js';
export {
  JUDGING_ORDERS,
  type JudgingOrder,
  type JudgingOrderName,
  type JudgingOrderOptions,
  judgingOrder,
  replayOrder,
} from './pooling/judging-order.js';
export { type DocumentLists, documentLists, type GradesByTopic, type ListRules } from './pooling/lists.js';
export {
  type Contributor,
  type GroupLeftOut,
  judgedShare,
  leaveGroupsOut,
  type Pool,
  type PoolCounts,
  poolCounts,
  poolOf,
} from './pooling/pools.js';
export {
  deltaRelativeImprovement,
  effectRatio,
  type ImprovementScores,
  pairedReproductionTest,
  type ReproductionTest,
  type ScoreDistance,
  scoreDistance,
  unpairedReproductionTest,
} from './reproduction/effects.js';
export { kendallTauUnion, overlapToDepth, tauOverUnion } from './reproduction/orders.js';
export {
  changedParts,
  metadataParts,
  metadataProblems,
  type RunMetadata,
  readRunMetadata,
  writeRunMetadata,
} from './reproduction/run-metadata.js';
export type { MetadataValue } from './reproduction/yaml-subset.js';
