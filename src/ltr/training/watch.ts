import type { FeatureMatrix } from '../../core/feature-matrix.js';
import { sortedIds } from '../../core/ids.js';
import { defaultRules, type TieRule } from '../../core/judging/judging-rules.js';
import { tiePlaces } from '../../core/judging/tie-places.js';
import { testLists } from '../../core/ranked-lists.js';
import { evaluator } from '../../measures/evaluate.js';
import type { Measure } from '../../measures/measure.js';
import { type EvaluationRules, inRecordOrder } from '../evaluate-model.js';
import type { Objective } from '../objectives/objective.js';
import { Rankings } from './rankings.js';

/** What becomes of equal scores: what the measure says, otherwise the rules. */
export function tieRuleOf({ params }: Measure, rules: EvaluationRules = {}): TieRule {
  return (params.ties as TieRule | undefined) ?? rules.ties ?? defaultRules.ties;
}

/** The rankings that a learner compares while it trains. Rules that know no one order of equal scores leave them by id. */
export function trainingRankings(objective: Objective, matrix: FeatureMatrix, rules?: EvaluationRules): Rankings {
  const ties = tieRuleOf(objective.measure, rules);
  const places = tiePlaces(matrix, ties === 'rank' || ties === 'expected' ? defaultTies : ties);
  return new Rankings(objective, matrix.labels, matrix.queryOffsets, { places, queries: byId(matrix) });
}

const defaultTies = 'docno';

/** The queries in ascending byte order of their ids, in which evaluations add up. */
function byId({ queries, queryOf }: FeatureMatrix): Uint32Array {
  const places = new Uint32Array(queries.size); // fits: entries
  sortedIds(queries).forEach((id, place) => {
    places[id] = place;
  });
  return Uint32Array.from(queryOf.keys()).sort((a, b) => places[queryOf[a]] - places[queryOf[b]] || a - b); // fits: entries
}

/** Tells what a measure says of scores of these rows: the number that an evaluation of the same scores under the same rules gives, to
 *  the last bit, so that what a model is chosen by is what is reported of it. */
export function watchOf(objective: Objective, matrix: FeatureMatrix, rules: EvaluationRules = {}): (scores: Float64Array) => number {
  const { watched } = objective;
  if (watched !== undefined) return (scores) => watched.value(scores, matrix);
  const { depth, judgedOnly, scorePrecision } = { ...defaultRules, ...rules };
  const ties = tieRuleOf(objective.measure, rules);
  const isPlain = depth === Infinity && !judgedOnly && scorePrecision === 'double';
  if (isPlain && (ties === 'docno' || ties === 'docno-ascending' || ties === 'file')) {
    const rankings = trainingRankings(objective, matrix, rules);
    return (scores) => rankings.mean(scores);
  }
  const lists = testLists(matrix);
  const whole = evaluator(lists.qrels, [objective.measure], rules);
  return (scores) => whole.evaluate(lists.ranked(inRecordOrder(matrix, scores), ''), '').aggregate(0);
}
