import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../core/numbers/random.js';
import { bradleyTerry, estimatedStrengths } from './bradley-terry.js';
import { decidingTopics, fewestTopicsToReverse, jackknifeRanks } from './deciding-topics.js';
import { eloInSequence, eloOverOrders } from './elo.js';
import { jointIntervalRankSets } from './joint-intervals.js';
import { type Preference, strongGroups, winTable } from './preferences.js';
import { resampleRanks } from './rank-resampling.js';
import { estimatedMeans, rankSets } from './rank-sets.js';
import { meansOf, ranksOfMeans, scoreMatrix } from './ranks.js';

const rows = [
  [0.5, 0.4, 0.45],
  [0.2, 0.35, 0.3],
  [0.7, 0.6, 0.65],
  [0.1, 0.15, 0.2],
];
const byRows = (table: readonly (readonly number[])[]) => scoreMatrix(table[0].map((_, j) => table.map((row) => row[j])));

/** Normal scores with a common part, as in the recorded simulation. */
function drawScores(truth: readonly number[], topics: number, random: ReturnType<typeof seededRandom>) {
  const table = Array.from({ length: topics }, () => {
    const common = Math.SQRT1_2 * random.normal();
    return truth.map((mean) => mean + 0.15 * (common + Math.SQRT1_2 * random.normal()));
  });
  return byRows(table);
}

describe('ranks over samples of topics', () => {
  test('are counted through where there are few topics', () => {
    // all 256 samples of four topics, counted by another program
    const found = resampleRanks(byRows(rows));
    expect(found).toMatchObject({ exact: true, resamples: 256 });
    expect([...found.probabilityBest]).toEqual([0.3125, 0.15625, 0.53125]);
    expect([...found.distribution.subarray(3, 6)]).toEqual([0.26171875, 0.33203125, 0.40625]);
    expect([...ranksOfMeans(meansOf(byRows(rows)))]).toEqual([2, 2, 1]);
  });

  test('are drawn where there are many, close to the count', () => {
    const random = seededRandom(2);
    const table = Array.from({ length: 7 }, () => [random.float(), random.float(), random.float()]);
    const drawn = resampleRanks(byRows(table), { resamples: 20_000 });
    expect(drawn.exact).toBe(false);
    // 7^7 samples by a plain loop
    const best = [0, 0, 0];
    for (let sample = 0; sample < 7 ** 7; sample++) {
      const sums = [0, 0, 0];
      for (let t = 0, rest = sample; t < 7; t++, rest = Math.floor(rest / 7)) for (let j = 0; j < 3; j++) sums[j] += table[rest % 7][j];
      best[sums.indexOf(Math.max(...sums))] += 1 / 7 ** 7;
    }
    for (let j = 0; j < 3; j++) expect(Math.abs(drawn.probabilityBest[j] - best[j])).toBeLessThan(0.015);
  });

  test('share the first place in a tie', () => {
    const found = resampleRanks(
      byRows([
        [0.5, 0.5, 0.1],
        [0.3, 0.3, 0.6],
        [0.4, 0.4, 0.2],
      ]),
    );
    expect([...found.probabilityBest].map((share) => share * 27)).toEqual([10, 10, 7].map((count) => expect.closeTo(count, 9)));
  });
});

