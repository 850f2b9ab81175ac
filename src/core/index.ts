/** What all parts share: rankings, judgements, feature matrices and tables of scores in typed arrays, the order of ties, problems with
 *  input, limits, seeded random numbers, and numbers printed as other languages print them. */

export { type AggregateName, aggregateNames, aggregateValues } from './aggregate.js';
export { closest } from './closest.js';
export { refuseUnrelated, type SourceNames } from './common-topics.js';
export { type EvaluationLimit, evaluationLimits } from './evaluation-limits.js';
export {
  type BinnedFeatures,
  type ColumnFacts,
  commentField,
  commentText,
  type DenseFeatures,
  type FeatureColumns,
  type FeatureMatrix,
  type Features,
  featureValue,
  numQueries,
  queryText,
  type RowTexts,
  type SparseFeatures,
  toDense,
} from './feature-matrix.js';
export { type Ids, IdTable, idText } from './ids.js';
export { jsonText } from './json-text.js';
export { type JudgedRun, judge, type TopicView } from './judging/judge.js';
export { preferences } from './judging/judge-preferences.js';
export { defaultRules, type JudgingRules, type TieRule, tieRules } from './judging/judging-rules.js';
export { type LimitName, limits } from './limits.js';
export { formatFixed, formatG, formatJava, formatPerl, formatShortest, type NanSpelling } from './numbers/print.js';
export { type Random, seededRandom } from './numbers/random.js';
export type { TieOrder } from './order.js';
export { expectationOf, type GainTable, type ParamSpec, type ParamValue, paramProblem, readParam } from './params.js';
export { escapeUnprintable, InputError, type Problem, printable, problemText } from './problem.js';
export { type GroupColumn, type Qrels, type QrelsLike, type QrelsRecord, toQrels } from './qrels.js';
export { type JudgedLists, judgedLists, type TestLists, testLists, withRanks } from './ranked-lists.js';
export { type Run, type RunLike, type RunRecord, toRun } from './run.js';
export { joinSystems, type ScoreColumn, ScoreTable, type ScoreTableJson } from './score-table.js';
