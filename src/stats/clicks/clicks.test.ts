import { describe, expect, it, test } from 'vitest';
import { seededRandom } from '../../core/numbers/random.js';
import { counterfactual } from './counterfactual.js';
import {
  balanced,
  balancedCredit,
  interleave,
  interleavingMethods,
  interleavingTest,
  probabilityOfList,
  teamDraftCredit,
  teamDraftOutcomes,
} from './interleaving.js';
import { optimisedInterleaving } from './optimised-interleaving.js';

const a = ['a', 'b', 'c', 'd'];
const b = ['b', 'e', 'a', 'f'];

describe('counterfactual', () => {
  const logs = [
    { shown: [1, 2], clicks: [1, 0], ranks: [2, 1] },
    { shown: [1, 2], clicks: [0, 1], ranks: [2, 1] },
  ];
  const options = { propensities: [1, 0.5], rankWeight: (rank: number) => 1 / rank };

  it('by hand: a click at rank 2 counts twice, and a new rank of 2 is worth one half', () => {
    const { ips, snips, effectiveSampleSize, perQuery } = counterfactual(logs, options);
    expect([...perQuery]).toEqual([0.5, 2]);
    expect(ips.value).toBe(1.25);
    expect(ips.standardError).toBeCloseTo(0.75, 14);
    // weights 1 and 2
    expect(snips.value).toBeCloseTo(2.5 / 3, 14);
    expect(effectiveSampleSize).toBeCloseTo(9 / 5, 14);
    // Student's t with one degree of freedom: 12.7062
    expect(ips.high - ips.value).toBeCloseTo(0.75 * 12.7062, 3);
  });

  it('clips chances and tells how many clicks that concerned', () => {
    const { ips, clipped } = counterfactual(logs, { ...options, clip: 0.8 });
    expect(ips.value).toBeCloseTo((0.5 + 1 / 0.8) / 2, 14);
    expect(clipped).toBe(0.5);
  });

  it('IPS and the doubly robust estimate have no bias: simulated clicks, the truth is known', () => {
    const random = seededRandom(5);
    const attraction = [0.9, 0.2, 0.6, 0.1];
    const propensities = [1, 0.6, 0.4, 0.3];
    const ranks = [2, 4, 1, 3];
    const truth = attraction.reduce((sum, value, i) => sum + value / Math.log2(ranks[i] + 1), 0);
    const simulated = Array.from({ length: 4000 }, () => ({
      shown: [1, 2, 3, 4],
      clicks: attraction.map((value, i) => (random.float() < value * propensities[i] ? 1 : 0)),
      ranks,
      // a model that is wrong everywhere
      expected: [0.5, 0.5, 0.5, 0.5],
    }));
    const { ips, doublyRobust } = counterfactual(simulated, { propensities });
    for (const found of [ips, doublyRobust]) {
      expect(Math.abs((found?.value ?? 0) - truth)).toBeLessThan(4 * (found?.standardError ?? 0));
    }
  });

  it('refuses chances outside (0, 1] and logs of one query', () => {
    expect(() => counterfactual(logs, { propensities: [1, 0] })).toThrow('above 0 and up to 1');
    expect(() => counterfactual(logs.slice(1), options)).toThrow('found 1 logged queries, expected two or more');
  });
});

describe('interleaving', () => {
  it('team draft: all outcomes, by hand', () => {
    const outcomes = teamDraftOutcomes(a, b, 4).map(({ list, teams }) => `${list.join('')} ${teams.join('')}`);
    expect(outcomes.sort()).toEqual(['abce ABAB', 'abec ABBA', 'bace BAAB', 'baec BABA']);
  });

  it('draws team draft lists as often as they are likely', () => {
    const random = seededRandom(2);
    const counts = new Map<string, number>();
    for (let i = 0; i < 4000; i++) {
      const key = interleave('team-draft', a, b, 4, random).list.join('');
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    for (const key of ['abce', 'abec', 'bace', 'baec']) expect(Math.abs((counts.get(key) ?? 0) - 1000)).toBeLessThan(4 * Math.sqrt(750));
  });

  it('draws probabilistic lists as often as probabilityOfList says', () => {
    const random = seededRandom(3);
    let hits = 0;
    for (let i = 0; i < 5000; i++) if (interleave('probabilistic', a, b, 3, random).list.join('') === 'abe') hits++;
    const chance = probabilityOfList(a, b, ['a', 'b', 'e']);
    expect(Math.abs(hits / 5000 - chance)).toBeLessThan(4 * Math.sqrt((chance * (1 - chance)) / 5000));
  });

  it('balanced interleaving and its credit, by hand', () => {
    expect(balanced(a, b, 4, 'A').list).toEqual(['a', 'b', 'e', 'c']);
    expect(balancedCredit(a, b, ['a', 'b', 'e', 'c'], ['b', 'e'])).toEqual({ a: 1, b: 2, k: 2 });
    expect(balancedCredit(a, b, ['a', 'b', 'e', 'c'], [])).toEqual({ a: 0, b: 0, k: 0 });
  });

  it.each(interleavingMethods)('%s: a user who prefers what A puts first makes A win', (method) => {
    const random = seededRandom(9);
    const differences = Array.from({ length: 300 }, () => {
      const made = interleave(method, a, b, 4, random);
      expect(new Set(made.list).size).toBe(made.list.length);
      const clicked = made.list.filter((doc) => doc === 'a' || doc === 'c');
      const credit = method === 'team-draft' ? teamDraftCredit(made, clicked) : balancedCredit(a, b, made.list, clicked);
      return credit.a - credit.b;
    });
    expect(interleavingTest(differences).winsA).toBeGreaterThan(interleavingTest(differences).winsB);
  });

  test('the sign test and Wilson interval, by hand', () => {
    // 8 wins to 2, and 2 ties: 2 · (1 + 10 + 45) / 1024
    const found = interleavingTest([...new Array(8).fill(1), -1, -2, 0, 0]);
    expect(found.pValue).toBeCloseTo(112 / 1024, 12);
    expect(found.effect).toBeCloseTo(9 / 12 - 0.5, 14);
    // Wilson's interval of 9 of 12: 0.4677 to 0.9111
    expect(found.low + 0.5).toBeCloseTo(0.4677, 4);
    expect(found.high + 0.5).toBeCloseTo(0.9111, 4);
    expect(interleavingTest([]).pValue).toBe(1);
  });

  it('optimised: a random clicker favours neither at any depth', () => {
    const { lists, probabilities, feasible, objective } = optimisedInterleaving(a, b, 3);
    expect(feasible).toBe(true);
    expect(probabilities.reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1, 9);
    const rank = (ranking: readonly string[], doc: string): number => (ranking.includes(doc) ? ranking.indexOf(doc) : ranking.length) + 1;
    for (let m = 1; m <= 3; m++) {
      const lead = lists.map((list) => list.slice(0, m).reduce((sum, doc) => sum + rank(b, doc) - rank(a, doc), 0));
      expect(lead.reduce((sum, value, i) => sum + value * probabilities[i], 0)).toBeCloseTo(0, 9);
    }
    // found by another program
    expect(objective).toBeCloseTo(0.9221199046524055, 9);
  });
});
