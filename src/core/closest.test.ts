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

  test('does not compare a very long name letter by letter', () => {
    expect(closest('n'.repeat(20_000_000), names)).toBeUndefined();
    expect(closest('x', ['y'.repeat(20_000_000)])).toBeUndefined();
  });

  test.each(['foo', 'bar', 'x', '', 'precision'])('has no guess for %j', (written) => {
    expect(closest(written, names)).toBeUndefined();
  });
});
