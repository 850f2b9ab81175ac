/** Compares recorded position biases, counterfactual estimates and interleavings with what Gradus gives. */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { seededRandom } from '../../dist/core/index.js';
import { positionBiasedLambdaRank, readModel, scoreMatrix, unbiasedLambdaMart } from '../../dist/ltr/index.js';
import {
  balanced,
  balancedCredit,
  counterfactual,
  interleave,
  optimisedInterleaving,
  probabilisticCredit,
  probabilityOfList,
  teamDraftOutcomes,
} from '../../dist/stats/index.js';

/** Every file of the folder, by what it holds. */
export async function checkClicks(tally, folder, matrixOf) {
  for (const file of (await readdir(folder)).sort()) {
    if (!file.endsWith('.json')) continue;
    const content = JSON.parse(await readFile(join(folder, file), 'utf8'));
    const name = `clicks/${file.replace(/(\.expected)?\.json$/, '')}`;
    if (content.logs !== undefined) tally.attempt(name, () => checkCounterfactual(tally, name, content));
    else if (content.A !== undefined) tally.attempt(name, () => checkInterleaving(tally, name, content));
    else if (content.trajectory !== undefined || content.bias_after_each_iteration !== undefined) {
      const isXgBoost = content.trajectory !== undefined;
      const model = join(folder, content.model ?? file.replace('.expected.json', isXgBoost ? '.json' : '.txt'));
      if (!existsSync(model)) {
        tally.holds(false, () => `${name}: its model is missing`);
        continue;
      }
      const bytes = new Uint8Array(await readFile(model));
      tally.attempt(name, () => (isXgBoost ? checkUnbiased : checkPositions)(tally, name, content, readModel(bytes), matrixOf));
    }
  }
}

/** The model's scores after each of its trees, beginning with none. */
function* scoresByTree(model, matrix) {
  const { treeWeights } = model.scorer;
  for (let trees = 0; trees <= treeWeights.length; trees++) {
    const kept = treeWeights.map((weight, t) => (t < trees ? weight : 0));
    yield scoreMatrix({ ...model, scorer: { ...model.scorer, treeWeights: kept } }, matrix);
  }
}

/** Asks an objective for the gradients of all queries of an iteration. */
function iterate(objective, { clicks, documents_per_query: size }, scores, iteration) {
  for (let query = 0; query * size < clicks.length; query++) {
    const labels = Float64Array.from(clicks.slice(query * size, (query + 1) * size));
    objective.gradients(scores.slice(query * size, (query + 1) * size), { query, labels, iteration, random: seededRandom(1) });
  }
  objective.endIteration(iteration);
}

function checkUnbiased(tally, name, expected, model, matrixOf) {
  const { parameters, trajectory, tolerance } = expected;
  const objective = unbiasedLambdaMart({
    positions: Math.min(parameters.lambdarank_num_pair_per_sample ?? 32, expected.documents_per_query),
    norm: parameters.lambdarank_bias_norm ?? 1,
    cost: 'xgboost',
  });
  const matrix = matrixOf(expected.rows);
  const steps = scoresByTree(model, matrix);
  for (const [i, { t_plus, t_minus }] of trajectory.entries()) {
    iterate(objective, expected, steps.next().value, i + 1);
    const { clicked, skipped } = objective.bias();
    tally.numbers(`${name} t+ after iteration ${i + 1}`, [...clicked], t_plus, tolerance);
    tally.numbers(`${name} t- after iteration ${i + 1}`, [...skipped], t_minus, tolerance);
  }
  tally.numbers(`${name} scores of the imported model`, [...scoreMatrix(model, matrix)], expected.scores, 1e-6);
}

function checkPositions(tally, name, expected, model, matrixOf) {
  const { parameters } = expected;
  const objective = positionBiasedLambdaRank({
    positions: expected.documents_per_query,
    rate: parameters.learning_rate,
    penalty: parameters.lambdarank_position_bias_regularization,
  });
  const matrix = matrixOf(expected.rows);
  const steps = scoresByTree(model, matrix);
  for (const [i, bias] of expected.bias_after_each_iteration.entries()) {
    iterate(objective, expected, steps.next().value, i + 1);
    // six digits were printed, and the tool reads its sigmoid from a table
    tally.numbers(`${name} bias after iteration ${i + 1}`, [...objective.bias()], bias, 1e-5);
  }
  tally.numbers(`${name} scores of the imported model`, [...scoreMatrix(model, matrix)], expected.scores, 1e-6);
}

