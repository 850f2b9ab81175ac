import { describe, expect, test } from 'vitest';
import { expectRelative, statsGolden } from '../../test/helpers/stats-golden.js';
import type { Alternative } from './checks.js';
import { signTest, winTieLoss } from './sign-test.js';

interface Golden {
  samples: {
    first: number[];
    second: number[];
    sign: { alternative: Alternative; deadBand: number; wins: number; losses: number; pValue: number }[];
  }[];
}

describe('signTest', () => {
  test('counts and p-values equal scipy.stats.binomtest', () => {
    for (const { first, second, sign } of statsGolden<Golden>('paired-tests.json').samples) {
      for (const { alternative, deadBand, wins, losses, pValue } of sign) {
        const found = signTest({ first, second, alternative, deadBand });
        expect([found.wins, found.losses, found.ties]).toEqual([wins, losses, first.length - wins - losses]);
        expectRelative(found.pValue, pValue, 1e-12, `${wins} wins, ${losses} losses, ${alternative}`);
      }
    }
  });

  test('a difference that equals the dead band is a tie, however it is rounded', () => {
    // 0.11 − 0.1 is 0.009999999999999995 and 0.35 − 0.34 is 0.010000000000000009
    expect(winTieLoss({ first: [0.11, 0.35, 0.5], second: [0.1, 0.34, 0.2], deadBand: 0.01 })).toEqual({ wins: 1, ties: 2, losses: 0 });
  });

  test('with ties only is 1', () => {
    expect(signTest({ first: [1, 2], second: [1, 2] })).toMatchObject({ test: 'sign', method: 'exact binomial', ties: 2, pValue: 1 });
  });

  test('refuses a dead band below 0', () => {
    expect(() => winTieLoss({ first: [1], second: [1], deadBand: -1 })).toThrow('dead band: expected a number from 0, found -1');
  });
});
