import { describe, expect, test } from 'vitest';
import { dataOf, objective } from '../../../test/helpers/training-sets.js';
import { seededRandom } from '../../core/numbers/random.js';
import { normalAt } from './normal.js';
import { RankDistribution, WinProbabilities } from './rank-distribution.js';
import { softLoss } from './soft-measures.js';

const normal = (x: number): { probability: number; density: number } => {
  const [probabilities, densities] = [new Float64Array(1), new Float64Array(1)];
  normalAt(Float64Array.of(x), 1, probabilities, densities);
  return { probability: probabilities[0], density: densities[0] };
};
const normalProbability = (x: number): number => normal(x).probability;

test('the normal distribution, against its tables', () => {
  // Abramowitz and Stegun, table 26.1, 15 decimals
  for (const [x, expected] of [
    [0, 0.5],
    [0.5, 0.691462461274013],
    [1, 0.841344746068543],
    [1.96, 0.97500210485178],
    [2, 0.977249868051821],
    [3, 0.99865010196837],
    [4, 0.999968328758167],
  ]) {
    expect(normalProbability(x)).toBeCloseTo(expected, 14);
    expect(normalProbability(-x)).toBeCloseTo(1 - expected, 14);
  }
  expect(normalProbability(40)).toBe(1);
  for (let x = -6; x < 6; x += 0.37) {
    expect((normalProbability(x + 1e-5) - normalProbability(x - 1e-5)) / 2e-5).toBeCloseTo(normal(x).density, 9);
    expect(normal(x).density).toBeCloseTo(Math.exp(-0.5 * x * x) / Math.sqrt(2 * Math.PI), 15);
  }
});

/** The recursion over all ranks after each comparison, and its way back: the slow twin. */
function plainDistribution(
  { beats, slopes, n }: WinProbabilities,
  j: number,
  depth: number,
  weights: Float64Array,
  factor: number,
): { probability: Float64Array; gradient: Float64Array } {
  const others = Array.from({ length: n }, (_, i) => i).filter((i) => i !== j);
  let state = new Float64Array(depth);
  state[0] = 1;
  const states = [state];
  for (const i of others) {
    const last = state;
    state = last.map((chance, r) => chance * (1 - beats[i]) + (r > 0 ? last[r - 1] * beats[i] : 0));
    states.push(state);
  }
  const gradient = new Float64Array(n);
  let back = Float64Array.from({ length: depth + 1 }, (_, r) => weights[r] ?? 0);
  for (let k = others.length - 1; k >= 0; k--) {
    const i = others[k];
    const worth = back;
    const change = factor * slopes[i] * states[k].reduce((sum, chance, r) => sum + chance * (worth[r + 1] - worth[r]), 0);
    gradient[i] += change;
    gradient[j] -= change;
    back = worth.map((value, r) => (r < depth ? (1 - beats[i]) * value + beats[i] * worth[r + 1] : 0));
  }
  return { probability: state, gradient };
}

describe('distributions of ranks', () => {
  const scores = Float64Array.from([0.3, -0.5, 1.1, 0.2, 0.9]);
  const sigma = 0.7;
  const chances = new WinProbabilities(sigma);
  chances.update(scores, 0, 5);

  test('are those of drawing every comparison many times', () => {
    const random = seededRandom(21);
    const draws = 200_000;
    for (const j of [0, 2]) {
      const counts = new Float64Array(5);
      for (let draw = 0; draw < draws; draw++) {
        let rank = 0;
        for (let i = 0; i < 5; i++) {
          // two scores drawn anew for each comparison, as the independence of comparisons has it
          if (i !== j && scores[i] + sigma * random.normal() > scores[j] + sigma * random.normal()) rank++;
        }
        counts[rank]++;
      }
      chances.against(j);
      const exact = new RankDistribution().compute(chances, j, 5);
      for (let r = 0; r < 5; r++) {
        const error = Math.sqrt((exact[r] * (1 - exact[r])) / draws);
        expect(Math.abs(counts[r] / draws - exact[r])).toBeLessThan(4.5 * error + 1e-9);
      }
    }
  });

  test('are those of all outcomes of all comparisons, at any depth', () => {
    for (let j = 0; j < 5; j++) {
      chances.against(j);
      const others = [0, 1, 2, 3, 4].filter((i) => i !== j);
      const expected = new Float64Array(5);
      for (let outcome = 0; outcome < 16; outcome++) {
        let chance = 1;
        let rank = 0;
        others.forEach((i, k) => {
          const wins = (outcome >> k) & 1;
          chance *= wins ? chances.beats[i] : 1 - chances.beats[i];
          rank += wins;
        });
        expected[rank] += chance;
      }
      for (const depth of [1, 3, 5]) {
        const exact = new RankDistribution().compute(chances, j, depth);
        expect(exact).toHaveLength(depth);
        exact.forEach((value, r) => {
          expect(value).toBeCloseTo(expected[r], 14);
        });
      }
    }
  });

  test.each([0.02, 0.3, 3])('of long lists are those of the plain recursion, gradient included, sigma %s', (deviation) => {
    const n = 150;
    const random = seededRandom(5);
    const many = Float64Array.from({ length: n }, () => random.normal());
    const wins = new WinProbabilities(deviation);
    wins.update(many, 0, n);
    for (const depth of [10, n]) {
      const weights = Float64Array.from({ length: depth }, (_, r) => 1 / Math.log2(r + 2));
      for (const j of [0, 70, 149]) {
        wins.against(j);
        const own = new RankDistribution();
        const found = own.compute(wins, j, depth).slice();
        const gradient = new Float64Array(n);
        own.addGradient(wins, j, depth, weights, 0.7, gradient, 0);
        const plain = plainDistribution(wins, j, depth, weights, 0.7);
        for (let r = 0; r < depth; r++) expect(Math.abs(found[r] - plain.probability[r])).toBeLessThan(1e-15);
        for (let i = 0; i < n; i++) expect(Math.abs(gradient[i] - plain.gradient[i])).toBeLessThan(1e-13);
      }
    }
  });

  test('a document comes before another with the probability of the difference of two normals', () => {
    // P(N(0.3, 0.49) > N(-0.5, 0.49)) = Φ(0.8 / (√2 · 0.7)) = Φ(0.80812…)
    chances.against(1);
    const first = chances.beats[0];
    expect(first).toBeCloseTo(normalProbability(0.8 / (Math.SQRT2 * 0.7)), 15);
    chances.against(0);
    expect(chances.beats[1]).toBeCloseTo(1 - first, 15);
  });
});

