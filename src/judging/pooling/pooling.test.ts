import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../core/numbers/random.js';
import { linearDifferenceBounds, measureBounds, outerGainBounds } from './bounds.js';
import { type CompletedMeasure, enumerateCompletions, linearWeights, sumPrecisionDifference } from './completions.js';
import { JUDGING_ORDERS, judgingOrder, replayOrder } from './judging-order.js';
import { compareTexts, documentLists } from './lists.js';
import { judgedShare, leaveGroupsOut, poolCounts, poolOf } from './pools.js';

const runs = [
  ['a', 'b', 'c', 'd', 'e'],
  ['b', 'f', 'a', 'g', 'h'],
  ['x', 'y', 'a', 'z', 'b'],
];
const relevant = new Set(['a', 'b', 'f', 'z']);

describe('judging orders', () => {
  test.each([
    [{ order: 'rank' }, 'abxfycdgzeh'],
    [{ order: 'move-to-front' }, 'abcfgxdhyez'],
    [{ order: 'bandit' }, 'abcdefghxyz'],
    [{ order: 'bandit', memory: 0 }, 'abcfgxdehyz'],
    [{ order: 'rbp-a' }, 'abxfycdgzeh'],
  ] as const)('%j judge as worked out by hand', (options, expected) => {
    expect(
      replayOrder(runs, options, (doc) => relevant.has(doc))
        .map(({ doc }) => doc)
        .join(''),
    ).toBe(expected);
  });

  test.each(JUDGING_ORDERS)('%s judges every document once, and passes over those that are judged', (order) => {
    const all = replayOrder(runs, { order }, (doc) => relevant.has(doc)).map(({ doc }) => doc);
    expect([...all].sort().join('')).toBe('abcdefghxyz');
    const chooser = judgingOrder(
      runs,
      { order },
      new Map([
        ['a', true],
        ['x', false],
      ]),
    );
    const rest: string[] = [];
    for (let doc = chooser.next(); doc !== undefined; doc = chooser.next()) {
      rest.push(doc);
      chooser.tell(relevant.has(doc));
    }
    expect(rest.sort().join('')).toBe('bcdefghyz');
  });

  test('weights that change are recomputed after every judgement', () => {
    // p ½, runs "a b" and "c d": terms ½ ¼ each; unknown 1 each, so a first. a relevant: the first run has base ½ and residual ½.
    // b: residual ½: b ¼·½, c ½·1, so c. c: ½·(½ + ¼)³ = 0.21 against 1·(½)³ = 0.125: b ¼·0.21 = 0.053 against c ½·0.125 = 0.0625, so c
    const told = (order: 'rbp-b' | 'rbp-c', truth: string) =>
      replayOrder(
        [
          ['a', 'b'],
          ['c', 'd'],
        ],
        { order, persistence: 0.5 },
        (doc) => truth.includes(doc),
      )
        .map(({ doc }) => doc)
        .join('');
    expect(told('rbp-b', 'a')).toBe('acbd');
    // c judged and not relevant: its run has residual ½ and base 0: ½·(¼)³ against ½·(¾)³, so b before d
    expect(told('rbp-c', 'a')).toBe('acbd');
    // c relevant and a not: the second run is ahead, so d before b
    expect(told('rbp-c', 'c')).toBe('acdb');
  });
});

describe('pools', () => {
  const contributors = runs.map((list, r) => ({ name: `r${r + 1}`, lists: new Map([['t', list]]), group: r < 2 ? 'one' : 'two' }));
  const grades = new Map([
    [
      't',
      new Map([
        ['a', 1],
        ['b', 2],
        ['c', 0],
        ['x', 1],
        ['q', 1],
      ]),
    ],
  ]);

  test('hold the first documents of every run', () => {
    // depth 2: a b, b f, x y
    expect(poolCounts(poolOf(contributors, 2), grades)).toEqual({ documents: 5, judged: 3, relevant: 3, unique: 5 });
    expect(poolCounts(poolOf(contributors, 3), grades)).toEqual({ documents: 6, judged: 4, relevant: 3, unique: 5 });
    expect(judgedShare(contributors[0].lists, grades, 5)).toBe(3 / 5);
  });

  test('without a group lack what only it brought; judged documents that no pool explains stay', () => {
    const [one, two] = leaveGroupsOut(contributors, 2, grades, ['one', 'two']);
    expect(one).toMatchObject({ documents: 2, relevant: 2 });
    expect([...(two.grades.get('t') ?? [])].map(([doc]) => doc).join('')).toBe('abcq');
  });

  test('lists are ordered by score, ties by id descending, in 32 bits if asked', () => {
    const run = { t: { b: 1, a: 1, c: 1.00000000001 } };
    expect(documentLists(run).get('t')).toEqual(['c', 'b', 'a']);
    expect(documentLists({ t: { c: 1, b: 1.00000000001 } }, { scorePrecision: 'float32' }).get('t')).toEqual(['c', 'b']);
    expect(['\u{1F600}', '\uFFFD', 'a', 'ab'].sort(compareTexts)).toEqual(['a', 'ab', '\uFFFD', '\u{1F600}']);
  });
});

