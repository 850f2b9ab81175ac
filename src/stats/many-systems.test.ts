import { describe, expect, test } from 'vitest';
import { expectRelative, statsGolden } from '../../test/helpers/stats-golden.js';
import { oneWayAnova, twoWayAnova } from './anova.js';
import { friedmanTest, nemenyiTest } from './friedman.js';
import { pairNumber } from './resampling.js';
import { pairedTTest } from './t-test.js';
import { randomizedTukeyHsd, tukeyHsd } from './tukey-hsd.js';

interface Golden {
  matrices: {
    systems: number[][];
    twoWay: Record<'systems' | 'topics' | 'error', number[]>;
    oneWay: { statistic: number; pValue: number };
    friedman: { statistic: number; pValue: number };
    meanRanks: number[];
    tukeyOneWay: number[];
    tukeyOneWayHalfWidth: number;
    tukeyTwoWay: number[];
    nemenyi: number[];
  }[];
  enumeratedTukey: { systems: number[][]; shares: number[] }[];
}

const golden = statsGolden<Golden>('many-systems.json');
/** scipy integrates the studentised range to about this accuracy. */
const SCIPY_RANGE = 1e-7;

describe('analysis of variance', () => {
  test('twoWayAnova has the table of statsmodels', () => {
    for (const { systems, twoWay } of golden.matrices) {
      const found = twoWayAnova({ systems });
      for (const effect of ['systems', 'topics'] as const) {
        const line = found[effect];
        const values = [line.sumOfSquares, line.degreesOfFreedom, line.meanSquare, line.statistic, line.pValue];
        values.forEach((value, i) => {
          expectRelative(value, twoWay[effect][i], 1e-9, `${effect}, column ${i}`);
        });
      }
      const error = [found.error.sumOfSquares, found.error.degreesOfFreedom, found.error.meanSquare];
      error.forEach((value, i) => {
        expectRelative(value, twoWay.error[i], 1e-9, `error, column ${i}`);
      });
    }
  });

  test('oneWayAnova has F and p of scipy.stats.f_oneway', () => {
    for (const { systems, oneWay } of golden.matrices) {
      const found = oneWayAnova({ systems });
      expectRelative(found.systems.statistic, oneWay.statistic, 1e-10, 'F');
      expectRelative(found.systems.pValue, oneWay.pValue, 1e-10, 'p');
    }
  });

  test('twoWayAnova of two systems is the paired t test, F = t²', () => {
    const [first, second] = golden.matrices[2].systems;
    const t = pairedTTest({ first, second });
    const found = twoWayAnova({ systems: [first, second] });
    expectRelative(found.systems.statistic, t.statistic ** 2, 1e-11, 'F');
    expectRelative(found.systems.pValue, t.pValue, 1e-10, 'p');
  });

  test('twoWayAnova of additive scores has no error: certain if the systems differ, 1 if they do not', () => {
    const topics = [0.1, 0.5, 0.7];
    const shifted = twoWayAnova({ systems: [topics, topics.map((score) => score + 0.25)] });
    expect(shifted.systems).toMatchObject({ statistic: Number.POSITIVE_INFINITY, pValue: 0 });
    expect(twoWayAnova({ systems: [topics, topics] }).systems).toMatchObject({ statistic: 0, pValue: 1 });
  });
});

describe('tukeyHsd', () => {
  test('one-way equals scipy.stats.tukey_hsd, two-way the studentised range of scipy', () => {
    for (const { systems, tukeyOneWay, tukeyOneWayHalfWidth, tukeyTwoWay } of golden.matrices) {
      const oneWay = tukeyHsd({ systems, design: 'one-way' });
      const twoWay = tukeyHsd({ systems });
      oneWay.pValues.forEach((p, pair) => {
        expect(p).toBeCloseTo(tukeyOneWay[pair], 7);
        expect(twoWay.pValues[pair]).toBeCloseTo(tukeyTwoWay[pair], 7);
      });
      expectRelative(oneWay.halfWidth, tukeyOneWayHalfWidth, SCIPY_RANGE, 'half width');
      expect(twoWay.method).toBe('studentised range after two-way analysis of variance');
    }
  });

  test('of two systems is the paired t test', () => {
    const [first, second] = golden.matrices[3].systems;
    const t = pairedTTest({ first, second });
    const found = tukeyHsd({ systems: [first, second] });
    expectRelative(found.pValues[0], t.pValue, 1e-10, 'p');
    expectRelative(found.halfWidth, (t.interval.high - t.interval.low) / 2, 1e-10, 'half width');
  });

  test('of equal systems is 1, of systems that differ by a constant 0', () => {
    const topics = [0.1, 0.5, 0.7];
    expect([...tukeyHsd({ systems: [topics, topics, topics] }).pValues]).toEqual([1, 1, 1]);
    expect([...tukeyHsd({ systems: [topics, topics.map((score) => score + 0.25)] }).pValues]).toEqual([0]);
  });
});

