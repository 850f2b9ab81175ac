import { describe, expect, test } from 'vitest';
import { type Random, seededRandom } from '../core/numbers/random.js';
import { twoWayAnova } from './anova.js';
import { bootstrapInterval, bootstrapTest } from './bootstrap.js';
import { effectSizes } from './effect-size.js';
import { friedmanTest, nemenyiTest } from './friedman.js';
import { randomizationTest } from './randomization.js';
import { signTest } from './sign-test.js';
import { pairedTTest } from './t-test.js';
import { randomizedTukeyHsd, tukeyHsd } from './tukey-hsd.js';
import { wilcoxonSignedRank } from './wilcoxon.js';

/** Correlated scores of several systems over topics: a difficulty per topic plus noise of its own. */
function simulate(random: Random, numSystems: number, numTopics: number, shift = 0): Float64Array[] {
  const difficulty = Float64Array.from({ length: numTopics }, () => random.normal());
  return Array.from({ length: numSystems }, (_, s) => difficulty.map((topic) => topic + random.normal() + (s === 0 ? shift : 0)));
}

/** The share of `trials` simulations in which `happens`. */
function share(trials: number, seed: number, happens: (random: Random, trial: number) => boolean): number {
  let count = 0;
  for (let trial = 0; trial < trials; trial++) if (happens(seededRandom(seed, trial), trial)) count++;
  return count / trials;
}

function expectBetween(found: number, low: number, high: number): void {
  expect(found).toBeGreaterThanOrEqual(low);
  expect(found).toBeLessThanOrEqual(high);
}

describe('tests at 0.05 reject 4 to 6% when the systems are alike', () => {
  const rejections = (trials: number, numTopics: number, pValue: (first: Float64Array, second: Float64Array, trial: number) => number) =>
    share(trials, numTopics, (random, trial) => {
      const [first, second] = simulate(random, 2, numTopics);
      return pValue(first, second, trial) <= 0.05;
    });

  test('pairedTTest', () => {
    expectBetween(
      rejections(10_000, 20, (first, second) => pairedTTest({ first, second }).pValue),
      0.04,
      0.06,
    );
  });

  test('wilcoxonSignedRank, exact and asymptotic', () => {
    expectBetween(
      rejections(4000, 25, (first, second) => wilcoxonSignedRank({ first, second, method: 'exact' }).pValue),
      0.04,
      0.06,
    );
    expectBetween(
      rejections(10_000, 50, (first, second) => wilcoxonSignedRank({ first, second, method: 'asymptotic' }).pValue),
      0.04,
      0.06,
    );
  });

  test('signTest, with 49 topics, for which the binomial comes near 0.05', () => {
    expectBetween(
      rejections(10_000, 49, (first, second) => signTest({ first, second }).pValue),
      0.04,
      0.06,
    );
  });

  test('randomizationTest, exact and sampled', () => {
    expectBetween(
      rejections(4000, 12, (first, second) => randomizationTest({ first, second, seed: 0 }).pValue),
      0.04,
      0.06,
    );
    expectBetween(
      rejections(4000, 45, (first, second, seed) => randomizationTest({ first, second, seed, resamples: 999 }).pValue),
      0.04,
      0.06,
    );
  });

  test('bootstrapTest', () => {
    expectBetween(
      rejections(4000, 40, (first, second, seed) => bootstrapTest({ first, second, seed, resamples: 300 }).pValue),
      0.04,
      0.06,
    );
  });

  test('twoWayAnova and friedmanTest', () => {
    expectBetween(
      share(4000, 1, (random) => twoWayAnova({ systems: simulate(random, 5, 20) }).systems.pValue <= 0.05),
      0.04,
      0.06,
    );
    expectBetween(
      share(4000, 2, (random) => friedmanTest({ systems: simulate(random, 5, 30) }).pValue <= 0.05),
      0.04,
      0.06,
    );
  });

  test('all pairs of five systems together: tukeyHsd, randomizedTukeyHsd, nemenyiTest', () => {
    const anyAt05 = (pValues: Float64Array): boolean => pValues.some((p) => p <= 0.05);
    expectBetween(
      share(4000, 3, (random) => anyAt05(tukeyHsd({ systems: simulate(random, 5, 20) }).pValues)),
      0.04,
      0.06,
    );
    expectBetween(
      share(4000, 4, (random, seed) => anyAt05(randomizedTukeyHsd({ systems: simulate(random, 5, 20), seed, resamples: 399 }).pValues)),
      0.04,
      0.06,
    );
    expectBetween(
      share(4000, 5, (random) => anyAt05(nemenyiTest({ systems: simulate(random, 5, 60) }).pValues)),
      0.04,
      0.06,
    );
  });
});

describe('95% intervals hold the true value in 94 to 96% of cases', () => {
  const shift = 0.5;

  test('Student interval of the mean difference', () => {
    const covered = share(10_000, 6, (random) => {
      const [first, second] = simulate(random, 2, 20, shift);
      const { low, high } = pairedTTest({ first, second }).interval;
      return low <= shift && shift <= high;
    });
    expectBetween(covered, 0.94, 0.96);
  });

  for (const method of ['percentile', 'bca'] as const) {
    test(`bootstrap interval, ${method}, 150 topics`, () => {
      const covered = share(2500, 7, (random, seed) => {
        const [first, second] = simulate(random, 2, 150, shift);
        const { low, high } = bootstrapInterval({ first, second, seed, method, resamples: 800 }).interval;
        return low <= shift && shift <= high;
      });
      expectBetween(covered, 0.94, 0.96);
    });
  }

  test('standardised differences: d_z, g, Δ', () => {
    // differences have variance 2 (the topics cancel), scores variance 2 as well
    const truth = shift / Math.SQRT2;
    const counts = { cohenDz: 0, hedgesG: 0, glassDelta: 0 };
    const trials = 4000;
    for (let trial = 0; trial < trials; trial++) {
      const [first, second] = simulate(seededRandom(8, trial), 2, 40, shift);
      const found = effectSizes({ first, second });
      for (const size of ['cohenDz', 'hedgesG', 'glassDelta'] as const) {
        const { interval } = found[size];
        if (interval !== null && interval.low <= truth && truth <= interval.high) counts[size]++;
      }
    }
    for (const size of ['cohenDz', 'hedgesG', 'glassDelta'] as const) expectBetween(counts[size] / trials, 0.94, 0.96);
  });
});
