import type { QrelsLike } from '../core/qrels.js';
import type { RunLike } from '../core/run.js';
import type { ScoreTable } from '../core/score-table.js';
import { evaluator } from '../measures/evaluate.js';
import { type Convention, judgingRulesOf } from './convention.js';
import { refuseJudgements } from './measures-of-tools.js';
import { parameterDefaults, readMeasures } from './read-measures.js';

/** The values that a tool gives to a run, for measures in its spelling or ours.
 *  @throws An `InputError` where the tool has no such measure, refuses these judgements, or has a rule that is not known here. */
export function evaluateUnder(convention: Convention, qrels: QrelsLike, run: RunLike, measures: readonly string[]): ScoreTable {
  const read = readMeasures(measures, parameterDefaults(convention, undefined));
  refuseJudgements(convention, read, qrels);
  return evaluator(qrels, read, { ...judgingRulesOf(convention.rules), ...convention.planOptions }).evaluate(run);
}
