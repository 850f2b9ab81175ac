import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectRelative, statsGolden } from '../../../test/helpers/stats-golden.js';
import { topicsNeeded } from '../power.js';
import {
  betaDistribution,
  binomialDistribution,
  chiSquaredDistribution,
  type Distribution,
  fDistribution,
  normalDistribution,
  tDistribution,
} from './distributions.js';
import { mixedTUpperTail, noncentralFUpperTail, noncentralTCdf, noncentralTUpperTail } from './noncentral.js';

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
  /** Where each of them begins and ends. */
  const supports: readonly [Distribution, low: number, high: number][] = [
    [normalDistribution, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
    [tDistribution(0.5), Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
    [tDistribution(5), Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
    [chiSquaredDistribution(1), 0, Number.POSITIVE_INFINITY],
    [chiSquaredDistribution(3), 0, Number.POSITIVE_INFINITY],
    [fDistribution(1, 1), 0, Number.POSITIVE_INFINITY],
    [fDistribution(3, 4), 0, Number.POSITIVE_INFINITY],
    [betaDistribution(0.5, 0.5), 0, 1],
    [betaDistribution(2, 3), 0, 1],
    [binomialDistribution(0, 0.5), 0, 0],
    [binomialDistribution(7, 0.25), 0, 7],
  ];

  test.each(supports)('all of %o lies between its ends', (d, low, high) => {
    const name = d.name;
    expect([name, d.quantile(0), d.upperQuantile(1)]).toEqual([name, low, low]);
    expect([name, d.quantile(1), d.upperQuantile(0)]).toEqual([name, high, high]);
    for (const beyond of [high, high + 1, Number.MAX_VALUE, Number.POSITIVE_INFINITY]) {
      if (beyond >= high) expect([name, beyond, d.cdf(beyond), d.upperTail(beyond)]).toEqual([name, beyond, 1, 0]);
    }
    for (const before of [low - 1e-9, low - 1, Number.NEGATIVE_INFINITY]) {
      expect([name, before, d.cdf(before), d.upperTail(before)]).toEqual([name, before, 0, 1]);
    }
    // the continuous ones have nothing at an end
    if (high > low && !name.startsWith('binomial')) expect([name, d.cdf(low), d.upperTail(low)]).toEqual([name, 0, 1]);
  });

  test.each(supports)('%o refuses what is no number and no probability', (d) => {
    for (const ask of [d.cdf, d.upperTail]) expect(() => ask.call(d, Number.NaN)).toThrow('value: expected a number, found NaN');
    for (const ask of [d.quantile, d.upperQuantile]) {
      for (const p of [-1e-9, 1 + 1e-9, Number.NaN, Number.POSITIVE_INFINITY]) {
        expect(() => ask.call(d, p)).toThrow(`probability: expected a number from 0 to 1, found ${p}`);
      }
    }
  });

  test('medians in closed form', () => {
    for (const side of ['quantile', 'upperQuantile'] as const) {
      expect(Math.abs(normalDistribution[side](0.5))).toBe(0);
      expect(Math.abs(tDistribution(5)[side](0.5))).toBe(0);
      expectRelative(chiSquaredDistribution(2)[side](0.5), 2 * Math.LN2, 1e-14, 'chi-squared(2)');
      expectRelative(fDistribution(3, 3)[side](0.5), 1, 1e-14, 'F(3, 3)');
      expectRelative(betaDistribution(3, 3)[side](0.5), 0.5, 1e-14, 'beta(3, 3)');
      expectRelative(betaDistribution(1, 4)[side](0.5), 1 - 2 ** -0.25, 1e-14, 'beta(1, 4)');
      expect(binomialDistribution(7, 0.5)[side](0.5)).toBe(3);
    }
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

  test.each([
    [1, 800],
    [1, 3000],
    [2, 1500],
    [9, 4000],
    [40, 6000],
  ])('a large noncentrality is taken over the numerator, with %i degrees of freedom and %i', (df, noncentrality) => {
    for (const share of [0.2, 0.9, 1, 1.1, 3, 40]) {
      const t = noncentrality * share;
      const slow = mixedTUpperTail(t, df, noncentrality);
      if (slow > 1e-250) expectRelative(noncentralTUpperTail(t, df, noncentrality), slow, 1e-10, `t ${t}`);
      const other = mixedTUpperTail(-t, df, -noncentrality);
      if (other > 1e-250) expectRelative(noncentralTUpperTail(-t, df, -noncentrality), other, 1e-10, `t ${-t}`);
    }
    expect([noncentralTUpperTail(-1, df, noncentrality), noncentralTUpperTail(1, df, -noncentrality)]).toEqual([1, 0]);
  });

  test('a difference a million times its spread is planned without waiting for it', () => {
    // the limit: a topic more than the one that leaves no degree of freedom is enough
    expect(topicsNeeded({ difference: 1, standardDeviation: 1e-9 }).topics).toBe(2);
    expect(topicsNeeded({ difference: 1, standardDeviation: 1e-6, systems: 3 }).topics).toBe(2);
    // P(F > x) for a numerator that is a constant: P(chi² of 3 < 3 m / (2 x)), with m the noncentrality
    const noncentrality = 4e9;
    expectRelative(noncentralFUpperTail(noncentrality / 2, 2, 3, noncentrality), chiSquaredDistribution(3).cdf(3), 1e-6, 'F');
  });

  test('non-central t and F with noncentrality 0 are the central ones', () => {
    expectRelative(noncentralTUpperTail(2, 9, 0), tDistribution(9).upperTail(2), 1e-13, 't');
    expectRelative(noncentralTCdf(-2, 9, 0), tDistribution(9).upperTail(2), 1e-13, 't');
    expectRelative(noncentralFUpperTail(2, 3, 40, 0), fDistribution(3, 40).upperTail(2), 1e-13, 'F');
    expect(noncentralFUpperTail(0, 3, 40, 2)).toBe(1);
  });

  test('bad parameters and NaN are refused in words', () => {
    expect(() => tDistribution(0)).toThrow('degrees of freedom: expected a number above 0, found 0');
    expect(() => chiSquaredDistribution(Number.NaN)).toThrow('degrees of freedom: expected');
    expect(() => normalDistribution.quantile(1.5)).toThrow('probability: expected a number from 0 to 1, found 1.5');
    expect(() => tDistribution(3).cdf(Number.NaN)).toThrow('value: expected a number, found NaN');
    expect(() => binomialDistribution(2.5, 0.5)).toThrow('number of trials: expected a whole number from 0, found 2.5');
  });
});
