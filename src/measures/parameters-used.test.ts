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
