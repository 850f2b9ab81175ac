import { describe, expect, test } from 'vitest';
import { listsAgreement, type ResultList, scoreAgreement } from './agreement.js';
import { kendallTau } from './correlation/kendall-tau.js';
import { rankBiasedOverlap } from './correlation/rank-biased-overlap.js';

const items = ['a', 'b', 'c', 'd', 'e'];
const first = [0.9, 0.7, 0.5, 0.4, 0.1];
const tied = [0.8, 0.3, 0.6, 0.2, 0.2];
const untied = [0.8, 0.3, 0.6, 0.2, 0.1];

describe('scoreAgreement', () => {
  test('agrees with scipy on scores with a tie', () => {
    const found = scoreAgreement(items, first, tied);
    // 8 pairs agree, b and c do not, d and e are tied: 7/10
    expect(found.tauA).toBeCloseTo(0.7, 14);
    // scipy.stats.kendalltau, spearmanr, pearsonr; numpy for the error
    expect(found.tauB).toBeCloseTo(0.7378647873726218, 13);
    expect(found.spearman).toBeCloseTo(0.8720815992723809, 13);
    expect(found.pearson).toBeCloseTo(0.7310663659346983, 13);
    expect(found.rmse).toBeCloseTo(0.21447610589527216, 14);
    expect(found.items).toBe(5);
  });

  test('tau AP by hand', () => {
    // estimated order a c b d e: above c 1 of 1, above b 1 of 2, above d 3 of 3, above e 4 of 4 are right: 2/4 · 3.5 − 1
    const found = scoreAgreement(items, first, untied);
    for (const tau of [found.tauAp, found.tauApA]) expect(tau).toBeCloseTo(0.75, 14);
    // with d and e tied at ranks 4 and 5 each is right with the three above, and half right with the other when it is below:
    // (3/3 + (3 + 0.5)/4) instead of 2
    const withTie = scoreAgreement(items, first, tied);
    expect(withTie.tauAp).toBeNull();
    expect(withTie.tauApA).toBeCloseTo(0.5 * (1 + 0.5 + 1 + 3.5 / 4) - 1, 14);
    expect(withTie.tauApB).not.toBeNull();
  });

  test('coefficients that are not defined are null, the others are there', () => {
    const found = scoreAgreement(items, first, [1, 1, 1, 1, 1]);
    expect(found).toMatchObject({ tauA: 0, tauB: null, tauAp: null, tauApB: null, spearman: null, pearson: null });
    expect(found.rmse).toBeCloseTo(Math.sqrt((0.01 + 0.09 + 0.25 + 0.36 + 0.81) / 5), 14);
  });

  test('the overlap looks at the best of each, ties by id, descending, and no deeper than there are items', () => {
    expect(scoreAgreement(items, first, tied).overlap).toBe(1);
    // a b against a c
    expect(scoreAgreement(items, first, tied, { cutoff: 2 }).overlap).toBe(0.5);
    // e stands before d: a c b e against a b c d
    expect(scoreAgreement(items, first, tied, { cutoff: 4 }).overlap).toBe(0.75);
    expect(() => scoreAgreement(items, first, tied, { cutoff: 0 })).toThrow('cutoff');
  });

  test('equal scores go by the bytes of the ids, as they do in an evaluation', () => {
    // in UTF-16 U+FFEE comes after U+1F600, whose first unit is 0xD83D; in bytes it is EF against F0, and descending F0 is first
    const tied = { ids: ['\uffee', '\u{1f600}'], scores: [1, 1] };
    const second = { ids: ['\u{1f600}', '\uffee'], scores: [2, 1] };
    const found = listsAgreement(new Map([['1', tied]]), new Map([['1', second]]), { cutoff: 1 });
    expect(found.mean.overlap).toBe(1);
  });

  test('rank-biased overlap is that of the tied lists, with 0.9 and ties a unless told', () => {
    const lists = { first: [['a'], ['b'], ['c'], ['d'], ['e']], second: [['a'], ['c'], ['b'], ['d', 'e']] };
    expect(scoreAgreement(items, first, tied).rbo).toEqual(rankBiasedOverlap({ ...lists, p: 0.9, ties: 'a' }));
    expect(scoreAgreement(items, first, tied, { p: 0.5, ties: 'w' }).rbo).toEqual(rankBiasedOverlap({ ...lists, p: 0.5, ties: 'w' }));
    expect(scoreAgreement(items, first, tied, { ties: 'b' }).rbo).toEqual(rankBiasedOverlap({ ...lists, p: 0.9, ties: 'b' }));
  });

  test('refuses an item that is there twice', () => {
    expect(() => scoreAgreement(['a', 'a'], [1, 2], [1, 2])).toThrow('a');
  });
});

