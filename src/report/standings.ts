import type { Comparison } from '../stats/compare.js';

/** Above so many systems only the group of the best is drawn, and only the best of them are on the first page. */
export const MOST_GROUPED = 20;

/** `1–6`, or `2` where a system is nowhere else. */
export function rankText({ low, high }: { readonly low: number; readonly high: number }): string {
  return low === high ? String(low) : `${low}–${high}`;
}

/** Which of two systems comes first, by their means. */
export function meanOrder({ systems, direction }: Comparison['measures'][number], a: number, b: number): number {
  const value = (s: number): number =>
    Number.isNaN(systems[s].mean) ? Number.POSITIVE_INFINITY : (direction === 'lower' ? 1 : -1) * systems[s].mean;
  return value(a) === value(b) ? a - b : value(a) - value(b);
}
