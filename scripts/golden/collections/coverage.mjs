/** How often intervals hold: statements about methods, which own draws must bear out. */

export function correctedCoverage(golden, { tally, judging, product }) {
  const repetitions = 4000;
  for (const [i, entry] of golden.cases.entries()) {
    tally.place = `ppi-coverage, ${entry.kind}, ${entry.n} and ${entry.N}`;
    const random = product.seededRandom(i + 1);
    const truth = entry.kind === 'score' ? 0.4 : 0.3;
    const draw = (size) => {
      const [people, judge] = [new Float64Array(size), new Float64Array(size)];
      for (let u = 0; u < size; u++) {
        if (entry.kind === 'score') {
          // Beta(2, 3) is the second smallest of four uniform numbers
          people[u] = [random.float(), random.float(), random.float(), random.float()].sort((a, b) => a - b)[1];
          judge[u] = Math.min(1, Math.max(0, 0.7 * people[u] + 0.2 + 0.1 * random.normal()));
        } else {
          people[u] = random.float() < 0.3 ? 1 : 0;
          judge[u] = random.float() < 0.15 ? 1 - people[u] : people[u];
        }
      }
      return { people, judge };
    };
    const methods = {
      'classical z': { lambda: 0, quantile: 'normal' },
      'classical t': { lambda: 0, quantile: 'student' },
      'ppi z': { lambda: 1, quantile: 'normal' },
      'ppi++ z': { lambda: 'tuned', quantile: 'normal' },
      'ppi++ t': { lambda: 'tuned', quantile: 'student' },
    };
    const covered = Object.fromEntries(Object.keys(methods).map((method) => [method, 0]));
    const width = { ...covered };
    for (let repetition = 0; repetition < repetitions; repetition++) {
      const [own, elsewhere] = [draw(entry.n), draw(entry.N)];
      for (const [method, options] of Object.entries(methods)) {
        const { interval } = judging.predictionPoweredMean({
          human: own.people,
          judged: own.judge,
          judgedElsewhere: elsewhere.judge,
          ...options,
        });
        if (interval.low <= truth && truth <= interval.high) covered[method]++;
        width[method] += (interval.high - interval.low) / repetitions;
      }
    }
    for (const [method, expected] of Object.entries(entry.coverage))
      tally.near(`coverage of ${method}`, covered[method] / repetitions, expected, 0.015);
    for (const [method, expected] of Object.entries(entry.mean_width ?? {}))
      tally.near(`width of ${method}`, width[method], expected, 0.02 * expected);
  }
}

export function rankSetCoverage(golden, { tally, judging, product }) {
  for (const [i, entry] of golden.cases.entries()) {
    tally.place = `rank-set-coverage, case ${i + 1}`;
    const { true_means: truth, topics, noise_sd: noise, correlation } = entry;
    const random = product.seededRandom(i + 1);
    // where true means are tied, every rank that the tie allows must be in the set
    const ranges = truth.map((mean) => ({
      low: 1 + truth.filter((other) => other > mean + 1e-12).length,
      high: truth.length - truth.filter((other) => other < mean - 1e-12).length,
    }));
    const holds = (sets) => sets.every(({ low, high }, j) => low <= ranges[j].low && high >= ranges[j].high);
    const drawScores = () =>
      judging.scoreMatrix(
        transposed(
          Array.from({ length: topics }, () => {
            const common = Math.sqrt(correlation) * random.normal();
            return truth.map((mean) => mean + noise * (common + Math.sqrt(1 - correlation) * random.normal()));
          }),
        ),
      );
    const count = { normal: 0, student: 0 };
    const size = { normal: 0, student: 0 };
    const repetitions = 1000;
    for (let repetition = 0; repetition < repetitions; repetition++) {
      const estimated = judging.estimatedMeans(drawScores());
      for (const quantile of ['normal', 'student']) {
        const { sets } = judging.rankSets(estimated, { draws: 2000, seed: repetition + 1, quantile });
        if (holds(sets)) count[quantile]++;
        size[quantile] += sets.reduce((sum, { low, high }) => sum + high - low + 1, 0) / (sets.length * repetitions);
      }
    }
    tally.near('joint coverage', count.normal / repetitions, entry.joint_coverage, 0.025);
    tally.near('joint coverage, Student', count.student / repetitions, entry.joint_coverage_student_draws, 0.025);
    if ('mean_set_size' in entry) tally.near('mean size', size.normal, entry.mean_set_size, 0.1);
    if ('mean_set_size_student_draws' in entry) tally.near('mean size, Student', size.student, entry.mean_set_size_student_draws, 0.1);
    let [joint, marginal] = [0, 0];
    const resampled = 300;
    for (let repetition = 0; repetition < resampled; repetition++) {
      const ranks = judging.resampleRanks(drawScores(), { resamples: 1000, seed: repetition + 1 });
      const sets = truth.map((_, j) => ({ low: ranks.percentileLow[j], high: ranks.percentileHigh[j] }));
      if (holds(sets)) joint++;
      marginal += sets.filter(({ low, high }, j) => low <= ranges[j].low && high >= ranges[j].high).length / truth.length;
    }
    tally.near('joint coverage of percentiles', joint / resampled, entry.bootstrap_percentile_joint, 0.1);
    if (entry.bootstrap_percentile_marginal !== undefined)
      tally.near('coverage of percentiles', marginal / resampled, entry.bootstrap_percentile_marginal, 0.1);
  }
}

function transposed(rows) {
  return rows[0].map((_, j) => Float64Array.from(rows, (row) => row[j]));
}
