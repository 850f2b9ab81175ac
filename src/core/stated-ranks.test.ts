import { describe, expect, test } from 'vitest';
import { isRank, OrderWitness, repeatedScore, scoreOfRank } from './stated-ranks.js';

describe('OrderWitness', () => {
  const notesOn = (rows: readonly (readonly [topic: number, rank: number, score: number])[]) => {
    const witness = new OrderWitness();
    for (const row of rows) witness.see(...row);
    return witness.notes('do this');
  };

  test('says how many neighbours rise with their ranks, topic by topic', () => {
    // 1–2 and 2–3 rise, 3–4 falls; the next topic begins anew, and equal scores or ranks tell nothing
    const rows = [
      [0, 1, 0.1],
      [0, 2, 0.2],
      [0, 3, 0.3],
      [0, 4, 0.1],
      [1, 1, 0.05],
      [1, 2, 0.05],
      [1, 2, 0.9],
    ] as const;
    expect(notesOn(rows)?.[0]).toMatch(/^scores rise with the ranks stated beside them \(2 of 3 neighbours\), .*, do this$/);
  });

  test('is silent where as many fall as rise, and where ranks fall with scores', () => {
    expect(
      notesOn([
        [0, 1, 1],
        [0, 2, 2],
        [0, 3, 1],
      ]),
    ).toBeUndefined();
    expect(
      notesOn([
        [0, 1, 3],
        [0, 2, 2],
      ]),
    ).toBeUndefined();
    expect(
      notesOn([
        [0, 5, 3],
        [0, 4, 2],
      ]),
    ).toBeDefined();
  });
});

test('repeatedScore finds the first score that is there twice, in its own rows', () => {
  const scores = Float64Array.of(9, 5, 7, 3, 7, 9);
  expect(repeatedScore(scores, 1, 5)).toEqual({ first: 2, second: 4 });
  expect(repeatedScore(scores, 0, 6)).toEqual({ first: 2, second: 4 });
  expect(repeatedScore(scores, 0, 4)).toBeUndefined();
  expect(repeatedScore(Float64Array.of(3, 3), 0, 2)).toEqual({ first: 0, second: 1 });
});

test('ranks are whole numbers from 0 to 2^24, and better ones have higher scores', () => {
  expect([0, 1, 2 ** 24].every(isRank)).toBe(true);
  expect([-1, 1.5, 2 ** 24 + 1, Number.NaN].some(isRank)).toBe(false);
  expect(Object.is(scoreOfRank(0), 0)).toBe(true);
  expect(scoreOfRank(3)).toBe(-3);
});
