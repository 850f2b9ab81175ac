import { describe, expect, test } from 'vitest';
import { closest } from './closest.js';

describe('closest(name, names)', () => {
  const names = ['nDCG', 'AP', 'map', 'recip_rank', 'measure', 'P'];

  test.each([
    ['ndgc', 'nDCG'], // two letters swapped count as one slip
    ['mpa', 'map'],
    ['recip_rnk', 'recip_rank'],
    ['mesaures', 'measure'],
    ['NDCG', 'nDCG'], // capitals do not count
  ])('takes %s for a slip of %s', (written, meant) => {
    expect(closest(written, names)).toBe(meant);
  });

  test.each(['foo', 'bar', 'x', '', 'precision'])('has no guess for %j', (written) => {
    expect(closest(written, names)).toBeUndefined();
  });
});
