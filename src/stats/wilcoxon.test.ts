import { describe, expect, test } from 'vitest';
import { expectRelative, statsGolden } from '../../test/helpers/stats-golden.js';
import type { Alternative } from './checks.js';
import { wilcoxonSignedRank } from './wilcoxon.js';

interface Golden {
  samples: {
    first: number[];
    second: number[];
    wilcoxon: {
      alternative: Alternative;
      zeros: 'wilcoxon' | 'pratt';
      method: 'exact' | 'asymptotic';
      continuity?: boolean;
      pValue: number;
    }[];
  }[];
  exactWithoutTies: { differences: number[]; alternative: Alternative; pValue: number }[];
}

const golden = statsGolden<Golden>('paired-tests.json');

describe('wilcoxonSignedRank', () => {
  for (const method of ['exact', 'asymptotic'] as const) {
    test(`${method}: p-values of scipy and of full enumeration, with ties and zeros`, () => {
      let compared = 0;
      for (const { first, second, wilcoxon } of golden.samples) {
        for (const { alternative, zeros, continuity = true, pValue } of wilcoxon.filter((row) => row.method === method)) {
          const found = wilcoxonSignedRank({ first, second, alternative, zeros, method, continuity, tieTolerance: 1e-9 });
          expectRelative(found.pValue, pValue, 1e-11, `${first.length} topics, ${alternative}, ${zeros}, continuity ${continuity}`);
          compared++;
        }
      }
      expect(compared).toBeGreaterThan(20);
    });
  }

  test('exact without ties equals scipy up to 50 topics', () => {
    for (const { differences, alternative, pValue } of golden.exactWithoutTies) {
      const found = wilcoxonSignedRank({ first: differences, second: differences.map(() => 0), alternative });
      expect(found.method).toBe('exact');
      expectRelative(found.pValue, pValue, 1e-11, `${differences.length} differences, ${alternative}`);
    }
  });

  test('of five wins is 2/32, and its rank sums are 15 and 0', () => {
    const found = wilcoxonSignedRank({ first: [1, 2, 3, 4, 5], second: [0, 0, 0, 0, 0] });
    expect(found).toMatchObject({ pValue: 2 / 32, positiveRankSum: 15, negativeRankSum: 0, differing: 5, z: null });
  });

  test('says which method auto took, and what it did with the zeros', () => {
    const many = Float64Array.from({ length: 60 }, (_, i) => Math.sin(i) + 0.2);
    const none = new Float64Array(60);
    expect(wilcoxonSignedRank({ first: many, second: none }).method).toBe('asymptotic with continuity correction');
    expect(wilcoxonSignedRank({ first: many, second: none, continuity: false }).method).toBe('asymptotic');
    expect(wilcoxonSignedRank({ first: many, second: none, method: 'exact' }).method).toBe('exact');
    expect(wilcoxonSignedRank({ first: [1, 0, 2], second: [0, 0, 0], zeros: 'pratt' })).toMatchObject({
      zeros: 'pratt',
      differing: 2,
      topics: 3,
    });
  });

  test('tieTolerance ties what only rounding tells apart', () => {
    // 0.3 − 0.2 is 0.09999999999999998 and 0.2 − 0.1 is 0.1
    const scores = { first: [0.3, 0.1, 0.9], second: [0.2, 0.2, 0.1] };
    expect(wilcoxonSignedRank(scores).positiveRankSum).toBe(1 + 3);
    expect(wilcoxonSignedRank({ ...scores, tieTolerance: 1e-9 }).positiveRankSum).toBe(1.5 + 3);
  });

  test('without any difference is 1', () => {
    const same = { first: [1, 2, 3], second: [1, 2, 3] };
    for (const method of ['exact', 'asymptotic'] as const) {
      for (const zeros of ['wilcoxon', 'pratt'] as const) expect(wilcoxonSignedRank({ ...same, method, zeros }).pValue).toBe(1);
    }
  });

  test('refuses an exact count that would take too long', () => {
    const first = Float64Array.from({ length: 1001 }, (_, i) => i + 1);
    expect(() => wilcoxonSignedRank({ first, second: new Float64Array(1001), method: 'exact' })).toThrow(
      'exact Wilcoxon over 1001 topics is too large; use the asymptotic method',
    );
  });
});
