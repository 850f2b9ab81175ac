import { type FeatureMatrix, numQueries, queryText } from '../../core/feature-matrix.js';
import { testLists } from '../../core/ranked-lists.js';
import { evaluateScores, inRecordOrder } from '../../ltr/evaluate-model.js';
import {
  dataOfQuery,
  documentName,
  explainPair,
  explainQuery,
  type PairExplanation,
  type QueryExplanation,
} from '../../ltr/explanations/explain-query.js';
import type { Model } from '../../ltr/ranker.js';
import { scoreMatrix } from '../../ltr/scoring/score.js';
import { evaluator } from '../../measures/evaluate.js';
import type { Measure } from '../../measures/measure.js';

/** How deep a ranking is searched for the exchange that would gain most. */
const SEARCHED_UPPER = 10;
const SEARCHED_LOWER = 50;

/** A query as an example of what a model does. */
export interface ModelExample {
  readonly ranking: QueryExplanation;
  /** What the measure is for it. */
  readonly value: number;
  /** The pair of documents that cost most where they are, or the first two where none does; undefined for a single document. */
  readonly pair: PairExplanation | undefined;
}

/** Explains one query: the one that is asked for, or the one whose value is the median of those that a ranking can change. */
export function exampleOf(
  model: Model,
  matrix: FeatureMatrix,
  measure: Measure,
  asked: string | undefined,
  seed: number,
): ModelExample | undefined {
  const query = asked ?? medianQuery(model, matrix, measure);
  if (query === undefined) return undefined;
  const ranking = explainQuery(model, matrix, query, { seed });
  const own = dataOfQuery(matrix, query);
  const scores = scoreMatrix(model, own);
  const value = evaluateScores(scores, own, [measure]).aggregate(0);
  const names = pairOf(own, scores, measure);
  const pair = names === undefined ? undefined : explainPair(model, matrix, query, names[0], names[1], { measure, seed });
  return { ranking, value, pair };
}

/** Of the queries whose documents have different labels, the one in the middle by the measure. */
function medianQuery(model: Model, matrix: FeatureMatrix, measure: Measure): string | undefined {
  const table = evaluateScores(scoreMatrix(model, matrix), matrix, [measure]);
  const { queryOffsets, labels } = matrix;
  const found: { readonly query: string; readonly value: number }[] = [];
  for (let q = 0; q < numQueries(matrix); q++) {
    const [start, end] = [queryOffsets[q], queryOffsets[q + 1]];
    const query = queryText(matrix, q);
    const value = table.value(query, 0);
    if (!Number.isNaN(value) && labels.subarray(start, end).some((label) => label !== labels[start])) found.push({ query, value });
  }
  found.sort((a, b) => a.value - b.value);
  return found[Math.floor(found.length / 2)]?.query;
}

/** The two documents whose exchange would gain most, the upper one first; the first two of the ranking if no exchange gains anything. */
function pairOf(matrix: FeatureMatrix, scores: Float64Array, measure: Measure): [upper: string, lower: string] | undefined {
  const order = Array.from(scores.keys()).sort((a, b) => scores[b] - scores[a] || a - b);
  if (order.length < 2) return undefined;
  const lists = testLists(matrix);
  const judge = evaluator(lists.qrels, [measure]);
  const measured = (given: Float64Array): number =>
    judge.evaluate(lists.ranked(inRecordOrder(matrix, given), 'scores'), 'scores').aggregate(0);
  const sign = measure.def.direction === 'lower' ? -1 : 1;
  const before = measured(scores);
  let best = { gain: 1e-12, upper: order[0], lower: order[1] };
  const exchanged = Float64Array.from(scores);
  for (const upper of order.slice(0, SEARCHED_UPPER)) {
    for (const lower of order.slice(0, SEARCHED_LOWER)) {
      if (matrix.labels[lower] <= matrix.labels[upper] || scores[lower] >= scores[upper]) continue;
      [exchanged[upper], exchanged[lower]] = [scores[lower], scores[upper]];
      const gain = sign * (measured(exchanged) - before);
      if (gain > best.gain) best = { gain, upper, lower };
      [exchanged[upper], exchanged[lower]] = [scores[upper], scores[lower]];
    }
  }
  const names: [string, string] = [documentName(matrix, best.upper), documentName(matrix, best.lower)];
  // documents that share an id cannot be asked for apart
  return names[0] === names[1] ? undefined : names;
}
