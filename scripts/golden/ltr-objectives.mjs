/** Compares recorded losses, gradients and measures of risk with what Gradus gives. Parameters are read from the names of the fields, such as
 *  `approx_ndcg_T0.1`, so that other folders may have others. */
import { seededRandom } from '../../dist/core/index.js';
import {
  approxNdcgLoss,
  lambdaLoss,
  lambdaLossPairs,
  lambdaRankGradients,
  listMleLoss,
  neuralNdcgLoss,
  rankNetLoss,
  smoothedNdcg,
  softmaxLoss,
  softPermutation,
  xeNdcgLoss,
  yetiRankLossOf,
  yetiRankPairs,
} from '../../dist/ltr/index.js';
import { gainsOf, idealSum, orderByScore, ranksOf } from '../../dist/ltr/losses/query-objective.js';
import { baselineRisk, geoRisks } from '../../dist/stats/index.js';

/** Gradients were found by small steps. */
const TOLERANCE = 1e-6;
/** Samples for what is known up to a standard error only. */
const SAMPLES = 400_000;

/** How each field is checked; the groups of the pattern are its parameters. */
const fields = [
  [/^ranknet$/, (tally, name, expected, query) => compareLoss(tally, name, rankNetLoss(), expected, query)],
  [/^lambdarank_weights$/, (tally, name, expected, query) => comparePairs(tally, name, expected, query, 'lambdarank')],
  [/^ndcg_loss(1|2)$/, (tally, name, expected, query, which) => comparePairs(tally, name, expected, query, `ndcg-loss${which}`)],
  [
    /^ndcg_loss2pp_mu([\d.]+)$/,
    (tally, name, expected, query, mu) => comparePairs(tally, name, expected, query, 'ndcg-loss2++', Number(mu)),
  ],
  [
    /^approx_ndcg_T([\d.]+)$/,
    (tally, name, expected, query, temperature) =>
      compareLoss(tally, name, approxNdcgLoss({ temperature: Number(temperature) }), expected, query),
  ],
  [/^neural_ndcg_tau([\d.]+)_(?:no_scaling|sinkhorn(\d+))$/, compareNeural],
  [/^listmle$/, (tally, name, expected, query) => compareLoss(tally, name, listMleLoss({ ties: 'row' }), expected, query)],
  [/^softmax_gains$/, (tally, name, expected, query) => compareLoss(tally, name, softmaxLoss(), expected, query)],
  [/^xe_ndcg$/, compareXeNdcg],
  [/^yetirank_classic_decay([\d.]+)$/, compareYetiRank],
  [/^smoothed_ndcg_sigma([\d.]+)$/, compareSmoothed],
  [/^lightgbm_lambdas(_norm)?(?:_top(\d+))?$/, compareLambdas],
];

/** One file: losses of a query, or measures of risk. */
export function checkObjectives(tally, name, content) {
  if (Array.isArray(content)) {
    for (const [i, one] of content.entries()) compareRisk(tally, `${name} ${i + 1} alpha ${one.alpha}`, one);
    return;
  }
  const query = { labels: Float64Array.from(content.labels), scores: Float64Array.from(content.scores) };
  for (const [field, expected] of Object.entries(content)) {
    if (field === 'labels' || field === 'scores') continue;
    if (field === 'ideal_dcg' || field === 'ranks') {
      const found = field === 'ranks' ? [...ranksOf(orderByScore(query.scores))] : [idealSum(gainsOf(query.labels))];
      tally.numbers(`${name} ${field}`, found, [expected].flat(), 1e-12);
      continue;
    }
    const known = fields.find(([pattern]) => pattern.test(field));
    if (known === undefined) {
      tally.holds(false, () => `${name} ${field}: not known`);
      continue;
    }
    const [pattern, compare] = known;
    tally.attempt(`${name} ${field}`, () => compare(tally, `${name} ${field}`, expected, query, ...pattern.exec(field).slice(1)));
  }
}