describe('listsAgreement', () => {
  const list = (scores: Readonly<Record<string, number>>): ResultList => ({ ids: Object.keys(scores), scores: Object.values(scores) });
  const one = new Map([
    ['q1', list({ a: 4, b: 3, c: 2, d: 1 })],
    ['q2', list({ a: 2, b: 1 })],
    ['q3', list({ a: 1 })],
    ['q4', list({ a: 3, b: 2, c: 1 })],
  ]);
  const two = new Map([
    ['q1', list({ b: 9, a: 8, x: 7, d: 6 })],
    ['q2', list({ b: 2, z: 1 })],
    ['q4', list({ c: 3, b: 2, a: 1 })],
    ['q5', list({ a: 1 })],
  ]);
  const found = listsAgreement(one, two);

  test('each topic has its shared documents, their tau and the overlap', () => {
    expect(found.topics.map(({ topic, shared }) => [topic, shared])).toEqual([
      ['q1', 3],
      ['q2', 1],
      ['q4', 3],
    ]);
    // q1: a, b and d are shared; a and b change places: (2 − 1)/3. q2: one document has no order. q4: turned round
    expect(found.topics[0].tauB).toBeCloseTo(1 / 3, 14);
    expect(found.topics[1].tauB).toBeNull();
    expect(found.topics[2].tauB).toBe(-1);
    // of the first 10 places
    expect(found.topics.map(({ overlap }) => overlap)).toEqual([0.3, 0.1, 0.3]);
    expect(listsAgreement(one, two, { cutoff: 2 }).topics.map(({ overlap }) => overlap)).toEqual([1, 0.5, 0.5]);
  });

  test('means are over the topics of both, that of tau over those that have one', () => {
    expect(found.mean.overlap).toBeCloseTo(0.7 / 3, 14);
    expect(found.mean.tauB).toBeCloseTo((1 / 3 - 1) / 2, 14);
    expect(found.topicsWithTau).toBe(2);
    for (const part of ['ext', 'min', 'max', 'res'] as const) {
      const sum = found.topics.reduce((total, { rbo }) => total + rbo[part], 0);
      expect(found.mean.rbo[part]).toBeCloseTo(sum / 3, 14);
    }
    const groups = [
      [['a'], ['b'], ['c'], ['d']],
      [['b'], ['a'], ['x'], ['d']],
    ] as const;
    expect(found.topics[0].rbo).toEqual(rankBiasedOverlap({ first: groups[0], second: groups[1], p: 0.9, ties: 'a' }));
    const other = listsAgreement(one, two, { p: 0.5, ties: 'b' }).topics[0].rbo;
    expect(other).toEqual(rankBiasedOverlap({ first: groups[0], second: groups[1], p: 0.5, ties: 'b' }));
  });

  test('topics of one side only are named, and in no mean', () => {
    expect(found.onlyFirst).toEqual(['q3']);
    expect(found.onlySecond).toEqual(['q5']);
  });

  test('no topic has a tau: its mean is null; no topic in common: refused', () => {
    const lone = new Map([['q2', list({ a: 2, b: 1 })]]);
    expect(listsAgreement(lone, two)).toMatchObject({ topicsWithTau: 0, mean: { tauB: null, overlap: 0.1 } });
    expect(() => listsAgreement(one, new Map([['q9', list({ a: 1 })]]))).toThrow('no topic in common');
  });
});

describe('tau-c, and two lists side by side', () => {
  test('kendallTau c is that of Stuart: 2 (C - D) m / (n^2 (m - 1))', () => {
    // four concordant pairs and no discordant one of four things on scales of two and three values: 2 * 4 * 2 / (16 * 1)
    const values = { first: [1, 1, 2, 2], second: [1, 1, 2, 3] };
    expect(kendallTau({ ...values, variant: 'c' }).tau).toBe(1);
    expect(kendallTau({ ...values, variant: 'b' }).tau).toBeCloseTo(4 / Math.sqrt(20), 12);
    // three of six pairs concordant, one discordant, two tied; 2 * 2 * 3 / (16 * 2)
    expect(kendallTau({ first: [1, 2, 2, 3], second: [1, 1, 3, 2], variant: 'c' }).tau).toBeCloseTo(12 / 32, 12);
  });

  const list = (ids: string): { ids: string[]; scores: number[] } => ({
    ids: ids.split(' '),
    scores: ids.split(' ').map((_, i, all) => all.length - i),
  });
  const agreement = (first: string, second: string, unlisted?: 'shared' | 'last') =>
    listsAgreement(new Map([['t', list(first)]]), new Map([['t', list(second)]]), { unlisted }).topics[0];

  test('gives the class exercise: Spearman .854 of two orders of ten documents', () => {
    const found = agreement('d123 d84 d56 d6 d8 d9 d511 d129 d187 d25', 'd56 d123 d84 d8 d6 d187 d9 d511 d25 d129');
    // the sum of the squared differences of ranks is 24
    expect(found.spearman).toBeCloseTo(1 - (6 * 24) / (10 * 99), 12);
    // the ranks 2 3 1 5 4 7 8 10 6 9 have 7 inversions of 45 pairs: 21 31 54 76 86 10-6 10-9; without ties a, b and c are the same
    for (const tau of [found.tauA, found.tauB, found.tauC]) expect(tau).toBeCloseTo((38 - 7) / 45, 12);
    expect([found.shared, found.onlyFirst, found.onlySecond]).toEqual([10, 0, 0]);
  });

  test('leaves out what one list has alone, or puts it behind the other', () => {
    const shared = agreement('a b c x', 'c a b y z');
    expect([shared.shared, shared.onlyFirst, shared.onlySecond]).toEqual([3, 1, 2]);
    // c passes a and b: 1 of 3 pairs is concordant
    expect(shared.tauA).toBeCloseTo(-1 / 3, 12);
    const last = agreement('a b c x', 'c a b y z', 'last');
    // of 15 pairs: ab concordant, ac bc not; abc before x and before y, z in both: 9 concordant; x against y, z: 2 discordant; yz tied
    expect(last.tauA).toBeCloseTo((10 - 4) / 15, 12);
    expect(last.tauAp).toBeNull();
  });

  test('refuses another rule', () => {
    expect(() => agreement('a b', 'b a', 'first' as 'last')).toThrow(/rule for documents of one list/);
  });
});
