import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { kendallPairs } from '../../../test/helpers/brute-force-stats.js';
import { expectRelative, statsGolden } from '../../../test/helpers/stats-golden.js';
import { apCorrelation } from './ap-correlation.js';
import { pearsonCorrelation, rootMeanSquareError, spearmanCorrelation } from './correlation.js';
import { kendallTau } from './kendall-tau.js';

interface Golden {
  samples: Record<'first' | 'second', number[]>[] & Record<'pearson' | 'spearman' | 'tauA' | 'tauB' | 'rmse', number>[];
  apOverOrders: { truth: number[]; estimate: number[]; a: number }[];
}

const golden = statsGolden<Golden>('correlations.json');

describe('correlation coefficients', () => {
  test('equal scipy, with and without ties', () => {
    for (const sample of golden.samples) {
      const { first, second } = sample;
      expect(pearsonCorrelation({ first, second })).toBeCloseTo(sample.pearson, 12);
      expect(spearmanCorrelation({ first, second })).toBeCloseTo(sample.spearman, 12);
      expect(kendallTau({ first, second }).tau).toBeCloseTo(sample.tauB, 12);
      expect(kendallTau({ first, second, variant: 'a' }).tau).toBeCloseTo(sample.tauA, 12);
      expectRelative(rootMeanSquareError({ first, second }), sample.rmse, 1e-13, 'RMSE');
    }
  });

  test('are 1 with itself and −1 with its mirror image', () => {
    const first = [0.2, 0.5, 0.1, 0.9];
    const second = first.map((value) => -3 * value);
    for (const coefficient of [pearsonCorrelation, spearmanCorrelation, (o: { first: number[]; second: number[] }) => kendallTau(o).tau]) {
      expect(coefficient({ first, second: first })).toBeCloseTo(1, 15);
      expect(coefficient({ first, second })).toBeCloseTo(-1, 15);
    }
    expect(apCorrelation({ truth: first, estimate: first }).tau).toBe(1);
    expect(apCorrelation({ truth: first, estimate: second }).tau).toBe(-1);
  });

  test('of a constant are refused in words', () => {
    const options = { first: [1, 1, 1], second: [1, 2, 3] };
    expect(() => pearsonCorrelation(options)).toThrow(
      'all 3 values of the first are equal, so a correlation is not defined; compare values that differ',
    );
    expect(() => spearmanCorrelation(options)).toThrow('so a rank correlation is not defined');
    expect(() => kendallTau(options)).toThrow('so tau-b is not defined');
    expect(kendallTau({ ...options, variant: 'a' }).tau).toBe(0);
    expect(() => apCorrelation({ truth: [1, 2, 3], estimate: [1, 1, 1], ties: 'b' })).toThrow('so the AP correlation is not defined');
    expect(() => pearsonCorrelation({ first: [1, Number.NaN], second: [1, 2] })).toThrow('the first system has NaN at position 2');
  });
});

test('kendallTau counts the pairs that the double loop counts', () => {
  const values = fc.array(fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 6 })), { minLength: 2, maxLength: 40 });
  fc.assert(
    fc.property(values, (pairs) => {
      const first = pairs.map((pair) => pair[0]);
      const second = pairs.map((pair) => pair[1]);
      const found = kendallTau({ first, second, variant: 'a' });
      const slow = kendallPairs(first, second);
      expect(found.concordant - found.discordant).toBe(slow.score);
      expect([found.tiedFirst, found.tiedSecond]).toEqual([slow.tiedFirst, slow.tiedSecond]);
      expect(found.concordant + found.discordant + found.tiedFirst + found.tiedSecond - found.tiedBoth).toBe(found.pairs);
    }),
    { numRuns: 300, seed: 13 },
  );
});

describe('apCorrelation', () => {
  // scores and values published with the authors' own package: ten systems, with and without rounding to one decimal
  const published = [
    {
      x: [0.897, 0.372, 0.908, 0.898, 0.661, 0.062, 0.177, 0.384, 0.498, 0.992],
      y: [0.82, 0.406, 0.817, 0.953, 0.673, 0.073, 0.364, 0.547, 0.589, 0.988],
      none: 0.8519,
      a: 0.7454,
      b: 0.8333,
      bTied: 0.7321,
    },
    {
      x: [0.266, 0.573, 0.202, 0.945, 0.629, 0.206, 0.687, 0.77, 0.718, 0.38],
      y: [0.263, 0.843, 0.728, 0.928, 0.08, 0.114, 0.467, 0.641, 0.973, 0.644],
      none: 0.2504,
      a: 0.2692,
      b: 0.288,
      bTied: 0.297,
    },
    {
      x: [0.185, 0.573, 0.944, 0.129, 0.468, 0.553, 0.761, 0.405, 0.976, 0.445],
      y: [0.845, 0.272, 0.275, 0.924, 0.605, 0.334, 0.162, 0.872, 0.018, 0.25],
      none: -0.6971,
      a: -0.5558,
      b: -0.668,
      bTied: -0.7047,
    },
  ];
  // rounded by R, which rounds halves in its own way; only 0.25 in y matters here and becomes 0.2
  const rounded = (values: number[]): number[] => values.map((value) => (value === 0.25 ? 0.2 : Math.round(value * 10) / 10));

  test('has the published values, in all three treatments', () => {
    for (const { x, y, none, a, b, bTied } of published) {
      expect(apCorrelation({ truth: x, estimate: y }).tau).toBeCloseTo(none, 4);
      expect(apCorrelation({ truth: x, estimate: y, ties: 'a' }).tau).toBeCloseTo(none, 4);
      expect(apCorrelation({ truth: x, estimate: rounded(y), ties: 'a' }).tau).toBeCloseTo(a, 4);
      expect(apCorrelation({ truth: x, estimate: y, ties: 'b' }).tau).toBeCloseTo(b, 4);
      expect(apCorrelation({ truth: rounded(x), estimate: rounded(y), ties: 'b' }).tau).toBeCloseTo(bTied, 4);
      expect(apCorrelation({ truth: rounded(y), estimate: rounded(x), ties: 'b' }).tau).toBeCloseTo(bTied, 4);
    }
  });

  test('with ties a is the mean over all orders of the tied', () => {
    for (const { truth, estimate, a } of golden.apOverOrders) {
      expect(apCorrelation({ truth, estimate, ties: 'a' }).tau).toBeCloseTo(a, 12);
    }
  });

  test('refuses ties that the treatment cannot take', () => {
    expect(() => apCorrelation({ truth: [1, 2, 3], estimate: [1, 1, 2] })).toThrow(
      'the estimate has 1 twice, expected no ties; use ties a or b',
    );
    expect(() => apCorrelation({ truth: [2, 2, 3], estimate: [1, 4, 2], ties: 'a' })).toThrow(
      'the truth has 2 twice, expected no ties; use ties b',
    );
  });

  test('names its method', () => {
    const options = { truth: [3, 2, 1], estimate: [3, 1, 2] };
    expect(apCorrelation(options).method).toBe('tau AP');
    expect(apCorrelation({ ...options, ties: 'a' }).method).toBe('tau AP,a');
    expect(apCorrelation({ ...options, ties: 'b' }).method).toBe('tau AP,b');
  });
});
