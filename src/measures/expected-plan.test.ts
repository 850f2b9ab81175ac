import { describe, expect, test } from 'vitest';
import { evaluator } from './evaluate.js';

/** One tie of `size` documents, of which the first `relevant` have grade 1; one relevant document is not retrieved. */
function tieOf(
  size: number,
  relevant: number,
): { qrels: Record<string, Record<string, number>>; run: Record<string, Record<string, number>> } {
  const docs = Array.from({ length: size }, (_, i) => `d${i}`);
  return {
    qrels: { q: { ...Object.fromEntries(docs.map((doc, i) => [doc, i < relevant ? 1 : 0])), missed: 1 } },
    run: { q: Object.fromEntries(docs.map((doc) => [doc, 1])) },
  };
}

const size = 60;
const relevant = 20;
const numRelevant = relevant + 1;
const { qrels, run } = tieOf(size, relevant);
const means = (measures: readonly string[], options = {}) => evaluator(qrels, measures, { ties: 'expected', ...options }).evaluate(run);
const sum = (to: number, term: (rank: number) => number): number =>
  Array.from({ length: to }, (_, i) => term(i + 1)).reduce((a, b) => a + b, 0);

/** The mean precision at a rank if the document there is relevant, times the chance that it is. */
const precisionAt = (rank: number): number => ((relevant / size) * (1 + ((rank - 1) * (relevant - 1)) / (size - 1))) / rank;
/** The chance that the first relevant document is at this rank: none of those before, then one. */
function firstAt(rank: number): number {
  let chance = relevant / (size - rank + 1);
  for (let above = 0; above < rank - 1; above++) chance *= (size - relevant - above) / (size - above);
  return chance;
}