describe('randomizedTukeyHsd', () => {
  test('p-values approach those of full enumeration', () => {
    const resamples = 40_000;
    for (const { systems, shares } of golden.enumeratedTukey) {
      const found = randomizedTukeyHsd({ systems, seed: 31, resamples });
      found.pValues.forEach((p, pair) => {
        expect(Math.abs(p - shares[pair])).toBeLessThanOrEqual(
          1 / resamples + 4 * Math.sqrt((shares[pair] * (1 - shares[pair])) / resamples),
        );
      });
    }
  });

  test('is the same twice, counts the observed deal, and falls with the difference', () => {
    const { systems } = golden.matrices[3];
    const options = { systems, seed: 7, resamples: 999 };
    const found = randomizedTukeyHsd(options);
    expect(randomizedTukeyHsd(options)).toEqual(found);
    expect(Math.min(...found.pValues)).toBeGreaterThanOrEqual(1 / 1000);
    const order = [...found.pValues.keys()].sort((a, b) => Math.abs(found.meanDifferences[a]) - Math.abs(found.meanDifferences[b]));
    for (let k = 1; k < order.length; k++) expect(found.pValues[order[k]]).toBeLessThanOrEqual(found.pValues[order[k - 1]]);
    expect(found).toMatchObject({ test: 'randomised Tukey HSD', resamples: 999, seed: 7, topics: 50 });
  });

  test('takes ranges computed elsewhere, and refuses a wrong number of them', () => {
    const systems = [
      [1, 2, 3],
      [3, 2, 2],
    ];
    const ranges = Float64Array.of(0.1, 0.4, 0.3);
    // the means differ by 1/3: one of three ranges reaches it, and the observed deal does
    expect(randomizedTukeyHsd({ systems, seed: 0, resamples: 3, ranges }).pValues[0]).toBe(2 / 4);
    expect(() => randomizedTukeyHsd({ systems, seed: 0, resamples: 4, ranges })).toThrow('number of ranges: expected');
  });
});

describe('friedmanTest and nemenyiTest', () => {
  test('statistic and p-value equal scipy.stats.friedmanchisquare, with ties', () => {
    for (const { systems, friedman, meanRanks } of golden.matrices) {
      const found = friedmanTest({ systems });
      expectRelative(found.statistic, friedman.statistic, 1e-11, 'statistic');
      expectRelative(found.pValue, friedman.pValue, 1e-10, 'p');
      found.meanRanks.forEach((rank, s) => {
        expect(rank).toBeCloseTo(meanRanks[s], 12);
      });
    }
  });

  test('nemenyiTest has the p-values of the studentised range of scipy', () => {
    for (const { systems, nemenyi } of golden.matrices) {
      nemenyiTest({ systems }).pValues.forEach((p, pair) => {
        expect(p).toBeCloseTo(nemenyi[pair], 7);
      });
    }
  });

  test('nemenyiTest has the critical differences that Demšar prints', () => {
    // his q is the studentised range over √2, at 0.05 for 2 to 10 systems (JMLR 7, 2006, table 5a), cut or rounded to 3 decimals
    const printed = [1.96, 2.343, 2.569, 2.728, 2.85, 2.949, 3.031, 3.102, 3.164];
    printed.forEach((q, i) => {
      const k = i + 2;
      const systems = Array.from({ length: k }, (_, s) => [s, 0, 1, s * 2, 3, 0, s, 1, 2, 4, 1, s]);
      const found = nemenyiTest({ systems }).criticalDifference / Math.sqrt((k * (k + 1)) / (6 * 12));
      expect(Math.abs(found - q)).toBeLessThan(0.001);
    });
  });

  test('friedmanTest of equal systems is 1; its F form follows from the statistic', () => {
    expect(
      friedmanTest({
        systems: [
          [1, 2],
          [1, 2],
          [1, 2],
        ],
      }),
    ).toMatchObject({ statistic: 0, pValue: 1, imanDavenport: { statistic: 0, pValue: 1 } });
    const { systems } = golden.matrices[2];
    const found = friedmanTest({ systems });
    const topics = systems[0].length;
    const expected = ((topics - 1) * found.statistic) / (topics * (systems.length - 1) - found.statistic);
    expectRelative(found.imanDavenport.statistic, expected, 1e-14, 'F');
  });

  test('every pair has its place', () => {
    const { systems, meanRanks } = golden.matrices[1];
    const found = nemenyiTest({ systems });
    expect(found.rankDifferences[pairNumber(1, 3, systems.length)]).toBeCloseTo(meanRanks[1] - meanRanks[3], 12);
  });
});
