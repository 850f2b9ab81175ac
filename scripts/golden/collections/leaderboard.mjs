/** Ranks with confidence, and strengths from preferences. */

export function leaderboard(golden, { tally, judging, data, product }) {
  for (const [name, entry] of Object.entries(golden.tiny ?? {})) {
    tally.place = `leaderboard, ${name}`;
    checkTiny(entry, tally, judging);
  }
  for (const [name, entry] of Object.entries(golden.matrices ?? {})) {
    tally.place = `leaderboard, ${name}`;
    const table = data.table(entry.matrix);
    const systems = entry.columns.map((column) => table.systems[table.names.indexOf(column)]);
    checkMatrix(systems, entry, tally, judging, product);
  }
  for (const [name, entry] of Object.entries(golden.preferences ?? {})) {
    tally.place = `leaderboard, preferences ${name}`;
    checkPreferences(entry, tally, judging);
  }
}

function columnsOf(rows) {
  return rows[0].map((_, j) => Float64Array.from(rows, (row) => row[j]));
}

function checkTiny(entry, tally, judging) {
  const scores = judging.scoreMatrix(columnsOf(entry.scores));
  const means = judging.meansOf(scores);
  tally.nearAll('means', [...means], entry.means);
  tally.same('ranks', [...judging.ranksOfMeans(means)], entry.ranks);
  const ranks = judging.resampleRanks(scores);
  const p = scores.numSystems;
  tally.nearAll('probability of being best', [...ranks.probabilityBest], entry.probability_best);
  for (const [j, row] of entry.rank_distribution.entries()) {
    tally.nearAll(`ranks of system ${j}`, [...ranks.distribution.subarray(j * p, j * p + p)], row);
  }
  const without = judging.jackknifeRanks(scores);
  for (const { without_topic: topic, means: expected, ranks: order } of entry.jackknife) {
    tally.nearAll(`means without topic ${topic}`, [...without[topic].means], expected);
    tally.same(`ranks without topic ${topic}`, [...without[topic].ranks], order);
  }
}

function checkMatrix(systems, entry, tally, judging, product) {
  const scores = judging.scoreMatrix(systems);
  tally.nearAll('means', [...judging.meansOf(scores)], entry.means);
  const estimated = judging.estimatedMeans(scores);
  const sets = (options) => judging.rankSets(estimated, { draws: 200_000, ...options });
  const normal = sets({ quantile: 'normal' });
  checkSets('', normal, entry, tally);
  if ('low_single_step' in entry) {
    const single = sets({ quantile: 'normal', singleStep: true });
    tally.same(
      'low, single step',
      single.sets.map(({ low }) => low),
      entry.low_single_step,
    );
    tally.same(
      'high, single step',
      single.sets.map(({ high }) => high),
      entry.high_single_step,
    );
  }
  if ('best_set' in entry)
    tally.same(
      'not told apart from the best',
      entry.columns.filter((_, j) => normal.sets[j].low === 1),
      entry.best_set,
    );
  if ('student' in entry) checkSets(', Student', sets({ quantile: 'student' }), entry.student, tally);
  if ('bootstrap' in entry) {
    const ranks = judging.resampleRanks(scores, { resamples: 100_000 });
    tally.nearAll('probability of being best', [...ranks.probabilityBest], entry.bootstrap.probability_best, 0.0075);
    checkPercentiles('percentiles, low', ranks, ranks.percentileLow, entry.bootstrap.percentile_rank_low, 0.025, tally);
    checkPercentiles('percentiles, high', ranks, ranks.percentileHigh, entry.bootstrap.percentile_rank_high, 0.975, tally);
    tally.nearAll('mean ranks', [...ranks.meanRank], entry.bootstrap.mean_rank, 0.02);
  }
  if ('joint_intervals_bonferroni' in entry) {
    const intervals = systems.map((own) => product.meanInterval({ values: own, level: 1 - 0.05 / systems.length }).interval);
    const joint = judging.jointIntervalRankSets(
      intervals.map(({ low }) => low),
      intervals.map(({ high }) => high),
    );
    tally.same(
      'joint intervals, low',
      joint.map(({ low }) => low),
      entry.joint_intervals_bonferroni.low,
    );
    tally.same(
      'joint intervals, high',
      joint.map(({ high }) => high),
      entry.joint_intervals_bonferroni.high,
    );
  }
  for (const flip of entry.flips ?? []) {
    const of = (name) => systems[entry.columns.indexOf(name)];
    const found = judging.fewestTopicsToReverse(of(flip.better), of(flip.worse));
    const what = `${flip.better} over ${flip.worse}`;
    tally.near(`${what}, difference`, found.difference, flip.difference);
    tally.same(`${what}, fewest topics`, found.fewest, flip.fewest_topics_to_remove);
    tally.same(`${what}, most deciding topic`, found.mostDeciding, flip.most_deciding_topic_index);
    tally.same(`${what}, tied after`, found.tiedAfter, flip.tied_after);
  }
}

