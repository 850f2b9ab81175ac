import { readFileSync } from 'node:fs';
import { expect } from 'vitest';

/** A recorded reference from `test/golden/stats`. */
export function statsGolden<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`../golden/stats/${name}`, import.meta.url), 'utf8')) as T;
}

/** Relative agreement, with both numbers and their distance in the message. An expected 0 must be met exactly. */
export function expectRelative(actual: number, expected: number, tolerance: number, label: string): void {
  const error = expected === 0 ? Math.abs(actual) : Math.abs(actual - expected) / Math.abs(expected);
  expect(Number.isFinite(actual) && error <= tolerance, `${label}: found ${actual}, expected ${expected}, relative error ${error}`).toBe(
    true,
  );
}
