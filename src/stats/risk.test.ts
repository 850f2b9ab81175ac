import { describe, expect, it } from 'vitest';
import { baselineRisk, geoRisks } from './risk.js';

describe('baselineRisk', () => {
  it('by hand: two gains and a loss that counts three times', () => {
    const { uRisk, tRisk, wins, losses } = baselineRisk([0.5, 0.7, 0.2], [0.4, 0.4, 0.3], 2);
    // 0.1, 0.3 and -0.3: mean 1/30; squares of the distances from it 0.18667, over 2 and 3
    expect(uRisk).toBeCloseTo(1 / 30, 14);
    expect(tRisk).toBeCloseTo(1 / 30 / Math.sqrt((0.19 - 3 / 900) / 6), 12);
    expect([wins, losses]).toEqual([2, 1]);
  });

  it('has no TRisk against itself', () => {
    expect(baselineRisk([0.5, 0.7], [0.5, 0.7], 5)).toEqual({ uRisk: 0, tRisk: null, pValue: null, wins: 0, losses: 0 });
  });

  it('with alpha 0 has the p-value of a paired t test', () => {
    // differences 0.1, 0.2, 0.3: t = 0.2 / (0.1 / √3) = 3.4641 with 2 degrees of freedom, two-sided p = 0.0742
    const { tRisk, pValue } = baselineRisk([0.1, 0.2, 0.3], [0, 0, 0], 0);
    expect(tRisk).toBeCloseTo(3.4641016, 6);
    expect(pValue).toBeCloseTo(0.0741799, 6);
  });
});

describe('geoRisks', () => {
  it('by hand: two systems, two topics', () => {
    // each row and column sums to 1: 0.5 is expected everywhere
    const [first, second] = geoRisks(
      [
        [0.8, 0.2],
        [0.2, 0.8],
      ],
      1,
    );
    const z = 0.3 / Math.sqrt(0.5);
    expect(first.zRisk).toBeCloseTo(z - 2 * z, 14);
    expect(second.zRisk).toBeCloseTo(first.zRisk, 14);
    // Φ(-0.212132) = 0.416002
    expect(first.geoRisk).toBeCloseTo(Math.sqrt(0.5 * 0.416002), 5);
  });

  it('leaves a topic alone on which nobody found anything', () => {
    const [with0] = geoRisks(
      [
        [0.5, 0.5, 0],
        [0.5, 0.5, 0],
      ],
      1,
    );
    expect(with0.zRisk).toBe(0);
  });
});
