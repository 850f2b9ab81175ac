export {
  checkData,
  fingerprintOf,
  fitNormalisation,
  type NormalisationName,
  normalisationNames,
  normaliseMatrix,
  notesOnData,
  withColumnsOf,
  withMissingCells,
} from './dataset.js';
export { type EvaluationRules, evaluateModel, evaluateScores, inRecordOrder } from './evaluate-model.js';
export { type Fold, foldsOf, selectQueries, splitQueries } from './folds.js';
export { modelFromJson, modelToJson } from './models/json.js';
export { type Objective, objectiveNames, objectiveOf, type PreparedObjective } from './objectives/index.js';
export { checkOptions, type GivenOptions } from './options.js';
export type {
  Iteration,
  Learner,
  LinearScorer,
  Model,
  NetLayer,
  NetScorer,
  Normalisation,
  OptionSpec,
  OptionValue,
  Scorer,
  Team,
  TrainingRecord,
  TrainingRequest,
  TreeScorer,
} from './ranker.js';
export { findLearner, type LearnerEntry, learnerEntries, learnerNames, loadAllLearners, loadLearner } from './registry.js';
export { scoreMatrix } from './scoring/score.js';
export { type TrainRankerOptions, trainRanker } from './train.js';