describe("ties='expected' of a tie with more orders than can be looked at", () => {
  const depth = 30;
  const exact: Readonly<Record<string, number>> = {
    AP: sum(depth, precisionAt) / numRelevant,
    'AP@10': sum(10, precisionAt) / numRelevant,
    "AP(denominator='min')@10": sum(10, precisionAt) / 10,
    'P@10': relevant / size,
    'R@10': (10 * relevant) / size / numRelevant,
    RR: sum(depth, (rank) => firstAt(rank) / rank),
    'RR@5': sum(5, (rank) => firstAt(rank) / rank),
    'Success@5': sum(5, firstAt),
    'RBP(p=0.7)': (1 - 0.7 ** depth) * (relevant / size),
    'DCG@10': sum(10, (rank) => relevant / size / Math.log2(rank + 1)),
    nDCG: sum(depth, (rank) => relevant / size / Math.log2(rank + 1)) / sum(numRelevant, (rank) => 1 / Math.log2(rank + 1)),
    // all documents have the grade 1, or none: (1 + m) / (i + min(i, R)) at the first
    OMeasure: sum(depth, (rank) => (firstAt(rank) * 2) / (rank + Math.min(rank, numRelevant))),
  };

  test.each(Object.entries(exact))('%s is exact, also where the depth cuts through the tie', (measure, expected) => {
    const table = means([measure], { depth });
    expect(table.value(0, 0)).toBeCloseTo(expected, 12);
    expect(table.notes).toEqual([`${measure}: mean over all orders of equal scores; of the topics with ties in closed form on 1`]);
  });

  test.each([
    "AP(denominator='list')",
    "AP(denominator='found')",
    'Bpref',
    'BinG',
    'Accuracy',
    'RBPResidual',
    'IDCG',
    "nDCG(ideal='list')",
    'SetAP',
  ])('%s has a closed form while the tie is whole', (measure) => {
    expect(means([measure]).notes).toEqual([
      `${measure}: mean over all orders of equal scores; of the topics with ties in closed form on 1`,
    ]);
    expect(means([measure], { depth }).notes[0]).toContain('from 2000 random orders on 1 (seed 1, standard error up to');
  });

  test('what has no closed form is drawn, and its standard error is that of the mean', () => {
    // the P-measure with one grade is the O-measure, whose mean is known
    const table = means(['PMeasure'], { orders: 400, seed: 5 });
    const expected = sum(size, (rank) => (firstAt(rank) * 2) / (rank + Math.min(rank, numRelevant)));
    const [, seed, error] = /from 400 random orders on 1 \(seed (\d+), standard error up to ([\de.+-]+)\)$/.exec(table.notes[0]) ?? [];
    expect(seed).toBe('5');
    const spread = Math.sqrt(sum(size, (rank) => firstAt(rank) * (2 / (rank + Math.min(rank, numRelevant)) - expected) ** 2));
    // within 15% of the true one, and the value within four of them
    expect(Number(error) / (spread / Math.sqrt(400))).toBeGreaterThan(0.85);
    expect(Number(error) / (spread / Math.sqrt(400))).toBeLessThan(1.15);
    expect(Math.abs(table.value(0, 0) - expected)).toBeLessThan(4 * Number(error));
    expect(table.value(0, 0)).not.toBe(expected);
    expect(means(['PMeasure'], { orders: 400, seed: 5 }).value(0, 0)).toBe(table.value(0, 0));
    expect(means(['PMeasure'], { orders: 400, seed: 6 }).value(0, 0)).not.toBe(table.value(0, 0));
  });

  test('few orders are all looked at: those of eight documents of different grades still, of nine no more', () => {
    const ways = (n: number) => {
      const docs = Array.from({ length: n }, (_, i) => `d${i}`);
      const grades = { q: Object.fromEntries(docs.map((doc, i) => [doc, i])) };
      return evaluator(grades, ['PMeasure'], { ties: 'expected' }).evaluate({ q: Object.fromEntries(docs.map((doc) => [doc, 1])) })
        .notes[0];
    };
    expect(ways(8)).toMatch(/from all orders on 1$/);
    expect(ways(9)).toContain('from 2000 random orders on 1');
  });

  test('a grade above 0 that gains nothing is no hit', () => {
    // b first: (1 + 1)/(1 + 1), b second: (1 + 1)/(2 + 1)
    const table = evaluator({ q: { a: 0.5, b: 1 } }, ["Q(gain='exp-floor')", "OMeasure(gain='exp-floor')", 'Q(gains={1:1,0.5:0})'], {
      ties: 'expected',
    }).evaluate({ q: { a: 1, b: 1 } });
    for (let m = 0; m < 3; m++) expect(table.value(0, m)).toBeCloseTo(5 / 6, 14);
  });

  test('a list without ties has no note, and a measure with a closed form stands beside one without', () => {
    const table = evaluator(qrels, ['AP', 'PMeasure'], { ties: 'expected' }).evaluate({ q: { d0: 3, d1: 2, d30: 1 } });
    expect(table.notes).toEqual([]);
    expect(table.value(0, 0)).toBeCloseTo(2 / numRelevant, 14);
    const both = means(['PMeasure', 'AP'], { depth });
    expect(both.notes).toHaveLength(2);
    expect(both.value(0, 1)).toBeCloseTo(exact.AP, 12);
    const cut = means(['BinG', 'AP', 'PMeasure'], { depth });
    expect(cut.value(0, 1)).toBeCloseTo(exact.AP, 12);
    expect(cut.notes.map((note) => note.includes('closed form'))).toEqual([false, true, false]);
  });

  test('a tie of thousands of documents is counted to its end', () => {
    const long = tieOf(5000, 100);
    const table = evaluator(long.qrels, ['SetR', 'P@5000', 'Unjudged@5000', 'DCG'], { ties: 'expected' }).evaluate(long.run);
    expect(table.value(0, 0)).toBeCloseTo(100 / 101, 12);
    expect(table.value(0, 1)).toBeCloseTo(100 / 5000, 12);
    expect(table.value(0, 2)).toBe(0);
    expect(table.value(0, 3)).toBeCloseTo(
      sum(5000, (rank) => 0.02 / Math.log2(rank + 1)),
      9,
    );
  });

  test('numbers of 32 bits are rounded before they are averaged', () => {
    const table = evaluator({ q: { a: 1 } }, ["RR(precision='float32')"], { ties: 'expected' }).evaluate({ q: { a: 1, b: 1, c: 1 } });
    expect(table.value(0, 0)).toBeCloseTo((1 + 0.5 + Math.fround(1 / 3)) / 3, 15);
  });

  test('condensed lists lose their unjudged documents before anything is counted', () => {
    // d1 and d2 of the tie are not judged: two orders of a relevant document and one that is not
    const table = evaluator({ q: { a: 1, b: 0 } }, ['AP', 'RR'], { ties: 'expected', judgedOnly: true }).evaluate({
      q: { a: 1, b: 1, d1: 1, d2: 1 },
    });
    expect(table.value(0, 0)).toBeCloseTo(0.75, 14);
    expect(table.notes[1]).toContain('in closed form on 1');
    // where the depth of 2 cuts through the tie, a stands first, second behind one that is not judged, second behind b, or is not there
    const cut = evaluator({ q: { a: 1, b: 0 } }, ['RR'], { ties: 'expected', judgedOnly: true, depth: 2 }).evaluate({
      q: { a: 1, b: 1, d1: 1, d2: 1 },
    });
    expect(cut.value(0, 0)).toBeCloseTo(1 / 4 + 2 / 12 + 1 / 12 / 2, 14);
    expect(cut.notes[0]).toContain('from all orders on 1');
  });
});
