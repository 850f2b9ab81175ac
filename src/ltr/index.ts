/** Learning to rank: features, learners, models in the formats of other tools, and their evaluation. */

export { type EstimatedPropensities, estimatePropensities, harvestPropensities, type Impression } from './clicks/position-bias.js';
export { type ClickModel, cascadeModel, dynamicBayesianModel, positionBasedModel, type UserHabits, userHabits } from './clicks/simulate.js';
export {
  type PositionBias,
  positionBiasedLambdaRank,
  propensityWeightedLambdaRank,
  type UnbiasedOptions,
  unbiasedLambdaMart,
} from './clicks/unbiased.js';
export {
  checkData,
  featuresOf,
  fitNormalisation,
  type NormalisationName,
  normalisationNames,
  normaliseMatrix,
  notesOnData,
  withColumnsOf,
  withMissingCells,
} from './dataset.js';
export { type EvaluationRules, evaluateModel, evaluateScores, inRecordOrder } from './evaluate-model.js';
export {
  approximateContributions,
  type ContributionMethod,
  type ContributionOptions,
  type ScoreContributions,
  scoreContributions,
  scoreInteractions,
} from './explanations/contributions.js';
export {
  type ContributionImportance,
  contributionImportance,
  type DocumentExplanation,
  explainPair,
  explainQuery,
  type FeatureContribution,
  type PairContribution,
  type PairExplanation,
  type PairOptions,
  type QueryExplanation,
} from './explanations/explain-query.js';
export { type DependenceOptions, type PartialDependence, partialDependence } from './explanations/partial-dependence.js';
export { fingerprintOf } from './fingerprint.js';
export { type Fold, foldsOf, selectQueries, splitQueries } from './folds.js';
export { type FeaturePart, joinFeatures } from './join-features.js';
export { findLossName, type LossName, type LossOptions, lossNames, rankingLoss } from './losses/index.js';
export { type ListMleOptions, listMleLoss, softmaxLoss, type XeNdcgOptions, xeNdcgLoss } from './losses/list-losses.js';
export {
  type LambdaLossWeights,
  lambdaLoss,
  lambdaLossPairs,
  lambdaRankGradients,
  rankNetLoss,
  type WeightedPair,
} from './losses/pair-losses.js';
export type { QueryDocuments, QueryGradients, QueryObjective } from './losses/query-objective.js';
export {
  type SmoothedNdcg,
  type StochasticRankOptions,
  smoothedNdcg,
  stochasticRankLoss,
  type YetiRankOptions,
  yetiRankLoss,
  yetiRankLossOf,
  yetiRankPairs,
} from './losses/random-losses.js';
export { approxNdcgLoss, type NeuralNdcgOptions, neuralNdcgLoss, type SoftPermutation, softPermutation } from './losses/smooth-losses.js';
export { type ModelContents, type ModelFormat, modelFormatOf, modelFormats, writableModels } from './models/formats.js';
export {
  type FeatureImportance,
  ownImportance,
  type PermutationOptions,
  type ShuffleRange,
  shuffledImportance,
} from './models/importance.js';
export { modelFromJson, modelToJson } from './models/json.js';
export type { ModelReading, ModelWriting, ReadableModel, WritableModel, WrittenModel } from './models/model-file.js';
export { modelToOnnx, type OnnxOptions } from './models/onnx.js';
export { modelFromRankLib } from './models/ranklib.js';
export { modelToRankLib } from './models/ranklib-writer.js';
export { readModel, readModelFile, recogniseModel } from './models/read-model.js';
export { type ModelSummary, oneFeatureNote, summariseModel, usedFeatures } from './models/summary.js';
export { writeModel } from './models/write-model.js';
export { type Objective, objectiveNames, objectiveOf, type PreparedObjective, type RankingMetric } from './objectives/index.js';
export { type RiskRule, riskObjective } from './objectives/risk.js';
export { checkOptions, type GivenOptions } from './options.js';
export type {
  CategorySplits,
  FeatureNormalisation,
  Iteration,
  Learner,
  LearnerOption,
  LinearScorer,
  Model,
  NetActivation,
  NetLayer,
  NetScorer,
  OptionValue,
  Scorer,
  Team,
  TrainingRecord,
  TrainingRequest,
  TrainingSet,
  TreeScorer,
} from './ranker.js';
export { findLearner, type LearnerEntry, learnerEntries, learnerNames, loadAllLearners, loadLearner } from './registry.js';
export { absentFeatures } from './scoring/absent-features.js';
export { leftOutValue } from './scoring/rows.js';
export { scoreMatrix } from './scoring/score.js';
export { type Candidates, drawnFrom, gridOf, parseCandidates } from './search.js';
export { type TrainRankerOptions, trainRanker } from './train.js';
export type { TrainingCurve, TrainingCurves, WatchedSet } from './training/curves.js';