const data = dataOf([
  [
    [0, 1],
    [2, 1],
    [1, 1],
    [0, 1],
    [2, 1],
    [0, 1],
  ],
  [
    [1, 1],
    [0, 1],
    [3, 1],
  ],
]);
const scores = Float64Array.from([0.4, 0.1, -0.3, 0.9, 0.2, 0.25, -1, 0.5, 0.1]);

describe('smooth measures', () => {
  for (const text of ["nDCG(gain='exp')@3", "nDCG(gain='exp')", 'DCG@2', 'AP', 'AP(rel=2)', 'GAP', 'GAP(g=[0.2,0.3,0.5])']) {
    for (const sigma of [0.2, 1]) {
      test(`${text}, sigma ${sigma}: the gradient is what small steps find`, () => {
        const loss = softLoss(data, objective(text), sigma);
        const gradient = new Float64Array(9);
        const spare = new Float64Array(9);
        for (const q of [0, 1]) {
          const [start, end] = [data.queryOffsets[q], data.queryOffsets[q + 1]];
          loss.compute(q, scores, gradient);
          for (let i = start; i < end; i++) {
            const step = 1e-5;
            const up = loss.compute(q, scores.with(i, scores[i] + step), spare);
            const down = loss.compute(q, scores.with(i, scores[i] - step), spare);
            expect(gradient[i]).toBeCloseTo((up - down) / (2 * step), 8);
          }
        }
      });
    }

    test(`${text} with hardly any uncertainty is the measure itself`, () => {
      const hard = objective(text).prepare(data.labels, data.queryOffsets);
      const loss = softLoss(data, objective(text), 1e-4);
      for (const q of [0, 1]) {
        const own = scores.subarray(data.queryOffsets[q], data.queryOffsets[q + 1]);
        const order = Uint32Array.from(own.keys()).sort((a, b) => own[b] - own[a]);
        expect(-loss.compute(q, scores, new Float64Array(9))).toBeCloseTo(hard.value(q, order), 10);
      }
    });
  }

  test('SoftGAP, by its formula', () => {
    // two documents, grades 2 and 1, g = (0.5, 0.5): G(1) = 0.5, G(2) = 1; equal scores, so that each comes first half the time
    const two = dataOf([
      [
        [2, 1],
        [1, 1],
      ],
    ]);
    // PC(1) = (1 + ½·0.5)/(1 + ½) = 5/6, PC(2) = (0.5 + ½·0.5)/(1 + ½) = 1/2, divided by 1.5
    for (const measure of ['GAP(g=[0.5,0.5])', 'GAP']) {
      const loss = softLoss(two, objective(measure), 1);
      expect(-loss.compute(0, new Float64Array(2), new Float64Array(2))).toBeCloseTo((5 / 6 + 1 / 2) / 1.5, 14);
    }
    // the same grades a million million times as high
    const high = dataOf([
      [
        [2e12, 1],
        [1e12, 1],
      ],
    ]);
    const loss = softLoss(high, objective('GAP'), 1);
    expect(-loss.compute(0, new Float64Array(2), new Float64Array(2))).toBeCloseTo((5 / 6 + 1 / 2) / 1.5, 14);
  });

  test('measures without a smooth form are refused', () => {
    expect(() => softLoss(data, objective('RR'), 1)).toThrow(/RR has no smooth form/);
    expect(() => softLoss(data, objective('AP@2'), 1)).toThrow(/no smooth form/);
  });
});
