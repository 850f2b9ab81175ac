/** The application layer: from files and settings to scores and what follows from them. It runs wherever there is a `Platform`; that of
 *  Node is in `gradus/node`. */
export { auditSources, reportedAudit } from './audit.js';
export {
  type AgainstBest,
  type Board,
  type BoardSystem,
  boardOf,
  boardOfOne,
} from './board/board.js';
export { maximalGroups } from './board/groups.js';
export { type WithoutTopics, withoutBestTopics } from './board/without-topics.js';
export { type ByTopicRequest, decidingTopics } from './by-topic.js';
export {
  type BiasMethod,
  type ClickTraining,
  type CounterfactualRequest,
  clickTraining,
  type JudgedByClicks,
  judgeByClicks,
  type PositionBiasTable,
  positionBiasOf,
} from './clicks/clicks.js';
export { type ComparableScores, comparableFiles, comparableRuns, compareScores, readTopicScores } from './comparison.js';
export { type ConversionRequest, type Converted, readToConvert } from './convert.js';
export { type Correlation, type CorrelationRequest, correlateSources, type MeasureAgreement } from './correlate.js';
export { type EngineTrainedRanker, type EngineTrainRequest, trainOnEngine } from './distributed/train-on-engine.js';
export type {
  Engine,
  EngineRequest,
  EngineRun,
  EngineSettings,
  EngineTraining,
  EngineTrainingRequest,
  ScoreOrigin,
  TrainerParameters,
  TrainingEngine,
  TrainingEngineSettings,
} from './engine.js';
export { type ExperimentRequest, ExperimentResult, experiment, scoreExperiment } from './experiment.js';
export { type DifferingTopic, type Explained, type ExplainRequest, explainRun, planOfAll, topicsThatMatter } from './explain.js';
export { type FileDigest, type Fingerprint, fingerprintOf, type NamedSource, type ResultInputs } from './fingerprint.js';
export { type FusionTuning, fuseAndScore, type RunsToFuse, readRunsToFuse, type ScoredFusion, type TunedRuns, tuneRuns } from './fuse.js';
export { type Gated, type GateRequest, gateExperiment, gateMeasures, isStored, type UnjudgedLimit } from './gate.js';
export {
  type InterleavedTopic,
  type InterleavingRequest,
  type InterleavingResult,
  interleaveRuns,
  interleavingResultOf,
} from './interleave.js';
export { type Agreed, type AgreeRequest, agreeOf, type JudgedPair, mergedJudgements } from './judging/agree.js';
export {
  type CompletedMeasureScores,
  type CompletedPair,
  type CompletedRun,
  type CompletedScore,
  type CompletedScores,
  type CompletionRequest,
  completedScoresOf,
} from './judging/completions/completed-scores.js';
export { type RelevanceChances, readChances } from './judging/completions/relevance-chances.js';
export {
  type Corrected,
  type CorrectedDifference,
  type CorrectedMeasure,
  type CorrectedSystem,
  type CorrectRequest,
  correctScores,
} from './judging/correct.js';
export { type LabelPlans, planLabels, type SystemLabels } from './judging/label-plan.js';
export {
  type Leaderboard,
  type LeaderboardRequest,
  leaderboardsOf,
  type PreferenceBoard,
  preferenceBoardOf,
  type RankedSystem,
  type RankSetMethod,
  readPreferences,
} from './judging/leaderboard.js';
export type { ComparisonState, MinimalReplay } from './judging/minimal.js';
export type { OrderUnderCondition } from './judging/order-stability.js';
export {
  type BayesianComparison,
  type BayesianPair,
  type BayesianRequest,
  bayesianComparison,
  planReliability,
  planTopics,
  type ReliabilityPlan,
  type TopicPlan,
  type TopicPlanRequest,
} from './judging/planning.js';
export {
  type DocumentToJudge,
  type GroupReuse,
  type NextDocuments,
  nextDocuments,
  type PoolOrder,
  type PoolReplay,
  type PoolRequest,
  type Reusability,
  readGroups,
  replayComparison,
  replayPool,
  reuseOf,
} from './judging/pooling.js';
export { type Reproduced, type ReproducedOrder, type ReproducedScores, type ReproduceRequest, reproduceOf } from './judging/reproduce.js';
export {
  agreementFinding,
  agreementTables,
  boundsFinding,
  boundsTables,
  confusionTables,
  planFinding,
  planTables,
} from './judging/trust-tables.js';
export { leadingSystems, measureToSortBy, type ShowingSettings } from './leading.js';
export {
  type Lesson,
  type LessonDocument,
  type LessonMeasure,
  type LessonPoint,
  type LessonResult,
  type LessonSettings,
  lessonOf,
} from './lesson.js';
export {
  type JudgementsInput,
  type Material,
  type MaterialRequest,
  openMaterial,
  type ReadingSettings,
  type ReadMaterial,
  type RunInput,
  type RunMaterial,
  readMaterial,
} from './material.js';
export {
  type ExampleCurves,
  type Informedness,
  type InformednessRequest,
  informednessOf,
  powerOf,
  type Stability,
  type StabilityRequest,
  stabilityOf,
} from './meta.js';
export { type MeasuredImportance, measuredImportance } from './models/importance.js';
export { type ModelReportRequest, reportModel } from './models/report-model.js';
export type { ModelReportData } from './models/report-parts.js';
export { canonicalName, directionOf, directionsOf, namesOfRuns, renamed, shownPaths } from './names.js';
export { type Note, noteText, readingNotes } from './notes.js';
export { conventionOf, defaultMeasures, type JudgingSettings, type Plan, type PlanManner, planOf, readMeasuresOfAll } from './plan.js';
export { type ClosableTeam, type Platform, resampled } from './platform.js';
export { MOST_AUDITED, type ReportMaterial, type ReportRequest, reportExperiment, trecReportConvention } from './report.js';
export { reportScores, type ScoresReportRequest } from './report-scores.js';
export { type RiskTable, readBaseline, risksOf, type SystemRisk } from './risk.js';
export {
  type OrdersBy,
  type OrdersRequest,
  ordersBy,
  qualityMeasures,
  type SystemOrder,
  type SystemOrders,
  systemOrders,
} from './rules/system-orders.js';
export { type RuleStep, type ToolRow, type ToolValues, type ToolValuesRequest, toolValues } from './rules/tool-values.js';
export {
  type OtherRules,
  type RunScores,
  type ScoredRun,
  type ScoredRuns,
  type ScoringJob,
  type ScoringManner,
  type ScoringStrategy,
  scoreByEngine,
  scoreRuns,
} from './score.js';
export { clickSettings } from './settings/clicks.js';
export { comparisonSettings, gateSettings, pairTestSettings, reportSettings, testSettings } from './settings/comparison.js';
export { auditSettings, conversionSettings, correlationSettings, explanationSettings } from './settings/files.js';
export { fusionSettings, tuningSettings } from './settings/fusion.js';
export { type GivenWeights, weightsInOrder } from './settings/fusion-weights.js';
export { interleavingSettings } from './settings/interleaving.js';
export { engineSettings, judgingSettings, readerSettings, readingSettings, scoringSettings } from './settings/judging.js';
export { settingLabels } from './settings/labels.js';
export { informativenessSettings, powerSettings, stabilitySettings } from './settings/meta.js';
export {
  type Completion,
  type FileUse,
  type NumberSetting,
  type Setting,
  type SettingsOf,
  settingHelp,
  specOf,
  type TurnsOff,
} from './settings/setting.js';
export { showingSettings, textSettings } from './settings/showing.js';
export { sqlSettings } from './settings/sql.js';
export {
  againstSettings,
  continuedSettings,
  contributionSettings,
  featureSettings,
  foldSettings,
  importanceSettings,
  nestedSearchSettings,
  searchSettings,
  trainingEngineSettings,
  trainingFileSettings,
  trainingSettings,
} from './settings/training.js';
export {
  agreeSettings,
  correctSettings,
  leaderboardSettings,
  planSettings,
  poolSettings,
  reproduceSettings,
  riskSettings,
} from './settings/trust.js';
export { queryTexts, type ShownText, type TextFiles, textsOf, type WantedIds, withTexts } from './texts.js';
export type { ContinuedTraining } from './training/continued-training.js';
export {
  type CrossValidation,
  type CrossValidationRequest,
  crossValidate,
  type FoldResult,
  numFoldsOf,
  pooledFolds,
  type RankerRequest,
  type ScoredDocuments,
  type SearchRequest,
  scoreDocuments,
  type TrainedRanker,
  type TrainRequest,
  type Trial,
  trainFromFiles,
  trialOptions,
} from './training/train.js';
export {
  type JudgedModel,
  setsOfOne,
  type TrainAgainstRequest,
  type TrainedAgainst,
  type TrainingSets,
  trainAgainst,
} from './training/train-against.js';
export {
  defaultObjective,
  type FeatureInput,
  type FeatureSettings,
  type FeatureThreads,
  readFeatureFile,
  readFeatureFiles,
  readFold,
  readTrainingData,
  type TrainingData,
  type TrainingFiles,
  type TrainingPlan,
  type TrainingSettings,
  trainingNotes,
  trainingPlanOf,
} from './training/training-data.js';
export { type Candidate, candidatesOf, type SearchSpaceRequest, USUAL_BUDGET, usualLearners } from './tuning/search-space.js';
export { type ComparedRankers, crossValidateSeveral, type SeveralRequest } from './tuning/several.js';
export { type ChosenRanker, type TunedRanker, type TunedRankers, type TuneRequest, tune } from './tuning/tune.js';
export type { RankedRanker, RankerVerdict } from './tuning/verdict.js';
export { areCheckable, checkRules, verdictChecks } from './verdict/checks.js';
export { groupsNotToldApart, standingsOf } from './verdict/standings.js';
export { FEWEST_TOPICS, systemsByMean, type VerdictChecks, type VerdictRequest, verdictOf } from './verdict/verdict.js';