describe('completions', () => {
  const measures: CompletedMeasure[] = [
    { name: 'AP' },
    { name: 'sumAP' },
    { name: 'P', k: 3 },
    { name: 'DCG', k: 3 },
    { name: 'nDCG', k: 3 },
    { name: 'RBP', p: 0.8 },
  ];
  const small = {
    rankings: [
      ['a', 'b', 'c', 'd', 'e'],
      ['b', 'a', 'd', 'c', 'e'],
    ],
    judged: new Map([
      ['a', 1],
      ['c', 0],
    ]),
  };

  test('of a small case are as counted by another program', () => {
    const { systems, difference } = enumerateCompletions(small, { name: 'AP' });
    expect(systems[0]).toEqual({ low: expect.closeTo(0.7, 12), high: 1, expected: expect.closeTo(0.8526041666666667, 12) });
    expect(difference).toMatchObject({ firstBetter: 0.5, equal: 0.25, variance: expect.closeTo(0.03328073760609569, 12) });
    const closed = sumPrecisionDifference(small);
    expect(closed).toMatchObject({ expected: expect.closeTo(0.14583333333333337, 12), next: 'b' });
    expect(closed.firstBetter).toBeCloseTo(0.691913105491398, 9);
    expect(linearWeights(small, { name: 'RBP', p: 0.8 }).get('b')).toBeCloseTo(-0.04, 12);
  });

  test('bounds and closed forms are those of all completions', () => {
    const random = seededRandom(4);
    for (let repetition = 0; repetition < 60; repetition++) {
      const docs = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
      const shuffled = () =>
        docs
          .map((doc) => ({ doc, key: random.float() }))
          .sort((x, y) => x.key - y.key)
          .map(({ doc }) => doc)
          .slice(0, 5);
      const rankings = [shuffled(), shuffled()];
      const judged = new Map(docs.filter(() => random.float() < 0.4).map((doc) => [doc, random.below(2)]));
      const probability = (doc: string) => (doc.charCodeAt(0) - 96) / 10;
      const topic = { rankings, judged, candidates: docs, probability };
      for (const measure of measures) {
        const { systems, difference } = enumerateCompletions(topic, measure);
        const bounds = measureBounds(topic, measure);
        expect(bounds.low).toBeCloseTo(systems[0].low, 12);
        expect(bounds.high).toBeCloseTo(systems[0].high, 12);
        if (measure.name === 'RBP' || measure.name === 'P' || measure.name === 'DCG') {
          expect(linearDifferenceBounds(topic, measure).low).toBeCloseTo(difference?.low ?? Number.NaN, 12);
          expect(linearDifferenceBounds(topic, measure).high).toBeCloseTo(difference?.high ?? Number.NaN, 12);
        }
        if (measure.name === 'sumAP') {
          const closed = sumPrecisionDifference(topic);
          expect(closed.expected).toBeCloseTo(difference?.expected ?? Number.NaN, 12);
          expect(closed.variance).toBeCloseTo(difference?.variance ?? Number.NaN, 12);
        }
        if (measure.name === 'nDCG') {
          const outer = outerGainBounds(topic, measure);
          expect(outer.low).toBeLessThanOrEqual(bounds.low + 1e-12);
          expect(outer.high).toBeGreaterThanOrEqual(bounds.high - 1e-12);
        }
      }
    }
  });

  test('with grades have the bounds of the specification', () => {
    const topic = {
      rankings: [['a', 'b', 'c', 'd']],
      judged: new Map([
        ['a', 2],
        ['c', 0],
      ]),
      candidates: ['e'],
      grades: [0, 1, 2],
    };
    const found = measureBounds(topic, { name: 'nDCG', k: 4 });
    expect(found).toMatchObject({ low: expect.closeTo(0.6131471927654584, 12), high: 1, attained: true });
    expect(found.lowAt?.get('e')).toBe(2);
    expect(outerGainBounds(topic, { k: 4 })).toMatchObject({ low: expect.closeTo(0.3903800499921017, 12), high: 1 });
    expect(() =>
      enumerateCompletions({ rankings: [Array.from({ length: 19 }, (_, i) => `d${i}`)], judged: new Map() }, { name: 'AP' }),
    ).toThrow('19 documents are unjudged');
  });
});
