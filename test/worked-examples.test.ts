import { describe, expect, it } from 'vitest';
import { evaluate } from '../src/measures/evaluate.js';
import { spearmanCorrelation } from '../src/stats/correlation/correlation.js';

/** A ranking `a b c` of one topic, and its relevant documents or grades. */
function topic(ranking: string, grades: string | Readonly<Record<string, number>>) {
  const docs = ranking.split(' ');
  const relevant = typeof grades === 'string' ? Object.fromEntries(grades.split(' ').map((doc) => [doc, 1])) : grades;
  return { qrels: relevant, run: Object.fromEntries(docs.map((doc, i) => [doc, -i])) };
}

function value(data: ReturnType<typeof topic>, measure: string): number {
  return evaluate({ q: data.qrels }, { q: data.run }, measure);
}

/** A ranking of n documents with relevant ones at the given ranks, and perhaps some that were not retrieved. */
function relevantAt(n: number, ranks: readonly number[], missed = 0) {
  const ranking = Array.from({ length: n }, (_, i) => `d${i + 1}`).join(' ');
  const relevant = [...ranks.map((rank) => `d${rank}`), ...Array.from({ length: missed }, (_, i) => `m${i}`)].join(' ');
  return topic(ranking, relevant);
}

describe('Common Evaluation Measures, the appendix of the TREC proceedings', () => {
  it('four relevant documents at ranks 1, 2, 4 and 15 of 20: interpolated precision', () => {
    const data = relevantAt(20, [1, 2, 4, 15]);
    for (const [k, recall] of [
      [1, 0.25],
      [2, 0.5],
      [4, 0.75],
      [15, 1],
    ])
      expect(value(data, `R@${k}`)).toBe(recall);
    for (const level of [0, 0.1, 0.2, 0.3, 0.4, 0.5]) expect(value(data, `IPrec@${level}`)).toBe(1);
    for (const level of [0.6, 0.7]) expect(value(data, `IPrec@${level}`)).toBe(0.75);
    for (const level of [0.8, 0.9, 1]) expect(value(data, `IPrec@${level}`)).toBeCloseTo(0.27, 2);
    // trec_eval 10 rounds 0.6 · 4 to 2 documents and 0.8 · 4 to 3, and no longer gives the numbers of the appendix
    expect(value(data, "IPrec(rounding='nearest')@0.6")).toBe(1);
    expect(value(data, "IPrec(rounding='nearest')@0.8")).toBe(0.75);
  });

  it('four relevant documents at ranks 1, 2, 4 and 7: average precision 0.83', () => {
    const data = relevantAt(10, [1, 2, 4, 7]);
    expect([1, 2, 4, 7].map((k) => value(data, `P@${k}`).toFixed(2))).toEqual(['1.00', '1.00', '0.75', '0.57']);
    expect(value(data, 'AP').toFixed(2)).toBe('0.83');
  });

  it('17 of the first 50 and 7 of the first 10: R-precision 0.52', () => {
    const first = relevantAt(
      50,
      Array.from({ length: 17 }, (_, i) => 3 * i + 1),
      33,
    );
    const second = relevantAt(10, [1, 2, 3, 4, 5, 6, 7], 3);
    const mean = evaluate({ a: first.qrels, b: second.qrels }, { a: first.run, b: second.run }, 'Rprec');
    expect(mean).toBeCloseTo((17 / 50 + 7 / 10) / 2, 15);
    expect(mean.toFixed(2)).toBe('0.52');
  });

  it('bpref counts the first R non-relevant documents above, over min(R, N)', () => {
    // R = 3, N = 2; ranking r n r n r: relevant documents have 0, 1 and 2 non-relevant ones above
    const data = topic('r1 n1 r2 n2 r3', { r1: 1, n1: 0, r2: 1, n2: 0, r3: 1 });
    expect(value(data, 'Bpref')).toBeCloseTo((1 + (1 - 1 / 2) + (1 - 2 / 2)) / 3, 15);
  });

  it('0.02 to 0.04 and 0.4 to 0.38: the arithmetic mean stays, the geometric mean rises', () => {
    // one relevant document at rank 1/AP gives that AP
    const run = (...precisions: number[]) => precisions.map((ap) => apOf(ap));
    expect(aggregate(run(0.02, 0.4), 'mean')).toBeCloseTo(aggregate(run(0.04, 0.38), 'mean'), 12);
    expect(aggregate(run(0.04, 0.38), 'geometric')).toBeGreaterThan(aggregate(run(0.02, 0.4), 'geometric'));
  });
});