describe('rank sets', () => {
  test('hold the observed rank, are not wider after steps, and leave the order above a bad system alone', () => {
    const random = seededRandom(7);
    for (let repetition = 0; repetition < 20; repetition++) {
      const truth = Array.from({ length: 6 }, () => 0.1 * random.below(4));
      const scores = drawScores(truth, 25, random);
      const options = { draws: 500, seed: repetition + 1, marginal: true };
      const stepped = rankSets(estimatedMeans(scores), options);
      const single = rankSets(estimatedMeans(scores), { ...options, singleStep: true });
      const ranks = ranksOfMeans(meansOf(scores));
      for (const [j, { low, high }] of stepped.sets.entries()) {
        expect(low).toBeLessThanOrEqual(ranks[j]);
        expect(high).toBeGreaterThanOrEqual(ranks[j]);
        expect(low).toBeGreaterThanOrEqual(single.sets[j].low);
        expect(high).toBeLessThanOrEqual(single.sets[j].high);
        // a set for one system needs less than a set for all
        expect(stepped.marginal?.[j].low).toBeGreaterThanOrEqual(low);
        expect(stepped.marginal?.[j].high).toBeLessThanOrEqual(high);
      }
    }
  });

  test('later rounds give what looking at every draw again gives', () => {
    const random = seededRandom(11);
    const scores = drawScores(
      Array.from({ length: 12 }, (_, j) => 0.1 * j),
      10,
      random,
    );
    const estimated = estimatedMeans(scores);
    const { steps } = rankSets(estimated, { draws: 400, seed: 4, quantile: 'normal' });
    expect(steps.length).toBeGreaterThan(1);
    // the same draws, and a maximum over all ordered pairs that were open, without any shortcut
    const p = 12;
    const generator = seededRandom(4);
    const draws = Array.from({ length: 400 }, () => {
      const normals = Array.from({ length: estimated.columns }, () => generator.normal());
      return Array.from({ length: p }, (_, j) => normals.reduce((sum, z, c) => sum + z * estimated.factor[j * estimated.columns + c], 0));
    });
    const error = (j: number, k: number): number =>
      Math.sqrt(
        Array.from({ length: estimated.columns }).reduce<number>(
          (sum, _, c) => sum + (estimated.factor[j * estimated.columns + c] - estimated.factor[k * estimated.columns + c]) ** 2,
          0,
        ),
      );
    let open = Array.from({ length: p * p }, (_, at) => [Math.floor(at / p), at % p]).filter(([j, k]) => j !== k);
    for (const step of steps) {
      expect(step.pairs).toBe(open.length);
      const maxima = draws.map((z) => Math.max(...open.map(([j, k]) => (z[j] - z[k]) / error(j, k)))).sort((a, b) => a - b);
      const critical = maxima[379] + (0.95 * 399 - 379) * (maxima[380] - maxima[379]);
      expect(step.critical).toBeCloseTo(critical, 10);
      open = open.filter(([j, k]) => (estimated.means[j] - estimated.means[k]) / error(j, k) <= critical);
    }
  });

  test('systems that never differ are tied, and a constant lead is decided', () => {
    const same = [0.1, 0.4, 0.2];
    const { sets } = rankSets(estimatedMeans(scoreMatrix([same, same, same.map((x) => x + 0.1)])), { draws: 100 });
    expect(sets).toEqual([
      { low: 2, high: 3 },
      { low: 2, high: 3 },
      { low: 1, high: 1 },
    ]);
  });

  test('say what they need', () => {
    expect(() => estimatedMeans(scoreMatrix([[0.1], [0.2]]))).toThrow('found 1 topic');
    expect(() => rankSets(estimatedMeans(scoreMatrix([[0.1, 0.2]])))).toThrow('found one system, and its rank is 1');
  });

  test.each([
    [[0.3, 0.3, 0.3, 0.32, 0.34, 0.34, 0.36, 0.36], 1],
    [[0.3, 0.3, 0.3, 0.3, 0.3, 0.3], 2],
  ])('of %j cover together in at least 93 of 100', (truth, seed) => {
    const random = seededRandom(seed);
    const range = truth.map((mean) => [
      1 + truth.filter((other) => other > mean).length,
      truth.length - truth.filter((other) => other < mean).length,
    ]);
    let covered = 0;
    for (let repetition = 0; repetition < 1000; repetition++) {
      const { sets } = rankSets(estimatedMeans(drawScores(truth, 50, random)), { draws: 500, seed: repetition + 1 });
      if (sets.every(({ low, high }, j) => low <= range[j][0] && high >= range[j][1])) covered++;
    }
    expect(covered / 1000).toBeGreaterThanOrEqual(0.93);
  });

  test('by joint intervals of means that overlap cannot be told apart', () => {
    expect(jointIntervalRankSets([0.1, 0.2, 0.6], [0.3, 0.4, 0.7])).toEqual([
      { low: 2, high: 3 },
      { low: 2, high: 3 },
      { low: 1, high: 1 },
    ]);
  });
});

