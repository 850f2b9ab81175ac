import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectRelative, statsGolden } from '../../test/helpers/stats-golden.js';
import {
  betaDistribution,
  binomialDistribution,
  chiSquaredDistribution,
  type Distribution,
  fDistribution,
  normalDistribution,
  tDistribution,
} from './distributions.js';
import { noncentralFUpperTail, noncentralTCdf, noncentralTUpperTail } from './noncentral.js';

/** The promise is 1e-10; the code does better, and a loss of digits should be noticed. */
const TOLERANCE = 1e-12;

interface Golden {
  points: { distribution: string; parameters: number[]; x: number; cdf: string; upperTail: string }[];
  quantiles: { distribution: string; parameters: number[]; p: number; side: 'quantile' | 'upperQuantile'; x: string }[];
}

const build: Record<string, (...parameters: number[]) => Distribution> = {
  normal: () => normalDistribution,
  t: tDistribution,
  'chi-squared': chiSquaredDistribution,
  F: fDistribution,
  beta: betaDistribution,
  binomial: binomialDistribution,
};

const golden = statsGolden<Golden>('distributions.json');

describe('distributions against 30-digit references', () => {
  for (const name of Object.keys(build)) {
    const points = golden.points.filter((point) => point.distribution === name);
    test(`${name}: cdf and upperTail at ${points.length} points, both tails`, () => {
      expect(points.length).toBeGreaterThan(10);
      for (const { parameters, x, cdf, upperTail } of points) {
        const distribution = build[name](...parameters);
        expectRelative(distribution.cdf(x), Number(cdf), TOLERANCE, `${distribution.name}.cdf(${x})`);
        expectRelative(distribution.upperTail(x), Number(upperTail), TOLERANCE, `${distribution.name}.upperTail(${x})`);
      }
    });
    const quantiles = golden.quantiles.filter((point) => point.distribution === name);
    if (quantiles.length > 0) {
      test(`${name}: ${quantiles.length} quantiles down to p = 1e-12`, () => {
        for (const { parameters, p, side, x } of quantiles) {
          const distribution = build[name](...parameters);
          expectRelative(distribution[side](p), Number(x), TOLERANCE, `${distribution.name}.${side}(${p})`);
        }
      });
    }
  }

  test('non-central t and F upper tails', () => {
    const { points } = statsGolden<{ points: { distribution: string; parameters: number[]; x: number; upperTail: string }[] }>(
      'noncentral.json',
    );
    for (const { distribution, parameters, x, upperTail } of points) {
      const [a, b, c] = parameters;
      const found = distribution === 't' ? noncentralTUpperTail(x, a, b) : noncentralFUpperTail(x, a, b, c);
      expectRelative(found, Number(upperTail), TOLERANCE, `non-central ${distribution}(${parameters.join(', ')}) at ${x}`);
    }
  });
});