/** A topic whose P@k is exactly the given share, as a stand-in for a given average precision. */
function apOf(share: number): ReturnType<typeof topic> {
  const hits = Math.round(share * 100);
  return relevantAt(
    100,
    Array.from({ length: hits }, (_, i) => i + 1),
  );
}

function aggregate(topics: readonly ReturnType<typeof topic>[], agg: string): number {
  const qrels = Object.fromEntries(topics.map((data, t) => [`t${t}`, data.qrels]));
  const run = Object.fromEntries(topics.map((data, t) => [`t${t}`, data.run]));
  return evaluate(qrels, run, `P(agg='${agg}')@100`);
}

describe('a lecture on evaluating IR systems', () => {
  const q1 = topic('d123 d84 d56 d6 d8 d9 d511 d129 d187 d25 d38 d48 d250 d113 d3', 'd3 d5 d9 d25 d39 d44 d56 d71 d89 d123');
  const q2 = topic('d425 d87 d56 d32 d124 d615 d512 d129 d4 d130 d193 d715 d810 d5 d3', 'd3 d56 d129');

  it('q1: the precisions at its relevant documents, and average precision 0.29 where the lecture has 0.28', () => {
    expect([1, 3, 6, 10, 15].map((k) => value(q1, `P@${k}`))).toEqual([1, 2 / 3, 0.5, 0.4, 1 / 3]);
    // the lecture cuts 2/3 and 1/3 to 0.66 and 0.33, and 0.289 to 0.28
    expect((1 + 0.66 + 0.5 + 0.4 + 0.33) / 10).toBeCloseTo(0.289, 12);
    expect(value(q1, 'AP')).toBeCloseTo(0.29, 12);
  });

  it('q2: 0.254 is the mean of interpolated precisions at ten recall levels, not average precision', () => {
    expect((3 * 0.33 + 3 * 0.25 + 4 * 0.2) / 10).toBeCloseTo(0.254, 12);
    const levels = "levels=[0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1],rounding='exact'";
    expect(value(q2, `IAP(${levels})`)).toBeCloseTo((3 / 3 + 3 / 4 + 4 / 5) / 10, 12);
    expect(value(q2, 'AP')).toBeCloseTo((1 / 3 + 2 / 8 + 3 / 15) / 3, 12);
  });

  it('MAP of both: 0.267 from the lecture’s values, 0.2756 from average precision', () => {
    expect((0.28 + 0.254) / 2).toBeCloseTo(0.267, 12);
    expect(evaluate({ q1: q1.qrels, q2: q2.qrels }, { q1: q1.run, q2: q2.run }, 'MAP')).toBeCloseTo((0.29 + 0.2611111111) / 2, 9);
  });

  it('two runs of the same MAP 0.38 have GMAP 0.25 and 0.33', () => {
    const first = [0.05, 0.1, 0.5, 0.5, 0.75].map(apOf);
    const second = [0.1, 0.3, 0.45, 0.45, 0.6].map(apOf);
    expect(aggregate(first, 'mean').toFixed(2)).toBe('0.38');
    expect(aggregate(second, 'mean').toFixed(2)).toBe('0.38');
    expect(aggregate(first, 'geometric').toFixed(2)).toBe('0.25');
    expect(aggregate(second, 'geometric').toFixed(2)).toBe('0.33');
    expect(aggregate(first, 'harmonic')).toBeCloseTo(5 / (1 / 0.05 + 1 / 0.1 + 1 / 0.5 + 1 / 0.5 + 1 / 0.75), 12);
  });

  it('reciprocal ranks with threshold 3: 1 and 0.33, and MRR 0.67', () => {
    expect(value(q1, 'RR@3')).toBe(1);
    expect(value(q2, 'RR@3')).toBe(1 / 3);
    expect(evaluate({ q1: q1.qrels, q2: q2.qrels }, { q1: q1.run, q2: q2.run }, 'MRR@3').toFixed(2)).toBe('0.67');
    // one rank less, and q2 has no answer
    expect(value(q2, 'RR@2')).toBe(0);
  });

  it('F measures of both, with 0.25 P in F0.5 where the lecture writes 0.5 P', () => {
    // q1: P = 5/15, R = 5/10; q2: P = 3/15, R = 1
    const f = (p: number, r: number, beta: number): number => ((1 + beta ** 2) * p * r) / (beta ** 2 * p + r);
    for (const beta of [0.5, 1, 2]) {
      expect(value(q1, `SetF(beta=${beta})`)).toBeCloseTo(f(5 / 15, 5 / 10, beta), 12);
      expect(value(q2, `SetF(beta=${beta})`)).toBeCloseTo(f(3 / 15, 1, beta), 12);
    }
    expect(value(q1, 'SetF(beta=0.5)').toFixed(4)).toBe('0.3571');
    expect(((1.25 * (5 / 15) * 0.5) / (0.5 * (5 / 15) + 0.5)).toFixed(4)).toBe('0.3125');
  });

  it('grades 3 2 3 0 1 2: CG, DCG, IDCG and nDCG', () => {
    const data = topic('d1 d2 d3 d4 d5 d6', { d1: 3, d2: 2, d3: 3, d4: 0, d5: 1, d6: 2 });
    expect(value(data, 'CG')).toBe(11);
    const terms = [1, 2, 3, 4, 5, 6].map((k) => value(data, `DCG(gain='exp')@${k}`));
    // the lecture cuts the third digit of 1.893, 0.387 and 1.069
    expect(terms.map((sum, i) => (sum - (terms[i - 1] ?? 0)).toFixed(3))).toEqual(['7.000', '1.893', '3.500', '0.000', '0.387', '1.069']);
    expect(value(data, "DCG(gain='exp')").toFixed(3)).toBe('13.848');
    // 3/log2(5) is 1.292 and not 1.286
    expect(value(data, "IDCG(gain='exp')").toFixed(3)).toBe('14.595');
    expect((3 / Math.log2(5)).toFixed(3)).toBe('1.292');
    expect(value(data, "nDCG(gain='exp')").toFixed(3)).toBe('0.949');
    // the lecture’s first formula has no discount at rank 1 and log2(i) below
    expect(value(data, "DCG(discount='jk')")).toBeCloseTo(3 + 2 / 1 + 3 / Math.log2(3) + 0 + 1 / Math.log2(5) + 2 / Math.log2(6), 12);
  });

  it('nDCG does not mind bad documents at the end, nor missing ones where the ideal is the list', () => {
    const judged = { a: 1, b: 1, c: 1, d: 0, e: 1, f: 1 };
    expect(value(topic('a b c', judged), 'DCG')).toBe(value(topic('a b c d', judged), 'DCG'));
    expect(value(topic('a b c', judged), "nDCG(ideal='list')")).toBe(value(topic('a b c e f', judged), "nDCG(ideal='list')"));
    // with the ideal of all judged documents the longer list is better
    expect(value(topic('a b c', judged), 'nDCG')).toBeLessThan(value(topic('a b c e f', judged), 'nDCG'));
  });

  it('Spearman’s correlation of an ideal ranking and a new one is 0.854', () => {
    const ideal = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
    const found = [2, 3, 1, 5, 4, 7, 8, 10, 6, 9];
    expect(ideal.reduce((sum, rank, i) => sum + (rank - found[i]) ** 2, 0)).toBe(24);
    const correlation = spearmanCorrelation({ first: ideal, second: found });
    expect(correlation).toBeCloseTo(1 - (6 * 24) / (10 * 99), 12);
    // the lecture cuts the fourth digit of 0.8545
    expect(Math.floor(correlation * 1000) / 1000).toBe(0.854);
  });

  it('coverage, novelty, relative recall and recall effort', () => {
    // ten relevant documents; the reader knows d3, d5 and d56 of them, and d6; five are found, by rank 15
    const qrels = { q: q1.qrels };
    const options = { known: { q: { d3: 1, d5: 1, d56: 1, d6: 1 } }, expected: { q: 4 } };
    const table = evaluate(
      qrels,
      { q: q1.run },
      ['Coverage', 'Novelty', 'RelativeRecall', 'RecallEffort', 'Satisfaction', 'Frustration'],
      options,
    );
    expect(table.means()).toEqual({
      Coverage: 2 / 3,
      Novelty: 3 / 5,
      RelativeRecall: 5 / 4,
      RecallEffort: 4 / 10,
      Satisfaction: 5 / 15,
      Frustration: 10 / 15,
    });
  });

  it('expected search length of a weakly ordered ranking', () => {
    // Cooper: 1 relevant among 2, then 2 relevant among 5; three documents wanted
    const qrels = { q: { a: 1, c: 1, d: 1 } };
    const run = { q: { a: 2, b: 2, c: 1, d: 1, e: 1, f: 1, g: 1 } };
    expect(evaluate(qrels, run, 'ESL@1')).toBe(1 / 2);
    expect(evaluate(qrels, run, 'ESL@2')).toBe(1 + (3 * 1) / 3);
    expect(evaluate(qrels, run, 'ESL@3')).toBe(1 + (3 * 2) / 3);
  });
});
