import { expect, test } from 'vitest';
import { betaDistribution, chiSquaredDistribution, fDistribution, tDistribution } from './distributions.js';
import { gaussian, normalUpperTail } from './special-functions.js';

// mpmath with 40 digits: exp(-x²/2) and erfc(x/√2)/2
const recorded: readonly [x: number, density: number, tail: number][] = [
  [0.5, 0.8824969025845955, 0.3085375387259869],
  [3.3, 0.004317840007633082, 0.0004834241423837775],
  [12.34567, 8.005343749275882e-34, 2.570225739252898e-35],
  [30.123456789, 9.029743425379547e-198, 1.1945473740014353e-199],
];

test.each(recorded)('exp(−x²/2) and the normal tail keep their last digits at %f', (x, density, tail) => {
  expect(Math.abs(gaussian(x) / density - 1)).toBeLessThan(5e-16);
  expect(Math.abs(gaussian(-x) / density - 1)).toBeLessThan(5e-16);
  expect(Math.abs(normalUpperTail(x) / tail - 1)).toBeLessThan(2e-15);
  expect(normalUpperTail(-x)).toBeCloseTo(1 - tail, 15);
});

test('the normal tail is 0 where a double cannot hold it', () => {
  expect(normalUpperTail(41)).toBe(0);
  expect(normalUpperTail(-41)).toBe(1);
});

test('tails end where the support ends', () => {
  for (const distribution of [chiSquaredDistribution(3), fDistribution(2, 5), tDistribution(4)]) {
    expect(distribution.upperTail(Number.POSITIVE_INFINITY)).toBe(0);
    expect(distribution.cdf(Number.POSITIVE_INFINITY)).toBe(1);
  }
  const beta = betaDistribution(2, 3);
  for (const x of [1, 1.5]) expect([beta.cdf(x), beta.upperTail(x)]).toEqual([1, 0]);
  for (const x of [0, -1]) expect([beta.cdf(x), beta.upperTail(x)]).toEqual([0, 1]);
});
