import { describe, expect, test } from 'vitest';
import { positiveQuantile, rootBetween } from './root-finding.js';

/** Counts calls, because a method that has lost its interpolation still finds the root, by halving. */
function counted(f: (x: number) => number): { f: (x: number) => number; calls: () => number } {
  let calls = 0;
  return {
    f: (x) => {
      calls++;
      return f(x);
    },
    calls: () => calls,
  };
}

const cases: readonly [name: string, f: (x: number) => number, low: number, high: number, root: number][] = [
  ['x² − 2', (x) => x * x - 2, 0, 2, Math.SQRT2],
  ['x² − 2, from the other side', (x) => 2 - x * x, 0, 2, Math.SQRT2],
  ['x² − 2, below 0', (x) => x * x - 2, -2, 0, -Math.SQRT2],
  ['cos x − x', (x) => Math.cos(x) - x, 0, 1, 0.7390851332151607],
  ['x³ − 2x − 5', (x) => x * x * x - 2 * x - 5, 2, 3, 2.0945514815423265],
  ['exp x − 10', (x) => Math.exp(x) - 10, 0, 20, Math.LN10],
  ['ln x', (x) => Math.log(x), 0.01, 50, 1],
  ['(x − 3)^9', (x) => (x - 3) ** 9, 0, 10, 3],
  ['a step', (x) => (x < 0.3 ? -1 : 1), 0, 1, 0.3],
  ['far out', (x) => x - 1e12, 0, 1e15, 1e12],
];

describe('rootBetween', () => {
  test.each(cases)('finds the root of %s', (_, f, low, high, root) => {
    const tolerance = root === 3 ? 1e-2 : 1e-14 * Math.abs(root);
    expect(Math.abs(rootBetween(f, low, high) - root)).toBeLessThanOrEqual(tolerance);
    expect(Math.abs(rootBetween(f, high, low) - root)).toBeLessThanOrEqual(tolerance);
  });

  test('takes few steps where the function is smooth, and no more than twice those of halving where it is not', () => {
    const callsFor = (f: (x: number) => number, low: number, high: number): number => {
      const one = counted(f);
      rootBetween(one.f, low, high);
      return one.calls();
    };
    // halving takes 52 steps for 52 bits
    for (const [name, f, low, high] of cases.slice(0, 7)) expect([name, callsFor(f, low, high) <= 17]).toEqual([name, true]);
    expect(callsFor((x) => (x < 0.3 ? -1 : 1), 0, 1)).toBeLessThanOrEqual(110);
    expect(callsFor((x) => (x - 3) ** 9, 0, 10)).toBeLessThanOrEqual(200);
    expect(callsFor((x) => x, -1, 1)).toBeLessThanOrEqual(4);
  });

  test('an end that is the root is the answer', () => {
    expect(rootBetween((x) => x - 1, 1, 5)).toBe(1);
    expect(rootBetween((x) => x - 5, 1, 5)).toBe(5);
  });
});

describe('positiveQuantile', () => {
  test('undoes tails that grow and tails that fall, however far out', () => {
    const start = 1;
    for (const p of [0.9, 0.5, 1e-3, 1e-100, 1e-300]) {
      // exp(−x) = p
      const upper = positiveQuantile((x) => Math.exp(-x), p, -1, start);
      expect(Math.abs(upper / -Math.log(p) - 1)).toBeLessThan(1e-13);
      // the same from where the tail has underflowed, or lies near 1
      for (const from of [1e-9, 1e3, 1e9]) {
        expect(Math.abs(positiveQuantile((x) => Math.exp(-x), p, -1, from) / -Math.log(p) - 1)).toBeLessThan(1e-13);
      }
      // x/(1 + x) = p, whatever the start
      for (const from of [1e-5, 1, 1e5]) {
        const lower = positiveQuantile((x) => x / (1 + x), p, 1, from);
        expect(Math.abs(lower / (p / (1 - p)) - 1)).toBeLessThan(1e-12);
      }
    }
  });

  test('is the start itself where that is right, 0 and infinity where nothing is', () => {
    expect(positiveQuantile((x) => Math.min(1, x), 0.25, 1, 0.25)).toBe(0.25);
    expect(positiveQuantile(() => 0.5, 0.1, 1, 1)).toBe(0);
    expect(positiveQuantile(() => 0.5, 0.9, 1, 1)).toBe(Number.POSITIVE_INFINITY);
    expect(positiveQuantile(() => 0, 0.5, 1, 1)).toBe(Number.POSITIVE_INFINITY);
  });
});