describe('deciding topics', () => {
  test('are those without which the order changes', () => {
    const scores = byRows([
      [0.9, 0.1],
      [0.2, 0.3],
      [0.4, 0.5],
      [0.3, 0.35],
      [0.6, 0.65],
    ]);
    const without = jackknifeRanks(scores);
    expect([...without[0].means]).toEqual([expect.closeTo(0.375, 12), expect.closeTo(0.45, 12)]);
    expect([...without[0].ranks]).toEqual([2, 1]);
    expect(decidingTopics(scores)).toEqual([0]);
  });

  test('the fewest of them are found by taking the largest differences first, as trying all sets shows', () => {
    const random = seededRandom(3);
    for (let repetition = 0; repetition < 30; repetition++) {
      const n = 7;
      const differences = Array.from({ length: n }, () => (random.below(21) - 8) / 10);
      const found = fewestTopicsToReverse(differences, new Array(n).fill(0));
      const total = differences.reduce((sum, d) => sum + d, 0);
      let fewest: number | null = null;
      for (let set = 1; set < 2 ** n - 1 && total > 1e-9; set++) {
        const size = differences.filter((_, t) => (set >> t) % 2 === 1).length;
        const rest = differences.reduce((sum, d, t) => sum + ((set >> t) % 2 === 1 ? 0 : d), 0);
        if (rest <= 1e-9 && (fewest === null || size < fewest)) fewest = size;
      }
      expect(found.fewest).toBe(fewest);
    }
  });
});

describe('preferences', () => {
  const three: Preference[] = [
    ...Array.from({ length: 3 }, (): Preference => ({ first: 'a', second: 'b', outcome: 'first' })),
    { first: 'a', second: 'b', outcome: 'second' },
    { first: 'b', second: 'c', outcome: 'first' },
    { first: 'b', second: 'c', outcome: 'first' },
    { first: 'b', second: 'c', outcome: 'second' },
    { first: 'a', second: 'c', outcome: 'first' },
    { first: 'a', second: 'c', outcome: 'first' },
    { first: 'a', second: 'c', outcome: 'second' },
    { first: 'a', second: 'c', outcome: 'second' },
  ];

  test('give the strengths of evalica 0.4.2 and choix 0.4.1', () => {
    const model = bradleyTerry(winTable(three));
    expect([...model.strengths]).toEqual([0.340550415843994, -0.170275207921997, -0.170275207921997].map((x) => expect.closeTo(x, 10)));
    expect([...model.standardErrors]).toEqual(
      [0.4868644955601477, 0.5141862156723616, 0.5141862156723616].map((x) => expect.closeTo(x, 10)),
    );
    expect(model.elo[0]).toBeCloseTo(1059.1596665643617, 7);
    const { sets } = rankSets(estimatedStrengths(model), { draws: 500 });
    expect(sets).toEqual([0, 1, 2].map(() => ({ low: 1, high: 3 })));
  });

  test('in sequence give the numbers of evalica, which depend on the order', () => {
    expect([...eloInSequence(three, ['a', 'b', 'c'])]).toEqual(
      [1003.6393424186888, 998.1341956478246, 998.2264619334866].map((x) => expect.closeTo(x, 8)),
    );
    const { mean, standardDeviation } = eloOverOrders(three, ['a', 'b', 'c'], { shuffles: 50 });
    expect(mean[0]).toBeGreaterThan(mean[1]);
    expect(standardDeviation[0]).toBeGreaterThan(0);
  });

  test('without a maximum name the groups, and a prior helps', () => {
    const table = winTable([
      { first: 'a', second: 'b', outcome: 'first' },
      { first: 'a', second: 'c', outcome: 'first' },
      { first: 'b', second: 'c', outcome: 'first' },
      { first: 'c', second: 'b', outcome: 'first' },
    ]);
    expect(strongGroups(table)).toEqual([['a'], ['b', 'c']]);
    expect(() => bradleyTerry(table)).toThrow('the groups are a / b, c');
    const model = bradleyTerry(table, 0.1);
    expect(model.strengths[0]).toBeGreaterThan(1);
    expect(model.strengths[1]).toBeCloseTo(model.strengths[2], 9);
  });
});