describe('distributions', () => {
  test('quantile(p) and upperQuantile(p) reach the ends of the support at 0 and 1', () => {
    expect(normalDistribution.quantile(0)).toBe(Number.NEGATIVE_INFINITY);
    expect(normalDistribution.upperQuantile(0)).toBe(Number.POSITIVE_INFINITY);
    expect(tDistribution(5).quantile(1)).toBe(Number.POSITIVE_INFINITY);
    expect(tDistribution(5).quantile(0.5)).toBeCloseTo(0, 15);
    expect(chiSquaredDistribution(3).quantile(0)).toBe(0);
    expect(fDistribution(3, 4).upperQuantile(0)).toBe(Number.POSITIVE_INFINITY);
    expect(betaDistribution(2, 3).quantile(1)).toBe(1);
  });

  test('upperQuantile(p) is undone by upperTail for p from 1e-12 to 1', () => {
    const distributions = [normalDistribution, tDistribution(3.5), chiSquaredDistribution(7), fDistribution(4, 45), betaDistribution(2, 5)];
    fc.assert(
      fc.property(fc.double({ min: -12, max: -1e-6, noNaN: true }), fc.nat(distributions.length - 1), (logP, which) => {
        const p = 10 ** logP;
        const d = distributions[which];
        expectRelative(d.upperTail(d.upperQuantile(p)), p, 1e-10, `${d.name} at ${p}`);
      }),
      { numRuns: 300, seed: 5 },
    );
  });

  test('t with infinite degrees of freedom is the normal, F(1, n) is t(n) squared, chi-squared(2) is exponential', () => {
    expect(tDistribution(Number.POSITIVE_INFINITY)).toBe(normalDistribution);
    expectRelative(fDistribution(1, 49).upperTail(3.4 * 3.4), 2 * tDistribution(49).upperTail(3.4), 1e-13, 'F(1, 49)');
    expectRelative(chiSquaredDistribution(2).upperTail(30), Math.exp(-15), 1e-13, 'chi-squared(2)');
  });

  test('t quantiles keep their digits next to the middle', () => {
    // closed forms: tan(πa) for one degree of freedom, a·√(8/(1 − 4a²)) for two, at area a from 0
    for (const p of [0.3, 0.49, 0.5 - 2 ** -30]) {
      const area = 0.5 - p;
      expectRelative(tDistribution(1).upperQuantile(p), Math.tan(Math.PI * area), 1e-12, `t(1) at ${p}`);
      expectRelative(tDistribution(2).upperQuantile(p), area * Math.sqrt(8 / (1 - 4 * area * area)), 1e-12, `t(2) at ${p}`);
      expectRelative(tDistribution(2).quantile(p), -area * Math.sqrt(8 / (1 - 4 * area * area)), 1e-12, `t(2) at ${p}`);
    }
  });

  test('binomial quantile(cdf(k)) is k for every k that has probability', () => {
    for (const [trials, probability] of [
      [1, 0.5],
      [10, 0.3],
      [44, 0.5],
      [200, 0.02],
    ]) {
      const d = binomialDistribution(trials, probability);
      for (let k = 0; k <= trials && d.upperTail(k) > 1e-12; k++) {
        expect(d.quantile(d.cdf(k))).toBe(k);
        expect(d.upperQuantile(d.upperTail(k))).toBe(k);
      }
    }
    expect(binomialDistribution(10, 0.5).cdf(-1)).toBe(0);
    expect(binomialDistribution(10, 0.5).upperTail(10)).toBe(0);
    expect(binomialDistribution(3, 0).cdf(0)).toBe(1);
    expect(binomialDistribution(3, 1).cdf(2)).toBe(0);
  });

  test('non-central t and F with noncentrality 0 are the central ones', () => {
    expectRelative(noncentralTUpperTail(2, 9, 0), tDistribution(9).upperTail(2), 1e-13, 't');
    expectRelative(noncentralTCdf(-2, 9, 0), tDistribution(9).upperTail(2), 1e-13, 't');
    expectRelative(noncentralFUpperTail(2, 3, 40, 0), fDistribution(3, 40).upperTail(2), 1e-13, 'F');
    expect(noncentralFUpperTail(0, 3, 40, 2)).toBe(1);
  });

  test('bad parameters and NaN are refused in words', () => {
    expect(() => tDistribution(0)).toThrow('invalid degrees of freedom: 0, expected a finite number above 0');
    expect(() => chiSquaredDistribution(Number.NaN)).toThrow('invalid degrees of freedom: NaN');
    expect(() => normalDistribution.quantile(1.5)).toThrow('invalid probability: 1.5, expected a number from 0 to 1');
    expect(() => tDistribution(3).cdf(Number.NaN)).toThrow('invalid value: NaN, expected a number');
    expect(() => binomialDistribution(2.5, 0.5)).toThrow('invalid number of trials: 2.5, expected a whole number of at least 0');
  });
});
