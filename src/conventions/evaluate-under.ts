import { aboutWhat } from '../core/problem.js';
import { type QrelsLike, toQrels } from '../core/qrels.js';
import { type RunLike, toRun } from '../core/run.js';
import type { ScoreTable } from '../core/score-table.js';
import { evaluator } from '../measures/evaluate.js';
import { type Convention, judgingRulesOf } from './convention.js';
import { refuseJudgements } from './measures-of-tools.js';
import { parameterDefaults, readMeasures } from './read-measures.js';
import { withUnratedTopics } from './unrated-topics.js';

/** The values that a tool gives to a run, for measures in its spelling or ours.
 *  @throws An `InputError` where the tool has no such measure, refuses these judgements, or has a rule that is not known here. */
export function evaluateUnder(convention: Convention, qrels: QrelsLike, run: RunLike, measures: readonly string[]): ScoreTable {
  const read = readMeasures(measures, parameterDefaults(convention, undefined));
  refuseJudgements(convention, read, qrels);
  const options = { ...judgingRulesOf(convention.rules), ...convention.planOptions };
  return aboutWhat(
    () => `under ${convention.name}`,
    () => {
      if (convention.rules.unratedTopics === 'skip') return evaluator(qrels, read, options).evaluate(run);
      const numbered = toRun(run);
      return evaluator(withUnratedTopics(toQrels(qrels), numbered), read, options).evaluate(numbered);
    },
  );
}
