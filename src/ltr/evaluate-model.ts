import type { FeatureMatrix } from '../core/feature-matrix.js';
import type { JudgingRules } from '../core/judging/judging-rules.js';
import { judgedLists } from '../core/ranked-lists.js';
import type { ScoreTable } from '../core/score-table.js';
import { evaluator } from '../measures/evaluate.js';
import type { Measure } from '../measures/measure.js';
import type { PlanOptions } from '../measures/plan.js';
import type { Model } from './ranker.js';
import { scoreMatrix } from './scoring/score.js';

/** How rankings are judged: the rules of a convention. */
export type EvaluationRules = Partial<JudgingRules> & PlanOptions;

/** How good a model is on labelled data, query by query: what `evaluate` says of the scores that the model gives. */
export function evaluateModel(model: Model, matrix: FeatureMatrix, measures: readonly Measure[], rules: EvaluationRules = {}): ScoreTable {
  return evaluateScores(scoreMatrix(model, matrix), matrix, measures, rules, model.learner);
}

/** The same for scores of any origin, one for each row. */
export function evaluateScores(
  scores: Float64Array,
  matrix: FeatureMatrix,
  measures: readonly Measure[],
  rules: EvaluationRules = {},
  name = 'scores',
): ScoreTable {
  const { run, qrels } = judgedLists(matrix, inRecordOrder(matrix, scores), name);
  return evaluator(qrels, measures, rules).evaluate(run, name);
}

/** Scores of rows in the order of the input's data lines, as prediction files have them; lines that were left out have 0. */
export function inRecordOrder(matrix: FeatureMatrix, scores: Float64Array): Float64Array {
  const { records, numRecords, numRows } = matrix;
  const ordered = new Float64Array(numRecords);
  for (let row = 0; row < numRows; row++) ordered[records === undefined ? row : records[row]] = scores[row];
  return ordered;
}