function compareRisk(tally, name, { matrix, baseline, alpha, systems }) {
  const geo = tally.attempt(name, () => geoRisks(matrix, alpha));
  if (geo === undefined) return;
  systems.forEach((expected, i) => {
    const { uRisk, tRisk } = baselineRisk(matrix[i], matrix[baseline], alpha);
    const found = { urisk: uRisk, trisk: tRisk, zrisk: geo[i].zRisk, georisk: geo[i].geoRisk };
    for (const [field, value] of Object.entries(expected)) {
      if (value === null) tally.holds(found[field] === null, () => `${name} system ${i} ${field}: ${found[field]}, expected none`);
      else tally.numbers(`${name} system ${i} ${field}`, [found[field]], [value], 1e-9);
    }
  });
}

const asked = ({ labels }) => ({ query: 0, labels, iteration: 1, random: seededRandom(1) });

function compareLoss(tally, name, loss, expected, query) {
  const found = loss.gradients(query.scores, asked(query));
  if (expected.loss !== undefined) tally.numbers(`${name} loss`, [found.loss], [expected.loss], 1e-9);
  tally.numbers(`${name} gradient`, [...found.gradient], expected.gradient, TOLERANCE);
  if (expected.hessian !== undefined) tally.numbers(`${name} hessian`, [...found.hessian], expected.hessian, TOLERANCE);
}

function comparePairs(tally, name, expected, query, weights, mu) {
  compareLoss(tally, name, lambdaLoss({ weights, mu }), expected, query);
  const found = lambdaLossPairs(query.scores, query.labels, weights, mu).map(({ upper, lower, weight }) => [upper, lower, weight]);
  tally.numbers(`${name} pairs`, found.flat(), expected.pair_weights.flat(), 1e-12);
}

function compareNeural(tally, name, expected, query, temperature, rounds = '0') {
  const options = { temperature: Number(temperature), rounds: Number(rounds), balanced: 0 };
  compareLoss(tally, name, neuralNdcgLoss(options), expected, query);
  const { matrix } = softPermutation(query.scores, options);
  tally.numbers(`${name} matrix`, [...matrix], expected.matrix.flat(), TOLERANCE);
}

function compareXeNdcg(tally, name, expected, query) {
  compareLoss(tally, name, xeNdcgLoss({ gamma: expected.gamma }), expected, query);
  const first = xeNdcgLoss({ gamma: expected.gamma, order: 1 }).gradients(query.scores, asked(query));
  if (expected.first_order !== undefined) tally.numbers(`${name} first order`, [...first.gradient], expected.first_order, TOLERANCE);
}

function compareYetiRank(tally, name, expected, query, decay) {
  const options = { decay: Number(decay) };
  const pairs = yetiRankPairs(expected.permutation, query.labels, options);
  tally.numbers(
    `${name} pairs`,
    pairs.flatMap(({ upper, lower, weight }) => [upper, lower, weight]),
    expected.pair_weights.flat(),
    1e-12,
  );
  const { gradient } = yetiRankLossOf([expected.permutation], query.scores, query.labels, options);
  tally.numbers(`${name} gradient`, [...gradient], expected.loss_gradient, TOLERANCE);
}

/** Two estimates agree if they differ by at most five standard errors of their difference. */
function compareSmoothed(tally, name, expected, query, sigma) {
  const found = smoothedNdcg(query.scores, query.labels, { sigma: Number(sigma), samples: SAMPLES, random: seededRandom(1) });
  tally.holds(Math.abs(found.value - expected.value) < 5e-3, () => `${name} value: ${found.value}, expected ${expected.value}`);
  expected.gradient.forEach((value, i) => {
    const error = Math.hypot(expected.standard_error[i], found.standardErrors[i]);
    tally.holds(
      Math.abs(found.gradient[i] - value) <= 5 * error,
      () => `${name} gradient ${i}: ${found.gradient[i]}, expected ${value}, standard error ${error}`,
    );
  });
}

function compareLambdas(tally, name, expected, query, normalised, truncation = '30') {
  compareLoss(tally, name, lambdaRankGradients({ normalise: normalised !== undefined, truncation: Number(truncation) }), expected, query);
}
