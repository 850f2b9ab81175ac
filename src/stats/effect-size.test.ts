import { describe, expect, test } from 'vitest';
import { expectRelative, statsGolden } from '../../test/helpers/stats-golden.js';
import { effectSizes, hedgesCorrection, meanInterval } from './effect-size.js';
import { pairedTTest } from './t-test.js';

interface Golden {
  sizes: {
    first: number[];
    second: number[];
    cohenDz: number;
    cohenDzInterval: [number, number];
    hedgesG: number;
    glassDelta: number;
  }[];
}

describe('effectSizes', () => {
  test('values by their definitions and the interval of d_z by the non-central t of scipy', () => {
    for (const golden of statsGolden<Golden>('effect-and-power.json').sizes) {
      const found = effectSizes(golden);
      expectRelative(found.cohenDz.value ?? Number.NaN, golden.cohenDz, 1e-10, 'd_z');
      expectRelative(found.hedgesG.value ?? Number.NaN, golden.hedgesG, 1e-10, 'g');
      expectRelative(found.glassDelta.value ?? Number.NaN, golden.glassDelta, 1e-10, 'Δ');
      expect(found.cohenDz.interval?.low).toBeCloseTo(golden.cohenDzInterval[0], 8);
      expect(found.cohenDz.interval?.high).toBeCloseTo(golden.cohenDzInterval[1], 8);
    }
  });

  test('intervals of g and Δ are that of d_z in their own unit, and all three leave out 0 together', () => {
    const [, , { first, second }] = statsGolden<Golden>('effect-and-power.json').sizes;
    const found = effectSizes({ first, second, level: 0.9 });
    for (const size of [found.hedgesG, found.glassDelta]) {
      const unit = (size.value ?? 0) / (found.cohenDz.value ?? 1);
      expect(size.interval?.low).toBeCloseTo(unit * (found.cohenDz.interval?.low ?? 0), 12);
      expect(size.interval?.high).toBeCloseTo(unit * (found.cohenDz.interval?.high ?? 0), 12);
      expect(size.interval?.level).toBe(0.9);
    }
    expect(found.meanDifference.interval).toEqual(pairedTTest({ first, second, level: 0.9 }).interval);
  });

  test('change sign with the systems, but for Δ, which is measured by the other spread', () => {
    const first = [0.3, 0.5, 0.9, 0.2];
    const second = [0.2, 0.6, 0.5, 0.1];
    const forth = effectSizes({ first, second });
    const back = effectSizes({ first: second, second: first });
    expect(back.cohenDz.value).toBeCloseTo(-(forth.cohenDz.value ?? 0), 14);
    expect(back.cohenDz.interval?.low).toBeCloseTo(-(forth.cohenDz.interval?.high ?? 0), 9);
    expect(back.glassDelta.value).not.toBeCloseTo(-(forth.glassDelta.value ?? 0), 3);
  });

  test('are null where there is no spread to measure by', () => {
    const found = effectSizes({ first: [1.5, 2.5, 3.5], second: [0.5, 1.5, 2.5] });
    expect(found.cohenDz).toEqual({ value: null, interval: null });
    // the systems themselves vary, so g has a value, but no interval without a spread of the differences
    expect(found.glassDelta).toEqual({ value: 1, interval: null });
  });

  test('hedgesCorrection(df) is near 1 − 3/(4df − 1)', () => {
    for (const df of [10, 50, 98, 500]) expect(hedgesCorrection(df)).toBeCloseTo(1 - 3 / (4 * df - 1), 3);
    // df = 2: Γ(1)/(√1·Γ(1/2)) = 1/√π
    expectRelative(hedgesCorrection(2), 1 / Math.sqrt(Math.PI), 1e-14, 'J(2)');
  });

  test('meanInterval of 1, 2, 3 is 2 ± t·1/√3', () => {
    const { mean, interval } = meanInterval({ values: [1, 2, 3] });
    expect(mean).toBe(2);
    // t with two degrees of freedom has a closed form: (2p − 1)/√(2p(1 − p)) at p = 0.975
    expect(interval.high - 2).toBeCloseTo(0.95 / Math.sqrt(2 * 0.975 * 0.025) / Math.sqrt(3), 12);
  });

  test('a constant difference has no standardised size, although its last bits differ', () => {
    const first = [0.2, 0.3, 0.4, 0.5, 0.6];
    const { cohenDz, meanDifference } = effectSizes({ first, second: first.map((value) => value - 0.1) });
    expect(cohenDz).toEqual({ value: null, interval: null });
    expect(meanDifference.value).toBeCloseTo(0.1, 12);
  });

  test('an enormous t has an interval too, near the limit of the exact one', () => {
    // the exact interval and its limit meet at t = 1000: d_z scales with t there
    const differences = [1, 1 + 1e-3, 1 - 1e-3, 1 + 2e-3, 1 - 2e-3];
    const zeros = differences.map(() => 0);
    const exact = effectSizes({ first: differences.map((d) => 1 + (d - 1) * 1.5), second: zeros }).cohenDz;
    const limit = effectSizes({ first: differences.map((d) => 1 + (d - 1) * 1.2), second: zeros }).cohenDz;
    expect(exact.value! * Math.sqrt(5)).toBeLessThan(1000);
    expect(limit.value! * Math.sqrt(5)).toBeGreaterThan(1000);
    expect(limit.interval!.low / limit.value!).toBeCloseTo(exact.interval!.low / exact.value!, 5);
    expect(limit.interval!.high / limit.value!).toBeCloseTo(exact.interval!.high / exact.value!, 5);
  });
});
