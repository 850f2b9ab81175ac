import { describe, expect, test } from 'vitest';
import { expectRelative, statsGolden } from '../../test/helpers/stats-golden.js';
import type { Alternative } from './checks.js';
import { detectableDifference, powerOf, topicsNeeded } from './power.js';

interface Golden {
  power: { topics: number; effect: number; alpha: number; alternative: Alternative; power: number }[];
  topicsNeeded: { effect: number; alpha: number; power: number; topics: number }[];
  anovaPower: { systems: number; topics: number; effect: number; alpha: number; power: number }[];
}

const golden = statsGolden<Golden>('effect-and-power.json');
const standardDeviation = 0.2;

describe('power of the paired t test', () => {
  test('powerOf equals statsmodels TTestPower', () => {
    for (const { topics, effect, alpha, alternative, power } of golden.power) {
      const found = powerOf({ topics, difference: effect * standardDeviation, standardDeviation, alpha, alternative });
      expectRelative(found.power, power, 1e-8, `${topics} topics, d ${effect}`);
      expect(found.method).toBe('paired t test, non-central t');
    }
  });

  test('topicsNeeded is the smallest number that reaches the power', () => {
    for (const { effect, alpha, power, topics } of golden.topicsNeeded) {
      const found = topicsNeeded({ difference: effect * standardDeviation, standardDeviation, alpha, power });
      expect(found.topics).toBe(topics);
      expect(found.power).toBeGreaterThanOrEqual(power);
    }
  });

  test('detectableDifference is undone by powerOf', () => {
    for (const topics of [2, 10, 50, 250]) {
      const { difference } = detectableDifference({ topics, standardDeviation, power: 0.9 });
      expectRelative(powerOf({ topics, difference, standardDeviation }).power, 0.9, 1e-9, `${topics} topics`);
    }
  });
});

describe('power of the analysis of variance', () => {
  test('powerOf for several systems equals statsmodels FTestAnovaPower', () => {
    for (const { systems, topics, effect, alpha, power } of golden.anovaPower) {
      const found = powerOf({ systems, topics, difference: effect * standardDeviation, standardDeviation, alpha });
      expectRelative(found.power, power, 1e-8, `${systems} systems, ${topics} topics`);
      expect(found.method).toBe('one-way analysis of variance, non-central F');
    }
  });

  test('topicsNeeded grows with the number of systems', () => {
    const plan = { difference: 0.1, standardDeviation };
    const needed = [3, 10, 100].map((systems) => topicsNeeded({ ...plan, systems }).topics);
    expect(needed[0]).toBeLessThan(needed[1]);
    expect(needed[1]).toBeLessThan(needed[2]);
  });
});

test('plans that make no sense are refused in words', () => {
  expect(() => topicsNeeded({ difference: 1e-9, standardDeviation: 1 })).toThrow(
    'needs more than 10000000 topics; ask for a larger difference',
  );
  expect(() => powerOf({ topics: 50, difference: 0.1, standardDeviation: 0 })).toThrow('standard deviation: expected');
  expect(() => powerOf({ topics: 50, difference: -0.1, standardDeviation: 1 })).toThrow('difference: expected');
  expect(() => powerOf({ topics: 50, difference: 0.1, standardDeviation: 1, systems: 3, alternative: 'less' })).toThrow(
    'has no meaning for 3 systems',
  );
  expect(() => detectableDifference({ topics: 50, standardDeviation: 1, power: 0.04 })).toThrow('power 0.04 is not above alpha 0.05');
});
