/** Everything for evaluating rankings: judging runs, computing measures, and tables of scores. It runs in browsers as well as in
 *  Node. */

export { refuseUnrelated, type SourceNames } from './core/common-topics.js';
export { type JudgedRun, type JudgingRules, judge, type TopicView } from './core/judging/judge.js';
export { preferences } from './core/judging/judge-preferences.js';
export { type Random, seededRandom } from './core/numbers/random.js';
export type { ParamSpec, ParamValue } from './core/params.js';
export { InputError, type Problem, problemText } from './core/problem.js';
export { type Qrels, type QrelsLike, type QrelsRecord, toQrels } from './core/qrels.js';
export { type Run, type RunLike, type RunRecord, toRun } from './core/run.js';
export { joinSystems, type ScoreColumn, ScoreTable, type ScoreTableJson } from './core/score-table.js';
export {
  type EvaluateOptions,
  type Evaluator,
  evaluate,
  evaluator,
  type MeasureLike,
} from './measures/evaluate.js';
export { type Citation, type Measure, type MeasureDef, makeMeasure, type Params } from './measures/measure.js';
export { parseMeasure, parseMeasureList, parseMeasures } from './measures/parse.js';
export { allMeasures, type MeasureFamily, measureFamilies } from './measures/registry.js';