function checkCounterfactual(tally, name, expected) {
  const logs = expected.logs.map(({ clicks_by_logged_rank: clicks, new_rank_of_logged_rank: ranks }) => ({
    shown: clicks.map((_, i) => i + 1),
    clicks,
    ranks,
  }));
  const options = { propensities: expected.propensity, rankWeight: (rank) => expected.rank_weight[rank - 1] };
  const found = counterfactual(logs, options);
  tally.numbers(`${name} ips`, [found.ips.value], [expected.ips], 1e-12);
  tally.numbers(`${name} ips standard error`, [found.ips.standardError], [expected.ips_standard_error], 1e-12);
  tally.numbers(`${name} snips`, [found.snips.value], [expected.snips], 1e-12);
  tally.numbers(`${name} snips standard error`, [found.snips.standardError], [expected.snips_standard_error], 1e-12);
  tally.numbers(`${name} effective sample size`, [found.effectiveSampleSize], [expected.effective_sample_size], 1e-12);
  for (const [field, value] of Object.entries(expected)) {
    const clip = /^clipped_at_(\d+)_(\d+)$/.exec(field);
    if (clip === null) continue;
    const clipped = counterfactual(logs, { ...options, clip: Number(`${clip[1]}.${clip[2]}`) });
    tally.numbers(`${name} ${field}`, [clipped.ips.value], [value], 1e-12);
  }
}

function checkInterleaving(tally, name, expected) {
  const { A: a, B: b } = expected;
  const text = (value) => JSON.stringify(value);
  const sameSet = (what, found, wanted) =>
    tally.holds(text(found.map(text).sort()) === text(wanted.map(text).sort()), () => `${what}: ${text(found)}, expected ${text(wanted)}`);
  for (const [field, value] of Object.entries(expected)) {
    const what = `${name} ${field}`;
    const length = Number(/_length(\d+)$/.exec(field)?.[1]);
    if (field.startsWith('team_draft')) {
      sameSet(
        what,
        teamDraftOutcomes(a, b, length).map(({ list, teams, probability }) => ({ list, teams, probability })),
        value,
      );
      const drawn = interleave('team-draft', a, b, length, seededRandom(1));
      tally.holds(
        value.some(({ list }) => text(list) === text(drawn.list)),
        () => `${what}: drew ${text(drawn)}`,
      );
    } else if (field.startsWith('balanced_length')) {
      sameSet(
        what,
        ['A', 'B'].map((first) => ({ first, list: balanced(a, b, length, first).list, probability: 0.5 })),
        value,
      );
    } else if (field === 'balanced_credit') {
      for (const { list, clicked, ...credit } of value) {
        const found = balancedCredit(a, b, list, clicked);
        tally.numbers(`${what} ${clicked}`, [found.k, found.a, found.b], [credit.k, credit.a, credit.b], 0);
      }
    } else if (field.startsWith('probabilistic')) {
      for (const { list, clicked, probability_of_list, expected_credit_difference_a_minus_b: difference } of value) {
        const credit = probabilisticCredit(a, b, list, clicked);
        tally.numbers(`${what} ${clicked}`, [probabilityOfList(a, b, list), credit.a - credit.b], [probability_of_list, difference], 1e-12);
      }
    } else if (field.startsWith('optimised')) checkOptimised(tally, what, optimisedInterleaving(a, b, length), value);
  }
}

/** The best programme need not be unique: its value and the neutrality of a random clicker are compared. */
function checkOptimised(tally, what, found, expected) {
  tally.holds(JSON.stringify(found.lists.map(String).sort()) === JSON.stringify(expected.lists.map(String).sort()), () => `${what} lists`);
  const order = expected.lists.map((list) => found.lists.findIndex((other) => String(other) === String(list)));
  tally.numbers(
    `${what} sensitivity`,
    order.map((i) => found.sensitivity[i]),
    expected.sensitivity,
    1e-12,
  );
  tally.holds(found.feasible === expected.feasible, () => `${what} feasible: ${found.feasible}`);
  if (expected.feasible) tally.numbers(`${what} objective`, [found.objective], [expected.objective], 1e-9);
}
