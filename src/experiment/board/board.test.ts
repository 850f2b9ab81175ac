import { describe, expect, test } from 'vitest';
import { ScoreTable } from '../../core/score-table.js';
import { compareSystems } from '../../stats/compare.js';
import { boardOf } from './board.js';
import { maximalGroups } from './groups.js';
import { withoutBestTopics } from './without-topics.js';

describe('maximalGroups', () => {
  const groups = (size: number, apart: readonly string[]): string[] =>
    maximalGroups(size, (a, b) => apart.includes(`${Math.min(a, b)}${Math.max(a, b)}`)).map((group) => group.join(''));

  test('one group if nothing is told apart, each alone if everything is', () => {
    expect(groups(4, [])).toEqual(['0123']);
    expect(groups(3, ['01', '02', '12'])).toEqual(['0', '1', '2']);
    expect(groups(0, [])).toEqual([]);
  });

  test('groups overlap, and need not be rows of neighbours', () => {
    expect(groups(3, ['02'])).toEqual(['01', '12']);
    // 1 falls out of the second group
    expect(groups(4, ['03', '13'])).toEqual(['012', '23']);
    expect(groups(4, ['02', '13'])).toEqual(['01', '03', '12', '23']);
  });

  test('are all maximal sets, by trying every set', () => {
    let seed = 7;
    const next = (): number => {
      seed = (seed * 48271) % 2147483647;
      return seed / 2147483647;
    };
    for (let round = 0; round < 40; round++) {
      const size = 1 + Math.floor(next() * 7);
      const apart = new Set<string>();
      for (let a = 0; a < size; a++) for (let b = a + 1; b < size; b++) if (next() < 0.4) apart.add(`${a}${b}`);
      const isSet = (places: readonly number[]): boolean =>
        places.every((a, i) => places.slice(i + 1).every((b) => !apart.has(`${a}${b}`)));
      const all = Array.from({ length: 2 ** size }, (_, bits) =>
        Array.from({ length: size }, (_, i) => i).filter((i) => (bits >> i) & 1),
      ).filter((places) => places.length > 0 && isSet(places));
      const maximal = all.filter(
        (places) => !all.some((other) => other.length > places.length && places.every((place) => other.includes(place))),
      );
      expect(groups(size, [...apart]).sort()).toEqual(maximal.map((places) => places.join('')).sort());
    }
  });
});

describe('withoutBestTopics', () => {
  // differences 1, 2, 3, 6: p by hand from the closed forms of t with 3, 2 and 1 degrees of freedom
  const found = withoutBestTopics([
    [2, 4, 6, 7],
    [1, 2, 3, 1],
  ]);

  test('leaves out the most favourable topics one by one, as long as there is something to test', () => {
    expect(found.map(({ count }) => count)).toEqual([0, 1, 2]);
    expect(found.map(({ difference }) => difference)).toEqual([3, 2, 1.5]);
    expect(found[0].pValue).toBeCloseTo(0.069137, 6);
    expect(found[1].pValue).toBeCloseTo(0.07418, 6);
    expect(found[2].pValue).toBeCloseTo(0.204833, 6);
  });
});

describe('boardOf', () => {
  const topics = Array.from({ length: 12 }, (_, t) => `t${t}`);
  const column = (name: string): ScoreTable['columns'][number] =>
    ({ name, aggregate: 'mean', empty: 'skip' }) as ScoreTable['columns'][number];
  // c is far better than b, b and a differ by noise
  const rows = [
    topics.map((_, t) => 0.2 + (t % 3) * 0.05),
    topics.map((_, t) => 0.2 + ((t + 1) % 3) * 0.05),
    topics.map((_, t) => 0.7 + (t % 4) * 0.02),
  ];
  const table = new ScoreTable(['a', 'b', 'c'], topics, [column('AP')], Float64Array.from(rows.flat()), []);
  const standings = boardOf({ table }, compareSystems(table, { missing: 'skip' }));

  test('puts the best first, with all that are not told apart on one bar', () => {
    expect(standings.order).toEqual([2, 0, 1]);
    expect(standings.groups).toEqual([[0], [1, 2]]);
    expect(standings.systems.map(({ rank }) => rank)).toEqual([2, 2, 1]);
    expect(standings.againstBest.map(({ system, toldApart, wins, losses }) => [system, toldApart, wins, losses])).toEqual([
      [0, true, 12, 0],
      [1, true, 12, 0],
    ]);
  });

  test('says how far a rank may be off: the best stays the best in every sample', () => {
    expect([standings.systems[2].rankLow, standings.systems[2].rankHigh]).toEqual([1, 1]);
    expect(standings.systems[0].rankHigh).toBe(3);
  });

  test('goes from easy topics to hard ones', () => {
    const means = standings.topics.map((_, t) => standings.scores.reduce((sum, own) => sum + own[t], 0));
    expect(means).toEqual([...means].sort((a, b) => b - a));
    expect(new Set(standings.topics).size).toBe(12);
  });
});
