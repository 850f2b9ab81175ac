import { describe, expect, test } from 'vitest';
import { evaluate, evaluator } from './evaluate.js';

describe('parameters and options that reach a measure', () => {
  test('highestGrade is the top of the scale, whatever the judgements hold', () => {
    const qrels = { q: { a: 2 } };
    const value = (highestGrade?: number) =>
      evaluator(qrels, ["ERR(max_rel='data')@1"], { highestGrade })
        .evaluate({ q: { a: 1 } })
        .value(0, 0);
    // (2^2 - 1) / 2^top
    expect([value(), value(4)]).toEqual([3 / 4, 3 / 16]);
  });

  test('a table of gains has fractions and covers fractions of grades, best first in the ideal', () => {
    // grades 1 2 3 have the gains 0.7 0.2 0.5, so that the ideal is 1 3 2
    const run = { q: { a: 3, b: 2, c: 1 } };
    const log = Math.log2(3);
    expect(evaluate({ q: { a: 1, b: 2, c: 3 } }, run, 'nDCG(gains={1:0.7,2:0.2,3:0.5})')).toBeCloseTo(
      (0.7 + 0.2 / log + 0.5 / 2) / (0.7 + 0.5 / log + 0.2 / 2),
      14,
    );
    // a grade between those of the table is its own gain
    expect(evaluate({ q: { a: 0.5, b: 1 } }, run, 'nDCG(gains={1:2})')).toBeCloseTo((0.5 + 2 / log) / (2 + 0.5 / log), 14);
  });

  test("coefficients of utility are taken in trec_eval's spelling too", () => {
    // two retrieved, one of them relevant, and one relevant document missed: 1·1 - 0.5·1 - 2·1
    expect(evaluate({ q: { a: 1, c: 1 } }, { q: { a: 2, b: 1 } }, 'utility.1,-0.5,-2,0')).toBe(-1.5);
  });

  test("ties='rank' puts equal scores in the order of the stated ranks, and those without one last", () => {
    const run = [
      { topic: 'q', doc: 'a', score: 1, rank: 2 },
      { topic: 'q', doc: 'b', score: 1 },
      { topic: 'q', doc: 'c', score: 1, rank: 1 },
      { topic: 'q', doc: 'd', score: 1, rank: 3 },
      { topic: 'q', doc: 'e', score: 1 },
    ];
    const rankOf = (doc: string) => 1 / evaluate({ q: { [doc]: 1 } }, run, 'RR', { ties: 'rank' });
    expect(['a', 'b', 'c', 'd', 'e'].map(rankOf)).toEqual([2, 4, 1, 3, 5]);
  });

  test('AP_IA takes a level', () => {
    const qrels = [
      { topic: 'q', doc: 'a', rel: 1, iteration: '1' },
      { topic: 'q', doc: 'b', rel: 2, iteration: '1' },
      { topic: 'q', doc: 'b', rel: 2, iteration: '2' },
      { topic: 'q', doc: 'c', rel: 1, iteration: '2' },
    ];
    const run = { q: { a: 3, b: 2, c: 1 } };
    // level 1: (1/1 + 2/2)/2 and (1/2 + 2/3)/2; level 2: b alone, at rank 2, for both subtopics
    expect(evaluate(qrels, run, 'AP_IA')).toBeCloseTo((1 + (1 / 2 + 2 / 3) / 2) / 2, 14);
    expect(evaluate(qrels, run, 'AP_IA(rel=2)')).toBe(1 / 2);
  });

  test('RBP with its residual has a mean over orders in closed form', () => {
    const docs = Array.from({ length: 12 }, (_, i) => `d${i}`);
    const run = { q: Object.fromEntries(docs.map((doc) => [doc, 1])) };
    // of 12 tied documents one is judged, and relevant: each rank has the gain 1/12
    const table = evaluator({ q: { d3: 1 } }, ['RBP(p=0.5)', 'RBP(p=0.5,residual=true)'], { ties: 'expected' }).evaluate(run);
    expect(table.value(0, 0)).toBeCloseTo((1 - 0.5 ** 12) / 12, 14);
    // what nobody judged, and what lies below the list
    expect(table.value(0, 1)).toBeCloseTo(1 - (1 - 0.5 ** 12) / 12, 14);
    for (const note of table.notes) expect(note).toContain('of the topics with ties in closed form on 1');
    expect(table.notes).toHaveLength(2);
  });
});
