/** Sizes of collections: power, generalisability, Bayesian comparison. */

export function topicSetSize({ cases }, { tally, judging, product }) {
  for (const [i, entry] of (cases.t ?? []).entries()) {
    tally.place = `topic-set-size, t test ${i + 1}`;
    const found = judging.topicsForTTest(entry.alpha, 1 - entry.beta, entry.min_effect);
    tally.same('topics', found.topics, entry.topics);
    tally.near('power', found.reached, entry.power);
  }
  for (const [i, entry] of (cases.anova ?? []).entries()) {
    tally.place = `topic-set-size, analysis of variance ${i + 1}`;
    const found = judging.topicsForAnova(entry.alpha, 1 - entry.beta, entry.systems, entry.min_range_over_sd);
    tally.same('topics', found.topics, entry.topics);
    tally.near('power', found.reached, entry.power);
  }
  for (const [i, entry] of (cases.ci ?? []).entries()) {
    tally.place = `topic-set-size, interval ${i + 1}`;
    const found = judging.topicsForInterval(entry.alpha, entry.full_width, entry.var_difference);
    tally.same('topics', found.topics, entry.topics);
    tally.near('width', found.reached, entry.expected_width);
  }
  const curve = cases.power_curve_t;
  for (const { topics, power } of curve?.points ?? []) {
    tally.place = 'topic-set-size, power curve';
    const found = product.powerOf({ standardDeviation: 1, difference: curve.min_effect, alpha: curve.alpha, topics });
    tally.near(`${topics} topics`, found.power, power);
  }
}

export function generalisability(golden, { tally, judging, data }) {
  const { values_at: values, ...mapping } = golden.mapping ?? { values_at: [] };
  tally.place = 'gtheory, mapping';
  for (const [i, value] of values.entries()) {
    const [relative, absolute] = [judging.meaningOfRelative(value), judging.meaningOfAbsolute(value)];
    const found = {
      tau: relative.tau,
      tauAP: relative.tauAp,
      power: relative.power,
      minor_conflict: relative.minorConflict,
      major_conflict: relative.majorConflict,
      absolute_sensitivity: relative.absoluteSensitivity,
      relative_sensitivity: absolute.relativeSensitivity,
      rmse: absolute.rmse,
    };
    for (const [key, expected] of Object.entries(mapping)) tally.near(`${key} at ${value}`, found[key], expected[i]);
  }
  for (const [name, entry] of Object.entries(golden.cases)) {
    tally.place = `gtheory, ${name}`;
    const all = judging.scoreMatrix(data.table(name.split(' ')[0]).systems);
    const scores = judging.someSystems(all, judging.strongerSystems(all, entry.drop ?? 0));
    const found = judging.varianceComponents(scores);
    const { g } = entry;
    tally.same('systems', found.numSystems, g.ns);
    tally.same('topics', found.numTopics, g.nq);
    const parts = {
      ms_s: found.meanSquareSystems,
      ms_q: found.meanSquareTopics,
      ms_e: found.meanSquareResidual,
      var_s: found.systems,
      var_q: found.topics,
      var_e: found.residual,
    };
    for (const [key, value] of Object.entries(parts)) if (key in g) tally.near(key, value, g[key]);
    for (const d of entry.d ?? []) checkDecision(found, d, tally, judging);
  }
}

function checkDecision(components, d, tally, judging) {
  const { relative, absolute } = judging.decisionStudy(components, {
    numTopics: d.queries,
    stability: d.stability,
    tail: d.alpha_each_side,
  });
  for (const [name, found] of [
    ['Erho2', relative],
    ['Phi', absolute],
  ]) {
    const what = `${name} of ${d.queries} topics`;
    tally.near(what, found.value, d[name]);
    tally.near(`${what}, low`, found.low, d[`${name}_low`]);
    tally.near(`${what}, high`, found.high, d[`${name}_high`]);
    tally.same(`${what}, topics needed`, found.topics, d[`needed_${name}`]);
    tally.same(`${what}, fewest topics needed`, found.topicsLow, d[`needed_${name}_low`]);
    tally.same(`${what}, most topics needed`, found.topicsHigh, d[`needed_${name}_high`]);
  }
}

export function bayesian(golden, { tally, judging, data }) {
  for (const [name, entry] of Object.entries(golden.cases)) {
    tally.place = `bayes, ${name}`;
    const of = (text) => {
      const [matrix, column] = text.split(' ');
      const table = data.table(matrix);
      return table.systems[table.names.indexOf(column)];
    };
    const pair = { first: of(entry.x), second: of(entry.y) };
    for (const [key, expected] of Object.entries(entry)) {
      const [, kind, width] = /^(.*)_rope(.*)$/.exec(key) ?? [];
      if (kind === undefined) continue;
      const options = { ...pair, rope: Number(width) };
      const found = {
        t: () => judging.bayesianTTest({ ...options, runs: 1 }),
        plain_t: () => judging.bayesianTTest(options),
        signedrank: () => judging.bayesianSignedRankTest(options),
        sign: () => judging.bayesianSignTest({ ...options, draws: 200_000 }),
        sign_counts: () => judging.sidesOf(options),
      }[kind];
      if (found === undefined) {
        tally.holds(`a test called ${kind}`, false, kind);
        continue;
      }
      const { first, equivalent, second } = found();
      const drawn = kind === 'signedrank' || kind === 'sign';
      tally.nearAll(key, expected.length === 2 ? [first, second] : [first, equivalent, second], expected, drawn ? 0.01 : 1e-8);
    }
  }
}
