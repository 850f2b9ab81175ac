// What is measured on the rankings of a model: the values of each query, and exact statements about all of them.
import { applyConvention, findConvention, judgingRulesOf } from '../../dist/conventions/index.js';
import { numQueries, queryText } from '../../dist/core/feature-matrix.js';
import { evaluateScores } from '../../dist/ltr/index.js';
import { parseMeasure } from '../../dist/measures/index.js';

export const cutoffs = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
/** The tools of study 001. */
export const tools = { letor3: 'letor3', letor4: 'letor4', mslr: 'mslr', yahoo: 'yahoo', ranklib: 'ranklib', trec_eval: 'trec_eval' };

/** nDCG by the rules of a tool, some of them changed. */
export function byTool(scores, matrix, name, { at = cutoffs, changed = {}, judging = {}, gain } = {}) {
  const { rules: own } = findConvention(name);
  const rules = { ...own, ...changed };
  const text = (k) => (gain === undefined ? `nDCG@${k}` : `nDCG(gain='${gain}')@${k}`);
  const measures = at.map((k) => applyConvention(parseMeasure(text(k)), rules));
  return evaluateScores(scores, matrix, measures, { ...judgingRulesOf(rules), ...judging });
}

/** Pairs of query and value of one column of a table. */
const listed = (table, column) => table.topics.map((topic, t) => [topic, table.column(column)[t]]);

/** Values of each query that an arm keeps, by the name of the column. */
export function measuredBy(keeps, scores, matrix) {
  if (keeps === 'objectives') return byObjectives(scores, matrix);
  const values = {};
  const take = (prefix, table, at) => {
    for (const [c, k] of at.entries()) values[`${prefix}@${k}`] = listed(table, c);
  };
  if (keeps === 'one') {
    take('ranklib', byTool(scores, matrix, 'ranklib', { at: [10] }), [10]);
    return values;
  }
  take('ranklib', byTool(scores, matrix, 'ranklib'), cutoffs);
  take('letor4', byTool(scores, matrix, 'letor4'), cutoffs);
  if (keeps === 'curves') return values;
  const { discount } = findConvention('ranklib').rules;
  take('letor4 without its discount', byTool(scores, matrix, 'letor4', { at: [8, 9, 10], changed: { discount } }), [8, 9, 10]);
  for (const ties of ['optimistic', 'pessimistic', 'docno', 'expected']) {
    take(ties, byTool(scores, matrix, 'ranklib', { at: [10], judging: { ties } }), [10]);
  }
  const narrow = Float64Array.from(Float32Array.from(scores));
  for (const ties of ['optimistic', 'pessimistic', 'docno', 'file']) {
    take(`float32 ${ties}`, byTool(narrow, matrix, 'ranklib', { at: [10], judging: { ties } }), [10]);
  }
  return values;
}

/** The measures that study 004 tests by; the first three get verdicts. */
export const testedBy = {
  'nDCG@10': "nDCG(gain='exp')@10",
  AP: 'AP',
  'P@10': 'P@10',
  'nDCG@10 linear': 'nDCG@10',
  nDCG: "nDCG(gain='exp')",
};

function byObjectives(scores, matrix) {
  const table = evaluateScores(
    scores,
    matrix,
    Object.values(testedBy).map((text) => parseMeasure(text)),
    { ties: 'file' },
  );
  return Object.fromEntries(Object.keys(testedBy).map((name, c) => [name, listed(table, c)]));
}

/** What each query of a matrix is like, by its id. */
export function factsOf(matrix) {
  const { labels, queryOffsets } = matrix;
  return Array.from({ length: numQueries(matrix) }, (_, q) => {
    const own = labels.slice(queryOffsets[q], queryOffsets[q + 1]);
    return { id: queryText(matrix, q), length: own.length, relevant: own.reduce((sum, label) => sum + (label > 0 ? 1 : 0), 0) };
  });
}

/** Exact statements about one ranking of all queries of a test part (claims A1, A5 and A6). */
export function censusOf(scores, matrix) {
  const facts = factsOf(matrix);
  const tables = Object.fromEntries(Object.entries(tools).map(([name, convention]) => [name, byTool(scores, matrix, convention)]));
  const tied = new Set(facts.filter((_, q) => hasTies(scores, matrix, q)).map(({ id }) => id));
  const isPlain = new Map(facts.map(({ id, length, relevant }) => [id, relevant > 0 && length >= 10 && !tied.has(id)]));
  const mean = (list) => list.reduce((sum, [, value]) => sum + value, 0) / list.length;
  const spread = (list) => Math.max(...list) - Math.min(...list);
  const means = cutoffs.map((_, c) => Object.values(tables).map((table) => mean(listed(table, c))));
  const plainMeans = cutoffs.map((_, c) => Object.values(tables).map((table) => mean(listed(table, c).filter(([id]) => isPlain.get(id)))));
  // the same gains for all: 0, 1 and 3
  const alike = Object.values(tools).map((convention) =>
    byTool(scores, matrix, convention, convention === 'trec_eval' ? { gain: 'exp', changed: { gain: 'exp' } } : {}),
  );
  const largest = cutoffs.map((_, c) => {
    const columns = alike.map((table) => new Map(listed(table, c)));
    return facts.filter(({ id }) => isPlain.get(id)).reduce((most, { id }) => Math.max(most, spread(columns.map((of) => of.get(id)))), 0);
  });
  const share = facts.filter(({ relevant }) => relevant === 0).length / facts.length;
  return {
    meanDifference: Math.max(...means.map(spread)),
    meanDifferenceOfPlain: Math.max(...plainMeans.map(spread)),
    largestOfPlain: largest,
    yahooDeviation: Math.max(...cutoffs.map((_, c) => Math.abs(mean(listed(tables.yahoo, c)) - mean(listed(tables.ranklib, c)) - share))),
  };
}

function hasTies(scores, { queryOffsets }, q) {
  const own = scores.slice(queryOffsets[q], queryOffsets[q + 1]);
  return new Set(own).size < own.length;
}
