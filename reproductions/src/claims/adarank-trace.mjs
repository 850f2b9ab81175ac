// AdaRank by LETOR's rule, round by round, written down anew and slowly: what short queries do to the choice of a feature, to its
// coefficient, and what becomes of their weight (claims A13s, A13c and A13w).

import { applyConvention, findConvention, judgingRulesOf } from '../../../dist/conventions/index.js';
import { featureValue, numQueries } from '../../../dist/core/feature-matrix.js';
import { loadLearner, trainRanker, usedFeatures } from '../../../dist/ltr/index.js';
import { parseMeasure } from '../../../dist/measures/index.js';

const CUTOFF = 10;

/** nDCG@10 by LETOR 4.0: no discount at rank 2, log2(rank) below; 0 for lists shorter than ten and for empty ones. */
function valueByLetor(labels, scores, start, end) {
  if (end - start < CUTOFF) return 0;
  const order = Array.from({ length: end - start }, (_, i) => start + i).sort((a, b) => scores[b] - scores[a] || a - b);
  const gainAt = (rank, label) => (2 ** label - 1) / (rank < 2 ? 1 : Math.log2(rank));
  const sum = (rows) => rows.slice(0, CUTOFF).reduce((total, row, i) => total + gainAt(i + 1, labels[row]), 0);
  const ideal = sum(order.toSorted((a, b) => labels[b] - labels[a]));
  return ideal === 0 ? 0 : sum(order) / ideal;
}

/** The rounds of one fit.
 *  @param reweighting As the option of the learner: *current* or *product*. */
export function traceOf(matrix, reweighting, rounds) {
  const { labels, queryOffsets, numRows } = matrix;
  const count = numQueries(matrix);
  const columns = Array.from({ length: matrix.features.numFeatures }, (_, f) =>
    Float64Array.from({ length: numRows }, (_, row) => featureValue(matrix.features, row, f)),
  );
  const valuesOf = (scores) => Array.from({ length: count }, (_, q) => valueByLetor(labels, scores, queryOffsets[q], queryOffsets[q + 1]));
  const byFeature = columns.map(valuesOf);
  const isShort = Array.from({ length: count }, (_, q) => queryOffsets[q + 1] - queryOffsets[q] < CUTOFF);
  let weights = new Array(count).fill(1 / count);
  const scores = new Float64Array(numRows);
  const shares = [];
  const changes = [];
  let otherChoices = 0;
  let first;
  for (let round = 0; round < rounds; round++) {
    shares.push(weights.reduce((sum, weight, q) => sum + (isShort[q] ? weight : 0), 0));
    const sumOf = (values, counts) => values.reduce((sum, value, q) => sum + (counts(q) ? weights[q] * value : 0), 0);
    const bestBy = (counts) => {
      const sums = byFeature.map((values) => sumOf(values, counts));
      return sums.indexOf(Math.max(...sums));
    };
    const feature = bestBy(() => true);
    if (feature !== bestBy((q) => !isShort[q])) otherChoices++;
    first ??= feature;
    const alphaOf = (counts) => {
      const total = weights.reduce((sum, weight, q) => sum + (counts(q) ? weight : 0), 0);
      const worth = sumOf(byFeature[feature], counts);
      return 0.5 * Math.log((total + worth) / (total - worth));
    };
    const alpha = alphaOf(() => true);
    changes.push(Math.abs(alpha - alphaOf((q) => byFeature[feature][q] !== 0)) / alpha);
    for (let row = 0; row < numRows; row++) scores[row] += alpha * columns[feature][row];
    const now = valuesOf(scores);
    const raw = now.map((value, q) => (reweighting === 'product' ? weights[q] * Math.exp(-alpha * value) : Math.exp(-value)));
    const total = raw.reduce((sum, weight) => sum + weight, 0);
    weights = raw.map((weight) => weight / total);
  }
  shares.push(weights.reduce((sum, weight, q) => sum + (isShort[q] ? weight : 0), 0));
  return { first, otherChoices, shares, changes };
}

/** The feature that the product's AdaRank takes first. */
export async function firstChoice(matrix) {
  const { rules } = findConvention('letor4');
  const model = await trainRanker({
    learner: await loadLearner('adarank'),
    train: matrix,
    objective: applyConvention(parseMeasure("nDCG(gain='exp')@10"), rules),
    rules: judgingRulesOf(rules),
    options: { rounds: 1, reweighting: 'product', settled: 'all' },
    seed: 1,
  });
  return usedFeatures(model).indexOf(1);
}
