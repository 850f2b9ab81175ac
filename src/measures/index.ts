/** Measures alone: parsing their names, the list of all of them, and plans that compute several in one pass. */

export type { GainTable, ParamSpec, ParamValue } from '../core/params.js';
export {
  canBeStreamed,
  type EvaluateOptions,
  type Evaluator,
  evaluate,
  evaluator,
  followsCommonRules,
  type MeasureLike,
  needsGroups,
  needsRanks,
} from './evaluate.js';
export { type GradedPoint, gradedCurve, type Thresholds, thresholdsOf } from './families/graded.js';
export {
  type Aggregate,
  type Citation,
  type Measure,
  type MeasureDef,
  makeMeasure,
  type Params,
  paramsOf,
  paramText,
  universalParams,
} from './measure.js';
export { parseMeasure, parseMeasureList, parseMeasures, splitOutside } from './parse.js';
export type { Passes } from './passes.js';
export { EvaluationPlan, type PlanOptions } from './plan.js';
export { docOf, type MeasureDoc, type MeasureExample, measureDocs, parameterHelp } from './reference/index.js';
export { toolsOfName } from './reference/spelling-tools.js';
export { allMeasures, type MeasureFamily, measureFamilies } from './registry.js';
export { measureAtCutoff, namesAtCutoff, trecEvalLists, trecEvalMeasure, trecEvalNames, xgboostNames } from './spellings.js';
export { computed, formulaText, lastStep, type WorkedExpression } from './worked/expression.js';
export { type WorkedList, workedFormula, workedMeasures } from './worked/formulas.js';