/** A percentile of drawn ranks may be the next one where the share up to a rank is the level itself but for the error of drawing. */
function checkPercentiles(what, { distribution }, found, expected, level, tally) {
  const p = expected.length;
  for (const [j, rank] of expected.entries()) {
    const between = Math.min(rank, found[j]);
    let share = 0;
    for (let r = 0; r < between; r++) share += distribution[j * p + r];
    const near = Math.abs(rank - found[j]) === 1 && Math.abs(share - level) < 0.003;
    tally.count(rank === found[j] || near, `${what}[${j}]`, found[j], rank);
  }
}

function checkSets(what, found, expected, tally) {
  tally.same(
    `low${what}`,
    found.sets.map(({ low }) => low),
    expected.low,
  );
  tally.same(
    `high${what}`,
    found.sets.map(({ high }) => high),
    expected.high,
  );
  tally.same(
    `pairs by step${what}`,
    found.steps.map(({ pairs }) => pairs),
    expected.steps.map(({ pairs }) => pairs),
  );
  tally.nearAll(
    `critical values${what}`,
    found.steps.map(({ critical }) => critical),
    expected.steps.map(({ critical }) => critical),
    0.015,
  );
}

function checkPreferences(entry, tally, judging) {
  const preferences = entry.preferences.map(([first, second, outcome]) => ({ first, second, outcome }));
  const table = judging.winTable(preferences, entry.names);
  const n = entry.names.length;
  tally.same(
    'wins',
    entry.names.map((_, i) => [...table.wins.subarray(i * n, i * n + n)]),
    entry.wins_with_half_ties,
  );
  for (const [key, expected] of Object.entries(entry)) {
    const k = /^elo_k(\d+(?:\.\d+)?)$/.exec(key)?.[1];
    if (k === undefined) continue;
    const found = judging.eloInSequence(preferences, entry.names, { k: Number(k) });
    for (const [i, name] of entry.names.entries()) tally.near(`${key} of ${name}`, found[i], expected[name]);
  }
  let model;
  try {
    model = judging.bradleyTerry(table);
  } catch (error) {
    tally.holds(`a maximum, ${error.message}`, typeof entry.maximum === 'string' && error.name === 'InputError', error.message);
    return;
  }
  if (entry.maximum !== undefined) return tally.holds('a maximum', false, [...model.strengths]);
  for (const [i, name] of entry.names.entries()) {
    tally.near(`strength of ${name}`, model.strengths[i], entry.strength_log[name]);
    tally.near(`standard error of ${name}`, model.standardErrors[i], entry.se_sum_zero[name]);
    tally.near(`Elo scale of ${name}`, model.elo[i], entry.elo_scale_1000[name]);
  }
  const c = (i, j) => model.covariance[i * n + j];
  tally.near('standard error of the first difference', Math.sqrt(c(0, 0) + c(1, 1) - 2 * c(0, 1)), entry.se_difference_first_two);
}
